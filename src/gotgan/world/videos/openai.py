"""A server that speaks as OpenAI's does, and as Ollama and llama.cpp do: it needs no key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

import orjson

from gotgan.world.scene import MISSING, Scene, SceneRequest, SceneResponse
from gotgan.world.videos.comments import letters
from gotgan.world.videos.keys import WRONG
from gotgan.world.videos.refusals import JSON
from gotgan.world.videos.replies import first_tokens, said_by_model, tokens

__all__ = ["OPENAI", "openai", "openai_key_invalid", "openai_refusal", "retold_by_openai"]

OPENAI: Final = "api.openai.test"
_MODELS: Final = ("llama3.1", "qwen3", "gpt-oss")
_MOST_TOKENS: Final = 4_096
_SINCE: Final = 1_740_000_000
_WORDS: Final[Mapping[int, tuple[str, str, str | None]]] = {
    403: ("invalid_request_error", "You may not use this model.", "model_not_allowed"),
    429: ("requests", "Rate limit reached for requests.", "rate_limit_exceeded"),
    500: ("server_error", "The server had an error while processing your request.", None),
    503: ("server_error", "The engine is currently overloaded, please try again later.", None),
}


def openai(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """What the server answers."""
    if asked.headers.get("authorization", "") == f"Bearer {WRONG}":
        return openai_key_invalid()
    match asked.method, asked.path:
        case "GET", "/v1/models":
            return _models()
        case "POST", "/v1/chat/completions":
            return _completed(scene, asked)
    return MISSING


def _models() -> SceneResponse:
    data = [
        {"id": name, "object": "model", "created": _SINCE, "owned_by": "library"}
        for name in _MODELS
    ]
    return SceneResponse(orjson.dumps({"object": "list", "data": data}), kind=JSON)


def _completed(scene: Scene, asked: SceneRequest) -> SceneResponse:
    try:
        request = orjson.loads(asked.body)
        model = str(request["model"])
        prompt = "\n".join(str(each["content"]) for each in request["messages"])
        schema = _schema(request)
        limit = request.get("max_completion_tokens") or request.get("max_tokens")
    except (ValueError, KeyError, TypeError, AttributeError):
        message = "We could not parse the JSON body of your request."
        return _no(HTTPStatus.BAD_REQUEST, "invalid_request_error", message)
    text = said_by_model(scene.seed, prompt, schema)
    said = first_tokens(text, int(limit or _MOST_TOKENS))
    answer = _answer(scene, model, prompt, said, "stop" if said == text else "length")
    return SceneResponse(orjson.dumps(answer), kind=JSON)


def _schema(request: Mapping[str, Any]) -> Mapping[str, Any] | None:
    wanted: Mapping[str, Any] = request.get("response_format") or {}
    schema: Mapping[str, Any] | None = wanted.get("json_schema", {}).get("schema")
    return schema


def _answer(scene: Scene, model: str, prompt: str, text: str, reason: str) -> dict[str, Any]:
    given, made = tokens(prompt), tokens(text)
    message = {"role": "assistant", "content": text, "refusal": None}
    return {
        "id": f"chatcmpl-{letters('chat', prompt, length=24)}",
        "object": "chat.completion",
        "created": int(scene.now.timestamp()),
        "model": model,
        "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}],
        "usage": {
            "prompt_tokens": given,
            "completion_tokens": made,
            "total_tokens": given + made,
        },
        "system_fingerprint": "fp_world",
    }


def retold_by_openai(
    page: SceneResponse, change: Callable[[str], str | None], *, is_cut: bool
) -> SceneResponse:
    """The same answer in other words; None is no word at all."""
    answer = orjson.loads(page.body)
    [choice] = answer["choices"]
    choice["message"]["content"] = change(choice["message"]["content"]) or ""
    choice["finish_reason"] = "length" if is_cut else "stop"
    return SceneResponse(orjson.dumps(answer), kind=JSON)


def openai_refusal(scene: Scene, code: int, *, says_when: bool) -> SceneResponse:
    """An error of the server, or its wish to be asked less often."""
    kind, message, reason = _WORDS[code]
    headers = {"Retry-After": str(scene.retry_after)} if says_when else {}
    return _no(code, kind, message, reason, headers)


def openai_key_invalid() -> SceneResponse:
    """A key that nobody was given."""
    kind, message = "invalid_request_error", "Incorrect API key provided."
    return _no(HTTPStatus.UNAUTHORIZED, kind, message, "invalid_api_key")


def _no(
    status: int,
    kind: str,
    message: str,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> SceneResponse:
    error = {"message": message, "type": kind, "param": None, "code": code}
    return SceneResponse(orjson.dumps({"error": error}), status, JSON, headers or {})
