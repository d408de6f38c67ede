"""Who works on the body of an article: claims with a lease, attempts that are counted, back-off.

    (no item) ── claim ──▶ PROGRESS ── finish ──▶ DONE: ok, external, premium, gone, blocked
                            ▲    │
                take over, │    └── fail ──▶ WAITING, and after five attempts DONE: dead
                     retry ┘

A body that is under way stands in the queue, due when its lease is over: a worker that dies leaves
it to the next. Every move is one conditional write that is guarded by who has the claim, so a
worker that comes too late changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from gotgan.claims import lease_end, owner_id
from gotgan.domains.news.models import NewsBody, NewsItem, Outcome
from gotgan.errors import BadStatus, ConditionFailed, GotganError
from gotgan.events import emit
from gotgan.fetch import shown
from gotgan.retry import Policy
from gotgan.store import Condition, PutNewReport, Store, attr

__all__ = [
    "ATTEMPTS",
    "LEASE",
    "claim_new",
    "fail",
    "finish",
    "hasten",
    "note_external",
    "release",
    "take",
]

ATTEMPTS: Final = 5
"""How often an article is tried before it is given up."""
LEASE: Final = timedelta(minutes=10)
"""How long a worker has an article for itself; no page takes that long to come."""
PAUSES: Final = Policy(base=600.0, cap=6 * 3600.0)
"""How long an article that failed waits: ten minutes, twenty, forty, eighty."""


def claim_new(store: Store, item: NewsItem) -> NewsBody | None:
    """Claim an article that nobody has tried; None where somebody has by now."""
    now = store.clock.now()
    claimed = NewsBody(
        pk=item.pk,
        url=item.url,
        state="PROGRESS",
        queue="retry",
        due_at=lease_end(now, LEASE),
        attempts=1,
        owner=owner_id(),
        changed_at=now,
    )
    stored = store.put_new(claimed).item
    return stored if stored.owner == claimed.owner else None  # our own, even if an answer was lost


def take(store: Store, pk: str) -> NewsBody | None:
    """Claim an article that is due again; None where there is nothing to do any more.

    One whose last worker died in its last attempt is given up instead, and given as it then is.
    """
    body = store.get(NewsBody.key(pk=pk), consistent=True)
    now = store.clock.now()
    if body is None or body.queue != "retry" or body.due_at is None or body.due_at > now:
        return None
    if body.attempts >= ATTEMPTS:
        lost = "whoever worked on it did not come back"
        return _give_up(store, body, "news.worker_lost", lost)
    return _move(
        store,
        body,
        state="PROGRESS",
        due_at=lease_end(now, LEASE),
        attempts=body.attempts + 1,
        owner=owner_id(),
    )


def finish(store: Store, claim: NewsBody, outcome: Outcome, **found: Any) -> bool:
    """Be done with an article; False where the claim is somebody else's by now."""
    done: dict[str, Any] = {"queue": None, "due_at": None, "owner": None, "error": None}
    moved = _move(store, claim, state="DONE", outcome=outcome, **{**done, "reason": None, **found})
    return moved is not None


def fail(store: Store, claim: NewsBody, error: GotganError) -> bool:
    """Let an article wait for its next attempt, or give it up; False where the claim is lost."""
    if claim.attempts >= ATTEMPTS:
        return _give_up(store, claim, error.code, error.message) is not None
    pause = max(PAUSES.longest(claim.attempts), _asked_for(error))
    moved = _move(
        store,
        claim,
        state="WAITING",
        due_at=store.clock.now() + timedelta(seconds=pause),
        owner=None,
        error=error.code,
        reason=error.message,
    )
    return moved is not None


def release(store: Store, claim: NewsBody) -> None:
    """Give back an article on which nothing was done, as it was before."""
    if claim.origin is None:  # we made it; what was read was there before us
        try:
            store.delete(claim, only_if=_is_mine(claim))
        except ConditionFailed:
            emit("news.body.lost", level="warning", pk=claim.pk)
        return
    now = store.clock.now()
    _move(store, claim, state="WAITING", due_at=now, attempts=claim.attempts - 1, owner=None)


def hasten(store: Store, body: NewsBody) -> NewsBody | None:
    """Let an article be tried again now, with all its attempts; None where it has moved on."""
    return _move(
        store,
        body,
        state="WAITING",
        outcome=None,
        queue="retry",
        due_at=store.clock.now(),
        attempts=0,
        owner=None,
    )


def note_external(store: Store, items: Iterable[NewsItem]) -> PutNewReport[NewsBody]:
    """Note of articles at other sites that there is nothing to fetch."""
    now = store.clock.now()
    return store.put_new_all(
        (
            NewsBody(pk=item.pk, url=item.url, state="DONE", outcome="external", changed_at=now)
            for item in items
        ),
        probe=False,
    )


def _give_up(store: Store, body: NewsBody, code: str, reason: str) -> NewsBody | None:
    emit("news.body.dead", level="warning", pk=body.pk, url=shown(body.url), reason=reason)
    return _move(
        store,
        body,
        state="DONE",
        outcome="dead",
        queue="dead",
        due_at=store.clock.now(),
        owner=None,
        error=code,
        reason=reason,
    )


def _move(store: Store, body: NewsBody, **changes: Any) -> NewsBody | None:
    """Change a body that is still as it was; None where somebody else has moved it."""
    try:
        now = store.clock.now()
        return store.update(body, only_if=_is_mine(body), changed_at=now, **changes).item
    except ConditionFailed:
        emit("news.body.lost", level="warning", pk=body.pk)
        return None


def _is_mine(body: NewsBody) -> Condition:
    """That nobody has claimed, failed or finished it since: each of these changes one of them."""
    owner = attr("owner").missing() if body.owner is None else attr("owner") == body.owner
    return owner & (attr("state") == body.state) & (attr("attempts") == body.attempts)


def _asked_for(error: GotganError) -> float:
    """How long the server asks us to wait."""
    return (error.retry_after or 0.0) if isinstance(error, BadStatus) else 0.0
