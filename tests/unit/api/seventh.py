"""A kind of item that nobody has thought of; importing it puts it into the site's table."""

from __future__ import annotations

from gotgan.domains.site.keys import BY_TYPE, FEW_TYPES, SITE
from gotgan.domains.site.models import SiteEntity
from gotgan.store import Entity, Id, IndexKey, Key, Query, Ref, camel_case, pattern

__all__ = ["Bare", "Event", "all_events", "one_event"]


class Event(SiteEntity, table=SITE, names=camel_case, version="version"):
    """Something that takes place."""

    key = Key("EVENT#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "Event", "{created_at}", acknowledge=[FEW_TYPES])
    editable = ("place_name",)

    place_name: str


class Bare(Entity, table=SITE):
    """A thing that says nothing of roles."""

    key = Key("BARE#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "Bare", "{id}", acknowledge=[FEW_TYPES])

    id: Id


@pattern
def one_event(event_id: str) -> Ref[Event]:
    """One event."""
    return Event.key(id=event_id)


@pattern
def all_events() -> Query[Event]:
    """All events, newest first."""
    return Event.by_type.query().newest_first()
