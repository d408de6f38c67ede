from __future__ import annotations

import pytest

from gotgan.domains.shops.extract.page_types import WEIGHTS, page_type
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
    assert read(page, address="https://antik.test/lamps").type == "category"


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


def test_an_empty_page_is_something_else() -> None:
    assert read("").type == "other"


@pytest.mark.parametrize("name", WEIGHTS)
def test_no_signal_speaks_for_nothing(name: str) -> None:
    assert any(weight != 0 for weight in WEIGHTS[name])
    assert page_type(frozenset({name})) in {"product", "category", "listing", "article", "other"}
