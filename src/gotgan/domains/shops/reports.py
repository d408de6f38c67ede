"""Results of the verbs, except those of crawls and scrapes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Literal

from gotgan.domains.shops.models import Shop, Stage
from gotgan.domains.shops.stages import Stuck
from gotgan.errors import GotganError
from gotgan.store import Cost

__all__ = [
    "Delivered",
    "DueShops",
    "Hint",
    "Registered",
    "RelatedShops",
    "Released",
    "Scanned",
    "ShopFailure",
    "ShopsAdopted",
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


@dataclass
class Registered:
    """What became of shops that were to be registered."""

    shown: ClassVar = ("given", "new", "placed", "adopted", "duplicates", "failed", "cost")

    new: list[Shop] = field(default_factory=list)
    """Shops that were registered."""
    placed: list[Shop] = field(default_factory=list)
    """Registered shops without a country that got one."""
    adopted: list[Shop] = field(default_factory=list)
    """Shops of another tool whose missing index keys were added."""
    duplicates: list[Shop] = field(default_factory=list)
    """Registered shops, unchanged."""
    failed: list[ShopFailure] = field(default_factory=list)
    """Shops that could not be stored."""
    cost: Cost = field(default_factory=Cost)

    @property
    def given(self) -> int:
        """How many shops were given."""
        return len(self.shops) + len(self.failed)

    @property
    def shops(self) -> list[Shop]:
        """All that are registered now."""
        return [*self.new, *self.placed, *self.adopted, *self.duplicates]


@dataclass
class ShopsAdopted:
    """What one run read, and what it added."""

    read: int = 0
    shops: int = 0
    """Shops whose index keys were completed."""
    pages: int = 0
    """Pages whose index keys were completed."""
    countries: list[str] = field(default_factory=list)
    """Countries that the registry did not have."""
    unfit: dict[str, str] = field(default_factory=dict)
    """Items that cannot be read as a shop or a page, by key, with the reason; left unchanged."""
    unfit_count: int = 0
    is_complete: bool = False
    """Whether the end of the table was reached; if not, the next run continues from here."""
    cost: Cost = field(default_factory=Cost)

    @property
    def completed(self) -> int:
        """How many items were completed."""
        return self.shops + self.pages


@dataclass(frozen=True)
class Delivered:
    """Changes that were sent."""

    sink: str
    """The webhook or file."""
    changes: int
    shops: int
    """Shops that the changes are of."""
    stopped: str | None
    """Why it stopped early. The rest is sent the next time."""
    cost: Cost
