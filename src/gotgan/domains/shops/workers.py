"""Several workers in one process, each with one shop at a time.

Any number of processes and machines can work on one table: a claim decides who has a shop.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import ClassVar, Generic, Literal, TypeVar

from gotgan.domains.shops import messages
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.reports import CrawlReport, Hint, ScrapeReport, ShopFailure, SkippedShop
from gotgan.errors import GotganError, LostRace, UsageError
from gotgan.events import emit
from gotgan.runs import RunStopped
from gotgan.store import Cost

R = TypeVar("R", bound=CrawlReport | ScrapeReport)


class WorkStopped(Exception):
    """Raised in a worker that is to stop; it releases its shop."""


@dataclass
class PoolReport(Generic[R]):
    """What workers did, shop by shop."""

    shown: ClassVar = ("shops", "skipped", "failed", "in_progress", "hint", "cost")

    shops: list[R] = field(default_factory=list)
    """Shops that were done or could not be reached."""
    skipped: list[SkippedShop] = field(default_factory=list)
    """Shops that another worker is processing."""
    failed: list[ShopFailure] = field(default_factory=list)
    """Shops that failed. Their claims expire."""
    in_progress: int = 0
    """Claims of other workers, counted when nothing was due."""
    hint: Hint | None = None
    """Where nothing was due: no shop is registered, or other tools' shops are not adopted."""

    @property
    def cost(self) -> Cost:
        """Read and write units of all shops."""
        return sum((each.cost for each in self.shops), Cost())

    @property
    def is_idle(self) -> bool:
        """Whether there was nothing to do."""
        return not (self.shops or self.skipped or self.failed)

    @property
    def unreached(self) -> list[R]:
        """Shops that could not be reached and are tried again later."""
        return [each for each in self.shops if each.not_before is not None]

    @property
    def outcome(self) -> Literal["done", "partial", "failed"]:
        """The result: if some shops were done, one that is down does not make it a failure."""
        done = len(self.shops) - len(self.unreached)
        if not done and (self.unreached or self.failed):
            return "failed"
        return "partial" if self.failed else "done"

    @property
    def words(self) -> str:
        """The result in one line."""
        unreached = len(self.unreached)
        counts = {
            messages.DONE_COUNT: len(self.shops) - unreached,
            messages.UNREACHABLE_COUNT: unreached,
            messages.ELSEWHERE_COUNT: len(self.skipped),
            messages.FAILED_COUNT: len(self.failed),
        }
        parts = [template(count=count) for template, count in counts.items() if count]
        return messages.RESULT(counts=parts) if parts else messages.NOTHING()


StopCheck = Callable[[], None]
"""Raises WorkStopped when it is time to stop."""


def run_workers(
    shops: Iterable[Shop],
    work: Callable[[Shop, StopCheck], R],
    report: PoolReport[R],
    *,
    workers: int,
    at_end: Callable[[], None] = lambda: None,
) -> None:
    """Let workers take one shop after the other and fill in the report.

    ``at_end`` is called as soon as the work is to stop, and cuts short what workers wait for.
    """
    if workers < 1:
        raise UsageError(messages.TOO_FEW_WORKERS(count=workers))
    pool = _WorkerPool(iter(shops), work, report)
    with ThreadPoolExecutor(workers, thread_name_prefix="gotgan-shops") as executor:
        running = [executor.submit(copy_context().run, pool.run) for _ in range(workers)]
        try:
            wait(running, return_when=FIRST_EXCEPTION)
        finally:
            pool.stopping.set()
            at_end()
    for each in running:
        each.result()


class _WorkerPool(Generic[R]):
    """What the workers share."""

    def __init__(
        self, shops: Iterator[Shop], work: Callable[[Shop, StopCheck], R], report: PoolReport[R]
    ) -> None:
        self._shops, self._work, self._report = shops, work, report
        self._lock = threading.Lock()
        self.stopping = threading.Event()

    def run(self) -> None:
        """Work until no shops are left, or until it is asked to stop."""
        while not self.stopping.is_set() and (shop := self._next()) is not None:
            try:
                done = self._work(shop, self._check)
                with self._lock:
                    self._report.shops.append(done)
            except WorkStopped:
                return
            except LostRace as lost:
                with self._lock:
                    self._report.skipped.append(SkippedShop(shop.domain, lost.message))
            except Exception as error:
                if self.stopping.is_set():  # it was cut short
                    return
                if isinstance(
                    error, RunStopped | UsageError
                ):  # it would be the same for every shop
                    raise
                self._fail(shop, error)  # the other shops go on

    def _fail(self, shop: Shop, error: Exception) -> None:
        if not isinstance(error, GotganError):
            error = GotganError(messages.FAULT(error=repr(error)))
        emit("shops.failed", level="warning", domain=shop.domain, reason=error.message)
        with self._lock:
            self._report.failed.append(ShopFailure(shop.domain, error))

    def _next(self) -> Shop | None:
        with self._lock:
            return next(self._shops, None)

    def _check(self) -> None:
        if self.stopping.is_set():
            raise WorkStopped
