"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, Protocol, TypeVar

import click

__all__ = ["Option", "day_option", "limit_option", "ticker_option", "zone_option"]

Command = TypeVar("Command", bound=Callable[..., Any])


class Option(Protocol):
    """What gives a command one more option."""

    def __call__(self, command: Command, /) -> Command:
        """The command with it."""


zone_option: Option = click.option(
    "--zone",
    type=click.Choice(["utc", "ny", "kst"]),
    default="utc",
    show_default=True,
    help="Whose day it is, and whose time is shown: UTC, New York or Seoul.",
)
ticker_option: Option = click.option(
    "--ticker",
    metavar="SYMBOL",
    help="Only items with this ticker; all items of the days are read and billed.",
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
