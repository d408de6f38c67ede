"""Claims on article texts: a lease, counted attempts and back-off.

    (no item) ── claim ──▶ PROGRESS ── finish ──▶ DONE: ok, external, premium, gone, blocked
                            ▲    │
                take over, │    └── fail ──▶ WAITING, and after five attempts DONE: dead
                     retry ┘

A body in progress is in the queue, due when its lease expires: a worker that dies leaves it to the
next. Every change is one conditional write guarded by the claim, so a late worker changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any, Final

from gotgan.claims import lease_end, owner_id
from gotgan.domains.news import messages
from gotgan.domains.news.models import NewsBody, NewsItem, Outcome
from gotgan.errors import BadStatus, ConditionFailed, GotganError
from gotgan.events import emit
from gotgan.fetch import display_url
from gotgan.retry import Policy
from gotgan.store import Condition, PutNewReport, Store, attr

MAX_ATTEMPTS: Final = 5
LEASE: Final = timedelta(minutes=10)
"""How long a claim is valid; no page takes that long to load."""
RETRY_PAUSES: Final = Policy(base=600.0, cap=6 * 3600.0)
"""10, 20, 40, then 80 minutes."""


def claim_new(store: Store, item: NewsItem) -> NewsBody | None:
    """Claim a new article; None if another worker has it."""
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
    return stored if stored.owner == claimed.owner else None  # ours, even if a response was lost


def claim_due(store: Store, pk: str) -> NewsBody | None:
    """Claim an article that is due again; None if there is nothing left to do.

    One whose last worker died in its last attempt is given up and returned as such.
    """
    body = store.get(NewsBody.key(pk=pk), consistent=True)
    now = store.clock.now()
    if body is None or body.queue != "retry" or body.due_at is None or body.due_at > now:
        return None
    if body.attempts >= MAX_ATTEMPTS:
        return _give_up(store, body, "news.worker_lost", messages.WORKER_DIED())
    return _update_state(
        store,
        body,
        state="PROGRESS",
        due_at=lease_end(now, LEASE),
        attempts=body.attempts + 1,
        owner=owner_id(),
    )


def finish(store: Store, claim: NewsBody, outcome: Outcome, **found: Any) -> bool:
    """Store the outcome of an article; False if the claim was lost."""
    cleared = dict.fromkeys(("queue", "due_at", "owner", "error", "reason"))
    changes = {**cleared, **found, "state": "DONE", "outcome": outcome}
    return _update_state(store, claim, **changes) is not None


def fail(store: Store, claim: NewsBody, error: GotganError) -> bool:
    """Queue an article for its next attempt, or give it up; False if the claim was lost."""
    if claim.attempts >= MAX_ATTEMPTS:
        return _give_up(store, claim, error.code, error.message) is not None
    asked_for = error.retry_after if isinstance(error, BadStatus) else None
    pause = max(RETRY_PAUSES.longest(claim.attempts), asked_for or 0.0)
    moved = _update_state(
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
    """Undo a claim on which nothing was done."""
    if claim.origin is None:  # created by this claim, and never read
        try:
            store.delete(claim, only_if=_is_unchanged(claim))
        except ConditionFailed:
            emit("news.body.lost", level="warning", pk=claim.pk)
        return
    now = store.clock.now()
    _update_state(
        store, claim, state="WAITING", due_at=now, attempts=claim.attempts - 1, owner=None
    )


def retry_now(store: Store, body: NewsBody) -> NewsBody | None:
    """Queue an article now, with all its attempts; None if it has changed meanwhile."""
    return _update_state(
        store,
        body,
        state="WAITING",
        outcome=None,
        queue="retry",
        due_at=store.clock.now(),
        attempts=0,
        owner=None,
    )


def mark_external(store: Store, items: Iterable[NewsItem]) -> PutNewReport[NewsBody]:
    """Store that articles at other sites are not fetched."""
    now = store.clock.now()
    bodies = (
        NewsBody(pk=item.pk, url=item.url, state="DONE", outcome="external", changed_at=now)
        for item in items
    )
    return store.put_new_all(bodies, probe=False)


def _give_up(store: Store, body: NewsBody, code: str, reason: str) -> NewsBody | None:
    emit("news.body.dead", level="warning", pk=body.pk, url=display_url(body.url), reason=reason)
    return _update_state(
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


def _update_state(store: Store, body: NewsBody, **changes: Any) -> NewsBody | None:
    """Change a body that is as it was read; None if another worker changed it."""
    try:
        now = store.clock.now()
        return store.update(body, only_if=_is_unchanged(body), changed_at=now, **changes).item
    except ConditionFailed:
        emit("news.body.lost", level="warning", pk=body.pk)
        return None


def _is_unchanged(body: NewsBody) -> Condition:
    """Every claim, failure and finish changes one of these three."""
    owner = attr("owner").missing() if body.owner is None else attr("owner") == body.owner
    return owner & (attr("state") == body.state) & (attr("attempts") == body.attempts)
