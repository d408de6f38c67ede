"""Pages with status 200 that stand for a product that is gone, or for a refusal."""

from __future__ import annotations

import pytest

from gotgan.domains.shops.extract import read_page

URL = "https://shop.example/p/1"
MENU = "<nav><a href='/'>Home</a> <a href='/sale'>Sale</a></nav>"
CARD = (
    "<li class='product-card'><a href='/p/2'><h3>A clock</h3></a><span class='price'>€ 12,00</span>"
)
PRODUCT = """<script type="application/ld+json">{"@type": "Product", "name": "A chair",
"offers": {"price": "12.00", "priceCurrency": "EUR", "availability": "InStock"}}</script>"""


def absence(body: str, title: str = "Shop") -> str | None:
    page = (
        f"<!doctype html><html><head><title>{title}</title></head><body>{MENU}{body}</body></html>"
    )
    return read_page(page.encode(), URL).absence


@pytest.mark.parametrize(
    "title",
    [
        "Page not found",
        "404 Not Found",
        "Error 404 | Shop",
        "Product not found – Shop",
        "This page doesn't exist",
        "The item could not be found",
        "Seite nicht gefunden",
        "Fehler 404",
        "Artikel wurde leider nicht gefunden",
        "Page introuvable",
        "Cette page n\u2019existe plus",
        "페이지를 찾을 수 없습니다",
        "존재하지 않는 상품입니다",
    ],
)
def test_a_title_or_a_heading_says_that_the_page_is_not_there(title: str) -> None:
    assert absence("<p>Have a look around.</p>", title) == "gone"
    assert absence(f"<h1>{title}</h1><ul>{CARD * 4}</ul>") == "gone"


@pytest.mark.parametrize(
    "text",
    [
        "Sorry, this item is no longer available.",
        "This product has been discontinued",
        "This listing was ended by the seller",
        "Dieser Artikel ist leider nicht mehr verfügbar.",
        "Das Produkt wurde entfernt",
        "Ce produit n'est plus disponible",
        "Cet article a été retiré de la vente",
        "더 이상 판매되지 않는 상품입니다",
        "판매가 종료된 상품입니다.",
    ],
)
def test_a_short_text_says_so_on_a_page_without_a_price(text: str) -> None:
    assert absence(f"<h1>A chair</h1><p>{text}</p>") == "gone"


@pytest.mark.parametrize(
    "others",
    [
        f"<ul>{CARD * 3}</ul>",
        "<div class='related'><a href='/p/2'>A clock</a> <b class='price'>€ 12,00</b></div>",
        "<aside><a href='/p/2'>A clock</a> <b class='price'>€ 12,00</b></aside>",
    ],
    ids=["cards", "related", "aside"],
)
def test_prices_of_other_products_do_not_bring_it_back(others: str) -> None:
    text = "<p>This item is no longer available.</p>"
    assert absence(f"<h1>A chair</h1>{text}{others}") == "gone"


@pytest.mark.parametrize(
    "body",
    [
        "<h1>A chair</h1><p class='price'>€ 12,00</p><p>Blue is no longer available</p>",
        f"<h1>A chair</h1>{PRODUCT}<p>This item is no longer available.</p>",
        "<h1>A chair</h1><p>" + "Oak from 1820. " * 20 + "This form is no longer available.</p>",
        "<h1>A chair</h1><aside class='related'><p>This item is no longer available</p></aside>",
        "<h1>A chair</h1><p>Sold out</p>",
        "<h1>Peugeot 404 brochure</h1><p class='price'>€ 12,00</p><button>Add to cart</button>",
        "<h1>Lost and found</h1><p>We found your page.</p>",
    ],
    ids=["price", "declared", "prose", "other-product", "sold", "number", "found"],
)
def test_a_page_of_a_product_is_there(body: str) -> None:
    assert absence(body) is None


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("Just a moment...", "<script>window._cf_chl_opt={}</script>"),
        ("Attention Required! | Cloudflare", "<h1>Sorry, you have been blocked</h1>"),
        ("Access Denied", "<p>You don't have permission to access this.</p>"),
        ("Are you a robot?", "<p>Wait</p>"),
        ("shop.example", '<script src="https://ct.captcha-delivery.com/c.js"></script>'),
        ("shop.example", '<div id="px-captcha"></div>'),
        ("shop.example", '<form><div class="h-captcha"></div></form>'),
        ("Sicherheitsüberprüfung", "<p>Bitte warten</p>"),
        ("Accès refusé", "<p>Veuillez patienter</p>"),
        ("보안 확인", "<p>잠시만 기다려 주세요</p>"),
    ],
)
def test_a_captcha_that_is_all_that_a_page_has_is_a_refusal(title: str, body: str) -> None:
    assert absence(body, title) == "blocked"


@pytest.mark.parametrize(
    "body",
    [
        "<h1>Contact</h1><p>" + "Write to us. " * 200 + "</p><div class='g-recaptcha'></div>",
        "<h1>Welcome</h1>" + "<a href='/c/1'>Clocks</a> " * 12 + "<div class='g-recaptcha'></div>",
        f"{PRODUCT}<h1>A chair</h1><div class='h-captcha'></div>",
        "<h1>A chair</h1><p class='price'>€ 12,00</p><form><div class='g-recaptcha'></div></form>",
    ],
    ids=["form", "front", "declared", "price"],
)
def test_a_captcha_in_a_form_of_a_real_page_is_none(body: str) -> None:
    assert absence(body) is None
