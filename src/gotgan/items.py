"""Entities that are shown as their items are stored, such as those of the site.

Such an entity sets ``stored_form``: its JSON has its ``Type``, the names of its attributes, moments
as they are stored, and nothing that is not set. ``hidden`` fields are left out; of one that
``is_open`` further attributes are shown too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property, partial
from math import inf
from typing import Any, Final, Generic, TypeVar

from pydantic.json_schema import JsonSchemaValue

from gotgan.errors import BadItem
from gotgan.messages import Message
from gotgan.store import Entity, Page, Query, Store
from gotgan.store.attributes import Item, decode
from gotgan.store.fields import Field
from gotgan.store.schema import OnBad, load_or_report, schema_of

E = TypeVar("E", bound=Entity)

_PYTHON_TYPES: Final[Mapping[str, tuple[type, ...]]] = {"N": (int,), "mixed": (str, dict)}
_TIMESTAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def record_item(record: Entity) -> dict[str, Any]:
    """A record as its item is stored, with the attributes that are computed for it."""
    item: dict[str, Any] = {"Type": item_type(type(record))}
    values = vars(record)  # a page has hundreds of them, and a model's own way there is slow
    for name, attribute, dump in _visible_fields(type(record)):
        value = values[name]
        if value is None:
            continue
        if dump is not None and not isinstance(value, Message):  # which is rendered later
            value = dump(value)
        item[attribute] = value
    if getattr(record, "is_open", False):
        item = {**schema_of(type(record)).others(record), **item}
    for name in getattr(record, "shown_with", ()):
        value = getattr(record, name)
        if value is not None:
            item[name] = value
    return item


@cache
def item_type(entity: type[Entity]) -> str:
    """The ``Type`` of an entity's items: the constant that puts them into the index."""
    keys = schema_of(entity).index_keys
    return next((key.pk.text for key in keys if not key.pk.fields), entity.__name__)


class ItemPage(Page[E], Generic[E]):
    """A page that keeps its items as they are shown; records are made when it is iterated."""

    shown: tuple[dict[str, Any], ...]

    def __init__(
        self, entity: type[E], found: Page[tuple[Item, dict[str, Any]]], on_bad: OnBad
    ) -> None:
        shown = tuple(each for _, each in found.items)
        load = partial(load_or_report, schema_of(entity), on_bad, held=None)
        vars(self).update(
            cursor=found.cursor, cost=found.cost, read=found.read, shown=shown, _load=load
        )
        vars(self)["_raw"] = tuple(item for item, _ in found.items)

    @cached_property
    def items(self) -> tuple[E, ...]:
        """The records, without those that turn out to be invalid."""
        made = map(vars(self)["_load"], vars(self)["_raw"])
        return tuple(each for each in made if each is not None)

    def __len__(self) -> int:
        return len(self.shown)


def item_page(
    store: Store,
    query: Query[E],
    entity: type[E],
    *,
    on_bad: OnBad,
    limit: int,
    cursor: str | None = None,
    units: float = inf,
) -> ItemPage[E]:
    """A page of items that is mostly returned as JSON, such as a list of posts."""
    show = item_renderer(entity, on_bad)
    found = store.query_as(query, show, limit=limit, cursor=cursor, units=units)
    return ItemPage(entity, found, on_bad)


def item_renderer(
    entity: type[Entity], on_bad: OnBad
) -> Callable[[Item], tuple[Item, dict[str, Any]] | None]:
    """Make the function that renders an entity's items without making entities.

    An item that is not plainly valid is made an entity after all; one that cannot be is reported to
    ``on_bad`` and left out.
    """
    columns, start = _Columns.of(entity), {"Type": item_type(entity)}
    is_open = getattr(entity, "is_open", False)

    def show(item: Item) -> tuple[Item, dict[str, Any]] | None:
        if is_open:  # it shows what no field has
            return carefully(item)
        try:
            texts = {name: value["S"] for name, value in item.items() if name in columns.texts}
            others = {name: decode(item[name]) for name in columns.kinds if name in item}
        except KeyError:  # another type than it should have
            return carefully(item)
        made = {**start, **texts, **others}
        return (item, made) if columns.fit(made) else carefully(item)

    def carefully(item: Item) -> tuple[Item, dict[str, Any]] | None:
        try:
            return item, record_item(schema_of(entity).load(item))
        except BadItem as misfit:
            on_bad(misfit)
            return None

    return show


@cache
def _visible_fields(
    entity: type[Entity],
) -> tuple[tuple[str, str, Callable[[Any], Any] | None], ...]:
    """The fields that are shown: their names, their attributes, and what writes their form."""
    hidden = getattr(entity, "hidden", ())
    fields = schema_of(entity).fields.items()
    return tuple(
        (name, field.attribute, None if field.form is None else field.dump)
        for name, field in fields
        if name not in hidden
    )


@dataclass(frozen=True)
class _Columns:
    """The attributes of an entity that are shown, and what they can be."""

    texts: frozenset[str]
    kinds: Mapping[str, tuple[type, ...]]
    """The Python types of those that are not text; empty where they need a full check."""
    required: frozenset[str]
    stamps: tuple[str, ...]
    choices: Mapping[str, frozenset[Any]]

    @classmethod
    @cache
    def of(cls, entity: type[Entity]) -> _Columns:
        """Those of an entity."""
        info = entity.model_fields
        fields = {name: schema_of(entity).fields[name] for name, _, _ in _visible_fields(entity)}
        texts = [each for each in fields.values() if each.key_type == "S"]
        others = [each for each in fields.values() if each.key_type != "S"]
        return cls(
            texts=frozenset(each.attribute for each in texts),
            kinds={each.attribute: _PYTHON_TYPES.get(each.key_type, ()) for each in others},
            required=frozenset(
                each.attribute
                for name, each in fields.items()
                if info[name].get_default() is not None or info[name].is_required()
            ),
            stamps=tuple(each.attribute for each in texts if each.form is not None),
            choices={each.attribute: frozenset(each.choices) for each in texts if each.choices},
        )

    def fit(self, made: dict[str, Any]) -> bool:
        """Whether a full check would change nothing."""
        if not made.keys() >= self.required:
            return False
        for name in self.stamps:
            if name in made and not _TIMESTAMP.fullmatch(made[name]):
                return False
        for name, choices in self.choices.items():
            if name in made and made[name] not in choices:
                return False
        for name, kinds in self.kinds.items():
            if name in made and type(made[name]) not in kinds:
                return False
        return True


def item_schema(entity: type[Entity], prefix: str = "#/$defs/") -> JsonSchemaValue:
    """The JSON Schema of an entity's items, under the names that they have there."""
    schema = schema_of(entity)
    made = entity.model_json_schema(ref_template=f"{prefix}{{model}}")
    hidden = getattr(entity, "hidden", ())
    kept = {name: each for name, each in schema.fields.items() if name not in hidden}
    properties = {
        field.attribute: _property(field, made["properties"][name]) for name, field in kept.items()
    }
    required = [kept[name].attribute for name in made.get("required", []) if name in kept]
    return {
        "title": entity.__name__,
        "description": (entity.__doc__ or "").strip(),
        "type": "object",
        "properties": {
            "Type": {"const": item_type(entity)},
            **properties,
            **{name: {"type": "string"} for name in getattr(entity, "shown_with", ())},
        },
        "required": ["Type", *required],
        **({"additionalProperties": True} if getattr(entity, "is_open", False) else {}),
        **({"$defs": made["$defs"]} if "$defs" in made else {}),
    }


def _property(field: Field, made: dict[str, Any]) -> dict[str, Any]:
    """A field as it is stored: absent and not null, and a moment by its form."""
    schema = {name: value for name, value in made.items() if name not in {"anyOf", "default"}}
    schema["title"] = field.attribute
    if field.key_type == "N" and field.form is not None:
        return {"title": field.attribute, "type": "integer", "description": "Seconds since 1970."}
    options = [each for each in made.get("anyOf", []) if each.get("type") != "null"]
    if len(options) == 1:
        return {**options[0], **schema}
    return {**schema, "anyOf": options} if options else schema
