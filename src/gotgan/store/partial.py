"""Instances of an entity of which some fields were not read, or not given."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel, ConfigDict, create_model, field_validator

__all__ = ["Partial"]


class Partial:
    """Checks some fields of an entity as the entity itself does.

    What the entity checks across fields, in a model validator, cannot be checked here.
    """

    def __init__(self, entity: type[Any]) -> None:
        self._entity = entity
        self._models: dict[frozenset[str], type[BaseModel]] = {}

    def instance(self, values: dict[str, Any], missing: frozenset[str]) -> Any:
        """An instance without the missing fields; asking it for one of them is an error."""
        checked = self._model(missing).__pydantic_validator__.validate_python(values)
        instance = object.__new__(self._entity)
        for slot, content in (
            ("__dict__", checked.__dict__),
            ("__pydantic_fields_set__", checked.__pydantic_fields_set__),
            ("__pydantic_extra__", None),
            ("__pydantic_private__", None),
        ):
            object.__setattr__(instance, slot, content)
        return instance

    def _model(self, missing: frozenset[str]) -> type[BaseModel]:
        """The entity's model without some of its fields; made once for each set of them."""
        if missing not in self._models:
            kept: dict[str, Any] = {
                name: (info.annotation, info)
                for name, info in self._entity.model_fields.items()
                if name not in missing
            }
            self._models[missing] = create_model(
                f"Partial{self._entity.__name__}",
                __config__=ConfigDict(extra="ignore"),
                __validators__=self._validators(kept),
                **kept,
            )
        return self._models[missing]

    def _validators(self, kept: dict[str, Any]) -> dict[str, Callable[..., Any]]:
        """The entity's own checks of the fields that are kept."""
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

    def wrapping(_: Any, value: Any, handler: Any, info: Any) -> Any:
        return check(*(value, handler, info)[:given])

    def plain(_: Any, value: Any, info: Any) -> Any:
        return check(*(value, info)[:given])

    return classmethod(wrapping if mode == "wrap" else plain)
