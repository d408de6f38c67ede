from __future__ import annotations

from typing import get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.shops.extract import PageFacts, PageType, Status, read_page
from gotgan.domains.shops.extract.structured_data import parse_lenient_json
from tests.unit.domains.shops.extract.pages import ADDRESS, json_ld, read

PIECES = (
    *("<h1>", "</h1>", "<p class=price>", "</p>", "<a href='/x'>", "</a>", "<del>", "<b>", "</b>"),
    *("<div itemscope itemtype='http://schema.org/Product'>", "</div>", "<i itemprop=price>"),
    *("<div itemprop=offers itemscope>", "<div typeof=Product>", "<i property=price>", "<svg>"),
    *('<script type="application/ld+json">', "</script>", '{"@type": "Product", "offers": ', "{"),
    *('"price": "', '1.299,00"', "}", "[", "]", ",", '"@id": "#a"', "€ 1.299,00", "12", "$", "99"),
    *("<meta property='og:price:amount' content='x'>", "<base href='http://[/'>", "\x00", "&#0;"),
    *("<link rel=canonical href='http://[/'>", "<button>Add to cart", "Sold", "<input type=submit"),
)


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from(PIECES) | st.text(max_size=5), max_size=40).map("".join))
def test_no_page_makes_the_reader_fail(page: str) -> None:
    facts = read_page(page.encode("utf-8", "surrogatepass"), ADDRESS)
    assert facts.price is None or facts.price > 0
    assert facts.price is not None or facts.currency is None


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=300), st.text(max_size=40), st.text(max_size=10) | st.none())
def test_no_bytes_no_address_and_no_charset_make_the_reader_fail(
    page: bytes, address: str, charset: str | None
) -> None:
    assert read_page(page, address, charset=charset).status in Status


@given(st.text(max_size=60))
def test_no_script_makes_the_reader_of_json_fail(text: str) -> None:
    assert isinstance(parse_lenient_json(text), list)


@pytest.mark.parametrize("element", ["<div>", "<b>", "<div itemscope>", "<span typeof=Product>"])
def test_a_page_that_is_nested_beyond_all_measure_is_something_else(element: str) -> None:
    assert read_page(element.encode() * 20_000, ADDRESS) == PageFacts(type="other")


def test_json_that_is_nested_beyond_all_measure_says_nothing() -> None:
    deep = '{"a":' * 5_000 + "1" + "}" * 5_000
    assert read("<h1>A chair</h1>", head=json_ld(deep)).price is None
    assert read("<h1>A chair</h1>", head=json_ld("[" * 5_000)).price is None


def test_things_that_refer_to_each_other_in_a_circle_are_read_once() -> None:
    chair = {"@id": "#chair", "@type": "Product", "name": "A chair", "offers": {"@id": "#offer"}}
    offer = {"@id": "#offer", "@type": "Offer", "price": 9, "itemOffered": chair}
    assert read("<h1>A chair</h1>", head=json_ld(offer)).price == 900


@pytest.mark.parametrize(
    "body",
    [
        "1<br>" * 50_000,
        "<b>€ 1</b> " * 50_000,
        "<a href='/x'>€ 1</a>" * 20_000,
        "<div itemscope><i itemprop=name>x</i></div>" * 20_000,
        "<script type='application/ld+json'>" + '"\\' * 200_000,
        "<script type='application/ld+json'>" + "/*" * 200_000,
        "<h1>" + "a " * 500_000,
        "<i itemprop=price>9" * 900,
        "<select>" + "<option>Small - € 9.00</option>" * 100_000 + "</select>",
        "<div itemscope itemref='" + "a " * 200_000 + "'></div>",
        "<script type='application/ld+json'>" + '"a" b ' * 200_000,
    ],
    ids=[
        *("texts", "prices", "links", "things", "quotes", "comments", "heading", "parts"),
        *("options", "references", "inner quotes"),
    ],
)
def test_a_huge_page_is_read_in_moments(body: str) -> None:
    assert read(body).type in set(get_args(PageType))


def test_a_page_is_read_in_its_own_encoding() -> None:
    page = "<h1>Stuhl für € 12</h1>".encode("cp1252")
    assert read_page(page, ADDRESS, charset="iso-8859-1").title == "Stuhl für € 12"
