"""Shops as a command says them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gotgan.cli.grid import safe
from gotgan.cli.moments import moment
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.units import cost_fields, cost_text
from gotgan.errors import NotFound, UsageError

if TYPE_CHECKING:
    from gotgan.app import App
    from gotgan.domains.shops.models import Shop
    from gotgan.domains.shops.registering import Registered
    from gotgan.domains.shops.stages import Stage, Stuck

__all__ = [
    "adoption_lines",
    "due_line",
    "expect_one_country",
    "expect_shops",
    "say_added",
    "stuck_line",
]

_NOTHING_YET: Final = (
    "no shop was registered here yet; add one: gotgan shops add example.com --country DE"
)
_MOST_SHOWN: Final = 50


def expect_one_country(country: str | None, *, no_country: bool) -> None:
    """Refuse two words that exclude each other."""
    if no_country and country is not None:
        raise UsageError("--country and --no-country exclude each other; give one of them")


def expect_shops(app: App) -> None:
    """Refuse to go on where there is no shop at all; asked where nothing was found."""
    if app.shops.is_empty():
        raise NotFound(_NOTHING_YET)


def adoption_lines(app: App) -> list[str]:
    """Why no shop is found where other tools wrote some; asked where nothing was found."""
    if not app.shops.needs_adoption():
        return []
    return ["Shops of other tools are not found until they are adopted: run gotgan shops adopt."]


def say_added(output: Output, report: Registered) -> ExitCode:
    """Say what became of shops that were to be registered."""
    from gotgan.domains.shops.report_records import added_record

    heads = {"new": report.new, "placed": report.placed, "adopted": report.adopted}
    heads["duplicate"] = report.duplicates
    counts = {"in": report.given, **{head: len(shops) for head, shops in heads.items()}}
    told = [f"{word} {count}" for word, count in {**counts, "failed": len(report.failed)}.items()]
    lines = [" · ".join([*told, cost_text(report.cost)])]
    for head, shops in heads.items():
        lines += [f"  {head:<9}  {_placed(shop)}" for shop in shops[:_MOST_SHOWN]]
        lines += [f"  and {len(shops) - _MOST_SHOWN:,} more"] if shops[_MOST_SHOWN:] else []
    failed = {each.item.domain: each.error for each in report.failed}
    lines += [f"  failed     {name}: {safe(error.message)}" for name, error in failed.items()]
    output.say("\n".join(lines), **{**added_record(report), "cost": cost_fields(report.cost)})
    if not failed:
        return ExitCode.OK
    return ExitCode.RETRY if all(error.retry for error in failed.values()) else ExitCode.FAILED


def _placed(shop: Shop) -> str:
    return safe(f"{shop.domain}  {shop.shop_country or 'without a country'}")


def due_line(shop: Shop, stage: Stage) -> str:
    """A shop that is due, and when it was last done."""
    end = shop.last_crawled_end if stage == "crawl" else shop.last_scraped_end
    return f"{'never' if end is None else moment(end):<20}  {safe(shop.domain)}"


def stuck_line(stuck: Stuck) -> str:
    """A claim that nobody holds any more: since when, of which work, and whose it was."""
    since = "?" if stuck.since is None else moment(stuck.since)
    tries = "1 attempt" if stuck.attempts == 1 else f"{stuck.attempts} attempts"
    whose = f"  {stuck.owner}" if stuck.owner else ""
    return safe(f"{since:<20}  {stuck.stage:<6}  {stuck.shop.domain}  {tries}{whose}")
