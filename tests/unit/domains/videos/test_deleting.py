"""A video that is forgotten while others write of it: nothing of it is left over by halves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from gotgan.clock import SystemClock
from gotgan.domains.videos.service import Videos
from gotgan.errors import KeyRefused, NotFound
from gotgan.fetch import Web
from gotgan.settings import Secret, Settings
from gotgan.sql import Database
from tests.unit.domains.videos.made import VIDEO

ROUNDS = 25
OTHER = "lmnopqrstuv"
FILES = {
    video: f"video_id,comment_id,text,title\n{video},c1,nice,A title\n{video},c2,bad,A title\n"
    for video in (VIDEO, OTHER)
}
ORPHANS = {
    "comments": "SELECT COUNT(*) FROM comment_snapshots c WHERE NOT EXISTS "
    "(SELECT 1 FROM video_snapshots v WHERE v.snapshot_id = c.snapshot_id)",
    "snapshots": "SELECT COUNT(*) FROM video_snapshots v WHERE NOT EXISTS "
    "(SELECT 1 FROM videos l WHERE l.video_id = v.video_id)",
    "results": "SELECT COUNT(*) FROM analysis_results r WHERE NOT EXISTS "
    "(SELECT 1 FROM analysis_jobs j WHERE j.job_id = r.job_id)",
    "jobs": "SELECT COUNT(*) FROM analysis_jobs j WHERE status = 'completed' AND NOT EXISTS "
    "(SELECT 1 FROM analysis_results r WHERE r.id = j.analysis_result_id)",
}


@pytest.fixture
def videos(database_settings: Settings) -> Iterator[Videos]:
    settings, clock = replace(database_settings, given_secret=Secret("s" * 32)), SystemClock()
    with Database.open(settings, clock) as database, Web.open(settings, clock) as web:
        made = Videos(database, web, settings, clock)
        yield made
        made.close()


def test_whoever_imports_analyses_and_deletes_at_once_leaves_nothing_by_halves(
    videos: Videos, database: Database
) -> None:
    def bring(*order: str) -> Callable[[], object]:
        files = [(f"{video}.csv", FILES[video].encode()) for video in order]
        return lambda: videos.import_files(files)

    def analyse() -> None:
        videos.analyse(VIDEO)
        videos.work()

    def forget() -> None:
        videos.delete(VIDEO)

    def repeated(act: Callable[[], object]) -> None:
        for _ in range(ROUNDS):
            try:
                act()
            except (NotFound, KeyRefused):
                continue  # it was just forgotten

    acts = [bring(VIDEO, OTHER), bring(OTHER, VIDEO), analyse, analyse, forget, forget]
    with ThreadPoolExecutor(len(acts)) as crowd:
        list(crowd.map(repeated, acts))
    with database.read() as connection:
        left = {name: connection.exec_driver_sql(sql).scalar() for name, sql in ORPHANS.items()}
    assert left == dict.fromkeys(ORPHANS, 0)
    bring(VIDEO)()
    videos.analyse(VIDEO)
