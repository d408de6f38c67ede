"""The page of the API: every route and every type with who may, and every error code."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from gotgan.api.analysis import CODES, PREFIX
from gotgan.api.errors import codes_by_status
from gotgan.api.routes import STATUS_TEXTS
from gotgan.app import App
from gotgan.domains.site.models import ROLES
from gotgan.domains.site.types import Types
from gotgan.server import create_server
from scripts.pages import page, table

__all__ = ["api_page"]

_CALLERS: Final = ("public", *ROLES)
_OF_THE_SERVER: Final = {
    405: "Method not allowed. The Allow header lists the allowed methods.",
}


@cache
def api_page() -> str:
    """The page."""
    with App.in_memory() as app:
        document, types = create_server(app).openapi(), app.site.types
        return page(
            "The API",
            "The API is JSON over HTTP under `/v1`; `/v1/openapi.json` describes every field. A "
            "response is `{success, data, error}`. Lists are paginated with a `cursor`. A change "
            "names the version it applies to, in `If-Match` or as `version` in the body. If the "
            "record has another version, the change is refused with 412 or 409, and the error has "
            "both versions. `X-Request-Id` is returned.",
            "## Who may call what",
            "Send a token in `Authorization: Bearer …`. It has a role, which never exceeds that of "
            "its user. The console's session cookie is read-only.",
            table(("method", "path", "what it does", *_CALLERS), list(_routes(document))),
            "## Who may read what",
            "`GET /v1/types` lists the types, `GET /v1/items?type=…` their items. Types are for "
            "admins only unless their declaration says otherwise.",
            table(("type", "what it is", *_CALLERS, "written by"), list(_types(types))),
            "## Verbs that take a while",
            "Requests such as `POST /v1/news/collect` fetch from the web. Each starts a run. Only "
            "one run of a verb is active at a time: a request during a run joins it. The response "
            "is sent when the run has ended, or after `wait` seconds with its progress; then "
            "follow the run with `GET /v1/runs/{run_id}`. Runs are kept in memory and are lost "
            "when the process ends. Collected data is not lost, and you can call the verb again.",
            "`POST /v1/videos/analyse` creates a job in the database instead. Any process can run "
            "it, and `GET /v1/videos/jobs/{jobId}` works on any process. The response is sent when "
            "the job has ended, or after `wait` seconds with its progress.",
            "## The contract of analyses",
            f"Routes under `{PREFIX}` follow a separate contract. A response is "
            "`{success, data, meta}` with `meta` `{requestId, timestamp}`. An error has "
            "`{code, message}` instead of `data`. A failed job is a successful response whose "
            "`data` has the status `failed` and the reason. Results have shape 1, and `cacheHit` "
            "says whether a result was reused. Every invalid request is a 400. `Retry-After` says "
            "when to retry, if known.",
            table(("status", "codes"), list(_contract())),
            "## Errors",
            "An error is `{code, reason, message, values, details, docUrl, traceId}`. `code` is "
            "the kind of error: compare it, not the message. `reason` is the code of the message, "
            "such as `shops.no_shop`, and `values` has the values in it; use both to write your "
            "own messages. `message` is in English or Korean, depending on `Accept-Language`, as "
            "are messages in results. `docUrl` is the page about the code, [errors](errors.md).",
            table(("status", "meaning", "codes"), list(_errors())),
        )


def _routes(document: dict[str, Any]) -> Iterator[tuple[str, ...]]:
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            yield (method.upper(), f"`{path}`", told["summary"], *_ticks(told["x-role"]))


def _types(types: Types) -> Iterator[tuple[str, ...]]:
    for name in sorted(types.all()):
        told = types.describe(name)
        about = told.description.splitlines()[0]
        yield (f"`{name}`", about, *_ticks(told.readable_by), told.writable_by or "read-only")


def _ticks(needed: str) -> tuple[str, ...]:
    """A tick for each who may, from the least role on."""
    if needed == "type":
        return ("as its type says",) * len(_CALLERS)
    return tuple("✓" if place >= _CALLERS.index(needed) else "" for place in range(len(_CALLERS)))


def _contract() -> Iterator[tuple[str, ...]]:
    for status, named in CODES.items():
        yield str(status), ", ".join(f"`{code}`" for code in named)


def _errors() -> Iterator[tuple[str, ...]]:
    for status, named in codes_by_status().items():
        meaning = STATUS_TEXTS.get(status) or _OF_THE_SERVER[status]
        yield str(int(status)), meaning, ", ".join(f"`{code}`" for code in named)
