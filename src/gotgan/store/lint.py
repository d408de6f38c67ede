"""What is wrong with a declaration, said at import, with what to do about it."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from gotgan.errors import DeclarationError
from gotgan.store.fields import Field
from gotgan.store.keys import FewValues, LongKey, Templated
from gotgan.store.schema import Schema
from gotgan.store.tables import KeyAttribute
from gotgan.store.templates import Template

__all__ = ["DeclarationWarning", "check"]

_FEW: Final = 100


class DeclarationWarning(UserWarning):
    """A declaration that works, and that may hurt when the table grows."""


def check(schema: Schema) -> None:
    """Raise DeclarationError for what cannot work, and warn of what may hurt."""
    for rule in _RULES:
        for complaint in rule(schema):
            raise DeclarationError(f"{schema.entity.__name__}: {complaint}")
    for hint in _few_values(schema):
        warnings.warn(f"{schema.entity.__name__}: {hint}", DeclarationWarning, stacklevel=5)


def _known_fields(schema: Schema) -> Iterator[str]:
    """Every name in a template, and every name that an option gives, is a field."""
    there = ", ".join(schema.parts)
    for template in _templates(schema):
        for name in template.fields:
            if name not in schema.parts:
                yield f"{{{name}}} in {template.text!r} is no field; there are {there}"
    named = {"version": [schema.version] if schema.version else [], "identity": schema.identity}
    for option, names in named.items():
        for name in names:
            if name not in schema.fields:
                yield f"{option}={name!r} names no field; there are {there}"
    for name, derived in schema.derived.items():
        for source in derived.inputs:
            if source not in schema.parts:
                yield f"{name} is derived from {source!r}, which is no field; there are {there}"


def _one_name_each(schema: Schema) -> Iterator[str]:
    counted = Counter(part.attribute for part in schema.parts.values())
    for attribute, times in counted.items():
        if times > 1:
            yield f"{times} fields are stored as {attribute}; give each its own Attribute(...)"


def _fitting_keys(schema: Schema) -> Iterator[str]:
    """As many templates as key attributes, each of the attribute's type."""
    if len(schema.key.templates) != len(schema.table.keys):
        yield (
            f"its key has {len(schema.key.templates)} templates, and the table "
            f"{schema.table.name} has {len(schema.table.keys)} key attributes"
        )
        return
    yield from _fitting(schema, schema.key, schema.table.keys)
    for key in schema.index_keys:
        if key.index.table is not schema.table:
            yield f"{key.name} is in an index of {key.index.table.name}; use one of its own table"
        elif len(key.templates) + len(key.kept) < len(key.index.keys):
            yield f"{key.name} needs a template for each key attribute of {key.index.name}"
        else:
            yield from _fitting(schema, key, key.index.keys)


def _fitting(schema: Schema, key: Templated, attributes: tuple[KeyAttribute, ...]) -> Iterator[str]:
    by_attribute = {part.attribute: part for part in schema.parts.values()}
    for attribute, template in zip(attributes, key.templates, strict=False):
        part = schema.parts[template.fields[0]] if template.is_one_field else None
        given = "S" if part is None else part.key_type
        if given != attribute.type:
            yield (
                f"{template.text!r} gives {given}, and the key attribute {attribute.name} is "
                f"{attribute.type}; declare it with number() or binary(), or change the field"
            )
        own = by_attribute.get(attribute.name)
        if own is not None and part is not own:
            yield (
                f"the key attribute {attribute.name} is the field {own.name} as well; its template "
                f"must be '{{{own.name}}}'"
            )


def _one_key_per_index(schema: Schema) -> Iterator[str]:
    seen: dict[str, str] = {}
    for key in schema.index_keys:
        first = seen.setdefault(key.index.name, key.name)
        if first != key.name:
            yield (
                f"{first} and {key.name} both keep the index {key.index.name}; an item has one "
                "place in an index, so give one of them an index of its own"
            )


def _sortable(schema: Schema) -> Iterator[str]:
    """What stands in a sort key sorts as text as its values do."""
    for key in _keys(schema):
        if key.sk is None or _is_number(schema, key.sk):
            continue
        for slot in key.sk.slots:
            reason = schema.parts[slot.field].sorts
            if reason is not None and slot.width is None:
                hint = reason.replace("{name", f"{{{slot.field}")
                yield f"{slot.field} cannot be sorted by in {key.sk.text!r}: {hint}"


def _short_enough(schema: Schema) -> Iterator[str]:
    widths = {name: part.longest for name, part in schema.parts.items()}
    for key in _keys(schema):
        if any(isinstance(each, LongKey) for each in key.acknowledged):
            continue
        for template in key.templates:
            if not template.hashes and not _is_number(schema, template):
                yield from _too_long(schema, template, template.longest(widths))


def _too_long(schema: Schema, template: Template, longest: int | None) -> Iterator[str]:
    if longest is None:
        unbounded = [name for name in template.fields if schema.parts[name].longest is None]
        yield (
            f"nothing bounds {' and '.join(unbounded)}, and the key {template.text!r} may have "
            f"{template.limit:,} bytes; use Id, or a max_length, or long='sha256', or say "
            "acknowledge=[LongKey('why')]"
        )
    elif longest > template.limit:
        yield (
            f"the key {template.text!r} can have {longest:,} bytes and may have "
            f"{template.limit:,}; lower a max_length (a character can take 4 bytes), or say "
            "acknowledge=[LongKey('why')]"
        )


def _own_rules(schema: Schema) -> Iterator[str]:
    for key in schema.index_keys:
        yield from key.complaints(schema.parts)


def _needed_parts(schema: Schema) -> Iterator[str]:
    for name in sorted(schema.key.fields):
        if schema.parts[name].optional:
            yield f"{name} is part of the key and cannot be None; declare it without | None"
    for name, field in schema.fields.items():
        if field.key_only and (name not in schema.key.fields or _is_hashed(schema, name)):
            yield f"{name} is KeyOnly and must be a part of the key that is never hashed"


def _is_hashed(schema: Schema, name: str) -> bool:
    return any(each.hashes and each.fields[-1:] == (name,) for each in schema.key.templates)


def _expiring(schema: Schema) -> Iterator[str]:
    for part in schema.parts.values():
        if part.attribute == schema.table.ttl and part.key_type != "N":
            yield f"{part.name} is the table's time to live and must be a number; declare it Epoch"


def _counting(schema: Schema) -> Iterator[str]:
    if schema.version is not None and schema.fields[schema.version].key_type != "N":
        yield f"version={schema.version!r} must be an int"


def _told_apart(schema: Schema) -> Iterator[str]:
    """Items carry no marks of ours: their keys alone say what they are."""
    for other in schema.table.entities:
        theirs = other.__schema__.key
        pairs = zip(schema.key.templates, theirs.templates, strict=True)
        if all(_can_look_alike(mine, their) for mine, their in pairs):
            yield (
                f"its keys cannot be told from those of {other.__name__}; begin one of the "
                "templates with another word"
            )


def _can_look_alike(one: Template, other: Template) -> bool:
    for first, second in ((one, other), (other, one)):
        if not first.slots:
            return second.read(first.text) is not None or first.text == second.text
    return one.start.startswith(other.start) or other.start.startswith(one.start)


def _few_values(schema: Schema) -> Iterator[str]:
    for key in schema.index_keys:
        count = _count(schema, key.pk)
        told = any(isinstance(each, FewValues) for each in key.acknowledged)
        if count is not None and count < _FEW and not told:
            yield (
                f"the partition {key.pk.text!r} of {key.index.name} has {count or 1} value(s), and "
                "one partition takes 1,000 write units a second; add a field to it, or say "
                "acknowledge=[FewValues('why')]"
            )


def _count(schema: Schema, template: Template) -> int | None:
    total = 1
    for name in template.fields:
        values = schema.parts[name].values
        if values is None:
            return None
        total *= values
    return total


def _is_number(schema: Schema, template: Template) -> bool:
    return template.is_one_field and _first(schema, template).key_type == "N"


def _first(schema: Schema, template: Template) -> Field:
    return schema.parts[template.fields[0]]


def _keys(schema: Schema) -> list[Templated]:
    return [schema.key, *schema.index_keys]


def _templates(schema: Schema) -> Iterator[Template]:
    for key in _keys(schema):
        yield from key.templates


_RULES: Final[tuple[Callable[[Schema], Iterator[str]], ...]] = (
    _known_fields,
    _one_name_each,
    _fitting_keys,
    _one_key_per_index,
    _sortable,
    _short_enough,
    _needed_parts,
    _expiring,
    _counting,
    _own_rules,
    _told_apart,
)
