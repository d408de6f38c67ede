"""Polls of sources: which are due, what each response brings, and how each source is doing.

A poll is claimed by moving the time when the source is due to the end of a lease: a worker that
dies leaves it to the next. The validators of a response are stored after its stories, so what was
not stored is asked for again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import timedelta
from typing import Any, Final

from gotgan.claims import lease_end, owner_id
from gotgan.domains.news import messages
from gotgan.domains.news.feeds import FEED_TYPES, MAX_FEED_BYTES, read_feed
from gotgan.domains.news.models import NewsSource, Story
from gotgan.domains.news.reports import PolledSource, PollReport, Uploaded
from gotgan.errors import BadStatus, ConditionFailed, GotganError, NotRecorded, StoreError
from gotgan.events import emit
from gotgan.fetch import FetchRequest, FetchResult, Validators, Web, display_url
from gotgan.retry import Policy
from gotgan.store import Condition, Cost, Store, attr
from gotgan.verbs import Progress

Upload = Callable[[Sequence[Story], str], Uploaded]
"""Stores the stories of a source."""

POLL_LEASE: Final = timedelta(minutes=10)
_MAX_PAUSE_S: Final = 86_400.0
_CONCURRENCY: Final = 4


class PollRun:
    """One run over sources; unfinished claims are always released."""

    def __init__(self, store: Store, web: Web, upload: Upload, progress: Progress) -> None:
        self._store = store
        self._web = web
        self._upload = upload
        self._progress = progress
        self._held: dict[str, NewsSource] = {}
        self._polled: list[PolledSource] = []
        self._skipped = 0
        self._cost = Cost()

    def run(self, sources: Sequence[NewsSource]) -> PollReport:
        """Poll these sources, several at once."""
        try:
            with closing(self._web.get_all(self._asks(sources), at_once=_CONCURRENCY)) as fetched:
                for each in fetched:
                    self._settle(each)
                    self._progress(len(self._polled), len(sources), each.ask.about.name)
        finally:
            for claim in self._held.values():
                try:
                    release_poll(self._store, claim)
                except GotganError as error:  # its lease expires
                    emit("news.source.held", level="warning", source=claim.name, why=error.message)
        polled = sorted(self._polled, key=lambda each: each.name)
        return PollReport(tuple(polled), self._skipped, self._cost)

    def _asks(self, sources: Iterable[NewsSource]) -> Iterator[FetchRequest[NewsSource]]:
        for source in sources:
            claim = claim_poll(self._store, source)
            if claim is None:
                self._skipped += 1
                continue
            self._held[claim.name] = claim
            yield FetchRequest(
                claim.url,
                about=claim,
                accept=FEED_TYPES,
                validators=Validators(claim.etag, claim.last_modified),
                most_bytes=MAX_FEED_BYTES,
            )

    def _settle(self, fetched: FetchResult[NewsSource]) -> None:
        """Store the stories of a response, and the outcome of the poll."""
        claim = fetched.ask.about
        stored: Uploaded | None = None
        listed: int | None = None
        try:
            if fetched.answer is None:
                raise fetched.error or GotganError(messages.NO_RESPONSE())
            if not fetched.answer.is_unchanged:
                feed = read_feed(fetched.answer)
                listed = len(feed.stories)
                stored = self._upload(feed.stories, claim.name)
                self._cost += stored.cost
                for failed in stored.failed:
                    raise failed.error
            new = len(stored.new) if stored else 0
            validators = fetched.answer.validators
            finish_poll(self._store, claim, listed=listed, stored=new, validators=validators)
            error: GotganError | None = None
        except GotganError as failure:
            if isinstance(failure, NotRecorded) or (
                isinstance(failure, StoreError) and failure.retry and stored is None
            ):
                raise  # the settings or the database are in trouble, not the source
            new, error = len(stored.new) if stored else 0, failure
            url = display_url(claim.url)
            emit(
                "news.source.failed", level="warning", source=claim.name, url=url, why=failure.code
            )
            fail_poll(self._store, claim, failure, stored=new)
        del self._held[claim.name]
        duplicates = stored.duplicates if stored else 0
        self._polled.append(PolledSource(claim.name, listed, new, duplicates, error))


# Claims


def claim_poll(store: Store, source: NewsSource) -> NewsSource | None:
    """Claim a source for a poll; None if another worker was faster or it was removed."""
    until = lease_end(store.clock.now(), POLL_LEASE)
    return _update(store, source, owner=owner_id(), due_at=until)


def finish_poll(
    store: Store, claim: NewsSource, *, listed: int | None, stored: int, validators: Validators
) -> bool:
    """Store that a poll succeeded; ``listed`` is None if nothing has changed since the last."""
    now = store.clock.now()
    changes = (
        {}
        if listed is None
        else {
            "listed": listed,
            "etag": validators.etag,
            "last_modified": validators.last_modified,
        }
    )
    done = _update(
        store,
        claim,
        owner=None,
        due_at=now + timedelta(minutes=claim.every_minutes),
        checked_at=now,
        succeeded_at=now,
        stored=claim.stored + stored,
        failures=0,
        error=None,
        reason=None,
        **changes,
    )
    return done is not None


def fail_poll(store: Store, claim: NewsSource, error: GotganError, *, stored: int = 0) -> bool:
    """Store that a poll failed: the pause doubles, up to a day, or is what the site asks for."""
    now, failures = store.clock.now(), claim.failures + 1
    asked_for = error.retry_after if isinstance(error, BadStatus) else None
    every_s = claim.every_minutes * 60.0
    longest = max(every_s, _MAX_PAUSE_S)
    pause = Policy(base=every_s, cap=longest).longest(failures)
    done = _update(
        store,
        claim,
        owner=None,
        due_at=now + timedelta(seconds=max(pause, min(asked_for or 0.0, longest))),
        checked_at=now,
        stored=claim.stored + stored,
        failures=failures,
        error=error.code,
        reason=error.message,
    )
    return done is not None


def release_poll(store: Store, claim: NewsSource) -> None:
    """Give a claim back on which nothing was done."""
    _update(store, claim, owner=None, due_at=store.clock.now())


def _update(store: Store, source: NewsSource, **changes: Any) -> NewsSource | None:
    """Change a source that is as it was read; None if another worker changed or removed it."""
    try:
        return store.update(source, only_if=_is_unchanged(source), **changes).item
    except ConditionFailed:
        return None


def _is_unchanged(source: NewsSource) -> Condition:
    owner = attr("owner").missing() if source.owner is None else attr("owner") == source.owner
    return owner & (attr("due_at") == source.due_at) & (attr("added_at") == source.added_at)
