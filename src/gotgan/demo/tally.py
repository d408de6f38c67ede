"""What happened in the demo, by domain: counted from the reports of its runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Final

from gotgan.demo.visitors import VisitCounts
from gotgan.domain import domains
from gotgan.domains.market.reports import CaughtUp, CollectReport, IndicatorReport
from gotgan.domains.news.reports import BodiesReport, Uploaded
from gotgan.domains.shops.service import CrawlSummary, ScrapeSummary
from gotgan.domains.site.mail import MailsSent
from gotgan.domains.videos.models import VideoJob
from gotgan.runs import Run
from gotgan.store import Cost

_WORDS: Final[Mapping[str, tuple[str, ...]]] = {
    "news": ("lists", "new", "duplicates", "bodies", "retried", "failed"),
    "shops": ("crawls", "blocked", "products", "new", "changed", "removed", "failed"),
    "market": ("sessions", "prices", "indices", "indicators", "final", "failed", "recovered"),
    "videos": ("analyses", "hits", "failed", "units", "tokens"),
    "site": ("posts", "inquiries", "answers", "mails", "retried", "failed"),
}
"""What is counted of each domain."""
_OTHERS: Final = ("runs", "failed")
"""The same for a domain of another package."""


@dataclass(frozen=True)
class DemoSummary:
    """What happened from one moment to another."""

    begins: datetime
    ends: datetime
    counts: Mapping[str, Mapping[str, int]]
    """By domain and word."""
    costs: Mapping[str, Cost]
    """The DynamoDB units of runs, by domain."""


@dataclass
class DemoTally:
    """What has happened since a moment."""

    begins: datetime
    _counts: dict[str, Counter[str]] = field(
        default_factory=lambda: {name: Counter() for name in (*_WORDS, *_other_domains())}
    )
    _costs: dict[str, Cost] = field(default_factory=dict)
    _failed_days: set[date] = field(default_factory=set)

    def add(self, run: Run) -> None:
        """Count the report of a run."""
        domain = run.verb.partition(".")[0]
        if domain not in _WORDS:
            if domain in self._counts:
                self._counts[domain]["runs" if run.error is None else "failed"] += 1
        elif run.error is not None:
            self._counts[domain]["failed"] += 1
        elif run.verb in _COUNTERS:
            counted, cost = _COUNTERS[run.verb](run.report)
            self._counts[domain].update(counted)
            self._costs[domain] = self._costs.get(domain, Cost()) + cost
            for day in _collected_days(run.report):
                self._count_recovery(day)

    def _count_recovery(self, report: CollectReport) -> None:
        """Count a day of the market that had failed and was recovered."""
        if _has_failed(report):
            self._failed_days.add(report.day)
        elif report.outcome == "success" and report.day in self._failed_days:
            self._failed_days.remove(report.day)
            self._counts["market"]["recovered"] += 1

    def add_visit(self, visit: VisitCounts) -> None:
        """Count the actions of visitors."""
        self._counts["site"].update(visit.site)
        self._counts["videos"]["hits"] += visit.hits

    def add_analysis(self, job: VideoJob) -> None:
        """Count a video job that has ended."""
        self._counts["videos"].update(
            {
                "analyses" if job.status == "completed" else "failed": 1,
                "units": job.units,
                "tokens": job.input_tokens + job.output_tokens,
            }
        )

    def summary(self, ends: datetime) -> DemoSummary:
        """All counts, up to a moment."""
        counts = {
            domain: {word: counter[word] for word in _WORDS.get(domain, _OTHERS)}
            for domain, counter in self._counts.items()
        }
        costs = {domain: cost for domain, cost in self._costs.items() if cost.lines}
        return DemoSummary(self.begins, ends, counts, costs)


def _other_domains() -> list[str]:
    return [each.name for each in domains() if each.name not in _WORDS]


_Counts = tuple[Mapping[str, int], Cost]


def _upload_counts(report: Uploaded) -> _Counts:
    counts = {
        "lists": 1,
        "new": len(report.new),
        "duplicates": report.duplicates,
        "failed": len(report.failed),
    }
    return counts, report.cost


def _bodies_counts(report: BodiesReport) -> _Counts:
    return {"bodies": sum(report.outcomes.values()), "retried": report.waiting}, report.cost


def _crawl_counts(crew: CrawlSummary) -> _Counts:
    counts = {
        "crawls": len(crew.shops),
        "blocked": sum(report.is_failure for report in crew.shops),
        "removed": sum(report.removed for report in crew.shops),
        "failed": len(crew.failed),
    }
    return counts, crew.cost


def _scrape_counts(crew: ScrapeSummary) -> _Counts:
    counts = Counter({"failed": len(crew.failed)})
    for report in crew.shops:
        counts["products"] += report.pages
        for word in ("new", "changed", "removed"):
            counts[word] += report.noted.get(word, 0)
    return counts, crew.cost


def _collect_counts(report: CollectReport) -> _Counts:
    counts: dict[str, int] = {side.side: side.count for side in report.sides if side.error is None}
    counts["sessions"] = int(report.outcome == "success")
    counts["failed"] = int(_has_failed(report))
    return counts, Cost()


def _catch_up_counts(report: CaughtUp) -> _Counts:
    counts = Counter({"final": len(report.final)})
    for day in report.days:
        counts.update(_collect_counts(day)[0])
    for each in report.indicators:
        counts.update(_indicator_counts(each)[0])
    return counts, Cost()


def _indicator_counts(report: IndicatorReport) -> _Counts:
    is_done, is_failed = report.outcome == "success", report.outcome == "failed"
    return {"indicators": int(is_done), "failed": int(is_failed)}, Cost()


def _mail_counts(report: MailsSent) -> _Counts:
    return {"mails": report.sent, "retried": report.failed}, report.cost


def _collected_days(report: Any) -> Sequence[CollectReport]:
    if isinstance(report, CollectReport):
        return [report]
    return report.days if isinstance(report, CaughtUp) else []


def _has_failed(report: CollectReport) -> bool:
    return report.outcome in {"failed", "partial"}


_COUNTERS: Final[Mapping[str, Callable[[Any], _Counts]]] = {
    "news.collect": _upload_counts,
    "news.bodies": _bodies_counts,
    "shops.crawl": _crawl_counts,
    "shops.scrape": _scrape_counts,
    "market.collect": _collect_counts,
    "market.catch_up": _catch_up_counts,
    "market.indicators": _indicator_counts,
    "site.send_mails": _mail_counts,
}
"""How the reports of each verb are counted."""
