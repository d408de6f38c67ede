"""On a Korean page every sentence of the product is Korean."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator

import httpx
import pytest
from selectolax.lexbor import LexborHTMLParser

from gotgan.app import App
from tests.unit.console.reading import every_address, texts_of
from tests.unit.console.test_texts import CONSOLE
from tests.unit.console.whole import filled_console

KOREAN = {"accept-language": "ko"}
ENGLISH_WORDS = re.compile(r"(?:[A-Za-z][a-z']*[,;:]? ){2,}[A-Za-z]")
"""Three words or more."""
NOT_TEXT = (
    "code, pre, textarea, .mono, .address, "
    ".words:not(.reason), "  # what somebody wrote
    ".pair, button[lang], .brand"  # fields of events, languages, and the name
)
FOREIGN = re.compile(
    r"https?://\S+|\bgotgan(?: [a-z-]+)+|YouTube Data API|Google Cloud|KOSPI, KOSDAQ, KONEX"
    r"|title, url, tickers|title~Korea, url\^https, error exists, tickers|by_queue: queue, due_at"
    r"|TradingView Lightweight Charts|story(?:, [a-z]+)+"
)
"""Addresses, commands, and names that Korean has as well."""
QUOTED = "finance.yahoo.com answered <503>; try again later"
"""What these tests store as plain text."""


@pytest.fixture(scope="module")
def console() -> Iterator[tuple[App, httpx.Client]]:
    """An admin at pages that have something to show."""
    with filled_console() as (app, client):
        client.follow_redirects = True
        yield app, client


@pytest.fixture(scope="module")
def pages(console: tuple[App, httpx.Client]) -> dict[str, str]:
    """Every page in Korean, by its address; also that of an error, and the one for signing in."""
    _, client = console
    addresses = ["/nowhere", "/market/stocks/nothing", *every_address(client).values()]
    stranger = httpx.get(client.base_url.join("/sign-in"), headers=KOREAN, timeout=client.timeout)
    found = {each: client.get(each, headers=KOREAN).text for each in addresses}
    return {"/sign-in": stranger.text, **found}


def test_no_sentence_is_english(pages: dict[str, str]) -> None:
    wrong = [
        (address, words)
        for address, page in pages.items()
        for words, is_marked in texts_of(page, NOT_TEXT)
        if is_marked or ENGLISH_WORDS.search(FOREIGN.sub("", words))
        if words != QUOTED
    ]
    assert wrong == []


def test_every_text_of_the_help_is_on_a_page(console: tuple[App, httpx.Client]) -> None:
    _, client = console
    pages = [LexborHTMLParser(client.get(each).text).text() for each in ("/docs", "/tables")]
    shown = " ".join(" ".join(pages).split())
    help_texts = tomllib.loads((CONSOLE / "help.toml").read_text(encoding="utf-8"))
    assert [each for each in help_texts if each.replace("`", "") not in shown] == []


def test_every_page_is_read(pages: dict[str, str]) -> None:
    """An English sentence is found where there is one, marked or not."""
    page = '<p title="You have no mail">가<span lang="en">No mail</span> or two words</p>'
    assert list(texts_of(page, "b")) == [
        ("No mail", True),
        ("You have no mail", False),
        ("가", False),
        ("or two words", False),
    ]
    assert len(pages) > 70
