"""Verbs: methods of a service that every front offers, declared once by their signatures.

A parameter is an ``Annotated`` type with pydantic ``Field`` bounds and a description, the docstring
is the help, and the return annotation is the result. ``@verb`` adds what a signature cannot say and
returns the function unchanged. Command line and HTTP derive their side from a ``Verb``.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from types import NoneType, SimpleNamespace, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    ParamSpec,
    Protocol,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from pydantic import BaseModel, ConfigDict, create_model
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from gotgan.runs import Run, Runs

__all__ = [
    "Kind",
    "Local",
    "Parameter",
    "Progress",
    "Remote",
    "RequestBody",
    "Role",
    "Verb",
    "VerbOptions",
    "iterate",
    "marks_in",
    "silent",
    "start",
    "verb",
    "verbs_of",
]

Role = Literal["public", "viewer", "editor", "admin"]
Kind = Literal["read", "write", "run"]
F = TypeVar("F", bound=Callable[..., Any])
P = ParamSpec("P")
T_co = TypeVar("T_co", covariant=True)
_PROGRESS: Final = "progress"
_MARK: Final = "__verb__"


class Progress(Protocol):
    """Called while a verb runs: how many are done, of how many (0: unknown), and the last one."""

    def __call__(self, done: int, total: int, last: str, /, **figures: float) -> None:
        """Report progress; ``figures`` are further counts by name."""


def silent(_done: int, _total: int, _last: str, /, **_figures: float) -> None:
    """Report no progress."""


@dataclass(frozen=True)
class Local:
    """Marks a parameter that only the library and the command line have, such as a file path."""


@dataclass(frozen=True)
class Remote:
    """Marks a parameter that only the library and HTTP have, such as a list of objects."""


@dataclass(frozen=True)
class RequestBody:
    """Marks the parameter that is the whole request body; the command line reads it from a file."""


About = Callable[..., tuple[str, ...] | None]


@dataclass(frozen=True)
class VerbOptions:
    """What a signature cannot say."""

    role: Role
    kind: Kind
    path: str | None = None
    """The path below ``/v1``; derived from domain and name without one."""
    about: About | None = None
    """Names what a run is about, and raises for what does not exist before the run starts.

    It is called with the service and the verb's arguments that it has parameters for.
    """
    is_local: bool = False
    """Whether only the library and the command line have the verb."""
    is_remote: bool = False
    """Whether only the library and HTTP have the verb, as only a running process can answer it."""
    command: str | None = None
    """The name on the command line; that of the method without one."""


def verb(
    *,
    role: Role = "viewer",
    kind: Kind = "read",
    path: str | None = None,
    about: About | None = None,
    is_local: bool = False,
    is_remote: bool = False,
    command: str | None = None,
) -> Callable[[F], F]:
    """Declare a method as a verb."""

    def marked(function: F) -> F:
        setattr(function, _MARK, VerbOptions(role, kind, path, about, is_local, is_remote, command))
        return function

    return marked


@dataclass(frozen=True)
class Parameter:
    """A parameter of a verb."""

    name: str
    annotation: Any
    """The annotation with its metadata."""
    default: Any
    """``inspect.Parameter.empty`` where it is required."""
    is_positional: bool

    @cached_property
    def field(self) -> FieldInfo:
        """Its description and bounds."""
        made = FieldInfo.from_annotation(self.annotation)
        if made.description is None:  # of ``X | None``, where X has one
            inner = (FieldInfo.from_annotation(each) for each in get_args(self.annotation))
            made.description = next((each.description for each in inner if each.description), None)
        return made

    @property
    def alias(self) -> str:
        """Its name in JSON and in queries."""
        return to_camel(self.name)

    @property
    def is_required(self) -> bool:
        """Whether it has no default."""
        return self.default is inspect.Parameter.empty

    @cached_property
    def kind(self) -> Any:
        """The plain type behind the annotation; of a sequence that of its items."""
        return _plain(self.annotation)[0]

    @cached_property
    def is_many(self) -> bool:
        """Whether it is a sequence."""
        return _plain(self.annotation)[1]

    @property
    def is_local(self) -> bool:
        """Whether HTTP does not offer it."""
        return any(isinstance(each, Local) for each in marks_in(self.annotation))

    @property
    def is_remote(self) -> bool:
        """Whether the command line does not offer it."""
        return any(isinstance(each, Remote) for each in marks_in(self.annotation))

    @property
    def is_body(self) -> bool:
        """Whether it is the whole request body."""
        return any(isinstance(each, RequestBody) for each in marks_in(self.annotation))


def marks_in(annotation: Any) -> Iterator[Any]:
    """The metadata of an annotation and of its parts: ``Lease | None`` hides that of ``Lease``."""
    if get_origin(annotation) is Annotated:
        yield from annotation.__metadata__
    for part in get_args(annotation):
        yield from marks_in(part)


def _plain(annotation: Any) -> tuple[Any, bool]:
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return _plain(parts[0])
    if origin in (Union, UnionType):
        first = next(each for each in parts if each is not NoneType)
        return _plain(first)
    if isinstance(origin, type) and issubclass(origin, Sequence):
        return _plain(parts[0])[0], True
    return annotation, False


@dataclass(frozen=True)
class Verb:
    """A method of a service, as fronts see it."""

    domain: str
    name: str
    mark: VerbOptions
    function: Callable[..., Any]
    results: str | None = None
    """The module of its result type; None where that of the function has it."""

    @property
    def id(self) -> str:
        """Its name among all verbs, such as ``shops.crawl``."""
        return f"{self.domain}.{self.name}"

    @property
    def command(self) -> str:
        """Its name on the command line, below the domain."""
        return self.mark.command or self.name.replace("_", "-")

    @property
    def summary(self) -> str:
        """The first line of its help."""
        return self.help.partition("\n")[0]

    @cached_property
    def help(self) -> str:
        """Its docstring."""
        return inspect.getdoc(self.function) or ""

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """What it takes, except progress."""
        hints = self._hints
        found = [*inspect.signature(self.function).parameters.values()][1:]
        return tuple(
            Parameter(
                each.name,
                hints[each.name],
                each.default,
                is_positional=each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD,
            )
            for each in found
            if each.name != _PROGRESS
        )

    @property
    def takes_progress(self) -> bool:
        """Whether it reports how far it has come."""
        return _PROGRESS in inspect.signature(self.function).parameters

    @property
    def result(self) -> Any:
        """The type of what it returns."""
        found = vars(import_module(self.results)) if self.results else {}
        return self._resolved({"return": self.function.__annotations__["return"]}, found)["return"]

    @property
    def method(self) -> str:
        """The HTTP method."""
        by_name = {"update": "PATCH", "delete": "DELETE"}
        return by_name.get(self.name, "GET" if self.mark.kind == "read" else "POST")

    @property
    def path(self) -> str:
        """The path below ``/v1``."""
        if self.mark.path is not None:
            return f"/{self.mark.path}"
        if self.name in ("list", "create"):
            return f"/{self.domain}"
        if self.name in ("get", "update", "delete"):
            return f"/{self.domain}/{{{self.parameters[0].alias}}}"
        return f"/{self.domain}/{self.command}"

    def offered(self, *, over_http: bool) -> tuple[Parameter, ...]:
        """The parameters that a front has."""
        hidden = "is_local" if over_http else "is_remote"
        return tuple(each for each in self.parameters if not getattr(each, hidden))

    @cached_property
    def local_model(self) -> type[BaseModel]:
        """What checks the arguments of the command line."""
        return self._model(over_http=False)

    @cached_property
    def http_model(self) -> type[BaseModel]:
        """What checks the arguments of a request: path, query and body together."""
        return self._model(over_http=True)

    @cached_property
    def _hints(self) -> dict[str, Any]:
        stated = self.function.__annotations__
        return self._resolved({name: stated[name] for name in stated if name != "return"})

    def _resolved(
        self, stated: dict[str, Any], found: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        names = {**self.function.__globals__, **(found or {})}
        return get_type_hints(SimpleNamespace(__annotations__=stated), names, include_extras=True)

    def _model(self, *, over_http: bool) -> type[BaseModel]:
        fields: dict[str, Any] = {
            each.name: (each.annotation, ... if each.is_required else each.default)
            for each in self.offered(over_http=over_http)
        }
        config = ConfigDict(
            extra="forbid",
            alias_generator=to_camel,
            arbitrary_types_allowed=True,
            protected_namespaces=(),
        )
        return cast(
            "type[BaseModel]",
            create_model(f"{to_camel(self.domain)}_{self.name}", __config__=config, **fields),
        )

    def values(self, made: BaseModel) -> dict[str, Any]:
        """The arguments that a model has checked."""
        return {name: getattr(made, name) for name in type(made).model_fields}


def verbs_of(service: type) -> dict[str, Verb]:
    """The verbs of a service by name; an override of a method keeps its mark.

    A service may name the module of its result types as ``results``: it is loaded when a schema is
    made of them, and not for the help of a command.
    """
    found: dict[str, Verb] = {}
    for name, function in inspect.getmembers(service, inspect.isfunction):
        inherited = (vars(each).get(name) for each in service.__mro__)
        marks = (getattr(each, _MARK, None) for each in inherited)
        mark = next((each for each in marks if each is not None), None)
        if mark is not None:
            results = getattr(service, "results", None)
            found[name] = Verb(cast("Any", service).domain, name, mark, function, results)
    return found


def start(runs: Runs, method: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Run:
    """Run a verb of a service in the background; one that is running for the same is joined.

    ``method`` is the bound method: ``start(app.runs, app.shops.crawl, ["example.com"])``.
    """
    bound = cast("Any", method)
    service, mark = bound.__self__, verbs_of(type(bound.__self__))[bound.__name__].mark
    given = inspect.signature(method).bind(*args, **kwargs)
    given.apply_defaults()
    values = {name: value for name, value in given.arguments.items() if name != _PROGRESS}
    about, asked = _about(mark, service, values)
    takes_progress = _PROGRESS in given.signature.parameters

    def work(progress: Progress) -> Any:
        return bound(**values, progress=progress) if takes_progress else bound(**values)

    return runs.start(f"{service.domain}.{bound.__name__}", work, about=about, asked=asked)


def _about(
    mark: VerbOptions, service: Any, values: Mapping[str, Any]
) -> tuple[tuple[str, ...] | None, dict[str, Any]]:
    """What a run is about, and the other arguments: both must be the same to join it."""
    if mark.about is None:
        return None, dict(values)
    names = list(inspect.signature(mark.about).parameters)[1:]
    about = mark.about(service, **{name: values[name] for name in names})
    return about, {name: value for name, value in values.items() if name not in names}


class _Paged(Protocol[T_co]):
    @property
    def items(self) -> tuple[T_co, ...]: ...
    @property
    def cursor(self) -> str | None: ...


def iterate(listing: Callable[..., _Paged[T_co]], *args: Any, **kwargs: Any) -> Iterator[T_co]:
    """All items of a list, page by page: ``iterate(app.news.list, ticker="NVDA")``."""
    cursor: str | None = None
    while True:
        page = listing(*args, **kwargs, cursor=cursor)
        yield from page.items
        cursor = page.cursor
        if cursor is None:
            return
