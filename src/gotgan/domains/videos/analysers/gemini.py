"""The analyser ``gemini``, by Google's own client: one request for JSON, without any tools.

The client has no limit on the whole time or size of an answer, and would follow a redirect with the
key: the connection that it is given has both limits. Its errors can contain the key, and so can the
sentences of Gemini's refusals; they are replaced by ours.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from http import HTTPStatus
from importlib.util import find_spec
from ssl import PROTOCOL_TLS_CLIENT, SSLContext
from typing import Any, Final

from gotgan.domains.videos import messages
from gotgan.domains.videos.analysers import prompt
from gotgan.domains.videos.analysers.prices import priced_usage
from gotgan.domains.videos.analysers.protocol import TRIAL_PROMPT, AnalyserResponse, rate_limited
from gotgan.domains.videos.metrics.measurements import Measurements
from gotgan.domains.videos.models import Material, Usage
from gotgan.domains.videos.sources.fields import nested_object, object_list
from gotgan.errors import (
    AnalysisError,
    AnalysisTimeout,
    KeyRefused,
    OutputInvalid,
    UpstreamUnavailable,
)
from gotgan.fetch.addresses import parse_url
from gotgan.fetch.guard import Guard
from gotgan.settings import Secret, Settings

_TIMEOUT_S: Final = 120.0
_MAX_OUTPUT_TOKENS: Final = 16_384
"""Including the thoughts before the answer."""
_PRICE_URL: Final = "https://generativelanguage.googleapis.com"
"""Its prices hold wherever the settings say that Gemini is."""
_FINISHED: Final = "STOP"
_TRUNCATED: Final = "MAX_TOKENS"


def is_installed() -> bool:
    """Whether Google's client is installed."""
    try:
        return find_spec("google.genai") is not None
    except ModuleNotFoundError:
        return False


class Gemini:
    """The analyser ``gemini``."""

    name: Final = "gemini"
    prompt_version: Final = prompt.PROMPT_VERSION

    def __init__(self, settings: Settings, key: Secret, *, seconds: float = _TIMEOUT_S) -> None:
        self.model = settings.gemini_model
        self._settings = settings
        self._key = key
        self._seconds = seconds

    def say(self, material: Material, measured: Measurements) -> AnalyserResponse:
        """Its opinion of the comments."""
        pack = prompt.build_evidence(material, measured)
        with _translated_errors(self.model, self._seconds):
            response = self._send(
                pack.text,
                system_instruction=prompt.INSTRUCTIONS,
                temperature=0.0,
                max_output_tokens=_MAX_OUTPUT_TOKENS,
                response_mime_type="application/json",
                response_json_schema=prompt.answer_schema(),
            )
        text, is_cut = _answer_text(response)
        return AnalyserResponse(text, self._usage(response), is_cut, pack.names)

    def try_model(self) -> None:
        """Ask the model for a word; AnalysisError if it cannot be used."""
        with _translated_errors(self.model, self._seconds):
            self._send(TRIAL_PROMPT)

    def _send(self, document: str, **wanted: Any) -> Any:
        from google.genai import Client, types  # noqa: PLC0415 - heavy, and optional

        config = types.GenerateContentConfig(
            automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True), **wanted
        )
        with _client_options(self._settings, self._seconds) as connection:
            options = types.HttpOptions(**connection)
            client = Client(vertexai=False, api_key=self._key.reveal(), http_options=options)
            return client.models.generate_content(
                model=self.model, contents=document, config=config
            )

    def _usage(self, response: Any) -> Usage:
        used = response.usage_metadata
        if used is None:
            return Usage(cost_usd=None)
        thoughts = used.thoughts_token_count or 0  # they cost as much as the answer
        answered = (used.candidates_token_count or 0) + thoughts
        model = self.model.removeprefix("models/")
        return priced_usage(_PRICE_URL, model, used.prompt_token_count or 0, answered)


def _answer_text(response: Any) -> tuple[str, bool]:
    """The text of an answer, and whether it is truncated."""
    candidate = next(iter(response.candidates or ()), None)
    if candidate is None:
        feedback = response.prompt_feedback
        raise _no_answer(_reason_name(feedback.block_reason) if feedback else "")
    reason = _reason_name(candidate.finish_reason) or _FINISHED
    if reason not in {_FINISHED, _TRUNCATED}:
        raise _no_answer(reason)
    parts = (candidate.content.parts if candidate.content else None) or ()
    text = "".join(part.text for part in parts if part.text and not part.thought)
    return text, reason == _TRUNCATED


def _reason_name(reason: Any) -> str:
    """The word for a reason, which may be newer than the client."""
    return str(getattr(reason, "value", None) or "")[:50]


def _no_answer(reason: str) -> OutputInvalid:
    return OutputInvalid(
        messages.GEMINI_STOPPED(reason=reason) if reason else messages.GEMINI_SILENT()
    )


_MAX_ANSWER_BYTES: Final = 5_000_000
_UNCOMPRESSED: Final = {"accept-encoding": "identity"}
"""So that the size on the wire is the size in memory."""


@contextmanager
def _client_options(settings: Settings, seconds: float) -> Iterator[Mapping[str, Any]]:
    """The options of Google's client, with a connection that is closed afterwards."""
    import httpx2  # noqa: PLC0415 - it comes with Google's client

    endpoint = _endpoint(settings)
    is_resolved = "headers" in endpoint
    is_encrypted = str(endpoint["base_url"]).startswith("https:")
    trust = httpx2.create_ssl_context() if is_encrypted else SSLContext(PROTOCOL_TLS_CLIENT)
    with httpx2.Client(
        verify=trust,
        headers=_UNCOMPRESSED,
        follow_redirects=False,
        trust_env=not is_resolved,  # the places of the resolver map need no proxy
        event_hooks={"response": [_response_limit(seconds)]},
    ) as connection:
        yield {
            **endpoint,
            "api_version": "v1beta",
            "timeout": int(seconds * 1_000),
            "httpx_client": connection,
            "async_client_args": {"ssl": trust, "verify": trust},  # else it loads its own, thrice
        }


@contextmanager
def _translated_errors(model: str, seconds: float) -> Iterator[None]:
    """Replace what Google's client raises."""
    import httpx2  # noqa: PLC0415 - as above
    from google.genai import errors  # noqa: PLC0415

    try:
        yield
    except errors.APIError as error:
        raise _refusal_error(error.code, error.details, model) from None
    except httpx2.TimeoutException:
        raise AnalysisTimeout(messages.GEMINI_TIMEOUT(seconds=f"{seconds:g}")) from None
    except httpx2.HTTPError as error:
        cause = type(error).__name__
        raise UpstreamUnavailable(messages.GEMINI_UNREACHABLE(cause=cause)) from None
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        cause = type(error).__name__
        raise UpstreamUnavailable(messages.GEMINI_UNREADABLE(cause=cause)) from None


def _endpoint(settings: Settings) -> dict[str, Any]:
    """The place of Gemini in the settings, or where their resolver map sends its name."""
    base = settings.gemini.rstrip("/")
    address = parse_url(base)
    place = Guard(settings.resolve).place_of(address)
    if place is None:
        return {"base_url": base}
    path = address.target.rstrip("/")
    return {"base_url": f"http://{place}{path}", "headers": {"Host": address.host_header}}


def _response_limit(seconds: float) -> Callable[[Any], None]:
    """A hook that refuses answers that are compressed, too large, or too slow as a whole."""
    import httpx2  # noqa: PLC0415 - as above

    until = time.monotonic() + seconds

    class Bounded(httpx2.SyncByteStream):
        def __init__(self, stream: Any) -> None:
            self._stream = stream

        def __iter__(self) -> Iterator[bytes]:
            received = 0
            for piece in self._stream:
                received += len(piece)
                if received > _MAX_ANSWER_BYTES:
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


_KEY_STATUSES: Final = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_KEY_REASONS: Final = frozenset({"API_KEY_INVALID", "API_KEY_EXPIRED", "API_KEY_SERVICE_BLOCKED"})
_UNAVAILABLE_HERE: Final = "FAILED_PRECONDITION"
"""Gemini's word if a country or an account may not use it."""
_STATUS_WORD: Final = re.compile(r"[A-Z_]{1,50}")
_DELAY_PATTERN: Final = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,9})?)s")
_MAX_RETRY_WAIT_S: Final = 86_400.0
_SERVER_ERRORS: Final = range(500, 600)


def _refusal_error(status: int, answer: Any, model: str) -> AnalysisError:
    problem = nested_object(answer, "error") or nested_object(answer)
    details = object_list(problem.get("details"))
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        delay = _retry_delay(details)
        return rate_limited("Gemini", delay)
    if status in _SERVER_ERRORS:
        return UpstreamUnavailable(messages.FAILED(service="Gemini", why=str(status)))
    if status == HTTPStatus.NOT_FOUND:
        return KeyRefused(messages.GEMINI_NO_MODEL(model=model))
    word = str(problem.get("status", ""))
    why = f"{status} {word}" if _STATUS_WORD.fullmatch(word) else str(status)
    is_about_key = status in _KEY_STATUSES or word == _UNAVAILABLE_HERE
    if is_about_key or not _KEY_REASONS.isdisjoint(str(each.get("reason")) for each in details):
        return KeyRefused(messages.GEMINI_KEY_REFUSED(why=why))
    return AnalysisError(messages.GEMINI_REFUSED(why=why))


def _retry_delay(details: Iterable[Mapping[str, Any]]) -> float | None:
    """The pause in seconds that it asks for."""
    for each in details:
        delay = _DELAY_PATTERN.fullmatch(str(each.get("retryDelay", "")))
        if delay and str(each.get("@type", "")).endswith("google.rpc.RetryInfo"):
            return min(float(delay[1]), _MAX_RETRY_WAIT_S)
    return None
