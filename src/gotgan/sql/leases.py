"""Leases: who has a piece of work in hand, until when, and by which number they are known.

A lease that has run out can be taken by anybody; the fence grows with each taking and with each
giving back, so that whoever lost one can be told from whoever has it now.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final, Protocol

from sqlalchemy import Connection, Select, Update, bindparam, select, update

from gotgan.claims import owner_id
from gotgan.clock import Clock
from gotgan.errors import LostRace
from gotgan.sql.metadata import LEASES
from gotgan.sql.upserts import insert_into

__all__ = ["Lease", "Leases", "lock", "revoke"]

_LONG_AGO: Final = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Lease:
    """A piece of work that somebody has in hand."""

    key: str
    owner: str
    until: datetime
    fence: int


class _Database(Protocol):
    def begin(self) -> AbstractContextManager[Connection]: ...

    def read(self) -> AbstractContextManager[Connection]: ...


class Leases:
    """The leases of one database; their time is real time, whatever a demo's dates are."""

    def __init__(self, database: _Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self.owner = owner_id()
        """By what name this process takes things in hand."""

    def now(self) -> datetime:
        """The time that leases go by."""
        return self._clock.now()

    def take(self, key: str, lease: timedelta, *, owner: str | None = None) -> Lease | None:
        """Take a piece of work in hand; None where somebody has it, even ourselves."""
        with self._database.begin() as connection:
            return self.take_within(connection, key, lease, owner=owner)

    def take_within(
        self, connection: Connection, key: str, lease: timedelta, *, owner: str | None = None
    ) -> Lease | None:
        """Take it together with what else is written in a transaction."""
        now, owner = self.now(), owner or self.owner
        taken = Lease(key, owner, now + lease, 1)
        fence = _taken(connection, taken, now)
        return None if fence is None else replace(taken, fence=fence)

    def renew(self, lease: Lease, by: timedelta) -> Lease:
        """Hold it for longer from now on; LostRace where it is not ours any more."""
        until = self.now() + by
        with self._database.begin() as connection:
            self.expect(connection, lease)
            connection.execute(_of(lease).values(until=until))
        return replace(lease, until=until)

    def give_back(self, lease: Lease) -> None:
        """Let anybody have it; nothing happens where it is not ours any more."""
        given = {"until": self.now(), "fence": LEASES.c.fence + 1}
        with self._database.begin() as connection:
            connection.execute(_of(lease).values(given))

    def expect(self, connection: Connection, lease: Lease) -> None:
        """Raise LostRace unless it is still ours, and keep it so until the transaction ends."""
        found = select(LEASES.c.fence).where(LEASES.c.key == lease.key).with_for_update()
        if connection.execute(found).scalar_one_or_none() != lease.fence:
            raise LostRace(f"{lease.key} is not in our hands any more; leave it to whoever has it")

    def held(self, key: str) -> Lease | None:
        """Who has it in hand; None where nobody has."""
        query = select(LEASES).where(LEASES.c.key == key, LEASES.c.until > self.now())
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else Lease(row.key, row.owner, row.until, row.fence)

    def all_held(self, prefix: str) -> list[Lease]:
        """All that is in somebody's hands, of those whose key begins so."""
        with self._database.read() as connection:
            rows = connection.execute(_all_held(prefix), {"now": self.now()}).all()
        return [Lease(row.key, row.owner, row.until, row.fence) for row in rows]


@cache
def _all_held(prefix: str) -> Select[Any]:
    """Made once, for to make it takes longer than to answer it."""
    begins = LEASES.c.key.startswith(prefix, autoescape=True)
    return select(LEASES).where(begins, LEASES.c.until > bindparam("now")).order_by(LEASES.c.key)


def _taken(connection: Connection, lease: Lease, now: datetime) -> int | None:
    """The fence; one statement decides, so that of many who try at once one gets a row back."""
    insert = insert_into(connection, LEASES).values(
        key=lease.key, owner=lease.owner, until=lease.until, fence=lease.fence
    )
    taking = insert.on_conflict_do_update(
        index_elements=[LEASES.c.key],
        set_={
            "owner": insert.excluded.owner,
            "until": insert.excluded.until,
            "fence": LEASES.c.fence + 1,
        },
        where=LEASES.c.until <= now,
    )
    fence: int | None = connection.execute(taking.returning(LEASES.c.fence)).scalar_one_or_none()
    return fence


def _of(lease: Lease) -> Update:
    return update(LEASES).where(LEASES.c.key == lease.key, LEASES.c.fence == lease.fence)


def lock(connection: Connection, key: str) -> None:
    """Let nobody take, write under or give back a lease until the transaction ends.

    What whoever has it wrote before is there to be read afterwards.
    """
    connection.execute(select(LEASES.c.fence).where(LEASES.c.key == key).with_for_update())


def revoke(connection: Connection, key: str) -> None:
    """Let whoever has a piece of work in hand be too late: what they began with has changed."""
    free = {"fence": LEASES.c.fence + 1, "until": _LONG_AGO}
    connection.execute(update(LEASES).where(LEASES.c.key == key).values(free))
