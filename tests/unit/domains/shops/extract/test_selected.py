"""What the selectors of a shop find comes first, and is named as the source."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.domains.shops.extract import PageFacts, fact_text, read_page
from gotgan.domains.shops.extract.selected import matched_texts, parse_selector, selectors_digest
from gotgan.domains.shops.models import SELECTOR_FIELDS, SelectorField
from gotgan.errors import UsageError

URL = "https://shop.example/p/1"
DECLARED = """<script type="application/ld+json">{"@type": "Product", "name": "Lot 7",
"offers": {"price": "10.00", "priceCurrency": "EUR", "availability": "InStock"}}</script>"""


def read(body: str, **selectors: str) -> PageFacts:
    page = f"<!doctype html><html><head><title>Shop</title></head><body>{body}</body></html>"
    return read_page(page.encode(), URL, selectors=selectors)


# Reading


@pytest.mark.parametrize(
    ("body", "price"),
    [
        ("<b id=x>1.299,00 €</b>", (129_900, "EUR")),
        ("<b id=x>Now only $ 12.50 each</b>", (1_250, "USD")),
        ("<b id=x>Price: 1,299.00</b>", (129_900, None)),
        ("<b id=x>450,-</b>", (45_000, None)),
        ("<meta id=x content=19.95>", (1_995, None)),
        ("<b id=x content=12.00>12 pieces</b>", (1_200, None)),
        ("<input id=x value='£45'>", (4_500, "GBP")),
        ("<b id=x>on request</b><b id=x>£45</b>", (4_500, "GBP")),
        ("<a id=x href='/p/123'>Ask for 2 of them, please</a>", (None, None)),
        ("<b id=x>0</b>", (None, None)),
        ("<b>£45</b>", (None, None)),
    ],
)
def test_a_price_is_read_from_what_is_selected(body: str, price: tuple[Any, ...]) -> None:
    facts = read(f"<h1>A chair</h1><nav>{body}</nav>", price="#x")
    assert (facts.price, facts.currency) == price
    assert facts.sources.get("price") == (None if price[0] is None else "selector #x")


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ("<b id=x>Ausverkauft</b>", "SOLD"),
        ("<b id=x>In stock</b>", "AVAILABLE"),
        ("<button id=x>Add to cart</button>", "AVAILABLE"),
        ("<b id=x>Reserved</b>", "RESERVED"),
        ("<link id=x href='https://schema.org/OutOfStock'>", "SOLD"),
        ("<meta id=x content=BackOrder>", "LISTED"),
        ("<b id=x>Tuesday</b>", None),
    ],
)
def test_an_availability_is_read_from_what_is_selected(body: str, status: str | None) -> None:
    facts = read(f"<h1>A chair</h1><nav>{body}</nav>", status="#x")
    assert fact_text(facts, "status") == status


def test_a_selected_fact_comes_before_what_is_declared_and_the_others_stay() -> None:
    facts = read(f"{DECLARED}<h1>A chair</h1><p class=now>€ 80,00</p>", price=".now", title="h1")
    assert (facts.price, facts.currency, facts.title) == (8_000, "EUR", "A chair")
    selected = {"price": "selector .now", "currency": "selector .now", "title": "selector h1"}
    assert facts.sources.items() >= {**selected, "status": "json-ld"}.items()


def test_a_selected_currency_is_that_of_a_price_without_one() -> None:
    body = "<h1>A chair</h1><nav><b id=x>1,299</b><i id=y>CHF</i></nav>"
    facts = read(body, price="#x", currency="#y")
    assert (facts.price, facts.currency) == (129_900, "CHF")


def test_a_currency_without_a_price_says_nothing() -> None:
    facts = read("<h1>A chair</h1><nav><i id=y>CHF</i></nav>", currency="#y")
    assert (facts.price, facts.currency, "currency" in facts.sources) == (None, None, False)


def test_where_nothing_is_selected_the_page_is_read_as_before() -> None:
    for selector in (".nothing", "p >", "::"):
        facts = read(f"{DECLARED}<h1>A chair</h1>", price=selector)
        assert (facts.price, facts.sources["price"]) == (1_000, "json-ld")


def test_a_page_with_the_mark_of_product_pages_is_one() -> None:
    body = "<h1>Kontor</h1><p>Eine Seite.</p>"
    assert read(f"{body}<i class=lot></i>").type != "product"
    assert read(f"{body}<i class=lot></i>", product=".lot").type == "product"
    assert read(body, product=".lot").type != "product"


@pytest.mark.parametrize("field", SELECTOR_FIELDS)
def test_each_field_can_be_selected(field: SelectorField) -> None:
    texts = {"price": "€ 5,00", "currency": "EUR", "status": "Sold", "title": "X", "product": ""}
    facts = read(f"<nav><b id=x>{texts[field]}</b></nav><p class=price>€ 9,00</p>", **{field: "#x"})
    wanted = {
        "price": "5.00 EUR",
        "currency": "EUR",
        "status": "SOLD",
        "title": "X",
        "product": "product",
    }
    assert fact_text(facts, field) == wanted[field]


def test_what_is_selected_can_be_looked_at() -> None:
    page = b"<ul><li>One</li><li content='2'>Two</li><li></li></ul>"
    assert matched_texts(page, "li") == ["One", "2", ""]
    assert matched_texts(page, "b") == []


# Which selectors there are


@pytest.mark.parametrize(
    "selector",
    [
        ".price",
        "#product-1 > div.summary span.price:not(.old)",
        "main > section > div > div > div > p:nth-child(2) > b",
        'meta[itemprop="price currency of the day"]',
        ".a, .b .c, [data-x='a b c d e f']",
        ".md\\:flex",
    ],
)
def test_usual_selectors_are_valid(selector: str) -> None:
    assert parse_selector(f"  {selector} ") == selector


@pytest.mark.parametrize(
    "selector",
    ["", "p >", "..", "::before", "p:has(b)", "P:HAS(b)", "a b c d e", "x" * 301, "p\0", "{}"],
)
def test_what_is_no_selector_or_may_take_too_long_is_refused(selector: str) -> None:
    with pytest.raises(UsageError):
        parse_selector(selector)


@pytest.mark.parametrize(("depth", "price"), [(50, 500), (900, None)])
def test_on_a_page_that_is_nested_too_deeply_nothing_is_selected(
    depth: int, price: int | None
) -> None:
    """The time of such a selector grows with the depth, to the power of its spaces."""
    deep = "<div>" * depth + "<p>€ 5,00</p>" * 50 + "</div>" * depth
    facts = read(f"<nav>{deep}</nav>", price=parse_selector("body * * p"))
    assert facts.price == price


def test_the_digest_tells_selectors_apart() -> None:
    assert selectors_digest(None) is selectors_digest({}) is None
    both = {"price": ".a", "title": ".b"}
    assert selectors_digest(both) == selectors_digest(dict(reversed(both.items())))
    assert selectors_digest(both) != selectors_digest({"price": ".b", "title": ".a"})
