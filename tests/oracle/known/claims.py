"""What two sides of a difference can say, as entries of the list need it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.oracle.compare import ABSENT

__all__ = ["accepts", "code", "lacks", "refuses", "shows", "shows_nothing"]


def accepts(subject: Any, peer: Any) -> bool:
    """The peer accepts what the subject refuses."""
    return str(subject).startswith("refused") and bool(peer == "accepted")


def refuses(subject: Any, peer: Any) -> bool:
    """The peer refuses what the subject accepts."""
    return accepts(peer, subject)


def lacks(_subject: Any, peer: Any) -> bool:
    """The peer leaves out what the subject shows."""
    return bool(peer == ABSENT)


def shows(subject: Any, _peer: Any) -> bool:
    """The peer shows what the subject leaves out."""
    return bool(subject == ABSENT)


def shows_nothing(subject: Any, peer: Any) -> bool:
    """The peer shows an empty member where the subject has none."""
    return shows(subject, peer) and peer in ({}, [])


def code(subject_code: str, peer_code: str) -> Callable[[Any, Any], bool]:
    """Both refuse, with these two codes."""

    def claimed(subject: Any, peer: Any) -> bool:
        return bool((subject, peer) == (subject_code, peer_code))

    return claimed
