"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any, TypeVar

import click

from gotgan.cli import messages
from gotgan.cli.reader import rendered

_Command = TypeVar("_Command", bound=Callable[..., Any])


def host_option(command: _Command) -> _Command:
    """The option that names the address to listen on."""
    text = "Address to listen on."
    return click.option("--host", default="127.0.0.1", show_default=True, help=text)(command)


def port_option(
    default: int, text: str = "Port to listen on. 0 picks a free port."
) -> Callable[[_Command], _Command]:
    """The option that names the port to listen on."""
    ports = click.IntRange(0, 65535)
    return click.option("--port", type=ports, default=default, show_default=True, help=text)


def cost_option(command: _Command) -> _Command:
    """The flag that shows costs; ``main`` reads it."""
    text = "Show the read and write units that were used. Always shown on AWS."
    return click.option("--cost", is_flag=True, expose_value=False, help=text)(command)


def day_option(text: str, *, required: bool = False) -> Callable[[_Command], _Command]:
    """The option that names a day."""
    return click.option("--day", type=_day, metavar="YYYY-MM-DD", required=required, help=text)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(rendered(messages.NOT_A_DATE(given=repr(text)))) from None
