"""How each way into the engine is opened for the contract."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

import boto3
from botocore.config import Config

from gotgan.store.engine import Engine, StreamsClient, connect
from gotgan.store.engine.attach import attach
from gotgan.store.engine.http import background_server

__all__ = ["DRIVERS", "Clients", "remote", "remote_clients"]


class Clients(NamedTuple):
    """The clients of one front: for the tables, and for their streams."""

    tables: Any
    streams: Any


def remote(endpoint: str, service: str = "dynamodb") -> Any:
    """A boto3 client that leaves every check to the other side and never repeats a call."""
    return boto3.client(
        service,
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="contract",
        aws_secret_access_key="contract",
        config=Config(
            parameter_validation=False, retries={"total_max_attempts": 1}, read_timeout=120
        ),
    )


def remote_clients(endpoint: str) -> Clients:
    """Both clients of an endpoint."""
    return Clients(remote(endpoint), remote(endpoint, "dynamodbstreams"))


def _in_process(stack: ExitStack, folder: Path) -> Clients:
    # What a crash leaves is asked elsewhere; here the disk would only make every test slower.
    client = stack.enter_context(connect(folder / "in-process.db", synchronous="normal"))
    return Clients(client, StreamsClient(client.engine))


def _attached(stack: ExitStack, _folder: Path) -> Clients:
    # No such endpoint exists: a call that is not answered by the engine fails.
    clients = remote_clients("http://127.0.0.1:1")
    engine = stack.enter_context(Engine(None))
    return Clients(*(attach(client, engine) for client in clients))


def _http(stack: ExitStack, folder: Path) -> Clients:
    engine = stack.enter_context(Engine(folder / "http.db", synchronous="normal"))
    return remote_clients(stack.enter_context(background_server(engine)))


DRIVERS: dict[str, Callable[[ExitStack, Path], Clients]] = {
    "in-process": _in_process,
    "attached": _attached,
    "http": _http,
}
