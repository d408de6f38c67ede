"""The tasks of a day's collection: each opens Gotgan, does one step under the lease, and closes it.

What they hand on is the work that the gate took in hand; the data itself stays in the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Final

from airflow.sdk import Asset, get_current_context, task
from airflow.sdk.exceptions import AirflowSkipException

from gotgan.dags.assets import INDICES, PRICES
from gotgan.dags.drawing import opened
from gotgan.dags.ending import noted
from gotgan.dags.gates import decided, run_day, taken
from gotgan.dags.handing import collection_of
from gotgan.domains.market.collecting import MarketCollector
from gotgan.domains.market.models import Side
from gotgan.domains.market.steps import CollectionWork
from gotgan.errors import GotganError, LostRace
from gotgan.events import emit

__all__ = [
    "both_sides_succeeded",
    "fetch",
    "let_go_of_day",
    "open_day",
    "save",
    "should_run_today_collection",
    "verify",
]

_ASSETS: Final[Mapping[Side, Asset]] = {"prices": PRICES, "indices": INDICES}
_Plain = Mapping[str, Any]


@task
def open_day() -> str:
    """Write the pending row of the day, if shares are traded on it."""
    with opened() as app:
        if not decided(app.market.is_ready()):
            raise AirflowSkipException("nobody can be asked for prices")
        report = app.market.open_day(run_day(app))
    emit("market.opened", day=str(report.day), outcome=report.outcome, words=report.words)
    return report.outcome


@task.short_circuit
def should_run_today_collection() -> dict[str, Any] | None:
    """Take the day in hand and count the attempt, or say why not."""
    with opened() as app:
        return taken(app, app.market.collecting.begin)


@task
def fetch(plain: _Plain, side: Side) -> int:
    """Ask for one side, where it is one of those to be run, and keep what came."""
    if side not in collection_of(plain).sides:
        raise AirflowSkipException(f"{side} are there already")
    with _step(plain, side) as (collecting, work):
        return collecting.fetch(work, side).count


@task
def save(plain: _Plain, side: Side) -> None:
    """Write what was fetched, in one transaction."""
    with _step(plain, side) as (collecting, work):
        collecting.save(work, side)


@task
def verify(plain: _Plain, side: Side) -> int:
    """Read back what was written, and tell whoever waits for that side of the day."""
    with _step(plain, side) as (collecting, work):
        count = collecting.verify(work, side)
    # A run that was started by hand has no key of its own, so the day is always named here.
    get_current_context()["outlet_events"][_ASSETS[side]].add_partitions(work.day.isoformat())
    return count


@task.short_circuit(trigger_rule="none_failed")
def both_sides_succeeded() -> str | None:
    """The day, where both sides are a success; a side that was there already is skipped.

    It does not take the work of the gate: what follows a set-up directly cannot outlast a skip.
    """
    with opened() as app:
        day = run_day(app)
        [status] = app.market.status_between(day, day)
    is_whole = status.log is not None and status.log.overall_status == "success"
    return day.isoformat() if is_whole else None


@task
def let_go_of_day(plain: _Plain | None) -> None:
    """Give the lease back, however the steps ended; there is none where the gate stayed shut."""
    if plain is not None:
        with opened() as app:
            app.market.collecting.end(collection_of(plain))


@contextmanager
def _step(plain: _Plain, side: Side) -> Iterator[tuple[MarketCollector, CollectionWork]]:
    """One step of one side: what goes wrong in it is written down before the task fails."""
    work = collection_of(plain)
    with opened() as app:
        collecting = app.market.collecting
        with noted(lambda error: _note(collecting, work, side, error)):
            yield collecting, work


def _note(
    collecting: MarketCollector, work: CollectionWork, side: Side, error: GotganError
) -> None:
    """A day without trade is taken back; one that somebody else has by now is theirs to note."""
    if collecting.closes(work, error):
        collecting.close(work, error.message)
        raise AirflowSkipException(error.message) from error
    if not isinstance(error, LostRace):
        collecting.fail(work, side, error)
