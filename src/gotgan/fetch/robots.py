"""What a site's robots.txt allows: fetched once a day, read as RFC 9309 says."""

from __future__ import annotations

import asyncio
import math
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Final

from protego import Protego

from gotgan.errors import (
    AddressRefused,
    BadStatus,
    FetchError,
    FetchTimeout,
    NotRecorded,
    RobotsUnavailable,
    TooManyRedirects,
    Unreachable,
)
from gotgan.fetch import messages
from gotgan.fetch.addresses import parse_url
from gotgan.fetch.models import HopResponse
from gotgan.messages import text

RULES_TTL_S: Final = 86_400.0
"""As RFC 9309 says."""
FAILURE_TTL_S: Final = 60.0
MAX_ORIGINS: Final = 500
"""How many sites are remembered; the least recently used one is dropped."""
MAX_ROBOTS_BYTES: Final = 500 * 1024
"""How much of a robots.txt counts: the minimum of RFC 9309."""

_TOO_MANY_REQUESTS: Final = 429
_SERVER_ERROR: Final = 500
_NO_RESPONSE: Final = (AddressRefused, FetchTimeout, NotRecorded, Unreachable)
"""Failures without a response: the page would fail in the same way."""


@dataclass(frozen=True)
class RobotRules:
    """What one site allows to one robot; everything without rules."""

    agent: str
    rules: Protego | None = None

    def allows(self, url: str) -> bool:
        """Whether a URL of the site may be fetched."""
        return self.rules is None or self.rules.can_fetch(url, self.agent)

    @property
    def delay(self) -> float | None:
        """The Crawl-delay in seconds, if there is one."""
        return None if self.rules is None else self.rules.crawl_delay(self.agent)


@dataclass(frozen=True)
class _Failure:
    """Why there are no rules; each caller gets its own exception."""

    kind: type[FetchError]
    message: str


@dataclass
class _Site:
    """What is known about one origin, and the lock of the request for it."""

    outcome: RobotRules | _Failure | None = None
    until: float = -math.inf
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)


class Robots:
    """The rules of all sites, for one robot, in one event loop.

    ``fetch`` gets the URL of a robots.txt, follows redirects and raises FetchError. It takes a turn
    at the gate, so call it before the turn of the page.
    """

    def __init__(
        self,
        fetch: Callable[[str], Awaitable[HopResponse]],
        *,
        agent: str,
        monotonic: Callable[[], float],
    ) -> None:
        self._fetch = fetch
        self._agent = agent
        self._monotonic = monotonic
        self._sites: OrderedDict[str, _Site] = OrderedDict()

    async def get(self, url: str) -> RobotRules:
        """The rules for a URL; raise FetchError if they could not be fetched."""
        address = parse_url(url)
        origin = f"{address.scheme}://{address.host_header}"
        site = self._site(origin)
        outcome = self._fresh(site) or await self._fetch_outcome(site, origin)
        if isinstance(outcome, _Failure):
            raise outcome.kind(outcome.message)
        return outcome

    def _site(self, origin: str) -> _Site:
        site = self._sites.setdefault(origin, _Site())
        self._sites.move_to_end(origin)
        if len(self._sites) > MAX_ORIGINS:
            self._sites.popitem(last=False)
        return site

    def _fresh(self, site: _Site) -> RobotRules | _Failure | None:
        return site.outcome if self._monotonic() < site.until else None

    async def _fetch_outcome(self, site: _Site, origin: str) -> RobotRules | _Failure:
        """Fetch the rules once; others wait for the result.

        The first caller fetches in its own task: if that is cancelled, the next one starts again.
        """
        async with site.lock:
            if found := self._fresh(site):
                return found
            outcome = await self._outcome(origin)
            lasts = RULES_TTL_S if isinstance(outcome, RobotRules) else FAILURE_TTL_S
            site.outcome, site.until = outcome, self._monotonic() + lasts
            return outcome

    async def _outcome(self, origin: str) -> RobotRules | _Failure:
        try:
            reply = await self._fetch(f"{origin}/robots.txt")
        except TooManyRedirects:
            return RobotRules(self._agent)  # RFC 9309 puts it beside a 404
        except BadStatus as error:
            return self._by_status(origin, error)
        except _NO_RESPONSE as error:
            return _Failure(type(error), error.message)
        except FetchError as error:
            return _unavailable(origin, error)
        return RobotRules(self._agent, _rules_in(reply.body))

    def _by_status(self, origin: str, error: BadStatus) -> RobotRules | _Failure:
        """In RFC 9309, 401 and 403 are like any 4xx: there are no rules, the pages may be open."""
        if error.status == _TOO_MANY_REQUESTS or error.status >= _SERVER_ERROR:
            return _unavailable(origin, error)
        return RobotRules(self._agent)


def _unavailable(origin: str, error: FetchError) -> _Failure:
    if isinstance(error, BadStatus):
        why = messages.ROBOTS_STATUS(url=f"{origin}/robots.txt", status=error.status)
    else:
        why = messages.ROBOTS_UNAVAILABLE(why=text(error.message))
    return _Failure(RobotsUnavailable, why)


def _rules_in(body: bytes) -> Protego | None:
    """The rules in a robots.txt; None for an HTML page, whatever its content type says."""
    lines = _whole_lines(body).decode("utf-8-sig", errors="replace")
    return None if lines.lstrip().startswith("<") else Protego.parse(lines)


def _whole_lines(body: bytes) -> bytes:
    """The part that counts, in whole lines: half a path would forbid too much."""
    if len(body) <= MAX_ROBOTS_BYTES:
        return body
    return body[: body.rfind(b"\n", 0, MAX_ROBOTS_BYTES) + 1]
