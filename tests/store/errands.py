"""Work that is claimed and finished: the entity of the races and of the faults."""

from __future__ import annotations

from datetime import timedelta
from typing import Annotated

from pydantic import StringConstraints

from gotgan.lifecycle import Lifecycle
from gotgan.store import Attribute, Entity, Id, IndexKey, Key, Table, Timestamp

__all__ = ["ERRANDS", "Errand", "errands"]

ERRANDS = Table("errands", pk="pk", sk="sk")
BY_STATE = ERRANDS.index("by_state", pk="region_pk", sk="state")
BY_PLACE = ERRANDS.index("by_place", pk="place_pk", sk="place_sk")

Word = Annotated[str, StringConstraints(min_length=1, max_length=40)]


class Errand(Entity, table=ERRANDS):
    """Something that somebody has to do now and then."""

    key = Key("ERRAND#{id}", "META")
    work = Lifecycle(
        BY_STATE,
        "REGION#{region}",
        started="began_at",
        finished="ended_at",
        lease=timedelta(minutes=10),
    )
    by_place = IndexKey(BY_PLACE, "{region}#{street}", "{house:04d}")

    id: Id
    region: Word | None = None
    street: Word | None = None
    house: int = 1
    done_by: tuple[str, ...] = ()
    began_at: Annotated[Timestamp | None, Attribute("BeganAt")] = None
    ended_at: Annotated[Timestamp | None, Attribute("EndedAt")] = None


def errands(count: int) -> list[Errand]:
    """Errands in the north that nobody has done."""
    return [Errand(id=f"e{number:03d}", region="north") for number in range(count)]
