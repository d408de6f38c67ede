"""What a site's robots.txt allows: asked for once a day, understood as RFC 9309 says."""

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
from gotgan.fetch.addresses import parse
from gotgan.fetch.messages import HopResponse

__all__ = ["RobotRules", "Robots"]

KEPT_FOR: Final = 86_400.0
"""How many seconds rules hold, as RFC 9309 has it."""
FAILED_FOR: Final = 60.0
"""After how many seconds a robots.txt that could not be fetched is requested again."""
MOST_ORIGINS: Final = 500
"""How many sites are remembered; the one that nobody has asked about for longest goes first."""
MOST_BYTES: Final = 500 * 1024
"""How much of a robots.txt counts: the least that RFC 9309 allows a robot to read."""

_TOO_MANY: Final = 429
_ITS_OWN_FAULT: Final = 500
_NO_ANSWER: Final = (AddressRefused, FetchTimeout, NotRecorded, Unreachable)
"""Failures without an answer of the site: the page would fail in the same way, so they are kept."""


@dataclass(frozen=True)
class RobotRules:
    """What one site allows to one robot; without rules, everything."""

    agent: str
    rules: Protego | None = None

    def allows(self, url: str) -> bool:
        """Whether an address of the site may be fetched."""
        return self.rules is None or self.rules.can_fetch(url, self.agent)

    @property
    def delay(self) -> float | None:
        """The seconds that the site wants between two requests, where it says so."""
        return None if self.rules is None else self.rules.crawl_delay(self.agent)


@dataclass(frozen=True)
class _Failure:
    """Why there are no rules: an error that can be raised again and again."""

    kind: type[FetchError]
    sentence: str

    def error(self) -> FetchError:
        return self.kind(self.sentence)


@dataclass
class _Site:
    """What is known about one origin, and the lock of whoever is finding it out."""

    outcome: RobotRules | _Failure | None = None
    until: float = -math.inf
    asking: asyncio.Lock = field(default_factory=asyncio.Lock)


class Robots:
    """The rules of all sites, for one robot, in one event loop.

    ``fetch`` gets the address of a robots.txt, follows redirects and raises FetchError. It must be
    asked before the turn of the page, for it takes a turn of its own.
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

    async def of(self, url: str) -> RobotRules:
        """The rules for an address; raise FetchError where they could not be fetched."""
        address = parse(url)
        origin = f"{address.scheme}://{address.host_header}"
        site = self._site(origin)
        outcome = self._fresh(site) or await self._find_out(site, origin)
        if isinstance(outcome, _Failure):
            raise outcome.error()
        return outcome

    def _site(self, origin: str) -> _Site:
        site = self._sites.setdefault(origin, _Site())
        self._sites.move_to_end(origin)
        if len(self._sites) > MOST_ORIGINS:
            self._sites.popitem(last=False)
        return site

    def _fresh(self, site: _Site) -> RobotRules | _Failure | None:
        return site.outcome if self._monotonic() < site.until else None

    async def _find_out(self, site: _Site, origin: str) -> RobotRules | _Failure:
        """Ask the site, one at a time: who waited for the answer has it, or asks where none came.

        The one who asks does so in its own name, not in a task of its own: when it is cancelled,
        so is the request, and the next in the queue begins anew.
        """
        async with site.asking:
            if found := self._fresh(site):
                return found
            outcome = await self._outcome(origin)
            lasts = KEPT_FOR if isinstance(outcome, RobotRules) else FAILED_FOR
            site.outcome, site.until = outcome, self._monotonic() + lasts
            return outcome

    async def _outcome(self, origin: str) -> RobotRules | _Failure:
        try:
            reply = await self._fetch(f"{origin}/robots.txt")
        except TooManyRedirects:
            return RobotRules(self._agent)  # RFC 9309 puts it beside a 404
        except BadStatus as error:
            return self._by_status(origin, error)
        except _NO_ANSWER as error:
            return _Failure(type(error), str(error))
        except FetchError as error:
            return _unavailable(origin, error)
        return RobotRules(self._agent, _rules_in(reply.body))

    def _by_status(self, origin: str, error: BadStatus) -> RobotRules | _Failure:
        """What a refusal means.

        401 and 403 are a 4xx like others in RFC 9309: they say that there are no rules for us to
        read, not that the pages are closed; those that are will answer for themselves.
        """
        if error.status == _TOO_MANY or error.status >= _ITS_OWN_FAULT:
            return _unavailable(origin, error)
        return RobotRules(self._agent)


def _unavailable(origin: str, error: FetchError) -> _Failure:
    why = f"status {error.status}" if isinstance(error, BadStatus) else error.message
    return _Failure(
        RobotsUnavailable,
        f"Could not fetch {origin}/robots.txt: {why}. Nothing is fetched from a site whose "
        "robots.txt is unavailable; try again in a few minutes",
    )


def _rules_in(body: bytes) -> Protego | None:
    """The rules in a robots.txt, or None in a page that stands in its place.

    The body decides which it is: many servers call their robots.txt HTML, and their pages text.
    """
    text = _whole_lines(body).decode("utf-8-sig", errors="replace")
    return None if text.lstrip().startswith("<") else Protego.parse(text)


def _whole_lines(body: bytes) -> bytes:
    """The part that counts, without a last line cut in two: half a path would forbid too much."""
    if len(body) <= MOST_BYTES:
        return body
    return body[: body.rfind(b"\n", 0, MOST_BYTES) + 1]
