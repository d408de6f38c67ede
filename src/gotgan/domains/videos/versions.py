"""What ``v1``, ``v2`` and so on stand for: an analyser, its model and prompt, score and inputs.

A version is given to a recipe when it is first used, and never again to another one. So a result
says for ever what made it, and whatever changes in a recipe makes a cache of its own.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection, Row, func, select

from gotgan.clock import Clock
from gotgan.domains.videos.reports import Recipe, VideoVersion
from gotgan.domains.videos.tables import ANALYSIS_RESULTS, ANALYSIS_VERSIONS
from gotgan.sql import Database, insert_into

__all__ = ["Versions"]

_TABLE: Final = ANALYSIS_VERSIONS
_NAME: Final = re.compile("v([0-9]{1,6})")


class Versions:
    """The registry of one database; nothing in it ever changes, so what was read once is kept."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self._known: dict[Recipe, str] = {}

    def name_of(self, recipe: Recipe) -> str:
        """The version of a recipe; a new one where it was never used."""
        if recipe not in self._known:
            self._known[recipe] = self._looked_up(recipe)
        return self._known[recipe]

    def all(self) -> list[VideoVersion]:
        """All of them, the first one first."""
        with self._database.read() as connection:
            rows = connection.execute(select(_TABLE).order_by(_TABLE.c.number)).all()
        return [_version(row) for row in rows]

    def _looked_up(self, recipe: Recipe) -> str:
        with self._database.read() as connection:
            number = _number(connection, recipe)
        while number is None:  # others may be given the same number at the same moment
            with self._database.begin() as connection:
                number = _added(connection, recipe, self._clock.now())
        return f"v{number}"


def _number(connection: Connection, recipe: Recipe) -> int | None:
    query = select(_TABLE.c.number).where(_TABLE.c.fingerprint == recipe.fingerprint)
    number: int | None = connection.execute(query).scalar_one_or_none()
    return number


def _added(connection: Connection, recipe: Recipe, now: datetime) -> int | None:
    """The number of a recipe that is there now; None where somebody took it for another one."""
    adding = insert_into(connection, _TABLE).values(
        number=_last_number(connection) + 1,
        fingerprint=recipe.fingerprint,
        analyser=recipe.analyser,
        model=recipe.model,
        prompt_version=recipe.prompt_version,
        score_version=recipe.score_version,
        schema_version=recipe.schema_version,
        inputs=recipe.inputs,
        created_at=now,
    )
    connection.execute(adding.on_conflict_do_nothing())
    return _number(connection, recipe)


def _last_number(connection: Connection) -> int:
    """The highest number that stands for anything, also in results that another program saved."""
    last: int = connection.execute(select(func.coalesce(func.max(_TABLE.c.number), 0))).scalar_one()
    names = connection.execute(select(ANALYSIS_RESULTS.c.analysis_version).distinct()).scalars()
    given = (_NAME.fullmatch(name) for name in names)
    return max(last, *(int(each[1]) for each in given if each is not None), 0)


def _version(row: Row[Any]) -> VideoVersion:
    recipe = Recipe(
        row.analyser,
        row.model,
        row.prompt_version,
        row.score_version,
        row.schema_version,
        row.inputs,
    )
    return VideoVersion(f"v{row.number}", recipe, row.created_at)
