"""Attributes that follow from fields and are written with the item: ``@derived("uploaded_at")``.

They are never read back. Naming the fields that an attribute follows from lets a change by key
alone know whether it can be made anew.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Generic, TypeVar, get_type_hints, overload

from pydantic.fields import FieldInfo

from gotgan.errors import DeclarationError
from gotgan.store.fields import Field, field_of

__all__ = ["Derived", "derived"]

R = TypeVar("R")


class Derived(Generic[R]):
    """A property that is stored."""

    field: Field

    def __init__(
        self, compute: Callable[[Any], R], inputs: tuple[str, ...], attribute: str | None
    ) -> None:
        self.compute = compute
        self.inputs = inputs
        self.attribute = attribute
        self.__doc__ = inspect.getdoc(compute)

    def settle(self, name: str, attribute: str) -> None:
        """Learn how the attribute is stored, once the class is there."""
        hints = get_type_hints(self.compute, include_extras=True)
        if "return" not in hints:
            raise DeclarationError(f"the derived attribute {name} needs a return annotation")
        info = FieldInfo.from_annotation(hints["return"])
        self.field = field_of(name, info, self.attribute or attribute)

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Derived[R]: ...
    @overload
    def __get__(self, instance: object, owner: type[Any]) -> R: ...
    def __get__(self, instance: object | None, owner: type[Any]) -> Derived[R] | R:
        """Of an instance: its value."""
        return self if instance is None else self.compute(instance)


def derived(
    *inputs: str, attribute: str | None = None
) -> Callable[[Callable[[Any], R]], Derived[R]]:
    """Store what a method gives, made of these fields."""
    return lambda compute: Derived(compute, inputs, attribute)
