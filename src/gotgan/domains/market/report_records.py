"""What the verbs of the market did, as it is shown."""

from __future__ import annotations

from typing import Any

from gotgan.domains.market.caught_up import CaughtUp
from gotgan.domains.market.file_rows import SetAside
from gotgan.domains.market.records import decision_record
from gotgan.domains.market.reports import (
    CollectReport,
    DayOpened,
    ImportReport,
    IndicatorReport,
    RecoverReport,
    SideReport,
)

__all__ = [
    "caught_up_record",
    "collect_record",
    "import_record",
    "indicator_record",
    "opened_record",
    "recover_record",
]


def opened_record(opened: DayOpened) -> dict[str, Any]:
    """What became of a day that was to be opened."""
    return {"date": str(opened.day), "outcome": opened.outcome, "words": opened.words}


def collect_record(report: CollectReport) -> dict[str, Any]:
    """What became of a day, side by side, and why it was worked on or not."""
    return {
        "date": str(report.day),
        "outcome": report.outcome,
        "words": report.words,
        "decision": decision_record(report.decision),
        "sides": [_side(side) for side in report.sides],
    }


def indicator_record(report: IndicatorReport) -> dict[str, Any]:
    """What became of a day's indicators."""
    return {
        "date": str(report.day),
        "outcome": report.outcome,
        "words": report.words,
        "decision": decision_record(report.decision),
        "count": report.count,
        "advanced": report.advanced,
        "anew": report.anew,
        "seconds": round(report.seconds, 3),
    }


def caught_up_record(report: CaughtUp) -> dict[str, Any]:
    """What was missing of the last sessions, and what became of it."""
    return {
        "outcome": report.outcome,
        "words": report.words,
        "days": [collect_record(each) for each in report.days],
        "final": [collect_record(each) for each in report.final],
        "indicators": [indicator_record(each) for each in report.indicators],
        "stopped": report.stopped,
    }


def recover_record(report: RecoverReport) -> dict[str, Any]:
    """What became of a span: the days that were worked on, and what was there already."""
    return {
        "first": str(report.first),
        "last": str(report.last),
        "duplicates": report.duplicates,
        "days": [collect_record(each) for each in report.days],
        "indicators": [indicator_record(each) for each in report.indicators],
        "stopped": report.stopped,
    }


def import_record(report: ImportReport) -> dict[str, Any]:
    """What became of an import: counts, and every row that was not imported."""
    return {
        "first": None if report.first is None else str(report.first),
        "last": None if report.last is None else str(report.last),
        "files": report.files,
        "rows": report.rows,
        "days": report.days,
        "new": report.new,
        "changed": report.changed,
        "duplicates": report.duplicates,
        "kept": report.kept,
        "whole": report.whole,
        "indices": report.indices,
        "busy": [str(day) for day in report.busy],
        "conflicts": [_set_aside(each) for each in report.conflicts],
        "set_aside": [_set_aside(each) for each in report.set_aside],
        "indicators": [indicator_record(each) for each in report.indicators],
    }


def _set_aside(each: SetAside) -> dict[str, Any]:
    return {"file": each.file, "line": each.line, "rows": each.rows, "reason": each.reason}


def _side(side: SideReport) -> dict[str, Any]:
    return {
        "side": side.side,
        "status": side.status,
        "count": side.count,
        "changed": side.changed,
        "factors": side.factors,
        "provider": side.provider,
        "error": side.error,
        "code": side.code,
        "seconds": round(side.seconds, 3),
    }
