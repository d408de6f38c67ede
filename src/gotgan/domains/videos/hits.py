"""How often a result was given again: counted in memory, and written down now and then.

A count that is lost when a process dies is no loss to anybody; a write for each hit would be one.
"""

from __future__ import annotations

import threading
from collections import Counter
from datetime import date, datetime
from typing import Final

from gotgan.domains.videos.tables import CACHE_HITS
from gotgan.errors import GotganError
from gotgan.events import emit
from gotgan.sql import Database, insert_into

__all__ = ["Hits"]

_SECONDS: Final = 5.0
"""How long counts stay in memory at most, while hits come."""


class Hits:
    """The hits of one process; safe for all of its threads."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.Lock()
        self._counted: Counter[tuple[date, str]] = Counter()
        self._since: float | None = None

    def count(self, result_id: str, now: datetime, monotonic: float) -> None:
        """Count a hit."""
        with self._lock:
            self._counted[now.date(), result_id] += 1
            self._since = monotonic if self._since is None else self._since
            is_due = monotonic - self._since > _SECONDS
        if is_due:
            self.write()

    def write(self) -> None:
        """Write down what was counted."""
        with self._lock:
            counted, self._counted, self._since = self._counted, Counter(), None
        try:
            self._add(counted)
        except GotganError as error:  # nobody goes without an answer for the sake of a count
            emit("videos.hits.unwritten", level="warning", reason=error.message)
            with self._lock:
                self._counted += counted

    def _add(self, counted: Counter[tuple[date, str]]) -> None:
        if not counted:
            return
        with self._database.begin() as connection:
            for (day, result_id), hits in sorted(counted.items()):
                adding = insert_into(connection, CACHE_HITS).values(
                    day=day, analysis_result_id=result_id, hits=hits
                )
                more = {"hits": CACHE_HITS.c.hits + adding.excluded.hits}
                keys = [CACHE_HITS.c.day, CACHE_HITS.c.analysis_result_id]
                connection.execute(adding.on_conflict_do_update(index_elements=keys, set_=more))
