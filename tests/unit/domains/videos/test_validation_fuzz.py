"""Whatever an analyser says: a result that is valid in both shapes, or one plain refusal."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from gotgan.domains.videos.analysers.protocol import AnalyserResponse
from gotgan.domains.videos.documents import build_result, shape_1
from gotgan.domains.videos.schemas import schema_of
from gotgan.domains.videos.validation import validate_insights
from gotgan.errors import OutputInvalid
from gotgan.plain_json import to_json
from tests.unit.domains.videos.opinions import MAKING, MATERIAL, MEASURED, good
from tests.unit.domains.videos.trees import mutated, values

KNOWN = tuple(each.comment_id for each in MATERIAL.comments)
NAMES = {f"c{number}": each for number, each in enumerate(KNOWN, 1)}
FIRST = Draft202012Validator(schema_of(1))
SECOND = Draft202012Validator(schema_of(2))


def is_usable(text: str) -> bool:
    """Whether it becomes a result, which then is whole; whatever else is raised fails the test."""
    try:
        insights, warnings = validate_insights(AnalyserResponse(text, names=NAMES), KNOWN)
    except OutputInvalid:
        return False
    result = build_result(MATERIAL, MEASURED, insights, MAKING, warnings).model_dump()
    SECOND.validate(json.loads(to_json(result)))
    FIRST.validate(json.loads(to_json(shape_1(result))))
    return True


def written(document: Any) -> str:
    return json.dumps(document, ensure_ascii=True)


@given(st.text())
def test_any_text_is_refused_in_plain_words(text: str) -> None:
    assert not is_usable(text)


@given(values)
def test_any_json_is_refused_unless_it_is_an_answer(document: Any) -> None:
    assert not is_usable(written(document))


@settings(max_examples=200)
@given(mutated(good()))
def test_any_change_of_a_good_answer_gives_a_whole_result_or_none(document: Any) -> None:
    is_usable(written(document))


@given(st.data())
def test_an_answer_with_wrong_characters_gives_a_whole_result_or_none(data: st.DataObject) -> None:
    text = written(good())
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 20)))
    is_usable(text[:start] + data.draw(st.text(max_size=5)) + text[end:])


@given(st.integers(0, len(written(good())) - 1))
def test_the_beginning_of_an_answer_is_none(length: int) -> None:
    assert not is_usable(written(good())[:length])
