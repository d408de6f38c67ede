"""The driver that the settings ask for."""

from __future__ import annotations

from gotgan.settings import Settings
from gotgan.store.drivers import Driver
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine

__all__ = ["open_driver"]


def open_driver(settings: Settings) -> Driver:
    """Open the way to the tables that ``GOTGAN_DYNAMODB`` names; whoever asked closes it."""
    if settings.dynamodb == "embedded":
        return Embedded(Engine(settings.dynamodb_file(), synchronous=settings.synchronous))
    return Aws(None if settings.dynamodb == "aws" else settings.dynamodb)
