"""``gotgan dynamodb``: the embedded engine behind DynamoDB's HTTP protocol."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from gotgan.cli import messages
from gotgan.cli.app import read_settings
from gotgan.cli.options import host_option, port_option
from gotgan.cli.output import Output
from gotgan.cli.reader import tr
from gotgan.errors import UsageError
from gotgan.events import emit
from gotgan.settings import Synchronous

if TYPE_CHECKING:
    from gotgan.store.engine.protocol import Executor


_SAMPLE_HINT: Final = """\
{heading}
  export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_DEFAULT_REGION=us-east-1
  aws dynamodb scan --table-name {table} --endpoint-url {endpoint}
  npx dynamodb-admin --dynamo-endpoint {endpoint}

{python}
  import boto3
  table = boto3.resource("dynamodb", endpoint_url="{endpoint}").Table("{table}")
  table.get_item(Key={{"shelf": "jars", "goods": "kimchi"}})["Item"]
"""


@click.command("dynamodb")
@host_option
@port_option(8000)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder for the tables. Default: GOTGAN_DATA.",
)
@click.option(
    "--memory", is_flag=True, help="Keep the tables in memory. They are lost when the process ends."
)
@click.option("--sample", is_flag=True, help="Create a small sample table if it does not exist.")
@click.option(
    "--synchronous",
    type=click.Choice(["full", "normal"]),
    help="When writes reach the disk. Default: GOTGAN_SYNCHRONOUS.",
)
@click.pass_obj
def command(
    output: Output,
    *,
    host: str,
    port: int,
    data: Path | None,
    memory: bool,
    sample: bool,
    synchronous: Synchronous | None,
) -> None:
    """Serve DynamoDB's API from a local file.

    Works with boto3, the AWS CLI and dynamodb-admin unchanged. The file is dynamodb.sqlite3 in the
    data folder.
    """
    if memory and data is not None:
        raise UsageError(messages.EXCLUSIVE(options=["--data", "--memory"]))
    settings = read_settings(output)
    settings = replace(
        settings,
        data=settings.data if data is None else data,
        synchronous=synchronous or settings.synchronous,
    )
    from gotgan.sockets import is_loopback
    from gotgan.store.engine.engine import Engine
    from gotgan.store.engine.http import serve

    if not is_loopback(host):
        emit(
            "dynamodb.exposed", level="warning", host=host, reason="requests are not authenticated"
        )
    path = None if memory else settings.dynamodb_file()
    with Engine(path, synchronous=settings.synchronous) as engine:
        if sample:
            create_sample(engine)
        announce = partial(_announce, output, path, sample=sample)
        with suppress(KeyboardInterrupt):  # Ctrl-C is the way to stop it
            serve(engine, host, port, on_listening=announce)


def _announce(output: Output, path: Path | None, endpoint: str, *, sample: bool) -> None:
    place = tr("memory") if path is None else path
    lines = [
        tr(
            "DynamoDB's API listens at {endpoint} and keeps its tables in {place}.",
            endpoint=endpoint,
            place=place,
        ),
        tr("Any region and any access keys will do. Ctrl-C stops it."),
        "",
    ]
    if sample:
        heading, python = (
            tr("Try, in another terminal:"),
            tr("Or from Python, with the same variables set:"),
        )
        lines.append(
            _SAMPLE_HINT.format(
                heading=heading, python=python, endpoint=endpoint, table=SAMPLE_TABLE
            )
        )
    output.write(
        "\n".join(lines),
        event="listening",
        endpoint=endpoint,
        file=None if path is None else str(path),
        sample=SAMPLE_TABLE if sample else None,
    )


# The sample: what is on the shelves of a storehouse


SAMPLE_TABLE: Final = "Storehouse"
SAMPLE_DEFINITION: Final[dict[str, Any]] = {
    "TableName": SAMPLE_TABLE,
    "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [
        {"AttributeName": "shelf", "AttributeType": "S"},
        {"AttributeName": "goods", "AttributeType": "S"},
        {"AttributeName": "kind", "AttributeType": "S"},
        {"AttributeName": "best_before", "AttributeType": "S"},
    ],
    "KeySchema": [
        {"AttributeName": "shelf", "KeyType": "HASH"},
        {"AttributeName": "goods", "KeyType": "RANGE"},
    ],
    "GlobalSecondaryIndexes": [
        {
            # Tools keep for ever: without best_before they stay out of the index.
            "IndexName": "by_kind",
            "KeySchema": [
                {"AttributeName": "kind", "KeyType": "HASH"},
                {"AttributeName": "best_before", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
    ],
}


def _food(shelf: str, goods: str, kind: str, kilos: str, best_before: str) -> dict[str, Any]:
    return {
        "shelf": {"S": shelf},
        "goods": {"S": goods},
        "kind": {"S": kind},
        "kilos": {"N": kilos},
        "best_before": {"S": best_before},
    }


def _tool(shelf: str, goods: str, count: str, uses: list[str]) -> dict[str, Any]:
    return {
        "shelf": {"S": shelf},
        "goods": {"S": goods},
        "kind": {"S": "tool"},
        "count": {"N": count},
        "uses": {"SS": uses},
    }


SAMPLE_ITEMS: Final = [
    _food("floor", "barley", "grain", "40", "2027-06-30"),
    _food("floor", "rice", "grain", "160", "2026-10-31"),
    _food("floor", "millet", "grain", "12.5", "2027-01-31"),
    _food("jars", "kimchi", "fermented", "30", "2026-04-15"),
    _food("jars", "soy sauce", "fermented", "18", "2029-12-31"),
    _food("jars", "soybean paste", "fermented", "22", "2028-12-31"),
    _food("rafters", "dried persimmons", "dried", "4.2", "2026-03-01"),
    _food("rafters", "garlic", "dried", "6", "2026-05-20"),
    _food("rafters", "red peppers", "dried", "3.75", "2026-08-15"),
    _tool("wall", "sickle", "3", ["harvest", "grass"]),
    _tool("wall", "straw rope", "12", ["binding"]),
    _tool("wall", "winnowing basket", "2", ["grain", "beans"]),
]


def create_sample(engine: Executor) -> None:
    """Create the table and its items where they are missing; existing ones are not changed."""
    from gotgan.store.engine.faults import ConditionalCheckFailedException, ResourceInUseException

    with suppress(ResourceInUseException):
        engine.execute("CreateTable", SAMPLE_DEFINITION)
    for item in SAMPLE_ITEMS:
        request = {
            "TableName": SAMPLE_TABLE,
            "Item": item,
            "ConditionExpression": "attribute_not_exists(shelf)",
        }
        with suppress(ConditionalCheckFailedException):
            engine.execute("PutItem", request)
