"""How far a long command has come: on one line that is written over, or now and then in a log."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import click

from gotgan.cli.grid import safe
from gotgan.cli.output import Output

if TYPE_CHECKING:
    from gotgan.store.data.progress import OnProgress, TransferProgress
    from gotgan.verbs import Progress

__all__ = ["Seldom", "Ticker", "progress_line", "ticker", "written_over"]

_PAUSE: Final = 0.2
_LONG_PAUSE: Final = 10.0
_CLEAR: Final = "\r\x1b[K"


class Ticker:
    """Writes progress to standard error, a few times a second."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, progress: TransferProgress) -> None:
        """Show progress, unless that was just done."""
        if progress.seconds < self._next:
            return
        self._next = progress.seconds + _PAUSE
        text = (
            f"{progress.items:,} items, {progress.bytes:,} bytes, {progress.rate:,.0f} items/s, "
            f"{progress.cost.reads + progress.cost.writes:,.1f} units"
        )
        click.echo(f"{_CLEAR}{text}", nl=False, err=True)


class Seldom:
    """Writes a line of its own to standard error every ten seconds, for whoever reads a log."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._next = now() + _LONG_PAUSE

    def __call__(self, text: str) -> None:
        """Show how far it has come, unless that was done a short while ago."""
        if self._now() < self._next:
            return
        self._next = self._now() + _LONG_PAUSE
        click.echo(safe(text), err=True)


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
    """A line that each text replaces, for as long as the block runs and a person looks on.

    Without a terminal a line is written now and then; programs get none.
    """
    if not _is_watched(output):
        yield (lambda _: None) if output.as_json else Seldom()
        return
    columns = shutil.get_terminal_size().columns - 1
    try:
        yield lambda text: click.echo(f"{_CLEAR}{safe(text)[:columns]}", nl=False, err=True)
    finally:
        click.echo(_CLEAR, nl=False, err=True)


@contextmanager
def progress_line(output: Output) -> Iterator[Progress]:
    """Where a verb reports its progress: on one line, with its pace and the time that is left."""
    with written_over(output) as show:
        started = time.monotonic()

        def report(done: int, total: int, last: str, /, **figures: float) -> None:
            nonlocal started
            if not done:  # another part of the work starts
                started = time.monotonic()
            seconds = max(time.monotonic() - started, 0.001)
            of = f" of {total:,}" if total else ""
            parts = [f"{done:,}{of}"]
            if done >= seconds:
                parts.append(f"{done / seconds:.0f}/s")
            if total and done:
                parts.append(f"{(total - done) * seconds / done:.0f} s left")
            parts += [f"{_spoken(name)} {value:,.0f}" for name, value in figures.items() if value]
            show("  ".join([*parts, last]))

        yield report


def _spoken(name: str) -> str:
    return name.replace("_", " ")


def _is_watched(output: Output) -> bool:
    return not output.as_json and sys.stderr.isatty()
