"""The text of a page, line by line, as somebody reads it."""

from __future__ import annotations

from collections.abc import Iterator

import httpx
from selectolax.lexbor import LexborHTMLParser, LexborNode

from tests.browser.whole.walking import walked
from tests.unit.console.list_pages import LISTS

__all__ = ["every_address", "lines_of", "texts_of"]

_INLINE = frozenset({"a", "abbr", "b", "bdi", "code", "em", "i", "kbd", "mark", "q", "s", "small"})
_INLINE_TOO = frozenset({"span", "strong", "sub", "sup", "time", "u"})
_HIDDEN = "script, style, pre, svg title, datalist, .elsewhere, [hidden]"
_FURTHER = "tbody tr:nth-child(n+7), li:nth-child(n+9), option:nth-child(n+9)"
_SPOKEN = ("alt", "title", "aria-label", "placeholder")
"""Attributes whose values are read out or shown."""


def every_address(client: httpx.Client) -> dict[str, str]:
    """An address of each page by its route, and lists with their filters."""
    return walked(client) | {each.address: each.address for each in LISTS}


def lines_of(page: str) -> list[str]:
    """The lines of the main part of a page, of long lists and tables the first ones."""
    tree = LexborHTMLParser(page)
    for node in tree.css(f"{_HIDDEN}, {_FURTHER}"):
        node.decompose()
    main = tree.css_first("main")
    assert main is not None
    words = "".join(_pieces(main)).split("\n")
    lines = (" ".join(each.split()) for each in words)
    return [each for each in lines if each]


def texts_of(page: str, ignored: str) -> Iterator[tuple[str, bool]]:
    """Each text of a page, also of attributes, and whether it is marked as English.

    Elements of the selector ``ignored`` are left out.
    """
    tree = LexborHTMLParser(page)
    for node in tree.css(f"script, style, {ignored}"):
        node.decompose()
    for node in tree.css('[lang="en"]'):
        yield " ".join(node.text().split()), True
        node.decompose()
    assert tree.root is not None
    for node in tree.root.traverse(include_text=True):
        words = [node.text()] if node.tag == "-text" else map(node.attributes.get, _SPOKEN)
        yield from ((" ".join(each.split()), False) for each in words if each)


def _pieces(node: LexborNode) -> Iterator[str]:
    for child in node.iter(include_text=True):
        if child.tag == "-text":
            yield child.text().replace("\n", " ")
        elif child.tag in _INLINE or child.tag in _INLINE_TOO:
            yield from _pieces(child)
        else:
            yield "\n"
            yield from _pieces(child)
            yield "\n"
