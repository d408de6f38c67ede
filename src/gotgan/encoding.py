"""Results as JSON, and the JSON Schemas of result types; both from the same fields.

A dataclass is an object with its fields in camelCase; an entity has the names of its attributes,
without what the index that it was read from does not have. A class may list what is shown of it in
``shown``, properties included; a mapping there gives each name its attribute, such as
``prices.count``. A dataclass that is a row of a table sets ``stored_names``: it keeps
the names of its columns, and its decimals are numbers, as they are in the table. An entity that
sets ``stored_form`` is shown as its item is stored.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from base64 import b64encode
from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, fields, is_dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from functools import cache, cached_property
from math import isfinite
from operator import attrgetter
from pathlib import Path
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import AwareDatetime, BaseModel
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from gotgan.clock import utc_iso
from gotgan.errors import GotganError, NotRead
from gotgan.generics import type_arguments, with_type_arguments
from gotgan.items import ItemPage, item_schema, record_item
from gotgan.messages import message_values
from gotgan.store import Cost, Entity, Page
from gotgan.store.fields import Derived
from gotgan.store.schema import schema_of

OnError = Callable[[GotganError], Any]
_Encoder = Callable[[Any, OnError], Any]
_SCALARS: Final[Mapping[Any, dict[str, Any]]] = {
    Any: {},
    object: {},
    str: {"type": "string"},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    bytes: {"type": "string", "contentEncoding": "base64"},
    date: {"type": "string", "format": "date"},
    datetime: {"type": "string", "format": "date-time"},
    AwareDatetime: {"type": "string", "format": "date-time"},
    Decimal: {"type": "string", "format": "decimal"},
    Path: {"type": "string"},
    timedelta: {"type": "number"},
}
_PLAIN: Final = frozenset({str, int, bool, NoneType})
"""What most values are, and what JSON has as it is."""
_UNDESCRIBED: Final = ("abc", "builtins", "pydantic", "typing")
"""The packages of base classes whose annotations are not fields of results."""

# Values


def error_fields(error: GotganError) -> dict[str, Any]:
    """An error inside a result."""
    return error_record(error.code, error.message)


def error_record(code: str, message: str) -> dict[str, Any]:
    """The code of an error, its message, and the code and the values of that."""
    reason = getattr(message, "code", None)
    return {
        "code": code,
        "reason": reason,
        "message": message,
        "values": message_values(message),
    }


def encode(value: Any, on_error: OnError = error_fields) -> Any:
    """A result as values that JSON has; ``on_error`` shows the errors inside it."""
    kind = value.__class__
    return value if kind in _PLAIN else _encoder(kind)(value, on_error)


@cache
def _encoder(kind: type) -> _Encoder:
    if getattr(kind, "stored_form", False):
        return lambda value, _: record_item(value)
    if is_dataclass(kind) and not issubclass(kind, Cost | Page):
        return _encode_row if _is_row(kind) else _encode_object
    known = next((each for base, each in _ENCODERS.items() if issubclass(kind, base)), None)
    if issubclass(kind, Entity) or (issubclass(kind, BaseModel) and hasattr(kind, "shown")):
        return _encode_entity
    if known is None:
        raise TypeError(f"{kind.__name__} cannot be encoded; return a dataclass or a plain type")
    return known


def _encode_object(value: Any, on_error: OnError) -> dict[str, Any]:
    shown = shown_fields(value.__class__)
    return {each.key: encode(each.of(value), on_error) for each in shown}


def _encode_row(value: Any, on_error: OnError) -> dict[str, Any]:
    found = ((each.key, getattr(value, each.name)) for each in shown_fields(value.__class__))
    return {
        key: _number(each) if each.__class__ is Decimal else encode(each, on_error)
        for key, each in found
    }


def _number(value: Decimal) -> int | float:
    """A decimal as the number that JSON writes with the same digits."""
    exponent = value.as_tuple().exponent
    return int(value) if isinstance(exponent, int) and exponent >= 0 else float(value)


def _encode_entity(value: Any, on_error: OnError) -> dict[str, Any]:
    made = {}
    for each in shown_fields(value.__class__):
        try:
            made[each.key] = encode(getattr(value, each.name), on_error)
        except NotRead:  # the index that it was read from does not have it
            continue
    return made


def _encode_page(page: Page[Any], on_error: OnError) -> dict[str, Any]:
    if isinstance(page, ItemPage):
        items: list[Any] = list(page.shown)
    else:
        items = [encode(each, on_error) for each in page.items]
    return {
        "items": items,
        "cursor": page.cursor,
        "read": {"items": page.read, "units": page.cost.reads},
        **{to_camel(each): encode(getattr(page, each), on_error) for each in _beside(type(page))},
    }


def _beside(kind: type) -> list[str]:
    """What a kind of page has besides its items."""
    own = {each.name for each in fields(Page)} | {"shown"}
    return [each.name for each in fields(kind) if is_dataclass(kind) and each.name not in own]


def _encode_mapping(value: Mapping[Any, Any], on_error: OnError) -> dict[str, Any]:
    return {str(encode(key)): encode(each, on_error) for key, each in value.items()}


def _encode_sequence(value: Sequence[Any], on_error: OnError) -> list[Any]:
    return [encode(each, on_error) for each in value]


_ENCODERS: Final[Mapping[type, _Encoder]] = {
    Enum: lambda value, _: value.value,
    float: lambda value, _: value if isfinite(value) else None,  # JSON has no NaN
    **{plain: lambda value, _: value for plain in (str, int)},  # and what is derived from them
    datetime: lambda value, _: utc_iso(value),
    date: lambda value, _: value.isoformat(),
    Decimal: lambda value, _: f"{value:f}",
    timedelta: lambda value, _: value.total_seconds(),
    bytes: lambda value, _: b64encode(value).decode(),
    Path: lambda value, _: str(value),
    GotganError: lambda value, on_error: on_error(value),
    Cost: lambda value, _: value.as_dict(),
    Page: _encode_page,
    BaseModel: lambda value, _: value.model_dump(mode="json", by_alias=True),
    Mapping: _encode_mapping,
    AbstractSet: lambda value, on_error: _encode_sequence(sorted(value), on_error),
    Sequence: _encode_sequence,
}
"""By base class; the first that fits counts."""


# What is shown of a class


@dataclass(frozen=True)
class EncodedField:
    """What is shown under one name."""

    key: str
    """The name in JSON."""
    name: str
    """The attribute in Python; of a part of the object with a dot."""

    @cached_property
    def of(self) -> Callable[[Any], Any]:
        """Read it."""
        return attrgetter(self.name)


def field_keys(kind: type) -> tuple[str, ...]:
    """The names under which a class is shown, in order; the columns of a table."""
    return tuple(each.key for each in shown_fields(kind))


@cache
def shown_fields(kind: type) -> tuple[EncodedField, ...]:
    """What is shown of a class, in order."""
    names: Sequence[str] | Mapping[str, str] | None = getattr(kind, "shown", None)
    if isinstance(names, Mapping):
        return tuple(EncodedField(key, each) for key, each in names.items())
    if issubclass(kind, BaseModel):
        parts = schema_of(kind).parts if issubclass(kind, Entity) else {}
        chosen = parts if names is None else names
        return tuple(
            EncodedField(parts[each].attribute if each in parts else each, each) for each in chosen
        )
    if names is None:
        found: Any = kind  # a dataclass
        names = [each.name for each in fields(found) if not each.name.startswith("_")]
    key = str if _is_row(kind) else to_camel
    return tuple(EncodedField(key(each), each) for each in names)


def _is_row(kind: type) -> bool:
    return getattr(kind, "stored_names", False)


def _has_fields(kind: type) -> bool:
    return is_dataclass(kind) or issubclass(kind, Entity) or hasattr(kind, "shown")


# Schemas


class Schemas:
    """JSON Schemas of result types; those of classes are collected by name."""

    def __init__(self, prefix: str = "#/components/schemas/") -> None:
        self._prefix = prefix
        self._kinds: dict[str, Any] = {}
        self.definitions: dict[str, Any] = {}

    def of(self, kind: Any) -> dict[str, Any]:
        """The schema of a type; classes are referred to by name."""
        origin = get_origin(kind)
        if kind in _SCALARS:
            return dict(_SCALARS[kind])
        return self._class(kind, kind) if origin is None else self._generic(kind, origin)

    def _generic(self, kind: Any, origin: Any) -> dict[str, Any]:
        parts = get_args(kind)
        match origin:
            case _ if origin is Annotated:
                made = _with_description(
                    self.of(parts[0]), FieldInfo.from_annotation(kind).description
                )
            case _ if origin is Literal:
                made = {"enum": list(parts)}
            case _ if origin in (Union, UnionType):
                made = _union([self.of(each) for each in parts])
            case _ if origin is Page or _has_fields(origin):
                made = self._class(kind, origin)
            case _ if issubclass(origin, Mapping):
                made = {
                    "type": "object",
                    "additionalProperties": self.of(parts[-1] if parts[1:] else int),
                }  # a Counter counts
            case _:
                made = {"type": "array", "items": self.of(parts[0])}
        return made

    def _class(self, kind: Any, origin: type) -> dict[str, Any]:
        if issubclass(origin, Enum):
            return {"enum": [each.value for each in origin]}
        if issubclass(origin, GotganError):
            return self._definition("Error", GotganError, _error_properties)
        if issubclass(origin, Page):
            [item] = get_args(kind if origin is Page else vars(origin)["__orig_bases__"][0])
            return self._definition(f"{_name(item)}List", kind, lambda: self._page(item, origin))
        if origin is Cost:
            return self._definition("Cost", Cost, _cost)
        if not _has_fields(origin) and not issubclass(origin, BaseModel):
            raise TypeError(f"{kind} has no JSON Schema; return a dataclass or a plain type")
        if getattr(origin, "stored_form", False):
            return self._definition(
                _name(kind), kind, lambda: self._lift_definitions(item_schema(kind, self._prefix))
            )
        make = self._fields if _has_fields(origin) else self._model
        return self._definition(_name(kind), kind, lambda: make(kind))

    def _definition(
        self, name: str, kind: Any, make: Callable[[], dict[str, Any]]
    ) -> dict[str, Any]:
        if self._kinds.setdefault(name, kind) != kind:
            raise TypeError(f"two result types are named {name}: {self._kinds[name]} and {kind}")
        if name not in self.definitions:
            self.definitions[name] = {}  # it may refer to itself
            self.definitions[name] = make()
        return {"$ref": f"{self._prefix}{name}"}

    def _fields(self, kind: Any) -> dict[str, Any]:
        origin = get_origin(kind) or kind
        hints = _hints(kind)
        made = {
            each.key: _with_description(
                self.of(_hint(hints, each.name)), _description(origin, each.name)
            )
            for each in shown_fields(origin)
        }
        if _is_row(origin):
            return _properties(**{key: _as_number(each) for key, each in made.items()})
        if not issubclass(origin, Entity):
            return _properties(**made)
        sure = {
            each.key for each in shown_fields(origin) if each.name in schema_of(origin).key.fields
        }
        return {**_properties(**made), "required": [key for key in made if key in sure]}

    def _page(self, item: Any, kind: type) -> dict[str, Any]:
        read = _properties(
            items={"type": "integer", "description": "Records read for this page."},
            units={"type": "number", "description": "Read units that they took."},
        )
        cursor = {"type": ["string", "null"], "description": "Of the next page; null at the end."}
        items = {"type": "array", "items": self.of(item)}
        hints = _hints(kind) if _beside(kind) else {}
        further = {
            to_camel(each): _with_description(self.of(hints[each]), _description(kind, each))
            for each in _beside(kind)
        }
        return _properties(items=items, cursor=cursor, read=read, **further)

    def _model(self, model: type[BaseModel]) -> dict[str, Any]:
        template = f"{self._prefix}{{model}}"
        return self._lift_definitions(
            model.model_json_schema(mode="serialization", ref_template=template)
        )

    def _lift_definitions(self, made: dict[str, Any]) -> dict[str, Any]:
        """A schema whose parts have names of their own."""
        for name, part in made.pop("$defs", {}).items():
            self._definition(name, part, lambda part=part: part)  # type: ignore[misc]
        return made


def _properties(**properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _as_number(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema of a decimal in a row."""
    if schema.get("format") != "decimal":
        return schema
    rest = {name: each for name, each in schema.items() if name != "format"}
    return {**rest, "type": "number" if schema["type"] == "string" else ["number", "null"]}


def _error_properties() -> dict[str, Any]:
    text = {"type": "string"}
    reason, values = {"type": ["string", "null"]}, {"type": "object"}
    return _properties(code=text, reason=reason, message=text, values=values)


def _cost() -> dict[str, Any]:
    number, text = {"type": "number"}, {"type": "string"}
    index = {"type": ["string", "null"]}
    line = _properties(verb=text, table=text, index=index, reads=number, writes=number)
    return _properties(reads=number, writes=number, lines={"type": "array", "items": line})


def _union(made: list[dict[str, Any]]) -> dict[str, Any]:
    match made:
        case [{"type": str(plain), **rest}, {"type": "null"}]:
            return {**rest, "type": [plain, "null"]}
        case [{"enum": list(values)}, {"type": "null"}]:
            return {"enum": [*values, None]}
    return {"anyOf": made}


def _with_description(schema: dict[str, Any], description: str | None) -> dict[str, Any]:
    return schema if description is None else {**schema, "description": description}


def _name(kind: Any) -> str:
    """``Failed[Shop]`` is named ``FailedShop``."""
    origin = get_origin(kind) or kind
    return str(origin.__name__) + "".join(_name(each) for each in get_args(kind))


def _hints(kind: Any) -> dict[str, Any]:
    """The types of fields and properties, with type variables replaced."""
    origin = get_origin(kind) or kind
    found = get_type_hints(origin, include_extras=True)
    for name, each in inspect.getmembers(origin):
        compute = each.fget if isinstance(each, property) else getattr(each, "compute", None)
        if isinstance(each, property | Derived) and compute is not None:
            found[name] = get_type_hints(compute, include_extras=True)["return"]
    chosen = type_arguments(kind)
    return {name: with_type_arguments(each, chosen) for name, each in found.items()}


def _hint(hints: Mapping[str, Any], name: str) -> Any:
    first, _, rest = name.partition(".")
    return hints[first] if not rest else _hint(_hints(hints[first]), rest)


def _description(kind: type, name: str) -> str | None:
    """What a class says of an attribute, or the class of a part of it."""
    first, _, rest = name.partition(".")
    return _description(_hints(kind)[first], rest) if rest else _docstrings(kind).get(name)


@cache
def _docstrings(kind: type) -> dict[str, str]:
    """What a class says of its fields and properties: the strings below them."""
    found: dict[str, str] = {}
    for each in reversed(kind.__mro__):
        if each.__module__.partition(".")[0] not in _UNDESCRIBED:
            [tree] = ast.parse(textwrap.dedent(inspect.getsource(each))).body
            assert isinstance(tree, ast.ClassDef)  # noqa: S101 - the source of a class
            found |= _class_docs(tree)
    return found


def _class_docs(tree: ast.ClassDef) -> dict[str, str]:
    found: dict[str, str] = {}
    for node, after in zip(tree.body, [*tree.body[1:], None], strict=True):
        if isinstance(node, ast.FunctionDef):
            found[node.name] = (ast.get_docstring(node) or "").partition("\n")[0]
        match node, after:
            case (
                ast.AnnAssign(target=ast.Name(id=name)),
                ast.Expr(value=ast.Constant(value=str(text))),
            ):
                found[name] = " ".join(inspect.cleandoc(text).split())
    return {name: text for name, text in found.items() if text}
