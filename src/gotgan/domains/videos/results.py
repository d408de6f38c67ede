"""Results, which are reused while they are fresh, and the versions of the recipes that made them.

Neither ever changes. A recipe gets its version when it is first used, and no other recipe gets that
version. So a result says for ever what made it, and a change of the recipe starts a new cache.
"""

from __future__ import annotations

import re
from dataclasses import asdict, fields, replace
from datetime import datetime, timedelta
from typing import Any, Final

import orjson
from sqlalchemy import Connection, Row, RowMapping, Select, bindparam, func, select

from gotgan.clock import Clock
from gotgan.domains.videos.documents import PROBLEM_TEXTS
from gotgan.domains.videos.models import FETCH_FAILURES, Material, Usage, VideoJob
from gotgan.domains.videos.reports import Recipe, VideoResult, VideoVersion
from gotgan.domains.videos.tables import ANALYSIS_RESULTS, ANALYSIS_VERSIONS
from gotgan.messages import dump, load
from gotgan.settings import Ttl
from gotgan.sql import Database, insert_into

PARTIAL_TTL: Final = timedelta(minutes=10)
"""How long a result is fresh whose comments are incomplete because fetching them failed."""
FOREIGN_TTL: Final = timedelta(hours=24)
"""How long a result of another program is shown as fresh; it is never reused."""
_SAVE_TOLERANCE: Final = timedelta(minutes=1)
_UNSCORED: Final = "none"
_TABLE: Final = ANALYSIS_RESULTS.c
_VERSIONS: Final = ANALYSIS_VERSIONS
_VERSION_NAME: Final = re.compile("v([0-9]{1,6})")


def freshness(material: Material, usual: Ttl) -> tuple[timedelta, str | None]:
    """How long a result of the material is fresh, and why if that is less than a day."""
    if material.problem in FETCH_FAILURES:
        return min(PARTIAL_TTL, usual.span), PROBLEM_TEXTS[material.problem]
    return usual.span, usual.reason


def add(connection: Connection, result: VideoResult) -> None:
    """Store a result."""
    row = asdict(result)
    row |= row.pop("usage")
    row["analysis_basis"] = orjson.dumps(result.analysis_basis).decode()
    row["warnings"] = [dump(each) for each in result.warnings]
    connection.execute(ANALYSIS_RESULTS.insert().values(row))


def fresh_id(connection: Connection, cache_key: str, now: datetime) -> str | None:
    """The id of the latest result of a cache key, if it is fresh."""
    found = connection.execute(LATEST_QUERY, {"cache_key": cache_key}).one_or_none()
    if found is None or found.expires_at is None or found.expires_at <= now:
        return None
    return str(found.id)


def get(connection: Connection, result_id: str) -> VideoResult | None:
    """A result by its id."""
    return _first(connection, select(ANALYSIS_RESULTS).where(_TABLE.id == result_id))


def with_result_id(connection: Connection, job: VideoJob) -> VideoJob:
    """A job with the id of its result: of a foreign job, the latest of its video at that time."""
    if job.analysis_result_id is not None or job.status != "completed":
        return job
    ended = (job.completed_at or job.updated_at) + _SAVE_TOLERANCE
    query = select(_TABLE.id).where(_TABLE.video_id == job.video_id, _TABLE.created_at <= ended)
    result_id = connection.execute(_newest_first(query).limit(1)).scalar_one_or_none()
    return replace(job, analysis_result_id=result_id)


def latest(connection: Connection, video_id: str, version: str | None = None) -> VideoResult | None:
    """The latest result of a video, or the latest of a version."""
    query = select(ANALYSIS_RESULTS).where(_TABLE.video_id == video_id)
    if version is not None:
        query = query.where(_TABLE.analysis_version == version)
    return _first(connection, query)


def history(connection: Connection, video_id: str, most: int) -> list[VideoResult]:
    """The latest results of a video, newest first."""
    query = select(ANALYSIS_RESULTS).where(_TABLE.video_id == video_id)
    return [
        result_from_row(row)
        for row in connection.execute(_newest_first(query).limit(most)).mappings()
    ]


def _newest_first(query: Select[Any]) -> Select[Any]:
    return query.order_by(_TABLE.created_at.desc(), _TABLE.id.desc())


LATEST_QUERY: Final = _newest_first(
    select(_TABLE.id, _TABLE.expires_at).where(_TABLE.cache_key == bindparam("cache_key"))
).limit(1)
"""The latest result of a cache key."""


def _first(connection: Connection, query: Select[Any]) -> VideoResult | None:
    row = connection.execute(_newest_first(query).limit(1)).mappings().one_or_none()
    return None if row is None else result_from_row(row)


def result_from_row(row: RowMapping) -> VideoResult:
    """A result as its row has it; gaps in rows of another program are filled."""
    values = dict(row)
    usage = Usage(*(values.pop(each.name) for each in fields(Usage)))
    return VideoResult(
        **values
        | {
            "job_id": row["job_id"] or "",
            "score_version": row["score_version"] or _UNSCORED,
            "snapshot_id": row["snapshot_id"] or "",
            "model_name": row["model_name"] or "",
            "comment_sample_count": row["comment_sample_count"] or 0,
            "analysis_basis": tuple(orjson.loads(row["analysis_basis"] or "[]")),
            "warnings": tuple(load(each) for each in row["warnings"] or ()),
            "expires_at": row["expires_at"] or row["created_at"] + FOREIGN_TTL,
        },
        usage=usage,
    )


class Versions:
    """The versions in one database; they never change, so they are cached."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._known: dict[Recipe, str] = {}

    def name_of(self, recipe: Recipe) -> str:
        """The version of a recipe; a new one at its first use."""
        if recipe not in self._known:
            self._known[recipe] = f"v{self._find_or_add(recipe)}"
        return self._known[recipe]

    def all(self) -> list[VideoVersion]:
        """All versions, oldest first."""
        with self._database.read() as connection:
            rows = connection.execute(select(_VERSIONS).order_by(_VERSIONS.c.number)).all()
        return [_version(row) for row in rows]

    def _find_or_add(self, recipe: Recipe) -> int:
        with self._database.read() as connection:
            number = _number(connection, recipe)
        while number is None:  # another process may take the same number at the same moment
            with self._database.begin() as connection:
                number = _add_recipe(connection, recipe, self._clock.now())
        return number


def _number(connection: Connection, recipe: Recipe) -> int | None:
    query = select(_VERSIONS.c.number).where(_VERSIONS.c.fingerprint == recipe.fingerprint)
    number: int | None = connection.execute(query).scalar_one_or_none()
    return number


def _add_recipe(connection: Connection, recipe: Recipe, now: datetime) -> int | None:
    """The number of a recipe; None if another recipe was given the same number."""
    adding = insert_into(connection, _VERSIONS).values(
        number=_last_number(connection) + 1,
        fingerprint=recipe.fingerprint,
        created_at=now,
        **asdict(recipe),
    )
    connection.execute(adding.on_conflict_do_nothing())
    return _number(connection, recipe)


def _last_number(connection: Connection) -> int:
    """The highest number in use, also by results that another program saved."""
    last = connection.execute(select(func.max(_VERSIONS.c.number))).scalar_one() or 0
    names = connection.execute(select(ANALYSIS_RESULTS.c.analysis_version).distinct()).scalars()
    matches = (_VERSION_NAME.fullmatch(name) for name in names)
    return max([last, *(int(match[1]) for match in matches if match)])


def _version(row: Row[Any]) -> VideoVersion:
    recipe = Recipe(**{each.name: getattr(row, each.name) for each in fields(Recipe)})
    return VideoVersion(f"v{row.number}", recipe, row.created_at)
