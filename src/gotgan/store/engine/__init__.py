"""DynamoDB's API on one SQLite file: in this process, under boto3, or over HTTP.

The engine is loaded when it is first asked for: what only counts units does not need it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from gotgan.store.engine.client import Client, StreamsClient, connect
    from gotgan.store.engine.engine import Engine

__all__ = ["Client", "Engine", "StreamsClient", "connect"]

_HOMES: Final = {
    "Client": "client",
    "Engine": "engine",
    "StreamsClient": "client",
    "connect": "client",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
