"""What a post says: Markdown, a tiptap document or plain text, as safe HTML and as words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Any, Final, Literal, TypeAlias

import orjson
from markdown_it import MarkdownIt
from markdown_it.token import Token

from gotgan.domains.site import tiptap
from gotgan.domains.site.safe_html import sanitise, words

__all__ = ["Contents", "Format", "detect", "plain_text", "render"]

Format: TypeAlias = Literal["markdown", "tiptap", "text"]
Contents: TypeAlias = str | dict[str, Any]

# Each level costs another look at each line: with 20 of them 300 kB of nothing but brackets take
# seconds, with 50 three times as long. Ten lists in each other is more than a reader can follow.
_DEEPEST: Final = 20
_MOST_LINES: Final = 20_000
"""Lines cost time at each level too; a post with more of them is not Markdown but data."""

# An emoji of one character is twelve in an address. What grows more is one address repeated.
_MOST_GROWTH: Final = 12
_ALLOWANCE: Final = 10_000

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


def render(contents: Contents, format: Format) -> str:  # noqa: A002 - it is the name of it
    """The contents as HTML that is safe to show; what cannot be read as its format is text."""
    return sanitise(_html(contents, format))


def plain_text(contents: Contents, format: Format) -> str:  # noqa: A002 - it is the name of it
    """What the contents say, in one line and without any markup, to search in and to quote."""
    return words(_html(contents, format))


def detect(contents: Contents) -> Format:
    """The format of contents that do not say it.

    A map, or a string that holds a document as JSON, is tiptap. A string is Markdown when one line
    of it begins like a heading, an item of a list, a quotation, a fence or a table, or when there
    is a link, strong words or code in it. Every other string is text, and keeps its line breaks.
    """
    if not isinstance(contents, str) or _document(contents) is not None:
        return "tiptap"
    return "markdown" if _MARKDOWN.search(contents) else "text"


def _html(contents: Contents, form: Format) -> str:
    """HTML that nobody has judged yet; a map can only be tiptap, whatever it is said to be."""
    if not isinstance(contents, str):
        return tiptap.to_html(contents)
    if form == "markdown":
        return _from_markdown(contents)
    document = _document(contents) if form == "tiptap" else None
    return _from_text(contents) if document is None else tiptap.to_html(document)


def _document(text: str) -> dict[str, Any] | None:
    """The tiptap document that a string holds."""
    if not text.lstrip().startswith("{"):
        return None
    try:
        value = orjson.loads(text)
    except orjson.JSONDecodeError:
        return None
    told = isinstance(value, dict) and value.get("type") == "doc"
    return value if told and isinstance(value.get("content", []), list) else None


def _from_text(text: str) -> str:
    lines = text.replace("\r\n", "\n").replace("\r", "\n").strip()
    paragraphs = [part for part in re.split(r"\n\s*\n", lines) if part]
    return "".join(f"<p>{escape(part).replace(chr(10), '<br>')}</p>" for part in paragraphs)


def _from_markdown(text: str) -> str:
    if len(text.splitlines()) > _MOST_LINES:
        return _from_text(text)
    parser = _parser()
    environment: dict[str, Any] = {}
    tokens = parser.parse(text, environment)
    if any(map(_cut_off, tokens)):
        return _from_text(text)
    _shorten(tokens, _MOST_GROWTH * len(text) + _ALLOWANCE)
    _name_alignments(tokens)
    return str(parser.renderer.render(tokens, parser.options, environment))


@cache
def _parser() -> MarkdownIt:
    options = {"html": False, "maxNesting": _DEEPEST}
    parser = MarkdownIt("commonmark", options).enable(["table", "strikethrough"])
    # A parser sorts its rules at its first use, and two threads must not do that at once.
    parser.render("first use")
    return parser


def _cut_off(token: Token) -> bool:
    """Whether the parser left out what is in here, because it stands too deep."""
    return token.level >= _DEEPEST - 1 and token.type in {"blockquote_open", "list_item_open"}


def _shorten(tokens: list[Token], budget: int) -> None:
    """Take the attributes from the tokens behind the point where they have become too long.

    A reference is written once and used often: a long address and thousands of uses of it would
    make gigabytes of a small post.
    """
    for token in _all(tokens):
        budget -= sum(len(str(value)) for value in token.attrs.values())
        if budget < 0:
            token.attrs.clear()


def _name_alignments(tokens: list[Token]) -> None:
    """The columns of a table are aligned by a class, for no style gets through."""
    for token in tokens:
        style = token.attrs.pop("style", None)
        if style is not None:
            token.attrs["class"] = str(style).replace("text-align:", "align-")


def _all(tokens: list[Token]) -> Iterator[Token]:
    for token in tokens:
        yield token
        yield from _all(token.children or [])
