"""What conditions may speak of: the fields of entities, under their stored names and forms."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from gotgan.errors import UsageError
from gotgan.store.fields import Field
from gotgan.store.schema import Schema, schema_of

__all__ = ["ScopeOf"]


@dataclass(frozen=True)
class ScopeOf:
    """The names and forms that conditions on these entities may use."""

    schemas: tuple[Schema, ...]
    held: frozenset[str] | None = None
    """The attributes that there are where the items are read; None is all of them."""

    @classmethod
    def of(cls, entities: Iterable[type[Any]], held: frozenset[str] | None = None) -> ScopeOf:
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
