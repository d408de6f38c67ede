from __future__ import annotations

import pytest

from gotgan.domains.shops.extract.document import parse_document
from gotgan.domains.shops.extract.page_signals import all_signals
from gotgan.domains.shops.extract.page_types import TYPES, page_type, type_model
from gotgan.domains.shops.extract.products import structured_data
from gotgan.domains.shops.extract.reader import signals_of
from gotgan.domains.shops.extract.view import page_view
from tests.unit.domains.shops.extract.pages import json_ld, read, shop_page

CARDS = "".join(
    f"<article><h3><a href='/products/lamp-{n}'>A brass lamp, number {n}</a></h3>"
    f"<span class='price'>€ {n}9,00</span><button>Add to cart</button></article>"
    for n in range(1, 13)
)
NEWS = "".join(
    f"<article><h2><a href='/news/{n}'>What we found on the fair of the year {n}</a></h2>"
    f"<time>March {n}, 2026</time></article>"
    for n in range(1, 13)
)
STORY = f"<article><p class='byline'>By A. Dealer</p><p>{'It was a long way. ' * 300}</p></article>"
TALK = "".join(
    f"<div><b>Reply</b> <time>2 days ago</time><p>I agree. {n}</p></div>" for n in range(20)
)


def test_one_thing_with_a_price_and_a_button_is_a_product() -> None:
    assert read(shop_page("<p class='price'>€ 450</p>")).type == "product"


def test_many_cards_with_prices_are_a_category() -> None:
    page = f"<h1>Lamps</h1><p>Sort by</p><p>Filter</p>{CARDS}<a href='/cart'>Cart</a>"
    assert read(page, address="https://antik.test/collections/lamps").type == "category"


OTHERS = "".join(
    f"<div><h3><a href='/lamp-{n}'>Brass lamp, number {n}</a></h3><b class='price'>€ {n}9</b></div>"
    for n in range(1, 5)
)
ONE = "<h3><a href='/products/lamp'>A brass lamp</a></h3><span class='price'>€ 90</span>"


@pytest.mark.parametrize(
    "card",
    [
        f"<div>{ONE}<button>Add to cart</button></div>",
        "<a href='/products/lamp'><h3>A brass lamp</h3><span class='price'>€ 90</span></a>",
        "<ul><li><a href='/products/lamp'>A brass lamp</a> <b class='price'>€ 90</b></li></ul>",
    ],
)
def test_a_category_of_one_thing_is_a_category_still(card: str) -> None:
    page = f"<h1>Lamps</h1><p>1 product</p>{card}<a href='/cart'>Cart</a>"
    facts = read(page, address="https://antik.test/lamps")
    assert (facts.type, facts.price) == ("category", None)


@pytest.mark.parametrize(
    "body",
    [
        "<h1>A Georgian chest</h1><p>SKU: 1234</p><button>Enquire about this item</button>",
        "<h1>A Georgian chest</h1><p>Sold</p><p>Height 80 cm</p>",
        "<h1>A Georgian chest</h1><p>Circa 1780.</p><button>Add to cart</button>",
        "<h1>Biedermeier Kommode</h1><p>Art.-Nr. 1234</p><a href='/kontakt'>Jetzt anfragen</a>",
        "<h1>Biedermeier Kommode</h1><p>Nussbaum</p><button>In den Warenkorb</button>",
        "<h1>Commode Louis XV</h1><p>Réf. 1234</p><p>Hauteur : 80 cm</p>",
        "<h1>Commode Louis XV</h1><p>Prix sur demande</p><p>80 x 90 cm</p>",
        "<h1>백자 항아리</h1><p>상품번호: 1234</p><button>문의하기</button>",
        "<h1>백자 항아리</h1><button>장바구니</button><button>구매하기</button>",
    ],
)
@pytest.mark.parametrize("beside", ["", f"<h2>More</h2>{OTHERS}"], ids=["alone", "with others"])
def test_a_thing_without_a_price_is_a_product(body: str, beside: str) -> None:
    page = f"<nav><a href='/shop'>Shop</a><a href='/cart'>Cart</a></nav><main>{body}{beside}</main>"
    facts = read(page, address="https://antik.test/chest")
    assert (facts.type, facts.price) == ("product", None)


def test_one_mark_of_a_thing_makes_no_product() -> None:
    page = "<h1>Visit us</h1><button>Send enquiry</button><a href='/cart'>Cart</a>"
    assert read(page, address="https://antik.test/visit").type != "product"


def test_a_price_to_choose_from_is_not_that_of_a_thing() -> None:
    choices = "<ul class='filter-price'><li><label>€ 50</label></li></ul>"
    page = f"<h1>Lamps</h1><p>Sort by</p><p>Filter</p>{choices}<div>{ONE}</div>"
    facts = read(page, address="https://antik.test/lamps")
    assert facts.type != "product"
    assert facts.price is None


def test_many_titles_with_dates_and_no_prices_are_a_listing() -> None:
    assert read(f"<h1>News</h1>{NEWS}", address="https://antik.test/news/").type == "listing"


def test_one_long_story_is_an_article() -> None:
    page = f"<h1>How to tell oak from elm</h1>{STORY}"
    assert read(page, address="https://antik.test/blog/oak-and-elm").type == "article"


def test_an_article_that_names_prices_is_an_article_still() -> None:
    head = json_ld({"@type": "NewsArticle", "headline": "The sale"})
    page = f"<h1>The sale</h1>{STORY}<p>The chair went for € 450, the table for € 900.</p>"
    assert read(page, head=head, address="https://antik.test/news/the-sale").type == "article"


def test_a_conversation_is_something_else() -> None:
    head = json_ld({"@type": "DiscussionForumPosting", "headline": "Oak or elm?"})
    page = f"<h1>Oak or elm?</h1>{TALK}"
    assert read(page, head=head, address="https://antik.test/forum/oak-or-elm").type == "other"


LINE = "The quick brown fox jumps over the lazy dog while an old gardener watches from his chair. "
PROSE = "".join(f"<p>{LINE * 3}</p>" for _ in range(6))
SITE = "<nav><a href='/'>Home</a><a href='/pricing'>Pricing</a><a href='/contact'>Contact</a></nav>"
SHOP = "<header><a href='/shop'>Shop</a><a href='/cart'>Cart</a></header>"
PLANS = "".join(
    f"<div class='plan'><h3>{name}</h3><div class='price'>${price}<span>/month</span></div>"
    f"<p>{LINE}</p><a href='/signup'>Get started</a></div>"
    for name, price in (("Basic", 9), ("Pro", 29), ("Team", 99))
)
REVIEWS = "".join(
    f"<h2>{n}. Maker {n}</h2>{PROSE}<p class='price'>${n}99</p>"
    f"<a href='https://a.test/{n}'>Buy now</a>"
    for n in range(1, 6)
)
POSTS = "".join(
    f"<div class='post'><a href='/u/{n}'>user{n}</a><time>May {n}, 2025</time><p>{LINE}</p>"
    "<a>Reply</a></div>"
    for n in range(1, 12)
)
TABLES = "".join(
    f"<div><a href='/t{n}'>Oak table number {n}</a><span>€ {n}9,00</span></div>"
    for n in range(1, 25)
)


@pytest.mark.parametrize(
    ("body", "address", "kind"),
    [
        (f"{SITE}<h1>Simple pricing</h1>{PLANS}", "https://a.test/pricing", "other"),
        (
            (
                f"{SITE}<h1>Manage your invoices</h1>{PROSE}<p class='price'>$19/mo</p>"
                "<a href='/buy'>Buy now</a>"
            ),
            "https://a.test/",
            "other",
        ),
        (
            f"{SITE}<article><h1>The best machines</h1><p>By Jane</p>{REVIEWS}</article>",
            "https://a.test/best-machines",
            "article",
        ),
        (
            (
                f"{SITE}<article><h1>Maker 3: a review</h1><p>By Jane</p>"
                f"<p>$399 at Shop</p>{PROSE * 2}</article>"
            ),
            "https://a.test/reviews/maker-3",
            "article",
        ),
        (
            (
                f"{SITE}<article><h1>Acme raises $5 million to sell lamps</h1>"
                f"<p>By Jane</p>{PROSE * 2}</article>"
            ),
            "https://a.test/2025/05/acme-123456",
            "article",
        ),
        (
            (
                f"{SITE}<h1>Drain cleaning</h1>{PROSE}<p>From $99 per visit</p>"
                "<a href='/contact'>Book now</a>"
            ),
            "https://a.test/drain-cleaning",
            "other",
        ),
        (
            f"{SITE}<h1>Selling my bike for $450</h1>{POSTS}",
            "https://a.test/threads/selling-my-bike.1234567/",
            "other",
        ),
        (
            f"{SITE}<h1>Products API</h1>{PROSE}{'<pre><code>GET /products</code></pre>' * 6}",
            "https://a.test/docs/products.html",
            "other",
        ),
        (
            f"{SITE}<h1>Jazz night</h1><p>Friday, May 3, 2025</p><p>Tickets: $25</p>{PROSE}",
            "https://a.test/events/jazz-night",
            "other",
        ),
        (
            (
                f"{SHOP}<article><h1>How to clean oak</h1><time>May 3, 2025</time>"
                f"{PROSE * 2}</article>"
                f"<div class='related-products'>{OTHERS}</div>"
            ),
            "https://a.test/blogs/news/how-to-clean-oak",
            "article",
        ),
        (f"{SHOP}<h1>Tables</h1><p>24 products</p>{TABLES}", "https://a.test/tables", "category"),
        (
            (
                f"{SHOP}<h1>Oak table</h1><p>€ 1.250,00</p><button>Add to cart</button>{PROSE}"
                f"<h2>You may also like</h2>{OTHERS}"
            ),
            "https://a.test/oak-table",
            "product",
        ),
    ],
    ids=lambda each: each if isinstance(each, str) and not each.startswith("<") else "",
)
def test_pages_with_prices_are_products_and_categories_only_in_a_shop(
    body: str, address: str, kind: str
) -> None:
    assert read(body, address=address).type == kind


def test_several_marks_of_one_amount_give_one_signal() -> None:
    plain = shop_page("<p>€ 450</p>")
    marked = shop_page("<div class='price'><span class='price product-price'>€ 450</span></div>")
    names = [
        {name for name in _signals(each) if name.startswith("price")} for each in (plain, marked)
    ]
    assert names[0] == names[1]
    assert _signals(marked)["price: own"] <= 1


def test_an_amount_in_a_story_is_no_offer() -> None:
    paragraphs = f"<p>{LINE * 4}</p>" * 6
    page = f"<h1>The sale</h1><div>{paragraphs}<p>€ 450</p>{paragraphs}</div>"
    assert _signals(page).get("prices: in a story")
    assert not _signals(page).get("price: own")


def test_items_are_told_by_what_they_have_and_where_they_lead() -> None:
    news, tables = _signals(f"<h1>News</h1>{NEWS}"), _signals(f"<h1>Tables</h1>{TABLES}")
    assert news["items: to articles"] == news["items: with a date"] == 1
    assert tables["items: with a price"] == 1
    assert not tables.get("items: to articles")


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<div id='root'></div>",
        "<nav><a href='/'>Home</a><a href='/about'>About us and our work</a></nav><div></div>",
        "<h1>Shop</h1><p>Please enable JavaScript to view this page.</p>",
        "<p>Bitte aktivieren Sie JavaScript in Ihrem Browser. JavaScript ist deaktiviert.</p>",
        "<p>이 페이지를 보려면 자바스크립트를 활성화하세요.</p>",
    ],
)
def test_a_page_that_only_scripts_fill_is_unreadable(body: str) -> None:
    facts = read(body, address="https://antik.test/page")
    assert (facts.type, facts.price, facts.sources["type"]) == ("unreadable", None, "little text")


@pytest.mark.parametrize(
    "body",
    [
        shop_page("<p>€ 450</p>"),
        f"<h1>About us</h1><p>{LINE * 2}</p>",
        f"<p>Please enable JavaScript to comment.</p>{PROSE}",
    ],
)
def test_a_page_with_something_to_read_is_readable(body: str) -> None:
    assert read(body).type != "unreadable"


def test_a_declared_product_is_known_before_scripts_run() -> None:
    head = json_ld({"@type": "Product", "name": "A chair"})
    assert read("<div id='root'></div>", head=head).type == "product"


def test_the_three_strongest_signals_are_the_evidence() -> None:
    facts = read(shop_page("<p class='price'>€ 450</p>"))
    strongest = facts.sources["type"].split("; ")
    assert len(strongest) == 3
    assert "offer: own" in strongest


def test_every_signal_has_weights_and_every_weight_a_signal() -> None:
    assert set(type_model().weights) == set(_all_signals("<h1>A chair</h1>"))


@pytest.mark.parametrize("name", sorted(type_model().weights))
def test_no_signal_speaks_for_nothing(name: str) -> None:
    row = type_model().weights[name]
    assert any(weight != 0 for weight in row)
    assert len(row) == len(TYPES)
    assert page_type({name: 1.0}) in TYPES


def _signals(body: str) -> dict[str, float]:
    return signals_of(f"<html><body>{body}</body></html>".encode(), "https://antik.test/page")


def _all_signals(body: str) -> frozenset[str]:
    document = parse_document(f"<html><body>{body}</body></html>".encode(), "https://antik.test/")
    return frozenset(all_signals(document, structured_data(document), page_view(document)))
