"""The databases that every scenario takes place on, each with a client that knows nothing of us."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from typing import Any, Final

import boto3

from gotgan.store.drivers import Driver
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from gotgan.store.engine.client import Client
from gotgan.store.engine.http import background_server

__all__ = ["DATABASES"]


def _embedded(stack: ExitStack) -> tuple[Driver, Any]:
    engine = stack.enter_context(Engine(None))
    return Embedded(engine), Client(engine)


def _over_http(stack: ExitStack) -> tuple[Driver, Any]:
    url = stack.enter_context(background_server(stack.enter_context(Engine(None))))
    driver = Aws(url)
    client = boto3.client(
        "dynamodb",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="any",
        aws_secret_access_key="any",
    )
    stack.callback(driver.close)
    stack.callback(client.close)
    return driver, client


DATABASES: Final[Mapping[str, Callable[[ExitStack], tuple[Driver, Any]]]] = {
    "embedded": _embedded,
    "http": _over_http,
}
