"""What a command says: sentences for people, or one JSON object per line for programs."""

from __future__ import annotations

import enum
import json
from dataclasses import dataclass
from typing import Any, Self

import click

from gotgan.errors import GotganError, UsageError

__all__ = ["ExitCode", "Output", "exit_code_of"]


class ExitCode(enum.IntEnum):
    """How a command ended."""

    description: str

    def __new__(cls, number: int, description: str) -> Self:
        """A number that knows what it means."""
        member = int.__new__(cls, number)
        member._value_ = number
        member.description = description
        return member

    OK = 0, "It did what was asked."
    FAILED = 1, "It failed; the same call will fail again until somebody changes something."
    USAGE = 2, "The command line cannot be carried out as it stands."
    RETRY = 75, "It failed for now; the same call may succeed later."
    INTERRUPTED = 130, "It was interrupted, as with Ctrl-C."


def exit_code_of(error: GotganError) -> ExitCode:
    """The exit code that an error ends a command with."""
    if isinstance(error, UsageError):
        return ExitCode.USAGE
    return ExitCode.RETRY if error.retry else ExitCode.FAILED


@dataclass(frozen=True)
class Output:
    """Where a command speaks: what it found to standard output, errors to standard error."""

    as_json: bool

    def say(self, text: str, /, **fields: Any) -> None:
        """Say something, as the text for people or the fields for programs."""
        click.echo(_line(fields) if self.as_json else text)

    def result(self, text: str, data: Any) -> None:
        """Print what a verb returned: the text for people, or the data for programs."""
        click.echo(_line(data) if self.as_json else text)

    def complain(self, code: str, message: str, *, retry: bool = False) -> None:
        """Say in one sentence what went wrong."""
        fields = {"error": {"code": code, "message": message, "retry": retry}}
        click.echo(_line(fields) if self.as_json else f"gotgan: {message} [{code}]", err=True)


def _line(fields: Any) -> str:
    from gotgan.plain_json import plain

    return json.dumps(fields, ensure_ascii=False, default=plain)
