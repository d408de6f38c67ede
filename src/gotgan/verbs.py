"""Verbs: methods of a service that every front offers, declared once by their signatures.

A parameter is an ``Annotated`` type with pydantic ``Field`` bounds and a description, the docstring
is the help, and the return annotation is the result. ``@verb`` adds what a signature cannot say and
returns the function unchanged. Command line and HTTP derive their side from a ``Verb``.

A service can hold resources, such as the posts of a site: attributes that are annotated with a
class that has its own verbs. Fields of a record are declared as a ``TypedDict``; each front
offers them one by one.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib import import_module
from types import SimpleNamespace
from typing import (
    Any,
    Final,
    Literal,
    ParamSpec,
    Protocol,
    TypeVar,
    Unpack,
    cast,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from pydantic import BaseModel, ConfigDict, create_model
from pydantic.alias_generators import to_camel
from pydantic.fields import FieldInfo

from gotgan.generics import annotation_metadata, plain_type, type_arguments, with_type_arguments
from gotgan.runs import Run, Runs

Role = Literal["public", "viewer", "editor", "admin"]
Kind = Literal["read", "write", "run"]
F = TypeVar("F", bound=Callable[..., Any])
M = TypeVar("M")
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


@dataclass(frozen=True)
class Version:
    """Marks the version of the record that a change is for; over HTTP ``If-Match`` says it too."""

    is_required: bool = False
    """Whether a request must say it."""


@dataclass(frozen=True)
class CurrentUser:
    """Marks the parameter that is the caller; a front that knows the caller fills it in."""


@dataclass(frozen=True)
class Extra:
    """Marks further attributes by name; over HTTP all names in the body that nothing else has."""


@dataclass(frozen=True)
class FromFile:
    """Marks a text that the command line reads from a file."""


About = Callable[..., tuple[str, ...] | None]


@dataclass(frozen=True)
class VerbOptions:
    """What a signature cannot say."""

    role: Role | None
    """The role that a caller needs; without one that of the resource."""
    kind: Kind
    path: str | None = None
    """The path below ``/v1``; derived from the names without one."""
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
    is_for_all: bool = False
    """Whether HTTP also has it at its path without the parameter in that, which has a default."""


def verb(  # noqa: PLR0913 - what a signature cannot say
    *,
    role: Role | None = "viewer",
    kind: Kind = "read",
    path: str | None = None,
    about: About | None = None,
    is_local: bool = False,
    is_remote: bool = False,
    command: str | None = None,
    is_for_all: bool = False,
) -> Callable[[F], F]:
    """Declare a method as a verb."""

    def marked(function: F) -> F:
        options = VerbOptions(
            role, kind, path, about, is_local, is_remote, command, is_for_all=is_for_all
        )
        setattr(function, _MARK, options)
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
    into: str | None = None
    """The argument of the method that collects it, of a field of a record."""

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
        return plain_type(self.annotation)[0]

    @cached_property
    def is_many(self) -> bool:
        """Whether it is a sequence."""
        return plain_type(self.annotation)[1]

    def mark(self, kind: type[M]) -> M | None:
        """The mark of this kind that its annotation has."""
        return next(
            (each for each in annotation_metadata(self.annotation) if isinstance(each, kind)), None
        )

    @property
    def is_body(self) -> bool:
        """Whether it is the whole request body."""
        return self.mark(RequestBody) is not None


@dataclass(frozen=True)
class Verb:
    """A method of a service, as fronts see it."""

    domain: str
    name: str
    mark: VerbOptions
    function: Callable[..., Any]
    owner: type
    """The class of the service or resource that has it."""
    place: str = ""
    """The name of the resource within the service."""
    results: str | None = None
    """The module of its result type; None where that of the function has it."""

    def __hash__(self) -> int:
        return hash((self.owner, self.name))

    @property
    def id(self) -> str:
        """Its name among all verbs, such as ``shops.crawl`` or ``site.posts.list``."""
        return ".".join(filter(None, (self.domain, self.place, self.name)))

    @property
    def role(self) -> Role:
        """The role that a caller needs."""
        of_resource = "read_by" if self.mark.kind == "read" else "written_by"
        return self.mark.role or cast("Role", getattr(self.owner, of_resource))

    def of(self, app: Any) -> Callable[..., Any]:
        """The method itself."""
        own = getattr(app, self.domain, None)  # day and operations are no domains
        service = app.domain(self.domain) if own is None else own
        found = getattr(getattr(service, self.place) if self.place else service, self.name)
        return cast("Callable[..., Any]", found)

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
        """Its docstring, with *record* replaced by the name of the resource."""
        text, noun = inspect.getdoc(self.function) or "", getattr(self.owner, "noun", None)
        if noun is None:
            return text
        text = text.replace("a record", "an record" if noun[0] in "aeio" else "a record")
        many = self.place.replace("_", " ")
        return re.sub(r"\brecord(s?)\b", lambda found: many if found[1] else noun, text)

    @cached_property
    def parameters(self) -> tuple[Parameter, ...]:
        """Its parameters, except progress."""
        found = [*inspect.signature(self.function).parameters.values()][1:]
        named = [each for each in found if each.name != _PROGRESS]
        return tuple(made for each in named for made in self._front_parameters(each))

    def _front_parameters(self, each: inspect.Parameter) -> Iterator[Parameter]:
        """A parameter, or the fields of a record one by one."""
        hint = self._hints[each.name]
        fields = get_args(hint)[0] if get_origin(hint) is Unpack else hint
        if not is_typeddict(fields):
            is_positional = each.kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
            yield Parameter(each.name, hint, each.default, is_positional=is_positional)
            return
        is_new, some = self.name == "create", self.name == "update"
        needed = () if some else getattr(self.owner, "needed", ())
        for name, annotation in get_type_hints(fields, include_extras=True).items():
            if is_new or name != "id":  # which stays
                default = inspect.Parameter.empty if name in needed else None
                yield Parameter(name, annotation, default, is_positional=False, into=each.name)

    @property
    def takes_progress(self) -> bool:
        """Whether it reports its progress."""
        return _PROGRESS in inspect.signature(self.function).parameters

    @property
    def result(self) -> Any:
        """The type of what it returns."""
        found = vars(import_module(self.results)) if self.results else {}
        stated = {"return": self.function.__annotations__["return"]}
        return self._resolve_types(stated, found)["return"]

    @property
    def method(self) -> str:
        """The HTTP method."""
        by_name = {"update": "PATCH", "replace": "PUT", "delete": "DELETE"}
        return by_name.get(self.name, "GET" if self.mark.kind == "read" else "POST")

    @property
    def path(self) -> str:
        """The path below ``/v1``."""
        if self.mark.path is not None:
            return f"/{self.mark.path}"
        base = f"/{getattr(self.owner, 'path', None) or self.place or self.domain}"
        first = next((each for each in self.parameters if each.is_positional), None)
        if self.name in ("list", "create"):
            return base
        if self.name in ("get", "update", "replace", "delete"):
            return base if first is None else f"{base}/{{{first.alias}}}"
        return f"{base}/{self.command}"

    @cached_property
    def for_all(self) -> Verb | None:
        """The verb at a path without its parameter; None where that is not offered."""
        for each in self.parameters if self.mark.is_for_all else ():
            if f"/{{{each.alias}}}" in self.path:
                path = self.path.replace(f"/{{{each.alias}}}", "").removeprefix("/")
                return replace(self, mark=replace(self.mark, path=path))
        return None

    def parameters_of_front(self, *, over_http: bool) -> tuple[Parameter, ...]:
        """The parameters that a front has."""
        hidden = (Local if over_http else Remote, CurrentUser)
        return tuple(
            each for each in self.parameters if not any(each.mark(kind) for kind in hidden)
        )

    @cached_property
    def local_model(self) -> type[BaseModel]:
        """Checks the arguments of the command line."""
        return self._model(self.parameters_of_front(over_http=False))

    @cached_property
    def http_model(self) -> type[BaseModel]:
        """Checks the arguments of a request: path, query and body together."""
        return self._model(self.parameters_of_front(over_http=True))

    @cached_property
    def form(self) -> type[BaseModel]:
        """Checks the fields of a form: what is not in the path, nor the version."""
        return self._model(
            [
                each
                for each in self.parameters_of_front(over_http=True)
                if f"{{{each.alias}}}" not in self.path
                and not any(each.mark(kind) for kind in (Version, Extra))
            ]
        )

    @cached_property
    def _hints(self) -> dict[str, Any]:
        stated = self.function.__annotations__
        return self._resolve_types({name: stated[name] for name in stated if name != "return"}, {})

    def _resolve_types(self, stated: dict[str, Any], found: Mapping[str, Any]) -> dict[str, Any]:
        """Annotations as types, with the type arguments that a resource chose for its base."""
        names = {**self.function.__globals__, **found}
        holder = SimpleNamespace(__annotations__=stated)
        chosen = type_arguments(self.owner)
        return {
            name: with_type_arguments(hint, chosen)
            for name, hint in get_type_hints(holder, names, include_extras=True).items()
        }

    def _model(self, parameters: Sequence[Parameter]) -> type[BaseModel]:
        fields: dict[str, Any] = {
            each.name: (each.annotation, ... if each.is_required else each.default)
            for each in parameters
        }
        config = ConfigDict(
            extra="forbid",
            alias_generator=to_camel,
            arbitrary_types_allowed=True,
            protected_namespaces=(),
            str_strip_whitespace=self.mark.kind == "write",
        )
        name = self.id.replace(".", "_")
        return cast("type[BaseModel]", create_model(name, __config__=config, **fields))

    def values(self, made: BaseModel) -> dict[str, Any]:
        """The arguments that a model has checked; of the fields of a record those that are set."""
        values: dict[str, Any] = {}
        fields: dict[str, dict[str, Any]] = {}
        for each in self.parameters:
            if each.into is not None:
                collected = fields.setdefault(each.into, {})
                if each.name in made.model_fields_set:
                    collected[each.name] = getattr(made, each.name)
            elif each.name in type(made).model_fields:
                values[each.name] = getattr(made, each.name)
        signature = inspect.signature(self.function).parameters
        for name, collected in fields.items():
            are_keywords = signature[name].kind is inspect.Parameter.VAR_KEYWORD
            values |= collected if are_keywords else {name: collected}
        return values


def verbs_of(service: type) -> dict[str, Verb]:
    """The verbs of a service by name, those of its resources as ``posts.list``.

    Resources of other packages, which ``extensions`` returns, are among them. An override keeps its
    mark. A service may name the module of its result types as ``results``; only schemas load it.
    """
    domain: str = cast("Any", service).domain
    places = {"": service} | {
        name: kind
        for name, kind in (_public_hints(service) | getattr(service, "extensions", dict)()).items()
        if isinstance(kind, type) and any(_verb_options(each) for each in _members(kind))
    }
    found = (_verbs_in(domain, place, owner) for place, owner in places.items())
    return {name: each for verbs in found for name, each in verbs}


def _public_hints(service: type) -> dict[str, Any]:
    """The types of the public attributes; those of others may be imported for mypy only."""
    found: dict[str, Any] = {}
    for base in reversed(service.__mro__):
        hints = inspect.get_annotations(base).items()
        public = {name: kind for name, kind in hints if not name.startswith("_")}
        named = {"__module__": base.__module__, "__annotations__": public}
        found |= get_type_hints(type(base.__name__, (), named))
    return found


def _verbs_in(domain: str, place: str, owner: type) -> Iterator[tuple[str, Verb]]:
    for name, function in inspect.getmembers(owner, inspect.isfunction):
        inherited = (_verb_options(vars(each).get(name)) for each in owner.__mro__)
        mark = next((each for each in inherited if each is not None), None)
        if mark is not None:
            results = getattr(owner, "results", None)
            key = f"{place}.{name}" if place else name
            yield key, Verb(domain, name, mark, function, owner, place, results)


def _members(kind: type) -> Iterator[Any]:
    return (each for base in kind.__mro__ for each in vars(base).values())


def _verb_options(function: Any) -> VerbOptions | None:
    found: VerbOptions | None = getattr(function, _MARK, None)
    return found


def start(runs: Runs, method: Callable[P, Any], *args: P.args, **kwargs: P.kwargs) -> Run:
    """Run a verb in the background: ``start(app.runs, app.shops.crawl, ["example.com"])``.

    One that is running for the same arguments is joined.
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
