"""Politeness towards one host: how many requests at once, how far apart, and when not at all.

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
from gotgan.retry import Policy

__all__ = ["Gate", "Gates", "retry_after"]

PAUSES: Final = Policy(base=1.0, cap=300.0)
"""How long a host is left alone that says no, but not until when: a second, two, four."""
LONGEST_DELAY: Final = 60.0
"""Beyond this a Crawl-delay is a way to say no, and robots.txt has another word for that."""
LONGEST_WAIT: Final = 86_400.0
"""Nobody is made to wait for more than a day by a header."""
IDLE: Final = 600.0
"""After how many seconds a host that nobody asks for is forgotten."""

_SECONDS: Final = re.compile(r"[0-9]+(\.[0-9]+)?")


class Gate:
    """The way to one host, in one event loop: first come, first served.

    A back-off of more than ``patience`` seconds is not waited for: whoever stands in the queue, or
    comes meanwhile, is told how long it lasts.
    """

    def __init__(self, *, at_once: int, delay: float, patience: float = math.inf) -> None:
        if at_once < 1:
            raise ValueError("a gate lets through at least one request at once")
        self._at_once = at_once
        self._patience = patience
        self._own_delay = self._delay = delay
        self._under_way = 0
        self._last_start = -math.inf
        self._held_until = -math.inf
        self._holds = 0
        self._waiting: deque[tuple[asyncio.Future[None], bool]] = deque()
        self._alarm: asyncio.TimerHandle | None = None

    @asynccontextmanager
    async def turn(self, *, is_paced: bool = True) -> AsyncIterator[None]:
        """Wait until a request may start, and count it as under way until the block ends.

        One that is not paced need not wait for the delay; it waits for all else.
        """
        await self._place(is_paced=is_paced)
        try:
            yield
        finally:
            self._give_back()

    def ask_for(self, delay: float) -> None:
        """Heed the Crawl-delay of the host's robots.txt, where it is longer than our own."""
        self._delay = max(self._own_delay, min(delay, LONGEST_DELAY))

    def hold(self, retry_after: float | None) -> float:
        """Start nothing until the host's back-off is over; the seconds until the next turn.

        Answers to requests that were under way when a hold began belong to the same trouble: they
        can make it last longer, but they do not double it.
        """
        now = _now()
        if self._has_started_since_the_hold:
            self._holds += 1
        pause = PAUSES.longest(self._holds) if retry_after is None else retry_after
        self._held_until = max(self._held_until, now + pause)
        self._turn_away()
        return self._opens_at - now

    def ease(self) -> None:
        """Note an ordinary answer: the next hold is a short one again.

        It never ends a hold, and one that was under way when the hold began says nothing about it.
        """
        if self._has_started_since_the_hold:
            self._holds = 0

    @property
    def held_until(self) -> float:
        """When the back-off ends that the host asked for, by the clock of the loop."""
        return self._held_until

    def is_idle(self, now: float) -> bool:
        """Whether nobody is inside or waiting, and both clocks have run out."""
        return not self._under_way and not self._waiting and self._opens_at <= now

    @property
    def _opens_at(self) -> float:
        return max(self._last_start + self._delay, self._held_until)

    @property
    def _next_at(self) -> float:
        """When the first in the queue may start."""
        _, is_paced = self._waiting[0]
        return self._opens_at if is_paced else self._held_until

    @property
    def _has_started_since_the_hold(self) -> bool:
        return self._last_start >= self._held_until

    async def _place(self, *, is_paced: bool) -> None:
        place = asyncio.get_running_loop().create_future()
        self._waiting.append((place, is_paced))
        self._turn_away()
        self._admit()
        try:
            await place
        except asyncio.CancelledError:
            if not place.cancelled() and not place.exception():  # given in the same moment
                self._give_back()
            raise

    def _give_back(self) -> None:
        self._under_way -= 1
        self._admit()

    def _admit(self) -> None:
        """Let in whoever may start now, in the order in which they came."""
        while self._waiting and self._under_way < self._at_once:
            if self._waiting[0][0].cancelled():
                self._waiting.popleft()
            elif self._next_at > _now():
                self._look_again()
                return
            else:
                self._start(self._waiting.popleft()[0])

    def _turn_away(self) -> None:
        """Keep nobody waiting for the end of a back-off that is too long."""
        held = self._held_until - _now()
        while self._waiting and held > self._patience:
            place, _ = self._waiting.popleft()
            if not place.cancelled():
                place.set_exception(_too_long(held))

    def _start(self, place: asyncio.Future[None]) -> None:
        self._under_way += 1
        self._last_start = _now()
        place.set_result(None)

    def _look_again(self) -> None:
        """Set the alarm; one that rings too early, because of a later hold, is set again."""
        if self._alarm is None:
            loop = asyncio.get_running_loop()
            self._alarm = loop.call_at(self._next_at, self._wake)

    def _wake(self) -> None:
        self._alarm = None
        self._admit()


class Gates:
    """The gates of all hosts; ask for one whenever it is needed, and keep none."""

    def __init__(self, *, at_once: int, delay: float, patience: float = math.inf) -> None:
        self._new = functools.partial(Gate, at_once=at_once, delay=delay, patience=patience)
        self._gates: dict[str, tuple[Gate, float]] = {}
        self._tidied = -math.inf

    def of(self, host: str) -> Gate:
        """The gate of a host; the same one for as long as it matters that it is."""
        now = _now()
        self._tidy(now)
        known = self._gates.get(host)
        gate = known[0] if known else self._new()
        self._gates[host] = gate, now
        return gate

    def held_until(self, host: str) -> float:
        """When the back-off of a host ends; long ago where there is none. Any thread may ask."""
        known = self._gates.get(host)
        return known[0].held_until if known else -math.inf

    def _tidy(self, now: float) -> None:
        if now - self._tidied < IDLE:
            return
        self._tidied = now
        self._gates = {
            host: (gate, asked)
            for host, (gate, asked) in self._gates.items()
            if now - asked < IDLE or not gate.is_idle(now)
        }


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """How many seconds the host asks us to wait; None where it does not say, or talks nonsense."""
    said = headers.get("retry-after", "").strip()
    seconds = float(said) if _SECONDS.fullmatch(said) else _seconds_until(said, now)
    return None if seconds is None else min(max(0.0, seconds), LONGEST_WAIT)


def _seconds_until(said: str, now: datetime) -> float | None:
    try:
        moment = parsedate_to_datetime(said)
    except (ValueError, OverflowError):
        return None
    if moment.tzinfo is None:  # "-0000": a time in UTC, from a place that is not said
        moment = moment.replace(tzinfo=UTC)
    return (moment - now).total_seconds()


def _too_long(held: float) -> TooManyRequests:
    return TooManyRequests(
        f"the host wants to be left alone for another {held:.0f} seconds; nothing was asked, try "
        "again then",
        HTTPStatus.TOO_MANY_REQUESTS,
        held,
    )


def _now() -> float:
    return asyncio.get_running_loop().time()
