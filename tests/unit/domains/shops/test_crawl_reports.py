"""How a crawl ended is one word and one reason, whatever came together."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.domains.shops.crawl import CrawlTally, front_page_problem
from gotgan.domains.shops.journal import CrawlLog, Visit
from gotgan.domains.shops.reports import CrawlReport, CrawlStep, judge_crawl
from gotgan.errors import PageForbidden, Unreachable

HOME = "https://example.com/"
WALL = ("blocked", "it wants a login")


@pytest.mark.parametrize(
    ("products", "met", "outcome", "reason"),
    [
        (3, {}, "ok", "all pages were visited"),
        (3, {"flaw": ""}, "ok", "some pages could not be fetched"),
        (3, {"flaw": "a sitemap"}, "ok", "some pages could not be fetched: a sitemap"),
        (3, {"door": WALL}, "ok", "all pages were visited"),
        (0, {}, "empty", "no page looks like a product; all pages were visited"),
        (0, {"flaw": ""}, "empty", "some pages could not be fetched"),
        (0, {"door": WALL}, "blocked", "it wants a login"),
        (0, {"left": 1_234}, "budget", "at least 1,234 more pages are left"),
        (3, {"left": 1}, "budget", "at least 1 more page is left"),
        (3, {"unlike": 3}, "ok", "3 known products no longer look like products, so no product"),
        (3, {"unlike": 4}, "blocked", "4 known products no longer look like products"),
        (0, {"unlike": 1, "left": 1}, "blocked", "1 known product no longer looks like a product"),
        (3, {"unlike": 1, "left": 2}, "budget", "1 known product no longer looks like a product"),
        (3, {"trouble": PageForbidden("no", 403), "left": 1}, "blocked", "no"),
        (3, {"trouble": Unreachable("nobody")}, "unreachable", "nobody"),
    ],
)
def test_an_end_has_its_word_and_its_reason(
    products: int, met: dict[str, Any], outcome: str, reason: str
) -> None:
    nothing = {"trouble": None, "left": 0, "unlike": 0, "door": None, "flaw": None}
    word, why = judge_crawl(products, **{**nothing, **met})
    assert word == outcome
    assert reason in why


@pytest.mark.parametrize(
    ("place", "is_login"),
    [
        ("login?next=/", True),
        ("account/sign-in", True),
        ("konto/anmelden", True),
        ("index.php?route=account/login", True),
        ("password", True),
        ("de/", False),
        ("blogging-in-style", False),
        ("loginov-vases", False),
    ],
)
def test_a_front_page_that_leads_to_a_login_is_known_by_its_address(
    place: str, is_login: bool
) -> None:
    assert (
        front_page_problem(Visit(HOME, "seen", links=(f"{HOME}{place}",))) is not None
    ) == is_login


def test_a_front_page_that_only_has_a_link_to_a_login_is_no_wall() -> None:
    assert front_page_problem(Visit(HOME, "seen", "category", (f"{HOME}login",))) is None


def test_who_goes_on_after_a_crash_knows_that_the_front_page_is_missing() -> None:
    log = CrawlLog(visits={HOME: Visit(HOME, "gone")})
    tally = CrawlTally(CrawlReport("example.com"), log)
    assert front_page_problem(tally.front) == ("unreachable", "its front page is missing")


def test_who_goes_on_after_a_crash_knows_what_did_not_look_like_products() -> None:
    url = f"{HOME}table"
    report = CrawlReport("example.com")
    tally = CrawlTally(report, CrawlLog(visits={url: Visit(url, "unlike", "other")}))
    assert (report.unlike, report.products, tally.seen) == (1, 0, {url})


@pytest.mark.parametrize(("pages", "left", "to_visit"), [(3, 4, 4), (3, 40, 7), (10, 40, 0)])
def test_no_more_is_to_be_visited_than_the_budget_allows(
    pages: int, left: int, to_visit: int
) -> None:
    assert CrawlStep("example.com", pages, 0, left, HOME, budget=10).to_visit == to_visit
