"""Rate limits per host: concurrent requests, the delay between them, and back-off.

Two clocks decide when the next request may start, and the later one wins: the delay since the last
start, and the back-off that the host itself asked for. They are never added up.
"""

from __future__ import annotations

import asyncio
import functools
import math
import re
from collections import deque
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

from gotgan.errors import TooManyRequests
from gotgan.fetch.messages import BACKING_OFF
from gotgan.retry import Policy

BACKOFF: Final = Policy(base=1.0, cap=300.0)
"""The back-off of a host that gives no time: a second, two, four."""
MAX_CRAWL_DELAY_S: Final = 60.0
MAX_RETRY_AFTER_S: Final = 86_400.0
IDLE_S: Final = 600.0
"""After this time without a request a host is forgotten."""

_SECONDS: Final = re.compile(r"[0-9]+(\.[0-9]+)?")


class Gate:
    """The queue for one host, in one event loop.

    Requests do not wait for a back-off of more than ``max_wait_s`` seconds: they fail at once.
    """

    def __init__(self, *, at_once: int, delay: float, max_wait_s: float = math.inf) -> None:
        if at_once < 1:
            raise ValueError("a gate lets through at least one request at once")
        self._at_once = at_once
        self._max_wait_s = max_wait_s
        self._own_delay = self._delay = delay
        self._running = 0
        self._last_start = -math.inf
        self._held_until = -math.inf
        self._holds = 0
        self._waiting: deque[tuple[asyncio.Future[None], bool]] = deque()
        self._alarm: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(self, *, is_paced: bool = True) -> AsyncIterator[None]:
        """Wait until a request may start; it runs until the block ends.

        One that is not paced does not wait for the delay, but for all else.
        """
        await self._wait(is_paced=is_paced)
        try:
            yield
        finally:
            self._release()

    def set_crawl_delay(self, delay: float) -> None:
        """Use the Crawl-delay of the host's robots.txt if it is longer than our delay."""
        self._delay = max(self._own_delay, min(delay, MAX_CRAWL_DELAY_S))

    def hold(self, retry_after: float | None) -> float:
        """Start nothing until the back-off is over; return the seconds until the next turn.

        Responses to requests that ran when a hold began belong to the same problem: they can
        prolong it, but they do not double it.
        """
        now = _now()
        if self._has_started_since_hold:
            self._holds += 1
        pause = BACKOFF.longest(self._holds) if retry_after is None else retry_after
        self._held_until = max(self._held_until, now + pause)
        self._reject_waiting()
        return self._opens_at - now

    def ease(self) -> None:
        """After an ordinary response the next hold is a short one again.

        It never ends a hold, and is ignored if its request ran when the hold began.
        """
        if self._has_started_since_hold:
            self._holds = 0

    @property
    def held_until(self) -> float:
        """When the back-off of the host ends, by the clock of the loop."""
        return self._held_until

    def is_idle(self, now: float) -> bool:
        """Whether nothing runs or waits, and neither delay nor back-off is left."""
        return not self._running and not self._waiting and self._opens_at <= now

    @property
    def _opens_at(self) -> float:
        return max(self._last_start + self._delay, self._held_until)

    @property
    def _next_at(self) -> float:
        """When the first in the queue may start."""
        _, is_paced = self._waiting[0]
        return self._opens_at if is_paced else self._held_until

    @property
    def _has_started_since_hold(self) -> bool:
        return self._last_start >= self._held_until

    async def _wait(self, *, is_paced: bool) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting.append((place, is_paced))
        self._reject_waiting()
        self._admit()
        try:
            await place
        except asyncio.CancelledError:
            if (
                not place.cancelled() and not place.exception()
            ):  # it was admitted at the same moment
                self._release()
            raise

    def _release(self) -> None:
        self._running -= 1
        self._admit()

    def _admit(self) -> None:
        """Start the requests that may start now, in their order."""
        while self._waiting and self._running < self._at_once:
            if self._waiting[0][0].cancelled():
                self._waiting.popleft()
            elif self._next_at > _now():
                self._set_alarm()
                return
            else:
                self._running += 1
                self._last_start = _now()
                self._waiting.popleft()[0].set_result(None)

    def _reject_waiting(self) -> None:
        """Fail waiting requests if the back-off is too long."""
        held = self._held_until - _now()
        while self._waiting and held > self._max_wait_s:
            place, _ = self._waiting.popleft()
            if not place.cancelled():
                place.set_exception(_backoff_error(held))

    def _set_alarm(self) -> None:
        """Wake up when the next may start; after a later hold it is set again."""
        if self._alarm is None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_at(self._next_at, self._wake)

    def _wake(self) -> None:
        self._alarm = None
        self._admit()


class Gates:
    """The gates of all hosts; do not keep one, get it again."""

    def __init__(self, *, at_once: int, delay: float, max_wait_s: float = math.inf) -> None:
        self._new = functools.partial(Gate, at_once=at_once, delay=delay, max_wait_s=max_wait_s)
        self._gates: dict[str, tuple[Gate, float]] = {}
        self._pruned_at = -math.inf

    def get(self, host: str) -> Gate:
        """The gate of a host."""
        now = _now()
        self._prune(now)
        known = self._gates.get(host)
        gate = known[0] if known else self._new()
        self._gates[host] = gate, now
        return gate

    def held_until(self, host: str) -> float:
        """When the back-off of a host ends; any thread may call this."""
        known = self._gates.get(host)
        return known[0].held_until if known else -math.inf

    def _prune(self, now: float) -> None:
        if now - self._pruned_at < IDLE_S:
            return
        self._pruned_at = now
        self._gates = {
            host: (gate, asked)
            for host, (gate, asked) in self._gates.items()
            if now - asked < IDLE_S or not gate.is_idle(now)
        }


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """The seconds of a Retry-After header; None if there is none, or an invalid one."""
    value = headers.get("retry-after", "").strip()
    seconds = float(value) if _SECONDS.fullmatch(value) else _seconds_until(value, now)
    return None if seconds is None else min(max(0.0, seconds), MAX_RETRY_AFTER_S)


def _seconds_until(value: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(value)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:  # "-0000": UTC, in an unknown zone
        moment = moment.replace(tzinfo=UTC)
    return (moment - now).total_seconds()


def _backoff_error(held: float) -> TooManyRequests:
    return TooManyRequests(
        BACKING_OFF(seconds=round(held)),
        HTTPStatus.TOO_MANY_REQUESTS,
        held,
    )


def _now() -> float:
    return asyncio.get_running_loop().time()
