"""Fetching: every connection to the web is opened here.

It is polite (``gate``, ``robots``), guarded (``guard``), bounded (``FetchRules``), and responses
can be recorded and replayed (``recording``). The client is loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gotgan.fetch.addresses import display_url
from gotgan.fetch.models import (
    HTML,
    FetchRequest,
    FetchResponse,
    FetchResult,
    FetchRules,
    Validators,
)

if TYPE_CHECKING:
    from gotgan.fetch.client import Web

__all__ = [
    "HTML",
    "FetchRequest",
    "FetchResponse",
    "FetchResult",
    "FetchRules",
    "Validators",
    "Web",
    "display_url",
]


def __getattr__(name: str) -> Any:
    if name != "Web":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from gotgan.fetch.client import Web  # noqa: PLC0415 - see above

    return Web
