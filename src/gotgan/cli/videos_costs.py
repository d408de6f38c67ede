"""``gotgan videos costs``: what analyses cost, day by day, and what the cache saved."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import click

from gotgan.cli.grid import grid
from gotgan.cli.opened_videos import opened_videos
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.domains.videos.costs import DayCost

__all__ = ["command"]

_COLUMNS: Final = ("day", "analyses", "failed", "units", "tokens", "cost")
_SAVED: Final = ("given again", "units saved", "saved")


@click.command("costs")
@click.option(
    "--days",
    type=click.IntRange(1, 366),
    default=30,
    show_default=True,
    help="How many days, with today, in UTC.",
)
@click.pass_obj
def command(output: Output, *, days: int) -> None:
    """Show what analyses cost, and what was saved.

    Units of YouTube's, tokens and money of a model; and what it would have cost to make those anew
    that were given again.
    """
    from gotgan.domains.videos.records import cost_record

    with opened_videos(output) as videos:
        costs = videos.costs(days)
    output.say(_text(costs), days=[cost_record(each) for each in costs])


def _text(costs: Sequence[DayCost]) -> str:
    rows = [_row(each) for each in costs if each.analyses or each.failed or each.hits]
    if not rows:
        return f"Nothing was analysed in {len(costs)} days."
    unpriced = sum(each.unpriced for each in costs)
    note = f"\n\n{unpriced:,} by models whose price nobody knows." if unpriced else ""
    return grid(rows, (*_COLUMNS, *_SAVED)) + note


def _row(cost: DayCost) -> dict[str, Any]:
    return {
        "day": cost.day.isoformat(),
        "analyses": f"{cost.analyses:,}",
        "failed": f"{cost.failed:,}",
        "units": f"{cost.units:,}",
        "tokens": f"{cost.input_tokens + cost.output_tokens:,}",
        "cost": f"${cost.cost_usd:.6f}",
        "given again": f"{cost.hits:,}",
        "units saved": f"{cost.saved_units:,}",
        "saved": f"${cost.saved_usd:.6f}",
    }
