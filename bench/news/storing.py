"""Stories stored a second: ``put_new_all`` beside a loop of boto3's conditional puts.

``python -m bench.news.storing [--count N]``

Both write the same items to an embedded engine on a file: ours in process, the loop over HTTP from
another process of ours, as somebody would who has DynamoDB's API and nothing else. First all items
are new, then all of them are known. Every write is on the disk before it is answered.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import boto3
from botocore.exceptions import ClientError

from bench.store.boards import table
from bench.store.servers import serving
from gotgan.domains.news.keys import NEWS_ITEMS
from gotgan.domains.news.models import NewsItem
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.outputs.definition import create_request
from gotgan.store.schema import schema_of

__all__ = ["main"]

_NOON: Final = datetime(2026, 11, 6, 12, tzinfo=UTC)
_ONCE: Final = "attribute_not_exists(pk)"


def _items(count: int) -> list[NewsItem]:
    return [
        NewsItem(
            source="yf_latest",
            title=f"A headline of common length that says something of share number {number}",
            url=f"https://finance.yahoo.com/news/a-slug-of-common-length-{number:09}.html",
            tickers=("NVDA", "PLTR"),
            uploaded_at=_NOON,
        )
        for number in range(count)
    ]


def _seconds(work: Callable[[], Any]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def _ours(items: list[NewsItem], folder: Path) -> tuple[float, float]:
    engine = Engine(folder / "ours.sqlite3")
    with Store(Embedded(engine), secret=Secret("s" * 32)) as store:
        store.create(NEWS_ITEMS)
        return tuple(_seconds(lambda: store.put_new_all(items)) for _ in range(2))  # type: ignore[return-value]


def _loop(items: list[NewsItem], folder: Path) -> tuple[float, float]:
    stored = [schema_of(NewsItem).item(item) for item in items]
    with serving("http", folder) as server:
        client = boto3.client(
            "dynamodb",
            endpoint_url=server.endpoint,
            region_name="us-east-1",
            aws_access_key_id="any",
            aws_secret_access_key="any",
        )
        client.create_table(**create_request(NEWS_ITEMS))
        return tuple(_seconds(lambda: _put_each(client, stored)) for _ in range(2))  # type: ignore[return-value]


def _put_each(client: Any, stored: list[dict[str, Any]]) -> None:
    for item in stored:
        try:
            client.put_item(TableName=NEWS_ITEMS.name, Item=item, ConditionExpression=_ONCE)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise


def main() -> None:
    """Measure, and print a table of rates and ratios."""
    parser = argparse.ArgumentParser(prog="python -m bench.news.storing", description=__doc__)
    parser.add_argument("--count", type=int, default=10_000)
    count = parser.parse_args().count
    items = _items(count)
    with tempfile.TemporaryDirectory() as folder:
        ours, loop = _ours(items, Path(folder)), _loop(items, Path(folder))
    rows = [
        [what, f"{count / mine:,.0f}", f"{count / theirs:,.0f}", f"{theirs / mine:.1f} ×"]
        for what, mine, theirs in zip(("all new", "all known"), ours, loop, strict=True)
    ]
    print(table([f"{count:,} stories, a second", "put_new_all", "boto3's loop", "we are"], rows))


if __name__ == "__main__":
    main()
