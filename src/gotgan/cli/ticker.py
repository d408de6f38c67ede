"""How far a long command has come, on one line that is written over."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.store.data.progress import OnProgress, Progress

__all__ = ["Ticker", "ticker"]

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

    if output.as_json or not sys.stderr.isatty():
        yield silently
        return
    try:
        yield Ticker()
    finally:
        click.echo(_CLEAR, nl=False, err=True)
