"""Attributes that follow from fields and are written with the item: ``@derived("uploaded_at")``.

They are never read back. Naming the fields that an attribute follows from lets a change by key
alone know whether it can be made anew.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Generic, Never, TypeVar, overload

from pydantic.fields import FieldInfo

from gotgan.errors import DeclarationError
from gotgan.store.fields import Field, field_of
from gotgan.store.hints import hints_of

__all__ = ["Derived", "derived"]

R = TypeVar("R")


class _Inputs:
    """An instance as a derived attribute may see it: what it read in secret would go stale."""

    __slots__ = ("_derived", "_instance")

    def __init__(self, derived: Derived[Any], instance: object) -> None:
        self._derived = derived
        self._instance = instance

    def __getattr__(self, name: str) -> Any:
        if name not in self._derived.inputs:
            raise DeclarationError(
                f"the derived attribute {self._derived.compute.__name__} reads {name}, which it "
                f"does not name; add it: @derived({name!r}, ...)"
            )
        return getattr(self._instance, name)


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
        hints = hints_of(self.compute, "derived attribute")
        if "return" not in hints:
            raise DeclarationError(
                f"the derived attribute {name} needs a return annotation, such as -> str"
            )
        info = FieldInfo.from_annotation(hints["return"])
        self.field = field_of(name, info, self.attribute or attribute)

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> Derived[R]: ...
    @overload
    def __get__(self, instance: object, owner: type[Any]) -> R: ...
    def __get__(self, instance: object | None, owner: type[Any]) -> Derived[R] | R:
        """Of an instance: its value, made of the fields that it names and no others."""
        return self if instance is None else self.compute(_Inputs(self, instance))

    def __set__(self, instance: object, value: Never) -> None:
        """Change the fields that it follows from instead."""
        raise AttributeError(
            f"{self.compute.__name__} follows from {', '.join(self.inputs)} and cannot be set"
        )


def derived(
    *inputs: str, attribute: str | None = None
) -> Callable[[Callable[[Any], R]], Derived[R]]:
    """Store what a method gives, made of these fields."""
    return lambda compute: Derived(compute, inputs, attribute)
