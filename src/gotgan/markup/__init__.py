"""Documents of the web before they are parsed: as text, and whether a parser can bear them."""

from __future__ import annotations

from gotgan.markup.decoding import text_of, utf8_of
from gotgan.markup.depth import DEEPEST, is_bottomless

__all__ = ["DEEPEST", "is_bottomless", "text_of", "utf8_of"]
