"""What may be asked of the shops, and what may be sent: each with its bounds."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Annotated, Any, Final

from fastapi import Path
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictBool,
    ValidationInfo,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from gotgan.api.paging import Paged
from gotgan.clock import moment_of
from gotgan.domains.shops.adoption import ADOPT_ITEMS
from gotgan.domains.shops.crawling import BUDGET
from gotgan.domains.shops.reading import PageType
from gotgan.domains.shops.service import WORKERS
from gotgan.domains.shops.stages import Stage

__all__ = [
    "AdoptBody",
    "ChangeListing",
    "Country",
    "CrawlBody",
    "DeliverBody",
    "Domain",
    "DueListing",
    "Registrations",
    "ReleaseBody",
    "ScrapeBody",
    "StuckListing",
    "UrlListing",
]

_MOST_DUE: Final = 1_000
_MOST_NAMED: Final = 100
_MOST_WORKERS: Final = 32
_MOST_PAGES: Final = 100_000
_MOST_ITEMS: Final = 10_000_000
_HOURS_OF_A_YEAR: Final = 8_760
_A_DOMAIN: Final = "The domain of a shop; any address of it will do."
_A_COUNTRY: Final = "Two letters such as DE."
_A_MOMENT: Final = "Without an offset it is in GOTGAN_ZONE; a date is its midnight."


def _moment(value: Any, info: ValidationInfo) -> Any:
    """Read a moment, or a date, which is its midnight; ``asked`` says in which zone."""
    if not isinstance(value, str):
        raise _no_moment()
    try:
        return moment_of(value, (info.context or {})["zone"])
    except (ValueError, OverflowError):
        raise _no_moment() from None


def _no_moment() -> PydanticCustomError:
    return PydanticCustomError("moment", "use a moment such as 2026-01-13 or 2026-01-13T12:00:00Z")


def _whole(value: Any) -> Any:
    """Python counts with truth and falsehood, and JSON does not."""
    if isinstance(value, bool):
        raise PydanticCustomError("int_type", "Input should be a valid integer")
    return value


Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    WithJsonSchema({"type": "string", "format": "date-time", "examples": ["2026-01-13T12:00:00Z"]}),
]
Country = Annotated[str, Field(pattern="^[A-Za-z]{2}$", examples=["DE"])]
Domain = Annotated[
    str,
    Path(
        min_length=1,
        max_length=253,
        pattern=r"^[^/?#\s]+$",
        description="The domain of a shop.",
        examples=["example.com"],
    ),
]
_NamedDomain = Annotated[str, Field(min_length=1, max_length=253)]
_Domains = Annotated[
    tuple[_NamedDomain, ...],
    Field(
        max_length=_MOST_NAMED,
        description="Which shops, due or not. Without any: all that are due, those stuck first.",
    ),
]
_Workers = Annotated[
    int,
    Field(ge=1, le=_MOST_WORKERS, description="How many shops are worked on at once."),
    BeforeValidator(_whole),
]
_Pages = Annotated[
    int,
    Field(ge=1, le=_MOST_PAGES, description="How many pages of one shop to visit."),
    BeforeValidator(_whole),
]


class DueListing(BaseModel):
    """What is asked of the shops that are due."""

    model_config = ConfigDict(frozen=True)

    stage: Stage = Field(default="crawl", description="What they are due for.")
    country: Country | None = Field(default=None, description=f"{_A_COUNTRY} Without one: all.")
    before: Moment | None = Field(
        default=None,
        description="Last done up to then; else two days ago for a crawl, and now for a scrape. "
        f"{_A_MOMENT}",
    )
    after: Moment | None = Field(
        default=None,
        description=f"Last done from then on; without those that never were. {_A_MOMENT}",
    )
    limit: int = Field(default=100, ge=1, le=_MOST_DUE, description="How many shops to give.")


class StuckListing(BaseModel):
    """What is asked of the shops that are stuck."""

    model_config = ConfigDict(frozen=True)

    country: Country | None = Field(default=None, description=f"{_A_COUNTRY} Without one: all.")
    hours: float = Field(
        default=2.0,
        ge=0,
        le=_HOURS_OF_A_YEAR,
        description="How long ago the work began, at least.",
    )

    @property
    def older_than(self) -> timedelta:
        """How long ago the work began."""
        return timedelta(hours=self.hours)


class UrlListing(Paged):
    """What is asked of the addresses of a shop."""

    type: PageType | None = Field(
        default=None, description="Only pages of this type. Without one: all, by the alphabet."
    )


class ChangeListing(Paged):
    """What is asked of the changes in a shop."""

    since: Moment | None = Field(
        default=None, description=f"Only what was seen from then on. {_A_MOMENT}"
    )


class _Sent(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class _Registration(_Sent):
    domain: _NamedDomain = Field(description=_A_DOMAIN, examples=["example.com"])
    country: Country | None = Field(default=None, description=_A_COUNTRY)
    name: str | None = Field(default=None, max_length=200, description="What it is called.")


Registrations = _Registration | Annotated[list[_Registration], Field(max_length=1_000)]
"""One shop, or a list of them."""


class AdoptBody(_Sent):
    """How much of the table to read."""

    max_items: Annotated[
        int,
        Field(
            ge=1,
            le=_MOST_ITEMS,
            description="How many items to read; the next run continues from there.",
        ),
        BeforeValidator(_whole),
    ] = ADOPT_ITEMS


class CrawlBody(_Sent):
    """Which shops to crawl, and how."""

    domains: _Domains = ()
    country: Country | None = Field(default=None, description=f"{_A_COUNTRY} Of those due.")
    workers: _Workers = WORKERS
    max_pages: _Pages = BUDGET


class ScrapeBody(_Sent):
    """Which shops to scrape, and how."""

    domains: _Domains = ()
    country: Country | None = Field(default=None, description=f"{_A_COUNTRY} Of those due.")
    workers: _Workers = WORKERS
    check_only: StrictBool = Field(
        default=False,
        description="Look at the known products of every shop that was crawled, due or not.",
    )


class DeliverBody(_Sent):
    """Whose changes to hand over."""

    domains: tuple[_NamedDomain, ...] = Field(
        default=(), max_length=_MOST_NAMED, description="Without any: all shops with a country."
    )


class ReleaseBody(_Sent):
    """What to give back."""

    stage: Stage | None = Field(default=None, description="Without one: both.")
    force: StrictBool = Field(
        default=False,
        description="Also where the lease is not over. A worker that is alive is stopped, and what "
        "it did last is done again.",
    )
