"""What an entity's declaration comes to: how instances become items, and items instances."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias, get_origin

from pydantic import ValidationError

from gotgan.errors import BadItem, UsageError
from gotgan.store.attributes import AttributeValue, Item, KeyValue, decode, encode
from gotgan.store.derivation import Derived
from gotgan.store.fields import Field
from gotgan.store.keys import IndexKey, Key
from gotgan.store.partial import Partial
from gotgan.store.tables import Table
from gotgan.store.templates import Template

__all__ = ["OnBad", "Origin", "Schema", "schema_of", "tolerant"]

_remember: Final = object.__setattr__  # instances are frozen
_NOTHING: Final[frozenset[str]] = frozenset()


class Origin(NamedTuple):  # one for every item that is read, at half the price of a dataclass
    """What an instance was read from."""

    item: Item
    held: frozenset[str] | None = None
    """The attributes that could be read where it was read; None is all of them."""
    missing: frozenset[str] = _NOTHING
    """Fields that were not read, because an index or a projection left them out."""

    def knows(self, attribute: str) -> bool:
        """Whether the item would show this attribute if it had it."""
        return self.held is None or attribute in self.held


@dataclass(frozen=True)
class Schema:
    """Everything that an entity's class says about how it is stored."""

    entity: type[Any]
    table: Table
    fields: Mapping[str, Field]
    derived: Mapping[str, Derived[Any]]
    key: Key
    index_keys: tuple[IndexKey, ...]
    version: str | None
    """The field that counts the changes of an item."""
    identity: tuple[str, ...]
    """The fields that tell two things with the same key apart."""

    @cached_property
    def parts(self) -> dict[str, Field]:
        """Fields and derived attributes, by their names in Python."""
        return {**self.fields, **{name: each.field for name, each in self.derived.items()}}

    @cached_property
    def own(self) -> frozenset[str]:
        """The attributes of fields and derived attributes."""
        return frozenset(part.attribute for part in self.parts.values() if not part.key_only)

    @cached_property
    def kept(self) -> frozenset[str]:
        """Attributes that only the verbs of a key may change."""
        return _NOTHING.union(*(key.kept for key in self.index_keys))

    @cached_property
    def owned(self) -> frozenset[str]:
        """Every attribute that the declaration writes; what else an item has is not ours."""
        keys = {key.name for key in self.table.keys}
        indexes = {key.name for each in self.index_keys for key in each.index.keys}
        return self.own | keys | indexes

    def stored(self, instance: Any) -> dict[str, Any]:
        """The values of all fields and derived attributes, in their stored form."""
        return {name: part.dump(getattr(instance, name)) for name, part in self.parts.items()}

    def item(self, instance: Any) -> Item:
        """The whole item that an instance is stored as."""
        stored = self.stored(instance)
        ref = self.key.ref(self.entity, stored)
        item = {**ref.item, **_present(self._index_attributes(stored))}
        for name, part in self.parts.items():
            if not part.key_only and _is_there(stored[name]):
                item[part.attribute] = encode(stored[name])
        return {**item, **self._carried(instance)}

    def others(self, instance: Any) -> dict[str, Any]:
        """What the item of an instance has beyond the declaration, as Python values."""
        item = {} if instance.origin is None else instance.origin.item
        return {name: decode(value) for name, value in item.items() if name not in self.owned}

    def encode_others(self, others: Mapping[str, Any]) -> dict[str, AttributeValue | None]:
        """Attributes beyond the declaration as they are stored; None removes one."""
        taken = sorted(others.keys() & self.owned)
        if taken:
            raise UsageError(f"{self.entity.__name__} declares {', '.join(taken)}; use its fields")
        return {n: None if value is None else encode(value) for n, value in others.items()}

    def index_attributes(
        self, key: IndexKey, stored: Mapping[str, Any]
    ) -> dict[str, AttributeValue | None]:
        """The attributes of one index key, but for fields; None where the item stays out."""
        made = self._of_index(key, stored)
        return {name: None if value is None else encode(value) for name, value in made.items()}

    def matches(self, item: Item) -> bool:
        """Whether an item's key was made by this entity's templates."""
        for name, template in self._text_keys:  # noqa: SIM110 - every item comes by here
            if not template.fits(item[name].get("S")):
                return False
        return True

    def matches_in_partition(self, item: Item) -> bool:
        """Whether an item is of this entity, in a partition that can be of this entity."""
        name, template = self._last_text_key
        return template is None or template.fits(item[name].get("S"))

    @cached_property
    def _last_text_key(self) -> tuple[str, Template | None]:
        sort, template = self.table.sk, self.key.sk
        if sort is None or template is None or template.is_one_field:
            return "", None
        return sort.name, template

    def load(self, item: Item, held: frozenset[str] | None = None) -> Any:
        """The instance that an item holds; of an item in part, where only some is held."""
        values = self._values(item)
        missing = _NOTHING
        if held is None and not self._is_special:  # as most are
            return self._loaded(item, values)
        if held is not None or self._has_key_only:
            self._restore(values, item)
        if held is not None:
            missing = self._missing(values, held)
        if self._unstored:
            for name in self._unstored.keys() - missing:
                values.setdefault(name, self._unstored[name])
        try:
            instance = self._part(values, missing) if missing else self._whole(values)
        except ValidationError as error:
            raise BadItem(self._misfit(item, error), item) from error
        _remember(instance, "_origin", Origin(item, held, missing))
        return instance

    def _loaded(self, item: Item, values: dict[str, Any]) -> Any:
        try:
            instance = self._validate(values)
        except ValidationError as error:
            raise BadItem(self._misfit(item, error), item) from error
        _remember(instance, "_origin", Origin(item))
        return instance

    @cached_property
    def _is_special(self) -> bool:
        """Whether more than the attributes must be looked at to read an item."""
        return self._has_key_only or bool(self._unstored)

    @cached_property
    def _validate(self) -> Callable[[dict[str, Any]], Any]:
        validate: Callable[[dict[str, Any]], Any] = (
            self.entity.__pydantic_validator__.validate_python
        )
        return validate

    def in_key(self, key: Item) -> dict[str, Any]:
        """The fields that a key tells."""
        values: dict[str, Any] = {}
        self._restore(values, key)
        return values

    def remade(self, values: Mapping[str, Any]) -> Any:
        """An instance of new values, checked; without those that are not given."""
        missing = frozenset(self.fields) - set(values)
        try:
            instance = self._part(dict(values), missing) if missing else self._whole(dict(values))
        except ValidationError as error:
            raise UsageError(self._impossible(error)) from error
        if missing:
            _remember(instance, "_origin", Origin({}, _NOTHING, missing))
        return instance

    def remade_whole(self, values: Mapping[str, Any]) -> Any:
        """An instance of new values, checked; what is not given is as the entity has it."""
        try:
            return self._whole(dict(values))
        except ValidationError as error:
            raise UsageError(self._impossible(error)) from error

    def checked(self, instance: Any) -> Any:
        """The instance, if its values are right: ``model_copy`` takes any."""
        try:
            self._whole({name: getattr(instance, name) for name in self.fields})
        except ValidationError as error:
            raise UsageError(self._impossible(error)) from error
        return instance

    def attribute(self, name: str) -> str:
        """The attribute that a field is stored under."""
        return self.parts[name].attribute

    def behind(self, names: Iterable[str]) -> frozenset[str]:
        """The fields that some names come from in the end, through derived attributes."""
        found: set[str] = set()
        for name in names:
            derived = self.derived.get(name)
            found |= {name} if derived is None else self.behind(derived.inputs)
        return frozenset(found)

    def _values(self, item: Item) -> dict[str, Any]:
        values = {}
        for attribute, name, load in self._readers:  # every attribute of every item comes by here
            value = item.get(attribute)
            if value is not None:
                text = value.get("S")
                read = decode(value) if text is None else text
                values[name] = read if load is None else load(read)
        return values

    @cached_property
    def _readers(self) -> list[tuple[str, str, Callable[[Any], Any] | None]]:
        """Each field that is stored: its attribute, its name, and what reads its form."""
        return [
            (field.attribute, name, None if field.form is None else field.form.load)
            for name, field in self.fields.items()
            if not field.key_only
        ]

    def _restore(self, values: dict[str, Any], item: Item) -> None:
        """Fill in fields that can be read from the keys, which every index holds."""
        for key, template in self._keyed:
            for name, part in self._read_back(template, item.get(key)).items():
                if name in self.fields and name not in values:
                    values[name] = self.fields[name].load(part)

    def _read_back(self, template: Template, key: AttributeValue | None) -> dict[str, Any]:
        """The parts of a key, but for what was hashed."""
        if key is None:
            return {}
        if template.is_one_field:
            return {template.fields[0]: decode(key)}
        parts = template.read(decode(key)) or {}
        return {name: part for name, part in parts.items() if not template.is_hashed(part)}

    @cached_property
    def _text_keys(self) -> list[tuple[str, Template]]:
        """The key attributes that show what an item is."""
        pairs = zip(self.table.keys, self.key.templates, strict=True)
        return [(key.name, template) for key, template in pairs if not template.is_one_field]

    @cached_property
    def _has_key_only(self) -> bool:
        return any(field.key_only for field in self.fields.values())

    @cached_property
    def _keyed(self) -> list[tuple[str, Template]]:
        """Every key attribute that text templates make, of the table and of the indexes."""
        own = list(zip(self.table.keys, self.key.templates, strict=True))
        for each in self.index_keys:
            own += zip(each.index.keys, each.templates, strict=False)
        return [(key.name, template) for key, template in own]

    @cached_property
    def _unstored(self) -> dict[str, Any]:
        """What a missing attribute stands for, where it is not the field's default."""
        unstored: dict[str, Any] = {}
        for name, info in self.entity.model_fields.items():
            if self.fields[name].optional and info.default is not None:
                unstored[name] = None
            elif get_origin(info.annotation) in (set, frozenset) and info.default != frozenset():
                unstored[name] = frozenset()
        return unstored

    def _whole(self, values: dict[str, Any]) -> Any:
        return self._validate(values)

    def _missing(self, values: dict[str, Any], held: frozenset[str]) -> frozenset[str]:
        return frozenset(
            name
            for name, field in self.fields.items()
            if name not in values and field.attribute not in held
        )

    def _part(self, values: dict[str, Any], missing: frozenset[str]) -> Any:
        return self._partial.instance(values, missing)

    @cached_property
    def _partial(self) -> Partial:
        return Partial(self.entity)

    def _index_attributes(self, stored: Mapping[str, Any]) -> dict[str, KeyValue | None]:
        merged: dict[str, KeyValue | None] = {}
        for key in self.index_keys:
            merged.update(self._of_index(key, stored))
        return merged

    def _of_index(self, key: IndexKey, stored: Mapping[str, Any]) -> dict[str, KeyValue | None]:
        """What a field or the item's key gives stays, whether or not it is in the index."""
        made = key.attributes(stored)
        return {name: value for name, value in made.items() if name not in self._settled}

    @cached_property
    def _settled(self) -> frozenset[str]:
        """Attributes that fields or the item's own key give, and no index key."""
        return self.own | {key.name for key in self.table.keys}

    def _carried(self, instance: Any) -> Item:
        """What an instance brings along unseen: attributes not ours, and what keys keep."""
        origin = instance.origin
        if origin is None:
            return _present({k: v for key in self.index_keys for k, v in key.fresh().items()})
        return {k: v for k, v in origin.item.items() if k not in self.owned or k in self.kept}

    def _misfit(self, item: Item, error: ValidationError) -> str:
        key = " / ".join(str(decode(item[each.name])) for each in self.table.keys)
        return (
            f"the item {key} of {self.table.name} is no {self.entity.__name__}: {_first(error)}; "
            "mend the item or the declaration"
        )

    def _impossible(self, error: ValidationError) -> str:
        return f"{self.entity.__name__} cannot be so: {_first(error)}"


OnBad: TypeAlias = Callable[[BadItem], None]
"""What is told of an item that does not fit its entity, and is passed over."""


def tolerant(schema: Schema, on_bad: OnBad | None, item: Item, held: frozenset[str] | None) -> Any:
    """The instance that an item holds; None of one that is told about and passed over."""
    if on_bad is None:
        return schema.load(item, held)
    try:
        return schema.load(item, held)
    except BadItem as misfit:
        on_bad(misfit)
        return None


def schema_of(entity: type[Any]) -> Schema:
    """The schema of an entity."""
    schema = getattr(entity, "__schema__", None)
    if not isinstance(schema, Schema):
        raise UsageError(f"{entity.__name__} is in no table; declare it with table=")
    return schema


def _first(error: ValidationError) -> str:
    """The first thing that is wrong, without the value, which may be a secret."""
    first = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(step) for step in first["loc"]) or "the whole"
    return f"{where}: {first['msg']}"


def _is_there(value: Any) -> bool:
    """None and empty sets are not stored: DynamoDB has no empty sets."""
    return value is not None and not (isinstance(value, set | frozenset) and not value)


def _present(attributes: Mapping[str, KeyValue | None]) -> Item:
    return {name: encode(value) for name, value in attributes.items() if value is not None}
