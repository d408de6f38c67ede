"""Verbs that run in this process: each once at a time, with its progress, log and report.

Nothing of this is stored. A run that dies with its process is repeated: verbs store each item once,
and claims are released when their leases end.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, ClassVar, Final, Literal, Protocol

from gotgan.clock import Clock
from gotgan.errors import Conflict, GotganError, Interrupted, NotFound
from gotgan.events import Event, emit, listening_here
from gotgan.messages import Template

RunState = Literal["running", "done", "failed"]
_MAX_KEPT: Final = 100
_MAX_LINES: Final = 200
"""The log lines that are kept of a run."""
_MAX_RUNNING: Final = 16
"""How many runs may be running, each in its own thread."""

_TOO_MANY: Final = Template(
    "runs.too_many", "{count} runs are in progress, which is the limit. Wait for one of them."
)
_NOT_FOUND: Final = Template(
    "runs.not_found", "There is no such run in this process. Start it again: nothing is lost."
)
_DEFECT: Final = Template("runs.defect", "Internal error. See the log for details.")
_STOPPING: Final = Template(
    "runs.stopping",
    "The program is stopping. Finished work was saved. Start it again after the restart.",
)
_BUSY: Final = Template(
    "runs.busy", "{verb} is already running with other options. Wait until it has finished."
)


class ReportProgress(Protocol):
    """Reports the progress of a verb."""

    def __call__(self, done: int, total: int, last: str, /, **figures: float) -> None:
        """How many are done, of how many, and the last one; and further counts by name."""


class RunStopped(Exception):
    """Raised in a verb that reports its progress, when the process is about to end."""


@dataclass(frozen=True)
class Run:
    """A verb that runs in the background, or has ended."""

    shown: ClassVar = (
        "id",
        "verb",
        "about",
        "state",
        "started_at",
        "finished_at",
        "done",
        "total",
        "last",
        "error",
    )

    id: str
    verb: str
    """What runs, such as `news.collect`; each verb runs once at a time."""
    state: RunState
    started_at: datetime
    finished_at: datetime | None = None
    """When it ended; null while it runs."""
    done: int = 0
    """How many are done."""
    total: int = 0
    """Of how many; 0 until that is known."""
    last: str = ""
    """The last one that was worked on."""
    figures: Mapping[str, float] = field(default_factory=dict)
    """Further counts while it runs, by name."""
    report: Any = None
    """The result of the verb."""
    error: GotganError | None = None
    """Why it failed."""
    about: tuple[str, ...] | None = None
    """What it works on: domains of shops, a country code, or a day or range of days
    (`2025-11-03/2025-11-06`); null for everything.
    """
    asked: Any = None
    """The other arguments of the verb."""

    def is_about(self, names: Collection[str]) -> bool:
        """Whether it was about something with one of these names, or about everything."""
        return self.about is None or any(
            _covers(each, name) for each in self.about for name in names
        )


@dataclass(frozen=True)
class RunLine:
    """A line of the log of a run."""

    shown: ClassVar = ("at", "level", "text")

    at: datetime
    level: str
    text: str
    """The event with its details; secrets are masked."""


@dataclass(frozen=True)
class RunLog:
    """The latest log lines of a run, in order."""

    items: tuple[RunLine, ...]


class Runs:
    """The runs of one process; safe for all of its threads."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._changed = threading.Condition()
        self._runs: dict[str, Run] = {}
        self._lines: dict[str, deque[RunLine]] = {}
        self._threads: dict[str, threading.Thread] = {}
        self._callbacks: dict[str, list[Callable[[Run], None]]] = {}
        self._is_stopping = False

    def start(
        self,
        verb: str,
        work: Callable[[ReportProgress], Any],
        *,
        about: tuple[str, ...] | None = None,
        asked: Any = None,
    ) -> Run:
        """Run a verb in the background; if it is running already, that run is returned.

        ``about`` and ``asked`` are what a ``Run`` has: one that is running for something else is a
        conflict.
        """
        with self._changed:
            self._expect_room()
            running = self._latest(verb)
            if running is not None and running.state == "running":
                return _join_run(running, about, asked)
            now = self._clock.now()
            run = Run(secrets.token_hex(8), verb, "running", now, about=about, asked=asked)
            thread = threading.Thread(
                target=self._carry_out, args=(run.id, work), name=f"gotgan-{verb}", daemon=True
            )
            thread.start()  # first, for it may fail; it waits for the lock that is held here
            self._keep(run)
            self._threads[run.id] = thread
            return run

    def get(self, run_id: str) -> Run:
        """A run by its id."""
        with self._changed:
            run = self._runs.get(run_id)
        if run is None:
            raise NotFound(_NOT_FOUND())
        return run

    def log(self, run_id: str) -> RunLog:
        """The latest log lines of a run."""
        with self._changed:
            lines = self._lines.get(run_id)
            if lines is None:
                raise NotFound(_NOT_FOUND())
            return RunLog(tuple(lines))

    def latest(self, verb: str, about: Collection[str] = ()) -> Run | None:
        """The last run of a verb; or the last that was about one of these names."""
        with self._changed:
            return self._latest(verb, about)

    def wait(self, run_id: str, seconds: float) -> Run:
        """Wait for a run to end, at most ``seconds``; return it in its current state."""
        with self._changed:
            self._changed.wait_for(lambda: self._has_ended(run_id), seconds)
        return self.get(run_id)

    def then(self, run_id: str, call: Callable[[Run], None]) -> None:
        """Call a function with a run when it has ended, before ``join`` returns.

        It is called in the run's own thread, or at once if the run has ended already.
        """
        with self._changed:
            if not self._has_ended(run_id):
                self._callbacks.setdefault(run_id, []).append(call)
                return
        _notify(call, self.get(run_id))

    def if_idle(self, act: Callable[[], None]) -> bool:
        """Do something while nothing runs and nothing can start; return whether it was done.

        It must be quick: starting a run waits for it.
        """
        with self._changed:
            if self._threads:
                return False
            act()
            return True

    def stop(self) -> None:
        """Let every run end when it next reports its progress."""
        with self._changed:
            self._is_stopping = True

    def join(self) -> None:
        """Wait until every run has ended."""
        with self._changed:
            threads = list(self._threads.values())
        for thread in threads:
            thread.join()

    def _carry_out(self, run_id: str, work: Callable[[ReportProgress], Any]) -> None:
        def report(done: int, total: int, last: str, /, **figures: float) -> None:
            if self._is_stopping:
                raise RunStopped
            self._change(run_id, done=done, total=total, last=last, figures=figures)

        def log(event: Event, level: str) -> None:
            with self._changed:
                self._lines[run_id].append(RunLine(self._clock.now(), level, str(event)))

        try:
            with listening_here(log):
                result = work(report)
            self._end(run_id, state="done", report=result)
        except RunStopped:
            self._end(run_id, state="failed", error=_interrupted_error())
        except GotganError as error:
            # What fails while the process ends says nothing about the verb.
            shown = _interrupted_error() if self._is_stopping else error
            self._end(run_id, state="failed", error=shown)
        except Exception as error:  # noqa: BLE001 - a run must end, whatever happens
            emit("run.failed", level="error", run=run_id, reason=repr(error))
            self._end(run_id, state="failed", error=GotganError(_DEFECT()))

    def _expect_room(self) -> None:
        if self._is_stopping:
            raise _interrupted_error()
        if len(self._threads) >= _MAX_RUNNING:
            raise Conflict(_TOO_MANY(count=_MAX_RUNNING))

    def _end(self, run_id: str, **changes: Any) -> None:
        self._change(run_id, finished_at=self._clock.now(), **changes)
        with self._changed:
            run, calls = self._runs[run_id], self._callbacks.pop(run_id, [])
        for call in calls:
            _notify(call, run)
        with self._changed:
            del self._threads[run_id]

    def _change(self, run_id: str, **changes: Any) -> None:
        with self._changed:
            self._runs[run_id] = replace(self._runs[run_id], **changes)
            self._changed.notify_all()

    def _keep(self, run: Run) -> None:
        """Keep a run, and forget the oldest that has ended and is not the last of its verb."""
        self._runs[run.id] = run
        self._lines[run.id] = deque(maxlen=_MAX_LINES)
        last = {each.verb: each.id for each in self._runs.values()}
        ended = [
            each.id
            for each in self._runs.values()
            if each.state != "running" and last[each.verb] != each.id
        ]
        for run_id in ended[: max(0, len(self._runs) - _MAX_KEPT)]:
            del self._runs[run_id], self._lines[run_id]

    def _latest(self, verb: str, about: Collection[str] = ()) -> Run | None:
        of_verb = (run for run in reversed(self._runs.values()) if run.verb == verb)
        return next((run for run in of_verb if not about or run.is_about(about)), None)

    def _has_ended(self, run_id: str) -> bool:
        run = self._runs.get(run_id)
        return run is None or run.state != "running"


def _covers(about: str, name: str) -> bool:
    first, _, last = about.partition("/")
    return first <= name <= (last or first)


def _join_run(run: Run, about: tuple[str, ...] | None, asked: Any) -> Run:
    if (run.about, run.asked) != (about, asked):
        raise Conflict(_BUSY(verb=run.verb))
    return run


def _notify(call: Callable[[Run], None], run: Run) -> None:
    try:
        call(run)
    except Exception as error:  # noqa: BLE001 - the run has ended all the same
        emit("run.untold", level="error", run=run.id, verb=run.verb, reason=repr(error))


def _interrupted_error() -> Interrupted:
    return Interrupted(_STOPPING())
