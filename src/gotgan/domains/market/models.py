"""Values of the market: prices, indices, fetches and the rows of both logs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import date, datetime
from typing import ClassVar, Final, Literal, TypeAlias

Side = Literal["prices", "indices"]
"""The two halves of a day; each has its own status and attempts."""
SIDES: Final[tuple[Side, ...]] = ("prices", "indices")
Targets: TypeAlias = Mapping[Side, Sequence[str]]
"""What is collected of a day: the markets of prices, and the names of indices."""
Status = Literal["pending", "success", "failed", "retrying"]
STATUSES: Final[tuple[Status, ...]] = ("pending", "success", "failed", "retrying")
Overall = Literal["pending", "partial", "success", "failed"]
Screen = Literal["oversold", "overbought", "macd_up", "macd_down"]
"""RSI below 30, RSI above 70, MACD crossing its signal upwards, and downwards."""
ShareSort = Literal[
    "ticker",
    "-ticker",
    "name",
    "-name",
    "price",
    "-price",
    "change",
    "-change",
    "volume",
    "-volume",
    "value",
    "-value",
]
"""Orders of shares; `-` is descending. The change is that of the day in percent."""

DEFAULT_LIMIT: Final = 50
"""How many shares are listed by default."""
MOVER_LIMIT: Final = 10
"""How many shares of each kind of movers are listed by default."""
PERMANENT_ERRORS: Final = frozenset({"market.blocked", "market.login", "market.password"})
"""Codes of errors that last until a setting changes or a block ends."""
INDICES: Final = {"KOSPI": "1001", "KOSDAQ": "2001"}
"""The code of each index that can be collected; it is named after its market."""
INDICATORS: Final = (
    "rsi_14",
    "macd",
    "macd_signal",
    "macd_histogram",
    "sma_5",
    "sma_20",
    "sma_60",
    "sma_120",
    "bb_upper",
    "bb_middle",
    "bb_lower",
)
"""The columns of indicators; a share with too few days lacks some."""


@dataclass(frozen=True, slots=True)
class SharePrice:
    """One share on one day, as it was traded; one that was not traded has its last close alone."""

    ticker: str
    name: str
    market: str
    open: int | None
    high: int | None
    low: int | None
    close: int
    change: int
    """Against the base of the day: that is the last close, unless shares were split or merged."""
    volume: int
    value: int
    market_cap: int
    shares: int

    @property
    def is_halted(self) -> bool:
        """Whether it could not be traded on that day; on KONEX, many just find no buyer."""
        return self.open is None and self.market != "KONEX"

    @property
    def base(self) -> int:
        """What the close is compared with."""
        return self.close - self.change


@dataclass(frozen=True, slots=True)
class IndexValue:
    """One index on one day; before 1994-12-28 the exchange has its close alone."""

    code: str
    name: str
    open: float | None
    high: float | None
    low: float | None
    close: float
    volume: int
    value: int


@dataclass(frozen=True)
class Fetch:
    """The answer of a provider for one side of a day, between fetch, save and verify."""

    day: date
    side: Side
    provider: str
    fetched_at: datetime
    prices: tuple[SharePrice, ...] = ()
    indices: tuple[IndexValue, ...] = ()
    is_final: bool = False
    """Whether its figures are not expected to change any more."""

    @property
    def count(self) -> int:
        """How many rows there are."""
        return len(self.prices) + len(self.indices)


@dataclass(frozen=True, slots=True)
class SideLog:
    """The status of one side of a day."""

    status: Status = "pending"
    count: int | None = None
    error_message: str | None = None
    completed_at: datetime | None = None
    retry_count: int = 0
    attempts: int = 0
    attempted_at: datetime | None = None
    provider: str | None = None

    @property
    def is_elsewhere(self) -> bool:
        """Whether another program collected it, so that what it fetched is not stored here."""
        return self.status == "success" and self.provider is None


SIDE_FIELDS: Final = tuple(each.name for each in fields(SideLog))


@dataclass(frozen=True, slots=True)
class CollectionLog:
    """A row of `collection_log`: what was collected of a day."""

    shown: ClassVar = {
        "date": "day",
        "collection_date": "collection_date",
        **{f"price_{name}": f"prices.{name}" for name in SIDE_FIELDS},
        **{f"indices_{name}": f"indices.{name}" for name in SIDE_FIELDS},
        "overall_status": "overall_status",
        "started_at": "started_at",
        "finalised_at": "finalised_at",
    }

    day: date
    collection_date: date
    """The day on which it was last worked on, in the zone."""
    prices: SideLog
    indices: SideLog
    started_at: datetime | None
    finalised_at: datetime | None = None

    def side(self, side: Side) -> SideLog:
        """The status of one side."""
        return self.prices if side == "prices" else self.indices

    @property
    def overall_status(self) -> Overall:
        """The status of both sides together."""
        return overall_status(self.prices.status, self.indices.status)

    @property
    def is_elsewhere(self) -> bool:
        """Whether another program collected a side of it."""
        return self.prices.is_elsewhere or self.indices.is_elsewhere


@dataclass(frozen=True, slots=True)
class IndicatorLog:
    """A row of `indicator_log`: what was calculated of a day."""

    shown: ClassVar = {
        "date": "day",
        "indicator_date": "indicator_date",
        "status": "status",
        "indicators_count": "indicators_count",
        "error_message": "error_message",
        "retry_count": "retry_count",
        "attempts": "attempts",
        "attempted_at": "attempted_at",
        "completed_at": "completed_at",
        "created_at": "created_at",
    }

    day: date
    indicator_date: date
    status: Status
    indicators_count: int | None
    error_message: str | None
    retry_count: int
    attempts: int
    attempted_at: datetime | None
    completed_at: datetime | None
    created_at: datetime | None

    @property
    def lacks_history(self) -> bool:
        """Whether it was calculated, and no share had enough sessions for a value.

        Another try comes to the same, until prices of earlier days are stored.
        """
        return self.status == "pending" and self.indicators_count == 0


def overall_status(prices: Status, indices: Status) -> Overall:
    """The status of a day from the statuses of both sides."""
    both = {prices, indices}
    if both == {"success"}:
        return "success"
    if "success" in both:
        return "partial"
    return "failed" if "failed" in both else "pending"
