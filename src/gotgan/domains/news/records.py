"""Items, bodies and reports as they are shown: under the names of their attributes, in order."""

from __future__ import annotations

from typing import Any, Final

from gotgan.clock import utc_iso
from gotgan.domains.news.keys import article_id, digest_of
from gotgan.domains.news.models import NewsBody, NewsItem
from gotgan.domains.news.reports import BodiesReport, Uploaded
from gotgan.store import Entity, Failed
from gotgan.store.attributes import decode
from gotgan.store.schema import schema_of

__all__ = [
    "BODY_ATTRIBUTES",
    "ITEM_ATTRIBUTES",
    "bodies_record",
    "body_record",
    "item_record",
    "queued_record",
    "uploaded_record",
    "why_record",
]

ITEM_ATTRIBUTES: Final = (
    "pk",
    "source",
    "title",
    "url",
    "tickers",
    "uploaded_at_utc_iso",
    "uploaded_at_utc_ms",
    "uploaded_at_est_iso",
    "uploaded_at_kst_iso",
    "dt_utc",
    "dt_est",
    "dt_kst",
    "tz_est_abbr",
    "tz_est_is_dst",
)
"""Everything that is stored of an item."""
BODY_ATTRIBUTES: Final = (
    "state",
    "outcome",
    "attempts",
    "due_at",
    "changed_at",
    "error",
    "reason",
    "title",
    "author",
    "provider",
    "published_at",
    "language",
    "word_count",
    "extractor",
    "is_cut",
    "text",
)
"""What is shown of a body; its key and its address are those of the item."""


def item_record(item: NewsItem) -> dict[str, Any]:
    """An item as it is stored."""
    return _ordered(item, ITEM_ATTRIBUTES)


def body_record(body: NewsBody) -> dict[str, Any]:
    """A body, without what is not known of it."""
    return _ordered(body, BODY_ATTRIBUTES)


def queued_record(body: NewsBody) -> dict[str, Any]:
    """A body of a queue, which is shown without its item: with its key and its address."""
    return {"pk": body.pk, "url": body.url, **body_record(body)}


def why_record(item: NewsItem) -> dict[str, Any]:
    """Why an item has its key: the tag, the article id where there is one, and the whole hash."""
    tag, _, _ = item.pk.partition("#")
    return {"tag": tag, "article_id": article_id(item.url), "sha256": digest_of(item.url)}


def uploaded_record(report: Uploaded) -> dict[str, Any]:
    """What became of a list of stories: how many are new, and each that failed."""
    return {
        "source": report.source,
        "uploaded_at_utc_iso": utc_iso(report.uploaded_at),
        "given": report.given,
        "new": len(report.new),
        "duplicates": len(report.duplicates),
        "failed": [_failed(each) for each in report.failed],
        "cost": report.cost.shown(),
    }


def bodies_record(report: BodiesReport) -> dict[str, Any]:
    """What became of a run over bodies."""
    return {
        "tried": report.tried,
        "outcomes": dict(report.outcomes),
        "waiting": report.waiting,
        "reasons": dict(report.reasons),
        "skipped": report.skipped,
        "stopped": report.stopped,
        "queued": report.queued,
        "dead": report.dead,
        "has_more": report.has_more,
        "cost": report.cost.shown(),
    }


def _failed(failed: Failed[NewsItem]) -> dict[str, str]:
    return {"url": failed.item.url, "code": failed.error.code, "message": failed.error.message}


def _ordered(entity: Entity, names: tuple[str, ...]) -> dict[str, Any]:
    stored = schema_of(type(entity)).item(entity)
    plain = {name: decode(stored[name]) for name in names if name in stored}
    return {name: _number(value) for name, value in plain.items()}


def _number(value: Any) -> Any:
    """Every number here is a whole one."""
    is_plain = value is None or isinstance(value, str | bool | list)
    return value if is_plain else int(value)
