"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime
from typing import Any, Protocol, TypeVar

import click

from gotgan.clock import moment_of
from gotgan.settings import Settings

__all__ = [
    "Option",
    "day_option",
    "moment_option",
    "ticker_option",
    "zone_option",
]

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


def moment_option(name: str, text: str) -> Option:
    """An option that names a moment: a day, which is its midnight, or a day and a time."""
    told = f"{text} A MOMENT without an offset is in GOTGAN_ZONE."
    return click.option(name, type=_moment, metavar="MOMENT", help=told)


def day_option(text: str, *, required: bool = False) -> Option:
    """The option that names a day."""
    return click.option("--day", type=_day, metavar="YYYY-MM-DD", required=required, help=text)


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
