"""The site as documents: posts, drafts and inquiries, each for those who may read it."""

from __future__ import annotations

import json
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from gotgan.documents import DocumentBatch, SearchDocument
from gotgan.domains.site import patterns
from gotgan.domains.site.content import plain_text
from gotgan.domains.site.models import ContactInquiry, Draft, Post
from gotgan.domains.site.resource import skip_bad_item

if TYPE_CHECKING:
    from gotgan.store import Query, Store

_PAGE_SIZE: Final = 200
_OVERLAP: Final = timedelta(minutes=2)
_Record = Post | Draft | ContactInquiry


def site_documents(store: Store, mark: str | None) -> DocumentBatch:
    """At first all records, then those that were created since.

    What was changed or deleted is found when all are read again: no index has the time of that.
    """
    now = store.clock.now()
    since, cursor = (now - _OVERLAP, None) if mark is None else _parse(mark)
    is_first = mark is None or cursor is not None
    query = _all() if is_first else _created(since, now)
    page = store.query(query, limit=_PAGE_SIZE, cursor=cursor, on_bad=skip_bad_item)
    documents = [_document(each) for each in page]
    if is_first and page.cursor is not None:
        return DocumentBatch(documents, mark=_mark(since, page.cursor), is_last=False)
    reached = since if is_first else max(since, now - _OVERLAP)
    return DocumentBatch(documents, mark=_mark(reached, None))


def _all() -> Query[_Record]:
    return patterns.all_posts() + patterns.all_drafts() + patterns.all_inquiries()


def _created(first: datetime, last: datetime) -> Query[_Record]:
    found: Query[_Record] = patterns.posts_within(first, last)
    return found + patterns.drafts_within(first, last) + patterns.inquiries_within(first, last)


def _document(record: _Record) -> SearchDocument:
    if isinstance(record, ContactInquiry):
        replies = [each.message for each in record.replies or ()]
        written = (record.name, record.email, record.company or "", record.message, *replies)
        return SearchDocument(
            kind="inquiry",
            id=record.id,
            title=record.subject,
            text="\n".join(written),
            names=(record.email,),
            at=record.created_at,
            role="viewer",
        )
    return SearchDocument(
        kind="post" if isinstance(record, Post) else "draft",
        id=record.id,
        title=record.title,
        text=plain_text(record.contents, record.format),
        at=record.created_at,
        role=record.read_by or "public",
        until=record.expires_at,
    )


def _mark(since: datetime, cursor: str | None) -> str:
    return json.dumps([since.isoformat(), cursor])


def _parse(mark: str) -> tuple[datetime, str | None]:
    since, cursor = json.loads(mark)
    return datetime.fromisoformat(since), cursor
