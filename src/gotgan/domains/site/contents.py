"""What a post says: Markdown, a tiptap document or plain text, as safe HTML and as words."""

from __future__ import annotations

import re
from html import escape
from typing import Any, Final, Literal, TypeAlias

import orjson

from gotgan.domains.site import markdown, tiptap
from gotgan.domains.site.safe_html import sanitise, words

__all__ = ["Contents", "Format", "detect", "plain_text", "render"]

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
        html = markdown.to_html(contents)
        return _from_text(contents) if html is None else html
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
