"""What a run over the news did, as a command says it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gotgan.cli.grid import safe
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.units import cost_fields, cost_text

if TYPE_CHECKING:
    from gotgan.domains.news.models import NewsItem
    from gotgan.domains.news.reports import BodiesReport, Uploaded

__all__ = ["say_bodies", "say_uploaded"]

_MOST_SHOWN: Final = 50


def say_uploaded(output: Output, report: Uploaded) -> ExitCode:
    """Say what became of a list of stories."""
    from gotgan.domains.news.records import uploaded_record

    counts = {
        "in": report.given,
        "new": len(report.new),
        "duplicate": len(report.duplicates),
        "failed": len(report.failed),
    }
    told = [f"{word} {count}" for word, count in counts.items()]
    lines = [
        " · ".join([*told, cost_text(report.cost)]),
        *(f"  new     {_headline(item)}" for item in report.new[:_MOST_SHOWN]),
        *([f"  and {len(report.new) - _MOST_SHOWN:,} more"] if report.new[_MOST_SHOWN:] else []),
        *(f"  failed  {safe(f'{each.item.url}: {each.error.message}')}" for each in report.failed),
    ]
    output.say("\n".join(lines), **_with_money(uploaded_record(report), report))
    if not report.failed:
        return ExitCode.OK
    may_pass = all(each.error.retry for each in report.failed)
    return ExitCode.RETRY if may_pass else ExitCode.FAILED


def say_bodies(output: Output, report: BodiesReport) -> ExitCode:
    """Say what became of the bodies."""
    from gotgan.domains.news.records import bodies_record

    counted = [f"{outcome} {count}" for outcome, count in sorted(report.outcomes.items()) if count]
    reasons = ", ".join(f"{code} {count}" for code, count in sorted(report.reasons.items()))
    counted += [f"failed for now {report.waiting} ({reasons})"] if report.waiting else []
    counted += [f"taken by others {report.skipped}"] if report.skipped else []
    lines = [" · ".join([f"articles {report.tried}", *counted, cost_text(report.cost)])]
    if report.stopped:
        lines.append(f"The run ended early: {safe(report.stopped)}")
    if report.queued or report.dead:
        wait, lost = f"{report.queued} wait or are under way", f"{report.dead} were given up"
        lines.append(f"{wait}, {lost}: gotgan news queue")
    if report.has_more:
        lines.append("There are more: run it again, or raise --limit.")
    output.say("\n".join(lines), **_with_money(bodies_record(report), report))
    return ExitCode.RETRY if report.waiting or report.stopped else ExitCode.OK


def _headline(item: NewsItem) -> str:
    tickers = f"  [{' '.join(item.tickers)}]" if item.tickers else ""
    return safe(f"{item.pk}  {item.title}{tickers}")


def _with_money(record: dict[str, Any], report: Uploaded | BodiesReport) -> dict[str, Any]:
    return {**record, "cost": cost_fields(report.cost)}
