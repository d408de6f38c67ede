"""Results of the registry's verbs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from gotgan.domains.shops.models import Shop, Stage
from gotgan.domains.shops.stages import Stuck
from gotgan.errors import GotganError
from gotgan.store import Cost

__all__ = [
    "DueShops",
    "Hint",
    "RelatedShops",
    "Released",
    "Scanned",
    "ShopFailure",
    "SkippedShop",
    "StuckShops",
]

Hint = Literal["add_shops", "adopt_shops"]
"""What to do where no shop was found."""


@dataclass(frozen=True)
class ShopFailure:
    """A shop that failed, and why."""

    domain: str
    error: GotganError


@dataclass(frozen=True)
class SkippedShop:
    """A shop that another worker is processing."""

    domain: str
    reason: str
    """Which worker, and until when."""


@dataclass(frozen=True)
class DueShops:
    """Shops to be crawled or scraped next."""

    stage: Stage
    items: tuple[Shop, ...]
    """Those never done first, then those done longest ago."""
    has_more: bool
    """Whether there are more than the limit."""
    hint: Hint | None
    """Where nothing was found: no shop is registered, or other tools' shops are not adopted."""
    cost: Cost


@dataclass(frozen=True)
class StuckShops:
    """Shops whose worker stopped responding."""

    items: tuple[Stuck, ...]
    in_progress: int
    """Further claims that are not stuck."""
    hint: Hint | None
    """Where nothing was found: no shop is registered, or other tools' shops are not adopted."""
    cost: Cost


@dataclass(frozen=True)
class RelatedShops:
    """Domains with the same core name."""

    items: tuple[str, ...]
    cost: Cost


@dataclass(frozen=True)
class Released:
    """Claims that were released, and those that were not."""

    released: tuple[Stuck, ...]
    refused: tuple[ShopFailure, ...]
    cost: Cost


@dataclass(frozen=True)
class Scanned:
    """Shops without a country, found by reading the whole table."""

    due: tuple[Shop, ...]
    """In the order of their domains."""
    stuck: tuple[Stuck, ...]
    """In either stage."""
    under_way: int
    """How many claims there are, in either stage, stuck or not."""
    cost: Cost
