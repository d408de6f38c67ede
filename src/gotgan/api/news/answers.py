"""The schemas of what the news answer: under the names that their items have."""

from __future__ import annotations

from typing import Any, Final, get_args

from gotgan.api.shapes import (
    TEXT,
    TEXT_OR_NULL,
    TRUTH,
    WHOLE,
    cost,
    list_of,
    object_of,
    or_null,
    page_of,
    ref,
)
from gotgan.domains.news.models import Outcome, State
from gotgan.domains.news.records import BODY_ATTRIBUTES, ITEM_ATTRIBUTES

__all__ = ["data", "kinds"]

_NO_TEXT: Final = {
    "tickers": list_of(TEXT),
    "uploaded_at_utc_ms": WHOLE,
    "tz_est_is_dst": TRUTH,
    "state": {"enum": list(get_args(State))},
    "outcome": {"enum": list(get_args(Outcome))},
    "attempts": WHOLE,
    "word_count": WHOLE,
    "is_cut": TRUTH,
}
"""The attributes that are something else."""
_SURE: Final = ("state", "attempts", "changed_at")
"""What is known of every body."""


def kinds() -> dict[str, Any]:
    """What several answers have in common, by its name."""
    body = object_of(**_attributes(BODY_ATTRIBUTES))
    return {
        "NewsItem": object_of(**_attributes(ITEM_ATTRIBUTES)),
        "NewsBody": {**body, "required": list(_SURE)},
        "UploadReport": _upload_report(),
        "BodiesReport": _bodies_report(),
    }


def data() -> dict[str, Any]:
    """The data of each answer, by its name."""
    why = object_of(
        tag={"enum": ["id", "h"], "description": "`id` where the address has an article id."},
        article_id=TEXT_OR_NULL,
        sha256={**TEXT, "description": "The hash of the address; the key has its first 16 digits."},
    )
    more = object_of(body=or_null(ref("NewsBody")), why=why)
    return {
        "NewsItemPage": page_of(ref("NewsItem")),
        "QueuePage": page_of({"allOf": [ref("NewsBody"), object_of(pk=TEXT, url=TEXT)]}),
        "NewsArticle": {"allOf": [ref("NewsItem"), more]},
        "Uploaded": ref("UploadReport"),
    }


def _attributes(names: tuple[str, ...]) -> dict[str, Any]:
    return {name: _NO_TEXT.get(name, TEXT) for name in names}


def _upload_report() -> dict[str, Any]:
    return object_of(
        source=TEXT,
        uploaded_at_utc_iso=TEXT,
        given={**WHOLE, "description": "How many stories there were."},
        new=WHOLE,
        duplicates={**WHOLE, "description": "They were there already, and stay as they were."},
        failed=list_of(object_of(url=TEXT, code=TEXT, message=TEXT)),
        cost=cost(),
    )


def _bodies_report() -> dict[str, Any]:
    return object_of(
        tried=WHOLE,
        outcomes={"type": "object", "additionalProperties": WHOLE},
        waiting={**WHOLE, "description": "How many failed and wait for another attempt."},
        skipped={**WHOLE, "description": "How many somebody else had taken."},
        stopped={**TEXT_OR_NULL, "description": "Why the run ended early."},
        has_more={**TRUTH, "description": "Whether the limit left some that nobody has tried."},
        cost=cost(),
    )
