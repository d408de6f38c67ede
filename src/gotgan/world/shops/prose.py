"""What shops write: the names of things, and what is said of them."""

from __future__ import annotations

import re
from random import Random
from typing import Final

__all__ = ["sentences", "slug_of", "title"]

_TITLES: Final = {
    "de": "{style} {thing} aus {stuff}, um {year}",
    "en": "{style} {thing}, {stuff}, circa {year}",
    "fr": "{thing} {style} en {stuff}, vers {year}",
    "ko": "{year}년경 {style} {stuff} {thing}",
}
_STYLES: Final = {
    "de": ("Biedermeier", "Gründerzeit", "Jugendstil", "Barock", "Empire", "Art Déco"),
    "en": ("Georgian", "Regency", "Victorian", "Edwardian", "Arts & Crafts", "Art Deco"),
    "fr": ("Louis XV", "Louis-Philippe", "Napoléon III", "Empire", "Art nouveau", "Art déco"),
    "ko": ("조선", "대한제국", "근대", "고려풍", "민화풍", "빈티지"),
}
_STUFFS: Final = {
    "de": ("Nussbaum", "Eiche", "Kirschholz", "Silber", "Messing"),
    "en": ("walnut", "oak", "mahogany", "silver", "brass"),
    "fr": ("noyer", "chêne", "merisier", "argent", "laiton"),
    "ko": ("느티나무", "소나무", "오동나무", "은", "황동"),
}
_THINGS: Final = {
    "de": (
        ("Kommode", "Sekretär", "Armlehnstuhl"),
        ("Landschaft", "Stillleben", "Bildnis"),
        ("Standuhr", "Taschenuhr", "Kaminuhr"),
        ("Teekanne", "Deckelvase", "Figur"),
        ("Leuchter", "Besteck", "Zuckerdose"),
        ("Atlas", "Kräuterbuch", "Reisebericht"),
    ),
    "en": (
        ("chest of drawers", "bureau", "armchair"),
        ("landscape", "still life", "portrait"),
        ("longcase clock", "pocket watch", "mantel clock"),
        ("teapot", "covered vase", "figurine"),
        ("candlestick", "cutlery set", "sugar bowl"),
        ("atlas", "herbal", "travel book"),
    ),
    "fr": (
        ("Commode", "Secrétaire", "Fauteuil"),
        ("Paysage", "Nature morte", "Portrait"),
        ("Horloge de parquet", "Montre de poche", "Pendule"),
        ("Théière", "Vase couvert", "Figurine"),
        ("Chandelier", "Ménagère", "Sucrier"),
        ("Atlas", "Herbier", "Récit de voyage"),
    ),
    "ko": (
        ("서랍장", "책상", "의자"),
        ("산수화", "정물화", "초상화"),
        ("괘종시계", "회중시계", "탁상시계"),
        ("주전자", "항아리", "인형"),
        ("촛대", "수저", "합"),
        ("지도첩", "약초서", "기행문"),
    ),
}
_SENTENCES: Final = {
    "de": (
        "Das Stück stammt aus einem Haushalt in der Nähe und wurde nie überarbeitet.",
        "Die Oberfläche ist von Hand poliert, die Schlösser schließen.",
        "Kleine Spuren des Alters gehören dazu und sind auf den Bildern zu sehen.",
        "Wir liefern im Umkreis selbst, weiter weg mit einem Spediteur.",
        "Eine ähnliche Arbeit steht in der Sammlung des Stadtmuseums.",
    ),
    "en": (
        "It comes from a house nearby and has never been altered.",
        "The surface is polished by hand, and the locks turn.",
        "Small marks of age belong to it and are shown in the pictures.",
        "We deliver in the neighbourhood ourselves, and further away by carrier.",
        "A similar piece is in the collection of the town museum.",
    ),
    "fr": (
        "La pièce vient d'une maison voisine et n'a jamais été modifiée.",
        "La surface est polie à la main et les serrures ferment.",
        "De petites traces d'âge en font partie et se voient sur les photos.",
        "Nous livrons nous-mêmes aux environs, plus loin par transporteur.",
        "Une pièce semblable se trouve au musée de la ville.",
    ),
    "ko": (
        "가까운 집안에서 나온 물건으로 손을 댄 적이 없습니다.",
        "표면은 손으로 닦았고 자물쇠도 잘 잠깁니다.",
        "세월의 작은 흔적은 사진에서 볼 수 있습니다.",
        "가까운 곳은 직접, 먼 곳은 화물로 보내 드립니다.",
        "비슷한 물건이 시립 박물관에 있습니다.",
    ),
}
_PLAIN: Final = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "é": "e", "è": "e", "ê": "e", "û": "u"}
)
_BETWEEN: Final = re.compile(r"[^0-9a-z가-힣]+")


def title(dice: Random, tongue: str, category: int) -> str:
    """What a thing of a category is called."""
    return _TITLES[tongue].format(
        style=dice.choice(_STYLES[tongue]),
        thing=dice.choice(_THINGS[tongue][category]),
        stuff=dice.choice(_STUFFS[tongue]),
        year=dice.randrange(1720, 1935, 5),
    )


def sentences(dice: Random, tongue: str, count: int) -> str:
    """Some sentences that would fit many things."""
    return " ".join(dice.choice(_SENTENCES[tongue]) for _ in range(count))


def slug_of(text: str) -> str:
    """A name as addresses have it."""
    return _BETWEEN.sub("-", text.lower().translate(_PLAIN)).strip("-")
