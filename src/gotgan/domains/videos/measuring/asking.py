"""Remarks that ask the author for something, and remarks that ask something.

Both are told by how they are put, in Korean and in English. The lists are ranked by likes: what
many people like was seldom misread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from gotgan.domains.videos.measuring import asking_english, asking_korean
from gotgan.domains.videos.measuring.measured import NotableComment
from gotgan.domains.videos.measuring.remarks import Remark

__all__ = ["MOST_FOUND", "is_question", "is_request", "questions_of", "requests_of"]

MOST_FOUND: Final = 20
"""So many are listed of each kind, and none is counted beyond."""


def is_request(text: str) -> bool:
    """Whether a plain text asks the author of the video to do something."""
    return asking_korean.asks_for(text) or asking_english.asks_for(text)


def is_question(text: str) -> bool:
    """Whether a plain text asks something, and does not ask for something."""
    return (asking_korean.asks(text) or asking_english.asks(text)) and not is_request(text)


def requests_of(remarks: Sequence[Remark]) -> tuple[NotableComment, ...]:
    """The remarks that ask for something, the most liked first."""
    return _found(remarks, is_request)


def questions_of(remarks: Sequence[Remark]) -> tuple[NotableComment, ...]:
    """The remarks that ask something, the most liked first."""
    return _found(remarks, is_question)


def _found(
    remarks: Sequence[Remark], is_wanted: Callable[[str], bool]
) -> tuple[NotableComment, ...]:
    """The first remarks of a kind; what is said to another viewer asks nothing of the author."""
    found: list[NotableComment] = []
    for remark in remarks:
        if not remark.text.startswith("@") and is_wanted(remark.text):
            found.append(remark.found)
            if len(found) == MOST_FOUND:
                break
    return tuple(found)
