"""A page as the elements that matter and the texts that are seen, each gathered in one walk.

A page that declares all that is asked for is never walked through for its texts, of which there are
more than of all that matters else.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final, TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode

__all__ = ["UNSEEN", "Attributes", "Elements", "elements_of"]

Attributes: TypeAlias = dict[str, str | None]

UNSEEN: Final = frozenset(
    {"script", "style", "noscript", "template", "title", "svg", "option", "textarea", "head"}
)
_CODE: Final = frozenset({"script", "style"})
_LINKED_DATA: Final = "ld+json"
_BUTTONS: Final = frozenset({"submit", "button"})
_HEADING: Final = "h1"
_FIELDS: Final = frozenset({"input", "select"})
_MOST: Final = 20_000
"""How many texts of a page are looked at."""


@dataclass
class _Seen:
    """The texts of a page, in its order."""

    texts: list[str] = field(default_factory=list)
    holders: list[LexborNode] = field(default_factory=list)
    before: list[int] = field(default_factory=list)

    def add(self, text: str, holder: LexborNode) -> None:
        self.texts.append(text)
        self.holders.append(holder)

    def take(self, node: LexborNode) -> None:
        text = (node.text_content or "").strip()
        if text and (holder := node.parent) is not None and holder.tag not in UNSEEN:
            self.add(text, holder)


@dataclass
class Elements:
    """The elements of a page by what they are good for, each list in the order of the page."""

    tree: LexborHTMLParser
    language: str | None = None
    base: str | None = None
    titles: list[LexborNode] = field(default_factory=list)
    headings: list[LexborNode] = field(default_factory=list)
    """Those of the first rank."""
    subheadings: list[LexborNode] = field(default_factory=list)
    anchors: list[Attributes] = field(default_factory=list)
    buttons: list[Attributes] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    """What the fields of forms are called."""
    forms: list[str] = field(default_factory=list)
    """Where the forms are sent."""
    articles: int = 0
    times: int = 0
    metas: dict[str, str] = field(default_factory=dict)
    """The first content of each name or property, in lower case."""
    relations: list[Attributes] = field(default_factory=list)
    """The attributes of the link elements."""
    scripts: list[str] = field(default_factory=list)
    """Those of linked data."""

    @property
    def texts(self) -> list[str]:
        """The texts that are seen."""
        return self._seen.texts

    @property
    def holders(self) -> list[LexborNode]:
        """The element around each text."""
        return self._seen.holders

    @property
    def before(self) -> list[int]:
        """How many texts stand before each heading of the first rank."""
        return self._seen.before

    @cached_property
    def _seen(self) -> _Seen:
        return _seen_in(self.tree)


def elements_of(tree: LexborHTMLParser) -> Elements:
    """Walk through a page once, past its texts."""
    found = Elements(tree)
    for node in tree.root.traverse(include_text=False) if tree.root is not None else ():
        if take := _TAKERS.get(node.tag or ""):
            take(found, node)
    return found


def _seen_in(tree: LexborHTMLParser) -> _Seen:
    """Walk through the texts of a page, and what is shown as one: the label of a button."""
    seen = _Seen()
    is_code = False
    for node in tree.root.traverse(include_text=True) if tree.root is not None else ():
        tag = node.tag
        if tag == "-text":
            if not (is_code and node.parent is not None and node.parent.tag in _CODE):
                seen.take(node)
            if len(seen.texts) >= _MOST:
                break
            continue
        is_code = tag in _CODE  # whose text is long, and not worth a look
        if tag == _HEADING:
            seen.before.append(len(seen.texts))
        elif tag in _FIELDS and (label := _label(node.attributes)):
            seen.add(label, node)
    return seen


def _take_anchor(found: Elements, node: LexborNode) -> None:
    attributes = node.attributes
    if "href" in attributes:
        found.anchors.append(attributes)


def _take_button(found: Elements, node: LexborNode) -> None:
    found.buttons.append(node.attributes)


def _take_field(found: Elements, node: LexborNode) -> None:
    found.fields.append(node.attributes.get("name") or "")


def _label(attributes: Attributes) -> str:
    """What is written on a field, where that is a button."""
    is_button = (attributes.get("type") or "").lower() in _BUTTONS
    return (attributes.get("value") or "").strip() if is_button else ""


def _take_form(found: Elements, node: LexborNode) -> None:
    found.forms.append(node.attributes.get("action") or "")


def _take_meta(found: Elements, node: LexborNode) -> None:
    attributes = node.attributes
    name = attributes.get("property") or attributes.get("name")
    content = attributes.get("content")
    if name and content:
        found.metas.setdefault(name.strip().lower(), content)


def _take_script(found: Elements, node: LexborNode) -> None:
    if _LINKED_DATA in (node.attributes.get("type") or "").lower():
        found.scripts.append(node.text())


def _take_language(found: Elements, node: LexborNode) -> None:
    found.language = node.attributes.get("lang")


def _take_base(found: Elements, node: LexborNode) -> None:
    found.base = found.base or node.attributes.get("href")


def _take_article(found: Elements, _: LexborNode) -> None:
    found.articles += 1


def _take_time(found: Elements, _: LexborNode) -> None:
    found.times += 1


_TAKERS: Final[dict[str, Callable[[Elements, LexborNode], None]]] = {
    "a": _take_anchor,
    "article": _take_article,
    "base": _take_base,
    "button": _take_button,
    "form": _take_form,
    _HEADING: lambda found, node: found.headings.append(node),
    "h2": lambda found, node: found.subheadings.append(node),
    "h3": lambda found, node: found.subheadings.append(node),
    "h4": lambda found, node: found.subheadings.append(node),
    "html": _take_language,
    "input": _take_field,
    "link": lambda found, node: found.relations.append(node.attributes),
    "meta": _take_meta,
    "script": _take_script,
    "select": _take_field,
    "style": lambda _found, _node: None,
    "time": _take_time,
    "title": lambda found, node: found.titles.append(node),
}
