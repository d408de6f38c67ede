"""The schemas of what the shops answer: under the names that their items have."""

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
from gotgan.domains.shops.models import CrawlOutcome, ScrapeOutcome
from gotgan.domains.shops.reading import Status
from gotgan.domains.shops.records import PAGE_FIELDS, POSTPONED_FIELDS, SHOP_FIELDS
from gotgan.domains.shops.stages import STAGES
from gotgan.lifecycle import State

__all__ = ["data", "kinds"]

_STAGE: Final = {"enum": list(STAGES)}
_COUNTS: Final = {"type": "object", "additionalProperties": WHOLE}
_STATE: Final = {"enum": [state.value for state in State]}
_MINOR: Final = {**WHOLE, "description": "In minor units of the currency."}
_NO_TEXT: Final = {
    "standards": list_of(TEXT),
    "crawl_outcome": {"enum": list(get_args(CrawlOutcome))},
    "crawl_pages": WHOLE,
    "crawl_attempts": WHOLE,
    "scrape_attempts": WHOLE,
    "scrape_outcome": {"enum": list(get_args(ScrapeOutcome))},
    "price": _MINOR,
    "sources": {
        "type": "object",
        "additionalProperties": TEXT,
        "description": "Where each fact is from.",
    },
}
"""The attributes that are something else."""
_NOT_BEFORE: Final = {
    **TEXT_OR_NULL,
    "description": "When the next attempt is due, where the shop could not be reached.",
}


def kinds() -> dict[str, Any]:
    """What several answers have in common, by its name."""
    states = {f"{stage}_state": _STATE for stage in STAGES}
    return {
        "Shop": _known((*SHOP_FIELDS, *POSTPONED_FIELDS), "domain", **states),
        "ShopPage": _page(),
        "Offer": _offer(),
        "StuckShop": object_of(
            domain=TEXT,
            shop_country=TEXT_OR_NULL,
            stage=_STAGE,
            since=TEXT_OR_NULL,
            owner=TEXT_OR_NULL,
            attempts={**WHOLE, "description": "How many claims since it was last done."},
        ),
        "UnreachedShop": object_of(
            domain=TEXT,
            stage=_STAGE,
            last_error=TEXT,
            attempts={**WHOLE, "description": "How many attempts since it was last done."},
            tried_at=TEXT_OR_NULL,
            not_before={**TEXT, "description": "When the next attempt is due."},
        ),
        "AdoptReport": _adopted(),
        "CrawlReport": _crew(_crawl()),
        "ScrapeReport": _crew(_scrape()),
        "DeliveryReport": object_of(
            sink={**TEXT, "description": "Who was told."},
            changes=WHOLE,
            shops={**WHOLE, "description": "Of how many shops."},
            stopped={**TEXT_OR_NULL, "description": "Why it ended early; nothing is lost."},
            cost=cost(),
        ),
    }


def data() -> dict[str, Any]:
    """The data of each answer, by its name."""
    more = {**TRUTH, "description": "Whether the limit left some out."}
    return {
        "Shop": ref("Shop"),
        "ShopPagePage": page_of(ref("ShopPage")),
        "ChangePage": page_of(_change()),
        "RelatedDomains": object_of(items=list_of(TEXT)),
        "DueShops": object_of(stage=_STAGE, items=list_of(ref("Shop")), has_more=more, cost=cost()),
        "StuckShops": object_of(items=list_of(ref("StuckShop")), cost=cost()),
        "Released": object_of(released=list_of(ref("StuckShop"))),
        "Registered": object_of(
            given={**WHOLE, "description": "How many shops there were."},
            new=list_of(TEXT),
            placed={**_places(), "description": "They had no country, and have one now."},
            adopted={
                **_places(),
                "description": "Another tool wrote them; index keys that they lacked were added.",
            },
            duplicates={**_places(), "description": "They stay as they were."},
            failed=_failed(),
            cost=cost(),
        ),
    }


def _known(names: tuple[str, ...], sure: str, **more: Any) -> dict[str, Any]:
    """A record that has what is known, and is sure to have one thing."""
    fields = {name: _NO_TEXT.get(name, TEXT) for name in names}
    return {**object_of(**fields, **more), "required": [sure]}


def _page() -> dict[str, Any]:
    """A record that always has the same names; what is not known is null."""
    fields = {name: or_null(_NO_TEXT.get(name, TEXT)) for name in PAGE_FIELDS}
    return object_of(**{**fields, "url": TEXT})


def _offer() -> dict[str, Any]:
    return object_of(
        status={"enum": [*(str(status) for status in Status), None]},
        price={"type": ["integer", "null"], "description": "In minor units of the currency."},
        currency=TEXT_OR_NULL,
        hash=TEXT_OR_NULL,
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
    )


def _crew(shop: dict[str, Any]) -> dict[str, Any]:
    """What became of several shops."""
    return object_of(
        shops=list_of(shop),
        skipped={**_skipped(), "description": "Shops that somebody else has, and until when."},
        failed=_failed(),
        cost=cost(),
    )


def _adopted() -> dict[str, Any]:
    return object_of(
        read={**WHOLE, "description": "How many items of the table were read."},
        shops={**WHOLE, "description": "Shops whose index keys were completed."},
        pages={**WHOLE, "description": "Pages whose index keys were completed."},
        countries={**list_of(TEXT), "description": "Countries that were added to the registry."},
        unfit={
            **list_of(object_of(item=TEXT, message=TEXT)),
            "description": "Items that cannot be read as a shop or a page; left unchanged.",
        },
        unfit_count=WHOLE,
        is_complete={
            **TRUTH,
            "description": "Whether the end of the table was reached; if not, run it again.",
        },
        cost=cost(),
    )


def _crawl() -> dict[str, Any]:
    return object_of(
        domain=TEXT,
        outcome=_NO_TEXT["crawl_outcome"],
        reason=TEXT,
        not_before=_NOT_BEFORE,
        pages=WHOLE,
        products=WHOLE,
        new=WHOLE,
        changed={**WHOLE, "description": "How many pages are of another type than before."},
        unlike={**WHOLE, "description": "How many known products did not look like products."},
        unchanged={**WHOLE, "description": "How many pages the server knew that we have."},
        gone=WHOLE,
        removed={**WHOLE, "description": "How many products are no longer offered."},
        failed={**_COUNTS, "description": "By which codes pages failed, how often."},
        cost=cost(),
    )


def _scrape() -> dict[str, Any]:
    outcome = {"enum": [*get_args(ScrapeOutcome), None]}
    return object_of(
        domain=TEXT,
        outcome={**outcome, "description": "Null where somebody else went on with it."},
        reason=TEXT,
        not_before=_NOT_BEFORE,
        pages={**WHOLE, "description": "How many products were looked at."},
        noted={**_COUNTS, "description": "What was made of them, how often."},
        failed={**_COUNTS, "description": "By which codes pages failed, how often."},
        cost=cost(),
    )


def _places() -> dict[str, Any]:
    return list_of(object_of(domain=TEXT, shop_country=TEXT_OR_NULL))


def _skipped() -> dict[str, Any]:
    return list_of(object_of(domain=TEXT, message=TEXT))


def _failed() -> dict[str, Any]:
    return list_of(object_of(domain=TEXT, code=TEXT, message=TEXT))
