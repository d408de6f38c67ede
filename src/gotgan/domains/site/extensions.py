"""Types of other packages: resources that entry points in the group ``gotgan.site`` name.

    [project.entry-points."gotgan.site"]
    events = "my_site:Events"

``Events`` is a ``Resource`` whose entity is in the table of the site. Library, command line, HTTP,
console, MCP and the generated policies offer it like those of this package. A declaration that
cannot work is an error at start, which names the package; docs/site.md builds one step by step.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.metadata import entry_points
from typing import Any, Final

from gotgan.domain import load_point, package_of
from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.domains.site.resource import Resource, by_id, by_type, constant_key
from gotgan.errors import DeclarationError
from gotgan.items import type_of
from gotgan.store import Entity, Query, Ref, entities_of, pattern
from gotgan.store.schema import schema_of

__all__ = ["GROUP", "RESERVED", "extensions"]

GROUP: Final = "gotgan.site"
"""The group of entry points that name types of other packages."""
RESERVED: Final = frozenset(
    {
        *("adopt", "banners", "categories", "close", "company", "domain", "drafts", "extensions"),
        *("has_mails", "inquiries", "is_adoption_due", "is_to_adopt", "keep_post", "mails"),
        *("migrate", "open", "people", "posts", "prepare", "resource", "runs", "send_mails"),
        *("preview", "setup", "sign_in", "summary", "template", "tokens", "types", "unset"),
        "users",
    }
)
"""Names that the service, its commands or its pages have already."""
_OWN: Final = "gotgan."
_NAME: Final = re.compile(r"[a-z][a-z0-9_]*")
_TYPE: Final = re.compile(r"[A-Za-z][A-Za-z0-9]*")


@cache
def extensions() -> Mapping[str, type[Resource[Any, Any]]]:
    """The resources of other packages, by name."""
    found: dict[str, type[Resource[Any, Any]]] = {}
    for point in sorted(entry_points(group=GROUP), key=lambda each: each.name):
        subject = f"The site type {point.name} of the package {package_of(point)}"
        kind = load_point(point, subject)
        problem = next(_problems(point.name, kind, found), None)
        if problem is not None:
            raise DeclarationError(f"{subject} ({point.value}) {problem}")
        found[point.name] = kind
    for name, kind in found.items():
        kind.path = f"items/{type_of(kind.entity)}"
        if kind.__init__ is Resource.__init__:
            _declare_reads(name, kind)
    return found


def _declare_reads(name: str, kind: type[Resource[Any, Any]]) -> None:
    """Declare how records are read by default, as policies and pages know reads by patterns."""

    def one(id: str) -> Ref[Any]:
        return by_id(kind.entity, id)

    def every() -> Query[Any]:
        return by_type(kind.entity)

    one.__name__, one.__doc__ = f"{name}_get", f"One {kind.noun}, by its id."
    every.__name__, every.__doc__ = f"{name}_list", f"All {name}, newest first."
    pattern(one)
    pattern(every)


def _problems(name: str, kind: Any, others: Mapping[str, type[Any]]) -> Iterator[str]:
    """What is wrong with a declaration, and what to do about it."""
    if not _NAME.fullmatch(name):
        yield "needs another name. Use lowercase letters, digits and underscores."
    if name in RESERVED or name in others:
        yield "has a name that is taken. Choose another name for the entry point."
    if not (isinstance(kind, type) and issubclass(kind, Resource) and hasattr(kind, "entity")):
        yield "is not a resource. Name a subclass of Resource[Entity, Fields]."
        return
    entity = kind.entity
    if vars(entity).get("__schema__") is None or schema_of(entity).table is not SITE:
        yield f"is not in the table of the site. Declare {entity.__name__} with table=SITE."
        return
    known = {each.entity for each in others.values()}
    if entity in known or entity.__module__.startswith(_OWN):
        yield f"has an entity that is taken: {_full_name(entity)}. Declare one for this type alone."
    yield from _entity_problems(entity)
    if schema_of(entity).key.fields != {"id"} and kind.__init__ is Resource.__init__:
        yield (
            f"is not found by its id alone: the key of {entity.__name__} is {_key_text(entity)}. "
            "Use a key with {id} only, or pass access patterns to Resource.__init__."
        )
    if not any(hasattr(vars(each).get("create"), "__verb__") for each in kind.__mro__):
        yield "cannot be created. Add a verb called create."


def _entity_problems(entity: type[Entity]) -> Iterator[str]:
    """What keeps an entity from living beside the others of the table."""
    if constant_key(entity, BY_TYPE) is None:
        yield (
            f"has no Type. Add to {entity.__name__}: by_type = "
            f'IndexKey(BY_TYPE, "{entity.__name__}", "{{created_at}}", acknowledge=[FEW_TYPES]).'
        )
        return
    if not _TYPE.fullmatch(type_of(entity)):
        yield f"has the Type {type_of(entity)!r}. Use letters and digits only."
    if schema_of(entity).version is None:
        yield f'has no version. Declare {entity.__name__} with version="version".'
    for other in entities_of(SITE):
        if other is entity:
            continue
        if type_of(entity) == type_of(other) or entity.__name__ == other.__name__:
            yield (
                f"has a Type or a class name that is taken by {_full_name(other)}: "
                f"{type_of(other)}. Rename it."
            )


def _key_text(entity: type[Entity]) -> str:
    return " / ".join(each.text for each in schema_of(entity).key.templates)


def _full_name(entity: type[Entity]) -> str:
    return f"{entity.__module__}.{entity.__qualname__}"
