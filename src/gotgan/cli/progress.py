"""The progress of a long command: one line that is overwritten, or lines of a log."""

from __future__ import annotations

import math
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeVar

import click

from gotgan.cli.colour import is_terminal
from gotgan.cli.output import Output
from gotgan.cli.reader import rendered, tr
from gotgan.cli.table import safe_text

if TYPE_CHECKING:
    from gotgan.verbs import Progress

_REFRESH_S: Final = 0.2
_CLEAR_LINE: Final = "\r\x1b[K"
_LOG_EVERY_S: Final = 10.0
_MIN_STEPS: Final = 3
_MIN_S: Final = 2.0
_MEMORY_S: Final = 10.0
_MAX_WEIGHT: Final = 0.3
_MINUTE_S: Final = 60


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


class Pace:
    """Estimates how long the rest takes, from the pace of the last seconds."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._started = self._at = now()
        self._done = self._steps = 0
        self._rate = 0.0

    @property
    def seconds(self) -> float:
        """How long it has taken so far; never 0."""
        return max(self._now() - self._started, 0.001)

    def left(self, done: int, total: int) -> float | None:
        """The seconds that are left; None before a few steps and seconds."""
        now = self._now()
        took, more = now - self._at, done - self._done
        if more > 0 and took > 0:
            self._at, self._done, self._steps = now, done, self._steps + 1
            # The first seconds are averaged, so that a slow start does not count for long.
            weight = min(1 - math.exp(-took / _MEMORY_S), _MAX_WEIGHT)
            is_early = self.seconds < _MIN_S or self._steps <= _MIN_STEPS
            rate = done / self.seconds if is_early else more / took
            self._rate = rate if is_early else self._rate + weight * (rate - self._rate)
        if self.seconds < _MIN_S or self._steps < _MIN_STEPS or not self._rate:
            return None
        return max(total - done, 0) / self._rate


def left_text(seconds: float) -> str:
    """Rounded, so that the figure does not jump: to a minute, 5 seconds or 1."""
    if seconds > _MINUTE_S:
        return tr("{minutes} min left", minutes=f"{seconds / _MINUTE_S:.0f}")
    rounded = 5 * round(seconds / 5) if seconds > 10 else math.ceil(seconds)  # noqa: PLR2004
    return tr("{seconds} s left", seconds=f"{rounded}")


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
        pace, is_live = Pace(), _is_interactive(output)

        def report(done: int, total: int, last: str, /, **figures: float) -> None:
            nonlocal pace
            if not done:  # another part of the work starts
                pace = Pace()
            left = pace.left(done, total) if total else None
            parts = [tr("{done} of {total}", done=done, total=total) if total else f"{done:,}"]
            if done >= pace.seconds:
                parts.append(tr("{rate}/s", rate=f"{done / pace.seconds:.0f}"))
            if left is not None and is_live:
                parts.append(left_text(left))
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
    return not output.as_json and is_terminal(sys.stderr)
