"""Who is right: votes, explanations, and those who say nothing."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.each import each
from tests.oracle.compare import BODY, OUTCOME, Difference
from tests.oracle.explained import Explanation
from tests.oracle.known import KNOWN
from tests.oracle.peers import PEERS
from tests.oracle.scenario import Scenario, Step
from tests.oracle.verdict import OUTVOTED, Case, judged, left_behind
from tests.oracle.wire import Answer

# Of no operation that the list of known differences speaks of.
STEP = Step("DescribeLimits", {"TableName": "t"})
YES = Answer(200, {})
NO = Answer(400, {"__type": "SomethingException", "message": "no"})


def case(subject: Answer, step: Step = STEP, *, chain: bool = False, **peers: Answer) -> Case:
    return Case(Scenario("votes", (), (step,), chain=chain), step, subject, peers)


def explained(found: list[Any]) -> dict[str, Explanation | None]:
    return {one.peer: one.explained for one in found}


def test_a_peer_alone_against_two_is_outvoted() -> None:
    found = judged(case(NO, dynoxide=NO, dynalite=NO, moto=YES))
    assert explained(found) == {"moto": OUTVOTED}


def test_two_against_two_and_the_subject_are_outvoted() -> None:
    found = judged(case(NO, dynoxide=NO, dynalite=NO, ministack=YES, moto=YES))
    assert set(explained(found).values()) == {OUTVOTED}


def test_one_that_agrees_is_not_enough() -> None:
    assert explained(judged(case(NO, dynoxide=NO, moto=YES))) == {"moto": None}


def test_nobody_is_outvoted_when_there_is_no_vote() -> None:
    found = judged(case(NO, dynoxide=NO, dynalite=NO, moto=YES), voting=False)
    assert explained(found) == {"moto": None}


@pytest.mark.parametrize(
    "answer",
    [
        Answer(500, {"__type": "NotJson"}),
        Answer(0, {"__type": "NoAnswer"}),
        Answer(400, {"__type": "UnknownOperationException"}),
    ],
)
def test_who_fails_or_does_not_know_the_operation_says_nothing(answer: Answer) -> None:
    assert judged(case(YES, moto=answer)) == []
    assert explained(judged(case(YES, dynoxide=YES, dynalite=answer, moto=NO))) == {"moto": None}


def test_who_takes_another_way_at_a_write_is_left_behind() -> None:
    write, read = Step("PutItem", {}), Step("GetItem", {})
    asked = case(YES, write, dynoxide=YES, moto=NO)
    assert left_behind(asked, judged(asked)) == {"moto"}
    asked = case(YES, read, dynoxide=YES, moto=NO)
    assert left_behind(asked, judged(asked)) == set()


def test_a_chain_is_left_at_the_first_difference() -> None:
    asked = case(YES, chain=True, dynoxide=YES, moto=Answer(200, {"Count": 1}))
    assert left_behind(asked, judged(asked)) == {"moto"}


ENTRY = Explanation(
    frozenset({"moto"}),
    "what",
    "why",
    operations=frozenset({"GetItem"}),
    kinds=frozenset({BODY}),
    scenario="^keys",
    request='"Limit": 1',
    path=r"^Item\.",
    refusal="",
    claims=lambda subject, peer: subject == 1 and peer == 2,
)
ASKED: dict[str, Any] = {
    "peer": "moto",
    "scenario": "keys of a table",
    "step": Step("GetItem", {"Limit": 1}),
    "subject": YES,
    "difference": Difference(BODY, "Item.a", 1, 2),
}


def test_an_entry_covers_what_fulfils_all_its_conditions() -> None:
    assert ENTRY.covers(**ASKED)


@pytest.mark.parametrize(
    "other",
    [
        {"peer": "dynalite"},
        {"scenario": "values"},
        {"step": Step("Query", {"Limit": 1})},
        {"step": Step("GetItem", {"Limit": 2})},
        {"difference": Difference(OUTCOME, "Item.a", 1, 2)},
        {"difference": Difference(BODY, "Count", 1, 2)},
        {"difference": Difference(BODY, "Item.a", 1, 3)},
    ],
)
def test_an_entry_covers_nothing_that_fails_one_of_them(other: dict[str, Any]) -> None:
    assert not ENTRY.covers(**{**ASKED, **other})


@each("entry", KNOWN, lambda entry: entry.what)
def test_every_known_difference_is_argued_and_narrow(entry: Explanation) -> None:
    assert entry.what
    assert entry.why
    assert entry.peers <= set(PEERS)
    narrow = (entry.operations, entry.scenario, entry.request, entry.path, entry.refusal)
    assert any(narrow) or entry.kinds == {"number"}
    for pattern in (entry.scenario, entry.request, entry.path, entry.refusal):
        re.compile(pattern)


def test_no_difference_is_listed_twice() -> None:
    told = [(entry.what, tuple(sorted(entry.peers))) for entry in KNOWN]
    assert len(told) == len(set(told))
