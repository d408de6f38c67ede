"""The language models of the world: Gemini, and a server that speaks OpenAI's protocol.

Their replies are JSON of the schema in the request. They speak of the evidence in the prompt, or
are made of its words where it has none. They cite comments by the names that the prompt gives them
(c1, c2, …), and follow no instructions in it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from itertools import cycle
from random import Random
from typing import Any, Final, Literal

import orjson

from gotgan.world.scene import NOT_FOUND, Scene, SceneRequest, SceneResponse, seeded_random
from gotgan.world.videos.comments import hash_letters
from gotgan.world.videos.google import (
    INVALID_KEY,
    INVALID_KEY_MESSAGE,
    JSON_TYPE,
    UNREGISTERED_MESSAGE,
    api_key,
    error_info,
    google_error,
)
from gotgan.world.videos.insights import Commentator, find_evidence
from gotgan.world.videos.vocabulary import read_phrases

_COMMENT_NAMES: Final = re.compile(r"\bc[0-9]{1,3}\b")
_WORDS: Final = {"ko": re.compile(r"[가-힣]{2,8}"), "en": re.compile(r"[A-Za-z]{4,14}")}
_HANGUL: Final = re.compile(r"[가-힣]")
_KOREAN_FROM: Final = 0.05
_TOKEN_LENGTH: Final = 2
"""How many characters a token is; fewer in Korean, and more in English."""
_MAX_TEXT_LENGTH: Final = 400
_COMMONEST: Final = 60
_CITED: Final = 3
_LISTED: Final = 3
_SENTENCES: Final[Mapping[str, Sequence[str]]] = {
    "ko": (
        "시청자들은 {n} 이야기를 가장 많이 합니다",
        "{n}에 대한 반응이 뚜렷하게 나뉩니다",
        "여러 댓글이 {을} 다시 보고 싶어 합니다",
        "{n} 부분은 조금 더 설명이 필요해 보입니다",
    ),
    "en": (
        "Viewers talk about {n} more than about anything else",
        "Opinions on {n} are clearly divided",
        "Several comments would like to see {n} again",
        "The part about {n} could be explained a little more",
    ),
}

INSIGHTS: Final[Mapping[str, Any]] = {
    "type": "object",
    "properties": {
        "summary": {
            "type": "object",
            "properties": {
                "majorReactions": {"type": "string"},
                "positivePoints": {"type": "string"},
                "weakPoints": {"type": "string"},
            },
        },
        "contentIdeas": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "title": {"type": "string"},
                    "description": {"type": "string"},
                    "evidence": {"type": "array", "items": {"type": "string"}},
                },
            },
        },
        "recommendedKeywords": {"type": "array", "items": {"type": "string", "maxLength": 50}},
    },
}
"""The schema of replies to requests without one."""


def model_reply(
    seed: int, prompt: str, schema: Mapping[str, Any] | None, max_tokens: int
) -> tuple[str, bool]:
    """The text for a prompt, always the same, and whether it was cut at the limit of tokens."""
    schema, dice = schema or INSIGHTS, seeded_random(seed, prompt)
    evidence = find_evidence(prompt)
    known = Commentator(dice, evidence).insights() if evidence else {}
    filler = _FormFiller(dice, prompt, schema, known)
    text = orjson.dumps(filler.fill(schema)).decode()
    cut = text[: max_tokens * _TOKEN_LENGTH]
    return cut, cut != text


def _count_tokens(text: str) -> int:
    return len(text) // _TOKEN_LENGTH + 1


@dataclass
class _FormFiller:
    """Makes values for a schema of words from a prompt."""

    dice: Random
    prompt: str
    root: Mapping[str, Any]
    known: Mapping[str, Any]
    """What is said of the evidence, by the properties of the whole."""
    names: list[str] = field(init=False)
    words: Iterator[str] = field(init=False)
    language: Literal["ko", "en"] = field(init=False)

    def __post_init__(self) -> None:
        self.names = list(dict.fromkeys(_COMMENT_NAMES.findall(self.prompt)))
        is_korean = len(_HANGUL.findall(self.prompt)) >= _KOREAN_FROM * len(self.prompt)
        self.language = "ko" if is_korean else "en"
        counted = Counter(_WORDS[self.language].findall(self.prompt))
        words = [word for word, _ in counted.most_common(_COMMONEST)] or ["video"]
        self.words = cycle(self.dice.sample(words, len(words)))

    def fill(self, schema: Mapping[str, Any], name: str = "") -> Any:
        """A value that fits a schema, for a property of that name."""
        schema = self._resolved(schema)
        choices = [schema["const"]] if "const" in schema else schema.get("enum")
        if choices:
            return choices[0]
        match _kind(schema):
            case "object":
                return self._object(schema)
            case "array":
                return self._array(schema, name)
            case "string":
                return self._text(schema, name)
        return {"boolean": True, "null": None}.get(_kind(schema), schema.get("minimum", 0))

    def _resolved(self, schema: Mapping[str, Any]) -> Mapping[str, Any]:
        """The schema that a reference points to, or the first of several."""
        if "$ref" in schema:
            return self._resolved(self.root["$defs"][schema["$ref"].rpartition("/")[2]])
        return self._resolved(schema["anyOf"][0]) if "anyOf" in schema else schema

    def _object(self, schema: Mapping[str, Any]) -> dict[str, Any]:
        properties: Mapping[str, Any] = schema.get("properties", {})
        known = self.known if schema is self._resolved(self.root) else {}
        return {
            name: known[name] if name in known else self.fill(each, name)
            for name, each in properties.items()
        }

    def _array(self, schema: Mapping[str, Any], name: str) -> list[Any]:
        most = int(schema.get("maxItems", _LISTED))
        if "evidence" in name.lower():
            return self.dice.sample(self.names, min(_CITED, most, len(self.names)))
        count = max(int(schema.get("minItems", 0)), min(_LISTED, most))
        items = [self.fill(schema.get("items", {}), name) for _ in range(count)]
        return [] if name == "warnings" else items

    def _text(self, schema: Mapping[str, Any], name: str) -> str:
        word = next(self.words)
        sentence = self.dice.choice(_SENTENCES[self.language])
        sentence = read_phrases(self.language).fill(sentence, word)
        text = word if "keyword" in name.lower() else sentence
        return text[: int(schema.get("maxLength", _MAX_TEXT_LENGTH))]


def _kind(schema: Mapping[str, Any]) -> str:
    """The type of a value; Gemini writes types in capitals, and some schemas have several."""
    kind = schema.get("type", "object" if "properties" in schema else "string")
    kinds = [kind] if isinstance(kind, str) else [each for each in kind if each != "null"]
    return str(kinds[0]).lower()


GEMINI: Final = "generativelanguage.googleapis.com"
_GENERATE: Final = re.compile(r"/v1(?:beta)?/models/([\w.-]+):generateContent")
_GEMINI_ERRORS: Final[Mapping[int, tuple[str, str]]] = {
    403: ("PERMISSION_DENIED", "The caller does not have permission"),
    429: ("RESOURCE_EXHAUSTED", "Resource has been exhausted (e.g. check quota)."),
    500: ("INTERNAL", "An internal error has occurred. Please retry or report it."),
    503: ("UNAVAILABLE", "The model is overloaded. Please try again later."),
}
_GEMINI_MAX_TOKENS: Final = 65_536


def gemini(scene: Scene, request: SceneRequest) -> SceneResponse:
    """The response of Gemini's API: one URL for each model."""
    found = _GENERATE.fullmatch(request.path)
    if found is None or request.method != "POST":
        return NOT_FOUND
    key, model = api_key(request), found[1]
    if key is None:
        return _gemini_error(HTTPStatus.FORBIDDEN, "PERMISSION_DENIED", UNREGISTERED_MESSAGE)
    if key == INVALID_KEY:
        return GEMINI_KEY_INVALID
    if not model.startswith("gemini-"):
        message = f"models/{model} is not found for API version v1beta, or is not supported"
        return _gemini_error(HTTPStatus.NOT_FOUND, "NOT_FOUND", f"{message} for generateContent.")
    try:
        data = orjson.loads(request.body)
        contents = [*data["contents"], data.get("systemInstruction", {})]
        parts = [part for content in contents for part in content.get("parts", [])]
        prompt = "\n".join(part.get("text", "") for part in parts)
        config = data.get("generationConfig", {})
        schema = config.get("responseJsonSchema") or config.get("responseSchema")
        limit = int(config.get("maxOutputTokens", _GEMINI_MAX_TOKENS))
    except (ValueError, KeyError, TypeError, AttributeError):
        message = "Invalid JSON payload received."
        return _gemini_error(HTTPStatus.BAD_REQUEST, "INVALID_ARGUMENT", message)
    text, is_cut = model_reply(scene.seed, prompt, schema, limit)
    read, written = _count_tokens(prompt), _count_tokens(text)
    content = {"parts": [{"text": text}], "role": "model"}
    reason = "MAX_TOKENS" if is_cut else "STOP"
    return _json(
        {
            "candidates": [{"content": content, "finishReason": reason, "index": 0}],
            "usageMetadata": {
                "promptTokenCount": read,
                "candidatesTokenCount": written,
                "totalTokenCount": read + written,
                "promptTokensDetails": [{"modality": "TEXT", "tokenCount": read}],
            },
            "modelVersion": model,
            "responseId": hash_letters("response", prompt, length=22),
        }
    )


def reword_gemini(
    page: SceneResponse, change: Callable[[str], str | None], *, is_cut: bool
) -> SceneResponse:
    """The same response with a changed text, or without one."""
    answer = orjson.loads(page.body)
    [candidate] = answer["candidates"]
    text = change(candidate["content"]["parts"][0]["text"])
    if text is None:
        del candidate["content"]
    else:
        candidate["content"]["parts"] = [{"text": text}]
    candidate["finishReason"] = "MAX_TOKENS" if is_cut else "STOP"
    return _json(answer)


def gemini_refusal(scene: Scene, code: int, *, says_when: bool) -> SceneResponse:
    """An error of the server, or of the quota with a time to retry."""
    status, message = _GEMINI_ERRORS[code]
    if not says_when:
        return _gemini_error(code, status, message)
    message = (
        "You exceeded your current quota, please check your plan and billing details. "
        f"Please retry in {scene.retry_after}s."
    )
    kind = "type.googleapis.com/google.rpc."
    violation = {
        "quotaMetric": f"{GEMINI}/generate_content_free_tier_requests",
        "quotaId": "GenerateRequestsPerMinutePerProjectPerModel-FreeTier",
        "quotaDimensions": {"location": "global"},
        "quotaValue": "10",
    }
    docs = "https://ai.google.dev/gemini-api/docs/rate-limits"
    link = {"description": "Learn more about Gemini API quotas", "url": docs}
    return _gemini_error(
        code,
        status,
        message,
        {"@type": f"{kind}QuotaFailure", "violations": [violation]},
        {"@type": f"{kind}Help", "links": [link]},
        {"@type": f"{kind}RetryInfo", "retryDelay": f"{scene.retry_after}s"},
    )


def _gemini_error(code: int, status: str, message: str, *details: dict[str, Any]) -> SceneResponse:
    more = {"details": list(details)} if details else {}
    return google_error(code, {"message": message, "status": status, **more})


GEMINI_KEY_INVALID: Final = _gemini_error(
    HTTPStatus.BAD_REQUEST,
    "INVALID_ARGUMENT",
    INVALID_KEY_MESSAGE,
    error_info("API_KEY_INVALID", GEMINI),
)

OPENAI: Final = "api.openai.test"
_MODELS: Final = ("llama3.1", "qwen3", "gpt-oss")
_OPENAI_MAX_TOKENS: Final = 4_096
_MODELS_SINCE: Final = 1_740_000_000
_OPENAI_ERRORS: Final[Mapping[int, tuple[str, str, str | None]]] = {
    403: ("invalid_request_error", "You may not use this model.", "model_not_allowed"),
    429: ("requests", "Rate limit reached for requests.", "rate_limit_exceeded"),
    500: ("server_error", "The server had an error while processing your request.", None),
    503: ("server_error", "The engine is currently overloaded, please try again later.", None),
}


def openai(scene: Scene, request: SceneRequest) -> SceneResponse:
    """The response of a server such as OpenAI's, Ollama's or llama.cpp's; it needs no key."""
    if request.headers.get("authorization", "") == f"Bearer {INVALID_KEY}":
        return OPENAI_KEY_INVALID
    match request.method, request.path:
        case "GET", "/v1/models":
            more = {"object": "model", "created": _MODELS_SINCE, "owned_by": "library"}
            return _json({"object": "list", "data": [{"id": name, **more} for name in _MODELS]})
        case "POST", "/v1/chat/completions":
            return _completion(scene, request)
    return NOT_FOUND


def _completion(scene: Scene, request: SceneRequest) -> SceneResponse:
    try:
        data = orjson.loads(request.body)
        model = str(data["model"])
        prompt = "\n".join(str(each["content"]) for each in data["messages"])
        schema = (data.get("response_format") or {}).get("json_schema", {}).get("schema")
        limit = data.get("max_completion_tokens") or data.get("max_tokens") or _OPENAI_MAX_TOKENS
    except (ValueError, KeyError, TypeError, AttributeError):
        message = "We could not parse the JSON body of your request."
        return _openai_error(HTTPStatus.BAD_REQUEST, "invalid_request_error", message)
    text, is_cut = model_reply(scene.seed, prompt, schema, int(limit))
    read, written = _count_tokens(prompt), _count_tokens(text)
    reply = {"role": "assistant", "content": text, "refusal": None}
    reason = "length" if is_cut else "stop"
    return _json(
        {
            "id": f"chatcmpl-{hash_letters('chat', prompt, length=24)}",
            "object": "chat.completion",
            "created": int(scene.now.timestamp()),
            "model": model,
            "choices": [{"index": 0, "message": reply, "logprobs": None, "finish_reason": reason}],
            "usage": {
                "prompt_tokens": read,
                "completion_tokens": written,
                "total_tokens": read + written,
            },
            "system_fingerprint": "fp_world",
        }
    )


def reword_openai(
    page: SceneResponse, change: Callable[[str], str | None], *, is_cut: bool
) -> SceneResponse:
    """The same response with a changed text, or without one."""
    answer = orjson.loads(page.body)
    [choice] = answer["choices"]
    choice["message"]["content"] = change(choice["message"]["content"]) or ""
    choice["finish_reason"] = "length" if is_cut else "stop"
    return _json(answer)


def openai_refusal(scene: Scene, code: int, *, says_when: bool) -> SceneResponse:
    """An error of the server, or of the rate limit with a time to retry."""
    headers = {"Retry-After": str(scene.retry_after)} if says_when else {}
    return replace(_openai_error(code, *_OPENAI_ERRORS[code]), headers=headers)


def _openai_error(status: int, kind: str, message: str, code: str | None = None) -> SceneResponse:
    error = {"message": message, "type": kind, "param": None, "code": code}
    return SceneResponse(orjson.dumps({"error": error}), status, JSON_TYPE)


OPENAI_KEY_INVALID: Final = _openai_error(
    HTTPStatus.UNAUTHORIZED,
    "invalid_request_error",
    "Incorrect API key provided.",
    "invalid_api_key",
)


def _json(value: Mapping[str, Any]) -> SceneResponse:
    return SceneResponse(orjson.dumps(value), kind=JSON_TYPE)
