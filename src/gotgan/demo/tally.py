"""What happened in the demo, domain by domain: counted from the reports of its runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final

from gotgan.demo.people import VisitCounts
from gotgan.domain import domains
from gotgan.domains.market.caught_up import CaughtUp
from gotgan.domains.market.reports import CollectReport, IndicatorReport
from gotgan.domains.news.reports import BodiesReport, Uploaded
from gotgan.domains.shops.service import CrawlSummary, ScrapeSummary
from gotgan.domains.site.mails import MailsSent
from gotgan.domains.videos.models import VideoJob
from gotgan.runs import Run
from gotgan.store import Cost

__all__ = ["DemoTally", "Happened"]

_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "news": ("lists", "new", "duplicates", "bodies", "retried", "failed"),
    "shops": ("crawls", "blocked", "products", "new", "changed", "removed", "failed"),
    "market": ("sessions", "prices", "indices", "indicators", "final", "failed", "recovered"),
    "videos": ("analyses", "hits", "failed", "units", "tokens"),
    "site": ("posts", "inquiries", "answers", "mails", "retried", "failed"),
}
"""What is counted of each domain; what did not happen is told too."""
_OTHERS: Final = ("runs", "failed")
"""What is counted of a domain of another package."""


@dataclass(frozen=True)
class Happened:
    """What happened from one moment to another."""

    begins: datetime
    ends: datetime
    counts: Mapping[str, Mapping[str, int]]
    """By domain and word."""
    costs: Mapping[str, Cost]
    """What runs took of DynamoDB, by domain."""


@dataclass
class DemoTally:
    """What has happened since it was begun."""

    begins: datetime
    _counts: dict[str, Counter[str]] = field(
        default_factory=lambda: {name: Counter() for name in (*_WORDS, *_other_domains())}
    )
    _costs: dict[str, Cost] = field(default_factory=dict)
    _failed_days: set[date] = field(default_factory=set)

    def add(self, run: Run) -> None:
        """Count what a run has reported."""
        domain = run.verb.partition(".")[0]
        if domain not in _WORDS:
            if domain in self._counts:
                self._counts[domain]["runs" if run.error is None else "failed"] += 1
        elif run.error is not None:
            self._counts[domain]["failed"] += 1
        elif run.verb in _COUNTED:
            counted, cost = _COUNTED[run.verb](run.report)
            self._counts[domain].update(counted)
            self._costs[domain] = self._costs.get(domain, Cost()) + cost
            for day in _days_of(run.report):
                self._has_collected(day)

    def _has_collected(self, report: CollectReport) -> None:
        """Count a day of the market that had failed, and is there now."""
        if _has_failed(report):
            self._failed_days.add(report.day)
        elif report.outcome == "success" and report.day in self._failed_days:
            self._failed_days.remove(report.day)
            self._counts["market"]["recovered"] += 1

    def visited(self, visit: VisitCounts) -> None:
        """Count what people did."""
        self._counts["site"].update(visit.site)
        self._counts["videos"]["hits"] += visit.hits

    def analysed(self, job: VideoJob) -> None:
        """Count a job of videos that has ended."""
        self._counts["videos"].update(
            {
                "analyses" if job.status == "completed" else "failed": 1,
                "units": job.units,
                "tokens": job.input_tokens + job.output_tokens,
            }
        )

    def happened(self, ends: datetime) -> Happened:
        """All of it, up to a moment."""
        counts = {
            domain: {word: counter[word] for word in _WORDS.get(domain, _OTHERS)}
            for domain, counter in self._counts.items()
        }
        costs = {domain: cost for domain, cost in self._costs.items() if cost.lines}
        return Happened(self.begins, ends, counts, costs)


def _other_domains() -> list[str]:
    return [each.name for each in domains() if each.name not in _WORDS]


_Counted = tuple[Mapping[str, int], Cost]


def _uploaded(report: Uploaded) -> _Counted:
    counts = {
        "lists": 1,
        "new": len(report.new),
        "duplicates": report.duplicates,
        "failed": len(report.failed),
    }
    return counts, report.cost


def _bodies(report: BodiesReport) -> _Counted:
    return {"bodies": sum(report.outcomes.values()), "retried": report.waiting}, report.cost


def _crawled(crew: CrawlSummary) -> _Counted:
    counts = {
        "crawls": len(crew.shops),
        "blocked": sum(report.is_failure for report in crew.shops),
        "removed": sum(report.removed for report in crew.shops),
        "failed": len(crew.failed),
    }
    return counts, crew.cost


def _scraped(crew: ScrapeSummary) -> _Counted:
    counts = Counter({"failed": len(crew.failed)})
    for report in crew.shops:
        counts["products"] += report.pages
        for word in ("new", "changed", "removed"):
            counts[word] += report.noted.get(word, 0)
    return counts, crew.cost


def _collected(report: CollectReport) -> _Counted:
    counts: dict[str, int] = {side.side: side.count for side in report.sides if side.error is None}
    counts["sessions"] = int(report.outcome == "success")
    counts["failed"] = int(_has_failed(report))
    return counts, Cost()


def _caught_up(report: CaughtUp) -> _Counted:
    counts = Counter({"final": len(report.final)})
    for day in report.days:
        counts.update(_collected(day)[0])
    for each in report.indicators:
        counts.update(_indicated(each)[0])
    return counts, Cost()


def _indicated(report: IndicatorReport) -> _Counted:
    is_done, is_failed = report.outcome == "success", report.outcome == "failed"
    return {"indicators": int(is_done), "failed": int(is_failed)}, Cost()


def _sent(report: MailsSent) -> _Counted:
    return {"mails": report.sent, "retried": report.failed}, report.cost


def _days_of(report: Any) -> Sequence[CollectReport]:
    if isinstance(report, CollectReport):
        return [report]
    return report.days if isinstance(report, CaughtUp) else []


def _has_failed(report: CollectReport) -> bool:
    return report.outcome in {"failed", "partial"}


_COUNTED: Final[Mapping[str, Callable[[Any], _Counted]]] = {
    "news.collect": _uploaded,
    "news.bodies": _bodies,
    "shops.crawl": _crawled,
    "shops.scrape": _scraped,
    "market.collect": _collected,
    "market.catch_up": _caught_up,
    "market.indicators": _indicated,
    "site.send_mails": _sent,
}
"""How the reports of each verb are counted."""
