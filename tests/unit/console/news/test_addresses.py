"""Addresses taken apart: their site, their article id, and where two of them differ."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.console.news.items import MarkedUrl, compare_urls, host_of, mark_article_id
from gotgan.console.render import environment


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Finance.Yahoo.com:443/news", "finance.yahoo.com"),
        ("https://[broken/news", ""),
        ("no address", ""),
    ],
)
def test_the_site_of_an_address_is_its_host(url: str, host: str) -> None:
    assert host_of(url) == host


@pytest.mark.parametrize(
    ("url", "is_one"),
    [("https://a.test", True), ("http://a.test", True), ("javascript:x", False), ("//a", False)],
)
def test_only_addresses_of_the_web_are_links(url: str, is_one: bool) -> None:
    assert environment().call_test("linkable", url) is is_one


def test_the_article_id_is_marked_where_it_stands() -> None:
    url = "https://a.test/123456.html/x-123456.html?y=123456.html#123456.html"
    before, after = "https://a.test/123456.html/x-", ".html?y=123456.html#123456.html"
    assert mark_article_id(url) == MarkedUrl(before, "123456", after)
    assert mark_article_id("https://a.test/x-12345.html") is None


@pytest.mark.parametrize(
    ("one", "other", "parts"),
    [
        ("/a?x=1", "/a?x=2", ("1", "2")),
        ("/a", "/a?x=1", ("", "?x=1")),
        ("/a?x=11", "/a?x=1", ("1", "")),
        ("/a", "/a", ("", "")),
    ],
)
def test_the_part_in_which_two_addresses_differ_is_marked(
    one: str, other: str, parts: tuple[str, str]
) -> None:
    mine, theirs = compare_urls(one, other)
    assert (mine.part, theirs.part) == parts


@given(st.text(alphabet="ab/", max_size=12), st.text(alphabet="ab/", max_size=12))
def test_two_marked_addresses_are_whole_and_agree_around_the_mark(one: str, other: str) -> None:
    mine, theirs = compare_urls(one, other)
    assert mine.before + mine.part + mine.after == one
    assert theirs.before + theirs.part + theirs.after == other
    assert (mine.before, mine.after) == (theirs.before, theirs.after)
