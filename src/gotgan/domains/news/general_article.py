"""Articles whose shape nobody has described, read by trafilatura where it is installed."""

from __future__ import annotations

import logging
import warnings
from typing import Final

from gotgan.domains.news.extracts import Extract
from gotgan.domains.news.paragraphs import cleaned
from gotgan.errors import UnknownShape
from gotgan.fetch import shown

__all__ = ["general_story"]

_EXTRACTOR: Final = "trafilatura"
_LONGEST: Final = 1_500_000
"""Its time grows faster than a page does: with a flat page of this size it takes many seconds."""


def general_story(page: str, address: str) -> Extract:
    """The story of any page as trafilatura finds it in its default mode; it may have no lines.

    Comments of readers are no part of it. Nothing is fetched, and no metadata is guessed.
    """
    if len(page) > _LONGEST:
        raise UnknownShape(
            f"the article at {shown(address)} has a shape that is not known here, and with more "
            f"than {_LONGEST:,} characters it is too long to be read in any shape; look at it in "
            "a browser"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # its libraries have words for their own users
            from trafilatura import bare_extraction  # noqa: PLC0415 - an extra, and slow to load
    except ImportError as missing:
        raise UnknownShape(
            f"the article at {shown(address)} has a shape that is not known here; to read any "
            "shape, pip install 'gotgan[articles]' and try it again"
        ) from missing
    # What it says about pages that it cannot read is said better by our own errors.
    logging.getLogger(_EXTRACTOR).setLevel(logging.CRITICAL)
    try:
        found = bare_extraction(page, include_comments=False)
    except Exception as failure:  # pages are strange, and its parsers are not ours
        raise UnknownShape(
            f"trafilatura failed on the article at {shown(address)}: {failure}; look at it in "
            "a browser"
        ) from failure
    text = getattr(found, "text", None) or ""
    return Extract(_EXTRACTOR, [line for line in map(cleaned, text.splitlines()) if line])
