"""Contents of posts (Markdown, tiptap or text) as safe HTML and as plain text.

Markdown is rendered within bounds, as a few bytes can be a lot of work: the parser's work is
estimated before each of its two passes, in steps of about ten microseconds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape, unescape
from typing import Any, Final, Literal, TypeAlias

import nh3
import orjson
from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token

from gotgan.domains.site import tiptap

MAX_STEPS: Final = 20_000
"""How much work a post may be; one with more is not an article but data, or an attack."""

# Each level costs another look at each line. Ten lists in each other is more than a reader can
# follow.
_MAX_NESTING: Final = 20
_MAX_LINES: Final = 10_000

_PER_LEVEL: Final = 0.3
_PER_CONTAINER: Final = 3
_PER_CELL: Final = 2
_CONTAINERS: Final = re.compile(r"(?:[ \t]*(?:>|[-+*](?=[ \t]|$)|\d{1,9}[.)](?=[ \t]|$)))+")
_CONTAINER: Final = re.compile(r">|[-+*]|\d+[.)]")
_DELIMITERS: Final = re.compile(r"[ \t>]*[-:|][-:| \t]*")

# What each character costs that is more than text, where it is dearest.
_MARKS: Final = {
    **dict.fromkeys("\n&*\\]_`~", 1.0),
    **dict.fromkeys("#$%+-:=>@^{}!", 0.2),
    "[": 2.0,
    "<": 3.0,
}
_PER_IMAGE: Final = 3.0
_PER_LOOK: Final = 0.03
_MAX_OPEN: Final = 2 * _MAX_NESTING
_LINK_NESTING: Final = 32
"""So many open brackets the parser follows in the address of a link."""
_CHARACTERS_PER_STEP: Final = 70
_PER_ENCODED: Final = 3.0

# An emoji of one character is twelve in an address. What grows more is one address repeated.
_MAX_GROWTH: Final = 12
_ALLOWANCE: Final = 10_000


class _TooComplex(Exception):
    """Ends the parser before its second pass."""


def markdown_to_html(text: str) -> str | None:
    """HTML that is not sanitised yet; None if the text would take too long."""
    blocks = block_steps(text)
    if blocks > MAX_STEPS:
        return None
    parser = _parser()
    environment: dict[str, Any] = {"blocks": blocks}
    try:
        tokens = parser.parse(text, environment)
    except _TooComplex:
        return None
    # The parser leaves out what is nested too deeply.
    cut = {"blockquote_open", "list_item_open"}
    if any(token.level >= _MAX_NESTING - 1 and token.type in cut for token in tokens):
        return None
    # A reference is written once and used often: thousands of uses of a long address would make
    # gigabytes of a small post, so attributes beyond a budget are removed.
    budget = _MAX_GROWTH * len(text) + _ALLOWANCE
    for token in _all_tokens(tokens):
        budget -= sum(len(str(value)) for value in token.attrs.values())
        if budget < 0:
            token.attrs.clear()
    # The columns of a table are aligned by a class, for no style gets through.
    for token in tokens:
        style = token.attrs.pop("style", None)
        if style is not None:
            token.attrs["class"] = str(style).replace("text-align:", "align-")
    return str(parser.renderer.render(tokens, parser.options, environment))


def block_steps(text: str) -> float:
    """The work of finding the blocks: lines at each level, quotations, items and cells."""
    if text.count("\n") + text.count("\r") > _MAX_LINES:
        return float("inf")
    deepest = containers = cells = rows = 0
    lines = text.splitlines()
    for line in reversed(lines):
        rows = rows + 1 if line.strip() else 0
        if found := _CONTAINERS.match(line):
            within = len(_CONTAINER.findall(found[0]))
            containers += within
            deepest = max(deepest, within + (len(line) - len(line.lstrip(" \t"))) // 2)
        if "|" in line and _DELIMITERS.fullmatch(line):
            cells += (line.count("|") + 1) * (rows + 1)
    levels = min(deepest, _MAX_NESTING)
    return len(lines) * (1 + levels * _PER_LEVEL) + containers * _PER_CONTAINER + cells * _PER_CELL


def inline_steps(text: str) -> float:
    """The work of finding what is within a block: emphasis, links, code, entities."""
    counts = {mark: found for mark in _MARKS if (found := text.count(mark))}
    marks = sum(_MARKS[mark] * found for mark, found in counts.items())
    opened = min(counts.get("[", 0), _MAX_OPEN) * sum(counts.values()) * _PER_LOOK
    images = text.count("![") * _PER_IMAGE
    steps = marks + opened + images
    for word in (each for each in text.split() if "](" in each):  # addresses have no spaces
        links = word.count("](")
        steps += 0.0 if word.isascii() else links * _PER_ENCODED
        steps += len(word) * min(links, _LINK_NESTING) / _CHARACTERS_PER_STEP
    return steps


@cache
def _parser() -> MarkdownIt:
    options = {"html": False, "maxNesting": _MAX_NESTING}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    parser.core.ruler.after("block", "bounds", _expect_few_steps)
    # A parser sorts its rules at its first use, and two threads must not do that at once.
    parser.render("first use", {"blocks": 0})
    return parser


def _expect_few_steps(state: StateCore) -> None:
    """Stop between the two passes, where the second would take too long."""
    steps = state.env["blocks"]
    for token in state.tokens:
        steps += inline_steps(token.content) if token.type == "inline" else 0
        if steps > MAX_STEPS:
            raise _TooComplex


def _all_tokens(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all_tokens(token.children or [])


_HEADINGS: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
_CELLS: Final = frozenset({"td", "th"})
_BLOCKS: Final = (
    _HEADINGS
    | _CELLS
    | {"blockquote", "br", "hr", "li", "ol", "p", "pre", "table", "tbody", "thead", "tr", "ul"}
)
_INLINE: Final = frozenset(
    {"a", "code", "em", "img", "input", "mark", "s", "strong", "sub", "sup", "u"}
)
_ATTRIBUTES: Final = {
    "*": set[str](),
    "a": {"href", "title"},
    "code": {"class"},
    "img": {"alt", "height", "src", "title", "width"},
    "ol": {"start"},
    "p": {"class"},
    "ul": {"class"},
    **{tag: {"class"} for tag in _HEADINGS},
    **{tag: {"class", "colspan", "rowspan"} for tag in _CELLS},
}
_CLASS: Final = re.compile(
    r"align-(?:center|justify|left|right)|language-[\w+#.-]{1,40}|tasks", re.ASCII
)
_BLANK: Final = re.compile(r"[\x00-\x20]+")
_TAG: Final = re.compile(r"<[^>]*>")


def sanitise(html: str) -> str:
    """The HTML without everything that a post may not have."""
    return _post().clean(_encodable(html))


@cache
def _post() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=_BLOCKS | _INLINE,
        attributes=_ATTRIBUTES,
        # Raw HTML has no way in, and if it ever finds one, a box to tick is all it can draw.
        set_tag_attribute_values={"input": {"type": "checkbox", "disabled": ""}},
        tag_attribute_values={"input": {"checked": {""}}},
        attribute_filter=_allowed_attribute,
        url_schemes={"http", "https", "mailto", "tel"},
        link_rel="noopener noreferrer nofollow",
    )


@cache
def _outline() -> nh3.Cleaner:
    """Only what parts one word from the next."""
    return nh3.Cleaner(tags=_BLOCKS, attributes={"*": set()}, link_rel=None)


def _allowed_attribute(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute, or None where the attribute has to go."""
    if name == "class":
        return value if _CLASS.fullmatch(value) else None
    if tag == "img" and name == "src":
        return None if _BLANK.sub("", value).lower().startswith(("mailto:", "tel:")) else value
    return value


def _encodable(html: str) -> str:
    """Half a surrogate pair is no character, and cannot be sent to anybody."""
    return html.encode("utf-8", "replace").decode()


Format: TypeAlias = Literal["markdown", "tiptap", "text"]
Contents: TypeAlias = str | dict[str, Any]

_MARKDOWN: Final = re.compile(
    r"""^[ ]{0,3}(?:
            \#{1,6}[ \t]+\S                             # a heading
          | (?:[-*+]|\d{1,9}[.)])[ \t]+\S               # an item of a list
          | >                                           # a quotation
          | ```|~~~                                     # a fence around code
          | \|?[ \t]*:?-+:?[ \t]*\|[-:|\ \t]*$          # the line below the head of a table
        )
      | \]\(\S                                          # a link or an image
      | \*\*[^\s*]                                      # strong words
      | `[^`\n]+`                                       # code within a line
    """,
    re.MULTILINE | re.VERBOSE,
)


def render(contents: Contents, format: Format) -> str:
    """The contents as HTML that is safe to show; what cannot be read as its format is text."""
    return sanitise(_html(contents, format))


def plain_text(contents: Contents, format: Format) -> str:
    """The text of the contents in one line, without markup and not escaped."""
    # Without attributes and with every < of the text escaped, a tag is all that < can begin.
    blocks = _outline().clean(_encodable(_html(contents, format)))
    return " ".join(unescape(_TAG.sub(" ", blocks)).split())


def detect_format(contents: Contents) -> Format:
    """The format of contents without one: tiptap by shape, Markdown by its marks, else text."""
    if not isinstance(contents, str) or _document(contents) is not None:
        return "tiptap"
    return "markdown" if _MARKDOWN.search(contents) else "text"


def _html(contents: Contents, form: Format) -> str:
    """HTML that is not sanitised yet; a map is always tiptap."""
    if not isinstance(contents, str):
        return tiptap.tiptap_to_html(contents)
    if form == "markdown":
        html = markdown_to_html(contents)
        return _text_to_html(contents) if html is None else html
    document = _document(contents) if form == "tiptap" else None
    return _text_to_html(contents) if document is None else tiptap.tiptap_to_html(document)


def _document(text: str) -> dict[str, Any] | None:
    """The tiptap document that a string holds."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    is_document = isinstance(value, dict) and value.get("type") == "doc"
    return value if is_document and isinstance(value.get("content", []), list) else None


def _text_to_html(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    paragraphs = [part for part in re.split(r"\n\s*\n", lines) if part]
    return "".join(f"<p>{escape(part).replace(chr(10), '<br>')}</p>" for part in paragraphs)
