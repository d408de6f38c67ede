"""A parsed page: its elements, visible texts, heading and links.

A page that declares everything is rarely walked through for its texts, which are most of it.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Final, TypeAlias

from selectolax.lexbor import LexborHTMLParser, LexborNode

from gotgan.domains.shops.canonical import canonical_url
from gotgan.domains.shops.currency import Home, home_of
from gotgan.domains.shops.extract.names import name_hints
from gotgan.domains.shops.extract.phrases import find_phrases
from gotgan.domains.shops.extract.structured_data import first_text
from gotgan.markup import without_many_options


@dataclass(frozen=True)
class Document:
    """A parsed page and its names."""

    markup: bytes
    """In UTF-8."""
    tree: LexborHTMLParser
    elements: Elements
    address: str
    base: str
    """The base of its links."""
    canonical: str | None
    names: tuple[str, ...]
    """Its heading and titles, the most reliable first."""
    addresses: tuple[str, ...]
    """Its URL, and the canonical one."""
    heading: Heading | None
    home: Home
    """Where it is from, which decides among currencies."""


def parse_document(markup: bytes, address: str) -> Document:
    """Parse a page and collect its elements."""
    tree = LexborHTMLParser(without_many_options(markup))
    elements = collect_elements(tree)
    base = canonical_url(elements.base, address) if elements.base is not None else None
    base = base or address
    title = elements.titles[0].text() if elements.titles else None
    titles = tuple(filter(None, map(first_text, (elements.metas.get("og:title"), title))))
    found = (
        canonical_url(each.get("href") or "", base)
        for each in elements.relations
        if each.get("href") and "canonical" in (each.get("rel") or "").lower().split()
    )
    canonical = next((url for url in found if url is not None), None)
    heading = main_heading(elements, _telling_titles(elements, titles, address))
    return Document(
        markup=markup,
        tree=tree,
        elements=elements,
        address=address,
        base=base,
        canonical=canonical,
        names=(heading.text, *titles) if heading and heading.is_like_title else titles,
        addresses=(address, canonical) if canonical else (address,),
        heading=heading,
        home=home_of(address, elements.language),
    )


Attributes: TypeAlias = dict[str, str | None]

INVISIBLE_TAGS: Final = frozenset(
    {"script", "style", "noscript", "template", "title", "svg", "option", "textarea", "head"}
)
WHOLE_PAGE_TAGS: Final = frozenset({"html", "body", "main"})
"""Elements of the whole page, whose names say nothing about a part of it."""
_COLLECTED_TAGS: Final = frozenset(
    {"a", "base", "button", "form", "html", "input", "link", "meta", "script", "select"}
)
_COUNTED_TAGS: Final = frozenset({"article", "code", "pre", "textarea", "time"})
SUBHEADING_TAGS: Final = frozenset({"h2", "h3", "h4"})
_BUTTON_TYPES: Final = frozenset({"submit", "button", "image"})
_MAX_PRESSED_DEPTH: Final = 3
_FIELD_TAGS: Final = frozenset({"input", "select"})
_MAX_TEXTS: Final = 20_000


@dataclass
class _VisibleTexts:
    """The visible texts of a page, in its order."""

    texts: list[str] = field(default_factory=list)
    holders: list[LexborNode] = field(default_factory=list)
    """The element around each text."""
    before: list[int] = field(default_factory=list)
    """How many texts are before each h1."""
    hrefs: dict[int, str] = field(default_factory=dict)
    """Where the texts in links lead, by index."""


@dataclass
class Elements:
    """The relevant elements of a page, each list in the order of the page."""

    tree: LexborHTMLParser
    language: str | None = None
    base: str | None = None
    titles: list[LexborNode] = field(default_factory=list)
    headings: list[LexborNode] = field(default_factory=list)
    subheadings: list[LexborNode] = field(default_factory=list)
    anchors: list[Attributes] = field(default_factory=list)
    buttons: list[Attributes] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)
    forms: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    """How many there are of those whose content does not matter."""
    metas: dict[str, str] = field(default_factory=dict)
    """The first content of each name or property, in lower case."""
    relations: list[Attributes] = field(default_factory=list)
    scripts: list[str] = field(default_factory=list)
    """Those of JSON-LD."""

    @cached_property
    def visible(self) -> _VisibleTexts:
        """The visible texts."""
        return _collect_texts(self.tree)


def collect_elements(tree: LexborHTMLParser) -> Elements:
    """Walk through the elements of a page once."""
    found = Elements(tree)
    kept = {"h1": found.headings, "title": found.titles} | dict.fromkeys(
        SUBHEADING_TAGS, found.subheadings
    )
    for node in tree.root.traverse(include_text=False) if tree.root is not None else ():
        tag = node.tag or ""
        if tag in _COLLECTED_TAGS:
            _collect(found, tag, node)
        elif tag in _COUNTED_TAGS:
            found.counts[tag] += 1
        elif tag in kept:
            kept[tag].append(node)
    return found


def _collect(found: Elements, tag: str, node: LexborNode) -> None:  # noqa: C901 - one for each element
    attributes = node.attributes
    match tag:
        case "a" if "href" in attributes:
            found.anchors.append(attributes)
        case "script" if "ld+json" in (attributes.get("type") or "").lower():
            found.scripts.append(node.text())
        case "link":
            found.relations.append(attributes)
        case "meta":
            name = attributes.get("property") or attributes.get("name")
            if name and (content := attributes.get("content")):
                found.metas.setdefault(name.strip().lower(), content)
        case "input" | "select":
            found.fields.append(attributes.get("name") or "")
        case "button":
            found.buttons.append(attributes)
        case "form":
            found.forms.append(attributes.get("action") or "")
        case "base":
            found.base = found.base or attributes.get("href")
        case "html":
            found.language = attributes.get("lang")


def _collect_texts(tree: LexborHTMLParser) -> _VisibleTexts:  # noqa: C901 - one walk, for speed
    """Walk through the texts of a page, and the labels of buttons."""
    seen = _VisibleTexts()
    texts, holders = seen.texts, seen.holders
    link: LexborNode | None = None
    for node in tree.root.traverse(include_text=True) if tree.root is not None else ():
        tag = node.tag
        if tag == "-text":
            holder = node.parent
            if holder is not None and holder.tag not in INVISIBLE_TAGS:
                text = one_line(node.text_content or "")
                if text:
                    if link is not None and not _is_inside(holder, link.mem_id):
                        link = None
                    if link is not None:
                        seen.hrefs[len(texts)] = link.attributes.get("href") or ""
                    texts.append(text)
                    holders.append(holder)
                    if len(texts) >= _MAX_TEXTS:
                        break
        elif tag == "a":
            link = node
        elif tag == "h1":
            seen.before.append(len(texts))
        elif (label := button_label(node)) and len(texts) < _MAX_TEXTS:
            texts.append(label)
            holders.append(node)
    return seen


def button_label(node: LexborNode) -> str:
    """The label of a button that is not a text: that of an input, or of a picture to press."""
    tag = node.tag
    if tag in _FIELD_TAGS:
        attributes = node.attributes
        is_button = (attributes.get("type") or "").lower() in _BUTTON_TYPES
        return (attributes.get("value") or attributes.get("alt") or "").strip() if is_button else ""
    label = (node.attributes.get("alt") or "").strip() if tag == "img" else ""
    return label if label and find_phrases([label])["buy"] and _is_pressed(node) else ""


def _is_pressed(picture: LexborNode) -> bool:
    """Whether a picture is in a button, or in a link that does not only show the cart."""
    around = picture.parent
    for _ in range(_MAX_PRESSED_DEPTH):
        if around is None or around.tag == "button":
            break
        if around.tag == "a":
            return _TO_CART.search(around.attributes.get("href") or "") is None
        around = around.parent
    return around is not None and around.tag == "button"


_TO_CART: Final = re.compile(r"(?:cart|basket|warenkorb|panier)(?:\.\w+)?/?$", re.IGNORECASE)


_SPACED_CHARS: Final = 100


def one_line(text: str) -> str:
    """A text without the blanks around it, and a short one without breaks of lines in it."""
    text = text.strip()
    return " ".join(text.split()) if "\n" in text and len(text) < _SPACED_CHARS else text


_MAX_LINK_DEPTH: Final = 6


def _is_inside(node: LexborNode, link: int) -> bool:
    above: LexborNode | None = node
    for _ in range(_MAX_LINK_DEPTH):
        if above is None:
            return False
        if above.mem_id == link:
            return True
        above = above.parent
    return False


_MAX_HEADINGS: Final = 10
"""Headings of the first rank that are compared: a page should have one."""
_MAX_TITLE_DISTANCE: Final = 1_000
_MIN_SIMILARITY: Final = 0.5


@dataclass(frozen=True)
class Heading:
    """A heading, or a text that serves as one."""

    text: str
    number: int
    page: Elements | None = None
    """The page whose headings are counted; without one, texts are."""
    is_like_title: bool = True
    """Otherwise it only says where things are, not how they are named."""

    @property
    def node(self) -> LexborNode | None:
        """Its element; None of a text that serves as one."""
        return self.page.headings[self.number] if self.page is not None else None

    @property
    def index(self) -> int:
        """The index of its first text; texts beyond the limit follow all others."""
        if self.page is None:
            return self.number
        seen = self.page.visible
        return seen.before[self.number] if self.number < len(seen.before) else len(seen.texts)


def main_heading(elements: Elements, titles: tuple[str, ...]) -> Heading | None:
    """The heading of the first rank that is most like the titles of the page, or else such a text.

    A heading unlike the titles names something else, a related product for example. If nothing is
    like them, a heading that is the only one, and not of other products, still shows the place.
    """
    texts = (first_text(node.text(separator=" ")) for node in elements.headings[:_MAX_HEADINGS])
    found = [Heading(text, number, elements) for number, text in enumerate(texts) if text]
    title_words = [_words(title) for title in titles]
    if found:
        best = max(found, key=lambda each: _likeness(each.text, title_words))
        if not titles or _likeness(best.text, title_words) > 0 or _is_part(best.text, titles):
            return best
    shown = enumerate(elements.visible.texts[:_MAX_TITLE_DISTANCE] if titles else ())
    alike = ((_likeness(text, title_words), len(text), -at) for at, text in shown)
    most, _, at = max(alike, default=(0.0, 0, 0))
    if most >= _MIN_SIMILARITY:
        return Heading(elements.visible.texts[-at], -at)
    is_place = len(found) == 1 and _is_of_page(elements.headings[found[0].number])
    return replace(found[0], is_like_title=False) if is_place else None


def _is_of_page(heading: LexborNode) -> bool:
    """Whether a heading is neither a link nor among other products."""
    around: LexborNode | None = heading
    while around is not None:
        attributes = around.attributes
        names = f"{attributes.get('class') or ''} {attributes.get('id') or ''}"
        is_page = around.tag in WHOLE_PAGE_TAGS
        if around.tag == "a" or (not is_page and name_hints(names).is_away):
            return False
        around = around.parent
    return heading.css_first("a") is None


def _likeness(text: str, title_words: list[frozenset[str]]) -> float:
    words = _words(text)
    return max((_common_share(words, each) for each in title_words), default=0.0)


def _telling_titles(elements: Elements, titles: tuple[str, ...], address: str) -> tuple[str, ...]:
    """The titles that say more than the name of the site, which is the same on all its pages."""
    names = f"{elements.metas.get('og:site_name', '')} {(_HOST.search(address) or [''])[0]}".lower()
    joined = "".join(_WORD.findall(names))
    return tuple(
        title
        for title in titles
        if any(word not in joined for word in _WORD.findall(title[:_MAX_COMPARED_CHARS].lower()))
    )


_HOST: Final = re.compile(r"(?<=//)[^/?#]+")
_WORD: Final = re.compile(r"\w+")
_MAX_COMPARED_CHARS: Final = 300


def similarity(some: str, other: str) -> float:
    """The share of common words; 0 if fewer than half of the shorter text's are common."""
    return _common_share(_words(some), _words(other))


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text[:_MAX_COMPARED_CHARS].lower()))


def _common_share(words: frozenset[str], others: frozenset[str]) -> float:
    shared = len(words & others)
    if not shared or 2 * shared < min(len(words), len(others)):
        return 0.0
    return shared / (len(words) + len(others) - shared)


_MIN_UNSPACED_CHARS: Final = 4


def _is_part(text: str, titles: tuple[str, ...]) -> bool:
    """Whether a text is part of a title, or the reverse: not every language has spaces."""
    plain, *others = ("".join(_WORD.findall(each.lower())) for each in (text, *titles))
    return any(
        min(len(plain), len(other)) >= _MIN_UNSPACED_CHARS and (plain in other or other in plain)
        for other in others
    )


_MAX_LINKS: Final = 10_000
"""A page with more is a trap, or a list with pages."""
_FROM_ROOT: Final = ("/", "http://", "https://")
"""Links that lead to the same page from anywhere on a site."""
_ORIGIN: Final = re.compile(r"https?://[^/?#]+")
_OTHER_SCHEMES: Final = ("javascript:", "mailto:", "tel:")
_ROBOTS: Final = ("robots", "googlebot")


def page_links(elements: Elements, base: str) -> tuple[str, ...]:
    """The canonical URLs that the page links to, each once, without nofollow."""
    if not _robots_directives(elements).isdisjoint(("nofollow", "none")):
        return ()
    hrefs = dict.fromkeys(
        (each.get("href") or "").partition("#")[0].strip()
        for each in elements.anchors[:_MAX_LINKS]
        if "nofollow" not in (each.get("rel") or "").lower()
    )
    origin = _ORIGIN.match(base)
    root = origin[0] if origin else base
    found = (_resolve(href, root if href.startswith(_FROM_ROOT) else base) for href in hrefs)
    return tuple(dict.fromkeys(url for url in found if url is not None))


@lru_cache(maxsize=16_384)
def _resolve(href: str, base: str) -> str | None:
    """Cached, because most links are on all pages of a shop."""
    return canonical_url(href, base) if href and not href.startswith(_OTHER_SCHEMES) else None


def _robots_directives(elements: Elements) -> frozenset[str]:
    directives = (elements.metas.get(name, "") for name in _ROBOTS)
    return frozenset(each.strip().lower() for text in directives for each in text.split(","))
