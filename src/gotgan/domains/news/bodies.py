"""Article texts: find the missing ones, fetch them and store the outcome of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from functools import partial
from itertools import chain, islice, zip_longest
from typing import Any, Final, TypeAlias

from gotgan.domains.news import claims, messages, models
from gotgan.domains.news.article import Article, Paywalled, extract_article, is_yahoo
from gotgan.domains.news.keys import site_of
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
    PageTakenDown,
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
from gotgan.fetch import FetchRequest, FetchResult, Web, display_url
from gotgan.store import Query, Store
from gotgan.store.batches import chunks
from gotgan.verbs import Progress

Work: TypeAlias = NewsItem | str
"""A new article, or the key of one that is due again."""

_CONCURRENCY: Final = 4
"""Articles fetched at once; the web client limits the rate per site."""
_BATCH_GET_SIZE: Final = 100
_MAX_SITE_FAILURES: Final = 3
"""After this many refusals in a row the site is the problem, not the articles."""
_MAX_PAGE_BYTES: Final = 5_000_000
_SITE_FAILURES: Final = (
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


def items_without_body(store: Store, query: Query[NewsItem]) -> Iterator[NewsItem]:
    """The items of a query that have no body yet."""
    for items in chunks(store.iterate(query, at_most=None), _BATCH_GET_SIZE):
        refs = {models.news_body(item.pk): item for item in items}
        found = store.get_all(refs, only=("state",))
        yield from (refs[ref] for ref in found.missing)


def _is_at(site: str | None, url: str) -> bool:
    return site_of(url) == site


def is_site_failure(error: GotganError) -> bool:
    """Whether a failure may concern the whole site rather than one article."""
    if isinstance(error, RobotsDisallowed):
        return error.everything
    return isinstance(error, _SITE_FAILURES)


class BodiesRun:
    """One run over articles; unfinished claims are always released."""

    def __init__(
        self, store: Store, web: Web, progress: Progress, homes: Mapping[str, str | None]
    ) -> None:
        """``homes`` are the sites of other sources by their names."""
        self._store = store
        self._web = web
        self._progress = progress
        self._homes = homes
        self._held: dict[str, NewsBody] = {}
        self._outcomes: Counter[Outcome] = Counter()
        self._reasons: Counter[str] = Counter()
        self._refusals: Counter[str | None] = Counter()
        self._waiting = self._skipped = self._total = 0

    def run(self, fresh: Iterable[NewsItem], again: Iterable[str], limit: int) -> BodiesReport:
        """Alternate between new articles and those that are due again, so that neither starves."""
        stopped = None
        with self._store.metered("bodies") as measured:
            new, has_more = self._select_new(fresh, limit)
            due = list(islice(again, limit))
            # A new article, then one that is due again. New ones are taken from both ends: those
            # that a site refuses are often neighbours, and one that it serves shows that the site
            # is not the problem.
            both_ends = chain.from_iterable(zip(new, reversed(new), strict=True))
            pairs = zip_longest(islice(both_ends, len(new)), due)
            pieces = (piece for piece in chain.from_iterable(pairs) if piece is not None)
            work: list[Work] = list(islice(pieces, limit))
            self._total = len(work) + self._outcomes.total()
            try:
                stopped = self._fetch(work)
            finally:
                for claim in self._held.values():
                    try:
                        claims.release(self._store, claim)
                    except GotganError as error:  # its lease expires
                        emit("news.body.held", level="warning", pk=claim.pk, reason=error.message)
            queued, dead = (self._store.count(models.queued_bodies(each)) for each in QUEUES)
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

    def _select_new(self, fresh: Iterable[NewsItem], limit: int) -> tuple[list[NewsItem], bool]:
        """Articles to fetch, up to the limit; those at other sites are only marked."""
        left = iter(fresh)
        new: list[NewsItem] = []
        for items in chunks(left, _BATCH_GET_SIZE):
            elsewhere = [item for item in items if not self._is_fetched(item)]
            marked = claims.mark_external(self._store, elsewhere)
            self._outcomes["external"] += len(marked.new)
            self._skipped += len(marked.failed)  # tried again by the next run
            new += [item for item in items if self._is_fetched(item)]
            if len(new) >= limit:
                break
        return new[:limit], len(new) > limit or next(left, None) is not None

    def _is_fetched(self, item: NewsItem) -> bool:
        """Whether its article is at Yahoo, or at the site of the source that listed it."""
        home = self._homes.get(item.source)
        return is_yahoo(item.url) or (home is not None and site_of(item.url) == home)

    def _fetch(self, work: list[Work]) -> str | None:
        stopped = None
        with closing(self._web.get_all(self._asks(work), at_once=_CONCURRENCY)) as fetched:
            for each in fetched:
                error = self._settle(each)
                site = site_of(each.ask.url)
                self._refusals[site] = (
                    self._refusals[site] + 1 if error and is_site_failure(error) else 0
                )
                done = self._outcomes.total() + self._waiting + self._skipped
                failed = self._waiting + self._outcomes["dead"]
                self._progress(done, self._total, each.ask.url, failed=failed)
                if error and self._is_refusing(site):
                    emit("news.bodies.stopped", reason=error.message)
                    stopped = error.message
                    if not self._homes:  # there is no other site
                        return stopped
        return stopped

    def _is_refusing(self, site: str | None) -> bool:
        """Whether a site, rather than its articles, is the problem."""
        return self._refusals[site] >= _MAX_SITE_FAILURES

    def _asks(self, work: list[Work]) -> Iterator[FetchRequest[NewsBody]]:
        """Claim an article just before it is fetched, so that leases are short."""
        for piece in work:
            if isinstance(piece, NewsItem) and self._is_refusing(site_of(piece.url)):
                continue
            claim = (
                claims.claim_new(self._store, piece)
                if isinstance(piece, NewsItem)
                else claims.claim_due(self._store, piece)
            )
            if claim is not None and claim.state == "PROGRESS":
                site = site_of(claim.url)
                if self._is_refusing(site):
                    claims.release(self._store, claim)
                    continue
                self._held[claim.pk] = claim
                yield FetchRequest(
                    claim.url,
                    about=claim,
                    most_bytes=_MAX_PAGE_BYTES,
                    within=partial(_is_at, site),
                )
            elif claim is not None:  # its last worker was lost in its last attempt
                self._outcomes["dead"] += 1
            else:
                self._skipped += 1

    def _settle(self, fetched: FetchResult[NewsBody]) -> GotganError | None:
        """Store the outcome of an article; return the error if it failed."""
        claim, failure = fetched.ask.about, None
        outcome: Outcome | None
        try:
            outcome, found = article_outcome(fetched)
            is_ours = claims.finish(self._store, claim, outcome, **found)
        except GotganError as error:
            if isinstance(error, NotRecorded) or (isinstance(error, StoreError) and error.retry):
                raise  # the settings or the database are in trouble, not the article
            failure = error
            self._reasons[error.code] += 1
            is_ours = claims.fail(self._store, claim, error)
            outcome = "dead" if claim.attempts >= claims.MAX_ATTEMPTS else None
        del self._held[claim.pk]
        if not is_ours:
            self._skipped += 1
        elif outcome is None:
            self._waiting += 1
        else:
            self._outcomes[outcome] += 1
        return failure


def article_outcome(fetched: FetchResult[NewsBody]) -> tuple[Outcome, dict[str, Any]]:
    """The outcome of an article and its stored fields; raises if it cannot be read."""
    error = fetched.error
    if error is not None and (outcome := _final_outcome(error)) is not None:
        return outcome, {"error": error.code, "reason": error.message}
    if fetched.answer is None:
        raise error or GotganError(messages.NO_RESPONSE())
    expect_page(fetched.answer)
    answer = fetched.answer
    try:
        article = extract_article(answer.body, answer.url, charset=answer.charset)
    except PageTakenDown as gone:
        return "gone", {"error": gone.code, "reason": gone.message}
    except GotganError:
        raise
    except Exception as failure:  # pages are strange, and one must not keep the others waiting
        url = display_url(fetched.ask.url)
        raise UnknownShape(messages.ARTICLE_UNREADABLE(url=url, cause=repr(failure))) from failure
    if isinstance(article, Paywalled):
        return "premium", {} if article.teaser is None else _article_fields(article.teaser)
    return ("ok", _article_fields(article)) if isinstance(article, Article) else ("external", {})


def _article_fields(article: Article) -> dict[str, Any]:
    return {
        "title": article.title,
        "author": article.author,
        "provider": article.provider,
        "published_at": article.published_at,
        "text": article.text,
        "is_cut": article.is_cut or None,
        "word_count": article.word_count,
        "language": article.language,
        "extractor": article.extractor,
    }


def _final_outcome(error: GotganError) -> Outcome | None:
    """The outcome that a failure means for good, if any."""
    if isinstance(error, PageMissing):
        return "gone"
    if isinstance(error, LeadsElsewhere):
        return "external"
    if isinstance(error, RobotsDisallowed) and not error.everything:
        return "blocked"
    return None
