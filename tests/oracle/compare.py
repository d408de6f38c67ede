"""The differences between two answers to one request."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

from tests.oracle.normalise import normalised
from tests.oracle.scenario import Step
from tests.oracle.wire import Answer

__all__ = ["ABSENT", "BODY", "CODE", "MESSAGE", "NUMBER", "OUTCOME", "Difference", "differences"]

OUTCOME = "outcome"
CODE = "code"
BODY = "body"
NUMBER = "number"
MESSAGE = "message"
ABSENT = "(absent)"


@dataclass(frozen=True)
class Difference:
    """One thing that two answers say differently.

    The kinds: ``outcome`` (accepted or refused), ``code`` (of the error), ``body`` (a member of
    it), ``number`` (one value, two texts), ``message`` (the error's sentence).
    """

    kind: str
    path: str
    subject: Any
    peer: Any


def differences(step: Step, subject: Answer, peer: Answer) -> list[Difference]:
    """What the peer says differently from the subject; first things first."""
    if subject.ok != peer.ok:
        return [Difference(OUTCOME, "", _outcome(subject), _outcome(peer))]
    if subject.code != peer.code:
        return [Difference(CODE, "", subject.code, peer.code)]
    found = list(_unequal("", normalised(step, subject), normalised(step, peer)))
    if subject.message != peer.message:
        found.append(Difference(MESSAGE, "", subject.message, peer.message))
    return found


def _outcome(answer: Answer) -> str:
    return "accepted" if answer.ok else f"refused: {answer.code}"


def _unequal(path: str, subject: Any, peer: Any) -> Iterator[Difference]:
    if isinstance(subject, dict) and isinstance(peer, dict):
        for name in sorted({*subject, *peer}):
            yield from _unequal(
                f"{path}.{name}".lstrip("."), subject.get(name, ABSENT), peer.get(name, ABSENT)
            )
    elif isinstance(subject, list) and isinstance(peer, list) and len(subject) == len(peer):
        for place, (ours, theirs) in enumerate(zip(subject, peer, strict=True)):
            yield from _unequal(f"{path}[{place}]", ours, theirs)
    elif subject != peer:
        yield Difference(_kind(path, subject, peer), path, subject, peer)


def _kind(path: str, subject: Any, peer: Any) -> str:
    is_number = path.endswith(".N") or ".NS[" in path
    return NUMBER if is_number and _same_value(subject, peer) else BODY


def _same_value(one: Any, other: Any) -> bool:
    try:
        return Decimal(one) == Decimal(other)
    except (InvalidOperation, TypeError, ValueError):
        return False
