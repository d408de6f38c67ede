"""What is wrong with a declaration, said at import, with what to do about it."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from pydantic_core import PydanticUndefined

from gotgan.errors import DeclarationError
from gotgan.store.fields import Field
from gotgan.store.keys import FewValues, IndexKey, LongKey, Templated
from gotgan.store.schema import Schema
from gotgan.store.tables import Index, KeyAttribute, Table
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
        yield _unequal(schema.key, "the key", schema.table.name, schema.table.keys)
        return
    yield from _fitting(schema, schema.key, schema.table.keys)
    for key in schema.index_keys:
        if key.index.table is not schema.table:
            yield f"{key.name} is in an index of {key.index.table.name}; use one of its own table"
        elif len(key.templates) != sum(each.name not in key.kept for each in key.index.keys):
            yield _unequal(key, key.name, key.index.name, key.index.keys)
        else:
            yield from _fitting(schema, key, key.index.keys)


def _unequal(key: Templated, name: str, place: str, attributes: tuple[KeyAttribute, ...]) -> str:
    return (
        f"{name} has {len(key.templates)} template(s), and {place} has {len(attributes)} key "
        f"attribute(s), {', '.join(each.name for each in attributes)}; give one for each"
    )


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


def _own_attributes(schema: Schema) -> Iterator[str]:
    """What an index key writes is written by nothing else."""
    writers = {each.name: f"the key of {schema.table.name}" for each in schema.table.keys}
    for key in schema.index_keys:
        for name in sorted(key.kept & schema.own):
            yield f"{key.name} keeps {name} itself; store the field under another name"
        for name in _written(schema, key):
            if name in writers:
                yield (
                    f"{name} is written by {writers[name]} and by {key.name}; give the index an "
                    "attribute of its own"
                )
            writers[name] = key.name


def _written(schema: Schema, key: IndexKey) -> list[str]:
    """The attributes that an index key gives an item, but for those that it has anyway."""
    own = {each.name: template.text for each, template in _keyed(schema.table, schema.key)}
    made = [
        each.name
        for each, template in _keyed(key.index, key)
        if each.name not in schema.own and own.get(each.name) != template.text
    ]
    return [*made, *sorted(key.kept)]


def _keyed(place: Table | Index, key: Templated) -> Iterator[tuple[KeyAttribute, Template]]:
    return zip(place.keys, key.templates, strict=False)


def _separable(schema: Schema) -> Iterator[str]:
    """No part of a key holds the separator behind it in each of its values."""
    for template in _templates(schema):
        for slot in template.slots:
            if slot.stop and slot.stop in schema.parts[slot.field].holds:
                yield (
                    f"every {slot.field} holds {slot.stop!r}, which ends it in {template.text!r}; "
                    "separate the parts by another character, such as |"
                )


def _writable(schema: Schema) -> Iterator[str]:
    """What stands in a key can be text."""
    for template in _templates(schema):
        for slot in template.slots:
            part = schema.parts[slot.field]
            kind = part.key_type
            if slot.width is not None and not part.is_whole:
                yield f"{slot.field} is no whole number; leave out its width in {template.text!r}"
            elif not template.is_one_field and kind not in ("S", "N", "BOOL"):
                yield (
                    f"{slot.field} is stored as {kind} and cannot be part of the key "
                    f"{template.text!r}; make it of a text or a number"
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
            if not _is_number(schema, template):
                yield from _too_long(template, widths)


def _too_long(template: Template, widths: dict[str, int | None]) -> Iterator[str]:
    longest = template.longest(widths)
    if longest is None:
        yield (
            f"nothing bounds {' and '.join(template.unbounded(widths))}, and the key "
            f"{template.text!r} may have {template.limit:,} bytes; use Id, or a max_length, or "
            "long='sha256', or say acknowledge=[LongKey('why')]"
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


def _read_back(schema: Schema) -> Iterator[str]:
    """What is stored comes back as it was."""
    for part in schema.parts.values():
        if "." in part.attribute:
            yield (
                f"{part.name} is stored as {part.attribute!r}, and a dot leads into a map; leave "
                "it out"
            )
    for name, field in schema.fields.items():
        default = schema.entity.model_fields[name].default
        if field.optional and default is not None and default is not PydanticUndefined:
            yield (
                f"{name} can be None, which is not stored, and would be read back as {default!r}; "
                "make its default None"
            )


def _expiring(schema: Schema) -> Iterator[str]:
    for part in schema.parts.values():
        if part.attribute == schema.table.ttl and not part.is_seconds:
            yield (
                f"{part.name} is the table's time to live and must be a number of seconds; "
                "declare it Epoch"
            )


def _counting(schema: Schema) -> Iterator[str]:
    name = schema.version
    if name is not None and schema.entity.model_fields[name].annotation is not int:
        yield f"version={name!r} must be an int; declare it {name}: int = 1"


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
    if not (one.slots and other.slots):
        fixed, open_one = (other, one) if one.slots else (one, other)
        return open_one.read(fixed.start) is not None
    if one.start == other.start and one.slots[0].stop == other.slots[0].stop:
        # The first parts begin and end alike: what is behind them can tell.
        return _can_look_alike(one.behind, other.behind)
    return one.start.startswith(other.start) or other.start.startswith(one.start)


def _few_values(schema: Schema) -> Iterator[str]:
    for place, key in _spread(schema):
        count = _count(schema, key.pk)
        told = any(isinstance(each, FewValues) for each in key.acknowledged)
        if count is not None and count < _FEW and not told:
            yield (
                f"the partition {key.pk.text!r} of {place} has {count} value(s), and one partition "
                "takes 1,000 write units a second; add a field to it, or say "
                "acknowledge=[FewValues('why')]"
            )


def _spread(schema: Schema) -> Iterator[tuple[str, Templated]]:
    """The keys under which there can be many items, and where they are."""
    key = schema.key
    if key.sk is not None and _count(schema, key.sk) is None:
        yield schema.table.name, key
    for each in schema.index_keys:
        yield each.index.name, each


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
    _own_attributes,
    _writable,
    _separable,
    _sortable,
    _short_enough,
    _needed_parts,
    _read_back,
    _expiring,
    _counting,
    _own_rules,
    _told_apart,
)
