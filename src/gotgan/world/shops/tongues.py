"""The languages of the shops: what their pages say, and how a price is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

__all__ = ["TONGUES", "Status", "Tongue", "written"]

Status = Literal["AVAILABLE", "RESERVED", "SOLD"]


@dataclass(frozen=True, eq=False)
class Tongue:
    """What a language calls the parts of a shop."""

    code: str
    home: str
    categories: tuple[str, ...]
    statuses: Mapping[Status, str]
    on_request: str
    add: str
    related: str
    journal: str
    contact: str
    imprint: str
    next: str
    login: str
    paths: Mapping[str, str]
    """What product, category, journal, imprint, contact, cart and page are called in addresses."""


_GERMAN: Final = Tongue(
    code="de",
    home="Startseite",
    categories=("Möbel", "Gemälde", "Uhren", "Porzellan", "Silber", "Bücher"),
    statuses={"AVAILABLE": "Sofort lieferbar", "RESERVED": "Reserviert", "SOLD": "Verkauft"},
    on_request="Preis auf Anfrage",
    add="In den Warenkorb",
    related="Das könnte Ihnen auch gefallen",
    journal="Magazin",
    contact="Kontakt",
    imprint="Impressum",
    next="Nächste Seite",
    login="Bitte melden Sie sich an",
    paths={
        "product": "produkt",
        "category": "kategorie",
        "journal": "magazin",
        "imprint": "impressum",
        "contact": "kontakt",
        "cart": "warenkorb",
        "page": "seite",
    },
)
_ENGLISH: Final = Tongue(
    code="en",
    home="Home",
    categories=("Furniture", "Paintings", "Clocks", "Porcelain", "Silver", "Books"),
    statuses={"AVAILABLE": "In stock", "RESERVED": "Reserved", "SOLD": "Sold"},
    on_request="Price on request",
    add="Add to cart",
    related="You may also like",
    journal="Journal",
    contact="Contact",
    imprint="About us",
    next="Next page",
    login="Please log in",
    paths={
        "product": "products",
        "category": "collections",
        "journal": "journal",
        "imprint": "about",
        "contact": "contact",
        "cart": "cart",
        "page": "page",
    },
)
_FRENCH: Final = Tongue(
    code="fr",
    home="Accueil",
    categories=("Meubles", "Tableaux", "Horloges", "Porcelaine", "Argenterie", "Livres"),
    statuses={"AVAILABLE": "En stock", "RESERVED": "Réservé", "SOLD": "Vendu"},
    on_request="Prix sur demande",
    add="Ajouter au panier",
    related="Vous aimerez aussi",
    journal="Journal",
    contact="Contact",
    imprint="Mentions légales",
    next="Page suivante",
    login="Veuillez vous connecter",
    paths={
        "product": "produit",
        "category": "categorie",
        "journal": "journal",
        "imprint": "mentions-legales",
        "contact": "contact",
        "cart": "panier",
        "page": "page",
    },
)
_KOREAN: Final = Tongue(
    code="ko",
    home="홈",
    categories=("가구", "그림", "시계", "도자기", "은기", "고서"),
    statuses={"AVAILABLE": "구매 가능", "RESERVED": "예약중", "SOLD": "품절"},
    on_request="가격 문의",
    add="장바구니에 담기",
    related="함께 보면 좋은 상품",
    journal="이야기",
    contact="문의",
    imprint="회사 소개",
    next="다음 페이지",
    login="로그인해 주세요",
    paths={
        "product": "상품",
        "category": "분류",
        "journal": "이야기",
        "imprint": "회사소개",
        "contact": "문의",
        "cart": "cart",
        "page": "page",
    },
)
TONGUES: Final[Mapping[str, Tongue]] = {
    tongue.code: tongue for tongue in (_GERMAN, _ENGLISH, _FRENCH, _KOREAN)
}


def written(price: int, currency: str, tongue: str) -> str:
    """A price in minor units as a shop writes it."""
    if currency == "KRW":
        return f"{price:,}원"
    whole, cents = divmod(price, 100)
    match currency, tongue:
        case "CHF", _:
            return f"CHF {whole:,}.–".replace(",", "'")
        case "GBP", _:
            return f"£{whole:,}.{cents:02}"
        case "USD", _:
            return f"${whole:,}.{cents:02}"
        case _, "fr":
            return f"{whole:,}".replace(",", "\u202f") + f",{cents:02}\u00a0€"
        case _:
            return f"{whole:,}".replace(",", ".") + (f",{cents:02} €" if cents else " €")
