"""What library, command line and API say of a verb's parameters: names, bounds, defaults."""

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
from gotgan.cli.frame import root
from gotgan.server import create
from tests.house.verb import Verb, names_of

__all__ = ["ABSENT", "REQUIRED", "Fronts", "Parameter", "plain"]

ABSENT: Final = "absent"
REQUIRED: Final = "required"
_COMMANDS: Final = {words: command for words, _, command in root.every_command()}


def plain(name: str) -> str:
    """A name without what fronts spell differently: page_type, pageType and --page-type are one."""
    return re.sub(r"[-_]", "", name).lower()


@dataclass(frozen=True)
class Parameter:
    """A parameter as one front has it."""

    name: str
    default: Any = None
    """What it is where it is not given, or that it has to be given."""
    bounds: tuple[Any, ...] | None = None
    """The least and the greatest number, or all words that can be chosen."""


class Fronts:
    """The parameters of verbs, by their plain names."""

    def __init__(self, app: App) -> None:
        self._app = app
        document = create(app).openapi()
        self._parts: dict[str, Any] = document["components"]
        self._operations = {
            operation["operationId"]: operation
            for methods in document["paths"].values()
            for operation in methods.values()
        }

    def library(self, verb: Verb) -> dict[str, Parameter]:
        """What the methods take, without callbacks."""
        found: dict[str, Parameter] = {}
        for path in names_of(verb.library):
            method: Any = reduce(getattr, path.split("."), self._app)
            for each in inspect.signature(method).parameters.values():
                if not inspect.isfunction(each.default):
                    found[plain(each.name)] = Parameter(each.name, _same(each.default))
        return found

    def command(self, verb: Verb) -> dict[str, Parameter]:
        """What the commands take, by the name inside where the others have that, too.

        The name of an option is the one that users write.
        """
        others = self.library(verb) | self.route(verb)
        found: dict[str, Parameter] = {}
        for command in (_COMMANDS[words] for words in names_of(verb.command)):
            defaults = command.make_context("any", [], resilient_parsing=True).params
            for each in (each for each in command.params if each.expose_value):
                inside, parameter = each.name or "", _of_click(each, defaults[each.name or ""])
                by_user = plain(parameter.name)
                found[by_user if by_user in others else plain(inside)] = parameter
        return found

    def route(self, verb: Verb) -> dict[str, Parameter]:
        """What the operations take in path, query and body."""
        operations = [self._operations[name] for name in names_of(verb.route)]
        return {plain(found.name): found for each in operations for found in self._asked(each)}

    def _asked(self, operation: Mapping[str, Any]) -> Iterator[Parameter]:
        for given in map(self._resolved, operation.get("parameters", ())):
            if given["in"] != "header":
                yield _of_schema(given["name"], given["schema"], given.get("required", False))
        for content in operation.get("requestBody", {}).get("content", {}).values():
            for body in map(self._resolved, _choices_of(content["schema"])):
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
    return Parameter(name, REQUIRED if given.required else _same(default), bounds)


def _of_schema(name: str, schema: Mapping[str, Any], required: bool) -> Parameter:
    default = REQUIRED if required else _same(schema.get("default"))
    for each in _choices_of(schema):
        if "minimum" in each or "maximum" in each:
            return Parameter(name, default, (each.get("minimum"), each.get("maximum")))
        if "enum" in each:
            return Parameter(name, default, tuple(each["enum"]))
    return Parameter(name, default)


def _choices_of(schema: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    return schema.get("anyOf") or [schema]


def _same(default: Any) -> Any:
    """A default as all fronts write it; nothing, no and empty are the same."""
    if isinstance(default, timedelta):
        return default.total_seconds()
    return REQUIRED if default is inspect.Parameter.empty else default or None
