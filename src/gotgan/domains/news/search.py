"""The news as documents: stories with the texts of their articles.

Stories never change, so they are read once: at first the whole table, then what was uploaded since.
A text comes later: stories of the last days without one are looked up again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from gotgan.clock import utc_stamp
from gotgan.documents import DocumentBatch, SearchDocument
from gotgan.domains.news import models
from gotgan.domains.news.keys import NEWS_ITEMS
from gotgan.domains.news.models import NewsBody, NewsItem
from gotgan.events import emit
from gotgan.store.reads import scan_page
from gotgan.store.schema import load_or_report, schema_of

if TYPE_CHECKING:
    from gotgan.errors import BadItem
    from gotgan.store import Store

_BATCH_SIZE: Final = 300
_MAX_DAYS: Final = 31
"""How many UTC days are read at once, after a long break."""
_OVERLAP: Final = timedelta(minutes=2)
"""How long an upload may take: its stories have the time of its beginning."""
_WAIT_FOR_TEXT: Final = timedelta(days=3)
_MAX_AWAITED: Final = 3_000
_FINAL: Final = frozenset({"ok", "external", "premium", "gone", "blocked"})


@dataclass(frozen=True)
class _Mark:
    """How far the news were read."""

    since: int
    """What was uploaded since then is still to be read, in milliseconds since 1970."""
    behind: dict[str, Any] | None = None
    """The key behind which the table is read on, the first time."""
    is_scanning: bool = True
    awaited: tuple[str, ...] = ()
    """The keys of stories whose texts may still come, those that were looked up last at the end."""

    @classmethod
    def parse(cls, text: str) -> _Mark:
        """A mark as it was stored."""
        fields = json.loads(text)
        return cls(**{**fields, "awaited": tuple(fields["awaited"])})

    def __str__(self) -> str:
        return json.dumps(asdict(self), separators=(",", ":"))


def news_documents(store: Store, mark: str | None) -> DocumentBatch:
    """The stories that are new, or whose texts have come."""
    now = store.clock.now()
    place = _Mark(_milliseconds(now - _OVERLAP)) if mark is None else _Mark.parse(mark)
    return _scanned(store, place, now) if place.is_scanning else _recent(store, place, now)


def _scanned(store: Store, place: _Mark, now: datetime) -> DocumentBatch:
    """A page of the whole table."""
    raw, behind = scan_page(store.calls, NEWS_ITEMS, _BATCH_SIZE, place.behind)
    schema = schema_of(NewsItem)
    loaded = (load_or_report(schema, _skip_bad_item, each, None) for each in raw)
    items = [each for each in loaded if each is not None]
    documents, awaited = _with_texts(store, items, now)
    following = replace(
        place,
        behind=behind,
        is_scanning=behind is not None,
        awaited=(*place.awaited, *awaited)[-_MAX_AWAITED:],
    )
    return DocumentBatch(documents, mark=str(following), is_last=False)


def _recent(store: Store, place: _Mark, now: datetime) -> DocumentBatch:
    """What was uploaded since the mark, and the texts that have come."""
    since = datetime.fromtimestamp(place.since / 1000, UTC)
    last = min(now, since + timedelta(days=_MAX_DAYS))
    items = [*_uploaded(store, since, last)]
    fresh, awaited = _with_texts(store, items, now)
    looked_up, later = place.awaited[:_BATCH_SIZE], place.awaited[_BATCH_SIZE:]
    known = {each.pk for each in items}
    again = store.get_all([models.news_by_pk(pk) for pk in looked_up if pk not in known])
    come, waiting = _with_texts(store, again.items, now)
    has_text = [each for each in come if each.text]
    reached = last if last < now else max(since, now - _OVERLAP)
    queue = dict.fromkeys([*later, *waiting, *awaited])
    following = replace(place, since=_milliseconds(reached), awaited=tuple(queue)[-_MAX_AWAITED:])
    return DocumentBatch([*fresh, *has_text], mark=str(following), is_last=last >= now)


def _uploaded(store: Store, first: datetime, last: datetime) -> Iterator[NewsItem]:
    day = first.date()
    while day <= last.date():
        query = models.news_of_part(day, first, last)
        yield from store.iterate(query, at_most=None)
        day += timedelta(days=1)


def _with_texts(
    store: Store, items: Sequence[NewsItem], now: datetime
) -> tuple[list[SearchDocument], list[str]]:
    """Stories as documents, and the keys of those whose texts may still come."""
    found = store.get_all([models.news_body(each.pk) for each in items])
    bodies = {each.pk: each for each in found.items}
    awaited = [
        each.pk
        for each in items
        if now - each.uploaded_at < _WAIT_FOR_TEXT and not _is_final(bodies.get(each.pk))
    ]
    return [_document(each, bodies.get(each.pk)) for each in items], awaited


def _is_final(body: NewsBody | None) -> bool:
    return body is not None and body.outcome in _FINAL


def _document(item: NewsItem, body: NewsBody | None) -> SearchDocument:
    return SearchDocument(
        kind="story",
        id=item.pk,
        title=item.title,
        text=(body.text or "") if body is not None else "",
        names=(item.pk, item.url, *item.tickers),
        at=item.uploaded_at,
    )


def _milliseconds(moment: datetime) -> int:
    return utc_stamp(moment).epoch_ms


def _skip_bad_item(bad: BadItem) -> None:
    emit("news.item.bad", level="warning", reason=bad.message)
