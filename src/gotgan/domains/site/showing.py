"""Records as they are shown: under the names of their items, without what nobody is shown."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from gotgan.domains.site.records import pass_over
from gotgan.errors import BadItem
from gotgan.store import Entity
from gotgan.store.attributes import Item, decode
from gotgan.store.schema import schema_of

__all__ = ["shower", "shown", "type_of"]

_KINDS: Final[Mapping[str, tuple[type, ...]]] = {"N": (int,), "mixed": (str, dict)}
_STAMP: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")


def shown(record: Entity) -> dict[str, Any]:
    """A record as its item has it."""
    item: dict[str, Any] = {"Type": type_of(type(record))}
    values = vars(record)  # a page has hundreds of them, and a model's own way there is slow
    for name, attribute, dump in _visible(type(record)):
        value = values[name]
        if value is not None:
            item[attribute] = value if dump is None else dump(value)
    if getattr(record, "is_open", False):
        item = {**schema_of(type(record)).others(record), **item}
    return item


@cache
def type_of(entity: type[Entity]) -> str:
    """The ``Type`` of an entity's items: the constant that puts them into the index."""
    keys = schema_of(entity).index_keys
    return next((key.pk.text for key in keys if not key.pk.fields), entity.__name__)


@cache
def shower(entity: type[Entity]) -> Callable[[Item], dict[str, Any] | None]:
    """What shows items of an entity without making one of each: a list of posts is asked for most.

    An item that is not plainly right is made an entity after all; one that cannot be is left out.
    """
    columns, start = _Columns.of(entity), {"Type": type_of(entity)}

    def show(item: Item) -> dict[str, Any] | None:
        try:
            texts = {name: value["S"] for name, value in item.items() if name in columns.texts}
            others = {name: decode(item[name]) for name in columns.kinds if name in item}
        except KeyError:  # another type than it should have
            return _carefully(entity, item)
        made = {**start, **texts, **others}
        return made if columns.fit(made) else _carefully(entity, item)

    return show


def _carefully(entity: type[Entity], item: Item) -> dict[str, Any] | None:
    try:
        return shown(schema_of(entity).load(item))
    except BadItem as misfit:
        pass_over(misfit)
        return None


@cache
def _visible(entity: type[Entity]) -> tuple[tuple[str, str, Callable[[Any], Any] | None], ...]:
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
    """What those that are no text are in Python; of some, nothing is plainly right."""
    required: frozenset[str]
    stamps: tuple[str, ...]
    choices: Mapping[str, frozenset[Any]]

    @classmethod
    def of(cls, entity: type[Entity]) -> _Columns:
        """Those of an entity."""
        info = entity.model_fields
        fields = {name: schema_of(entity).fields[name] for name, _, _ in _visible(entity)}
        texts = [each for each in fields.values() if each.key_type == "S"]
        others = [each for each in fields.values() if each.key_type != "S"]
        return cls(
            texts=frozenset(each.attribute for each in texts),
            kinds={each.attribute: _KINDS.get(each.key_type, ()) for each in others},
            required=frozenset(
                each.attribute
                for name, each in fields.items()
                if info[name].get_default() is not None or info[name].is_required()
            ),
            stamps=tuple(each.attribute for each in texts if each.form is not None),
            choices={each.attribute: frozenset(each.choices) for each in texts if each.choices},
        )

    def fit(self, made: dict[str, Any]) -> bool:
        """Whether everything is as it would be after it had been checked."""
        if not made.keys() >= self.required:
            return False
        for name in self.stamps:
            if name in made and not _STAMP.fullmatch(made[name]):
                return False
        for name, choices in self.choices.items():
            if name in made and made[name] not in choices:
                return False
        for name, kinds in self.kinds.items():
            if name in made and type(made[name]) not in kinds:
                return False
        return True
