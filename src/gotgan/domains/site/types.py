"""The types of the site's table, from the declarations of entities.

Other packages add types by entry points in the group ``gotgan.site``, each naming a ``Resource``
whose entity is in the table of the site; docs/site.md builds one step by step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

from gotgan import verbs
from gotgan.domain import load_entry_point, package_name
from gotgan.domains.site import messages, resource
from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.domains.site.models import Role
from gotgan.errors import DeclarationError, NotFound
from gotgan.items import item_page, item_schema, item_type
from gotgan.store import (
    Entity,
    IndexKey,
    Page,
    Query,
    Ref,
    Store,
    entities_of,
    pattern,
    patterns_of,
)
from gotgan.store.keys import BoundIndexKey
from gotgan.store.patterns import AnyPattern
from gotgan.store.schema import schema_of
from gotgan.store.tables import Index


@dataclass(frozen=True)
class TypeDescription:
    """A type of the table."""

    type: str
    description: str
    key: Mapping[str, str]
    """The key of its items, by the name of each attribute."""
    indexes: Mapping[str, Mapping[str, str]]
    """The keys of its items in indexes."""
    patterns: tuple[Mapping[str, Any], ...]
    """How its items are read."""
    readable_by: verbs.Role
    writable_by: Role | None
    """The role that may write it; null if no role may."""
    writable: tuple[str, ...]
    """The attributes that can be changed."""
    writable_once: tuple[str, ...]
    """The attributes that can be given when it is created."""
    schema: Mapping[str, Any]
    """The JSON Schema of its items."""


class Types:
    """The types of a table with their entities."""

    def __init__(self, store: Store, index: Index = BY_TYPE) -> None:
        self._store = store
        self._index = index

    def all(self) -> dict[str, type[Entity]]:
        """Every type, by its name."""
        declared = [
            (resource.constant_key(entity, self._index), entity)
            for entity in entities_of(self._index.table)
        ]
        return {key.pk.text: entity for key, entity in declared if key is not None}

    def entity(self, name: str) -> type[Entity]:
        """The entity of a type."""
        known = self.all()
        if name not in known:
            raise NotFound(messages.NO_TYPE(type=repr(name), known=sorted(known)))
        return known[name]

    def list(
        self, name: str, *, limit: int = resource.DEFAULT_LIMIT, cursor: str | None = None
    ) -> Page[Entity]:
        """A page of the items of a type, newest first."""
        entity = self.entity(name)
        key = resource.constant_key(entity, self._index)
        query: Query[Entity] = BoundIndexKey(entity, key).query() if key else Query(())
        newest = query.newest_first()
        return item_page(
            self._store, newest, entity, limit=limit, cursor=cursor, on_bad=resource.skip_bad_item
        )

    def describe(self, name: str) -> TypeDescription:
        """The description of a type."""
        entity = self.entity(name)
        schema = schema_of(entity)
        table = self._index.table
        changed, given_once = resource.fields_of(entity)
        templates = zip(table.keys, schema.key.templates, strict=True)
        return TypeDescription(
            type=name,
            description=(entity.__doc__ or "").strip(),
            key={key.name: template.text for key, template in templates},
            indexes={key.index.name: _key_texts(key) for key in schema.index_keys},
            patterns=tuple(
                _pattern_fields(each)
                for each in patterns_of(table)
                if any(entity.__name__ in read.entities for read in each.reads)
            ),
            readable_by=read_role(entity) or "public",
            writable_by=getattr(entity, "written_by", None),
            writable=tuple(schema.attribute(name) for name in changed),
            writable_once=tuple(schema.attribute(name) for name in given_once),
            schema=item_schema(entity),
        )


def read_role(entity: type[Entity]) -> Role | None:
    """The least role that may read an entity; an admin, where its declaration says nothing."""
    role: Role | None = getattr(entity, "read_by", "admin")
    return role


def _key_texts(key: IndexKey) -> dict[str, str]:
    pairs = zip(key.index.keys, key.templates, strict=False)
    return {attribute.name: template.text for attribute, template in pairs}


def _pattern_fields(each: AnyPattern) -> dict[str, Any]:
    return {
        "name": each.name,
        "signature": each.signature,
        "description": each.doc,
        "reads": [
            {
                "operation": read.operation,
                "index": None if read.index is None else read.index.name,
                "partition": read.pk,
                "sort": read.behind_pk or None,
                "newestFirst": read.newest_first,
            }
            for read in each.reads
        ],
    }


ENTRY_POINT_GROUP: Final = "gotgan.site"
"""The group of entry points that name types of other packages."""
RESERVED_NAMES: Final = frozenset(
    {
        *("adopt", "banners", "categories", "close", "company", "domain", "drafts", "extensions"),
        *("has_mails", "inquiries", "is_adoption_due", "is_to_adopt", "keep_post", "mails"),
        *("migrate", "open", "people", "posts", "prepare", "resource", "runs", "send_mails"),
        *("preview", "rebuild", "refresh", "rereads_documents", "search_documents", "setup"),
        *("sign_in", "summary", "template", "tokens", "try_setup", "types", "unset", "users"),
    }
)
"""Names that the service, its commands or its pages have already."""
_OWN_PREFIX: Final = "gotgan."
_NAME_PATTERN: Final = re.compile(r"[a-z][a-z0-9_]*")
_TYPE_PATTERN: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")


@cache
def load_extensions() -> Mapping[str, type[resource.Resource[Any, Any]]]:
    """The resources of other packages, by name."""
    found: dict[str, type[resource.Resource[Any, Any]]] = {}
    for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda each: each.name):
        subject = f"The site type {point.name} of the package {package_name(point)}"
        kind = load_entry_point(point, subject)
        problem = next(_problems(point.name, kind, found), None)
        if problem is not None:
            raise DeclarationError(f"{subject} ({point.value}) {problem}")
        found[point.name] = kind
    for name, kind in found.items():
        kind.path = f"items/{item_type(kind.entity)}"
        if kind.__init__ is resource.Resource.__init__:
            _declare_reads(name, kind)
    return found


def _declare_reads(name: str, kind: type[resource.Resource[Any, Any]]) -> None:
    """Declare how records are read by default, as policies and pages know reads by patterns."""

    def one(id: str) -> Ref[Any]:
        return resource.by_id(kind.entity, id)

    def every() -> Query[Any]:
        return resource.by_type(kind.entity)

    one.__name__, one.__doc__ = f"{name}_get", f"One {kind.noun}, by its id."
    every.__name__, every.__doc__ = f"{name}_list", f"All {name}, newest first."
    pattern(one)
    pattern(every)


def _problems(name: str, kind: Any, others: Mapping[str, type[Any]]) -> Iterator[str]:
    """What is wrong with a declaration, and what to do about it."""
    if not _NAME_PATTERN.fullmatch(name):
        yield "needs another name. Use lowercase letters, digits and underscores."
    if name in RESERVED_NAMES or name in others:
        yield "has a name that is taken. Choose another name for the entry point."
    if not (
        isinstance(kind, type) and issubclass(kind, resource.Resource) and hasattr(kind, "entity")
    ):
        yield "is not a resource. Name a subclass of Resource[Entity, Fields]."
        return
    entity = kind.entity
    if vars(entity).get("__schema__") is None or schema_of(entity).table is not SITE:
        yield f"is not in the table of the site. Declare {entity.__name__} with table=SITE."
        return
    known = {each.entity for each in others.values()}
    if entity in known or entity.__module__.startswith(_OWN_PREFIX):
        yield f"has an entity that is taken: {_full_name(entity)}. Declare one for this type alone."
    yield from _entity_problems(entity)
    if schema_of(entity).key.fields != {"id"} and kind.__init__ is resource.Resource.__init__:
        key = " / ".join(each.text for each in schema_of(entity).key.templates)
        yield (
            f"is not found by its id alone: the key of {entity.__name__} is {key}. "
            "Use a key with {id} only, or pass access patterns to Resource.__init__."
        )
    if not any(hasattr(vars(each).get("create"), "__verb__") for each in kind.__mro__):
        yield "cannot be created. Add a verb called create."


def _entity_problems(entity: type[Entity]) -> Iterator[str]:
    """What keeps an entity from living beside the others of the table."""
    if resource.constant_key(entity, BY_TYPE) is None:
        yield (
            f"has no Type. Add to {entity.__name__}: by_type = "
            f'IndexKey(BY_TYPE, "{entity.__name__}", "{{created_at}}", acknowledge=[FEW_TYPES]).'
        )
        return
    if not _TYPE_PATTERN.fullmatch(item_type(entity)):
        yield f"has the Type {item_type(entity)!r}. Use letters and digits only."
    if schema_of(entity).version is None:
        yield f'has no version. Declare {entity.__name__} with version="version".'
    for other in entities_of(SITE):
        if other is entity:
            continue
        if item_type(entity) == item_type(other) or entity.__name__ == other.__name__:
            yield (
                f"has a Type or a class name that is taken by {_full_name(other)}: "
                f"{item_type(other)}. Rename it."
            )


def _full_name(entity: type[Entity]) -> str:
    return f"{entity.__module__}.{entity.__qualname__}"
