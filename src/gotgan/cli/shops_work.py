"""What a crew did, as a command says it, and how far it has come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from gotgan.cli.grid import safe
from gotgan.cli.moments import moment
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.shops_report import adoption_lines, expect_shops
from gotgan.cli.units import cost_fields, cost_text

if TYPE_CHECKING:
    from gotgan.app import App
    from gotgan.domains.shops.crawl_reports import CrawlReport, CrawlStep
    from gotgan.domains.shops.crews import CrewReport
    from gotgan.domains.shops.scrape_reports import ScrapeReport, ScrapeStep
    from gotgan.domains.shops.stages import Stage

    _Crew: TypeAlias = CrewReport[CrawlReport] | CrewReport[ScrapeReport]

__all__ = ["Pace", "say_crawled", "say_idle", "say_scraped"]


class Pace:
    """How many pages a second all workers together have done."""

    def __init__(self, show: Callable[[str], None]) -> None:
        self._show = show
        self._began = time.monotonic()
        self._pages: dict[str, int] = {}
        self._begun: dict[str, float] = {}

    def tell(self, step: CrawlStep | ScrapeStep, found: str, *, left: int = 0) -> None:
        """Show how far a shop has come, and the pace of all; ``left`` is what waits of the shop."""
        now = time.monotonic()
        begun = self._begun.setdefault(step.domain, now)
        self._pages[step.domain] = step.pages
        done, seconds = sum(self._pages.values()), max(now - self._began, 0.001)
        told = [f"{done:,} pages, {done / seconds:.0f}/s", step.domain]
        told += [f"asked to wait {step.back_off:.0f} s"] if step.back_off else []
        told.append(found)
        told += [f"{left / step.pages * (now - begun):.0f} s left"] if left and step.pages else []
        self._show("  ".join(told))


def say_crawled(output: Output, crew: CrewReport[CrawlReport], *, named: bool) -> ExitCode:
    """Say what became of the crawls; ``named`` is whether somebody wanted these very shops."""
    return _say(output, crew, [_crawled(report) for report in crew.reports], named=named)


def say_scraped(output: Output, crew: CrewReport[ScrapeReport], *, named: bool) -> ExitCode:
    """Say what became of the scrapes; ``named`` is whether somebody wanted these very shops."""
    return _say(output, crew, [_scraped(report) for report in crew.reports], named=named)


def say_idle(output: Output, app: App, crew: _Crew, stage: Stage, country: str | None) -> ExitCode:
    """Say that nothing is due, and what others are at; refuse where no shop was registered."""
    expect_shops(app)
    count = app.shops.under_way(stage, country=country)
    others = ""
    if count:
        which = "1 shop is" if count == 1 else f"{count:,} shops are"
        others = f"; {which} under way: gotgan shops stuck tells whether a worker is no more"
    lines = [f"There was nothing to do{others}.", *adoption_lines(app)]
    output.say("\n".join(lines), **_fields(crew), under_way=count)
    return ExitCode.OK


def _say(output: Output, crew: _Crew, lines: list[str], *, named: bool) -> ExitCode:
    lines += [_left(domain, held) for domain, held in crew.skipped.items()]
    lines += [f"{domain}: {error.message}" for domain, error in crew.failed.items()]
    output.say("\n".join(map(safe, lines)), **_fields(crew))
    if crew.failed:
        may_pass = all(error.retry for error in crew.failed.values())
        return ExitCode.RETRY if may_pass else ExitCode.FAILED
    is_over = crew.reports or not named
    return ExitCode.OK if is_over and not crew.unreached else ExitCode.RETRY


def _fields(crew: _Crew) -> dict[str, Any]:
    from gotgan.domains.shops.report_records import cost_of, crew_record

    return {**crew_record(crew), "cost": cost_fields(cost_of(crew))}


def _next_attempt(report: CrawlReport | ScrapeReport) -> str:
    return "" if report.not_before is None else f". Next attempt {moment(report.not_before)}"


def _left(domain: str, held: str) -> str:
    return f"{held}; if that worker is dead: gotgan shops release {domain} --force"


def _crawled(report: CrawlReport) -> str:
    counts = {
        "pages": report.pages,
        "products": report.products,
        "new": report.new,
        "unlike": report.unlike,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "failed": report.failed.total(),
    }
    told = [f"{word} {count:,}" for word, count in counts.items() if count]
    head = f"{report.domain}: {report.outcome}, {report.reason}{_next_attempt(report)}"
    return " · ".join([head, *told, cost_text(report.cost)])


def _scraped(report: ScrapeReport) -> str:
    told = [f"{word} {count:,}" for word, count in sorted(report.noted.items())]
    told += [f"{code} {count:,}" for code, count in sorted(report.failed.items())]
    head = f"{report.domain}: {report.outcome or 'lost'}, {report.reason}{_next_attempt(report)}"
    return " · ".join([head, f"pages {report.pages:,}", *told, cost_text(report.cost)])
