"""Safe HTML: the elements, attributes and addresses that a post may have, and nothing else."""

from __future__ import annotations

import re
from functools import cache
from html import unescape
from typing import Final

import nh3

__all__ = ["sanitise", "words"]

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


def words(html: str) -> str:
    """The text of the HTML in one line; it is not HTML any more, and has to be escaped again."""
    # Without attributes and with every < of the text escaped, a tag is all that < can begin.
    blocks = _outline().clean(_encodable(html))
    return " ".join(unescape(_TAG.sub(" ", blocks)).split())


@cache
def _post() -> nh3.Cleaner:
    return nh3.Cleaner(
        tags=_BLOCKS | _INLINE,
        attributes=_ATTRIBUTES,
        # Raw HTML has no way in, and if it ever finds one, a box to tick is all it can draw.
        set_tag_attribute_values={"input": {"type": "checkbox", "disabled": ""}},
        tag_attribute_values={"input": {"checked": {""}}},
        attribute_filter=_kept,
        url_schemes={"http", "https", "mailto", "tel"},
        link_rel="noopener noreferrer nofollow",
    )


@cache
def _outline() -> nh3.Cleaner:
    """Only what parts one word from the next."""
    return nh3.Cleaner(tags=_BLOCKS, attributes={"*": set()}, link_rel=None)


def _kept(tag: str, name: str, value: str) -> str | None:
    """The value of an attribute, or None where the attribute has to go."""
    if name == "class":
        return value if _CLASS.fullmatch(value) else None
    if tag == "img" and name == "src":
        return None if _BLANK.sub("", value).lower().startswith(("mailto:", "tel:")) else value
    return value


def _encodable(html: str) -> str:
    """Half a surrogate pair is no character, and cannot be sent to anybody."""
    return html.encode("utf-8", "replace").decode()
