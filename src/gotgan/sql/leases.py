"""Leases: who holds a piece of work, until when, and under which number (the fence).

A lease that has expired can be taken by any process; the fence grows whenever it is taken or given
back, so that a former owner is distinguished from the present one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from sqlalchemy import Connection, Select, Update, bindparam, select, update

from gotgan.claims import owner_id
from gotgan.clock import Clock
from gotgan.errors import LostRace
from gotgan.sql import messages
from gotgan.sql.metadata import LEASES
from gotgan.sql.upserts import insert_into

if TYPE_CHECKING:
    from gotgan.sql.database import Database

_EXPIRED: Final = datetime(2000, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Lease:
    """A piece of work that a process holds."""

    key: str
    owner: str
    until: datetime
    fence: int


class Leases:
    """The leases of one database; they use real time, also in a demo with simulated dates."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock
        self.owner = owner_id()
        """The name under which this process takes leases."""

    def now(self) -> datetime:
        """The current time for leases."""
        return self._clock.now()

    def take(self, key: str, lease: timedelta, *, owner: str | None = None) -> Lease | None:
        """Take a lease; None where it is held, even by this process."""
        with self._database.begin() as connection:
            return self.take_within(connection, key, lease, owner=owner)

    def take_within(
        self, connection: Connection, key: str, lease: timedelta, *, owner: str | None = None
    ) -> Lease | None:
        """Take it within a transaction; one statement decides, so of several callers one wins."""
        now = self.now()
        taken = Lease(key, owner or self.owner, now + lease, 1)
        insert = insert_into(connection, LEASES).values(vars(taken))
        upsert = insert.on_conflict_do_update(
            index_elements=[LEASES.c.key],
            set_={
                "owner": insert.excluded.owner,
                "until": insert.excluded.until,
                "fence": LEASES.c.fence + 1,
            },
            where=LEASES.c.until <= now,
        )
        fence = connection.execute(upsert.returning(LEASES.c.fence)).scalar_one_or_none()
        return None if fence is None else replace(taken, fence=fence)

    def renew(self, lease: Lease, by: timedelta) -> Lease:
        """Extend a lease, counted from now; raise LostRace if another owner has it."""
        until = self.now() + by
        with self._database.begin() as connection:
            self.expect(connection, lease)
            connection.execute(_update_lease(lease).values(until=until))
        return replace(lease, until=until)

    def give_back(self, lease: Lease) -> None:
        """Release a lease; do nothing if another owner has it."""
        given = {"until": self.now(), "fence": LEASES.c.fence + 1}
        with self._database.begin() as connection:
            connection.execute(_update_lease(lease).values(given))

    def expect(self, connection: Connection, lease: Lease) -> None:
        """Raise LostRace unless it is still ours, and lock it until the transaction ends."""
        found = select(LEASES.c.fence).where(LEASES.c.key == lease.key).with_for_update()
        if connection.execute(found).scalar_one_or_none() != lease.fence:
            raise LostRace(messages.LEASE_LOST(key=lease.key))

    def held(self, key: str) -> Lease | None:
        """The lease of a key; None if it is free."""
        query = select(LEASES).where(LEASES.c.key == key, LEASES.c.until > self.now())
        with self._database.read() as connection:
            row = connection.execute(query).one_or_none()
        return None if row is None else Lease(row.key, row.owner, row.until, row.fence)

    def find_all(self, prefix: str) -> list[Lease]:
        """All leases that are held, of those whose key begins so."""
        with self._database.read() as connection:
            rows = connection.execute(_held_query(prefix), {"now": self.now()}).all()
        return [Lease(row.key, row.owner, row.until, row.fence) for row in rows]


@cache
def _held_query(prefix: str) -> Select[Any]:
    """Cached, because building it takes longer than running it."""
    begins = LEASES.c.key.startswith(prefix, autoescape=True)
    return select(LEASES).where(begins, LEASES.c.until > bindparam("now")).order_by(LEASES.c.key)


def _update_lease(lease: Lease) -> Update:
    return update(LEASES).where(LEASES.c.key == lease.key, LEASES.c.fence == lease.fence)


def lock(connection: Connection, key: str) -> None:
    """Block taking, releasing and writing under a lease until the transaction ends.

    What its owner wrote before can then be read.
    """
    connection.execute(select(LEASES.c.fence).where(LEASES.c.key == key).with_for_update())


def revoke(connection: Connection, key: str) -> None:
    """Take a lease from its owner, because what they started with has changed."""
    free = {"fence": LEASES.c.fence + 1, "until": _EXPIRED}
    connection.execute(update(LEASES).where(LEASES.c.key == key).values(free))
