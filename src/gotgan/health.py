"""Whether a server can do its work: named checks, run at most every few seconds.

A check is a function that raises an error or returns a word if something is wrong. Each runs in its
own thread, so that one that hangs does not delay the report for more than a few seconds; it is not
started again until it ends.
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from gotgan.errors import GotganError
from gotgan.retry import Outage

FRESH_S: Final = 5.0
"""How long a report is used before the checks run again."""
TIMEOUT_S: Final = 3.0
"""How long a report waits for its checks."""
MIN_FREE_BYTES: Final = 64 * 1024 * 1024
_OK: Final = "ok"
_NO_ANSWER: Final = "timeout"


@dataclass(frozen=True)
class HealthCheck:
    """The outcome of one check: ``ok``, or a code that says what is wrong."""

    name: str
    status: str


@dataclass(frozen=True)
class HealthReport:
    """The outcome of all checks; anyone may read it, so it names no hosts and no files."""

    checks: tuple[HealthCheck, ...]

    @property
    def is_ready(self) -> bool:
        """Whether every check passed."""
        return not self.failing

    @property
    def failing(self) -> tuple[str, ...]:
        """The names of the checks that failed."""
        return tuple(check.name for check in self.checks if check.status != _OK)

    @property
    def record(self) -> dict[str, Any]:
        """The report as JSON."""
        checks = {check.name: check.status for check in self.checks}
        return {"status": _OK if self.is_ready else "failing", "checks": checks}


class Health:
    """The checks of one server."""

    def __init__(self, checks: Mapping[str, Callable[[], str | None]]) -> None:
        self._probes = [_Probe(name, check) for name, check in checks.items()]
        self._lock = threading.Lock()
        self._report: HealthReport | None = None
        self._fresh_until = 0.0

    def report(self) -> HealthReport:
        """The latest report, or a new one if that is too old; many callers share one."""
        with self._lock:
            if self._report is None or time.monotonic() >= self._fresh_until:
                self._report = self._run_checks()
                self._fresh_until = time.monotonic() + FRESH_S
            return self._report

    def _run_checks(self) -> HealthReport:
        deadline = time.monotonic() + TIMEOUT_S
        for probe in self._probes:
            probe.start()
        return HealthReport(tuple(probe.outcome(deadline) for probe in self._probes))


class _Probe:
    """A check in its own thread."""

    def __init__(self, name: str, check: Callable[[], str | None]) -> None:
        self._name = name
        self._check = check
        self._outage = Outage(f"health.{name}")
        self._thread: threading.Thread | None = None
        self._status = _NO_ANSWER

    def start(self) -> None:
        """Run the check, unless it is still running since the last time."""
        if self._thread is None or not self._thread.is_alive():
            self._status = _NO_ANSWER
            self._thread = threading.Thread(target=self._run, name="gotgan-health", daemon=True)
            self._thread.start()

    def outcome(self, deadline: float) -> HealthCheck:
        """The outcome of the check, or that it took too long."""
        if self._thread is not None:
            self._thread.join(max(0.0, deadline - time.monotonic()))
        if self._status == _NO_ANSWER:
            self._outage.failed(f"no answer within {TIMEOUT_S:g} s")
        return HealthCheck(self._name, self._status)

    def _run(self) -> None:
        try:
            status = reason = self._check() or _OK
        except GotganError as error:
            status, reason = error.code, error.message
        except Exception as error:  # noqa: BLE001 - whatever it is, the check failed
            status, reason = "failed", repr(error)
        if status == _OK:
            self._outage.succeeded()
        else:
            self._outage.failed(reason)
        self._status = status


def check_disk(folder: Path) -> str | None:
    """Whether there is hardly any space left for the files in a folder."""
    return "full" if shutil.disk_usage(folder).free < MIN_FREE_BYTES else None
