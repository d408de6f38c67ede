"""Gemini: one address for each model, at which it generates content."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, Final

import orjson

from gotgan.world.scene import MISSING, Scene, SceneRequest, SceneResponse
from gotgan.world.videos.comments import letters
from gotgan.world.videos.keys import WRONG, key_of
from gotgan.world.videos.refusals import JSON, NOT_VALID, UNREGISTERED, error_info, google_error
from gotgan.world.videos.replies import first_tokens, said_by_model, tokens

__all__ = ["GEMINI", "gemini", "gemini_key_invalid", "gemini_refusal", "retold_by_gemini"]

GEMINI: Final = "generativelanguage.googleapis.com"
_GENERATE: Final = re.compile(r"/v1(?:beta)?/models/([\w.-]+):generateContent")
_WORDS: Final[Mapping[int, tuple[str, str]]] = {
    403: ("PERMISSION_DENIED", "The caller does not have permission"),
    429: ("RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    500: ("INTERNAL", "An internal error has occurred. Please retry or report it."),
    503: ("UNAVAILABLE", "The model is overloaded. Please try again later."),
}
_MOST_TOKENS: Final = 65_536
_METRIC: Final = f"{GEMINI}/generate_content_free_tier_requests"
_LIMITS: Final = "https://ai.google.dev/gemini-api/docs/rate-limits"


def gemini(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """What the API answers."""
    found = _GENERATE.fullmatch(asked.path)
    if found is None or asked.method != "POST":
        return MISSING
    key = key_of(asked)
    if key is None:
        return _no(HTTPStatus.FORBIDDEN, "PERMISSION_DENIED", UNREGISTERED)
    if key == WRONG:
        return gemini_key_invalid()
    if not found[1].startswith("gemini-"):
        message = f"models/{found[1]} is not found for API version v1beta, or is not supported"
        return _no(HTTPStatus.NOT_FOUND, "NOT_FOUND", f"{message} for generateContent.")
    return _generated(scene, asked, found[1])


def _generated(scene: Scene, asked: SceneRequest, model: str) -> SceneResponse:
    try:
        request = orjson.loads(asked.body)
        prompt = "\n".join(_texts(request))
        config = request.get("generationConfig", {})
        schema = config.get("responseJsonSchema") or config.get("responseSchema")
        limit = int(config.get("maxOutputTokens", _MOST_TOKENS))
    except (ValueError, KeyError, TypeError, AttributeError):
        message = "Invalid JSON payload received."
        return _no(HTTPStatus.BAD_REQUEST, "INVALID_ARGUMENT", message)
    text = said_by_model(scene.seed, prompt, schema)
    said = first_tokens(text, limit)
    answer = _answer(model, prompt, said, "STOP" if said == text else "MAX_TOKENS")
    return SceneResponse(orjson.dumps(answer), kind=JSON)


def _texts(request: Mapping[str, Any]) -> list[str]:
    """Everything that the model is given to read."""
    said = [*request["contents"], request.get("systemInstruction", {})]
    return [part.get("text", "") for each in said for part in each.get("parts", [])]


def _answer(model: str, prompt: str, text: str, reason: str) -> dict[str, Any]:
    given, made = tokens(prompt), tokens(text)
    content = {"parts": [{"text": text}], "role": "model"}
    return {
        "candidates": [{"content": content, "finishReason": reason, "index": 0}],
        "usageMetadata": {
            "promptTokenCount": given,
            "candidatesTokenCount": made,
            "totalTokenCount": given + made,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": given}],
        },
        "modelVersion": model,
        "responseId": letters("response", prompt, length=22),
    }


def retold_by_gemini(
    page: SceneResponse, change: Callable[[str], str | None], *, is_cut: bool
) -> SceneResponse:
    """The same answer in other words; None is no word at all."""
    answer = orjson.loads(page.body)
    [candidate] = answer["candidates"]
    text = change(candidate["content"]["parts"][0]["text"])
    if text is None:
        del candidate["content"]
    else:
        candidate["content"]["parts"] = [{"text": text}]
    candidate["finishReason"] = "MAX_TOKENS" if is_cut else "STOP"
    return SceneResponse(orjson.dumps(answer), kind=JSON)


def gemini_refusal(scene: Scene, code: int, *, says_when: bool) -> SceneResponse:
    """An error of the server, or its wish to be asked less often."""
    status, message = _WORDS[code]
    if not says_when:
        return _no(code, status, message)
    message = (
        "You exceeded your current quota, please check your plan and billing details. "
        f"Please retry in {scene.retry_after}s."
    )
    return _no(code, status, message, *_when(scene.retry_after))


def _when(seconds: int) -> tuple[dict[str, Any], ...]:
    """What was too much, and when to come again."""
    kind = "type.googleapis.com/google.rpc."
    violation = {
        "quotaMetric": _METRIC,
        "quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier",
        "quotaDimensions": {"location": "global"},
        "quotaValue": "10",
    }
    link = {"description": "Learn more about Gemini API quotas", "url": _LIMITS}
    return (
        {"@type": f"{kind}QuotaFailure", "violations": [violation]},
        {"@type": f"{kind}Help", "links": [link]},
        {"@type": f"{kind}RetryInfo", "retryDelay": f"{seconds}s"},
    )


def gemini_key_invalid() -> SceneResponse:
    """A key that nobody was given."""
    info = error_info("API_KEY_INVALID", GEMINI)
    return _no(HTTPStatus.BAD_REQUEST, "INVALID_ARGUMENT", NOT_VALID, info)


def _no(code: int, status: str, message: str, *details: dict[str, Any]) -> SceneResponse:
    more = {"details": list(details)} if details else {}
    return google_error(code, {"message": message, "status": status, **more})
