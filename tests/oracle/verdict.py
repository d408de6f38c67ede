"""Who is right: which differences count, and which are explained.

A server that fails (5xx, no answer) or does not know the operation says nothing. A difference is
explained by an entry of the argued list, or by a vote: at least two peers say what the subject
says, and they and the subject are more than those who say otherwise.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.oracle.compare import MESSAGE, NUMBER, Difference, differences
from tests.oracle.explained import Explanation
from tests.oracle.known import KNOWN
from tests.oracle.scenario import Scenario, Step
from tests.oracle.wire import Answer

__all__ = ["OUTVOTED", "Case", "Judged", "has_opinion", "judged", "left_behind"]

OUTVOTED = Explanation(
    peers=frozenset(),
    what="is outvoted",
    why="the subject and at least two peers answer alike, and are more than the others",
)


@dataclass(frozen=True)
class Case:
    """One request and everybody's answer."""

    scenario: Scenario
    step: Step
    subject: Answer
    peers: Mapping[str, Answer]


@dataclass(frozen=True)
class Judged:
    """A difference with one peer, and its explanation if there is one."""

    case: Case
    peer: str
    difference: Difference
    explained: Explanation | None


def has_opinion(answer: Answer) -> bool:
    """Whether a peer's answer says anything about DynamoDB."""
    return 200 <= answer.status < 500 and answer.code != "UnknownOperationException"


def judged(case: Case, *, voting: bool = True) -> list[Judged]:
    """Every difference of a case, with its explanation."""
    found = {
        name: differences(case.step, case.subject, answer)
        for name, answer in case.peers.items()
        if has_opinion(answer)
    }
    voters = list(found.values()) if voting else []
    return [
        Judged(case, name, difference, _known(case, name, difference) or _vote(difference, voters))
        for name, own in found.items()
        for difference in own
    ]


def left_behind(case: Case, found: list[Judged]) -> set[str]:
    """The peers whose tables no longer hold what the subject's hold, or may not."""
    parted = {one.peer for one in found if _parts(case.scenario, one)}
    if case.step.writes:
        parted |= {name for name, answer in case.peers.items() if answer.ok != case.subject.ok}
    return parted


def _parts(scenario: Scenario, one: Judged) -> bool:
    if one.explained is not None and one.explained.peers:
        return one.explained.diverges
    return scenario.chain and one.difference.kind not in (MESSAGE, NUMBER)


def _known(case: Case, name: str, difference: Difference) -> Explanation | None:
    asked = (name, case.scenario.name, case.step, case.subject, difference)
    return next((entry for entry in KNOWN if entry.covers(*asked)), None)


def _vote(difference: Difference, voters: list[list[Difference]]) -> Explanation | None:
    against = sum(_disputed(difference, own) for own in voters)
    agreeing = len(voters) - against
    return OUTVOTED if agreeing >= 2 and agreeing + 1 > against else None


def _disputed(difference: Difference, own: list[Difference]) -> bool:
    if difference.kind == MESSAGE:
        return any(other.kind == MESSAGE for other in own)
    return any(other.kind != MESSAGE and _nested(difference.path, other.path) for other in own)


def _nested(one: str, other: str) -> bool:
    return one.startswith(other) or other.startswith(one)
