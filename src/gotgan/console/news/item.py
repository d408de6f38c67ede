"""The page of an item: its clocks, why it has its key, what looks like it, and its body."""

from __future__ import annotations

from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.console.frame import page, redirect
from gotgan.console.given import Editor, Gotgan, Reader, Sent, app_of
from gotgan.console.news.addresses import compared, host_of, marked_id
from gotgan.console.news.clocks import faces
from gotgan.console.news.states import KINDS, may_retry, word_of
from gotgan.console.viewer import Viewer
from gotgan.domains.news.claims import ATTEMPTS
from gotgan.encoding import encode
from gotgan.errors import Conflict
from gotgan.plain_json import pretty

__all__ = ["address", "read_item", "retry_item", "router"]

router = APIRouter()


def address(pk: str) -> str:
    """Where the page of an item is; a key has a mark that no path can hold as it is."""
    return f"/news/item?{urlencode({'pk': pk})}"


@router.get("/news/item")
def read_item(request: Request, _who: Reader, pk: str) -> Response:
    """An item, by its key or by the address that it was listed under."""
    return _show(request, pk)


@router.post("/news/item/retry")
def retry_item(request: Request, who: Editor, form: Sent, app: Gotgan) -> Response:
    """Let an article be tried again by the next run, with all its attempts."""
    pk = form.text("pk")
    try:
        app.news.requeue(pk)
    except Conflict:
        return _show(request, pk, refusal=who.t("news.item.not_now"))
    return redirect(address(pk), said="news.retry.done")


def _show(request: Request, pk: str, *, refusal: str | None = None) -> Response:
    app, who = app_of(request), Viewer.of(request)
    found = app.news.get(pk)
    item, body = found.item, found.body
    return page(
        request,
        "news/item.html",
        status=200 if refusal is None else 409,
        item=item,
        host=host_of(item.url),
        clocks=faces(item.uploaded_at, who.zone),
        numbered=marked_id(item.url),
        digest=found.why.sha256,
        alike=[(other, *compared(item.url, other.url)) for other in found.look_alikes],
        body=body,
        word=word_of(body),
        kinds=KINDS,
        most_attempts=ATTEMPTS,
        now=app.clock.now(),
        may_retry=may_retry(body, app.clock.now()),
        raw=pretty(encode(item)),
        refusal=refusal,
    )
