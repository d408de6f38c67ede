"""The door to the web: every connection to it is opened here.

It is polite (``gate``, ``robots``, ``agent``), guarded (``guard``), bounded (``rules``), and what
it brought can be kept and brought again (``recording``). The client is loaded when it is first
asked for: what only looks at addresses does not need it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gotgan.fetch.addresses import shown
from gotgan.fetch.messages import HTML, Ask, Fetched, FetchResponse, Validators
from gotgan.fetch.rules import FetchRules

if TYPE_CHECKING:
    from gotgan.fetch.client import Web

__all__ = ["HTML", "Ask", "FetchResponse", "FetchRules", "Fetched", "Validators", "Web", "shown"]


def __getattr__(name: str) -> Any:
    if name != "Web":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from gotgan.fetch.client import Web  # noqa: PLC0415 - see above

    return Web
