"""How Google's client reaches Gemini: where the settings say, and with what it lacks.

It has no limit on how long or how large an answer may be in all, and would follow a redirect with
the key. What it raises can hold the key, and is told in our words.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any, Final

from gotgan.domains.videos.analysers.gemini_refusals import refusal_of
from gotgan.errors import AnalysisTimeout, UpstreamUnavailable
from gotgan.fetch.addresses import parse
from gotgan.fetch.guard import Guard
from gotgan.settings import Settings

__all__ = ["connected", "failures_told"]

_MOST_BYTES: Final = 5_000_000
_PLAIN: Final = {"accept-encoding": "identity"}
"""What is not packed cannot be larger than it looks."""


@contextmanager
def connected(settings: Settings, seconds: float) -> Iterator[Mapping[str, Any]]:
    """The options of Google's client, with a connection that is closed afterwards."""
    import httpx2  # noqa: PLC0415 - late, because it comes with Google's client

    place = _place(settings)
    is_led = "headers" in place
    is_encrypted = str(place["base_url"]).startswith("https:")
    trust = httpx2.create_ssl_context() if is_encrypted else SSLContext(PROTOCOL_TLS_CLIENT)
    with httpx2.Client(
        verify=trust,
        headers=_PLAIN,
        follow_redirects=False,
        trust_env=not is_led,  # no proxy stands before where the resolver map leads
        event_hooks={"response": [_bounding(seconds)]},
    ) as connection:
        yield {
            **place,
            "api_version": "v1beta",
            "timeout": int(seconds * 1_000),
            "httpx_client": connection,
            "async_client_args": {"ssl": trust, "verify": trust},  # else it loads its own, thrice
        }


@contextmanager
def failures_told(model: str, seconds: float) -> Iterator[None]:
    """Whatever Google's client raises, in our words alone."""
    import httpx2  # noqa: PLC0415 - late, as above
    from google.genai import errors  # noqa: PLC0415

    try:
        yield
    except errors.APIError as error:
        raise refusal_of(error.code, error.details, model) from None
    except httpx2.TimeoutException:
        raise AnalysisTimeout(
            f"gemini took more than {seconds:g} seconds; try again later"
        ) from None
    except httpx2.HTTPError as error:
        raise UpstreamUnavailable(
            f"gemini could not be asked ({type(error).__name__}); look at the network and at "
            "GOTGAN_GEMINI, and try again later"
        ) from None
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise UpstreamUnavailable(
            f"gemini's answer cannot be read ({type(error).__name__}); look at GOTGAN_GEMINI, and "
            "try again later"
        ) from None


def _place(settings: Settings) -> dict[str, Any]:
    """Where Gemini is: as the settings say, or where their resolver map sends that name."""
    base = settings.gemini.rstrip("/")
    address = parse(base)
    place = Guard(settings.resolve).place_of(address)
    if place is None:
        return {"base_url": base}
    path = address.target.rstrip("/")
    return {"base_url": f"http://{place}{path}", "headers": {"Host": address.host_header}}


def _bounding(seconds: float) -> Callable[[Any], None]:
    """What lets an answer be neither packed, nor too large, nor too long on its way."""
    import httpx2  # noqa: PLC0415 - late, as above

    until = time.monotonic() + seconds

    class Bounded(httpx2.SyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def __iter__(self) -> Iterator[bytes]:
            received = 0
            for piece in self._stream:
                received += len(piece)
                if received > _MOST_BYTES:
                    raise httpx2.DecodingError("it is too large")
                if time.monotonic() > until:
                    raise httpx2.ReadTimeout("it took too long in all")
                yield piece

        def close(self) -> None:
            self._stream.close()

    def bound(response: Any) -> None:
        if "content-encoding" in response.headers:
            raise httpx2.DecodingError("it is packed, though that was not asked for")
        response.stream = Bounded(response.stream)

    return bound
