"""How each way into the engine is opened for the contract."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import boto3
from botocore.config import Config

from gotgan.store.engine import Engine, connect
from gotgan.store.engine.attach import attach
from gotgan.store.engine.http import background_server

__all__ = ["DRIVERS", "remote"]


def remote(endpoint: str) -> Any:
    """A boto3 client that leaves every check to the other side and never repeats a call."""
    return boto3.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id="contract",
        aws_secret_access_key="contract",
        config=Config(
            parameter_validation=False, retries={"total_max_attempts": 1}, read_timeout=120
        ),
    )


def _in_process(stack: ExitStack, folder: Path) -> Any:
    # What a crash leaves is asked elsewhere; here the disk would only make every test slower.
    return stack.enter_context(connect(folder / "in-process.db", synchronous="normal"))


def _attached(stack: ExitStack, _folder: Path) -> Any:
    # No such endpoint exists: a call that is not answered by the engine fails.
    return attach(remote("http://127.0.0.1:1"), stack.enter_context(Engine(None)))


def _http(stack: ExitStack, folder: Path) -> Any:
    engine = stack.enter_context(Engine(folder / "http.db", synchronous="normal"))
    return remote(stack.enter_context(background_server(engine)))


DRIVERS: dict[str, Callable[[ExitStack, Path], Any]] = {
    "in-process": _in_process,
    "attached": _attached,
    "http": _http,
}
