"""An example of every entity, made of what its fields say about themselves.

``Field(examples=[…])`` gives a value, else the default does, else the type.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import UTC, date, datetime
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin
from uuid import UUID

from pydantic import AwareDatetime, BaseModel, ValidationError
from pydantic.fields import FieldInfo

from gotgan.errors import GotganError
from gotgan.store.attributes import Item
from gotgan.store.schema import schema_of

__all__ = ["example_item"]

_MOMENT: Final = datetime(2025, 11, 6, 0, 35, 12, tzinfo=UTC)
_VALUES: Final[Mapping[Any, Any]] = {
    AwareDatetime: _MOMENT,
    Decimal: Decimal("12.50"),
    UUID: UUID(int=1),
    bool: False,
    bytes: b"bytes",
    date: _MOMENT.date(),
    datetime: _MOMENT,
    float: 0.5,
    int: 1,
}


def example_item(entity: type[BaseModel]) -> Item | None:
    """An item as the entity is stored; None where its fields need examples to be valid."""
    values = {name: _of_field(name, info) for name, info in entity.model_fields.items()}
    try:
        return schema_of(entity).item(_instance(entity, values))
    except (GotganError, TypeError, ValueError):
        return None


def _instance(entity: type[BaseModel], values: dict[str, Any]) -> BaseModel:
    """An instance of the values, without those that are not valid; what it needs it needs."""
    try:
        return entity.model_validate(values)
    except ValidationError as error:
        wrong = {each["loc"][0] for each in error.errors() if each["loc"]}
        return entity.model_validate({k: v for k, v in values.items() if k not in wrong})


def _of_field(name: str, info: FieldInfo) -> Any:
    if info.examples:
        return info.examples[0]
    if not info.is_required() and (info.default or info.default in (0, False)):
        return info.default
    return _of_type(info.annotation, name)


def _of_type(hint: Any, name: str) -> Any:
    """A value of a type; text is the name of its field."""
    origin = get_origin(hint)
    if origin is Annotated:
        return _of_type(get_args(hint)[0], name)
    if origin in (Union, types.UnionType):
        return _of_type(next(each for each in get_args(hint) if each is not type(None)), name)
    if origin is Literal:
        return get_args(hint)[0]
    return _of_container(hint, name) if isinstance(origin, type) else _of_class(hint, name)


def _of_container(hint: Any, name: str) -> Any:
    inner = [_of_type(each, name) for each in get_args(hint) if each is not Ellipsis]
    origin = get_origin(hint)
    if issubclass(origin, Mapping):
        return {inner[0]: inner[1]}
    if issubclass(origin, AbstractSet):
        return frozenset(inner)
    return inner if issubclass(origin, Sequence) else None


def _of_class(hint: Any, name: str) -> Any:
    if hint in _VALUES:
        return _VALUES[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(iter(hint))
    if isinstance(hint, type) and issubclass(hint, BaseModel):
        return {each: _of_field(each, info) for each, info in hint.model_fields.items()}
    return name
