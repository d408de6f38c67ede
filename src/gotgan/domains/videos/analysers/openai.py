"""Any server that speaks as OpenAI's does: OpenAI itself, Ollama, llama.cpp, vLLM, LM Studio.

They take the same request, but not all of it: what one of them refuses is left out, and it is
asked again in plainer words.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final

from gotgan.domains.videos.analysers.evidence import pack_of
from gotgan.domains.videos.analysers.openai_answers import refusal_of, spoken, tokens_of
from gotgan.domains.videos.analysers.prices import priced
from gotgan.domains.videos.analysers.prompt import INSTRUCTIONS, PROMPT_VERSION, answer_schema
from gotgan.domains.videos.analysers.protocol import AnalyserResponse
from gotgan.domains.videos.measuring.measured import Measurements
from gotgan.domains.videos.models import Material
from gotgan.errors import BadStatus, FetchError
from gotgan.fetch import Ask, FetchResponse, Web
from gotgan.settings import Settings

__all__ = ["OpenAi"]

_SECONDS: Final = 300.0
"""A model on a machine of one's own takes its time."""
_MOST_BYTES: Final = 5_000_000
_UNWANTED: Final = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})
_TEMPERATURE: Final = "temperature"
_FORMAT: Final = "response_format"


class OpenAi:
    """The analyser ``openai``."""

    name: Final = "openai"
    prompt_version: Final = PROMPT_VERSION

    def __init__(self, web: Web, settings: Settings, *, seconds: float = _SECONDS) -> None:
        self.model = settings.openai_model
        self._web = web
        self._base = settings.openai.rstrip("/")
        self._key = settings.openai_key
        self._seconds = seconds

    def say(self, material: Material, measured: Measurements) -> AnalyserResponse:
        """What it makes of the comments."""
        pack = pack_of(material, measured)
        try:
            answer = self._answer(_request(self.model, pack.text))
        except FetchError as error:
            raise refusal_of(error, self.model) from error
        document, text, is_cut = spoken(answer.body)
        usage = priced(self._base, self.model, *tokens_of(document))
        return AnalyserResponse(text, usage, is_cut, pack.names)

    def _answer(self, request: Mapping[str, Any]) -> FetchResponse:
        try:
            return self._posted(request)
        except BadStatus as error:
            plainer = _plainer(request, error)
            if plainer is None:
                raise
        return self._answer(plainer)

    def _posted(self, request: Mapping[str, Any]) -> FetchResponse:
        key = {"Authorization": f"Bearer {self._key.reveal()}"} if self._key else {}
        return self._web.one(
            Ask(
                f"{self._base}/chat/completions",
                None,
                "application/json",
                from_settings=True,
                most_bytes=_MOST_BYTES,
                body=json.dumps(request).encode(),
                headers={"Content-Type": "application/json", **key},
                is_personal=True,
                seconds=self._seconds,
            )
        )


def _request(model: str, document: str) -> dict[str, Any]:
    schema = {"name": "insights", "strict": True, "schema": answer_schema()}
    return {
        "model": model,
        "messages": [
            {"role": "system", "content": INSTRUCTIONS},
            {"role": "user", "content": document},
        ],
        "temperature": 0,
        "response_format": {"type": "json_schema", "json_schema": schema},
    }


def _plainer(request: Mapping[str, Any], error: BadStatus) -> dict[str, Any] | None:
    """The request without what the server may not have liked; None where nothing is left."""
    if error.status not in _UNWANTED:
        return None
    if _TEMPERATURE in request and _TEMPERATURE.encode() in error.said:
        return {name: value for name, value in request.items() if name != _TEMPERATURE}
    if _FORMAT not in request:
        return None
    if request[_FORMAT]["type"] == "json_schema":
        return {**request, "messages": _shown(request), _FORMAT: {"type": "json_object"}}
    return {name: value for name, value in request.items() if name != _FORMAT}


def _shown(request: Mapping[str, Any]) -> list[dict[str, str]]:
    """The messages with the shape in words, for a server that does not take it otherwise."""
    told, asked = request["messages"]
    schema = json.dumps(answer_schema(), separators=(",", ":"))
    return [
        {**told, "content": f"{told['content']}\n\nThe shape, as JSON Schema:\n{schema}"},
        asked,
    ]
