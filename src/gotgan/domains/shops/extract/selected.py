"""Selectors of a shop: the elements that its owner named for a fact, read before all others.

A selector is CSS. What it finds is read as the fact that it is for: an attribute with the value, or
the text. A page on which it finds nothing, or nothing of that kind, is read as without it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from hashlib import sha256
from types import MappingProxyType
from typing import Final

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from gotgan.domains.shops import messages
from gotgan.domains.shops.currency import Home, parse_currency
from gotgan.domains.shops.extract.document import Document
from gotgan.domains.shops.extract.facts import (
    SELECTOR_SOURCE,
    MergedFacts,
    ProductFacts,
    Status,
)
from gotgan.domains.shops.extract.prices import declared_amount, first_money
from gotgan.domains.shops.extract.products import declared_status
from gotgan.domains.shops.extract.structured_data import first_text
from gotgan.domains.shops.models import SELECTOR_FIELDS
from gotgan.errors import UsageError
from gotgan.markup import is_too_deep, to_utf8, without_many_options

FACT_FIELDS: Final = ("price", "currency", "status", "title")
_FACTS: Final = ("amount", "currency", "status", "title")
NO_SELECTORS: Final[Mapping[str, str]] = MappingProxyType({})

MAX_SELECTOR_CHARS: Final = 300
_MAX_LEAPS: Final = 3
"""Blanks and ``~`` in one selector: each may multiply the time by the depth of the page."""
_MAX_DEPTH: Final = 100
"""On pages that are nested more deeply, selectors find nothing, for the same reason."""
_MAX_MATCHES: Final = 50
_QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
_BRACKETS: Final = re.compile(r"\[[^\]]*\]")
_AROUND_MARK: Final = re.compile(r"\s*([>+~,()|])\s*")
_LEAP: Final = re.compile(r"\s+|~")
_VALUE_ATTRIBUTES: Final = ("value", "href", "title", "alt")
"""The attributes that may hold the value, if the text has none."""
_BARE_AMOUNT: Final = re.compile(r"(?:[^\W\d]+\W{1,3}){0,3}[\d.,'\u2019\s]+[-–—]*")
"""An amount without a currency, perhaps after a word such as Price: not a URL with a number."""


def parse_selector(text: str) -> str:
    """A valid selector; UsageError says what is wrong with it."""
    selector = " ".join(text.split())
    if not selector or len(selector) > MAX_SELECTOR_CHARS or "\0" in selector:
        raise UsageError(messages.SELECTOR_LENGTH(count=MAX_SELECTOR_CHARS))
    plain = _BRACKETS.sub("[]", _QUOTED.sub("''", selector)).lower()
    if ":has(" in plain:
        raise UsageError(messages.SELECTOR_HAS())
    if any(
        len(_LEAP.findall(_AROUND_MARK.sub(r"\1", each))) > _MAX_LEAPS for each in plain.split(",")
    ):
        raise UsageError(messages.SELECTOR_LEAPS(count=_MAX_LEAPS))
    try:
        LexborHTMLParser("<p></p>").css(selector)
    except SelectolaxError as error:
        raise UsageError(messages.NOT_A_SELECTOR(selector=repr(selector))) from error
    return selector


def selectors_digest(selectors: Mapping[str, str] | None) -> str | None:
    """Tells selectors from others; None for none."""
    if not selectors:
        return None
    text = "\n".join(f"{name} {css}" for name, css in sorted(selectors.items()))
    return sha256(text.encode()).hexdigest()[:16]


def selector_source(selector: str) -> str:
    """The source of a fact that a selector found."""
    return f"{SELECTOR_SOURCE}{selector}"


@dataclass(frozen=True)
class SelectedFacts:
    """What the selectors of a shop found on a page."""

    found: MergedFacts = field(default_factory=MergedFacts)
    is_product: bool = False
    """Whether the page has what only product pages have."""
    currency: str | None = None
    """That of the site, for an amount without a mark."""

    @property
    def has_price(self) -> bool:
        """Whether a price was found."""
        return self.found.facts.amount is not None

    def over(self, answer: MergedFacts) -> MergedFacts:
        """What was found, and for the other facts what the page says."""
        found = {name: getattr(self.found.facts, name) for name in _FACTS}
        known = {name: each for name, each in found.items() if each is not None}
        merged = MergedFacts(
            replace(answer.facts, **known), {**answer.sources, **self.found.sources}
        )
        if self.has_price:  # as for any other price
            merged = merged.with_defaults("price", ProductFacts(status=Status.AVAILABLE))
            return merged.with_defaults("site", ProductFacts(currency=self.currency))
        if merged.facts.amount is None:
            sources = {name: each for name, each in merged.sources.items() if name != "currency"}
            return MergedFacts(replace(merged.facts, currency=None), sources)
        return merged


def selected_facts(document: Document, selectors: Mapping[str, str]) -> SelectedFacts:
    """What the selectors find on a page."""
    found, is_product, home = MergedFacts(), False, document.home
    currency = home.currency
    if selectors and not is_too_deep(document.markup.decode("latin-1"), _MAX_DEPTH):
        for name in SELECTOR_FIELDS:
            selector = selectors.get(name)
            if selector is None:
                continue
            nodes = select(document.tree, selector)
            is_product = is_product or (name == "product" and bool(nodes))
            fact = selected_fact(name, nodes, home)
            if name == "price" and any(first_money(text, home) for text in _values(nodes)):
                currency = None  # the mark decides, or is undecided
            found = found.with_defaults(selector_source(selector), fact or ProductFacts())
    return SelectedFacts(found, is_product, currency)


def matched_texts(page: bytes, selector: str, *, charset: str | None = None) -> list[str]:
    """What the elements that a selector finds on a page say."""
    markup = to_utf8(page, charset)
    if is_too_deep(markup.decode("latin-1"), _MAX_DEPTH):
        return []
    nodes = select(LexborHTMLParser(without_many_options(markup)), selector)
    return [next(element_values(node), "") for node in nodes]


def select(tree: LexborHTMLParser, selector: str) -> list[LexborNode]:
    """The elements that a selector finds; none if it was stored by another tool and is invalid."""
    try:
        return tree.css(selector)[:_MAX_MATCHES]
    except SelectolaxError:
        return []


def selected_fact(name: str, nodes: list[LexborNode], home: Home) -> ProductFacts | None:
    """The first of some elements that can be read as a fact."""
    found = (_fact(name, text, home) for text in _values(nodes))
    return next((each for each in found if each is not None), None)


def _values(nodes: list[LexborNode]) -> Iterator[str]:
    return (text for node in nodes for text in element_values(node))


def element_values(node: LexborNode) -> Iterator[str]:
    """What an element may say: its value as declared, its text, and other attributes."""
    attributes = node.attributes
    for each in (attributes.get("content"), node.text(), *map(attributes.get, _VALUE_ATTRIBUTES)):
        text = first_text(each)
        if text:
            yield text


def _fact(name: str, text: str, home: Home) -> ProductFacts | None:
    match name:
        case "price":
            return _price(text, home)
        case "currency":
            money = first_money(text, home)
            currency = parse_currency(text, home) or (money.currency if money else None)
            return ProductFacts(currency=currency) if currency else None
        case "status":
            status = declared_status(text)
            return ProductFacts(status=status) if status else None
        case "title":
            return ProductFacts(title=text)
        case _:
            return None


def _price(text: str, home: Home) -> ProductFacts | None:
    money = first_money(text, home)
    if money is not None:
        return ProductFacts(amount=money.amount, currency=money.currency)
    amount = declared_amount(text) if _BARE_AMOUNT.fullmatch(text) else None
    return None if amount is None else ProductFacts(amount=amount)
