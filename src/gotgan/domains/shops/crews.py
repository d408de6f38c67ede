"""Several workers in one process, each with one shop at a time.

Any number of such crews can work on one table, in as many processes and on as many machines: who
has a shop is decided by its claim.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from datetime import datetime
from typing import Generic, Literal, Protocol, TypeVar, runtime_checkable

from gotgan.domains.shops.models import Shop
from gotgan.errors import GotganError, LostRace, UsageError
from gotgan.events import emit
from gotgan.runs import Stopping

__all__ = ["Check", "CrewReport", "Stopped", "work_through"]

R = TypeVar("R")


class Stopped(Exception):
    """Raised in a worker whose crew goes home; it gives its shop back."""


@runtime_checkable
class _Postponable(Protocol):
    """A report on a shop that may not have been reached."""

    not_before: datetime | None


@dataclass
class CrewReport(Generic[R]):
    """What a crew did."""

    reports: list[R] = field(default_factory=list)
    """One for each shop that was done, or that could not be reached."""
    skipped: dict[str, str] = field(default_factory=dict)
    """Shops that somebody else has: who, and until when."""
    failed: dict[str, GotganError] = field(default_factory=dict)
    """Shops that could not be worked on, and why; their claims end by themselves."""

    @property
    def is_idle(self) -> bool:
        """Whether there was nothing to do."""
        return not (self.reports or self.skipped or self.failed)

    @property
    def unreached(self) -> list[R]:
        """Of the reports, those on shops that could not be reached and are tried again later."""
        return [
            each
            for each in self.reports
            if isinstance(each, _Postponable) and each.not_before is not None
        ]

    @property
    def outcome(self) -> Literal["done", "partial", "failed"]:
        """Whether it went well: among shops that were done, one that is down is no failure."""
        done = len(self.reports) - len(self.unreached)
        if not done and (self.unreached or self.failed):
            return "failed"
        return "partial" if self.failed else "done"

    @property
    def words(self) -> str:
        """What came of it, in a line."""
        unreached = len(self.unreached)
        told = {
            "done": len(self.reports) - unreached,
            "unreachable": unreached,
            "with somebody else": len(self.skipped),
            "failed": len(self.failed),
        }
        return ", ".join(f"{count} {word}" for word, count in told.items() if count) or "none"


Check = Callable[[], None]
"""Raises Stopped where it is time to go home."""


def work_through(
    shops: Iterable[Shop],
    work: Callable[[Shop, Check], R],
    *,
    workers: int,
    at_end: Callable[[], None] = lambda: None,
) -> CrewReport[R]:
    """Let workers take one shop after the other; whoever is interrupted sends all of them home.

    ``at_end`` is called as soon as nobody is to work any more, and cuts short what they wait for.
    """
    if workers < 1:
        raise UsageError(f"{workers} workers do nothing; give 1 or more")
    crew = _Crew(iter(shops), work)
    with ThreadPoolExecutor(workers, thread_name_prefix="gotgan-shops") as pool:
        running = [pool.submit(crew.run) for _ in range(workers)]
        try:
            wait(running, return_when=FIRST_EXCEPTION)
        finally:
            crew.stopping.set()
            at_end()
    for each in running:
        each.result()
    return crew.report


class _Crew(Generic[R]):
    """The workers and what they share."""

    def __init__(self, shops: Iterator[Shop], work: Callable[[Shop, Check], R]) -> None:
        self._shops = shops
        self._work = work
        self._lock = threading.Lock()
        self.stopping = threading.Event()
        self.report: CrewReport[R] = CrewReport()

    def run(self) -> None:
        """Work until there are no more shops, or until it is time to go home."""
        while not self.stopping.is_set() and (shop := self._next()) is not None:
            try:
                self._keep(self._work(shop, self._check))
            except Stopped:
                return
            except LostRace as lost:
                with self._lock:
                    self.report.skipped[shop.domain] = lost.message
            except Exception as error:
                if self.stopping.is_set():  # it was cut short
                    return
                if isinstance(error, Stopping | UsageError):  # it would be the same for every shop
                    raise
                self._fail(shop, error)  # one shop must not keep the others waiting

    def _fail(self, shop: Shop, error: Exception) -> None:
        told = (
            error if isinstance(error, GotganError) else GotganError(f"a fault of ours: {error!r}")
        )
        emit("shops.failed", level="warning", domain=shop.domain, reason=told.message)
        with self._lock:
            self.report.failed[shop.domain] = told

    def _next(self) -> Shop | None:
        with self._lock:
            return next(self._shops, None)

    def _keep(self, report: R) -> None:
        with self._lock:
            self.report.reports.append(report)

    def _check(self) -> None:
        if self.stopping.is_set():
            raise Stopped
