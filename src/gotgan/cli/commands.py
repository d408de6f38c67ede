"""The program: its table of commands, options that all share, errors and exit codes."""

from __future__ import annotations

import atexit
import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from importlib import import_module
from typing import Any, Final, cast

import click

from gotgan.cli import messages
from gotgan.cli.click_texts import did_you_mean, translate_click
from gotgan.cli.options import cost_option
from gotgan.cli.output import ExitCode, Output, error_exit_code
from gotgan.cli.reader import language, reader, tr, translated_help
from gotgan.domain import BUILT_IN, Command, domains, get_domain
from gotgan.errors import GotganError, UsageError
from gotgan.settings import reader_language

COMMANDS: Final = {
    "backup": Command("gotgan.cli.backup", "Back up the data folder while Gotgan runs."),
    "day": Command("gotgan.cli.binder", "Show or publish the summary of a day.", "day"),
    "demo": Command("gotgan.cli.demo", "Run a demo on simulated data."),
    "dynamodb": Command("gotgan.cli.dynamodb", "Serve DynamoDB's API from a local file."),
    "export": Command(
        "gotgan.cli.operations", "Export a domain as Parquet files for analysis.", "export"
    ),
    "mcp": Command("gotgan.cli.mcp", "Serve AI assistants over MCP."),
    "restore": Command("gotgan.cli.backup", "Restore a backup to an empty folder.", "restore"),
    "schedule": Command(
        "gotgan.cli.operations",
        "Show scheduled jobs: next run, last result and reason.",
        "schedule",
    ),
    "search": Command("gotgan.cli.search", "Search everything that was collected.", "search"),
    "settings": Command(
        "gotgan.cli.operations", "Show all settings and where they came from.", "settings"
    ),
    "setup": Command("gotgan.cli.setup", "Show what is set up and what is missing.", "setup"),
    "tables": Command("gotgan.cli.tables", "Create, verify, list, browse, follow and copy tables."),
    "ticks": Command(
        "gotgan.cli.operations", "List the results of scheduled jobs, newest first.", "ticks"
    ),
    "up": Command("gotgan.cli.up", "Serve the console and the API."),
    "world": Command("gotgan.cli.world", "Serve a simulated web, for demos and tests."),
}


class LazyGroup(click.Group):
    """A group that imports a command only when it is called."""

    def __init__(
        self,
        *args: Any,
        commands_at: Mapping[str, Command],
        has_costs: bool = False,
        **kwargs: Any,
    ) -> None:
        """``has_costs``: its commands work on tables of DynamoDB, and have the option --cost."""
        super().__init__(*args, **kwargs)
        self.commands_at = commands_at
        self.has_costs = has_costs

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names of all commands."""
        return sorted(self.commands_at)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, with the options that all commands share."""
        return self._load(cmd_name) if cmd_name in self.list_commands(ctx) else None

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first word names; an unknown one may be a slip of the pen."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchOption:
            raise
        except click.UsageError as error:
            near = did_you_mean(args[0], self.list_commands(ctx))
            raise click.UsageError(f"{error.message} {near}".rstrip(), error.ctx) from None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The lines of the help, without importing a command."""
        rows = [(name, translated_help(self._line(name))) for name in self.list_commands(ctx)]
        with formatter.section(tr("Commands")):
            formatter.write_dl(rows)

    def every_command(self, before: str = "") -> Iterator[tuple[str, str, click.Command]]:
        """All commands below: the words that call each, its line in the help, and the command."""
        for name in self.list_commands(click.Context(self)):
            command = self._load(name)
            yield before + name, self._line(name), command
            if isinstance(command, LazyGroup):
                yield from command.every_command(f"{before}{name} ")

    def _line(self, name: str) -> str:
        return self.commands_at[name].line

    def _import(self, name: str) -> click.Command:
        at = self.commands_at[name]
        command: click.Command = getattr(import_module(at.module), at.name)
        return command

    def _load(self, name: str) -> click.Command:
        command = copy(self._import(name))  # another group may offer the same command
        command.params = list(command.params)
        known = {option.name for option in command.params}
        if "json" not in known:
            command.params.append(_json_option())
        if self.has_costs and "cost" not in known:
            cost_option(command)
        return _translated(command)


def _translated(command: click.Command) -> click.Command:
    """A command with its help in the language of the reader."""
    if language() == "en":
        return command
    made = copy(command)
    made.help = translated_help(command.help or "")
    made.short_help = translated_help(command.short_help or "")
    made.params = [_translated_parameter(each) for each in command.params]
    made._help_option = None  # noqa: SLF001 - click keeps it in the language of its first use
    return made


def _translated_parameter(parameter: click.Parameter) -> click.Parameter:
    """A copy; an option has a help, and an argument of a verb a note."""
    made: Any = copy(parameter)
    for name in ("help", "note"):
        if text := getattr(made, name, None):
            setattr(made, name, translated_help(text))
    return cast("click.Parameter", made)


class RootGroup(LazyGroup):
    """All commands: those of this package, and a group for each domain.

    Entry points are read only to list everything, or for a name that is not known.
    """

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands."""
        return sorted({*super().list_commands(ctx), *(each.name for each in domains())})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name."""
        is_known = cmd_name in self.commands_at or cmd_name in BUILT_IN
        return self._load(cmd_name) if is_known else super().get_command(ctx, cmd_name)

    def _line(self, name: str) -> str:
        return super()._line(name) if name in self.commands_at else get_domain(name).line

    def _import(self, name: str) -> click.Command:
        if name in self.commands_at:
            return super()._import(name)
        group: click.Command = import_module("gotgan.cli.binder").domain_group(name)
        return group


def _json_option() -> click.Option:
    """The flag, for help and parsing; ``main`` reads it also when parsing fails."""
    return click.Option(
        ["--json"],
        is_flag=True,
        expose_value=False,
        help="Output JSON, one object per line (errors too).",
    )


def _show_version(ctx: click.Context, _option: click.Parameter, value: bool) -> None:  # noqa: FBT001
    if value and not ctx.resilient_parsing:
        from importlib.metadata import version

        number = version("gotgan")
        ctx.ensure_object(Output).write(f"gotgan {number}", version=number)
        ctx.exit()


@click.group(
    cls=RootGroup,
    commands_at=COMMANDS,
    params=[_json_option()],
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show_version,
    help="Show the version.",
)
def root() -> None:
    """Gotgan: collect from the web and store every item exactly once.

    Settings are in gotgan.toml in the data folder, or environment variables. `gotgan settings`
    lists them.
    """


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command line and return its exit code."""
    if arguments is None:  # this is the program: do not collect garbage when it ends
        atexit.register(gc.freeze)
    words = list(sys.argv[1:] if arguments is None else arguments)
    output = Output(as_json="--json" in words, shows_cost="--cost" in words)
    translate_click()
    with reader("en" if output.as_json else reader_language()):
        return _run(words, output)


def _run(words: list[str], output: Output) -> int:
    try:
        with _sigterm_as_interrupt():
            result = _translated(root).main(
                words or ["--help"], prog_name="gotgan", obj=output, standalone_mode=False
            )
            return result if isinstance(result, int) else ExitCode.OK
    except click.Abort:
        output.write_error("interrupted", messages.INTERRUPTED())
        return ExitCode.INTERRUPTED
    except click.ClickException as error:
        output.write_error(UsageError.code, _usage_message(error))
        return ExitCode.USAGE
    except GotganError as error:
        output.write_error(error.code, error.message, retry=error.retry)
        return error_exit_code(error)
    except BrokenPipeError:
        # The reader has gone. Python would complain again when it closes the pipe.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return ExitCode.FAILED
    except OSError as error:
        output.write_error("output", messages.CANNOT_PRINT(cause=error.strerror))
        return ExitCode.FAILED


@contextlib.contextmanager
def _sigterm_as_interrupt() -> Iterator[None]:
    """Treat SIGTERM like Ctrl-C, so that claims are released."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _usage_message(error: click.ClickException) -> str:
    """Click's sentence, and the command that shows the help."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    place = context.command_path if context else "gotgan"
    text = error.format_message()
    if isinstance(error, click.NoSuchOption):
        text = f"{error.message} {did_you_mean(error.option_name, error.possibilities or ())}"
    problem = " ".join(text.split()).rstrip(".")
    if problem.endswith(("?", "?)")):
        return tr("{problem} See {place} --help", problem=problem, place=place)
    return tr("{problem}; see {place} --help", problem=problem, place=place)
