"""What a crew did, as a command says it, and how far it has come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from gotgan.cli.grid import safe
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.units import cost_fields, cost_text

if TYPE_CHECKING:
    from gotgan.domains.shops.crawl_reports import CrawlReport, CrawlStep
    from gotgan.domains.shops.crews import CrewReport
    from gotgan.domains.shops.scrape_reports import ScrapeReport, ScrapeStep

__all__ = ["Pace", "say_crawled", "say_scraped"]


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


def say_crawled(output: Output, crew: CrewReport[CrawlReport]) -> ExitCode:
    """Say what became of the crawls."""
    return _say(output, crew, [_crawled(report) for report in crew.reports])


def say_scraped(output: Output, crew: CrewReport[ScrapeReport]) -> ExitCode:
    """Say what became of the scrapes."""
    return _say(output, crew, [_scraped(report) for report in crew.reports])


def _say(
    output: Output, crew: CrewReport[CrawlReport] | CrewReport[ScrapeReport], lines: list[str]
) -> ExitCode:
    from gotgan.domains.shops.report_records import cost_of, crew_record

    lines += [f"{domain}: somebody else has it" for domain in crew.skipped]
    lines += [f"{domain}: {error.message}" for domain, error in crew.failed.items()]
    text = "\n".join(map(safe, lines)) or "There was nothing to do."
    output.say(text, **{**crew_record(crew), "cost": cost_fields(cost_of(crew))})
    if crew.failed:
        may_pass = all(error.retry for error in crew.failed.values())
        return ExitCode.RETRY if may_pass else ExitCode.FAILED
    return ExitCode.OK


def _crawled(report: CrawlReport) -> str:
    counts = {
        "pages": report.pages,
        "products": report.products,
        "new": report.new,
        "unchanged": report.unchanged,
        "removed": report.removed,
        "failed": report.failed.total(),
    }
    told = [f"{word} {count:,}" for word, count in counts.items() if count]
    head = f"{report.domain}: {report.outcome}, {report.reason}"
    return " · ".join([head, *told, cost_text(report.cost)])


def _scraped(report: ScrapeReport) -> str:
    told = [f"{word} {count:,}" for word, count in sorted(report.noted.items())]
    told += [f"{code} {count:,}" for code, count in sorted(report.failed.items())]
    head = f"{report.domain}: {report.outcome or 'lost'}, {report.reason}"
    return " · ".join([head, f"pages {report.pages:,}", *told, cost_text(report.cost)])
