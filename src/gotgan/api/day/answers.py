"""The schemas of the page of a day; what is a domain's has the schema that it has there."""

from __future__ import annotations

from typing import Any, Final, get_args

from gotgan.api.shapes import (
    ANYTHING,
    NUMBER,
    TEXT,
    TEXT_OR_NULL,
    TRUTH,
    WHOLE,
    cost,
    list_of,
    object_of,
    or_null,
    ref,
)
from gotgan.clock import ZONES
from gotgan.domains.market.models import Overall, Screen

__all__ = ["data", "kinds"]

_DATE: Final = {"type": "string", "format": "date"}
_DATE_OR_NULL: Final = {"type": ["string", "null"], "format": "date"}
_NUMBER_OR_NULL: Final = {"type": ["number", "null"]}
_COUNTS: Final = {"type": "object", "additionalProperties": WHOLE}
_ROWS: Final = {**list_of(ANYTHING), "description": "Under the names of their columns."}
_FAULT: Final = object_of(code=TEXT, message=TEXT)


def kinds() -> dict[str, Any]:
    """What the parts have in common, by its name."""
    return {"WorkTick": _tick()}


def data() -> dict[str, Any]:
    """The data of each answer, by its name."""
    return {
        "DayPage": _page(),
        "PublishedDay": object_of(
            outcome={
                "enum": ["new", "changed", "duplicate"],
                "description": "Whether it took a write: nothing was written of a duplicate.",
            },
            id={**TEXT, "description": "That of the post; a day and a zone always have the same."},
            categoryId=TEXT,
            title=TEXT,
            version=WHOLE,
        ),
    }


def _page() -> dict[str, Any]:
    return object_of(
        date=_DATE,
        zone={"enum": list(ZONES)},
        first={**TEXT, "description": "When the day begins."},
        last={**TEXT, "description": "The first moment that is not in it any more."},
        today=_DATE,
        isToday=TRUTH,
        previous=_DATE_OR_NULL,
        following={**_DATE_OR_NULL, "description": "Null where that has not come yet."},
        readAt=TEXT,
        news=_part(_news()),
        shops=_part(_shops()),
        market=_part(_market()),
        videos=_part(_videos()),
        site=_part(_site()),
        work=_part(list_of(_job())),
        failures={**list_of(_failure()), "description": "Those that are not over first."},
        coming={**list_of(_coming()), "description": "What will happen next, by itself."},
        faults={**_faults(), "description": "Why one of these two is empty; null where it is not."},
        cost={**cost(), "description": "What reading this page took of DynamoDB."},
    )


def _faults() -> dict[str, Any]:
    return object_of(failures=or_null(_FAULT), coming=or_null(_FAULT))


def _part(value: dict[str, Any]) -> dict[str, Any]:
    return object_of(
        value={**or_null(value), "description": "Null where it cannot be read."},
        error=or_null(_FAULT),
        unset={**TEXT_OR_NULL, "description": "What is missing for it to be collected by itself."},
    )


def _news() -> dict[str, Any]:
    return object_of(
        new={**WHOLE, "description": "How many stories were stored for the first time."},
        read={**WHOLE, "description": "How many of them the rest is counted over."},
        headlines={**list_of(ref("NewsItem")), "description": "The newest, fifty at most."},
        tickers=list_of(object_of(ticker=TEXT, count=WHOLE)),
        hours={**list_of(WHOLE), "description": "How many came in each hour of the zone's clock."},
        bodies={**_COUNTS, "description": "What became of the articles."},
        waiting=WHOLE,
        dead=WHOLE,
    )


def _shops() -> dict[str, Any]:
    visit = object_of(
        domain=TEXT,
        outcome=TEXT_OR_NULL,
        reason=TEXT_OR_NULL,
        began_at=TEXT_OR_NULL,
        ended_at=TEXT,
        seconds=_NUMBER_OR_NULL,
        pages={"type": ["integer", "null"]},
    )
    return object_of(
        countries=list_of(TEXT),
        crawled={**list_of(visit), "description": "Shops whose last crawl ended on the day."},
        scraped=list_of(visit),
        changes={**list_of(_change()), "description": "The newest, a hundred at most."},
        counts={**_COUNTS, "description": "How many there are of each kind."},
        read={**WHOLE, "description": "How many changes that is."},
        isCut={**TRUTH, "description": "Whether there are more shops or changes than were read."},
        stuck=list_of(ref("StuckShop")),
        unreached={
            **list_of(ref("UnreachedShop")),
            "description": "Shops that the last attempt could not reach.",
        },
    )


def _change() -> dict[str, Any]:
    return object_of(
        id=TEXT,
        domain=TEXT,
        url=TEXT,
        title=TEXT_OR_NULL,
        seen_at=TEXT,
        before=or_null(ref("Offer")),
        after=ref("Offer"),
        kind={"enum": ["new", "removed", "sold", "price_up", "price_down", "other"]},
    )


def _market() -> dict[str, Any]:
    screened = object_of(count=WHOLE, items=_ROWS)
    return object_of(
        status=ref("DayStatus"),
        indices={**_ROWS, "description": "Each with `before`, its close of the session before."},
        breadth=object_of(rising=WHOLE, falling=WHOLE, unchanged=WHOLE, halted=WHOLE),
        risers=_ROWS,
        fallers=_ROWS,
        factors=_ROWS,
        screens=object_of(**dict.fromkeys(get_args(Screen), screened)),
        month=list_of(
            object_of(
                date=_DATE, closed=TEXT_OR_NULL, overall_status={"enum": [*get_args(Overall), None]}
            )
        ),
    )


def _videos() -> dict[str, Any]:
    told = object_of(title=TEXT_OR_NULL, seconds=_NUMBER_OR_NULL)
    return object_of(
        completed=WHOLE,
        failed=WHOLE,
        open=WHOLE,
        jobs={
            **list_of({"allOf": [ref("VideoJob"), told]}),
            "description": "Those that were asked for on the day, the latest fifty.",
        },
        units={**WHOLE, "description": "Of YouTube's quota."},
        inputTokens=WHOLE,
        outputTokens=WHOLE,
        costUsd=NUMBER,
        unpriced={**WHOLE, "description": "How many have no known price."},
        hits={**WHOLE, "description": "How often a result was given again."},
    )


def _site() -> dict[str, Any]:
    post = object_of(id=TEXT, categoryId=TEXT, title=TEXT, CreatedAt=TEXT)
    return object_of(posts=list_of(post), isCut=TRUTH, inquiries=WHOLE, mailsWaiting=WHOLE)


def _job() -> dict[str, Any]:
    return object_of(
        job=TEXT,
        words=TEXT,
        counts={**_COUNTS, "description": "How often it came round, by what came of it."},
        why={**TEXT_OR_NULL, "description": "Why it was last not run, where it never was."},
        seconds=NUMBER,
        reads=NUMBER,
        writes=NUMBER,
        ticks={**list_of(ref("WorkTick")), "description": "The latest runs, a hundred at most."},
        later={**or_null(ref("WorkTick")), "description": "The run that made up for a failure."},
        nextAt=TEXT,
    )


def _tick() -> dict[str, Any]:
    return object_of(
        at=TEXT,
        status={"enum": ["running", "done", "failed"]},
        words=TEXT_OR_NULL,
        error=TEXT_OR_NULL,
        startedAt=TEXT_OR_NULL,
        finishedAt=TEXT_OR_NULL,
        seconds=_NUMBER_OR_NULL,
        reads=_NUMBER_OR_NULL,
        writes=_NUMBER_OR_NULL,
    )


def _failure() -> dict[str, Any]:
    return object_of(
        domain=TEXT,
        what=TEXT,
        at=TEXT_OR_NULL,
        words=TEXT,
        next={**TEXT, "description": "What happened since, or will, or has to be done."},
        isOver=TRUTH,
    )


def _coming() -> dict[str, Any]:
    return object_of(domain=TEXT, what=TEXT, at=TEXT_OR_NULL, words=TEXT)
