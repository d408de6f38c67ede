"""The page of bodies: what waits and why, what was given up, and another attempt for each."""

from __future__ import annotations

from typing import Final

from fastapi import APIRouter, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.app import App
from gotgan.console.frame import here, page, redirect
from gotgan.console.given import Editor, Gotgan, Reader, Sent
from gotgan.console.listing import A_CALL, Elsewhere, as_csv, every
from gotgan.console.news.states import KINDS, may_retry, word_of
from gotgan.console.runs import RunCard
from gotgan.domains.news.claims import ATTEMPTS
from gotgan.domains.news.models import NewsBody, Queue
from gotgan.encoding import encode, keys_of

__all__ = ["bodies_file", "list_bodies", "retry_all", "router"]

router = APIRouter()
_QUEUES: Final[dict[str, Queue]] = {"": "retry", "dead": "dead"}
"""What an address calls the queues."""
_COUNTED: Final = 1_000
"""How far a queue is counted: whoever counts reads, and pays for it."""


@router.get("/news/bodies")
def list_bodies(
    request: Request, _who: Reader, app: Gotgan, show: str = "", cursor: str | None = None
) -> Response:
    """The bodies that wait, those that are due first; or those that were given up."""
    found = app.news.queue(dead=_is_dead(show), cursor=cursor)
    now = app.clock.now()
    return page(
        request,
        "news/bodies.html",
        found=found,
        words={body.pk: word_of(body) for body in found},
        kinds=KINDS,
        may_retry={body.pk: may_retry(body, now) for body in found},
        most_attempts=ATTEMPTS,
        now=now,
        shows={word: _counted(app, queue) for word, queue in _QUEUES.items()},
        chosen=show,
        cursor=cursor,
        bodies=RunCard.of(app, "news.bodies", here(request, cursor=None)),
        elsewhere=_elsewhere(show),
    )


@router.get("/news/bodies.csv")
def bodies_file(_who: Reader, app: Gotgan, show: str = "") -> Response:
    """The same bodies as a file."""
    is_dead = _is_dead(show)
    found = every(lambda cursor: app.news.queue(dead=is_dead, limit=A_CALL, cursor=cursor))
    return as_csv("bodies", keys_of(NewsBody), map(encode, found))


@router.post("/news/bodies/retry")
def retry_all(_who: Editor, _form: Sent, app: Gotgan) -> Response:
    """Let everything that was given up be tried again."""
    app.news.retry_dead()
    return redirect("/news/bodies", said="news.retry.all_done")


def _counted(app: App, queue: Queue) -> tuple[int, bool]:
    """How many there are, and whether there are more than anybody would count for a page."""
    count = app.news.count_queued(queue, at_most=_COUNTED + 1)
    return min(count, _COUNTED), count > _COUNTED


def _is_dead(word: str) -> bool:
    if word not in _QUEUES:
        raise HTTPException(404)
    return _QUEUES[word] == "dead"


def _elsewhere(show: str) -> Elsewhere:
    """The same queue for programs, to whom it is a yes or no."""
    if not show:
        return Elsewhere("/v1/news/queue", "/news/bodies.csv", "gotgan news queue")
    return Elsewhere(
        "/v1/news/queue?dead=true", f"/news/bodies.csv?show={show}", "gotgan news queue --dead"
    )
