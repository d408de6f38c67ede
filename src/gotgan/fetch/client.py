"""The web, for code that knows nothing of event loops."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Self, TypeVar

from gotgan.clock import Clock
from gotgan.errors import FetchError, SettingsError, UsageError
from gotgan.fetch.loop import Loop
from gotgan.fetch.messages import HTML, Ask, Fetched, FetchResponse, Transport, Validators, anywhere
from gotgan.fetch.rules import FetchRules
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.fetch.fetching import Fetching

__all__ = ["Web"]

T = TypeVar("T")


class Web:
    """Gets what is asked for; share one among all threads.

    Its event loop lives in a thread that is made for the first request.
    """

    def __init__(
        self, rules: FetchRules, *, clock: Clock, transport: Transport | None = None
    ) -> None:
        """``transport`` is what carries requests; unless it is given, the wire."""
        self._rules = rules
        self._clock = clock
        self._transport = transport
        self._lock = threading.Lock()
        self._running: tuple[Loop, Fetching] | None = None
        self._is_closed = False

    @classmethod
    def open(cls, settings: Settings, clock: Clock) -> Self:
        """The web as the settings have it: recorded, replayed, or just the web."""
        rules = FetchRules(contact=settings.contact, delay=settings.delay, resolve=settings.resolve)
        return cls(rules, clock=clock, transport=_transport(settings, rules, clock))

    def get(
        self,
        url: str,
        *,
        accept: str = HTML,
        from_settings: bool = False,
        validators: Validators = Validators(),  # noqa: B008 - it is frozen
        most_bytes: int = Ask.most_bytes,
        within: Callable[[str], bool] = anywhere,
    ) -> FetchResponse:
        """Get one address; raise FetchError, also for a status of 400 and above."""
        return self.one(
            Ask(url, None, accept, from_settings, validators, most_bytes, within=within)
        )

    def post(
        self, url: str, body: bytes, *, headers: Mapping[str, str], from_settings: bool = False
    ) -> FetchResponse:
        """Hand something over at an address; raise FetchError where it was not taken.

        It may arrive more than once, where an answer was lost. Redirects are not followed.
        """
        return self.one(Ask(url, None, "*/*", from_settings, body=body, headers=headers))

    def one(self, ask: Ask[Any]) -> FetchResponse:
        """Fetch one ask, whatever it is; raise FetchError."""
        under_way = self._start(ask)
        try:
            return _result(under_way)
        finally:
            under_way.cancel()  # where the caller was interrupted; else it is over already

    def get_all(self, asks: Iterable[Ask[T]], *, at_once: int = 8) -> Generator[Fetched[T]]:
        """Get many addresses; give each as soon as it is there, in any order.

        Asks are taken one by one, as there is room: never are more than ``at_once`` under way or
        waiting to be taken from here. Closing the iterator cancels what is under way.
        """
        if at_once < 1:
            raise UsageError("at least one ask must be allowed at once")
        self._refuse_if_closed()
        return self._each(iter(asks), at_once)

    def back_off(self, host: str) -> float:
        """How many seconds a host still wants to be left alone; 0 where it does not."""
        with self._lock:
            running = self._running
        if running is None:
            return 0.0
        return max(0.0, running[1].held_until(host) - time.monotonic())  # as the loop counts, too

    def share(self) -> Web:
        """A part of this web, for those who may have to stop: closing it cancels theirs alone."""
        return _Share(self._rules, self._clock, start=self._start, back_off=self.back_off)

    def close(self) -> None:
        """Cancel what is under way and let go of connections; more than once is fine."""
        with self._lock:  # whoever started before is cancelled, nobody starts after
            self._is_closed = True
            running, self._running = self._running, None
        if running is not None:
            running[0].close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _each(self, coming: Iterator[Ask[T]], at_once: int) -> Generator[Fetched[T]]:
        under_way: dict[Future[FetchResponse], Ask[T]] = {}
        finished: SimpleQueue[Future[FetchResponse]] = SimpleQueue()
        try:
            while True:
                ask = next(coming, None) if len(under_way) < at_once else None
                if ask is not None:
                    started = self._start(ask)
                    under_way[started] = ask
                    started.add_done_callback(finished.put)
                    if finished.empty():  # else it is given before the next ask is taken
                        continue
                if not under_way:
                    return
                done = finished.get()
                yield _fetched(under_way.pop(done), done)
        finally:
            for each in under_way:
                each.cancel()

    def _start(self, ask: Ask[Any]) -> Future[FetchResponse]:
        with self._lock:
            self._refuse_if_closed()
            self._running = loop, fetching = self._running or self._run()
            return loop.submit(fetching.answer(ask))

    def _run(self) -> tuple[Loop, Fetching]:
        # Late, because aiohttp is heavy and most commands never ask the web.
        from gotgan.fetch.fetching import Fetching  # noqa: PLC0415
        from gotgan.fetch.wire import Wire  # noqa: PLC0415

        fetching = Fetching(self._rules, self._transport or Wire(self._rules), self._clock)
        return Loop("gotgan-web", last=fetching.close), fetching

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise _closed()


class _Share(Web):
    """The web of somebody else, until it is closed."""

    def __init__(
        self,
        rules: FetchRules,
        clock: Clock,
        *,
        start: Callable[[Ask[Any]], Future[FetchResponse]],
        back_off: Callable[[str], float],
    ) -> None:
        """``start`` and ``back_off`` are those of the whole."""
        super().__init__(rules, clock=clock)
        self._start_there, self._back_off_there = start, back_off
        self._under_way: set[Future[FetchResponse]] = set()

    def back_off(self, host: str) -> float:
        return self._back_off_there(host)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            under_way = self._under_way.copy()
        for each in under_way:
            each.cancel()

    def _start(self, ask: Ask[Any]) -> Future[FetchResponse]:
        with self._lock:
            self._refuse_if_closed()
            started = self._start_there(ask)
            self._under_way.add(started)
        started.add_done_callback(self._under_way.discard)
        return started


def _fetched(ask: Ask[T], done: Future[FetchResponse]) -> Fetched[T]:
    try:
        return Fetched(ask, _result(done))
    except FetchError as error:
        return Fetched(ask, None, error)


def _result(under_way: Future[FetchResponse]) -> FetchResponse:
    try:
        return under_way.result()
    except CancelledError:
        raise _closed() from None


def _closed() -> UsageError:
    return UsageError("the web was closed; open another one")


def _transport(settings: Settings, rules: FetchRules, clock: Clock) -> Transport | None:
    # Late, because few record or replay.
    if settings.replay is not None and settings.record is not None:
        raise SettingsError(
            "what is replayed needs no recording; unset GOTGAN_RECORD or GOTGAN_REPLAY"
        )
    if settings.replay is not None:
        from gotgan.fetch.recording import Replaying  # noqa: PLC0415

        return Replaying(settings.replay)
    if settings.record is not None:
        from gotgan.fetch.recording import Recording  # noqa: PLC0415
        from gotgan.fetch.wire import Wire  # noqa: PLC0415

        return Recording(Wire(rules), settings.record, clock=clock)
    return None
