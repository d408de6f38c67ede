"""What became of shops, as it is shown: registered, crawled, scraped and told of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gotgan.clock import utc_iso
from gotgan.domains.shops.adoption import Adopted
from gotgan.domains.shops.crawl_reports import CrawlReport
from gotgan.domains.shops.crews import CrewReport
from gotgan.domains.shops.deliveries import Delivered
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.registering import Registered
from gotgan.domains.shops.scrape_reports import ScrapeReport
from gotgan.errors import GotganError
from gotgan.store import Cost

__all__ = [
    "added_record",
    "adopted_record",
    "cost_of",
    "crawl_record",
    "crew_record",
    "delivered_record",
    "scrape_record",
]


def added_record(report: Registered) -> dict[str, Any]:
    """What became of shops that were to be registered, each under one of five heads."""
    return {
        "given": report.given,
        "new": [shop.domain for shop in report.new],
        "placed": [_place(shop) for shop in report.placed],
        "adopted": [_place(shop) for shop in report.adopted],
        "duplicates": [_place(shop) for shop in report.duplicates],
        "failed": _failed({each.item.domain: each.error for each in report.failed}),
        "cost": report.cost.shown(),
    }


def adopted_record(report: Adopted) -> dict[str, Any]:
    """What was read of the table, and what was added to items of other tools."""
    return {
        "read": report.read,
        "shops": report.shops,
        "pages": report.pages,
        "countries": report.countries,
        "unfit": [{"item": key, "message": why} for key, why in report.unfit.items()],
        "unfit_count": report.unfit_count,
        "is_complete": report.is_complete,
        "cost": report.cost.shown(),
    }


def crew_record(report: CrewReport[CrawlReport] | CrewReport[ScrapeReport]) -> dict[str, Any]:
    """What a crew did, shop by shop, and what it cost together."""
    return {
        "shops": [
            crawl_record(each) if isinstance(each, CrawlReport) else scrape_record(each)
            for each in report.reports
        ],
        "skipped": [
            {"domain": domain, "message": message} for domain, message in report.skipped.items()
        ],
        "failed": _failed(report.failed),
        "cost": cost_of(report).shown(),
    }


def crawl_record(report: CrawlReport) -> dict[str, Any]:
    """What a crawl of one shop did, and why it ended."""
    return {
        "domain": report.domain,
        "outcome": report.outcome,
        "reason": report.reason,
        "not_before": None if report.not_before is None else utc_iso(report.not_before),
        "pages": report.pages,
        "products": report.products,
        "new": report.new,
        "changed": report.changed,
        "unlike": report.unlike,
        "unchanged": report.unchanged,
        "gone": report.gone,
        "removed": report.removed,
        "failed": dict(report.failed),
        "cost": report.cost.shown(),
    }


def scrape_record(report: ScrapeReport) -> dict[str, Any]:
    """What a scrape of one shop did, and why it ended."""
    return {
        "domain": report.domain,
        "outcome": report.outcome,
        "reason": report.reason,
        "not_before": None if report.not_before is None else utc_iso(report.not_before),
        "pages": report.pages,
        "noted": dict(report.noted),
        "failed": dict(report.failed),
        "cost": report.cost.shown(),
    }


def delivered_record(report: Delivered) -> dict[str, Any]:
    """What a sink was handed, and why no more."""
    return {
        "sink": report.sink,
        "changes": report.changes,
        "shops": report.shops,
        "stopped": report.stopped,
        "cost": report.cost.shown(),
    }


def cost_of(report: CrewReport[CrawlReport] | CrewReport[ScrapeReport]) -> Cost:
    """What a crew took for all of its shops."""
    return sum((each.cost for each in report.reports), Cost())


def _place(shop: Shop) -> dict[str, str | None]:
    return {"domain": shop.domain, "shop_country": shop.shop_country}


def _failed(errors: Mapping[str, GotganError]) -> list[dict[str, str]]:
    return [
        {"domain": domain, "code": error.code, "message": error.message}
        for domain, error in errors.items()
    ]
