"""The driver that the settings ask for."""

from __future__ import annotations

from gotgan.clock import Clock
from gotgan.settings import Settings
from gotgan.store.drivers import Driver
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine

__all__ = ["open_driver"]


def open_driver(settings: Settings, clock: Clock | None = None) -> Driver:
    """Open the way to the tables that ``GOTGAN_DYNAMODB`` names; whoever asked closes it.

    ``clock`` is what the embedded file sweeps by; everywhere else that is real time.
    """
    if settings.dynamodb == "embedded":
        file, synchronous = settings.dynamodb_file(), settings.synchronous
        return Embedded(Engine(file, synchronous=synchronous, clock=clock))
    return Aws(None if settings.dynamodb == "aws" else settings.dynamodb)
