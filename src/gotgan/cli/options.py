"""Options that several commands share."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any, Final, Protocol, TypeVar

import click

from gotgan.clock import moment_of
from gotgan.settings import Settings

__all__ = [
    "Option",
    "country_option",
    "day_option",
    "lease_option",
    "limit_option",
    "moment_option",
    "stage_option",
    "ticker_option",
    "time_span",
    "workers_option",
    "zone_option",
]

_SECONDS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_SPAN: Final = re.compile(r"([0-9]{1,5})([smhd])")
Command = TypeVar("Command", bound=Callable[..., Any])


class Option(Protocol):
    """What gives a command one more option."""

    def __call__(self, command: Command, /) -> Command:
        """The command with it."""


zone_option: Option = click.option(
    "--zone",
    type=click.Choice(["utc", "ny", "kst"]),
    help="Whose day it is, and whose time is shown: UTC, New York or Seoul. Default: that of "
    "GOTGAN_ZONE, or Seoul where GOTGAN_ZONE is another zone.",
)
ticker_option: Option = click.option(
    "--ticker",
    metavar="SYMBOL",
    help="Only items with this ticker; all items of the days are read and billed.",
)

country_option: Option = click.option(
    "--country", metavar="XX", help="Two letters such as DE; else all countries, one by one."
)

workers_option: Option = click.option(
    "--workers",
    type=click.IntRange(1, 64),
    default=8,
    show_default=True,
    help="How many shops at once.",
)


def stage_option(default: str | None = None) -> Option:
    """The option that says which of the two works on a shop is meant."""
    return click.option(
        "--stage",
        type=click.Choice(["crawl", "scrape"]),
        default=default,
        show_default=default is not None,
        help="Which work." if default else "Only this work; else both.",
    )


def moment_option(name: str, text: str) -> Option:
    """An option that names a moment: a day, which is its midnight, or a day and a time."""
    told = f"{text} A MOMENT without an offset is in GOTGAN_ZONE."
    return click.option(name, type=_moment, metavar="MOMENT", help=told)


def time_span(text: str) -> timedelta:
    """How long something took, as in 90s, 45m, 2h or 3d."""
    found = _SPAN.fullmatch(text.strip().lower())
    if found is None:
        raise click.BadParameter(f"{text!r} is no length of time; write it as 45m, 2h or 3d")
    return timedelta(seconds=int(found[1]) * _SECONDS[found[2]])


lease_option: Option = click.option(
    "--lease",
    type=time_span,
    default="2h",
    show_default=True,
    metavar="TIME",
    help="How long a shop is ours if we are killed; it is renewed while we work.",
)


def day_option(text: str, *, required: bool = False) -> Option:
    """The option that names a day."""
    return click.option("--day", type=_day, metavar="YYYY-MM-DD", required=required, help=text)


def limit_option(text: str, default: int, most: int) -> Option:
    """The option that bounds a run."""
    return click.option(
        "--limit", type=click.IntRange(1, most), default=default, show_default=True, help=text
    )


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!r} is no day; write it as 2025-11-06") from None


def _moment(text: str) -> datetime:
    zone = Settings.from_env().zone
    try:
        return moment_of(text, zone)
    except (OverflowError, ValueError):
        raise click.BadParameter(
            f"{text!r} is not a date or a time; write it as 2026-01-13, 2026-01-13T12:00 or "
            "2026-01-13T12:00:00Z"
        ) from None
