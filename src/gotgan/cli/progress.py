"""The progress of a long command: on one line that is overwritten, or now and then in a log."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

import click

from gotgan.cli.output import Output
from gotgan.cli.reader import rendered, tr
from gotgan.cli.table import safe_text

if TYPE_CHECKING:
    from gotgan.verbs import Progress

_REFRESH_S: Final = 0.2
_CLEAR_LINE: Final = "\r\x1b[K"
_LOG_EVERY_S: Final = 10.0


class _Step(Protocol):
    @property
    def seconds(self) -> float: ...


_StepT = TypeVar("_StepT", bound=_Step)


class StepLine(Generic[_StepT]):
    """Writes the text of a step over one line of the terminal, a few times a second."""

    def __init__(self, text: Callable[[_StepT], str]) -> None:
        self._text = text
        self._next = 0.0

    def __call__(self, step: _StepT) -> None:
        """Show a step, unless one was just shown."""
        if step.seconds < self._next:
            return
        self._next = step.seconds + _REFRESH_S
        click.echo(f"{_CLEAR_LINE}{self._text(step)}", nl=False, err=True)


class LogProgress:
    """Writes a line to standard error every ten seconds, for a log."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._next = now() + _LOG_EVERY_S

    def __call__(self, text: str) -> None:
        """Show progress, unless that was done a short while ago."""
        if self._now() < self._next:
            return
        self._next = self._now() + _LOG_EVERY_S
        click.echo(safe_text(text), err=True)


@contextmanager
def step_line(output: Output, text: Callable[[_StepT], str]) -> Iterator[Callable[[_StepT], None]]:
    """Where steps are reported: on a line of the terminal, or nowhere without one."""
    if not _is_interactive(output):
        yield lambda _: None
        return
    with _cleared_line():
        yield StepLine(text)


@contextmanager
def status_line(output: Output) -> Iterator[Callable[[str], None]]:
    """A line of the terminal that each text replaces, for as long as the block runs.

    Without a terminal a line is written now and then; programs get none.
    """
    if not _is_interactive(output):
        yield (lambda _: None) if output.as_json else LogProgress()
        return
    columns = shutil.get_terminal_size().columns - 1
    with _cleared_line():
        yield lambda text: click.echo(
            f"{_CLEAR_LINE}{safe_text(text)[:columns]}", nl=False, err=True
        )


@contextmanager
def progress_line(output: Output) -> Iterator[Progress]:
    """Where a verb reports its progress: on one line, with its pace and the time that is left."""
    with status_line(output) as show:
        started = time.monotonic()

        def report(done: int, total: int, last: str, /, **figures: float) -> None:
            nonlocal started
            if not done:  # another part of the work starts
                started = time.monotonic()
            seconds = max(time.monotonic() - started, 0.001)
            parts = [tr("{done} of {total}", done=done, total=total) if total else f"{done:,}"]
            if done >= seconds:
                parts.append(tr("{rate}/s", rate=f"{done / seconds:.0f}"))
            if total and done:
                left = f"{(total - done) * seconds / done:.0f}"
                parts.append(tr("{seconds} s left", seconds=left))
            parts += [
                f"{tr(name.replace('_', ' '))} {value:,.0f}"
                for name, value in figures.items()
                if value
            ]
            show("  ".join([*parts, rendered(last)]))

        yield report


@contextmanager
def _cleared_line() -> Iterator[None]:
    try:
        yield
    finally:
        click.echo(_CLEAR_LINE, nl=False, err=True)


def _is_interactive(output: Output) -> bool:
    return not output.as_json and sys.stderr.isatty()
