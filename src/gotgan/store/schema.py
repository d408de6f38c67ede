"""The schema of an entity: how instances become items, and items become instances."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple, TypeAlias, get_origin

from pydantic import BaseModel, ConfigDict, ValidationError, create_model, field_validator

from gotgan.errors import BadItem, UsageError
from gotgan.messages import text as foreign
from gotgan.store import messages
from gotgan.store.attributes import AttributeValue, Item, content_reader, decode, encode
from gotgan.store.fields import Derived, Field
from gotgan.store.keys import IndexKey, Key
from gotgan.store.tables import Table
from gotgan.store.templates import KeyTemplate

_set: Final = object.__setattr__  # instances are frozen
_NOTHING: Final[frozenset[str]] = frozenset()


class _PartialModels:
    """Checks some fields of an entity as the entity does, but for its checks across fields."""

    def __init__(self, entity: type[Any]) -> None:
        self._entity = entity
        self._models: dict[frozenset[str], type[BaseModel]] = {}

    def instance(self, values: dict[str, Any], missing: frozenset[str]) -> Any:
        """An instance without the missing fields; to ask it for one of them is an error."""
        checked = self._model(missing).__pydantic_validator__.validate_python(values)
        instance = object.__new__(self._entity)
        _set(instance, "__dict__", checked.__dict__)
        _set(instance, "__pydantic_fields_set__", checked.__pydantic_fields_set__)
        _set(instance, "__pydantic_extra__", None)
        _set(instance, "__pydantic_private__", None)
        return instance

    def _model(self, missing: frozenset[str]) -> type[BaseModel]:
        """The entity's model without some of its fields, built once for each set of them."""
        if missing not in self._models:
            infos = self._entity.model_fields.items()
            kept: dict[str, Any] = {n: (i.annotation, i) for n, i in infos if n not in missing}
            self._models[missing] = create_model(
                f"Partial{self._entity.__name__}",
                __config__=ConfigDict(extra="ignore"),
                __validators__=self._validators(kept),
                **kept,
            )
        return self._models[missing]

    def _validators(self, kept: dict[str, Any]) -> dict[str, Callable[..., Any]]:
        declared = self._entity.__pydantic_decorators__.field_validators
        validators: dict[str, Any] = {}
        for name, each in declared.items():
            fields = [field for field in each.info.fields if field == "*" or field in kept]
            if fields:
                checks = field_validator(fields[0], *fields[1:], mode=each.info.mode)
                validators[name] = checks(  # type: ignore[no-untyped-call]
                    _classmethod(each.func, each.info.mode)
                )
        return validators


def _classmethod(check: Callable[..., Any], mode: str) -> Any:
    """A check that is bound to one class, for another: pydantic counts its parameters."""
    given = len(inspect.signature(check).parameters)

    def wrap(_: Any, value: Any, handler: Any, info: Any) -> Any:
        return check(*(value, handler, info)[:given])

    def plain(_: Any, value: Any, info: Any) -> Any:
        return check(*(value, info)[:given])

    return classmethod(wrap if mode == "wrap" else plain)


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
    """The storage declaration of an entity class."""

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
    def state_attributes(self) -> frozenset[str]:
        """Attributes that only the verbs of a key may change."""
        return _NOTHING.union(*(key.state_attributes for key in self.index_keys))

    @cached_property
    def owned(self) -> frozenset[str]:
        """Every attribute that the declaration writes; what else an item has is not ours."""
        keys = {key.name for key in self.table.keys}
        indexes = {key.name for each in self.index_keys for key in each.index.keys}
        return self.own | keys | indexes

    def item(self, instance: Any) -> Item:
        """The whole item that an instance is stored as."""
        stored = {name: part.dump(getattr(instance, name)) for name, part in self.parts.items()}
        item = self.key.ref(self.entity, stored).item
        for key in self.index_keys:
            attributes = self.index_attributes(key, stored).items()
            item |= {name: value for name, value in attributes if value is not None}
        for name, part in self.parts.items():
            value = None if part.key_only else attribute_value(stored[name])
            if value is not None:
                item[part.attribute] = value
        # Attributes that are not declared, and those that keys maintain, come along unseen.
        if instance.origin is None:
            fresh = [key.fresh().items() for key in self.index_keys]
            return {**item, **{name: encode(value) for each in fresh for name, value in each}}
        read = instance.origin.item.items()
        return {
            **item,
            **{k: v for k, v in read if k not in self.owned or k in self.state_attributes},
        }

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
        """The attributes of an index key that only it gives; None where the item stays out."""
        return {
            name: None if value is None else encode(value)
            for name, value in key.attributes(stored).items()
            if name not in self._base_attributes
        }

    def writes(self, key: IndexKey) -> bool:
        """Whether an index key has attributes that no field or derived attribute gives already."""
        return any(each.name not in self._base_attributes for each in key.index.keys)

    @cached_property
    def matches(self) -> Callable[[Item], bool]:
        """Says whether an item's key was made by this entity's templates."""
        return _key_test(self._text_keys)

    @cached_property
    def matches_in_partition(self) -> Callable[[Item], bool]:
        """Says whether an item is of this entity, in a partition that can be of this entity."""
        return _key_test([pair for pair in self._text_keys if pair[1] is not self.key.pk])

    def load(self, item: Item, held: frozenset[str] | None = None, raw: bytes | None = None) -> Any:
        """The instance that an item holds; a partial one, where only some attributes are held.

        ``raw`` is the whole item as JSON, where that is at hand.
        """
        if held is None:
            return self.load_whole(item, raw)
        values = self._stored_values(item)
        self._add_key_parts(values, item)
        missing = frozenset(
            name
            for name, field in self.fields.items()
            if name not in values and field.attribute not in held
        )
        for name in self._missing_values.keys() - missing:
            values.setdefault(name, self._missing_values[name])
        try:
            instance = self._instance(values, missing) if missing else self._validate(values)
        except ValidationError as error:
            raise self._misfit(item, error) from error
        _set(instance, "_origin", Origin(item, held, missing))
        return instance

    @cached_property
    def load_whole(self) -> Callable[[Item, bytes | None], Any]:
        """What makes an instance of a whole item; it runs for every item that is read."""
        stored_values, validate = self._stored_values, self._validate
        has_key_only = any(field.key_only for field in self.fields.values())
        missing_values = self._missing_values

        def load_whole(item: Item, raw: bytes | None = None) -> Any:
            values = stored_values(item)
            if has_key_only:
                self._add_key_parts(values, item)
            if missing_values:
                values = {**missing_values, **values}
            try:
                instance = validate(values)
            except ValidationError as error:
                raise self._misfit(item, error) from error
            _set(instance, "_origin", Origin(item) if raw is None else raw)
            return instance

        return load_whole

    def _misfit(self, item: Item, error: ValidationError) -> BadItem:
        key = " / ".join(str(decode(item[each.name])) for each in self.table.keys)
        return BadItem(
            messages.BAD_ITEM(
                key=key,
                table=self.table.name,
                kind=self.entity.__name__,
                cause=foreign(_first(error)),
            ),
            item,
        )

    @cached_property
    def _validate(self) -> Callable[[dict[str, Any]], Any]:
        validate: Callable[[dict[str, Any]], Any] = (
            self.entity.__pydantic_validator__.validate_python
        )
        return validate

    def in_key(self, key: Item) -> dict[str, Any]:
        """The fields that a key tells."""
        values: dict[str, Any] = {}
        self._add_key_parts(values, key)
        return values

    def build(self, values: Mapping[str, Any], *, partial: bool = False) -> Any:
        """An instance of new values, checked; ``partial`` leaves out fields that are not given."""
        missing = frozenset(self.fields) - set(values) if partial else _NOTHING
        try:
            if not missing:
                return self._validate(dict(values))
            instance = self._instance(dict(values), missing)
        except ValidationError as error:
            raise UsageError(
                messages.BAD_VALUES(kind=self.entity.__name__, cause=foreign(_first(error)))
            ) from error
        _set(instance, "_origin", Origin({}, _NOTHING, missing))
        return instance

    def checked(self, instance: Any) -> Any:
        """The instance, if its values are right: ``model_copy`` takes any."""
        self.build({name: getattr(instance, name) for name in self.fields})
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

    @cached_property
    def _stored_values(self) -> Callable[[Item], dict[str, Any]]:
        """What reads the fields that an item has as attributes."""
        stored = [field for field in self.fields.values() if not field.key_only]
        texts = [(each.attribute, each.name) for each in stored if each.is_text]
        others = [
            (
                each.attribute,
                each.name,
                each.key_type,
                content_reader(each.key_type),
                None if each.form is None else each.form.load,
            )
            for each in stored
            if not each.is_text
        ]

        def stored_values(item: Item) -> dict[str, Any]:
            values: dict[str, Any] = {}
            try:
                for attribute, name in texts:
                    values[name] = item[attribute]["S"]
            except KeyError:  # one is missing, or not the text that it is declared as
                there = [(attribute, name) for attribute, name in texts if attribute in item]
                values = {name: decode(item[attribute]) for attribute, name in there}
            for attribute, name, kind, read, load in others:
                value = item.get(attribute)
                if value is not None:
                    plain = read(value[kind]) if kind in value else decode(value)
                    values[name] = plain if load is None else load(plain)
            return values

        return stored_values

    def _add_key_parts(self, values: dict[str, Any], item: Item) -> None:
        """Fill in fields that can be read from the keys, which every index holds."""
        for key, template in self._key_templates:
            if key not in item:
                continue
            text = decode(item[key])
            parts = {template.fields[0]: text} if template.is_one_field else template.read(text)
            for name, part in (parts or {}).items():
                hashed = not template.is_one_field and template.is_hashed(part)
                if name in self.fields and name not in values and not hashed:
                    values[name] = self.fields[name].load(part)

    @cached_property
    def _text_keys(self) -> list[tuple[str, KeyTemplate]]:
        """The key attributes that show what an item is."""
        pairs = zip(self.table.keys, self.key.templates, strict=True)
        return [(key.name, template) for key, template in pairs if not template.is_one_field]

    @cached_property
    def _key_templates(self) -> list[tuple[str, KeyTemplate]]:
        """The key attributes of the table and its indexes, with their templates."""
        own = list(zip(self.table.keys, self.key.templates, strict=True))
        for each in self.index_keys:
            own += zip(each.index.keys, each.templates, strict=False)
        return [(key.name, template) for key, template in own]

    @cached_property
    def _missing_values(self) -> dict[str, Any]:
        """The values of missing attributes that differ from the field's default."""
        unstored: dict[str, Any] = {}
        for name, info in self.entity.model_fields.items():
            if self.fields[name].optional and info.default is not None:
                unstored[name] = None
            elif get_origin(info.annotation) in (set, frozenset) and info.default != frozenset():
                unstored[name] = frozenset()
        return unstored

    @cached_property
    def _instance(self) -> Callable[[dict[str, Any], frozenset[str]], Any]:
        return _PartialModels(self.entity).instance

    @cached_property
    def _base_attributes(self) -> frozenset[str]:
        """Attributes of fields and of the item's own key, without index keys."""
        return self.own | {key.name for key in self.table.keys}


def _key_test(keys: Iterable[tuple[str, KeyTemplate]]) -> Callable[[Item], bool]:
    """Says whether the texts of some key attributes were made by their templates."""
    tests = [(name, template.matcher()) for name, template in keys]

    def matches(item: Item) -> bool:
        for name, fits in tests:  # noqa: SIM110 - every item comes by here
            if not fits(item[name].get("S")):
                return False
        return True

    return matches


OnBad: TypeAlias = Callable[[BadItem], None]
"""Takes the error of an item that does not fit its entity and is skipped."""


def load_or_report(
    schema: Schema,
    on_bad: OnBad | None,
    item: Item,
    held: frozenset[str] | None,
    raw: bytes | None = None,
) -> Any:
    """The instance that an item holds; None for a bad one, where ``on_bad`` takes the error."""
    try:
        return schema.load(item, held, raw)
    except BadItem as misfit:
        if on_bad is None:
            raise
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


def attribute_value(stored: Any) -> AttributeValue | None:
    """A stored form as an attribute value; None for None and an empty set, which are not stored."""
    is_empty_set = isinstance(stored, set | frozenset) and not stored
    return None if stored is None or is_empty_set else encode(stored)


@dataclass(frozen=True)
class EntityScope:
    """The names and forms that conditions on these entities may use."""

    schemas: tuple[Schema, ...]
    held: frozenset[str] | None = None
    """The attributes that there are where the items are read; None is all of them."""

    @classmethod
    def of(cls, entities: Iterable[type[Any]], held: frozenset[str] | None = None) -> EntityScope:
        """The scope of some entities."""
        return cls(tuple(schema_of(entity) for entity in entities), held)

    def attribute(self, name: str) -> str:
        """The attribute that a field is stored under."""
        first, *path = name.split(".")
        part = self._part(first)
        if part.key_only:
            raise UsageError(f"{first} is in the key alone and no attribute; query by it")
        if self.held is not None and part.attribute not in self.held:
            raise UsageError(
                f"the index does not hold {part.attribute}, and a filter would find it nowhere; "
                "project it, or look at the items after reading them with .whole()"
            )
        return ".".join([part.attribute, *path])

    def dump(self, name: str, value: Any) -> Any:
        """A value of a field in its stored form; inside a field, as it is."""
        return value if "." in name else self._part(name).dump(value)

    def _part(self, name: str) -> Field:
        for schema in self.schemas:
            if name in schema.parts:
                return schema.parts[name]
        kinds = " or ".join(schema.entity.__name__ for schema in self.schemas)
        raise UsageError(
            f"{kinds} has no field {name!r}; use raw({name!r}) for an attribute that is none"
        )
