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
    405: "The address does not know this method; Allow says which it does.",
}


@cache
def api_page() -> str:
    """The page."""
    with App.in_memory() as app:
        document, types = create_server(app).openapi(), app.site.types
        return page(
            "The API",
            "JSON over HTTP under `/v1`; `/v1/openapi.json` describes every field. An answer is "
            "`{success, data, error}`. Lists are "
            "pages with a `cursor`. A change names the version that it is for, by `If-Match` or "
            "by `version` in the body; where another one is there, it is refused with 412 or 409, "
            "and both versions are told. `X-Request-Id` is echoed.",
            "## Who may call what",
            "A token in `Authorization: Bearer …` has a role, which never exceeds its user's. The "
            "console's cookie reads, and never writes.",
            table(("method", "path", "what it does", *_CALLERS), list(_routes(document))),
            "## Who may read what",
            "`GET /v1/types` tells the types, `GET /v1/items?type=…` their items. A type whose "
            "declaration says nothing is for admins.",
            table(("type", "what it is", *_CALLERS, "written by"), list(_types(types))),
            "## Verbs that take a while",
            "`POST /v1/news/collect` and its like ask the web. Each is a run, once at a time: "
            "whoever comes while it is under way joins it. They answer when it has ended, or after "
            "`wait` seconds with the run as it stands, which `GET /v1/runs/{run_id}` follows to "
            "its report. Runs are known to the process that has them and are forgotten with it; "
            "nothing is lost then, and the verb can be called again.",
            "`POST /v1/videos/analyse` makes a job instead, which is in the database: any process "
            "may do it, and `GET /v1/videos/jobs/{jobId}` follows it from any. It too answers "
            "when the job has ended, or after `wait` seconds with the job as it stands.",
            "## The contract of analyses",
            f"What is under `{PREFIX}` keeps the contract of the videos' document. An answer is "
            "`{success, data, meta}` with `meta` `{requestId, timestamp}`; instead of `data`, an "
            "error has `{code, message}`. A job that failed is a good answer, whose `data` says "
            "`failed` and why. Results are of shape 1, and `cacheHit` says whether one was given "
            "again. Whatever is wrong with a request is a 400; `Retry-After` says when to come "
            "again, where that is known.",
            table(("status", "codes"), list(_contract())),
            "## Errors",
            "An error is `{code, reason, message, values, details, docUrl, traceId}`. `code` is "
            "the kind of error: compare it, not the message. `reason` is the code of the message, "
            "such as `shops.no_shop`, and `values` has what the message is made of; both are for "
            "programs that write their own. `message` is English or Korean, by `Accept-Language`, "
            "as are messages in results. `docUrl` is the page about the code, [errors](errors.md).",
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
        yield (f"`{name}`", about, *_ticks(told.readable_by), told.writable_by or "nobody")


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
