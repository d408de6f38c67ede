"""A page as a tree of elements, unless it is too deep to be read."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from gotgan.errors import UnknownShape
from gotgan.markup import DEEPEST, is_bottomless

__all__ = ["tree_of"]


def tree_of(page: bytes) -> LexborHTMLParser:
    """The elements of a page in UTF-8; raises UnknownShape where they nest beyond all measure."""
    if is_bottomless(page.decode("latin-1")):  # which is quick, and tags are in ASCII
        raise UnknownShape(
            f"the page has more than {DEEPEST:,} elements inside one another, as no page for "
            "readers has; look at it in a browser"
        )
    return LexborHTMLParser(page)
