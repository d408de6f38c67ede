from __future__ import annotations

import pytest

from gotgan.domains.shops.extract import Status
from tests.unit.domains.shops.extract.pages import CHAIR, json_ld, read, shop_page


@pytest.mark.parametrize(
    ("markup", "price"),
    [
        ("<p>€ 1.299,00</p>", 129900),
        ("<script src='a.js'></script><p>€ 1.299,00</p>", 129900),
        ("<div><script src='a.js'></script>€ 1.299,00</div>", 129900),
        ("<script>var price = '€ 5';</script><p>€ 1.299,00</p>", 129900),
        ("<p class='price'><span>€</span><span>1.299</span><sup>95</sup></p>", 129995),
        ("<p class='price'><span>€</span><b>12</b>,<i>50</i></p>", 1250),
        ("<p class='price'><b>€12</b><sup>.50</sup></p>", 1250),
        ("<p class='price'><b>€12</b><sup>50</sup></p>", 1250),
        ("<p><del>€ 20</del> <ins>€ 15</ins></p>", 1500),
        ("<p><s>€ 20</s> <b>€ 15</b></p>", 1500),
        ("<p><del>€ 15</del> <b>€ 20</b></p>", 2000),
        ("<p><b class='price was'>€ 15</b> <b class='price'>€ 20</b></p>", 2000),
        ("<div class='related'><b class='price'>€ 15</b></div><p class='price'>€ 20</p>", 2000),
        ("<p class='price'>€ 20</p><p class='price'>€ 15 shipping</p>", 2000),
        ("<p class='was-price'>€ 20</p>", 2000),
        ("<p class='price'>€ 20</p><p>Shipping € 15</p>", 2000),
        ("<p class='price'>€ 20</p><p>Sie sparen € 15</p>", 2000),
        ("<p class='price'>€ 20</p><p class='unit-price'>€ 15</p>", 2000),
        ("<p><span class='price-old'>€ 20</span> <span class='price-new'>€ 15</span></p>", 1500),
        ("<p><span class='price'>€ 20</span></p><p>Shipping € 4,90</p>", 2000),
        ("<p class='price'>€ 20</p><p>You save € 5</p><p>€ 2 per month</p>", 2000),
        (
            "<p class='price'>€ 20</p><div class='related-products'><b class='price'>€ 5</b></div>",
            2000,
        ),
        ("<p class='price'>€ 20</p><aside><b class='price'>€ 5</b></aside>", 2000),
        ("<p class='price'>€ 20</p><a href='/table'><b class='price'>€ 15</b></a>", 2000),
        ("<p><b>€ 24</b></p><p><i>ohne MwSt.:</i> <b>€ 20</b></p>", 2400),
        ("<p><b>€ 20</b> <i>excl. VAT</i> <b>€ 24</b> <i>incl. VAT</i></p>", 2400),
        ("<p><b>€ 20</b> <i>HT</i></p>", 2000),
        ("<p><i>Statt:</i> <b>€ 30</b></p><p><b>€ 20</b></p>", 2000),
        ("<p><b>€ 20</b></p><p><i>Versand:</i> <b>€ 15</b></p>", 2000),
        ("<p class='price'>€ 20</p><p class='price'>€ 15 / 100 ml</p>", 2000),
        ("<p class='price'>€ 20 (€ 15 / kg)</p>", 2000),
        ("<p class='price'>€ 20</p><p class='price'>up to € 15 cash back</p>", 2000),
        ("<p class='price'>€ 20</p><p class='unitPrice price'>€ 15</p>", 2000),
        ("<p class='bold price'>€ 20</p><p><b class='oldPrice'>€ 30</b></p>", 2000),
        ("<p class='threshold price united'>€ 20</p>", 2000),
        ("<p><i>Free shipping</i> <b>€ 20</b></p>", 2000),
        ("<p><i>Once</i> <b>€ 20</b></p><p><i>Subscribe and save</i> <b>€ 16</b></p>", 2000),
        ("<p>€ 20</p><label><i>Without drawer</i> <b>-€ 15</b></label>", 2000),
        ("<p>Was € 30 now € 20</p>", 2000),
        ("<p>€ 20 (RRP € 30)</p>", 2000),
        ("<p>Spend € 100 and get € 10 off</p><p>€ 20</p>", 2000),
        (
            "<table><tr><td>You save</td><td>€ 10</td><tr><td>Price</td><td>€ 20</td></table>",
            2000,
        ),
        (
            "<b class='price'>€ 20</b><table><tr><td>10+<td>€ 19<tr><td>50 - 99<td>€ 18</table>",
            2000,
        ),
        ("<dl><dt>Price</dt><dd>€ 20</dd><dt>Shipping</dt><dd>€ 15</dd></dl>", 2000),
        ("<p class='price'>20.00\n   EUR</p>", 2000),
        ("<p>Now <b>7</b> % off <i>20.00</i> <b>EUR</b></p>", 2000),
        ("<p class='price'>20.00</p><p>Save € 5</p>", 2000),
        ("<p><span itemprop='price' content='20.00'>20.00</span></p><p>Save € 5</p>", 2000),
        ("<p class='d-none d-md-block price'>€ 20</p>", 2000),
        ("<p class='hidden md:block price'>€ 20</p>", 2000),
    ],
)
def test_the_price_that_a_visitor_pays_is_found(markup: str, price: int) -> None:
    facts = read(shop_page(markup))
    assert (facts.type, facts.price, facts.currency) == ("product", price, "EUR")
    assert facts.sources["price"] == "text"


@pytest.mark.parametrize(
    ("markup", "price"),
    [
        ("<p class='price'>20.00</p>", 2000),
        ("<p class='price'>20</p>", None),
        ("<p class='rating'>20.00</p>", None),
        ("<p class='old-price'>20.00</p>", None),
    ],
)
def test_a_number_without_a_mark_is_a_price_if_it_is_named_so(
    markup: str, price: int | None
) -> None:
    facts = read(shop_page(markup))
    assert (facts.price, facts.currency) == (price, None)


def test_the_price_of_a_list_of_others_is_not_that_of_the_thing() -> None:
    cards = "".join(
        f"<li><h3><a href='/{n}'>No {n}</a></h3><b>€ {n}0</b></li>" for n in range(1, 9)
    )
    facts = read(shop_page(f"<p class='price'>€ 450</p><ul>{cards}</ul>"))
    assert facts.price == 45000


def test_however_the_element_around_the_heading_is_named_it_holds_the_price() -> None:
    body = f"<div class='related-menu'>{CHAIR}<p class='price'>€ 450</p></div>"
    facts = read(f"{body}{'<p>Text.</p>' * 50}<p class='price'>€ 15</p>")
    assert (facts.type, facts.price) == ("product", 45000)


def test_a_page_without_a_heading_is_about_the_text_that_is_most_like_its_title() -> None:
    page = f"<p>€ 99</p>{'<p>Text.</p>' * 30}<b>A Georgian chair (oak)</b><p>€ 45</p>"
    facts = read(page, head="<title>A Georgian chair (oak) - Good things at Smith</title>")
    assert (facts.type, facts.price) == ("product", 4500)


@pytest.mark.parametrize(
    "card",
    [
        "<div><h3><a href='/table'>A table</a></h3><b class='price'>€ 15</b></div>",
        "<ul><li><a href='/table'>A table</a> <b class='price'>€ 15</b></li></ul>",
        "<div class='product-card'><b>A table</b> <b class='price'>€ 15</b></div>",
    ],
)
def test_a_price_in_a_card_is_that_of_another_thing(card: str) -> None:
    facts = read(shop_page(card))
    assert (facts.type, facts.price) == ("product", None)


@pytest.mark.parametrize(
    "words", ["Price on request", "Preis auf Anfrage", "Prix sur demande", "가격 문의"]
)
def test_a_price_that_is_told_on_request_is_not_that_of_another_thing(words: str) -> None:
    facts = read(shop_page(f"<p>{words}</p><p>More of this dealer</p><b class='price'>€ 15</b>"))
    assert (facts.type, facts.price) == ("product", None)


def test_a_page_that_is_no_product_has_no_price() -> None:
    story = f"<article><p>{'It was a long way. ' * 200}</p><p>It cost € 20.</p></article>"
    facts = read(f"<h1>How we went to the fair</h1>{story}", address="https://antik.test/blog/fair")
    assert (facts.type, facts.price, facts.status) == ("article", None, Status.UNKNOWN)


@pytest.mark.parametrize(
    ("markup", "status"),
    [
        ("<p>Sold</p>", Status.SOLD),
        ("<p>SOLD OUT</p>", Status.SOLD),
        ("<button disabled>Out of stock</button>", Status.SOLD),
        ("<p>Verkauft</p>", Status.SOLD),
        ("<p>Leider nicht mehr verfügbar</p>", Status.SOLD),
        ("<p>Vendu</p>", Status.SOLD),
        ("<p>En rupture de stock</p>", Status.SOLD),
        ("<p>품절</p>", Status.SOLD),
        ("<p>Ausverkauft</p>", Status.SOLD),
        ("<p>Épuisé</p>", Status.SOLD),
        ("<p>0 in stock</p>", Status.SOLD),
        ("<p>재고 0개</p>", Status.SOLD),
        ("<p>재고 3개</p>", Status.AVAILABLE),
        ("<p>Nur noch 2 auf Lager</p>", Status.AVAILABLE),
        ("<p>2 en stock</p>", Status.AVAILABLE),
        ("<p>판매완료</p>", Status.SOLD),
        ("<p>Reserved</p>", Status.RESERVED),
        ("<p>Reserviert</p>", Status.RESERVED),
        ("<p>Réservé</p>", Status.RESERVED),
        ("<p>예약중</p>", Status.RESERVED),
        ("<p>Pre-order now</p>", Status.LISTED),
        ("<p>Availability: In stock</p>", Status.AVAILABLE),
        ("<p>3 in stock</p>", Status.AVAILABLE),
        ("<p>Sofort lieferbar</p>", Status.AVAILABLE),
        ("<p>En stock</p>", Status.AVAILABLE),
        ("<p>재고 있음</p>", Status.AVAILABLE),
        ("<button>In den Warenkorb</button>", Status.AVAILABLE),
        ("<button>Ajouter au panier</button>", Status.AVAILABLE),
        ("<input type='submit' value='Add to cart'>", Status.AVAILABLE),
        ("<button>장바구니 담기</button>", Status.AVAILABLE),
        ("<button>Add to cart</button><p>Sold out</p>", Status.AVAILABLE),
        ("<button disabled>Add to cart</button><p>Sold out</p>", Status.SOLD),
        ("<p>In stock soon</p>", Status.LISTED),
        ("<p>Available soon!</p>", Status.LISTED),
        ("<p>Bald lieferbar</p>", Status.LISTED),
        ("<p>Bientôt en stock</p>", Status.LISTED),
        ("<p>입고 예정</p>", Status.LISTED),
        ("<p>Back in stock soon</p>", Status.SOLD),
        ("<p>This item will be back in stock on 3 May</p>", Status.SOLD),
        ("<p>Bald wieder auf Lager</p>", Status.SOLD),
        ("<p>Wieder lieferbar ab 3. Mai</p>", Status.SOLD),
        ("<p>Bientôt de retour en stock</p>", Status.SOLD),
        ("<p>재입고 예정입니다</p>", Status.SOLD),
        ("<p>In stock, ships tomorrow</p>", Status.AVAILABLE),
        ("<p>Only 3 left in stock - order soon</p>", Status.AVAILABLE),
        ("<p>Out of stock – notify me</p>", Status.SOLD),
        ("<p>Ausverkauft, bald wieder da</p>", Status.SOLD),
        ("<button class='btn-add-to-cart'>Ielikt somā</button>", Status.AVAILABLE),
        ("<input type='image' src='cart.gif' alt='Add to cart'>", Status.AVAILABLE),
        ("<a href='#'><img src='buy.gif' alt='In den Warenkorb'></a>", Status.AVAILABLE),
        ("<form action='/cart/add'><span>Ielikt somā</span></form>", Status.AVAILABLE),
        ("<label>Menge</label><input name='n' value='1'>", Status.AVAILABLE),
        ("<label>Quantity</label><input name='n'><p>Sold out</p>", Status.SOLD),
        ("<p>Estimated delivery: 3 to 5 May</p>", Status.AVAILABLE),
        ("<p>Lieferung zwischen 3. und 5. Mai</p>", Status.AVAILABLE),
        ("<p>Sorry, this item is currently out of stock.</p>", Status.SOLD),
        ("<p>Dieser Artikel ist derzeit leider nicht verfügbar</p>", Status.SOLD),
        ("<p>Momentan nicht lieferbar</p>", Status.SOLD),
        ("<p>Ce produit est temporairement indisponible</p>", Status.SOLD),
        ("<p>Producto agotado</p>", Status.SOLD),
        ("<p>Sin stock</p>", Status.SOLD),
        ("<p>현재 구매할 수 없는 상품입니다</p>", Status.SOLD),
        ("<p>판매가 종료되었습니다</p>", Status.SOLD),
        ("<p>Stock: 0</p>", Status.SOLD),
        ("<p>Stock: 4</p>", Status.AVAILABLE),
        ("<p>Sold for € 450</p>", Status.SOLD),
        ("<p>Artikel ist auf Lager</p>", Status.AVAILABLE),
        ("<p>Lieferbar innerhalb von 3 Tagen</p>", Status.AVAILABLE),
        ("<p>Produit en stock</p>", Status.AVAILABLE),
        ("<p>Hay stock</p>", Status.AVAILABLE),
        ("<button aria-disabled='true'>Add to cart</button><p>Sold out</p>", Status.SOLD),
        ("<a class='btn disabled' href='#'>Add to cart</a><p>Sold out</p>", Status.SOLD),
        ("<fieldset disabled><button>Buy now</button></fieldset><p>Sold out</p>", Status.SOLD),
        ("<div hidden><button>Add to cart</button></div><p>Sold out</p>", Status.SOLD),
        (
            "<p>Sold out</p><button><i><i><i><b>Add to cart</b></i></i></i></button>",
            Status.AVAILABLE,
        ),
    ],
)
def test_words_tell_whether_a_thing_can_be_bought(markup: str, status: Status) -> None:
    facts = read(f"{CHAIR}<p class='price'>€ 450</p>{markup}")
    assert (facts.type, facts.status, facts.sources["status"]) == ("product", status, "text")


@pytest.mark.parametrize(
    ("title", "status"),
    [
        ("A Georgian chair - SOLD", Status.SOLD),
        ("SOLD: a Georgian chair", Status.SOLD),
        ("Georgianischer Stuhl (reserviert)", Status.RESERVED),
        ("Silla georgiana (vendida)", Status.SOLD),
        ("VENDUTO - Sedia georgiana", Status.SOLD),
        ("A Georgian chair - SOLD OUT", Status.SOLD),
    ],
)
def test_a_dealer_marks_a_thing_in_its_title(title: str, status: Status) -> None:
    facts = read(f"<h1>{title}</h1><p class='price'>€ 450</p><button>Add to cart</button>")
    assert facts.status is status
    offer = {"price": "450", "priceCurrency": "EUR", "availability": "InStock"}
    declared = json_ld({"@type": "Product", "name": title, "offers": offer})
    facts = read(f"<h1>{title}</h1>", head=declared)
    assert (facts.price, facts.status, facts.sources["status"]) == (45000, status, "text")
    assert facts.sources["declared_status"] == "json-ld: AVAILABLE"
    assert facts.sources["status_reason"] == "marked in the title"


BUTTON = "<button>Add to cart</button>"


@pytest.mark.parametrize(
    ("markup", "status"),
    [
        ("<button disabled>Sold out</button>", Status.SOLD),
        ("<a class='button'>Notify me when available</a>", Status.SOLD),
        ("<button disabled>Sold out</button><button>Add to cart</button>", Status.AVAILABLE),
        ("<button>S: sold out</button>" * 3, Status.AVAILABLE),
        ("<p>Sold out</p>", Status.SOLD),
        ("<p>Sold out</p><p>Text.</p>" + "<p>Text.</p>" * 50 + BUTTON, Status.AVAILABLE),
        ("<p class='displaynone'>Sold out</p>", Status.AVAILABLE),
        ("<button class='btn-add-to-cart'>Ielikt somā</button><p>Sold out</p>", Status.AVAILABLE),
        ("<form action='/cart/add'><button>Ok</button></form><p>Sold out</p>", Status.AVAILABLE),
        (
            "<form action='/cart/add'><button disabled>Ok</button></form><p>Sold out</p>",
            Status.SOLD,
        ),
        ("<button>Choose options</button><p>Sold out</p>", Status.AVAILABLE),
        ("<button>38</button><button>39 <i>Sold out</i></button>" * 2, Status.AVAILABLE),
        ("<input type='submit' value='Sold out' disabled>", Status.SOLD),
        ("<p>Notify me when the price drops</p>", Status.AVAILABLE),
        (
            "<ul><li><a href='/cart?add=5'>Add to cart</a></li></ul><p>Sold out</p>",
            Status.AVAILABLE,
        ),
        ("<b>S</b><i>sold out</i>" * 3, Status.AVAILABLE),
        ("<p>Sold out</p><u>Sold out</u><s>Notify me when available</s>", Status.SOLD),
        ("<li><a href='/table'>A table</a><button>Sold out</button></li>", Status.AVAILABLE),
    ],
)
def test_a_product_that_is_called_sold_and_has_no_button_is_not_available(
    markup: str, status: Status
) -> None:
    offer = {"price": "450", "priceCurrency": "EUR", "availability": "InStock"}
    declared = json_ld({"@type": "Product", "name": "A Georgian chair", "offers": offer})
    facts = read(f"{CHAIR}<p>€ 450</p>{markup}", head=declared)
    assert facts.status is status
    is_shown = facts.sources.get("status_reason") == "says so and has no button to buy"
    assert is_shown == (status is Status.SOLD)


@pytest.mark.parametrize(
    "markup",
    [
        "<p>Sold by the dozen</p>",
        "<footer>All rights reserved</footer>",
        "<p hidden>Sold out</p>",
        "<p style='display: none'>Sold out</p>",
        "<div class='related'><p>Sold</p></div>",
        "<p>Red: sold out</p>" * 5,
        "<p>Buy now, pay later</p>",
        "<button>Buy now, pay later</button>",
        "<p>Sold out soon</p>",
        "<p>Verkauft durch Smith</p>",
        "<p>Jetzt kaufen, später bezahlen</p>",
        "<p>Vendu par Smith</p>",
        "<p>Acheter en 3 fois</p>",
        "<p>품절임박</p>",
        "<a href='/cart'>장바구니 보기</a>",
        "<p>Sold and shipped by Smith</p>",
        "<p>Verkauft und versandt von Smith</p>",
        "<p>Vendu et expédié par Smith</p>",
        "<p>Unavailable for store pickup</p>",
        "".join(f"<div class='v-{n}'><i class='i-{n}'>Sold out</i></div>" for n in range(5)),
        "<b class='size active'>Sold out</b>" + "<b class='size'>Sold out</b>" * 4,
        "<p>Get notified when the price drops</p>",
        "<form action='https://the-basket-shop.test/newsletter'><p>Join</p></form>",
        "<table><tr><td>Menge</td><td>100 ml</td></tr></table>",
    ],
)
def test_what_is_said_of_something_else_does_not_count(markup: str) -> None:
    facts = read(f"{CHAIR}<p class='price'>€ 450</p>{markup}")
    assert (facts.status, facts.sources["status"]) == (Status.AVAILABLE, "price")


def test_the_names_of_a_shop_system_tell_what_no_word_does() -> None:
    page = f"<div class='product outofstock'>{CHAIR}<p class='price'>€ 450</p></div>"
    assert read(page).status is Status.SOLD


def test_a_link_to_the_cart_above_the_heading_is_no_button_to_buy() -> None:
    link = "<a href='/order/basket.html'>장바구니</a>"
    facts = read(f"{link}{CHAIR}<p class='price'>450원</p><p>품절</p>")
    assert facts.status is Status.SOLD
    facts = read(f"<button>장바구니</button>{CHAIR}<p class='price'>450원</p>")
    assert (facts.status, facts.sources["status"]) == (Status.AVAILABLE, "text")


@pytest.mark.parametrize(
    "several", ["3 or more € 400", "Ab 3 Stück oder mehr: € 400", "3 o más 400 €"]
)
def test_the_price_of_several_is_not_that_of_one(several: str) -> None:
    assert read(shop_page("<b>€ 450</b><i>3 or more</i> <b>€ 400</b>")).price == 45000
    assert read(shop_page(f"<h2>€ 450</h2><ul><li>{several}</li></ul>")).price == 45000


def test_links_that_lead_to_no_products_keep_the_price_to_the_page() -> None:
    links = [
        f"<div><i>Material {n}</i><a class='v' href='/tag{n}'>Category {n} chairs</a></div>"
        for n in range(5)
    ]
    page = f"{CHAIR}{''.join(links)}<p class='price'>€ 450</p>{BUTTON}<p>SKU: 7</p>"
    assert (read(page).price, read(page).status) == (45000, Status.AVAILABLE)


def test_a_picture_that_links_to_the_cart_is_no_button_to_buy() -> None:
    page = f"{CHAIR}<p class='price'>450,000원</p><p>품절</p><p>상품코드: 7</p>"
    menu = "<a href='/order/basket.html'><img alt='장바구니'></a>"
    assert read(page + menu).status is Status.SOLD


def test_prices_and_buttons_of_repeated_products_are_not_those_of_the_page() -> None:
    names = ("An oak table", "A walnut table", "A round table", "A small table", "A side table")
    tables = [
        f"<div><a href='/{name}' class='name'>{name}</a><p class='price'>€ 90</p>{BUTTON}</div>"
        for name in names
    ]
    chair = f"{CHAIR}<p class='price'>€ 450</p><p>Sold out</p><p>SKU: 7</p>"
    facts = read(f"{chair}<h3>Tables</h3>{''.join(tables)}")
    assert (facts.price, facts.status) == (45000, Status.SOLD)
    assert (
        read(f"<h1>Tables</h1>{''.join(tables)}", address="https://antik.test/t").type == "category"
    )


OTHER_THING = "<h1>An oak table</h1><p class='price'>€ 90</p>"


def test_a_heading_unlike_the_title_loses_to_a_text_like_it() -> None:
    page = f"<h2>A Georgian chair</h2><p class='price'>€ 450</p>{'<p>Text.</p>' * 30}{OTHER_THING}"
    facts = read(page, head="<title>A Georgian chair | Smith</title>")
    assert (facts.title, facts.price) == ("A Georgian chair", 45000)


def test_a_heading_of_a_related_product_is_not_taken_if_nothing_is_like_the_title() -> None:
    page = f"<p class='price'>€ 450</p><div class='related-products'>{OTHER_THING}</div>"
    facts = read(page, head="<title>A Georgian chair | Smith</title>")
    assert facts.title == "A Georgian chair | Smith"
    assert facts.price == 45000


def test_a_title_that_only_names_the_site_says_nothing_about_the_heading() -> None:
    head = "<title>Antik</title>"
    facts = read(shop_page("<p class='price'>€ 450</p>"), head=head)
    assert (facts.title, facts.price) == ("A Georgian chair", 45000)


def test_a_heading_without_spaces_is_like_a_title_that_contains_it() -> None:
    head = "<title>조선시대백자항아리-골동품</title>"
    facts = read("<h1>백자항아리</h1><p class='price'>12,000원</p>", head=head)
    assert facts.title == "백자항아리"


def test_an_amount_whose_sign_is_undecided_keeps_its_amount() -> None:
    facts = read(shop_page("<p class='price'>1 299 kr</p>"), address="https://antik.com/chair")
    assert (facts.price, facts.currency) == (129900, None)


def test_the_country_of_a_domain_decides_a_shared_sign() -> None:
    facts = read(shop_page("<p class='price'>1 299 kr</p>"), address="https://antik.dk/chair")
    assert (facts.price, facts.currency) == (129900, "DKK")
