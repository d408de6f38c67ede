"""The reference pages of ``docs/``, written from the code: ``python -m scripts.reference``."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Iterator, Sequence
from dataclasses import fields
from importlib import import_module
from pathlib import Path
from typing import Final

import click

import gotgan
from gotgan.cli.commands import root
from gotgan.cli.output import ExitCode
from gotgan.cli.tables import declared_tables
from gotgan.errors import GotganError
from gotgan.settings import Settings
from gotgan.store.engine.faults import DynamoDBError
from gotgan.store.entities import entities_of
from gotgan.store.outputs.documents import markdown_page as schema_page
from gotgan.store.tables import Table
from scripts.api_reference import api_page
from scripts.pages import WRITTEN, page, table

__all__ = ["error_tree", "main", "modules", "pages"]

_APART: Final = ("gotgan.__main__", "gotgan.dags.")
_DOCS: Final = Path(__file__).parent.parent / "docs"


def pages() -> dict[Path, str]:
    """Every page that is written from the code, by its path."""
    return {
        _DOCS / "settings.md": _settings_page(),
        _DOCS / "cli.md": _cli_page(),
        _DOCS / "errors.md": _errors_page(),
        _DOCS / "api.md": api_page(),
        **_table_pages(),
    }


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(f"wrote docs/{path.relative_to(_DOCS)}")


def modules() -> list[str]:
    """The name of every module of the package that can be imported without Airflow."""
    found = (module.name for module in pkgutil.walk_packages(gotgan.__path__, "gotgan."))
    return ["gotgan", *(name for name in found if not name.startswith(_APART))]


def error_tree() -> list[type[GotganError]]:
    """Every error class of the package, in the order of their codes."""
    for name in modules():
        import_module(name)
    return sorted(_descend(GotganError), key=lambda error: (error.code, error.__name__))


def _descend(error: type[GotganError]) -> Iterator[type[GotganError]]:
    yield error
    for child in error.__subclasses__():
        if child.__module__.startswith("gotgan."):
            yield from _descend(child)


def _settings_page() -> str:
    about = [item.metadata for item in fields(Settings)]
    rows = [(f"`{one['variable']}`", f"`{one['shown']}`", one["sentence"]) for one in about]
    return page(
        "Settings",
        "Settings are environment variables, or lines of `gotgan.toml` in the data folder, where a "
        "key is the variable in lower case without `GOTGAN_`:\n\n"
        '```toml\ncontact = "bot@example.com"\nkrx_id = "your name"\nindices = ["KOSPI"]\n```\n\n'
        "`gotgan setup` asks for what is missing and writes the file, readable only by you. An "
        "environment variable overrides the file; an empty one counts as not set. A variable that "
        "starts with `GOTGAN_` but is not listed here, or an unknown key, is an error, so that "
        "typos are noticed. `gotgan settings` shows where each value comes from. Commands read "
        "settings once, at start; the library reads them with `Settings.from_env()`. "
        "`GOTGAN_DATA` can only be an environment variable.",
        table(("variable", "default", "what it sets"), rows),
    )


def _cli_page() -> str:
    codes = [(str(int(code)), code.description) for code in ExitCode]
    return page(
        "The command line",
        "With `--json`, a command writes one JSON object per line to standard output, and errors "
        'as `{"error": {"code": …, "message": …, "retry": …, "reason": …, "values": …}}` to '
        "standard error. `reason` is the code of the message, such as "
        "`market.collected_elsewhere`, and `values` are the values in it. The reason is null for "
        "messages of other programs. Without `--json`, an error is one sentence with its code in "
        "brackets, and a command to run next if there is one. [errors.md](errors.md) lists the "
        "codes. Use `--help` to show the help of a command.",
        "Help, results and errors are in Korean where the locale is Korean or `GOTGAN_LANGUAGE=ko` "
        "is set, and in English otherwise. JSON is always in English.",
        "On a terminal, states and the prefix of errors are in colour. Pipes, files and `--json` "
        "get no colours. `NO_COLOR=1` turns colours off; `FORCE_COLOR=1` turns them on for pipes.",
        "## Shell completion",
        "Commands, options and their choices are completed in bash, zsh and fish. Install the "
        "script of your shell:",
        _completion_commands(),
        "## Exit codes",
        table(("code", "meaning"), codes),
        *_command_section("gotgan", root),
        *(
            part
            for words, _, command in root.every_command()
            for part in _command_section(f"gotgan {words}", command)
        ),
    )


def _completion_commands() -> str:
    lines = (
        *("# bash, 4.4 or later", "_GOTGAN_COMPLETE=bash_source gotgan > ~/.gotgan-complete.bash"),
        *("echo '. ~/.gotgan-complete.bash' >> ~/.bashrc", ""),
        *("# zsh", "_GOTGAN_COMPLETE=zsh_source gotgan > ~/.gotgan-complete.zsh"),
        *("echo '. ~/.gotgan-complete.zsh' >> ~/.zshrc", ""),
        "# fish",
        "_GOTGAN_COMPLETE=fish_source gotgan > ~/.config/fish/completions/gotgan.fish",
    )
    return "\n".join(["```sh", *lines, "```"])


def _command_section(name: str, command: click.Command) -> list[str]:
    options = [one for one in command.params if isinstance(one, click.Option)]
    usage = " ".join([name, *command.collect_usage_pieces(click.Context(command))])
    return [
        f"## {name}",
        f"```text\n{usage}\n```",
        inspect.cleandoc(command.help or ""),
        table(("option", "default", "what it does"), [_option_row(one) for one in options]),
    ]


def _option_row(option: click.Option) -> tuple[str, str, str]:
    default = f"`{option.default}`" if option.show_default else ""
    return f"`{_spelling(option)}`", default, option.help or ""


def _spelling(option: click.Option) -> str:
    if option.is_flag:
        return option.opts[0]
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    return f"{option.opts[0]} {'|'.join(choices) or option.metavar or option.opts[0][2:].upper()}"


def _table_pages() -> dict[Path, str]:
    """A page for each table of the domains, and one that lists them."""
    folder, tables = _DOCS / "tables", declared_tables()
    links = [f"- [{table.name}]({table.name}.md): {_entities(table)}" for table in tables]
    index = page(
        "Tables",
        "The entities, keys and access patterns of each table. `gotgan tables export --format "
        "markdown` writes such a page for your own tables.",
        "\n".join(links),
    )
    return {folder / "README.md": index, **{folder / f"{t.name}.md": _schema(t) for t in tables}}


def _entities(table: Table) -> str:
    return ", ".join(entity.__name__ for entity in entities_of(table))


def _schema(table: Table) -> str:
    title, rest = schema_page(table).split("\n\n", 1)
    return f"{title}\n\n{WRITTEN}\n\n{rest}"


def _errors_page() -> str:
    tree = error_tree()
    own = [error for error in tree if not issubclass(error, DynamoDBError)]
    aws = [error for error in tree if issubclass(error, DynamoDBError)]
    return page(
        "Errors",
        "All errors that Gotgan raises deliberately are subclasses of `gotgan.errors.GotganError`. "
        "Compare its `code`, not its message. `retry` says whether the same call may succeed "
        "later without a change. `reason` is the code of the message, such as `shops.no_shop`, "
        "and `values` are the values in the message. `message` is in the reader's language.",
        "## Gotgan's own",
        _error_table(own),
        "## DynamoDB's",
        "The embedded engine answers with AWS's codes. These classes are in "
        "`gotgan.store.engine.faults` and carry botocore's `response`.",
        _error_table(aws),
    )


def _error_table(errors: Sequence[type[GotganError]]) -> str:
    rows = [
        (f"`{error.code}`", f"`{error.__name__}`", _yes(error.retry), _first_line(error))
        for error in errors
    ]
    return table(("code", "class", "retry", "meaning"), rows)


def _yes(flag: bool) -> str:  # noqa: FBT001 - it is the value that is said
    return "yes" if flag else "no"


def _first_line(error: type[GotganError]) -> str:
    return inspect.cleandoc(error.__doc__ or "").splitlines()[0].replace("``", "`")


if __name__ == "__main__":
    main()
