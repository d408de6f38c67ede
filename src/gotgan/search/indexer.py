"""Bringing the index up to date: each domain is read from its mark on.

One process does it at a time, under a lease. What a domain says is read before a transaction
begins, so nothing that writes waits for it. A domain that cannot be read does not stop the others.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from sqlalchemy import delete, func, select

from gotgan.errors import BadCursor, GotganError, Interrupted, LostRace
from gotgan.retry import Outage
from gotgan.search import messages
from gotgan.search.index import token_index
from gotgan.search.reports import IndexUpdate
from gotgan.search.tables import SEARCH_DOCUMENTS, SEARCH_MARKS
from gotgan.search.tokens import VERSION
from gotgan.search.writer import (
    MAX_DOCUMENTS,
    Written,
    clear,
    part_of,
    remove_expired,
    remove_others,
    slices,
    write_documents,
)
from gotgan.search.writer import stored_parts as read_parts
from gotgan.sql import Lease, Leases, revoke, upsert
from gotgan.verbs import Progress, silent

if TYPE_CHECKING:
    from sqlalchemy import Connection, Row

    from gotgan.clock import Clock
    from gotgan.documents import DocumentBatch
    from gotgan.domain import Service
    from gotgan.sql import Database

_KEY: Final = "search:index"
_LEASE: Final = timedelta(minutes=5)
_MIN_REREAD: Final = timedelta(minutes=1)
_MAX_REREAD: Final = timedelta(hours=1)
_MANY: Final = 2_000
"""After so many documents at once a database counts their tokens."""
_REREAD_SHARE: Final = 60
"""All documents of a domain are read again so seldom that it takes a sixtieth of the time."""


class Indexer:
    """Keeps the index; ``real`` is the time that leases, marks and ages go by."""

    def __init__(
        self,
        database: Database,
        domains: Mapping[str, Callable[[], Service]],
        clock: Clock,
        real: Clock,
    ) -> None:
        self._database = database
        self._domains = domains
        self._clock = clock
        self._real = real
        self._leases = Leases(database, real)
        self._reread_times: dict[str, timedelta] = {}
        self._outages: dict[str, Outage] = {}
        self._turn = threading.Lock()
        self._stopping = threading.Event()

    def update(self, progress: Progress = silent) -> IndexUpdate:
        """Read what is new or has changed in all domains."""
        with self._turn:  # a lease is not held twice by one process either
            lease = self._leases.take(_KEY, _LEASE)
            if lease is None:
                return self._report(Written(), {}, is_elsewhere=True)
            try:
                return self._update(lease, progress)
            except LostRace:  # another process has taken over, or all is made again
                return self._report(Written(), {}, is_elsewhere=True)
            except Interrupted:
                return self._report(Written(), {})
            finally:
                self._leases.give_back(lease)

    def rebuild(self, progress: Progress = silent) -> IndexUpdate:
        """Empty the index and all derived tables, and read everything again."""
        for service in self._domains.values():
            service().rebuild()
        with self._database.begin() as connection:
            revoke(connection, _KEY)
            self._empty(connection)
        return self.update(progress)

    def stop(self) -> None:
        """End an update after its current batch; the next one goes on from there."""
        self._stopping.set()

    def now(self) -> datetime:
        """The time that documents end by."""
        return self._clock.now()

    def freshness(self) -> tuple[datetime | None, int | None]:
        """When the domain that was read longest ago was read, and how many seconds ago."""
        with self._database.read() as connection:
            as_of = connection.execute(select(func.min(SEARCH_MARKS.c.updated_at))).scalar()
        if as_of is None:
            return None, None
        return as_of, max(int((self._real.now() - as_of).total_seconds()), 0)

    # Reading

    def _update(self, lease: Lease, progress: Progress) -> IndexUpdate:
        self._expect_rules(lease)
        written, failed = Written(), dict[str, str]()
        for number, (name, service) in enumerate(self._domains.items(), 1):
            try:
                written += self._update_domain(lease, name, service())
            except (LostRace, Interrupted):
                raise
            except Exception as error:  # noqa: BLE001 - the other domains can be read all the same
                is_known = isinstance(error, GotganError)
                failed[name] = (
                    error.message if isinstance(error, GotganError) else messages.DEFECT()
                )
                self._outage(name).failed(failed[name] if is_known else repr(error))
            else:
                self._outage(name).succeeded()
            progress(number, len(self._domains), name, written=written.written)
        if written.written >= _MANY:
            with self._database.begin() as connection:
                token_index(connection).learn(connection)
        return self._report(written, failed)

    def _outage(self, name: str) -> Outage:
        return self._outages.setdefault(name, Outage(f"search.{name}"))

    def _update_domain(self, lease: Lease, name: str, service: Service) -> Written:
        self._leases.renew(lease, _LEASE)
        service.refresh()
        state, now = self._state(name), self._real.now()
        is_first = state is None or state.updated_at is None
        written, mark = Written(), None if state is None else state.mark
        for batch in self._batches(lease, service, mark):
            written += self._write(lease, name, batch, moves=True)
            mark = batch.mark
        written += self._remove_expired(lease, name)
        reread_at = now if is_first or state is None else state.reread_at
        if service.rereads_documents and self._is_due(name, reread_at, now):
            written += self._reread(lease, name, service)
            self._reread_times[name] = self._real.now() - now
            reread_at = now
        with self._database.begin() as connection:
            self._leases.expect(connection, lease)
            _save(connection, name, mark, updated_at=now, reread_at=reread_at)
        return written

    def _batches(self, lease: Lease, service: Service, mark: str | None) -> Iterator[DocumentBatch]:
        """What a domain has since a mark, until the lease is lost or the update is stopped."""
        while True:
            try:
                batch = service.search_documents(mark)
            except BadCursor:  # kept under another secret: start again
                batch = service.search_documents(None)
            yield batch
            if batch.is_last:
                return
            if self._stopping.is_set():
                raise Interrupted(messages.STOPPED())
            self._leases.renew(lease, _LEASE)
            mark = batch.mark

    def _is_due(self, name: str, last: datetime | None, now: datetime) -> bool:
        pause = self._reread_times.get(name, timedelta()) * _REREAD_SHARE
        return last is None or now - last >= min(max(pause, _MIN_REREAD), _MAX_REREAD)

    def _reread(self, lease: Lease, name: str, service: Service) -> Written:
        """Read everything again, and remove what is not there any more."""
        written, seen = Written(), set[str]()
        for batch in self._batches(lease, service, None):
            seen.update(map(part_of, batch.documents))
            written += self._write(lease, name, batch, moves=False)
        after = ""
        while True:
            with self._database.read() as connection:
                parts = read_parts(connection, name, after, MAX_DOCUMENTS)
            gone = [each for each in parts if each not in seen]
            if gone:
                with self._database.begin() as connection:
                    self._leases.expect(connection, lease)
                    written += remove_others(connection, name, gone, ())
            if len(parts) < MAX_DOCUMENTS:
                return written
            after = parts[-1]

    # Writing

    def _write(self, lease: Lease, name: str, batch: DocumentBatch, *, moves: bool) -> Written:
        """Write a batch, in as many transactions as it takes; the last one moves the mark."""
        written = Written()
        parts = [*slices(batch.documents)]
        if parts == [[]] and not batch.replaced and batch.is_last:
            return written  # the mark is saved in the end
        for number, part in enumerate(parts, 1):
            with self._database.begin() as connection:
                self._leases.expect(connection, lease)
                written += write_documents(connection, name, part)
                if number == len(parts):
                    groups = batch.replaced
                    written += remove_others(connection, name, groups, batch.documents)
                    if moves:
                        _save(connection, name, batch.mark)
        return written

    def _remove_expired(self, lease: Lease, name: str) -> Written:
        written = Written()
        while True:
            with self._database.begin() as connection:
                self._leases.expect(connection, lease)
                some = remove_expired(connection, name, self._clock.now())
            written += some
            if some.removed < MAX_DOCUMENTS:
                return written

    def _expect_rules(self, lease: Lease) -> None:
        """Begin again where the index was made by other rules of tokens."""
        query = select(SEARCH_MARKS.c.domain).where(SEARCH_MARKS.c.tokens != VERSION)
        with self._database.read() as connection:
            if connection.execute(query).first() is None:
                return
        with self._database.begin() as connection:
            self._leases.expect(connection, lease)
            self._empty(connection)

    def _empty(self, connection: Connection) -> None:
        clear(connection)
        connection.execute(delete(SEARCH_MARKS))

    def _state(self, name: str) -> Row[tuple[object, ...]] | None:
        query = select(SEARCH_MARKS).where(SEARCH_MARKS.c.domain == name)
        with self._database.read() as connection:
            return connection.execute(query).one_or_none()

    def _report(
        self, written: Written, failed: Mapping[str, str], *, is_elsewhere: bool = False
    ) -> IndexUpdate:
        count = select(func.count()).select_from(SEARCH_DOCUMENTS)
        with self._database.read() as connection:
            total = connection.execute(count).scalar_one()
        return IndexUpdate(
            written.written, written.removed, total, self.freshness()[0], dict(failed), is_elsewhere
        )


def _save(connection: Connection, domain: str, mark: str | None, **times: datetime | None) -> None:
    upsert(connection, SEARCH_MARKS, [{"domain": domain, "mark": mark, "tokens": VERSION, **times}])
