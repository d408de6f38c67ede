"""Checks declarations when they are imported; each warning says what to do about it."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from math import prod
from typing import Final

from pydantic_core import PydanticUndefined

from gotgan.errors import DeclarationError
from gotgan.store.keys import FewValues, LongKey, TemplateKey
from gotgan.store.schema import Schema
from gotgan.store.tables import KeyAttribute
from gotgan.store.templates import KeyTemplate

_MIN_PARTITIONS: Final = 100


class DeclarationWarning(UserWarning):
    """A declaration that works, and that may hurt when the table grows."""


def check(schema: Schema) -> None:
    """Raise DeclarationError for what cannot work, and warn of what may hurt."""
    for rule in _RULES:
        for complaint in rule(schema):
            raise DeclarationError(f"{schema.entity.__name__}: {complaint}")
    for hint in _few_values(schema):
        warnings.warn(f"{schema.entity.__name__}: {hint}", DeclarationWarning, stacklevel=5)


def _unknown_fields(schema: Schema) -> Iterator[str]:
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


def _shared_attributes(schema: Schema) -> Iterator[str]:
    counted = Counter(part.attribute for part in schema.parts.values())
    for attribute, times in counted.items():
        if times > 1:
            yield f"{times} fields are stored as {attribute}; give each its own Attribute(...)"


def _misfit_keys(schema: Schema) -> Iterator[str]:
    """As many templates as key attributes, each of the attribute's type."""
    if len(schema.key.templates) != len(schema.table.keys):
        yield _template_count_error(schema.key, "the key", schema.table.name, schema.table.keys)
        return
    yield from _misfit_types(schema, schema.key, schema.table.keys)
    for key in schema.index_keys:
        if key.index.table is not schema.table:
            yield f"{key.name} is in an index of {key.index.table.name}; use one of the same table"
        elif len(key.templates) != sum(
            each.name not in key.state_attributes for each in key.index.keys
        ):
            yield _template_count_error(key, key.name, key.index.name, key.index.keys)
        elif len(key.partition) != len(key.index.partition):
            yield (
                f"{key.name} has {len(key.partition)} template(s) for the partition key, and "
                f"{key.index.name} has {len(key.index.partition)} attribute(s) in it; give one for "
                "each"
            )
        else:
            yield from _misfit_types(schema, key, key.index.keys)


def _template_count_error(
    key: TemplateKey, name: str, place: str, attributes: tuple[KeyAttribute, ...]
) -> str:
    return (
        f"{name} has {len(key.templates)} template(s), and {place} has {len(attributes)} key "
        f"attribute(s), {', '.join(each.name for each in attributes)}; give one for each"
    )


def _misfit_types(
    schema: Schema, key: TemplateKey, attributes: tuple[KeyAttribute, ...]
) -> Iterator[str]:
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


def _shared_indexes(schema: Schema) -> Iterator[str]:
    seen: dict[str, str] = {}
    for key in schema.index_keys:
        first = seen.setdefault(key.index.name, key.name)
        if first != key.name:
            yield (
                f"{first} and {key.name} both keep the index {key.index.name}; an item has one "
                "place in an index, so give one of them a separate index"
            )


def _attributes_written_twice(schema: Schema) -> Iterator[str]:
    """What an index key writes is written by nothing else."""
    writers = {each.name: f"the key of {schema.table.name}" for each in schema.table.keys}
    pairs = zip(schema.table.keys, schema.key.templates, strict=False)
    own = {each.name: template.text for each, template in pairs}
    for key in schema.index_keys:
        for name in sorted(key.state_attributes & schema.own):
            yield f"{key.name} keeps {name} itself; store the field under another name"
        made = [
            each.name
            for each, template in zip(key.index.keys, key.templates, strict=False)
            if each.name not in schema.own and own.get(each.name) != template.text
        ]
        for name in (*made, *sorted(key.state_attributes)):
            if name in writers:
                yield (
                    f"{name} is written by {writers[name]} and by {key.name}; give the index a "
                    "separate attribute"
                )
            writers[name] = key.name


def _unwritable_parts(schema: Schema) -> Iterator[str]:
    """What stands in a key can be text, and no part always holds the separator behind it."""
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
    for template in _templates(schema):
        for slot in template.slots:
            if slot.stop and slot.stop in schema.parts[slot.field].holds:
                yield (
                    f"every {slot.field} holds {slot.stop!r}, which ends it in {template.text!r}; "
                    "separate the parts by another character, such as |"
                )


def _unsortable_parts(schema: Schema) -> Iterator[str]:
    """What stands in a sort key sorts as text as its values do."""
    for template in (template for key in _keys(schema) for template in key.sort):
        if _is_number(schema, template):
            continue
        for slot in template.slots:
            reason = schema.parts[slot.field].sorts
            if reason is not None and slot.width is None:
                hint = reason.replace("{name", f"{{{slot.field}")
                yield f"{slot.field} cannot be sorted by in {template.text!r}: {hint}"


def _long_keys(schema: Schema) -> Iterator[str]:
    widths = {name: part.longest for name, part in schema.parts.items()}
    for key in _keys(schema):
        if any(isinstance(each, LongKey) for each in key.acknowledged):
            continue
        for part in (key.partition, key.sort):
            texts = [each for each in part if not _is_number(schema, each)]
            unbounded = [name for each in texts for name in each.unbounded(widths)]
            longest = sum(each.longest(widths) or 0 for each in texts)
            if unbounded:
                yield (
                    f"nothing bounds {' and '.join(unbounded)}, and the key {_text(part)} may have "
                    f"{part[0].limit:,} bytes; use Id, or a max_length, or long='sha256', or say "
                    "acknowledge=[LongKey('why')]"
                )
            elif texts and longest > part[0].limit:
                yield (
                    f"the key {_text(part)} can have {longest:,} bytes and may have "
                    f"{part[0].limit:,}; lower a max_length (a character can take 4 bytes), or "
                    "say acknowledge=[LongKey('why')]"
                )


def _optional_key_parts(schema: Schema) -> Iterator[str]:
    for name in sorted(schema.key.fields):
        if schema.parts[name].optional:
            yield f"{name} is part of the key and cannot be None; declare it without | None"
    for name, field in schema.fields.items():
        hashed = [each.fields[-1:] for each in schema.key.templates if each.hashes]
        if field.key_only and (name not in schema.key.fields or (name,) in hashed):
            yield f"{name} is KeyOnly and must be a part of the key that is never hashed"


def _unreadable_values(schema: Schema) -> Iterator[str]:
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


def _wrong_ttl_or_version(schema: Schema) -> Iterator[str]:
    for part in schema.parts.values():
        if part.attribute == schema.table.ttl and not part.is_seconds:
            yield (
                f"{part.name} is the table's time to live and must be a number of seconds; "
                "declare it Epoch"
            )
    name = schema.version
    if name is not None and schema.entity.model_fields[name].annotation is not int:
        yield f"version={name!r} must be an int; declare it {name}: int = 1"


def _ambiguous_keys(schema: Schema) -> Iterator[str]:
    """Items carry no marks of ours: their keys alone say what they are."""
    for other in schema.table.entities:
        theirs = other.__schema__.key
        pairs = zip(schema.key.templates, theirs.templates, strict=True)
        if all(_can_look_alike(mine, their) for mine, their in pairs):
            yield (
                f"its keys look like those of {other.__name__}; begin one of the templates with "
                "another word"
            )


def _can_look_alike(one: KeyTemplate, other: KeyTemplate) -> bool:
    if not (one.slots and other.slots):
        fixed, open_one = (other, one) if one.slots else (one, other)
        return open_one.read(fixed.start) is not None
    if one.start == other.start and one.slots[0].stop == other.slots[0].stop:
        # The first parts begin and end alike: what is behind them can tell.
        return _can_look_alike(one.behind, other.behind)
    return one.start.startswith(other.start) or other.start.startswith(one.start)


def _few_values(schema: Schema) -> Iterator[str]:
    places: list[tuple[str, TemplateKey]] = [(key.index.name, key) for key in schema.index_keys]
    if schema.key.sk is not None and _count(schema, schema.key.sort) is None:
        places.insert(0, (schema.table.name, schema.key))  # one partition can have many items
    for place, key in places:
        count = _count(schema, key.partition)
        acknowledged = any(isinstance(each, FewValues) for each in key.acknowledged)
        if count is not None and count < _MIN_PARTITIONS and not acknowledged:
            yield (
                f"the partition {_text(key.partition)} of {place} has {count} value(s), and one "
                "partition takes 1,000 write units a second; add a field to it, or say "
                "acknowledge=[FewValues('why')]"
            )


def _count(schema: Schema, templates: tuple[KeyTemplate, ...]) -> int | None:
    """How many keys templates can give; None where they are many."""
    names = {name for template in templates for name in template.fields}
    counts = [schema.parts[name].values for name in names]
    return None if None in counts else prod(count or 0 for count in counts)


def _text(part: tuple[KeyTemplate, ...]) -> str:
    """The templates of one part of a key, as they were written."""
    return ", ".join(repr(template.text) for template in part)


def _is_number(schema: Schema, template: KeyTemplate) -> bool:
    return template.is_one_field and schema.parts[template.fields[0]].key_type == "N"


def _keys(schema: Schema) -> list[TemplateKey]:
    return [schema.key, *schema.index_keys]


def _templates(schema: Schema) -> Iterator[KeyTemplate]:
    return (template for key in _keys(schema) for template in key.templates)


_RULES: Final[tuple[Callable[[Schema], Iterator[str]], ...]] = (
    _unknown_fields,
    _shared_attributes,
    _misfit_keys,
    _shared_indexes,
    _attributes_written_twice,
    _unwritable_parts,
    _unsortable_parts,
    _long_keys,
    _optional_key_parts,
    _unreadable_values,
    _wrong_ttl_or_version,
    lambda schema: (line for key in schema.index_keys for line in key.complaints(schema.parts)),
    _ambiguous_keys,
)
