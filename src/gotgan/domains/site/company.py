"""The company: one item under a key of its own, so there can be no second one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gotgan.domains.site import patterns
from gotgan.domains.site.additional import split
from gotgan.domains.site.models import CorpInfo
from gotgan.domains.site.records import refuse_stale
from gotgan.errors import NotFound, VersionConflict
from gotgan.store import Store

__all__ = ["Company"]


class Company:
    """What there is to know about the company."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def get(self, *, consistent: bool = False) -> CorpInfo:
        """It, if somebody has written it."""
        info = self.look(consistent=consistent)
        if info is None:
            raise NotFound("nothing is known about the company yet; an admin writes it first")
        return info

    def look(self, *, consistent: bool = False) -> CorpInfo | None:
        """It, or None where nobody has written it yet."""
        return self._store.get(patterns.company(), consistent=consistent)

    def write(self, fields: Mapping[str, Any], *, expected: int | None) -> CorpInfo:
        """Write the company, for the first time where no version of it is expected.

        A name that is not a field is an additional attribute.
        """
        return self._begin(fields) if expected is None else self.update(fields, expected=expected)

    def update(self, changes: Mapping[str, Any], *, expected: int | None) -> CorpInfo:
        """Change fields and additional attributes; None clears one, what is left out stays."""
        current = self.get(consistent=True)
        refuse_stale(current, expected)
        told, others = split(changes, current.more)
        now = self._store.clock.now()
        return self._store.update(current, others=others, **told, updated_at=now).item

    def _begin(self, fields: Mapping[str, Any]) -> CorpInfo:
        now = self._store.clock.now()
        told, others = split(fields, ())
        made = CorpInfo(created_at=now, updated_at=now, **told)
        written = self._store.put_new(made, others=others)
        if not written.new:
            raise VersionConflict(
                "the company is written already; read it and repeat the change", written.item
            )
        return written.item
