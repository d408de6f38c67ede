"""The schemas of what the market answers: under the names of its columns."""

from __future__ import annotations

from typing import Any, Final, get_args

from gotgan.api.shapes import (
    NUMBER,
    TEXT,
    TEXT_OR_NULL,
    TRUTH,
    WHOLE,
    list_of,
    object_of,
    or_null,
    ref,
)
from gotgan.domains.market.models import INDICATORS, SIDES, Overall, Screen, Status

__all__ = ["data", "kinds"]

_DATE: Final = {"type": "string", "format": "date"}
_WHOLE_OR_NULL: Final = {"type": ["integer", "null"]}
_NUMBER_OR_NULL: Final = {"type": ["number", "null"]}
_STATUS: Final = {"enum": list(get_args(Status))}
_OVERALL: Final = {"enum": list(get_args(Overall))}
_SIDES: Final = list_of({"enum": list(SIDES)})
_FIGURES: Final = dict.fromkeys(INDICATORS, _NUMBER_OR_NULL)
_ORIGIN: Final = {
    "provider": TEXT,
    "is_final": {**TRUTH, "description": "Whether nothing of it is expected to change any more."},
    "updated_at": TEXT,
}


def kinds() -> dict[str, Any]:
    """What several answers have in common, by its name."""
    return {
        "MarketDecision": _decision(),
        "MarketDay": _day(),
        "Stock": object_of(ticker=TEXT, name=TEXT, market=TEXT, first_seen=_DATE, last_seen=_DATE),
        "CollectReport": _collected(),
        "IndicatorReport": _calculated(),
        "CatchUpReport": object_of(
            outcome={"enum": ["success", "failed"]},
            words=TEXT,
            days=list_of(ref("CollectReport")),
            final={
                **list_of(ref("CollectReport")),
                "description": "Days that were there, and whose last numbers were asked for.",
            },
            indicators=list_of(ref("IndicatorReport")),
            stopped={**TEXT_OR_NULL, "description": "Why not all were asked for."},
        ),
        "RecoverReport": object_of(
            first=_DATE,
            last=_DATE,
            duplicates={**WHOLE, "description": "How many days were there already."},
            days=list_of(ref("CollectReport")),
            indicators=list_of(ref("IndicatorReport")),
            stopped={**TEXT_OR_NULL, "description": "Why it ended early."},
        ),
    }


def data() -> dict[str, Any]:
    """The data of each answer, by its name."""
    found = {
        **dict.fromkeys(("ticker", "name", "market"), TEXT),
        **dict.fromkeys(("close", "change", "value"), WHOLE),
    }
    return {
        "MarketStatus": object_of(
            month=TEXT, today=_DATE, zone=TEXT, days=list_of(ref("MarketDay"))
        ),
        "MarketDay": ref("MarketDay"),
        "MarketGaps": _gaps(),
        "OpenedDay": object_of(
            date=_DATE, outcome={"enum": ["opened", "duplicate", "closed"]}, words=TEXT
        ),
        "StockList": object_of(items=list_of(ref("Stock")), cursor=TEXT_OR_NULL),
        "StockSheet": {"allOf": [ref("Stock"), _sheet()]},
        "IndexSheet": object_of(code=TEXT, name=TEXT, values=list_of(_index())),
        "Screened": object_of(
            kind={"enum": list(get_args(Screen))},
            date=_DATE,
            items=list_of(object_of(date=_DATE, **found, **_FIGURES)),
            cursor=TEXT_OR_NULL,
        ),
    }


def _decision() -> dict[str, Any]:
    return object_of(
        status={"enum": ["run", "skipped", "waiting", "failed"]},
        reason={**TEXT, "description": "One word, such as `already_success` or `retry`."},
        words={**TEXT, "description": "The same as a sentence."},
        until={**TEXT_OR_NULL, "description": "When it may be decided otherwise."},
        sides=_SIDES,
    )


def _day() -> dict[str, Any]:
    return object_of(
        date=_DATE,
        closed={**TEXT_OR_NULL, "description": "Why there is no trading; null where there is."},
        overall_status={"enum": [*get_args(Overall), None]},
        next={**TEXT, "description": "What will happen next, and why."},
        log=or_null(_log()),
        indicator_log=or_null(_indicator_log()),
        collection=ref("MarketDecision"),
        calculation=ref("MarketDecision"),
    )


def _log() -> dict[str, Any]:
    sides: dict[str, Any] = {}
    for prefix in ("price", "indices"):
        sides |= {
            f"{prefix}_status": _STATUS,
            f"{prefix}_count": _WHOLE_OR_NULL,
            f"{prefix}_error_message": TEXT_OR_NULL,
            f"{prefix}_completed_at": TEXT_OR_NULL,
            f"{prefix}_retry_count": WHOLE,
            f"{prefix}_attempts": WHOLE,
            f"{prefix}_attempted_at": TEXT_OR_NULL,
            f"{prefix}_provider": TEXT_OR_NULL,
        }
    return object_of(
        date=_DATE,
        collection_date=_DATE,
        **sides,
        overall_status=_OVERALL,
        started_at=TEXT,
        finalised_at=TEXT_OR_NULL,
    )


def _indicator_log() -> dict[str, Any]:
    return object_of(
        date=_DATE,
        indicator_date=_DATE,
        status=_STATUS,
        indicators_count=_WHOLE_OR_NULL,
        error_message=TEXT_OR_NULL,
        retry_count=WHOLE,
        attempts=WHOLE,
        attempted_at=TEXT_OR_NULL,
        completed_at=TEXT_OR_NULL,
        created_at=TEXT,
    )


def _sheet() -> dict[str, Any]:
    traded = dict.fromkeys(("open", "high", "low"), _WHOLE_OR_NULL)
    figures = dict.fromkeys(("close", "change", "volume", "value", "market_cap"), WHOLE)
    price = object_of(
        date=_DATE,
        ticker=TEXT,
        market=TEXT,
        **traded,
        **figures,
        shares=WHOLE,
        is_halted=TRUTH,
        **_ORIGIN,
    )
    factor = object_of(date=_DATE, ticker=TEXT, factor=NUMBER, previous_close=WHOLE, base=WHOLE)
    indicators = object_of(date=_DATE, ticker=TEXT, **_FIGURES)
    return object_of(prices=list_of(price), factors=list_of(factor), indicators=list_of(indicators))


def _index() -> dict[str, Any]:
    levels = {**dict.fromkeys(("open", "high", "low"), _NUMBER_OR_NULL), "close": NUMBER}
    return object_of(
        date=_DATE, code=TEXT, name=TEXT, **levels, volume=WHOLE, value=WHOLE, **_ORIGIN
    )


def _gaps() -> dict[str, Any]:
    missing = object_of(
        date=_DATE,
        sides=_SIDES,
        words=TEXT,
        count={**WHOLE, "description": "How many shares are stored."},
        beside={
            **_WHOLE_OR_NULL,
            "description": "How many shares the nearest verified session within a year has.",
        },
    )
    return object_of(
        first=_DATE,
        last=_DATE,
        sessions=WHOLE,
        is_whole=TRUTH,
        missing=list_of(missing),
        thin=list_of(object_of(date=_DATE, count=WHOLE, beside=WHOLE)),
        holes=list_of(object_of(ticker=TEXT, dates=list_of(_DATE))),
    )


def _collected() -> dict[str, Any]:
    side = object_of(
        side={"enum": list(SIDES)},
        status=_STATUS,
        count=WHOLE,
        changed={**WHOLE, "description": "How many rows were there, and are others now."},
        factors=WHOLE,
        provider=TEXT_OR_NULL,
        error=TEXT_OR_NULL,
        code={**TEXT_OR_NULL, "description": "That of the error."},
        seconds=NUMBER,
    )
    return object_of(
        date=_DATE,
        outcome={"enum": [*get_args(Overall), "closed", "skipped", "waiting"]},
        words=TEXT,
        decision=ref("MarketDecision"),
        sides=list_of(side),
    )


def _calculated() -> dict[str, Any]:
    return object_of(
        date=_DATE,
        outcome={"enum": ["success", "failed", "skipped", "waiting"]},
        words=TEXT,
        decision=ref("MarketDecision"),
        count=WHOLE,
        advanced={**WHOLE, "description": "How many shares were taken one day further."},
        anew={**WHOLE, "description": "How many were calculated from their first day on."},
        seconds=NUMBER,
    )
