"""The company: one item under a key of its own, so there can be no second one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from gotgan.domains.site import patterns
from gotgan.domains.site.additional import expect_attributes
from gotgan.domains.site.models import CorpInfo
from gotgan.domains.site.params import CompanyFields, Consistent, More, Version, VersionRequired
from gotgan.domains.site.records import refuse_stale
from gotgan.domains.site.resource import Writable
from gotgan.errors import NotFound, VersionConflict
from gotgan.errors import VersionRequired as NoVersion
from gotgan.verbs import verb

__all__ = ["Company"]


class Company(Writable[CorpInfo, CompanyFields]):
    """The company; there is one of it."""

    path: ClassVar = "corp"

    @verb(role=None)
    def get(self, *, consistent: Consistent = False) -> CorpInfo:
        """Show the company."""
        info = self.look(consistent=consistent)
        if info is None:
            raise NotFound("nothing is known about the company yet; an admin writes it first")
        return info

    def look(self, *, consistent: bool = False) -> CorpInfo | None:
        """It, or None where nobody has written it yet."""
        return self._store.get(patterns.company(), consistent=consistent)

    @verb(role=None, kind="write")
    def update(
        self,
        changes: CompanyFields,
        *,
        more: More | None = None,
        version: VersionRequired | None = None,
    ) -> CorpInfo:
        """Change fields of the company.

        What is left out stays. Null clears a field, and so does an empty value on the command line.
        """
        self._expect_known(changes)
        current = self.get(consistent=True)
        refuse_stale(current, version)
        attributes = {**(more or {})}
        expect_attributes(attributes, current.more)
        now = self._store.clock.now()
        return self._store.update(current, others=attributes, **changes, updated_at=now).item

    @verb(role=None, kind="write")
    def replace(
        self, fields: CompanyFields, *, more: More | None = None, version: Version | None = None
    ) -> CorpInfo:
        """Write the company for the first time, or replace all of its fields.

        Fields that are left out are cleared, and additional attributes stay. A version is needed
        unless it is the first time.
        """
        if self.look(consistent=True) is None:
            if version is not None:
                raise VersionConflict("nobody has written the company yet; leave out the version")
            return self._begin(fields, more or {})
        if version is None:
            raise NoVersion("the company is written already; say which version you replace")
        whole: Any = self._whole(fields)
        return self.update(whole, more=more, version=version)

    def _begin(self, fields: CompanyFields, more: Mapping[str, Any]) -> CorpInfo:
        expect_attributes(more, ())
        written = self._store.put_new(self.new_record(fields, id="corp-info"), others={**more})
        if not written.new:
            raise VersionConflict(
                "the company is written already; read it and repeat the change", written.item
            )
        return written.item
