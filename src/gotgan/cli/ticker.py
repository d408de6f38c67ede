"""How far a long command has come, on one line that is written over."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from gotgan.cli.grid import safe
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.store.data.progress import OnProgress, Progress

__all__ = ["Ticker", "ticker", "written_over"]

_PAUSE: Final = 0.2
_CLEAR: Final = "\r\x1b[K"


class Ticker:
    """Writes progress to standard error, a few times a second."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, progress: Progress) -> None:
        """Show progress, unless that was just done."""
        if progress.seconds < self._next:
            return
        self._next = progress.seconds + _PAUSE
        text = (
            f"{progress.items:,} items, {progress.bytes:,} bytes, {progress.rate:,.0f} items/s, "
            f"{progress.cost.reads + progress.cost.writes:,.1f} units"
        )
        click.echo(f"{_CLEAR}{text}", nl=False, err=True)


@contextmanager
def ticker(output: Output) -> Iterator[OnProgress]:
    """Where progress goes for as long as the block runs: to a person who looks on, or nowhere."""
    from gotgan.store.data.progress import silently

    if not _is_watched(output):
        yield silently
        return
    try:
        yield Ticker()
    finally:
        click.echo(_CLEAR, nl=False, err=True)


@contextmanager
def written_over(output: Output) -> Iterator[Callable[[str], None]]:
    """A line that each text replaces, for as long as the block runs and a person looks on."""
    if not _is_watched(output):
        yield lambda _: None
        return
    columns = shutil.get_terminal_size().columns - 1
    try:
        yield lambda text: click.echo(f"{_CLEAR}{safe(text)[:columns]}", nl=False, err=True)
    finally:
        click.echo(_CLEAR, nl=False, err=True)


def _is_watched(output: Output) -> bool:
    return not output.as_json and sys.stderr.isatty()
