"""Performs a request: the guard, robots.txt, the delay per host, the exchange.

The same again for every redirect, and all of it again if the error is worth a retry.
"""

from __future__ import annotations

import asyncio
import functools
import math
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import gotgan
from gotgan.clock import Clock
from gotgan.errors import (
    AddressRefused,
    BadStatus,
    FetchError,
    FetchTimeout,
    LeadsElsewhere,
    RobotsDisallowed,
    RobotsUnavailable,
    TooManyRedirects,
)
from gotgan.events import emit
from gotgan.fetch import messages
from gotgan.fetch.addresses import Address, display_url, parse_url
from gotgan.fetch.gate import Gate, Gates, retry_after
from gotgan.fetch.guard import Guard
from gotgan.fetch.models import (
    FetchRequest,
    FetchResponse,
    FetchRules,
    Hop,
    HopResponse,
    Transport,
)
from gotgan.fetch.robots import Robots
from gotgan.fetch.statuses import NOT_MODIFIED, REDIRECTS, asks_to_wait, is_success, status_error
from gotgan.retry import NoRetry
from gotgan.settings import LogLevel

_ROBOT_NAME: Final = "Gotgan"
"""Our name in robots.txt."""
_MAX_ROBOTS_BYTES: Final = 2_000_000
_ROBOTS_ACCEPT: Final = "text/plain,*/*;q=0.8"


class _RunningRequest:
    """A running request: whom it trusts, its attempts, and how much time it has left."""

    def __init__(
        self, request: FetchRequest[Any], contact: str, *, is_robots: bool = False
    ) -> None:
        self.request = request
        self.first = parse_url(request.url)
        self.obeys_robots = not (is_robots or request.uses_account)
        self.attempt = 1
        self.held_s = 0.0
        """The back-off of the host, as this attempt has found."""
        self.limit = asyncio.timeout(None)
        self._headers = {**_request_headers(contact, request.accept), **request.headers}
        self._began = math.inf

    def trusts(self, address: Address) -> bool:
        """Whether the settings name this exact host and port."""
        return self.request.from_settings and address.authority == self.first.authority

    def headers_for(self, address: Address) -> dict[str, str]:
        """The headers of a request; validators are only for the first URL."""
        if address != self.first:
            return self._headers
        return {**self._headers, **self.request.validators.headers()}

    def begin(self, deadline_s: float) -> None:
        """Start the time limit with the first turn: waiting in the queue costs none."""
        if not self.has_begun:
            self._began = _now()
            self.limit.reschedule(self._began + deadline_s)

    @property
    def has_begun(self) -> bool:
        """Whether it has had its first turn."""
        return self._began < math.inf

    @property
    def elapsed_s(self) -> float:
        """Seconds since its first turn."""
        return max(0.0, _now() - self._began)

    @property
    def left_s(self) -> float:
        """Seconds until its time limit."""
        until = self.limit.when()
        return math.inf if until is None else until - _now()


class Fetcher:
    """All requests of one event loop."""

    def __init__(
        self,
        rules: FetchRules,
        transport: Transport,
        clock: Clock,
        *,
        chance: Callable[[], float] = random.random,
    ) -> None:
        self._rules = rules
        self._transport = transport
        self._clock = clock
        self._chance = chance
        self._guard = Guard(rules.resolve)
        self._gates = Gates(at_once=rules.at_once, delay=rules.delay, max_wait_s=rules.deadline)
        # Separately for trusted sites: a refused link must not spoil what is known about them.
        self._robots = {
            is_trusted: Robots(
                functools.partial(self._robots_txt, is_trusted=is_trusted),
                agent=_ROBOT_NAME,
                monotonic=clock.monotonic,
            )
            for is_trusted in (True, False)
        }

    async def fetch(self, request: FetchRequest[Any]) -> FetchResponse:
        """Fetch a request; raise FetchError, also for a status of 400 and above."""
        try:
            address, reply = await self._run(_RunningRequest(request, self._rules.contact))
        except (AddressRefused, RobotsDisallowed) as error:
            level: LogLevel = "warning" if isinstance(error, AddressRefused) else "info"
            emit("fetch.refused", level=level, url=display_url(request.url), reason=error.message)
            raise
        return FetchResponse(
            asked=request.url,
            url=address.url,
            status=reply.status,
            headers=reply.headers,
            body=reply.body,
            at=self._clock.now(),
        )

    def held_until(self, host: str) -> float:
        """When a host's back-off ends, by the clock of the loop."""
        return self._gates.held_until(host)

    async def close(self) -> None:
        """Close connections."""
        await self._transport.close()

    async def _robots_txt(self, url: str, *, is_trusted: bool) -> HopResponse:
        request = FetchRequest(url, None, _ROBOTS_ACCEPT, is_trusted, most_bytes=_MAX_ROBOTS_BYTES)
        _, reply = await self._run(_RunningRequest(request, self._rules.contact, is_robots=True))
        return reply

    async def _run(self, pending: _RunningRequest) -> tuple[Address, HopResponse]:
        try:
            async with pending.limit:
                return await self._retry(pending)
        except TimeoutError as error:
            seconds = pending.request.seconds or self._rules.deadline
            raise FetchTimeout(
                messages.TIMED_OUT_AFTER(url=display_url(pending.first.url), seconds=f"{seconds:g}")
            ) from error

    async def _retry(self, pending: _RunningRequest) -> tuple[Address, HopResponse]:
        while True:
            try:
                return await self._follow(pending)
            except FetchError as error:
                pause = self._pause_after(error, pending)
                if pause is None:
                    raise
                emit(
                    "fetch.retrying",
                    url=display_url(pending.first.url),
                    attempt=pending.attempt,
                    seconds=round(pause, 3),
                    reason=error.message,
                )
            await asyncio.sleep(pause)
            pending.attempt += 1
            pending.held_s = 0.0

    def _pause_after(self, error: FetchError, pending: _RunningRequest) -> float | None:
        """Seconds before another attempt; None if there is none.

        A failure before the first turn was not an attempt, and robots.txt was retried when it was
        fetched.
        """
        decision = self._rules.retry.decide(
            pending.attempt,
            worth=error.retry
            and pending.has_begun
            and pending.request.seconds is None
            and not isinstance(error, RobotsUnavailable),
            elapsed=pending.elapsed_s,
            chance=self._chance(),
        )
        wait = (error.retry_after if isinstance(error, BadStatus) else None) or 0.0
        if isinstance(decision, NoRetry) or max(pending.held_s, wait) > pending.left_s:
            return None
        return decision.after

    async def _follow(self, pending: _RunningRequest) -> tuple[Address, HopResponse]:
        """Follow redirects."""
        address, request = pending.first, pending.request
        visited = {address.url}
        while True:
            reply = await self._hop(pending, address)
            is_redirect = reply.status in REDIRECTS and "location" in reply.headers
            if not is_redirect or request.body is not None:
                self._raise_for_status(pending, address, reply)
                return address, reply
            address = address.join(reply.headers["location"])
            if address.url in visited or len(visited) > self._rules.redirects:
                raise TooManyRedirects(
                    messages.TOO_MANY_REDIRECTS(
                        url=display_url(pending.first.url), last=display_url(address.url)
                    )
                )
            self._guard.admit(address, is_trusted=pending.trusts(address))
            if not request.within(address.url):
                raise LeadsElsewhere(
                    messages.OTHER_SITE(
                        url=display_url(pending.first.url), target=display_url(address.url)
                    )
                )
            visited.add(address.url)

    async def _hop(self, pending: _RunningRequest, address: Address) -> HopResponse:
        is_trusted = pending.trusts(address)
        self._guard.admit(address, is_trusted=is_trusted)
        gate = self._gates.get(address.host)
        if pending.obeys_robots:
            await self._obey_robots(address, gate, is_trusted=is_trusted)
        # An account has its own limits; the delay is meant for visitors.
        async with gate.turn(is_paced=not pending.request.is_personal):
            pending.begin(pending.request.seconds or self._rules.deadline)
            reply = await self._exchange(pending, address)
            # Back off before the next in the queue has its turn.
            if asks_to_wait(reply.status):
                pending.held_s = gate.hold(retry_after(reply.headers, self._clock.now()))
                seconds = round(pending.held_s, 3)
                emit("fetch.waiting", host=address.host, seconds=seconds, status=reply.status)
            else:
                gate.ease()
        return reply

    async def _obey_robots(self, address: Address, gate: Gate, *, is_trusted: bool) -> None:
        rules = await self._robots[is_trusted].get(address.url)
        if not rules.allows(address.url):
            raise RobotsDisallowed(
                messages.ROBOTS_DISALLOWED(host=address.host, url=display_url(address.url)),
                everything=not rules.allows(replace(address, target="/").url),
            )
        if rules.delay is not None:
            gate.set_crawl_delay(rules.delay)

    async def _exchange(self, pending: _RunningRequest, address: Address) -> HopResponse:
        request, began = pending.request, self._clock.monotonic()
        reply = await self._transport.exchange(
            Hop(
                url=address.url,
                headers=pending.headers_for(address),
                is_trusted=pending.trusts(address),
                most_bytes=request.most_bytes,
                seconds=request.seconds or self._rules.seconds,
                body=request.body,
                keeps_refusal=request.uses_account,
                is_personal=request.is_personal,
            )
        )
        emit(
            "fetch.fetched",
            level="debug",
            url=display_url(address.url),
            status=reply.status,
            bytes=len(reply.body),
            seconds=round(self._clock.monotonic() - began, 3),
            attempt=pending.attempt,
        )
        return reply

    def _raise_for_status(
        self, pending: _RunningRequest, address: Address, reply: HopResponse
    ) -> None:
        has_version = address == pending.first and bool(pending.request.validators.headers())
        if is_success(reply.status) or (reply.status == NOT_MODIFIED and has_version):
            return
        wait = retry_after(reply.headers, self._clock.now())
        raise status_error(address.url, reply.status, wait, body=reply.body)


def _request_headers(contact: str, accept: str) -> dict[str, str]:
    """The headers of every request: a robot that says so; a mail address is also in ``From``."""
    headers = {
        "User-Agent": _user_agent(contact),
        "Accept": accept,
        "Accept-Language": "en-US,en;q=0.9,*;q=0.5",
        "Accept-Encoding": "gzip, deflate",
        "Upgrade-Insecure-Requests": "1",
    }
    return {**headers, "From": contact} if "@" in contact and "/" not in contact else headers


@functools.lru_cache(maxsize=8)
def _user_agent(contact: str) -> str:
    """Cached, because our version is read from a file."""
    about = f"{_ROBOT_NAME}/{gotgan.__version__}" + (f"; +{contact}" if contact else "")
    return f"Mozilla/5.0 (compatible; {about})"


def _now() -> float:
    return asyncio.get_running_loop().time()
