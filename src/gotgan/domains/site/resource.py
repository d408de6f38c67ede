"""Resources: the verbs of one kind of record, with its writable fields declared once.

Library, command line, HTTP and console derive from a resource; its roles come from the entity.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Final, Generic, TypeVar, cast, get_type_hints

from pydantic import ValidationError

from gotgan import errors
from gotgan.domains.site import messages
from gotgan.domains.site.keys import BY_TYPE, new_id
from gotgan.domains.site.models import SiteEntity
from gotgan.domains.site.params import By, Consistent, RecordId, Version, VersionRequired
from gotgan.events import emit
from gotgan.generics import type_arguments
from gotgan.items import item_page
from gotgan.params import Cursor, Limit
from gotgan.store import Entity, IndexKey, Page, Query, Ref, Store, Write, raw
from gotgan.store.keys import BoundIndexKey
from gotgan.store.schema import schema_of
from gotgan.store.tables import Index
from gotgan.validation import problem
from gotgan.verbs import Role, verb

DEFAULT_LIMIT: Final = 20
"""Records on a page."""
MAX_PAGE_UNITS: Final = 128
"""A page ends after a megabyte of records, however many were asked for."""

T = TypeVar("T")


class SeenVersion(int):
    """A version that was read, and when its record was created, as ids can be used again."""

    made: int | None = None
    is_any: bool = False

    @classmethod
    def of(cls, version: int, made: int | None) -> SeenVersion:
        """A version of a record; ``made`` is in seconds since 1970."""
        seen = cls(version)
        seen.made = made
        return seen

    @classmethod
    def any(cls) -> SeenVersion:
        """Matches every version."""
        seen = cls(0)
        seen.is_any = True
        return seen


def get_existing(store: Store, ref: Ref[T], *, consistent: bool = False) -> T:
    """The item under a key, which must be there."""
    item = store.get(ref, consistent=consistent)
    if item is None:
        raise errors.NotFound(messages.NOT_FOUND(what=messages.kind_word(ref.entity)))
    return item


def get_many(store: Store, refs: Iterable[Ref[T]], *, consistent: bool = False) -> list[T]:
    """The items under some keys, without missing and unreadable ones."""
    wanted = list(refs)
    try:
        read = store.get_all(wanted, consistent=consistent)
    except errors.BadItem:
        found: list[T] = []
        for ref in wanted:
            try:
                item = store.get(ref, consistent=consistent)
            except errors.BadItem as bad:
                skip_bad_item(bad)
            else:
                found += [] if item is None else [item]
        return found
    if read.unread:
        raise errors.StoreUnreachable(messages.DATABASE_BUSY())
    return list(read.items)


def expect_version(current: SiteEntity, version: int | None) -> None:
    """Refuse a change to another version than the current one."""
    if getattr(version, "is_any", False):
        return
    made = getattr(version, "made", None)
    is_another = made is not None and made != int(current.created_at.timestamp())
    if version is not None and (current.version != version or is_another):
        message = messages.CHANGED(
            what=messages.kind_word(type(current)),
            current=str(current.version),
            expected=str(version),
        )
        raise errors.VersionConflict(message, current)


def expect_future(moment: Any, now: datetime) -> None:
    """Refuse an expiry in the past: the record would be removed unseen."""
    if isinstance(moment, datetime) and moment <= now:
        raise errors.UsageError(messages.EXPIRED())


def transact(store: Store, writes: Sequence[Write[Any]]) -> None:
    """Run a transaction; a failure raises the error of its main reason."""
    try:
        store.transact(writes)
    except errors.TransactionFailed as failure:
        raise main_error(failure) from failure


def main_error(failure: errors.TransactionFailed) -> errors.StoreError:
    """The error of a failed transaction: a failed condition before temporary errors."""
    found: list[errors.StoreError] = [reason.error for reason in failure.reasons]
    return next((error for error in found if isinstance(error, errors.ConditionFailed)), found[0])


def id_taken(record: SiteEntity) -> errors.IdTaken:
    """The error of a new record whose id another one has."""
    return errors.IdTaken(messages.ID_TAKEN(what=messages.kind_word(type(record)), id=record.id))


def skip_bad_item(bad: errors.BadItem) -> None:
    """Leave an unreadable item out of a page, and log it."""
    emit("site.item.bad", level="warning", reason=bad.message)


E = TypeVar("E", bound=SiteEntity)
F = TypeVar("F", bound=Mapping[str, Any])

_RESOURCES: Final[dict[type, type[Writable[Any, Any]]]] = {}
"""The resource of each entity."""


class Writable(Generic[E, F]):
    """What can be written of an entity."""

    entity: ClassVar[type[SiteEntity]]
    noun: ClassVar[str]
    """What one of them is called; the help of its verbs says it for ``record``."""
    fields: ClassVar[tuple[str, ...]] = ()
    """The fields that can be written."""
    fixed: ClassVar[frozenset[str]] = frozenset({"id"})
    """The fields that can be given when a record is created, and stay."""
    filled_in: ClassVar[frozenset[str]] = frozenset({"id"})
    """The fields that get a value of their own when they are left out."""
    needed: ClassVar[frozenset[str]] = frozenset()
    """The fields that a new record must have."""
    read_by: ClassVar[Role] = "admin"
    written_by: ClassVar[Role] = "admin"
    path: ClassVar[str | None] = None
    """The path below ``/v1``; the name of the resource without one."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        chosen, generic = type_arguments(cls), cast("Any", Writable)
        entity, fields = (chosen[each] for each in generic.__parameters__)
        if isinstance(entity, TypeVar):
            return  # what several resources share
        cls.entity = entity
        cls.noun = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", entity.__name__).lower()
        cls.fields = tuple(get_type_hints(fields))
        declared = entity.model_fields
        unknown = [name for name in cls.fields if name not in declared]
        if unknown:
            raise errors.DeclarationError(
                f"{entity.__name__} has no field {unknown[0]!r}, which {fields.__name__} has. "
                "Declare it in both, or remove it."
            )
        cls.needed = frozenset(
            name
            for name in cls.fields
            if name not in cls.filled_in and declared[name].is_required()
        )
        cls.read_by = entity.read_by or "public"
        cls.written_by = entity.written_by or "admin"
        _RESOURCES[entity] = cls

    def __init__(self, store: Store) -> None:
        self._store = store

    def _expect_known(self, fields: Mapping[str, Any]) -> None:
        unknown = [name for name in fields if name not in self.fields]
        if unknown:
            what, field = messages.kind_word(self.entity), repr(unknown[0])
            raise errors.UsageError(
                messages.UNKNOWN_FIELD(what=what, field=field, known=self.fields)
            )

    def _expect_needed(self, given: Iterable[str]) -> None:
        missing = sorted(self.needed.difference(given))
        if missing:
            what = messages.kind_word(self.entity)
            raise errors.UsageError(messages.MISSING_FIELDS(what=what, fields=missing))

    def new_record(self, fields: Mapping[str, Any], **derived: Any) -> E:
        """A new record of these fields; an error names what is missing or wrong."""
        self._expect_known(fields)
        self._expect_needed({*fields, *derived})
        now = self._store.clock.now()
        expect_future(fields.get("expires_at"), now)
        whole = {"id": new_id(now), "created_at": now, "updated_at": now, **fields, **derived}
        try:
            return cast("E", self.entity(**whole))
        except ValidationError as error:
            wrong = [
                messages.BAD_FIELD(field=each["loc"][0], cause=problem(each))
                for each in error.errors()
            ]
            what = messages.kind_word(self.entity)
            raise errors.UsageError(messages.BAD_FIELDS(what=what, problems=wrong)) from None

    def _whole(self, fields: Mapping[str, Any]) -> dict[str, Any]:
        self._expect_needed(fields)
        optional = set(self.fields) - self.fixed - self.filled_in - self.needed
        declared = self.entity.model_fields
        return {
            name: declared[name].get_default(call_default_factory=True) for name in optional
        } | dict(fields)


class Resource(Writable[E, F], Generic[E, F]):
    """Records of one kind, each under a key that its id gives."""

    def __init__(
        self,
        store: Store,
        one: Callable[[str], Ref[E]] | None = None,
        every: Callable[[], Query[E]] | None = None,
    ) -> None:
        """Without access patterns, records are read by the keys of the entity."""
        super().__init__(store)
        entity = cast("type[E]", self.entity)
        self._one = one or partial(by_id, entity)
        self._every = every or partial(by_type, entity)

    @verb(role=None)
    def list(self, *, limit: Limit = DEFAULT_LIMIT, cursor: Cursor | None = None) -> Page[E]:
        """List records, newest first."""
        return item_page(
            self._store,
            self._every(),
            cast("type[E]", self.entity),
            limit=limit,
            cursor=cursor,
            on_bad=skip_bad_item,
            units=MAX_PAGE_UNITS,
        )

    @verb(role=None)
    def get(self, id: RecordId, *, consistent: Consistent = False) -> E:
        """Show a record."""
        return get_existing(self._store, self._one(id), consistent=consistent)

    @verb(role=None, kind="write")
    def update(
        self, id: RecordId, changes: F, *, version: VersionRequired | None = None, by: By = None
    ) -> E:
        """Change fields of a record.

        Omitted fields are kept. Null clears a field, and so does an empty value on the command
        line. With a version: only if the record still has that version.
        """
        self._expect_known(changes)
        expect_future(changes.get("expires_at"), self._store.clock.now())
        current = get_existing(self._store, self._one(id), consistent=True)
        expect_version(current, version)
        return self._store.update(current, **changes, updated_at=self._store.clock.now()).item

    @verb(role=None, kind="write")
    def replace(
        self, id: RecordId, fields: F, *, version: VersionRequired | None = None, by: By = None
    ) -> E:
        """Replace all fields of a record.

        Omitted fields are cleared. With a version: only if the record still has that version.
        """
        return self.update(id, cast("F", self._whole(fields)), version=version, by=by)

    @verb(role=None, kind="write")
    def delete(self, id: RecordId, *, version: Version | None = None, by: By = None) -> None:
        """Delete a record.

        With a version: only if the record still has that version.
        """
        current = get_existing(self._store, self._one(id), consistent=True)
        expect_version(current, version)
        self._store.delete(current, only_if=raw("id").exists())  # of two who try, one has done it

    def add(self, record: E) -> E:
        """Write a new record; an existing one with its id stays."""
        written = self._store.put_new(record)
        if not written.new:
            raise id_taken(record)
        return written.item


def by_id(entity: type[E], id: str) -> Ref[E]:
    """The key of the record with an id, of an entity whose key has no other field."""
    return entity.key(id=id)


def by_type(entity: type[E]) -> Query[E]:
    """All records of an entity, newest first."""
    key = constant_key(entity, BY_TYPE)
    if key is None:
        raise errors.DeclarationError(
            f"{entity.__name__} has no constant Type in the index {BY_TYPE.name}. Declare "
            f'IndexKey(BY_TYPE, "{entity.__name__}", "{{created_at}}").'
        )
    return BoundIndexKey(entity, key).query().newest_first()


def constant_key(entity: type[Entity], index: Index) -> IndexKey | None:
    """The key that puts all items of an entity into one partition of an index."""
    keys = schema_of(entity).index_keys
    return next((key for key in keys if key.index is index and not key.pk.fields), None)


def fields_of(entity: type) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The fields of an entity that can be changed, and those that can be given once."""
    resource = _RESOURCES.get(entity)
    if resource is None:
        return getattr(entity, "editable", ()), getattr(entity, "given_once", ())
    changed = tuple(name for name in resource.fields if name not in resource.fixed)
    return changed, tuple(name for name in resource.fields if name in resource.fixed)
