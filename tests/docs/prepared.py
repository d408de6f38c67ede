"""What a reader has in the folder before a page is tried: files and tables that it speaks of."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.shops.models import Shop
from gotgan.settings import Settings
from gotgan.store import Store
from gotgan.store.engine import connect
from tests.docs.blocks import blocks_of
from tests.docs.sessions import MOMENT
from tests.house.repository import DOCS, relative
from tests.unit.domains.site.migration import old_tables

__all__ = ["prepare"]

_STORY: Final = {
    "title": "Chips rise as orders return",
    "url": "https://finance.yahoo.com/news/chips-rise-as-orders-return-143512345.html",
    "tickers": ["NVDA"],
}
_COMMENTS: Final = """\
video_id,title,comment_id,text,likes
dQw4w9WgXcQ,Kimchi,c1,정말 좋아요! 최고예요,12
dQw4w9WgXcQ,Kimchi,c2,다음에는 자막도 달아주세요,30
"""
_INFO: Final = {
    "id": "abcdefghijk",
    "title": "Rice",
    "extractor_key": "Youtube",
    "comments": [{"id": "i1", "text": "I love this at 2:14", "like_count": 8}],
}
_TABLE: Final = {
    "AttributeDefinitions": [
        {"AttributeName": name, "AttributeType": "S"} for name in ("pk", "sk", "gsi2_pk", "gsi2_sk")
    ],
    "KeySchema": [
        {"AttributeName": "pk", "KeyType": "HASH"},
        {"AttributeName": "sk", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        {
            "IndexName": "GSI2",
            "KeySchema": [
                {"AttributeName": "gsi2_pk", "KeyType": "HASH"},
                {"AttributeName": "gsi2_sk", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
    "BillingMode": "PAY_PER_REQUEST",
}


def prepare(page: Path, folder: Path) -> None:
    """Have the folder as the page expects it."""
    _PREPARED.get(relative(page), _nothing)(folder)


def _nothing(_folder: Path) -> None:
    """Most pages begin with an empty folder."""


def _news(folder: Path) -> None:
    (folder / "stories.json").write_text(json.dumps([_STORY]))


def _shops(folder: Path) -> None:
    (folder / "shops.csv").write_text("antik-5.shop.test\nantik-3.shop.test,KR,Antik 3\n")
    long_ago = FixedClock(MOMENT - timedelta(hours=3))
    with App.open(Settings(data=folder / "gotgan-data"), clock=long_ago) as app:
        app.prepare()
        Shop.crawl.claim(app.store, app.shops.add("antik-9.shop.test", country="DE").new[0])


def _videos(folder: Path) -> None:
    (folder / "comments.csv").write_text(_COMMENTS, encoding="utf-8")
    (folder / "abc.info.json").write_text(json.dumps(_INFO))


def _site(folder: Path) -> None:
    with App.open(Settings(data=folder / "gotgan-data")) as app:
        app.prepare()
        app.site.categories.create(title="회사 소식", slug="news")


def _tables(folder: Path) -> None:
    data = folder / "gotgan-data"
    data.mkdir()
    with connect(data / "dynamodb.sqlite3") as client:
        client.create_table(TableName="shops", **_TABLE)
        for number in range(12):
            client.put_item(TableName="shops", Item=_item(number))


def _item(number: int) -> dict[str, Any]:
    price = {"price": {"N": str(90 + number)}}
    return {"pk": {"S": "SHOP#a.de"}, "sk": {"S": f"URL#https://a.de/{number}"}, **price}


def _old_tables(folder: Path) -> None:
    with Store.open(Settings(data=folder / "gotgan-data")) as store:
        old_tables.tables(store, old_tables.make(count=6))


def _tests_of_the_page(folder: Path) -> None:
    source = next(
        block.text
        for block in blocks_of(DOCS / "engine.md")
        if block.text.startswith("# test_goods.py\n")
    )
    (folder / "test_goods.py").write_text(source, encoding="utf-8")


def _analysis_of_the_page(folder: Path) -> None:
    source = next(
        block.text
        for block in blocks_of(DOCS / "exports.md")
        if block.text.startswith("# analysis.py\n")
    )
    (folder / "analysis.py").write_text(source, encoding="utf-8")


_PREPARED: Final[Mapping[str, Callable[[Path], None]]] = {
    "docs/day.md": _site,
    "docs/engine.md": _tests_of_the_page,
    "docs/exports.md": _analysis_of_the_page,
    "docs/news.md": _news,
    "docs/shops.md": _shops,
    "docs/site-migration.md": _old_tables,
    "docs/site.md": _site,
    "docs/tables.md": _tables,
    "docs/videos.md": _videos,
}
