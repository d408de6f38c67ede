"""How a crawl ended is one word and one reason, whatever came together."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.domains.shops.crawl_reports import CrawlReport, judged
from gotgan.domains.shops.crawl_tally import CrawlTally
from gotgan.domains.shops.journal import Log, Visit
from gotgan.errors import PageForbidden, Unreachable

HOME = "https://example.com/"


@pytest.mark.parametrize(
    ("products", "met", "outcome", "reason"),
    [
        (3, {}, "ok", "all pages were seen"),
        (3, {"is_partial": True}, "ok", "not all pages could be had"),
        (3, {"login": "https://example.com/login"}, "ok", "all pages were seen"),
        (0, {}, "empty", "no page of it looks like a product; all pages were seen"),
        (0, {"is_partial": True}, "empty", "not all pages could be had"),
        (0, {"login": "https://example.com/login"}, "blocked", "it wants a login"),
        (0, {"left": 1_234}, "budget", "1,234 pages are left"),
        (3, {"trouble": PageForbidden("no", 403), "left": 1}, "blocked", "no"),
        (3, {"trouble": Unreachable("nobody")}, "unreachable", "nobody"),
    ],
)
def test_an_end_has_its_word_and_its_reason(
    products: int, met: dict[str, Any], outcome: str, reason: str
) -> None:
    nothing = {"trouble": None, "left": 0, "login": None, "is_partial": False}
    word, why = judged(products, **{**nothing, **met})
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
    home = Visit(HOME, "seen", links=(f"{HOME}{place}",))
    tally = CrawlTally(CrawlReport("example.com"), Log(visits={HOME: home}))
    assert (tally.login is not None) == is_login


def test_a_front_page_that_only_has_a_link_to_a_login_is_no_wall() -> None:
    home = Visit(HOME, "seen", "category", (f"{HOME}login",))
    tally = CrawlTally(CrawlReport("example.com"), Log(visits={HOME: home}))
    assert tally.login is None
