from __future__ import annotations

import json
from typing import Any

import pytest

from gotgan.domains.shops.extract import Status
from gotgan.domains.shops.extract.products import declared_status
from tests.unit.domains.shops.extract.pages import CHAIR, json_ld, read

OFFER = {
    "@type": "Offer",
    "price": "450.00",
    "priceCurrency": "GBP",
    "availability": "https://schema.org/InStock",
}
PRODUCT = {"@type": "Product", "name": "A Georgian chair", "offers": OFFER}
RANGE = {
    "@type": "AggregateOffer",
    "lowPrice": 450,
    "highPrice": 900,
    "priceCurrency": "GBP",
    "availability": "InStock",
}


@pytest.mark.parametrize(
    "declared",
    [
        PRODUCT,
        [PRODUCT],
        {"@graph": [{"@type": "WebSite"}, PRODUCT]},
        {"@type": "WebPage", "mainEntity": PRODUCT},
        PRODUCT | {"@type": "http://schema.org/Product"},
        PRODUCT | {"@type": ["product", "Thing"]},
        PRODUCT | {"offers": [OFFER]},
        PRODUCT | {"offers": RANGE},
        PRODUCT
        | {
            "offers": {
                "availability": "InStock",
                "priceSpecification": {"price": 450, "priceCurrency": "GBP"},
            }
        },
        {"@type": "ProductGroup", "name": "A Georgian chair", "hasVariant": [PRODUCT]},
        {"@type": "Offer", "itemOffered": {"@type": "Product", "name": "A chair"}} | OFFER,
        {
            "@graph": [
                PRODUCT | {"offers": {"@id": "#offer"}},
                {"@id": "#offer"} | OFFER,
            ]
        },
    ],
)
def test_a_product_is_found_wherever_json_ld_has_it(declared: Any) -> None:
    facts = read(CHAIR, head=json_ld(declared))
    assert (facts.type, facts.price, facts.currency) == ("product", 45000, "GBP")
    assert facts.status is Status.AVAILABLE
    assert facts.sources["price"] == facts.sources["status"] == "json-ld"
    assert facts.standards == ("json-ld",)


OFFERED = '"offers": {"price": 9.5, "priceCurrency": "EUR"}'
QUOTED = '{"@type": "Product", ' + OFFERED + "}"


@pytest.mark.parametrize(
    "script",
    [
        '{"@type": "Product", "name": "Chair", ' + OFFERED + ",}",
        '{"@type": "Product", "offers": {"price": 9.5, "priceCurrency": "EUR",},}',
        f"<!-- {QUOTED} -->",
        f"//<![CDATA[\n{QUOTED}\n//]]>",
        '/* ours */ {"@type": "Product", // a chair\n' + OFFERED + "};",
        QUOTED.replace('"', "&quot;"),
        '{"@type": "Product", "description": "of\noak // old", ' + OFFERED + "}",
        '{"@type": "WebSite"} ' + QUOTED,
        "\ufeff" + QUOTED,
        json.dumps(QUOTED),
        '{"@type": "Product", "name": "Smith\\\'s chair", ' + OFFERED + "}",
        '{"@type": "Product", "name": "A 5" seat of "good" oak", ' + OFFERED + "}",
    ],
)
def test_json_ld_that_is_broken_is_read_as_far_as_it_can_be(script: str) -> None:
    facts = read(CHAIR, head=json_ld(script))
    assert (facts.price, facts.currency) == (950, "EUR")


def test_the_price_that_is_paid_comes_before_the_one_of_the_list() -> None:
    paid = {"price": 80, "priceCurrency": "EUR"}
    listed = {"price": 100, "priceCurrency": "EUR", "priceType": "https://schema.org/ListPrice"}
    offer = {"@type": "Offer", "priceSpecification": [listed, paid]}
    assert read(CHAIR, head=json_ld(PRODUCT | {"offers": offer})).price == 8000


def test_the_price_of_a_sale_comes_before_that_of_the_list_in_the_offer() -> None:
    listed = {"price": 100, "priceCurrency": "EUR", "priceType": "https://schema.org/ListPrice"}
    sale = {"price": 80, "priceCurrency": "EUR", "priceType": "https://schema.org/SalePrice"}
    members = {"price": 70, "priceCurrency": "EUR", "validForMemberTier": {"name": "gold"}}
    several = {"price": 60, "priceCurrency": "EUR", "eligibleQuantity": {"minValue": 10}}
    own = {"@type": "Offer", "price": "100.00", "priceCurrency": "EUR"}
    offer = own | {"priceSpecification": [members, several, listed, sale]}
    assert read(CHAIR, head=json_ld(PRODUCT | {"offers": offer})).price == 8000
    unlisted = own | {"priceSpecification": [members, several, sale]}
    assert read(CHAIR, head=json_ld(PRODUCT | {"offers": unlisted})).price == 10000


def test_of_several_offers_the_first_one_that_is_not_sold_is_read() -> None:
    sold = OFFER | {"price": "300", "availability": "https://schema.org/OutOfStock"}
    offers = [sold, OFFER | {"availability": "https://schema.org/InStock"}]
    facts = read(CHAIR, head=json_ld(PRODUCT | {"offers": offers}))
    assert (facts.price, facts.status) == (45000, Status.AVAILABLE)


def test_of_several_products_the_one_that_the_page_is_named_after_is_read() -> None:
    other = {"@type": "Product", "name": "An oak table", "offers": OFFER | {"price": 9}}
    facts = read(CHAIR, head=json_ld([other, PRODUCT]))
    assert (facts.title, facts.price) == ("A Georgian chair", 45000)


def test_a_related_product_is_never_the_one() -> None:
    related = {"@type": "Product", "name": "An oak table", "offers": OFFER}
    chair = {"@type": "Product", "name": "A Georgian chair", "isRelatedTo": related}
    facts = read(CHAIR, head=json_ld(chair))
    assert facts.price is None
    assert facts.currency is None


def test_several_products_of_other_names_make_no_page_of_a_product() -> None:
    names = ("An oak table", "A brass lamp", "An elm chest")
    several = [PRODUCT | {"name": name} for name in names]
    facts = read("<h1>Furniture</h1>", head=json_ld(several), address="https://antik.test/shop")
    assert (facts.type, facts.price) == ("category", None)


def test_a_thing_that_is_there_in_one_size_is_there() -> None:
    offers = [OFFER | {"availability": "OutOfStock"}, OFFER]
    facts = read(CHAIR, head=json_ld(PRODUCT | {"offers": offers}))
    assert facts.status is Status.AVAILABLE


@pytest.mark.parametrize(
    ("said", "status"),
    [
        ("https://schema.org/InStock", Status.AVAILABLE),
        ("InStoreOnly", Status.AVAILABLE),
        ("OnlineOnly", Status.AVAILABLE),
        ("LimitedAvailability", Status.AVAILABLE),
        ("MadeToOrder", Status.AVAILABLE),
        ("PreSale", Status.AVAILABLE),
        ("http://schema.org/BackOrder", Status.LISTED),
        ("schema:PreOrder", Status.LISTED),
        ("Reserved", Status.RESERVED),
        ("SoldOut", Status.SOLD),
        ("out of stock", Status.SOLD),
        ("https://schema.org#Discontinued", Status.REMOVED),
        ("sold", Status.SOLD),
        ("oos", Status.SOLD),
        ("available for order", Status.LISTED),
        ("http://schema.org/InStock", Status.AVAILABLE),
        ("unavailable", Status.SOLD),
        ("Nicht auf Lager", Status.SOLD),
        ("품절", Status.SOLD),
        ("Auf Lager", Status.AVAILABLE),
        ("somewhere", None),
        ("", None),
        (None, None),
        (3, None),
    ],
)
def test_each_availability_of_the_standard_has_its_status(said: Any, status: Status | None) -> None:
    assert declared_status(said) is status


MICRODATA = """
<div itemscope itemtype="https://schema.org/Product">
  <span itemprop="name">A Georgian chair</span>
  <div itemprop="offers" itemscope itemtype="http://schema.org/Offer">
    <span itemprop="price" content="450.00">£450</span>
    <meta itemprop="priceCurrency" content="GBP"><link itemprop="availability" href="SoldOut">
  </div>
  <div itemprop="isRelatedTo" itemscope itemtype="https://schema.org/Product">
    <span itemprop="price">£9</span>
  </div>
</div>
"""
RDFA = """
<div vocab="https://schema.org/" typeof="Product">
  <span property="name">A Georgian chair</span>
  <div property="offers" typeof="Offer">
    <span property="price">450,00 €</span>
    <link property="availability" href="http://schema.org/InStock">
  </div>
</div>
"""


def test_microdata_is_read() -> None:
    facts = read(CHAIR + MICRODATA)
    assert (facts.type, facts.price, facts.currency) == ("product", 45000, "GBP")
    assert facts.status is Status.SOLD
    assert facts.standards == ("microdata",)
    assert set(facts.sources.values()) == {"microdata", "declared"}


@pytest.mark.parametrize(
    "price",
    [
        "<span itemprop='price' content=''>450.00</span>",
        "<input type='hidden' itemprop='price' value='450.00'>",
        "<data itemprop='price' value='450.00'>450</data>",
    ],
)
def test_a_value_of_microdata_may_be_anywhere_in_its_element(price: str) -> None:
    offer = f"<div itemprop='offers' itemscope>{price}<i itemprop='priceCurrency'>GBP</i></div>"
    thing = f"<div itemscope itemtype='https://schema.org/Product'>{CHAIR}{offer}</div>"
    assert (read(thing).price, read(thing).currency) == (45000, "GBP")


def test_microdata_may_refer_to_other_parts_of_the_page() -> None:
    price = "<i itemprop='price' content='450'></i><i itemprop='priceCurrency' content='GBP'></i>"
    offer = f"<p id='offer' itemprop='offers' itemscope>{price}</p>"
    thing = "<div itemscope itemtype='https://schema.org/Product' itemref='none offer'></div>"
    for body in (f"{CHAIR}{thing}{offer}", f"{offer}{CHAIR}{thing}"):
        assert (read(body).price, read(body).currency) == (45000, "GBP")


def test_rdfa_is_read() -> None:
    facts = read(CHAIR + RDFA)
    assert (facts.price, facts.currency, facts.status) == (45000, "EUR", Status.AVAILABLE)
    assert facts.standards == ("rdfa",)


OPENGRAPH = """
<meta property="og:type" content="product"><meta property="og:title" content="A Georgian chair">
<meta property="product:price:amount" content="450,00">
<meta property="product:price:currency" content="GBP">
<meta property="product:availability" content="instock">
"""


def test_opengraph_is_read() -> None:
    facts = read(CHAIR, head=OPENGRAPH)
    assert (facts.type, facts.price, facts.currency) == ("product", 45000, "GBP")
    assert facts.status is Status.AVAILABLE
    assert facts.standards == ("opengraph",)


def test_the_price_of_a_sale_comes_first_in_opengraph_too() -> None:
    sale = '<meta property="product:sale_price:amount" content="400">'
    assert read(CHAIR, head=OPENGRAPH + sale).price == 40000


def test_each_standard_fills_what_those_before_it_leave_blank() -> None:
    bare = {"@type": "Product", "name": "A Georgian chair", "offers": {"price": "12"}}
    hidden = MICRODATA.replace("£450", "")
    facts = read(CHAIR + hidden, head=json_ld(bare) + OPENGRAPH)
    assert (facts.price, facts.currency, facts.status) == (1200, "GBP", Status.SOLD)
    assert facts.sources == {
        "title": "json-ld",
        "price": "json-ld",
        "currency": "microdata",
        "status": "microdata",
        "type": "declared",
    }
    assert facts.standards == ("json-ld", "microdata", "opengraph")


def test_a_price_without_a_currency_has_that_of_the_sites_country() -> None:
    bare = {"@type": "Product", "name": "A Georgian chair", "offers": {"price": "12"}}
    facts = read(CHAIR, head=json_ld(bare), address="https://antik.example.ch/chair")
    assert (facts.price, facts.currency, facts.sources["currency"]) == (1200, "CHF", "site")


def test_a_price_of_nothing_is_unknown_and_not_looked_for_elsewhere() -> None:
    on_request = PRODUCT | {"offers": {"price": "0", "priceCurrency": "EUR"}}
    facts = read(CHAIR + "<p>€ 99</p>", head=json_ld(on_request))
    assert (facts.type, facts.price, facts.currency) == ("product", None, None)


AT_400 = "<p class='price'><del>£450</del> <ins>£400</ins></p>"
OPENGRAPH_400 = OPENGRAPH.replace("450,00", "400,00")


@pytest.mark.parametrize(
    ("body", "head", "reason"),
    [
        (AT_400, "", "lower one of a struck-through pair"),
        ("<p class='price'>£400</p>", OPENGRAPH_400, "equal to opengraph"),
        (
            "<p>Our price: <b class='price'>£450</b></p><p>Sale: <b class='price'>£400</b></p>",
            "",
            "labelled as the sale price",
        ),
    ],
)
def test_a_marked_visible_price_at_the_heading_wins_over_json_ld(
    body: str, head: str, reason: str
) -> None:
    facts = read(CHAIR + body, head=json_ld(PRODUCT) + head)
    assert (facts.price, facts.currency, facts.status) == (40000, "GBP", Status.AVAILABLE)
    assert facts.sources["price"] == "text"
    assert facts.sources["declared_price"] == "json-ld: 450.00 GBP"
    assert facts.sources["price_reason"] == reason


def test_the_visible_price_of_a_choice_wins_over_the_lowest_of_all_offers() -> None:
    offers = [OFFER | {"price": "400"}, OFFER | {"price": "450"}]
    every = {"@type": "AggregateOffer", "lowPrice": "400", "priceCurrency": "GBP", "offers": offers}
    head = json_ld(PRODUCT | {"offers": every})
    facts = read(f"{CHAIR}<p class='price'>£450</p>", head=head)
    assert (facts.price, facts.sources["price_reason"]) == (45000, "equal to another offer")
    assert read(f"{CHAIR}<p class='price'>£430</p>", head=head).price == 40000


def test_a_declared_price_without_tax_loses_to_the_one_with_it() -> None:
    net = json_ld(PRODUCT | {"offers": OFFER | {"price": "375.00"}})
    shown = f"{CHAIR}<p class='price'>£450</p>"
    facts = read(f"{shown}<p class='price'>£375 excl. VAT</p>", head=net)
    assert (facts.price, facts.sources["price_reason"]) == (45000, "declared without tax")
    assert read(f"{shown}<p>£375 shipping</p>", head=net).price == 37500


def test_a_page_without_a_heading_element_is_compared_with_what_it_shows_too() -> None:
    body = f"<title>A Georgian chair</title><b>A Georgian chair</b>{AT_400}"
    assert read(body, head=json_ld(PRODUCT)).price == 40000


def test_a_starting_bid_in_json_ld_loses_to_the_price_that_opengraph_confirms() -> None:
    bid = PRODUCT | {"offers": OFFER | {"price": "10.00"}}
    facts = read(f"{CHAIR}<p class='price'>£450</p>", head=json_ld(bid) + OPENGRAPH)
    assert (facts.price, facts.sources["declared_price"]) == (45000, "json-ld: 10.00 GBP")


@pytest.mark.parametrize(
    "body",
    [
        "<p class='price'>£400</p>",
        "<p class='price'>£450</p><p>Was £500</p>",
        "<p class='price'><del>£450</del> <ins>€400</ins></p>",
        "<p>New: <b class='price'>£450</b></p><p>Offers from <b class='price'>£400</b></p>",
        "<p class='price'><del>£400</del> <ins>£350</ins> shipping</p><p class='price'>£450</p>",
        f"{'<p>Text.</p>' * 60}{AT_400}",
        f"<div class='related-products'>{AT_400}</div>",
        f"<h3><a href='/table'>A table</a></h3>{AT_400}",
    ],
    ids=[
        "unconfirmed",
        "same",
        "other currency",
        "other label",
        "shipping",
        "far away",
        "related",
        "a card",
    ],
)
def test_other_visible_amounts_do_not_win_over_json_ld(body: str) -> None:
    facts = read(f"<main>{CHAIR}<section>{body}</section></main>", head=json_ld(PRODUCT))
    assert (facts.price, facts.sources["price"]) == (45000, "json-ld")
    assert "price_reason" not in facts.sources


def _sized(name: str, price: str, availability: str, **more: str) -> dict[str, Any]:
    offer = OFFER | {"price": price, "availability": availability}
    return {"@type": "Product", "name": name, "offers": offer, **more}


TERMS = "Free shipping within Germany on all orders above 50 euros, and 30 days to return."
SEAT = "A chair for the dining room, made around 1790 and restored by hand."


@pytest.mark.parametrize(
    "several",
    [
        [
            _sized("A Georgian chair - oak", "450", "OutOfStock"),
            _sized("A Georgian chair - elm", "450", "InStock"),
        ],
        [
            _sized("A Georgian chair", "450", "OutOfStock"),
            _sized("A Georgian chair", "450", "InStock"),
        ],
        [
            _sized("A Georgian chair", "450", "OutOfStock", url="https://antik.test/c?size=1"),
            _sized("In oak", "450", "InStock", url="https://antik.test/c?size=2"),
        ],
        [
            _sized("A Georgian chair", "450", "OutOfStock", inProductGroupWithID="7"),
            _sized("In oak", "450", "InStock", inProductGroupWithID="7"),
        ],
        [
            _sized("A Georgian chair oak", "450", "OutOfStock", description=SEAT),
            _sized("A Georgian chair dark elm", "450", "InStock", description=SEAT),
        ],
    ],
    ids=["names", "twins", "address", "group", "description"],
)
def test_the_choices_of_a_product_are_sold_out_only_together(several: list[dict[str, Any]]) -> None:
    facts = read(CHAIR, head="".join(map(json_ld, several)))
    assert (facts.type, facts.price, facts.status) == ("product", 45000, Status.AVAILABLE)
    offers = [
        {**each, "offers": {**each["offers"], "availability": "OutOfStock"}} for each in several
    ]
    assert read(CHAIR, head="".join(map(json_ld, offers))).status is Status.SOLD


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("A Georgian chair with arms", "A chair with arms, made of elm around 1790 in Wales."),
        ("A cushion for a Georgian chair", SEAT),
        ("A Georgian chair cover", TERMS),
    ],
    ids=["another description", "another name", "the description of the shop"],
)
def test_another_product_of_a_similar_name_is_no_choice(name: str, text: str) -> None:
    own = TERMS if text == TERMS else SEAT
    chair = _sized("A Georgian chair", "450", "OutOfStock", description=own)
    other = _sized(name, "900", "InStock", description=text)
    facts = read(CHAIR, head=json_ld([chair, other]))
    assert (facts.price, facts.status) == (45000, Status.SOLD)
