"""What the verbs of the market did, as a command says it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from gotgan.cli.grid import safe
from gotgan.cli.output import ExitCode, Output
from gotgan.domains.market.models import HOPELESS

if TYPE_CHECKING:
    from gotgan.domains.market.gaps import Gaps
    from gotgan.domains.market.reports import (
        CollectReport,
        IndicatorReport,
        RecoverReport,
        SideReport,
    )
    from gotgan.domains.market.wording import Wording

__all__ = ["gap_lines", "is_hopeless", "recover_lines", "say_calculated", "say_collected"]

_IN_ORDER: Final = {"success", "skipped", "closed"}
_MOST_SHOWN: Final = 30


def say_collected(output: Output, report: CollectReport, wording: Wording) -> ExitCode:
    """Say what became of a day."""
    from gotgan.domains.market.report_records import collect_record

    head = f"{report.day}: {report.outcome}"
    if not report.sides:
        head = f"{head}: {_why(report, wording)}"
    lines = [head, *map(_side_line, report.sides)]
    output.say("\n".join(map(safe, lines)), **collect_record(report))
    if is_hopeless(report):
        return ExitCode.FAILED
    return ExitCode.OK if report.outcome in _IN_ORDER else ExitCode.RETRY


def say_calculated(output: Output, report: IndicatorReport, wording: Wording) -> ExitCode:
    """Say what became of a day's indicators."""
    from gotgan.domains.market.report_records import indicator_record

    told = [f"{report.day}: {report.outcome}: {_why(report, wording)}"]
    if report.outcome == "success":
        told += [f"advanced {report.advanced:,}", f"anew {report.anew:,}"]
        told += [f"{report.seconds:.1f} s"]
    output.say(safe(" · ".join(told)), **indicator_record(report))
    if report.lacks_history:
        return ExitCode.FAILED
    return ExitCode.OK if report.outcome in _IN_ORDER else ExitCode.RETRY


def recover_lines(report: RecoverReport) -> list[str]:
    """What became of a span; days that failed one by one, the others counted."""
    counts = {
        "collected": len({day.day for day in report.days if day.outcome == "success"}),
        "there already": report.duplicates,
        "closed": sum(day.outcome == "closed" for day in report.days),
        "indicators": sum(each.outcome == "success" for each in report.indicators),
        "without enough history": sum(each.lacks_history for each in report.indicators),
    }
    told = [f"{word} {count:,}" for word, count in counts.items() if count]
    failed = [f"{day.day}: {day.outcome}: {day.words}" for day in report.days if not _is_fine(day)]
    failed += [
        f"{each.day}: indicators {each.outcome}: {each.words}"
        for each in report.indicators
        if each.outcome != "success" and not each.lacks_history
    ]
    nothing = "nothing was collected" if report.days else "nothing to do"
    head = f"{report.first} to {report.last}: {' · '.join(told) or nothing}"
    stopped = [f"It ended early: {report.stopped}"] if report.stopped else []
    return [head, *_some(failed), *stopped]


def gap_lines(gaps: Gaps) -> list[str]:
    """What is missing of a span."""
    head = f"{gaps.first} to {gaps.last}, {gaps.sessions:,} sessions"
    if gaps.is_whole:
        return [f"{head}: nothing is missing"]
    counts = {"missing": len(gaps.missing), "thin": len(gaps.thin), "holes": len(gaps.holes)}
    told = [f"{word} {count:,}" for word, count in counts.items() if count]
    missing = [f"{each.day}  {each.words}" for each in gaps.missing]
    thin = [f"{each.day}  {each.count:,} shares beside {each.beside:,}" for each in gaps.thin]
    holes = [f"{hole.ticker}  {', '.join(_some(map(str, hole.days)))}" for hole in gaps.holes]
    return [f"{head}: {' · '.join(told)}", *_some(missing), *_some(thin), *_some(holes)]


def is_hopeless(report: CollectReport) -> bool:
    """Whether asking again would fail in the same way."""
    is_unset = report.decision.reason == "no_provider"
    return is_unset or any(side.code in HOPELESS for side in report.sides)


def _is_fine(day: CollectReport) -> bool:
    return day.outcome in _IN_ORDER


def _why(report: CollectReport | IndicatorReport, wording: Wording) -> str:
    is_begun = report.decision.status == "run"
    return report.words if is_begun else wording.of(report.decision)


def _side_line(side: SideReport) -> str:
    if side.error is not None:
        return f"  {side.side:<7}  {side.status}: {side.error} [{side.code}]"
    told = [f"{side.count:,} from {side.provider}"]
    told += [f"{side.changed:,} changed"] if side.changed else []
    told += [f"{side.factors:,} factors"] if side.factors else []
    return f"  {side.side:<7}  {side.status}: {', '.join(told)}, {side.seconds:.1f} s"


def _some(lines: Iterable[str]) -> list[str]:
    every = list(lines)
    rest = len(every) - _MOST_SHOWN
    return [*every[:_MOST_SHOWN], *([f"and {rest:,} more"] if rest > 0 else [])]
