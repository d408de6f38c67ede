"""The world: its hosts, its clock and seed, its planned faults, and the requests it received."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time
from fnmatch import fnmatchcase
from typing import Final

from gotgan.clock import Clock, SystemClock
from gotgan.errors import UsageError
from gotgan.sockets import is_loopback
from gotgan.world import messages
from gotgan.world.fault_responses import FAULT_RESPONSES, LOOP_PATH, loop_redirect
from gotgan.world.faults import (
    EXCHANGE_FAULTS,
    MAIL_FAULTS,
    MODEL_FAULTS,
    YOUTUBE_FAULTS,
    FaultKind,
    Faults,
    PlannedFault,
)
from gotgan.world.mail import MAIL_HOST, ReceivedMail, mail_site
from gotgan.world.market.site import KRX, exchange
from gotgan.world.news.sites import (
    closed_newspaper_site,
    consent_site,
    guce_site,
    newspaper_site,
    yahoo_site,
)
from gotgan.world.news.stories import CLOSED_NEWSPAPER, NEWSPAPER, YAHOO
from gotgan.world.rates import ECB, central_bank
from gotgan.world.scene import (
    SHARES,
    Markup,
    Scene,
    SceneRequest,
    SceneResponse,
    Site,
    plain_text,
)
from gotgan.world.shops.site import shop_site
from gotgan.world.videos.google import KeyUsage, api_key
from gotgan.world.videos.language_models import GEMINI, OPENAI, gemini, openai
from gotgan.world.videos.youtube import API, YOUTUBE, youtube

HOSTS: Final[Mapping[str, Site]] = {
    YAHOO: yahoo_site,
    "guce.yahoo.com": guce_site,
    "consent.yahoo.com": consent_site,
    NEWSPAPER: newspaper_site,
    CLOSED_NEWSPAPER: closed_newspaper_site,
    KRX: exchange,
    ECB: central_bank,
    YOUTUBE: youtube,
    GEMINI: gemini,
    OPENAI: openai,
    MAIL_HOST: mail_site,
    "*.shop.test": shop_site,
    "*.hosted.test": shop_site,
}
"""``*.`` matches exactly one label."""

_API_PATHS: Final = {f"{API}*": YOUTUBE, "/v1*/models/*:*": GEMINI, "/v1/*": OPENAI}
"""The host that a request to the world's own address is meant for, by its path."""
_FAULT_HOSTS: Final = (
    (EXCHANGE_FAULTS, (KRX,)),
    (YOUTUBE_FAULTS, (YOUTUBE,)),
    (MODEL_FAULTS, (GEMINI, OPENAI)),
    (MAIL_FAULTS, (MAIL_HOST,)),
)
"""Faults that exist only at some hosts."""
_MAX_REQUESTS: Final = 10_000
_MAX_MAILS: Final = 200
_YEARS: Final = range(1971, 9999)


class ShiftedClock:
    """A clock that runs like another one, from the same time of another day."""

    def __init__(self, day: date, clock: Clock) -> None:
        if day.year not in _YEARS:
            raise UsageError(messages.NO_DAY(day=day))
        midnight = datetime.combine(clock.now().date(), time(), UTC)
        self._clock = clock
        self._ahead = datetime.combine(day, time(), UTC) - midnight

    def now(self) -> datetime:
        """The present moment of that day, aware and in UTC."""
        return self._clock.now() + self._ahead

    def monotonic(self) -> float:
        """Seconds that only ever grow, for durations."""
        return self._clock.monotonic()


@dataclass(frozen=True)
class RequestRecord:
    """A request that the world received, and the fault that happened to it."""

    at: datetime
    method: str
    host: str
    path: str
    query: str
    headers: Mapping[str, str]
    """With names in lower case."""
    fault: FaultKind | None


class World:
    """A small web: its pages follow from the seed and the moment, and from nothing else."""

    def __init__(  # noqa: PLR0913 - everything that can be chosen about a world
        self,
        *,
        seed: int = 7,
        clock: Clock | None = None,
        markup: Markup = "2026",
        cards: int = 55,
        padding: int = 200_000,
        retry_after: int = 2,
        shop_bytes: int = 12_000,
        shares: Mapping[str, int] | None = None,
        quota: int = 10_000,
    ) -> None:
        """``shares`` overrides the number of shares of a market."""
        self.clock: Clock = clock or SystemClock()
        self.faults = Faults()
        self.meter = KeyUsage()
        self.hosts = tuple(HOSTS)
        self._lock = threading.Lock()
        self._requests: deque[RequestRecord] = deque(maxlen=_MAX_REQUESTS)
        self._mails: deque[ReceivedMail] = deque(maxlen=_MAX_MAILS)
        self._scene = Scene(
            seed=seed,
            now=self.clock.now(),
            markup=markup,
            cards=cards,
            padding=padding,
            retry_after=retry_after,
            shop_bytes=shop_bytes,
            shares={**SHARES, **(shares or {})},
            quota=quota,
        )

    @property
    def scene(self) -> Scene:
        """What pages are made of at this moment."""
        return replace(self._scene, now=self.clock.now())

    @property
    def requests(self) -> tuple[RequestRecord, ...]:
        """The latest requests, oldest first."""
        with self._lock:
            return tuple(self._requests)

    @property
    def mails(self) -> tuple[ReceivedMail, ...]:
        """The latest mails, oldest first."""
        with self._lock:
            return tuple(self._mails)

    def fail(self, host: str, path: str, fault: FaultKind, *, times: int = 0) -> None:
        """Plan a fault for so many requests, or until ``heal`` is called.

        Host and path may contain ``*``; robots.txt fails only if the path is ``/robots.txt``.
        """
        if _site(host) is None and not any(fnmatchcase(name, host) for name in HOSTS):
            raise UsageError(messages.NO_HOST(host=host, known=HOSTS))
        _check_fault_host(fault, host)
        self.faults.plan(PlannedFault(host, path, fault, times))

    def heal(self) -> None:
        """Clear all faults."""
        self.faults.clear()

    def answer(self, request: SceneRequest) -> tuple[SceneResponse, FaultKind | None]:
        """The page for a request, and the fault that the sender still has to apply to it."""
        fault, scene = self.faults.take(request), self.scene
        if request.host == YOUTUBE and (key := api_key(request)) is not None:
            scene = replace(scene, spent=self.meter.spend(key, scene.now))
        self.note(request, fault)
        page = site_response(scene, request)
        if fault is not None and fault in FAULT_RESPONSES:
            return FAULT_RESPONSES[fault](scene, request, page), None
        return page, fault

    def note(self, request: SceneRequest, fault: FaultKind | None = None) -> None:
        """Record a request."""
        record = RequestRecord(
            at=self.clock.now(),
            method=request.method,
            host=request.host,
            path=request.path,
            query=request.query,
            headers=request.headers,
            fault=fault,
        )
        with self._lock:
            self._requests.append(record)

    def keep(self, mail: ReceivedMail) -> None:
        """Store a mail, which is never sent on."""
        with self._lock:
            self._mails.append(mail)


def with_host(request: SceneRequest) -> SceneRequest:
    """The request as its site sees it: an API called by IP address is recognised by its path."""
    if not is_loopback(request.host):
        return request
    names = (name for path, name in _API_PATHS.items() if fnmatchcase(request.path, path))
    return replace(request, host=next(names, request.host))


def site_response(scene: Scene, request: SceneRequest) -> SceneResponse:
    """The response of the site that a request is for."""
    if request.path == LOOP_PATH:
        return loop_redirect(request)
    site = _site(request.host)
    if site is None:
        return plain_text(f"the world has no host {request.host}\n", 404)
    return site(scene, request)


def _site(host: str) -> Site | None:
    return HOSTS.get(host) or HOSTS.get(f"*.{host.partition('.')[2]}")


def _check_fault_host(fault: FaultKind, host: str) -> None:
    homes = [home for faults, hosts in _FAULT_HOSTS if fault in faults for home in hosts]
    if homes and not any(fnmatchcase(home, host) for home in homes):
        raise UsageError(messages.OTHER_HOST(fault=fault.value, host=host, homes=homes))
