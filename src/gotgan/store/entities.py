"""``Entity``: a Python class for one kind of item, declared once and checked at import.

    class Post(Entity, table=site, names=camel_case, version="version"):
        key = Key("CATEGORY#{category_id}", "POST#{id}")
        category_id: Id
        id: Id
        title: str
        version: int = 1

Instances are frozen pydantic models. They know nothing of a database: a ``Store`` reads and writes
them, and one entity can live in two tables.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, dataclass_transform

from pydantic import BaseModel, ConfigDict, Field

from gotgan.errors import DeclarationError, NotRead
from gotgan.store.engine.values import load_item
from gotgan.store.fields import Derived, field_of
from gotgan.store.keys import IndexKey, Key
from gotgan.store.lint import check
from gotgan.store.schema import Origin, Schema
from gotgan.store.tables import Table

E = TypeVar("E", bound="Entity")


if TYPE_CHECKING:
    from pydantic._internal._model_construction import ModelMetaclass
else:
    ModelMetaclass = type(BaseModel)


@dataclass_transform(kw_only_default=True, frozen_default=True, field_specifiers=(Field,))
class _Frozen(ModelMetaclass):
    """Tells checkers that every entity is frozen: a model's own class does not say so."""


class Entity(BaseModel, metaclass=_Frozen, frozen=True):
    """One kind of item."""

    model_config = ConfigDict(ignored_types=(Key, IndexKey, Derived), extra="forbid")
    __slots__ = ("_origin",)
    __schema__: ClassVar[Schema]
    key: ClassVar[Key]
    """Every entity in a table declares one."""

    def __init_subclass__(
        cls,
        *,
        table: Table | None = None,
        names: Callable[[str], str] = str,
        version: str | None = None,
        identity: str | Iterable[str] = (),
        **config: Any,
    ) -> None:
        """A class without a table is a base for others.

        ``names`` makes attributes of field names, ``version`` names the field that counts changes,
        ``identity`` the fields that tell a duplicate from a collision.
        """
        super().__init_subclass__(**config)

    @classmethod
    def __pydantic_init_subclass__(
        cls,
        *,
        table: Table | None = None,
        names: Callable[[str], str] = str,
        version: str | None = None,
        identity: str | Iterable[str] = (),
        **_: Any,
    ) -> None:
        """Settle the schema when pydantic knows the fields."""
        if table is None:
            if hasattr(cls, "__schema__"):
                raise DeclarationError(
                    f"{cls.__name__} would be stored as a {cls.__schema__.entity.__name__}, "
                    "without what it adds; give it a table= and a key, or derive both from a class "
                    "without a table"
                )
            return
        fields = (identity,) if isinstance(identity, str) else tuple(identity)
        cls.__schema__ = _schema(cls, table, names, version, fields)
        check(cls.__schema__)
        table.entities.append(cls)

    @property
    def origin(self) -> Origin | None:
        """What the instance was read from; None for one that was made."""
        try:
            origin: Origin | bytes | None = object.__getattribute__(self, "_origin")
        except AttributeError:
            return None
        if isinstance(origin, bytes):  # few are ever asked for
            origin = Origin(load_item(origin))
            _read_from(self, origin)
        return origin

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with other values; of an item that was read, unless it gets another key."""
        copy = super().model_copy(update=update, deep=deep)
        origin, given = self.origin, update or {}
        if origin is not None:
            key_fields = self.__schema__.behind(self.__schema__.key.fields)
            missing = origin.missing.difference(given)
            origin = None if given.keys() & key_fields else origin._replace(missing=missing)
        return _read_from(copy, origin)

    def __copy__(self) -> Self:
        return _read_from(super().__copy__(), self.origin)

    def __deepcopy__(self, memo: dict[int, Any] | None = None) -> Self:
        return _read_from(super().__deepcopy__(memo), self.origin)

    def __getstate__(self) -> dict[Any, Any]:
        return {**super().__getstate__(), "_origin": self.origin}

    def __setstate__(self, state: dict[Any, Any]) -> None:
        super().__setstate__(state)
        _read_from(self, state.get("_origin"))

    if not TYPE_CHECKING:  # or checkers would take any name for an attribute

        def __getattr__(self, name: str) -> Any:
            origin = self.origin
            if origin is not None and name in origin.missing:
                raise NotRead(
                    f"{name} of this {type(self).__name__} was not read, because the index or the "
                    "projection left it out; use .whole() on the query, or get the item by its key"
                )
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")


def _read_from(instance: E, origin: Origin | None) -> E:
    object.__setattr__(instance, "_origin", origin)
    return instance


def entities_of(table: Table) -> list[type[Entity]]:
    """The entities that live in a table, as they were declared."""
    return list(table.entities)


def _schema(
    cls: type[Entity],
    table: Table,
    names: Callable[[str], str],
    version: str | None,
    identity: tuple[str, ...],
) -> Schema:
    if not cls.__pydantic_complete__:
        raise DeclarationError(
            f"the types of {cls.__name__}'s fields are not known yet; declare them above it"
        )
    if "origin" in cls.model_fields:
        raise DeclarationError(
            f"{cls.__name__}.origin says what an instance was read from; call the field something "
            "else, and store it under its name with Attribute('origin')"
        )
    fields = {name: field_of(name, info, names(name)) for name, info in cls.model_fields.items()}
    keys = _members(cls, Key)
    if list(keys) != ["key"]:
        raise DeclarationError(
            f"{cls.__name__} needs one Key, called key: key = Key('THING#{{id}}', 'METADATA')"
        )
    derived = _members(cls, Derived)
    for name, each in derived.items():
        each.settle(name, names(name))
    return Schema(
        entity=cls,
        table=table,
        fields=fields,
        derived=derived,
        key=keys["key"],
        index_keys=tuple(_members(cls, IndexKey).values()),
        version=version,
        identity=identity,
    )


def _members(cls: type[Any], kind: type[Any]) -> dict[str, Any]:
    """What a class and its bases declare of a kind; the nearest declaration counts."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        for name, value in vars(base).items():
            if isinstance(value, kind):
                found[name] = value
            else:
                found.pop(name, None)
    return found
