"""Calls to the contract, and videos to have analysed by it."""

from __future__ import annotations

from typing import Any

import httpx

from tests.unit.api.calling import Api

__all__ = ["QUIET", "SMALL", "analysed", "asked", "refusal", "submitted"]

SMALL = "gotganSmall"
"""A video of the world with a few comments."""
QUIET = "gotganQuiet"
"""One whose owner wants no comments."""


def asked(
    api: Api, method: str, path: str = "/jobs", *, role: str | None = "editor", **words: Any
) -> httpx.Response:
    """Ask with the token of a role; without a role as the public."""
    headers = dict(words.pop("headers", None) or {})
    if role is not None:
        headers.setdefault("Authorization", f"Bearer {api.tokens[role]}")
    return api.client.request(method, f"/api/analysis{path}", headers=headers, **words)


def submitted(api: Api, video: str = SMALL, **more: Any) -> Any:
    """The data of a good answer to a submit."""
    answer = asked(api, "POST", json={"videoId": video, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def analysed(api: Api, video: str = SMALL, **more: Any) -> Any:
    """A job when it has ended: what follows a submit, some work, and another look."""
    job_id = submitted(api, video, **more)["jobId"]
    api.app.videos.work()
    answer = asked(api, "GET", f"/jobs/{job_id}", role="viewer")
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def refusal(answer: httpx.Response) -> tuple[int, str]:
    """The status and the code of an answer that must be an error of the contract."""
    told = answer.json()
    assert told.keys() == {"success", "error", "meta"}, answer.text
    assert told["error"].keys() == {"code", "message"}
    assert told["success"] is False
    assert told["meta"]["requestId"] == answer.headers["X-Request-Id"]
    return answer.status_code, told["error"]["code"]
