"""The analyser ``openai``: any server with OpenAI's interface, such as Ollama, llama.cpp or vLLM.

They accept the same request, but not all of it: what a server refuses is left out, and the request
is sent again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from gotgan import errors
from gotgan.domains.videos import messages
from gotgan.domains.videos.analysers import prompt
from gotgan.domains.videos.analysers.prices import priced_usage
from gotgan.domains.videos.analysers.protocol import TRIAL_PROMPT, AnalyserResponse, rate_limited
from gotgan.domains.videos.metrics.measurements import Measurements
from gotgan.domains.videos.models import Material
from gotgan.domains.videos.sources.fields import nested_object
from gotgan.fetch import FetchRequest, FetchResponse, Web
from gotgan.messages import text
from gotgan.settings import Settings

_TIMEOUT_S: Final = 300.0
"""A model on a local machine may be slow."""
_MAX_ANSWER_BYTES: Final = 5_000_000
_REJECTED_STATUSES: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})
_TEMPERATURE: Final = "temperature"
_FORMAT: Final = "response_format"


class OpenAi:
    """The analyser ``openai``."""

    name: Final = "openai"
    prompt_version: Final = prompt.PROMPT_VERSION

    def __init__(self, web: Web, settings: Settings, *, seconds: float = _TIMEOUT_S) -> None:
        self.model = settings.openai_model
        self._web = web
        self._base = settings.openai.rstrip("/")
        self._key = settings.openai_key
        self._seconds = seconds

    def say(self, material: Material, measured: Measurements) -> AnalyserResponse:
        """Its opinion of the comments."""
        pack = prompt.build_evidence(material, measured)
        document, text, is_cut = self._completion(_request(self.model, pack.text))
        usage = priced_usage(self._base, self.model, *_token_counts(document))
        return AnalyserResponse(text, usage, is_cut, pack.names)

    def try_model(self) -> None:
        """Ask the model for a word; AnalysisError if it cannot be used."""
        content = [{"role": "user", "content": TRIAL_PROMPT}]
        self._completion({"model": self.model, "messages": content})

    def _completion(self, request: Mapping[str, Any]) -> tuple[Mapping[str, Any], str, bool]:
        try:
            answer = self._send(request)
        except errors.FetchError as error:
            raise _refusal_error(error, self.model) from error
        return _parse_completion(answer.body)

    def _send(self, request: Mapping[str, Any]) -> FetchResponse:
        try:
            return self._post(request)
        except errors.BadStatus as error:
            simpler = _simpler_request(request, error)
            if simpler is None:
                raise
        return self._send(simpler)

    def _post(self, request: Mapping[str, Any]) -> FetchResponse:
        key = {"Authorization": f"Bearer {self._key.reveal()}"} if self._key else {}
        return self._web.one(
            FetchRequest(
                f"{self._base}/chat/completions",
                None,
                "application/json",
                from_settings=True,
                most_bytes=_MAX_ANSWER_BYTES,
                body=json.dumps(request).encode(),
                headers={"Content-Type": "application/json", **key},
                is_personal=True,
                seconds=self._seconds,
            )
        )


def _request(model: str, document: str) -> dict[str, Any]:
    schema = {"name": "insights", "strict": True, "schema": prompt.answer_schema()}
    return {
        "model": model,
        "messages": [
            {"role": "system", "content": prompt.INSTRUCTIONS},
            {"role": "user", "content": document},
        ],
        "temperature": 0,
        "response_format": {"type": "json_schema", "json_schema": schema},
    }


def _simpler_request(request: Mapping[str, Any], error: errors.BadStatus) -> dict[str, Any] | None:
    """The request without what the server may have refused; None if nothing is left."""
    if error.status not in _REJECTED_STATUSES:
        return None
    if _TEMPERATURE in request and _TEMPERATURE.encode() in error.body:
        return {name: value for name, value in request.items() if name != _TEMPERATURE}
    if _FORMAT not in request:
        return None
    if request[_FORMAT]["type"] == "json_schema":
        system, user = request["messages"]
        schema = json.dumps(prompt.answer_schema(), separators=(",", ":"))
        text = f"{system['content']}\n\nThe shape, as JSON Schema:\n{schema}"
        messages = [{**system, "content": text}, user]
        return {**request, "messages": messages, _FORMAT: {"type": "json_object"}}
    return {name: value for name, value in request.items() if name != _FORMAT}


def _parse_completion(body: bytes) -> tuple[Mapping[str, Any], str, bool]:
    """The whole answer, the text in it, and whether that is truncated."""
    try:
        document = json.loads(body)
        choice = document["choices"][0]
        message, reason = choice["message"], choice.get("finish_reason")
        text, refused = message.get("content") or "", message.get("refusal")
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        raise errors.UpstreamUnavailable(messages.NOT_OPENAI()) from None
    if not isinstance(text, str):
        raise errors.UpstreamUnavailable(messages.NOT_OPENAI())
    if refused or reason == "content_filter":
        raise errors.OutputInvalid(messages.MODEL_DECLINED())
    return document, text, reason == "length"


def _token_counts(document: Mapping[str, Any]) -> tuple[int, int]:
    """The tokens of the request and of the answer; 0 if the server does not count them."""
    usage = nested_object(document, "usage")
    return _count(usage.get("prompt_tokens")), _count(usage.get("completion_tokens"))


def _count(number: Any) -> int:
    is_count = isinstance(number, int) and not isinstance(number, bool)
    return max(0, number) if is_count else 0


def _refusal_error(error: errors.FetchError, model: str) -> errors.AnalysisError:
    cause = text(error.message)
    if isinstance(error, errors.FetchTimeout):
        return errors.AnalysisTimeout(messages.MODEL_TIMEOUT(model=model, cause=cause))
    if isinstance(error, errors.TooManyRequests):
        return rate_limited(model, error.retry_after)
    if isinstance(error, errors.PageForbidden):
        return errors.KeyRefused(messages.MODEL_KEY_REFUSED(model=model, why=str(error.status)))
    if isinstance(error, errors.PageMissing):
        return errors.KeyRefused(messages.MODEL_MISSING(model=model, why=str(error.status)))
    if isinstance(error, errors.BadStatus) and not error.retry:
        return errors.AnalysisError(messages.MODEL_REFUSED(model=model, why=str(error.status)))
    kind = errors.UpstreamUnavailable if error.retry else errors.AnalysisError
    return kind(messages.MODEL_FAILED(model=model, cause=cause))
