"""``Web``: the synchronous interface to fetching."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Coroutine, Generator, Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, Self, TypeVar

from gotgan.clock import Clock
from gotgan.errors import FetchError, Interrupted, SettingsError, UsageError
from gotgan.fetch import messages
from gotgan.fetch.models import (
    HTML,
    FetchRequest,
    FetchResponse,
    FetchResult,
    FetchRules,
    Transport,
    Validators,
    allow_any_url,
)
from gotgan.settings import Settings

if TYPE_CHECKING:
    from gotgan.fetch.fetcher import Fetcher

T = TypeVar("T")


class _FetcherThread:
    """A daemon thread with the event loop of a fetcher; it never keeps a program from ending."""

    def __init__(self, fetcher: Fetcher) -> None:
        self.fetcher = fetcher
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._main, name="gotgan-web", daemon=True)
        self._thread.start()
        self._ready.wait()

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        """Start a coroutine; cancelling the future cancels it."""
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        """Cancel all coroutines, and wait until the thread has ended; once."""
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join()

    def _main(self) -> None:
        asyncio.run(self._run())

    async def _run(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._end = asyncio.Event()
        self._ready.set()
        await self._end.wait()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self.fetcher.close()


class Web:
    """Fetches URLs; share one among all threads. Its own thread starts with the first request."""

    def __init__(
        self, rules: FetchRules, *, clock: Clock, transport: Transport | None = None
    ) -> None:
        """``transport`` is aiohttp unless given."""
        self._rules = rules
        self._clock = clock
        self._transport = transport
        self._lock = threading.Lock()
        self._thread: _FetcherThread | None = None
        self._is_closed = False

    @classmethod
    def open(cls, settings: Settings, clock: Clock) -> Self:
        """The web of the settings: recorded, replayed, or direct."""
        rules = FetchRules(contact=settings.contact, delay=settings.delay, resolve=settings.resolve)
        return cls(rules, clock=clock, transport=_transport(settings, rules, clock))

    def get(
        self,
        url: str,
        *,
        accept: str = HTML,
        from_settings: bool = False,
        validators: Validators = Validators(),  # noqa: B008 - it is frozen
        most_bytes: int = FetchRequest.most_bytes,
        within: Callable[[str], bool] = allow_any_url,
    ) -> FetchResponse:
        """Get one URL; raise FetchError, also for a status of 400 and above."""
        return self.one(
            FetchRequest(url, None, accept, from_settings, validators, most_bytes, within=within)
        )

    def post(
        self, url: str, body: bytes, *, headers: Mapping[str, str], from_settings: bool = False
    ) -> FetchResponse:
        """Post data to a URL; raise FetchError if it was not accepted.

        It may arrive more than once if a response is lost. Redirects are not followed.
        """
        return self.one(FetchRequest(url, None, "*/*", from_settings, body=body, headers=headers))

    def one(self, ask: FetchRequest[Any]) -> FetchResponse:
        """Fetch one request; raise FetchError."""
        future = self._start(ask)
        try:
            return _result(future)
        finally:
            future.cancel()  # if the caller was interrupted; otherwise it has ended

    def get_all(
        self, asks: Iterable[FetchRequest[T]], *, at_once: int = 8
    ) -> Generator[FetchResult[T]]:
        """Fetch many requests; yield each result as soon as it is there, in any order.

        Requests are taken one by one: at most ``at_once`` are running or have a result that was
        not taken yet. Closing the iterator cancels those that run.
        """
        if at_once < 1:
            raise UsageError("at least one ask must be allowed at once")
        self._refuse_if_closed()
        return self._each(iter(asks), at_once)

    def back_off(self, host: str) -> float:
        """Seconds until a host accepts requests again; 0 without a back-off."""
        with self._lock:
            thread = self._thread
        if thread is None:
            return 0.0
        until = thread.fetcher.held_until(host)
        return max(0.0, until - time.monotonic())  # the clock of the loop, too

    def share(self) -> Web:
        """A part of this web that can be closed separately: closing cancels its requests only."""
        return _SharedWeb(self._rules, self._clock, start=self._start, back_off=self.back_off)

    def close(self) -> None:
        """Cancel all requests and close connections; may be called more than once."""
        with self._lock:  # requests before are cancelled, requests after are refused
            self._is_closed = True
            thread, self._thread = self._thread, None
        if thread is not None:
            thread.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _each(self, requests: Iterator[FetchRequest[T]], at_once: int) -> Generator[FetchResult[T]]:
        running: dict[Future[FetchResponse], FetchRequest[T]] = {}
        finished: SimpleQueue[Future[FetchResponse]] = SimpleQueue()
        try:
            while True:
                request = next(requests, None) if len(running) < at_once else None
                if request is not None:
                    future = self._start(request)
                    running[future] = request
                    future.add_done_callback(finished.put)
                    if finished.empty():  # otherwise yield it before the next request is taken
                        continue
                if not running:
                    return
                done = finished.get()
                yield _fetch_result(running.pop(done), done)
        finally:
            for future in running:
                future.cancel()

    def _start(self, request: FetchRequest[Any]) -> Future[FetchResponse]:
        with self._lock:
            self._refuse_if_closed()
            if self._thread is None:
                # Late, because aiohttp is heavy and most commands never fetch.
                from gotgan.fetch.fetcher import Fetcher  # noqa: PLC0415
                from gotgan.fetch.wire import AiohttpTransport  # noqa: PLC0415

                transport = self._transport or AiohttpTransport(self._rules)
                self._thread = _FetcherThread(Fetcher(self._rules, transport, self._clock))
            return self._thread.submit(self._thread.fetcher.fetch(request))

    def _refuse_if_closed(self) -> None:
        if self._is_closed:
            raise _closed_error()


class _SharedWeb(Web):
    """A web that fetches through another one, until it is closed."""

    def __init__(
        self,
        rules: FetchRules,
        clock: Clock,
        *,
        start: Callable[[FetchRequest[Any]], Future[FetchResponse]],
        back_off: Callable[[str], float],
    ) -> None:
        """``start`` and ``back_off`` are those of the other one."""
        super().__init__(rules, clock=clock)
        self._start_there, self._back_off_there = start, back_off
        self._running: set[Future[FetchResponse]] = set()

    def back_off(self, host: str) -> float:
        return self._back_off_there(host)

    def close(self) -> None:
        with self._lock:
            self._is_closed = True
            running = self._running.copy()
        for future in running:
            future.cancel()

    def _start(self, request: FetchRequest[Any]) -> Future[FetchResponse]:
        with self._lock:
            self._refuse_if_closed()
            future = self._start_there(request)
            self._running.add(future)
        future.add_done_callback(self._running.discard)
        return future


def _fetch_result(request: FetchRequest[T], done: Future[FetchResponse]) -> FetchResult[T]:
    try:
        return FetchResult(request, _result(done))
    except FetchError as error:
        return FetchResult(request, None, error)


def _result(future: Future[FetchResponse]) -> FetchResponse:
    try:
        return future.result()
    except CancelledError:
        raise _closed_error() from None


def _closed_error() -> Interrupted:
    return Interrupted(messages.CLOSED())


def _transport(settings: Settings, rules: FetchRules, clock: Clock) -> Transport | None:
    if settings.replay is not None and settings.record is not None:
        raise SettingsError(messages.RECORD_AND_REPLAY())
    if settings.replay is not None:
        from gotgan.fetch.recording import ReplayTransport  # noqa: PLC0415

        return ReplayTransport(settings.replay)
    if settings.record is not None:
        from gotgan.fetch.recording import RecordingTransport  # noqa: PLC0415
        from gotgan.fetch.wire import AiohttpTransport  # noqa: PLC0415

        return RecordingTransport(AiohttpTransport(rules), settings.record, clock=clock)
    return None
