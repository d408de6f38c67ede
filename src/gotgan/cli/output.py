"""What a command prints: text for people, or one JSON object per line for programs."""

from __future__ import annotations

import enum
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import click

from gotgan.cli import messages
from gotgan.cli.colour import add_colours, has_colours
from gotgan.cli.hints import find_hint
from gotgan.cli.reader import pays, rendered, tr
from gotgan.errors import GotganError, UsageError
from gotgan.messages import TEXT, Message, record

if TYPE_CHECKING:
    from gotgan.store.costs import Cost


class ExitCode(enum.IntEnum):
    """How a command ended."""

    description: str

    def __new__(cls, number: int, description: str) -> Self:
        """An exit code with its description."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.description = description
        return member

    OK = 0, "Success."
    FAILED = 1, "Failed. The same call will fail again until something changes."
    USAGE = 2, "Invalid command line."
    RETRY = 75, "Failed temporarily. The same call may succeed later."
    INTERRUPTED = 130, "Interrupted, for example with Ctrl-C."


TextResult = tuple[str, ExitCode]
"""The text of a result, and how the command ends."""


def error_exit_code(error: GotganError) -> ExitCode:
    """The exit code that an error ends a command with."""
    if isinstance(error, UsageError):
        return ExitCode.USAGE
    return ExitCode.RETRY if error.retry else ExitCode.FAILED


@dataclass(frozen=True)
class Output:
    """Results go to standard output, errors to standard error."""

    as_json: bool
    shows_cost: bool = False

    def write(self, text: str, /, **fields: Any) -> None:
        """Print the text for people, or the fields for programs."""
        self.write_result(text, fields)

    def write_result(self, text: str, data: Any) -> None:
        """Print what a verb returned: the text for people, or the data for programs."""
        if self.as_json:
            click.echo(_json_line(data))
        elif has_colours(sys.stdout):
            click.echo(add_colours(text), color=True)
        else:
            click.echo(text)

    @property
    def prints_cost(self) -> bool:
        """Whether people see what was read and written: on AWS, or where ``--cost`` is given."""
        return not self.as_json and (self.shows_cost or pays())

    def write_cost(self, cost: Cost) -> None:
        """Print read and write units and their price to standard error, where they are shown."""
        if cost.lines and self.prints_cost:
            from gotgan.cli.format import cost_text

            click.echo(tr("Cost: {cost}.", cost=cost_text(cost)), err=True)

    def write_error(self, code: str, message: str, *, retry: bool = False) -> None:
        """Print what went wrong, and the command that helps if one is known."""
        if self.as_json:
            fields = {"code": code, "message": message, "retry": retry, **_message_fields(message)}
            click.echo(_json_line({"error": fields}), err=True)
            return
        is_coloured = has_colours(sys.stderr)
        prefix = click.style("gotgan:", fg="red", bold=True) if is_coloured else "gotgan:"
        click.echo(f"{prefix} {rendered(message)} [{code}]", err=True, color=is_coloured or None)
        if hint := find_hint(message):
            click.echo(tr("Hint: {command}", command=hint), err=True)


def _message_fields(message: str) -> dict[str, Any]:
    """The code and the values of a message; other words have none."""
    if not isinstance(message, Message) or message.code == TEXT.code:
        return {"reason": None, "values": {}}
    found = record(message)
    return {"reason": found["code"], "values": found["values"]}


def _json_line(fields: Any) -> str:
    from gotgan.plain_json import json_default

    return json.dumps(fields, ensure_ascii=False, default=json_default)


# Documents, such as templates


def yaml_document(document: dict[str, Any], *, by: str) -> str:
    """A template as YAML, which names the command that wrote it."""
    from gotgan.store.outputs.yaml_text import to_yaml

    return f"# Written by {by}; change the declaration, not this file.\n{to_yaml(document)}"


def json_document(document: dict[str, Any]) -> str:
    """A document as indented JSON."""
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def write_document(target: Path, text: str) -> None:
    """Write a file."""
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise UsageError(messages.CANNOT_WRITE(path=target, cause=error.strerror)) from error
