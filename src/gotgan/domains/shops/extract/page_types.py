"""The type of a page: each of its signals speaks for some types and against others.

The weights are in ``page_types.json``, learnt by ``scripts/train_page_types.py`` from labelled
pages of the open web; they stay near a judgement.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Final

from gotgan.domains.shops.extract.products import StructuredData
from gotgan.domains.shops.extract.view import PageView
from gotgan.domains.shops.models import PageType

WEIGHTS_FILE: Final = "page_types.json"
TYPES: Final[tuple[PageType, ...]] = ("product", "category", "listing", "article", "other")
"""The types of readable pages, in the order of the weights."""
_MULTI_PRODUCT_TYPES: Final = frozenset({"category", "listing"})
_PRODUCT_MARGIN: Final = 1.5
"""How much lower than the best score that of a possible product may be."""
_SHOWN_SIGNALS: Final = 3


@dataclass(frozen=True)
class TypeModel:
    """What each signal adds to the score of each type."""

    bias: tuple[float, ...]
    weights: Mapping[str, tuple[float, ...]]

    def scores(self, signals: Mapping[str, float]) -> dict[PageType, float]:
        """The score of each type, in log-odds."""
        scores = list(self.bias)
        for name, value in sorted(signals.items()):
            for number, weight in enumerate(self.weights[name]):
                scores[number] += weight * value
        return dict(zip(TYPES, scores, strict=True))

    def strongest(self, signals: Mapping[str, float], kind: PageType) -> tuple[str, ...]:
        """The signals that set a type most apart from the others, the strongest first."""
        at = TYPES.index(kind)
        worth = {
            name: value * (self.weights[name][at] - sum(self.weights[name]) / len(TYPES))
            for name, value in signals.items()
        }
        ordered = sorted(worth, key=lambda name: (-worth[name], name))
        return tuple(name for name in ordered[:_SHOWN_SIGNALS] if worth[name] > 0)


@lru_cache(maxsize=1)
def type_model() -> TypeModel:
    """The model that is shipped."""
    path = files("gotgan.domains.shops.extract").joinpath(WEIGHTS_FILE)
    stored = json.loads(path.read_text(encoding="utf-8"))
    weights = {name: tuple(row) for name, row in stored["weights"].items()}
    return TypeModel(tuple(stored["bias"]), weights)


def page_type(signals: Mapping[str, float]) -> PageType:
    """The type with the highest score."""
    scores = type_model().scores(signals)
    return max(scores, key=lambda each: scores[each])


def type_evidence(signals: Mapping[str, float], kind: PageType) -> str:
    """The strongest signals for the type of a page, as text."""
    if kind not in TYPES:
        return "little text"
    return "; ".join(type_model().strongest(signals, kind)) or "no signals"


def may_be_product(signals: Mapping[str, float]) -> bool:
    """Whether a page is a product, or nearly so and not a list."""
    scores = type_model().scores(signals)
    is_close = scores["product"] >= max(scores.values()) - _PRODUCT_MARGIN
    return is_close and page_type(signals) not in _MULTI_PRODUCT_TYPES


_MIN_OWN_CHARS: Final = 100
"""Shorter than two sentences."""
_MIN_EXCUSE_CHARS: Final = 600
_MIN_PROSE: Final = 0.75
"""As a signal: about 1,000 characters."""
_EXCUSE: Final = re.compile(
    r"(?:enable|activate|turn on|requires?|without|needs?)\s+(?:your\s+)?java ?script"
    r"|java ?script\s+(?:is|must|to be|needs|has been|seems)\b.{0,30}"
    r"(?:enabled|disabled|required|turned|activated)"
    r"|java ?script.{0,30}(?:aktivier|deaktiviert|einschalten|benötigt|erforderlich)"
    r"|(?:activer|activez|nécessite).{0,20}java ?script|java ?script.{0,20}(?:désactivé|requis)"
    r"|(?:자바 ?스크립트|java ?script).{0,20}(?:활성화|사용|허용|필요)",
    re.IGNORECASE,
)
_TELLING_SIGNALS: Final = (
    *("declared: product", "declared: several products", "declared: article", "declared: talk"),
    *("meta: product", "words: of one product", "items: for sale", "price: own"),
    *("buttons: own", "buttons: many", "items: many"),
)
"""Any of them is enough to know what a page is."""


def is_unreadable(view: PageView, declared: StructuredData, signals: Mapping[str, float]) -> bool:
    """Whether a page says nothing before its scripts run: little text, and no other sign."""
    has_prose = signals.get("text: prose", 0.0) >= _MIN_PROSE
    if has_prose or declared.products or any(signals.get(each) for each in _TELLING_SIGNALS):
        return False
    sight, own = view.sight, 0
    has_excuse = False
    for text, node in zip(sight.texts, sight.nodes, strict=True):
        place = sight.place(node)
        if place.is_seen and not place.is_linked:
            own += len(text)
            has_excuse = has_excuse or _EXCUSE.search(text) is not None
            if own >= _MIN_EXCUSE_CHARS:
                return False
    return has_excuse or own < _MIN_OWN_CHARS
