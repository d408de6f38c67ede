"""The DAG that makes up for days: by hand, over a span, whatever was tried before."""

from __future__ import annotations

from collections import Counter
from typing import Final

from airflow.sdk import DAG, Param, get_current_context, task
from airflow.sdk.exceptions import AirflowFailException

from gotgan.dags.days import date_of
from gotgan.dags.drawing import drawn, opened
from gotgan.domains.market.days import DaySpan
from gotgan.domains.market.reports import CollectReport, RecoverReport
from gotgan.events import emit

__all__ = ["manual_collection", "recover_days"]

_WORDS: Final = "Collects what is missing of a span of days, and calculates what follows from it."
_DAY: Final = {"type": "string", "format": "date"}
_FAILED: Final = frozenset({"failed", "partial"})


def manual_collection() -> DAG:
    """Started by hand, with the first and the last day, and a side where only that is wanted."""
    params = {
        "first": Param(**_DAY, description="The first day, such as 2025-10-20."),
        "last": Param(**_DAY, description="The last day; it is included."),
        "only": Param(
            None, enum=[None, "prices", "indices"], description="A side, where the other can wait."
        ),
    }
    with drawn("manual_collection_dag", _WORDS, None, params=params) as dag:
        recover_days()
    return dag


@task(retries=0)  # the same span, asked for again, goes on where this one ended
def recover_days() -> dict[str, int]:
    """Recover the span; each day, and what is left in the end, is in the log."""
    params = get_current_context()["params"]
    first, last = date_of(params["first"]), date_of(params["last"])
    with opened() as app:
        report = app.market.recover(DaySpan(first, last), only=params["only"], progress=_tell)
    _tell_of(report)
    missing = [*map(str, report.gaps.missing)]
    emit("market.gaps", first=str(first), last=str(last), missing=missing)
    _expect_whole(report)
    return Counter(day.outcome for day in report.days)


def _tell(done: int, total: int, last: str, /, **_figures: float) -> None:
    emit("market.recovering", done=done, total=total, what=last)


def _tell_of(report: RecoverReport) -> None:
    for day in report.days:
        emit("market.recovered", day=str(day.day), outcome=day.outcome, words=day.words)
    emit("market.recovered", days=len(report.days), duplicates=report.duplicates)


def _expect_whole(report: RecoverReport) -> None:
    if report.stopped is not None:
        raise AirflowFailException(f"it ended early: {report.stopped}")
    if failed := [*filter(_has_failed, report.days)]:
        raise AirflowFailException(f"{len(failed)} of {len(report.days)} days failed")


def _has_failed(day: CollectReport) -> bool:
    return day.outcome in _FAILED
