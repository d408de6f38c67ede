"""How pykrx reaches KRX: by requests, with what it lacks: time-outs, pauses, and plain words.

pykrx cannot tell a logout, a block and an empty answer apart, so they are told apart here, before
it sees them.
"""

from __future__ import annotations

import threading
import time
from typing import Any, Final
from urllib.parse import urlsplit

from gotgan.domains.market.providers.krx_answers import document_of
from gotgan.domains.market.providers.krx_refusals import expect_answer
from gotgan.domains.market.providers.krx_session import LOGIN, expect_welcome
from gotgan.errors import BadMarketAnswer, ProviderError
from gotgan.fetch.addresses import parse
from gotgan.fetch.guard import Guard
from gotgan.settings import Settings

__all__ = ["session_of"]

_SECONDS: Final = 30.0
_TWICE: Final = "CD011"
"""What pykrx answers by itself."""
_PLACES: Final = ("https://data.krx.co.kr", "http://data.krx.co.kr")


def session_of(settings: Settings, seconds: float = _SECONDS) -> Any:
    """A session for pykrx, whose requests go where the settings say that KRX is.

    ``seconds`` is how long those may take that pykrx itself would wait for without end.
    """
    import requests  # noqa: PLC0415 - late, because it binds a socket as soon as it is loaded

    session: Any = requests.Session()
    for place in _PLACES:
        session.mount(place, _Adapter(session.get_adapter(place), settings, seconds))
    return session


class _Adapter:
    """Carries the requests of pykrx, by an adapter of requests."""

    def __init__(self, wire: Any, settings: Settings, seconds: float) -> None:
        self._wire = wire
        self._seconds = seconds
        self._base = settings.krx.rstrip("/")
        self._delay = settings.delay
        self._place = Guard(settings.resolve).place_of(parse(self._base))
        self._lock = threading.Lock()
        self._last = -self._delay

    def send(self, request: Any, *_: object, **options: Any) -> Any:
        """Send a request, and look at the answer before pykrx does."""
        self._wait()
        if self._place is not None:
            options["proxies"] = None
        options["timeout"] = options.get("timeout") or self._seconds
        try:
            response = self._wire.send(self._led(request), **options)
            body = bytes(response.content)
        except OSError as error:  # as all errors of requests are
            raise ProviderError(
                f"KRX could not be asked ({type(error).__name__}); try again later"
            ) from error
        _expect(request, response.status_code, body)
        return response

    def close(self) -> None:
        """Let go of connections."""
        self._wire.close()

    def _led(self, request: Any) -> Any:
        """The request, to where KRX is; the one that pykrx knows keeps its name, for cookies."""
        led = request.copy()
        led.headers["Host"] = urlsplit(self._base).netloc
        led.url = (f"http://{self._place}" if self._place else self._base) + request.path_url
        return led

    def _wait(self) -> None:
        """Let as much time pass between two requests as the settings ask for."""
        with self._lock:
            time.sleep(max(0.0, self._last + self._delay - time.monotonic()))
            self._last = time.monotonic()


def _expect(request: Any, status: int, body: bytes) -> None:
    if request.method != "POST":
        return
    expect_answer(status, body)
    said = document_of(body)
    if urlsplit(request.url).path == LOGIN:
        code = str(said.get("_error_code", ""))
        if code != _TWICE or "skipDup=Y" in str(request.body):
            expect_welcome(code)
    elif not any(isinstance(part, list) for part in said.values()):
        raise BadMarketAnswer("KRX answered no list of rows; its shape has changed")
