"""The parameters of verbs in library, command line and API: names, bounds and defaults."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import timedelta
from functools import reduce
from typing import Any, Final

import click

from gotgan.app import App
from gotgan.cli.commands import root
from gotgan.server import create_server
from tests.house.verb import Verb, names_of

__all__ = ["ABSENT", "REQUIRED", "Fronts", "Parameter", "canonical"]

ABSENT: Final = "absent"
REQUIRED: Final = "required"
_ROOT: Final = click.Context(root, **root.context_settings)
_COMMANDS: Final = {words: command for words, _, command in root.every_command()}


def canonical(name: str) -> str:
    """The same for page_type, pageType and page-type."""
    return re.sub(r"[-_]", "", name).lower()


@dataclass(frozen=True)
class Parameter:
    """A parameter of one front."""

    name: str
    default: Any = None
    """Or ``REQUIRED``."""
    bounds: tuple[Any, ...] | None = None
    """Minimum and maximum of a number, or the allowed values."""


class Fronts:
    """Reads the parameters of a verb, by canonical name."""

    def __init__(self, app: App) -> None:
        self._app = app
        document = create_server(app).openapi()
        self._parts: dict[str, Any] = document["components"]
        self._operations = {
            operation["operationId"]: operation
            for methods in document["paths"].values()
            for operation in methods.values()
        }

    def library(self, verb: Verb) -> dict[str, Parameter]:
        """Parameters of its methods, without callbacks."""
        found: dict[str, Parameter] = {}
        for path in names_of(verb.library):
            method: Any = reduce(getattr, path.split("."), self._app)
            for each in inspect.signature(method).parameters.values():
                if not inspect.isfunction(each.default):
                    found[canonical(each.name)] = Parameter(each.name, _normalized(each.default))
        return found

    def command(self, verb: Verb) -> dict[str, Parameter]:
        """Parameters of its commands.

        The key of an option that only the command line calls so (``--max``) is the name of its
        function argument (``max_items``), so that it can be compared.
        """
        others = self.library(verb) | self.route(verb)
        found: dict[str, Parameter] = {}
        for command in (_COMMANDS[words] for words in names_of(verb.command)):
            defaults = command.make_context("", [], _ROOT, resilient_parsing=True).params
            for each in (each for each in command.params if each.expose_value):
                inside, parameter = each.name or "", _of_click(each, defaults[each.name or ""])
                as_option = canonical(parameter.name)
                found[as_option if as_option in others else canonical(inside)] = parameter
        return found

    def route(self, verb: Verb) -> dict[str, Parameter]:
        """Parameters of its operations: path, query and body."""
        operations = [self._operations[name] for name in names_of(verb.route)]
        return {
            canonical(found.name): found for each in operations for found in self._parameters(each)
        }

    def _parameters(self, operation: Mapping[str, Any]) -> Iterator[Parameter]:
        for given in map(self._resolved, operation.get("parameters", ())):
            if given["in"] != "header":
                yield _of_schema(given["name"], given["schema"], given.get("required", False))
        for content in operation.get("requestBody", {}).get("content", {}).values():
            for body in map(self._resolved, _alternatives(content["schema"])):
                for name, schema in body.get("properties", {}).items():
                    yield _of_schema(name, schema, name in body.get("required", ()))

    def _resolved(self, part: Mapping[str, Any]) -> Mapping[str, Any]:
        if "$ref" not in part:
            return part
        kind, name = part["$ref"].split("/")[-2:]
        found: Mapping[str, Any] = self._parts[kind][name]
        return found


def _of_click(given: click.Parameter, default: Any) -> Parameter:
    name = given.opts[0].lstrip("-") if isinstance(given, click.Option) else given.name or ""
    kind, bounds = given.type, None
    if isinstance(kind, click.IntRange | click.FloatRange):
        bounds = (kind.min, kind.max)
    elif isinstance(kind, click.Choice):
        bounds = tuple(kind.choices)
    return Parameter(name, REQUIRED if given.required else _normalized(default), bounds)


def _of_schema(name: str, schema: Mapping[str, Any], required: bool) -> Parameter:
    default = REQUIRED if required else _normalized(schema.get("default"))
    for each in _alternatives(schema):
        if "minimum" in each or "maximum" in each:
            return Parameter(name, default, (each.get("minimum"), each.get("maximum")))
        if "enum" in each:
            return Parameter(name, default, tuple(each["enum"]))
    return Parameter(name, default)


def _alternatives(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return schema.get("anyOf") or [schema]


def _normalized(default: Any) -> Any:
    """A comparable default: None, False and empty values are equal."""
    if isinstance(default, timedelta):
        return default.total_seconds()
    return REQUIRED if default is inspect.Parameter.empty else default or None
