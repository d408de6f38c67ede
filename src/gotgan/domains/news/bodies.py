"""Bodies of articles: find those that are missing, fetch them, and note what each of them is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing
from itertools import chain, islice, zip_longest
from typing import Any, Final, TypeAlias

from gotgan.domains.news import claims, patterns
from gotgan.domains.news.article import Article, Paywalled, article_of, is_yahoo
from gotgan.domains.news.models import QUEUES, NewsBody, NewsItem, Outcome
from gotgan.domains.news.pages import expect_page
from gotgan.domains.news.reports import BodiesReport
from gotgan.errors import (
    AddressRefused,
    BlockPage,
    ConsentPage,
    FetchTimeout,
    GotganError,
    LeadsElsewhere,
    NotRecorded,
    PageForbidden,
    PageMissing,
    RobotsDisallowed,
    RobotsUnavailable,
    ServerTrouble,
    StoreError,
    TooManyRequests,
    Truncated,
    UnknownShape,
    Unreachable,
)
from gotgan.events import emit
from gotgan.fetch import Ask, Fetched, FetchResponse, Web, shown
from gotgan.store import Query, Store
from gotgan.store.batches import chunks
from gotgan.verbs import Progress

__all__ = ["Round", "is_unwelcome", "read", "untried"]

Work: TypeAlias = NewsItem | str
"""An article that nobody has tried, or the key of one that is due again."""

_AT_ONCE: Final = 4
"""How many articles are under way; the site's own pace is kept by the door to the web."""
_A_CALL: Final = 100
_PATIENCE: Final = 3
"""After so many refusals in a row it is the site that is in the way, not the articles."""
_LARGEST: Final = 5_000_000
"""No article has so many bytes, and reading takes time."""


def untried(store: Store, query: Query[NewsItem]) -> Iterator[NewsItem]:
    """The items of a query that have no body yet, a hundred looked up at a time."""
    for items in chunks(store.iterate(query, at_most=None), _A_CALL):
        refs = {patterns.news_body(item.pk): item for item in items}
        found = store.get_all(refs, only=("state",))
        yield from (refs[ref] for ref in found.missing)


def is_unwelcome(error: GotganError) -> bool:
    """Whether a failure may be about us and the site, rather than about one article."""
    if isinstance(error, RobotsDisallowed):
        return error.everything
    return isinstance(error, _UNWELCOME)


_UNWELCOME: Final = (
    AddressRefused,
    BlockPage,
    ConsentPage,
    FetchTimeout,
    PageForbidden,
    RobotsUnavailable,
    ServerTrouble,
    TooManyRequests,
    Truncated,
    Unreachable,
)


class Round:
    """One run over articles; what was claimed and not finished is given back, come what may."""

    def __init__(self, store: Store, web: Web, progress: Progress) -> None:
        self._store = store
        self._web = web
        self._progress = progress
        self._held: dict[str, NewsBody] = {}
        self._outcomes: Counter[Outcome] = Counter()
        self._reasons: Counter[str] = Counter()
        self._waiting = self._skipped = self._refusals = self._total = 0

    def run(self, fresh: Iterable[NewsItem], again: Iterable[str], limit: int) -> BodiesReport:
        """Work on new articles and on those that are due again, in turns: neither starves."""
        stopped = None
        with self._store.metered("bodies") as measured:
            new, has_more = self._sorted_out(fresh, limit)
            due = list(islice(again, limit))
            work = list(islice(_in_turns(new, due), limit))
            self._total = len(work) + self._outcomes.total()
            try:
                stopped = self._fetch(work)
            finally:
                self._give_back()
            queued, dead = (self._store.count(patterns.queued_bodies(each)) for each in QUEUES)
        return BodiesReport(
            outcomes=dict(+self._outcomes),
            waiting=self._waiting,
            reasons=dict(self._reasons),
            skipped=self._skipped,
            stopped=stopped,
            queued=int(queued),
            dead=int(dead),
            has_more=has_more or len(new) + len(due) > len(work),
            cost=measured.cost,
        )

    def _sorted_out(self, fresh: Iterable[NewsItem], limit: int) -> tuple[list[NewsItem], bool]:
        """What is to be fetched, up to a limit; what is at other sites is only noted."""
        left = iter(fresh)
        new: list[NewsItem] = []
        for items in chunks(left, _A_CALL):
            elsewhere = [item for item in items if not is_yahoo(item.url)]
            noted = claims.note_external(self._store, elsewhere)
            self._outcomes["external"] += len(noted.new)
            self._skipped += len(noted.failed)  # they are as untried as before
            new += [item for item in items if is_yahoo(item.url)]
            if len(new) >= limit:
                break
        return new[:limit], len(new) > limit or next(left, None) is not None

    def _fetch(self, work: list[Work]) -> str | None:
        with closing(self._web.get_all(self._asks(work), at_once=_AT_ONCE)) as fetched:
            for each in fetched:
                error = self._settle(each)
                self._refusals = self._refusals + 1 if error and is_unwelcome(error) else 0
                self._report(each.ask.url)
                if error and self._refusals >= _PATIENCE:
                    emit("news.bodies.stopped", reason=error.message)
                    return error.message
        return None

    def _asks(self, work: list[Work]) -> Iterator[Ask[NewsBody]]:
        """Claim an article just before it is fetched, so that leases are short."""
        for piece in work:
            claim = self._claimed(piece)
            if claim is not None and claim.state == "PROGRESS":
                self._held[claim.pk] = claim
                yield Ask(claim.url, about=claim, most_bytes=_LARGEST, within=is_yahoo)
            elif claim is not None:  # its last worker was lost in its last attempt
                self._outcomes["dead"] += 1
            else:
                self._skipped += 1

    def _claimed(self, piece: Work) -> NewsBody | None:
        if isinstance(piece, NewsItem):
            return claims.claim_new(self._store, piece)
        return claims.take(self._store, piece)

    def _settle(self, fetched: Fetched[NewsBody]) -> GotganError | None:
        """Store what became of an article; return why it failed."""
        claim = fetched.ask.about
        try:
            outcome, found = read(fetched)
            is_ours = claims.finish(self._store, claim, outcome, **found)
        except GotganError as error:
            if isinstance(error, NotRecorded) or (isinstance(error, StoreError) and error.retry):
                raise  # the settings or the database are in trouble, not the article
            self._reasons[error.code] += 1
            is_ours = claims.fail(self._store, claim, error)
            dead: Outcome | None = "dead" if claim.attempts >= claims.ATTEMPTS else None
            self._count(claim, dead, is_ours=is_ours)
            return error
        self._count(claim, outcome, is_ours=is_ours)
        return None

    def _count(self, claim: NewsBody, outcome: Outcome | None, *, is_ours: bool) -> None:
        del self._held[claim.pk]
        if not is_ours:
            self._skipped += 1
        elif outcome is None:
            self._waiting += 1
        else:
            self._outcomes[outcome] += 1

    def _report(self, url: str) -> None:
        done = self._outcomes.total() + self._waiting + self._skipped
        self._progress(done, self._total, url, failed=self._waiting + self._outcomes["dead"])

    def _give_back(self) -> None:
        for claim in self._held.values():
            try:
                claims.release(self._store, claim)
            except GotganError as error:  # its lease ends by itself
                emit("news.body.held", level="warning", pk=claim.pk, reason=error.message)


def read(fetched: Fetched[NewsBody]) -> tuple[Outcome, dict[str, Any]]:
    """What an article is, and what is known of it; raises where it could not be read."""
    error = fetched.error
    if error is not None and (outcome := _settled_by(error)) is not None:
        return outcome, {"error": error.code, "reason": error.message}
    if fetched.answer is None:
        raise error or GotganError("nothing came back")
    expect_page(fetched.answer)
    try:
        return _told(fetched.answer)
    except GotganError:
        raise
    except Exception as failure:  # pages are strange, and one must not keep the others waiting
        raise UnknownShape(
            f"the article at {shown(fetched.ask.url)} cannot be read ({failure!r}); "
            "look at it in a browser"
        ) from failure


def _settled_by(error: GotganError) -> Outcome | None:
    """What an article is for good, where a failure says so."""
    if isinstance(error, PageMissing):
        return "gone"
    if isinstance(error, LeadsElsewhere):
        return "external"
    if isinstance(error, RobotsDisallowed) and not error.everything:
        return "blocked"
    return None


def _told(answer: FetchResponse) -> tuple[Outcome, dict[str, Any]]:
    verdict = article_of(answer.body, answer.url, charset=answer.charset)
    if isinstance(verdict, Article):
        return "ok", {
            "title": verdict.title,
            "author": verdict.author,
            "provider": verdict.provider,
            "published_at": verdict.published_at,
            "text": verdict.text,
            "is_cut": verdict.is_cut or None,
            "word_count": verdict.word_count,
            "language": verdict.language,
            "extractor": verdict.extractor,
        }
    return ("premium" if isinstance(verdict, Paywalled) else "external"), {}


def _in_turns(new: list[NewsItem], due: list[str]) -> Iterator[Work]:
    """One that is new and one that is due again; of the new ones the newest and the oldest.

    From both ends, because those that a site refuses often lie together: one that it gives tells
    that the site is not the trouble.
    """
    pairs = zip_longest(_from_both_ends(new), due)
    return (piece for piece in chain.from_iterable(pairs) if piece is not None)


def _from_both_ends(items: list[NewsItem]) -> Iterator[NewsItem]:
    pairs = zip(items, reversed(items), strict=True)
    return islice(chain.from_iterable(pairs), len(items))
