"""``gotgan dynamodb``: the embedded engine behind DynamoDB's HTTP protocol."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path

import click

from gotgan.cli.output import Output
from gotgan.errors import UsageError
from gotgan.events import emit, write_to
from gotgan.settings import Settings, Synchronous

__all__ = ["command"]

_TRY = """\
DynamoDB's API listens at {endpoint} and keeps its tables in {place}.
Any region and any access keys will do. Ctrl-C stops it.
"""

_TRY_SAMPLE = """\
Try, in another terminal:
  export AWS_ACCESS_KEY_ID=any AWS_SECRET_ACCESS_KEY=any AWS_DEFAULT_REGION=us-east-1
  aws dynamodb scan --table-name {table} --endpoint-url {endpoint}
  npx dynamodb-admin --dynamo-endpoint {endpoint}

Or from Python, with the same variables set:
  import boto3
  table = boto3.resource("dynamodb", endpoint_url="{endpoint}").Table("{table}")
  table.get_item(Key={{"shelf": "jars", "goods": "kimchi"}})["Item"]
"""


@click.command("dynamodb")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    help="The port to listen on; 0 takes any free one.",
)
@click.option(
    "--data",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="The folder of the tables, instead of GOTGAN_DATA.",
)
@click.option("--memory", is_flag=True, help="Keep the tables in memory; they go with the process.")
@click.option("--sample", is_flag=True, help="Make a small table to look at, if it is missing.")
@click.option(
    "--synchronous",
    type=click.Choice(["full", "normal"]),
    help="How writes reach the disk, instead of GOTGAN_SYNCHRONOUS.",
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

    boto3, the AWS CLI and dynamodb-admin connect to it unchanged. The file is dynamodb.sqlite3 in
    the data folder.
    """
    if memory and data is not None:
        raise UsageError("--data and --memory exclude each other; leave one of them out")
    settings = _settings(data, synchronous)
    write_to(sys.stderr, level=settings.log, as_json=output.as_json)
    from gotgan.listening import is_loopback

    if not is_loopback(host):
        emit(
            "dynamodb.exposed", level="warning", host=host, reason="requests are not authenticated"
        )
    _serve(output, settings, (host, port), memory=memory, sample=sample)


def _settings(data: Path | None, synchronous: Synchronous | None) -> Settings:
    settings = Settings.from_env()
    return replace(
        settings,
        data=settings.data if data is None else data,
        synchronous=synchronous or settings.synchronous,
    )


def _serve(
    output: Output, settings: Settings, address: tuple[str, int], *, memory: bool, sample: bool
) -> None:
    from gotgan.cli.sample import fill
    from gotgan.store.engine.engine import Engine
    from gotgan.store.engine.http import serve

    path = None if memory else settings.dynamodb_file()
    with Engine(path, synchronous=settings.synchronous) as engine:
        if sample:
            fill(engine)
        announce = partial(_announce, output, path, sample=sample)
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is the way to stop it, no failure
            serve(engine, *address, on_listening=announce)


def _announce(output: Output, path: Path | None, endpoint: str, *, sample: bool) -> None:
    from gotgan.cli.sample import TABLE

    text = _TRY + ("\n" + _TRY_SAMPLE if sample else "")
    output.say(
        text.format(endpoint=endpoint, place=path or "memory", table=TABLE),
        event="listening",
        endpoint=endpoint,
        file=None if path is None else str(path),
        sample=TABLE if sample else None,
    )
