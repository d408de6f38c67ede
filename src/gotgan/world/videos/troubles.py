"""How YouTube and the models misbehave: what is answered instead, in the words of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import parse_qs

import orjson

from gotgan.world.scene import Scene, SceneRequest, SceneResponse
from gotgan.world.videos import refusals
from gotgan.world.videos.gemini import (
    GEMINI,
    gemini_key_invalid,
    gemini_refusal,
    retold_by_gemini,
)
from gotgan.world.videos.openai import (
    OPENAI,
    openai_key_invalid,
    openai_refusal,
    retold_by_openai,
)
from gotgan.world.videos.youtube import THREADS, YOUTUBE

__all__ = [
    "comments_disabled",
    "cut_json",
    "empty",
    "fenced",
    "key_invalid",
    "page_token_invalid",
    "refused",
    "status_of",
    "wrong_schema",
]

_REFUSAL: Final = "I'm sorry, but I can't help with that."
_OTHER_SHAPE: Final = orjson.dumps({"result": "ok", "summary": "a text", "score": 5}).decode()

_Change = Callable[[str], str | None]


def status_of(scene: Scene, host: str, code: int, *, says_when: bool) -> SceneResponse | None:
    """An error of that status as the host words it; None where it has no words of its own."""
    if host == YOUTUBE:
        return _youtube_refusal(scene, code, says_when=says_when)
    if host == GEMINI:
        return gemini_refusal(scene, code, says_when=says_when)
    return openai_refusal(scene, code, says_when=says_when) if host == OPENAI else None


def _youtube_refusal(scene: Scene, code: int, *, says_when: bool) -> SceneResponse:
    if code == HTTPStatus.TOO_MANY_REQUESTS:
        headers = {"Retry-After": str(scene.retry_after)} if says_when else {}
        return replace(refusals.too_many_requests(), headers=headers)
    return refusals.forbidden() if code == HTTPStatus.FORBIDDEN else refusals.backend_error(code)


def key_invalid(asked: SceneRequest) -> SceneResponse:
    """The key is not taken, whatever it is."""
    keys = {GEMINI: gemini_key_invalid, OPENAI: openai_key_invalid}
    return keys.get(asked.host, refusals.key_invalid)()


def comments_disabled(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """The owner has closed the comments."""
    return refusals.comments_disabled() if asked.path == THREADS else page


def page_token_invalid(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """No further page can be had; the first one can."""
    return refusals.page_token_invalid() if "pageToken" in parse_qs(asked.query) else page


def empty(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """Nothing in it: no item, or a model that has nothing to say."""
    if asked.host != YOUTUBE:
        return _retold(asked, page, lambda _text: None)
    if page.status != HTTPStatus.OK:
        return page
    said: dict[str, Any] = orjson.loads(page.body)
    said.pop("nextPageToken", None)
    return replace(page, body=orjson.dumps({**said, "items": []}))


def fenced(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """JSON within a fence, as in a chat."""
    return _retold(asked, page, lambda text: f"Here you are:\n```json\n{text}\n```")


def cut_json(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """JSON that ends where the tokens did."""
    return _retold(asked, page, lambda text: text[: 3 * len(text) // 5], is_cut=True)


def wrong_schema(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """JSON of a shape that nobody asked for."""
    return _retold(asked, page, lambda _text: _OTHER_SHAPE)


def refused(asked: SceneRequest, page: SceneResponse) -> SceneResponse:
    """The model does not want to."""
    if not _is_said(asked, page):
        return page
    answer: dict[str, Any] = orjson.loads(page.body)
    if asked.host == GEMINI:
        usage = {**answer["usageMetadata"], "candidatesTokenCount": 0}
        blocked = {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": usage}
        return replace(page, body=orjson.dumps({**blocked, "modelVersion": answer["modelVersion"]}))
    answer["choices"][0]["message"] |= {"content": None, "refusal": _REFUSAL}
    return replace(page, body=orjson.dumps(answer))


_TELLERS: Final[Mapping[str, Callable[..., SceneResponse]]] = {
    GEMINI: retold_by_gemini,
    OPENAI: retold_by_openai,
}


def _retold(
    asked: SceneRequest, page: SceneResponse, change: _Change, *, is_cut: bool = False
) -> SceneResponse:
    """What a model said, changed; whatever it did not say stays."""
    if not _is_said(asked, page):
        return page
    return _TELLERS[asked.host](page, change, is_cut=is_cut)


def _is_said(asked: SceneRequest, page: SceneResponse) -> bool:
    return asked.host in _TELLERS and asked.method == "POST" and page.status == HTTPStatus.OK
