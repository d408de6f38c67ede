"""Commands of verbs: arguments, options and help from the signature, output from the result."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, timedelta
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Literal, get_args, get_origin

import click
from annotated_types import Ge, Le
from pydantic import ValidationError
from pydantic.fields import FieldInfo

from gotgan.cli import messages
from gotgan.cli.click_texts import did_you_mean
from gotgan.cli.commands import LazyGroup
from gotgan.cli.output import ExitCode, Output, TextResult
from gotgan.cli.reader import rendered, tr
from gotgan.domain import Command, domains, get_domain, load_object
from gotgan.errors import UsageError
from gotgan.generics import annotation_metadata
from gotgan.verbs import Extra, FromFile, Parameter, Verb, verbs_of

if TYPE_CHECKING:
    from gotgan.settings import Settings


Runner = Callable[[Verb, Mapping[str, Any], Output], ExitCode]

_METAVARS: Final = {date: "YYYY-MM-DD", datetime: "TIME", timedelta: "DURATION"}


class VerbGroup(LazyGroup):
    """The commands of a domain: one for each verb of its service, and those written by hand.

    The verbs of a resource, such as the posts of a site, are a subgroup. A command that is written
    by hand may have the name of a verb.
    """

    def __init__(
        self,
        domain: str,
        service: str,
        *,
        by_hand: Mapping[str, Command] | None = None,
        default: str | None = None,
        has_costs: bool = True,
        help: str,  # noqa: A002 - click's name
    ) -> None:
        """``service`` names the class; ``default`` is the command where the words name none."""
        super().__init__(
            domain,
            commands_at=by_hand or {},
            has_costs=has_costs,
            help=help,
            no_args_is_help=False,
        )
        self._service = service
        self._default = default

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the default command in front of words that name none."""
        known = {*self.list_commands(ctx), *self.get_help_option_names(ctx)}
        is_word = bool(args) and not args[0].startswith("-")
        is_misspelt = is_word and bool(did_you_mean(args[0], known))
        if self._default is not None and not known.intersection(args[:1]) and not is_misspelt:
            args = [self._default, *args]
        return super().parse_args(ctx, args)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted({*super().list_commands(ctx), *self.verbs, *self._places})

    @property
    def verbs(self) -> Mapping[str, Verb]:
        """The verbs of the service by the names of their commands."""
        return self._by_place[""]

    @property
    def _places(self) -> Mapping[str, Mapping[str, Verb]]:
        return {place: verbs for place, verbs in self._by_place.items() if place}

    @cached_property
    def _by_place(self) -> Mapping[str, Mapping[str, Verb]]:
        found: dict[str, dict[str, Verb]] = {"": {}}
        for each in verbs_of(load_object(self._service)).values():
            if not each.mark.is_remote:
                found.setdefault(each.place, {})[each.command] = each
        return found

    def _line(self, name: str) -> str:
        if name in self.commands_at:
            return super()._line(name)
        return (
            self.verbs[name].summary if name in self.verbs else _resource_help(self._places[name])
        )

    def _import(self, name: str) -> click.Command:
        if name in self.commands_at:
            return super()._import(name)
        if name in self.verbs:
            return verb_command(self.verbs[name])
        return _ResourceGroup(name, self._places[name], has_costs=self.has_costs)


def _resource_help(verbs: Mapping[str, Verb]) -> str:
    owner = next(iter(verbs.values())).owner
    return (inspect.getdoc(owner) or "").partition("\n")[0]


class _ResourceGroup(LazyGroup):
    """The commands of a resource."""

    def __init__(self, place: str, verbs: Mapping[str, Verb], *, has_costs: bool) -> None:
        commands_at = {name: Command("", each.summary) for name, each in verbs.items()}
        super().__init__(
            place,
            commands_at=commands_at,
            has_costs=has_costs,
            help=_resource_help(verbs),
            no_args_is_help=False,
        )
        self._verbs = verbs

    def _import(self, name: str) -> click.Command:
        return verb_command(self._verbs[name])


class _VerbCommand(click.Command):
    """A command whose help also lists its arguments."""

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The arguments, then the options."""
        arguments = [each for each in self.params if isinstance(each, _Argument)]
        if arguments:
            with formatter.section(tr("Arguments")):
                formatter.write_dl([(each.human_readable_name, each.note) for each in arguments])
        super().format_options(ctx, formatter)


class _Argument(click.Argument):
    """An argument with a help text, which click has only since 8.5."""

    def __init__(self, *args: Any, note: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.note = note


class _FieldOption(click.Option):
    """A field of a record: an empty value clears it, whatever its type is."""

    def type_cast_value(self, ctx: click.Context, value: Any) -> Any:
        """The value that was typed."""
        return value if value == "" else super().type_cast_value(ctx, value)


def verb_command(
    verb: Verb, *, run: Runner | None = None, options: Sequence[click.Option] = ()
) -> click.Command:
    """The command of a verb; ``run`` handles the ``options`` that only the command line has."""
    work = run or run_verb

    def callback(**given: Any) -> ExitCode:
        return work(verb, given, click.get_current_context().ensure_object(Output))

    return _VerbCommand(
        verb.command,
        params=[
            *(_click_parameter(each) for each in verb.parameters_of_front(over_http=False)),
            *options,
        ],
        callback=callback,
        help=verb.help,
        short_help=verb.summary,
    )


def run_verb(
    verb: Verb, given: Mapping[str, Any], output: Output, *, text: str | None = None
) -> ExitCode:
    """Call the verb and print its result; ``text`` names another function that writes it."""
    from gotgan.cli.app import open_app
    from gotgan.cli.progress import progress_line
    from gotgan.settings import Settings

    settings = Settings.from_env()
    values = parse_arguments(verb, given, settings)
    with open_app(output, writes=verb.mark.kind != "read", settings=settings) as app:
        method = verb.of(app)
        if verb.takes_progress:
            with progress_line(output) as progress:
                result = method(**values, progress=progress)
        else:
            result = method(**values)
    return print_result(verb, result, values, output, text=text)


def print_result(
    verb: Verb, result: Any, values: Mapping[str, Any], output: Output, *, text: str | None = None
) -> ExitCode:
    """Print what the verb returned for these arguments, as text or as JSON."""
    name = text or (f"{verb.place}_{verb.name}" if verb.place else verb.name)
    shown, code = _result_text(verb, result, values, name)
    data = None
    if output.as_json:
        from gotgan.encoding import encode

        data = encode(result)
    output.write_result(shown, data)
    return code


def _result_text(verb: Verb, result: Any, values: Mapping[str, Any], name: str) -> TextResult:
    """The result for people, written by hand or else as a table; and how the command ends."""
    module = _terminal_module(verb.domain)
    write: Callable[..., str | TextResult] | None = getattr(module, name, None)
    if write is None:
        from gotgan.cli.table import result_table

        columns = getattr(module, "COLUMNS", {}).get(verb.place)
        create = getattr(module, "CREATE", {}).get(verb.place)
        return result_table(result, columns, create), ExitCode.OK
    wanted = [*inspect.signature(write).parameters][1:]  # arguments that the text depends on
    made = write(result, **{each: values[each] for each in wanted})
    return (made, ExitCode.OK) if isinstance(made, str) else made


def _terminal_module(domain: str) -> ModuleType | None:
    """The module of a domain's texts, or of the day's and the operations'."""
    own = f"gotgan.cli.terminal.{domain}"
    declared = (each.terminal for each in domains() if each.name == domain)
    name = own if find_spec(own) else next(declared, None)
    return None if name is None else import_module(name)


def parse_arguments(verb: Verb, given: Mapping[str, Any], settings: Settings) -> dict[str, Any]:
    """The arguments of the verb; what the bounds of its signature refuse is a usage error."""
    named = {each.name: each for each in verb.parameters}
    passed = {
        named[name].alias: _field_value(named[name], value)
        for name, value in given.items()
        if value is not None and not (named[name].into is not None and value == ())
    }
    try:
        made = verb.local_model.model_validate(passed, context={"zone": settings.zone})
    except ValidationError as error:
        from gotgan.validation import problem

        first = error.errors()[0]
        at = next(each for each in verb.parameters if each.alias == first["loc"][0])
        raise UsageError(messages.ARGUMENT(name=_option_name(at), problem=problem(first))) from None
    return verb.values(made)


def _field_value(parameter: Parameter, value: Any) -> Any:
    """The value that was typed; an empty one clears a field, and NAME=VALUE are attributes."""
    if parameter.into is not None and value in ("", ("",)):
        return None
    if parameter.mark(Extra) is not None:
        if not all("=" in each for each in value):
            raise UsageError(
                messages.ARGUMENT(name=_option_name(parameter), problem=messages.NOT_A_PAIR())
            )
        pairs = (each.partition("=") for each in value)
        return {name: text or None for name, _, text in pairs}
    return value


def _option_name(parameter: Parameter) -> str:
    if parameter.is_positional:
        return parameter.name.upper()
    return f"--{parameter.name.replace('_', '-')}"


def _click_parameter(parameter: Parameter) -> click.Parameter:
    is_extra = parameter.mark(Extra) is not None
    kind, is_many = parameter.kind, (parameter.is_many or is_extra) and not parameter.is_body
    description = parameter.field.description or ""
    if parameter.is_body:
        description += " - is stdin."
    options: dict[str, Any] = {"type": _click_type(parameter, kind)}
    if parameter.is_positional:
        name = parameter.name.removesuffix("s") if is_many else parameter.name
        return _Argument(
            [parameter.name],
            nargs=-1 if is_many else 1,
            required=parameter.is_required,
            metavar=_metavar(parameter, name.upper()),
            note=description,
            **options,
        )
    if kind is bool and parameter.into is None:
        options = {"is_flag": True}
    default = None if parameter.is_required else parameter.default
    is_shown = default is not None and kind is not bool and not is_many
    if not parameter.is_required:  # of a required option, click takes None for a default
        options["default"] = _default_text(default) if is_shown else None
    kind_of_option = click.Option if parameter.into is None else _FieldOption
    return kind_of_option(
        [_option_name(parameter), parameter.name],
        required=parameter.is_required,
        multiple=is_many,
        show_default=is_shown,
        metavar="NAME=VALUE" if is_extra else _order_metavar(kind) or _METAVARS.get(kind),
        help=description,
        **options,
    )


def _order_metavar(kind: Any) -> str | None:
    """The names of an order, without those for descending, which have a sign in front."""
    names = get_args(kind) if get_origin(kind) is Literal else ()
    ascending = [name for name in names if f"-{name}" in names]
    return f"[{'|'.join(ascending)}]" if ascending else None


def _metavar(parameter: Parameter, name: str) -> str | None:
    """The name of an argument in the help; None for click's own."""
    if parameter.is_body:
        return "FILE"
    if not parameter.is_many:
        return None
    return f"{name}..." if parameter.is_required else f"[{name}]..."


def _click_type(parameter: Parameter, kind: Any) -> Any:
    if get_origin(kind) is Literal:
        return click.Choice([str(each) for each in get_args(kind)])
    if kind is int:
        marks = [*annotation_metadata(parameter.annotation)]
        fields = [each.metadata for each in marks if isinstance(each, FieldInfo)]
        bounds = [*marks, *chain.from_iterable(fields)]
        least = next((each.ge for each in bounds if isinstance(each, Ge)), None)
        most = next((each.le for each in bounds if isinstance(each, Le)), None)
        return click.IntRange(least, most)  # type: ignore[arg-type]
    if kind in (bool, float):
        return kind
    if kind is bytes or parameter.is_body:
        return _FileContent()
    if parameter.mark(FromFile) is not None:
        return _FileText()
    return click.Path(path_type=Path) if kind is Path else click.STRING


class _FileContent(click.File):
    """The content of a file, or of standard input."""

    name = "file"

    def __init__(self) -> None:
        super().__init__("rb")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the file."""
        if isinstance(value, bytes):
            return value
        with super().convert(value, param, ctx) as file:
            return file.read()


class _FileText(_FileContent):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read the file; a mark at its start that says how it is encoded is left out."""
        try:
            text: str = super().convert(value, param, ctx).decode("utf-8-sig")
        except UnicodeDecodeError:
            self.fail(rendered(messages.NOT_UTF8(file=value)), param, ctx)
        return text.replace("\r\n", "\n")


def _default_text(default: Any) -> Any:
    if not isinstance(default, timedelta):
        return default
    seconds = int(default.total_seconds())
    sizes = {"d": 86_400, "h": 3_600, "m": 60, "s": 1}
    return next(f"{seconds // size}{unit}" for unit, size in sizes.items() if seconds % size == 0)


day = VerbGroup(
    "day",
    "gotgan.day.service:Days",
    default="get",
    help="Show or publish the summary of a day.\n\ngotgan day [DAY] is short for gotgan day get "
    "[DAY].",
)


def domain_group(name: str) -> VerbGroup:
    """The commands of a domain."""
    domain = get_domain(name)
    return VerbGroup(
        domain.name,
        domain.service,
        by_hand=domain.commands,
        has_costs=domain.tables is not None,
        help=domain.line,
    )
