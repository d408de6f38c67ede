"""The way of an ask, from the address to the answer.

Guard, robots.txt, a turn at the gate, the request; then the same again for every redirect, and all
of it again where that is worth it.
"""

from __future__ import annotations

import asyncio
import functools
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

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
from gotgan.fetch import agent
from gotgan.fetch.addresses import Address, parse, shown
from gotgan.fetch.errands import Errand
from gotgan.fetch.gate import Gate, Gates, retry_after
from gotgan.fetch.guard import Guard
from gotgan.fetch.messages import Ask, FetchResponse, Hop, HopResponse, Transport
from gotgan.fetch.robots import Robots
from gotgan.fetch.rules import FetchRules
from gotgan.fetch.statuses import REDIRECTS, UNCHANGED, asks_to_wait, has_body, refusal
from gotgan.retry import NoRetry
from gotgan.settings import LogLevel

__all__ = ["Fetching"]

_ROBOTS_BYTES: Final = 2_000_000
_ROBOTS_ACCEPT: Final = "text/plain,*/*;q=0.8"


class Fetching:
    """Everything that is under way in one event loop."""

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
        self._gates = Gates(at_once=rules.at_once, delay=rules.delay, patience=rules.deadline)
        self._robots = {trusted: self._robots_for(is_trusted=trusted) for trusted in (True, False)}

    async def answer(self, ask: Ask[Any]) -> FetchResponse:
        """Fetch what is asked for; raise FetchError, also for a status that is no answer."""
        try:
            address, reply = await self._run(self._errand(ask))
        except (AddressRefused, RobotsDisallowed) as error:
            level: LogLevel = "warning" if isinstance(error, AddressRefused) else "info"
            emit("fetch.refused", level=level, url=shown(ask.url), reason=error.message)
            raise
        return FetchResponse(
            asked=ask.url,
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
        """Let go of connections."""
        await self._transport.close()

    def _errand(self, ask: Ask[Any]) -> Errand:
        is_personal = ask.is_personal or ask.body is not None
        return Errand(
            first=parse(ask.url),
            is_from_settings=ask.from_settings,
            headers={**agent.headers(self._rules.contact, ask.accept), **ask.headers},
            conditions=agent.conditions(ask.validators),
            most_bytes=ask.most_bytes,
            within=ask.within,
            heeds_robots=not is_personal,  # who is handed something has asked for it
            keeps_refusal=is_personal,
            is_personal=ask.is_personal,
            body=ask.body,
            seconds=ask.seconds,
        )

    async def _run(self, errand: Errand) -> tuple[Address, HopResponse]:
        try:
            async with errand.limit:
                return await self._persist(errand)
        except TimeoutError as error:
            seconds = errand.seconds or self._rules.deadline
            raise FetchTimeout(
                f"Request to {shown(errand.first.url)} timed out after {seconds:g} s"
            ) from error

    async def _persist(self, errand: Errand) -> tuple[Address, HopResponse]:
        while True:
            try:
                return await self._follow(errand)
            except FetchError as error:
                pause = self._pause_after(error, errand)
                if pause is None:
                    raise
                emit(
                    "fetch.retrying",
                    url=shown(errand.first.url),
                    attempt=errand.attempt,
                    seconds=round(pause, 3),
                    reason=error.message,
                )
            await asyncio.sleep(pause)
            errand.attempt += 1
            errand.held = 0.0

    def _pause_after(self, error: FetchError, errand: Errand) -> float | None:
        """How long to wait before another attempt; None where there is none.

        What failed before the first turn was not an attempt, and robots.txt was retried when it
        was fetched.
        """
        decision = self._rules.retry.decide(
            errand.attempt,
            worth=error.retry
            and errand.has_begun
            and errand.seconds is None
            and not isinstance(error, RobotsUnavailable),
            elapsed=errand.elapsed,
            chance=self._chance(),
        )
        asked = error.retry_after if isinstance(error, BadStatus) else None
        if isinstance(decision, NoRetry) or max(errand.held, asked or 0.0) > errand.left:
            return None
        return decision.after

    async def _follow(self, errand: Errand) -> tuple[Address, HopResponse]:
        """Go where the redirects lead."""
        address = errand.first
        met = {address.url}
        while True:
            reply = await self._hop(errand, address)
            leads_on = reply.status in REDIRECTS and "location" in reply.headers
            if not leads_on or errand.body is not None:
                return address, self._accepted(errand, address, reply)
            address = address.joined(reply.headers["location"])
            if address.url in met or len(met) > self._rules.redirects:
                raise TooManyRedirects(
                    f"{shown(errand.first.url)} redirects in a circle or on and on, last to "
                    f"{shown(address.url)}; open it in a browser"
                )
            self._guard.admit(address, is_trusted=errand.trusts(address))
            if not errand.within(address.url):
                raise LeadsElsewhere(
                    f"{shown(errand.first.url)} leads to {shown(address.url)}, which is not the "
                    "site that was meant; it was not followed"
                )
            met.add(address.url)

    async def _hop(self, errand: Errand, address: Address) -> HopResponse:
        is_trusted = errand.trusts(address)
        self._guard.admit(address, is_trusted=is_trusted)
        gate = self._gates.of(address.host)
        if errand.heeds_robots:
            await self._heed_robots(address, gate, is_trusted=is_trusted)
        # Where an account is used its own limits hold, and no delay that is meant for visitors.
        async with gate.turn(is_paced=not errand.is_personal):
            errand.begin(errand.seconds or self._rules.deadline)
            reply = await self._exchange(errand, address)
            self._weigh(reply, errand, gate, address)
        return reply

    async def _heed_robots(self, address: Address, gate: Gate, *, is_trusted: bool) -> None:
        rules = await self._robots[is_trusted].of(address.url)
        if not rules.allows(address.url):
            raise RobotsDisallowed(
                f"the robots.txt of {address.host} asks not to fetch {shown(address.url)}; "
                "it was not fetched",
                everything=not rules.allows(replace(address, target="/").url),
            )
        if rules.delay is not None:
            gate.ask_for(rules.delay)

    async def _exchange(self, errand: Errand, address: Address) -> HopResponse:
        began = self._clock.monotonic()
        reply = await self._transport.exchange(
            Hop(
                url=address.url,
                headers=errand.headers_for(address),
                is_trusted=errand.trusts(address),
                most_bytes=errand.most_bytes,
                seconds=errand.seconds or self._rules.seconds,
                body=errand.body,
                keeps_refusal=errand.keeps_refusal,
                is_personal=errand.is_personal,
            )
        )
        emit(
            "fetch.fetched",
            level="debug",
            url=shown(address.url),
            status=reply.status,
            bytes=len(reply.body),
            seconds=round(self._clock.monotonic() - began, 3),
            attempt=errand.attempt,
        )
        return reply

    def _weigh(self, reply: HopResponse, errand: Errand, gate: Gate, address: Address) -> None:
        """Leave a host alone that asks for it; before the next in the queue has its turn."""
        if not asks_to_wait(reply.status):
            gate.ease()
            return
        errand.held = gate.hold(retry_after(reply.headers, self._clock.now()))
        emit("fetch.waiting", host=address.host, seconds=round(errand.held, 3), status=reply.status)

    def _accepted(self, errand: Errand, address: Address, reply: HopResponse) -> HopResponse:
        has_version = address == errand.first and bool(errand.conditions)
        if has_body(reply.status) or (reply.status == UNCHANGED and has_version):
            return reply
        wait = retry_after(reply.headers, self._clock.now())
        raise refusal(address.url, reply.status, wait, said=reply.body)

    def _robots_for(self, *, is_trusted: bool) -> Robots:
        """The rules of sites that the settings name, and those of all others, asked for apart.

        A link must not be able to spoil what is known about a trusted place by being refused there.
        """
        fetch = functools.partial(self._robots_txt, is_trusted=is_trusted)
        return Robots(fetch, agent=agent.ROBOT, monotonic=self._clock.monotonic)

    async def _robots_txt(self, url: str, *, is_trusted: bool) -> HopResponse:
        errand = Errand(
            first=parse(url),
            is_from_settings=is_trusted,
            headers=agent.headers(self._rules.contact, _ROBOTS_ACCEPT),
            most_bytes=_ROBOTS_BYTES,
            heeds_robots=False,
        )
        _, reply = await self._run(errand)
        return reply
