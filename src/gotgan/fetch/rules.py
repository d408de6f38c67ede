"""How politely and how far the web is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from gotgan.retry import Policy

__all__ = ["FetchRules"]

_DEADLINE: Final = 90.0


@dataclass(frozen=True)
class FetchRules:
    """The limits of everything that is fetched."""

    contact: str = ""
    """Where the owners of the sites can reach us; it stands in the user agent."""
    delay: float = 1.0
    """How many seconds lie at least between two requests to the same host."""
    at_once: int = 2
    """How many requests to the same host are under way at most."""
    redirects: int = 10
    """How many of them are followed for one ask."""
    seconds: float = 30.0
    """How long one request may take, from the connection to the last byte."""
    deadline: float = _DEADLINE
    """How long one ask may take in all, from its first turn on: attempts, pauses, redirects."""
    most_on_the_wire: int = 20_000_000
    """How many bytes of an answer are taken as they are sent; an ask says how many unpacked."""
    retry: Policy = field(
        default_factory=lambda: Policy(attempts=3, base=1.0, cap=10.0, deadline=_DEADLINE)
    )
    """How often and how patiently what can pass by itself is asked again."""
    resolve: Mapping[str, str] = field(default_factory=dict)
    """Names of hosts that are served from another place: ``*.shop.test`` to ``host:port``."""
