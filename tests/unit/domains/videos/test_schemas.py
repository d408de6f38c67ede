"""The published schemas: they say of every document what our own check says."""

from __future__ import annotations

import json
import math
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from jsonschema import Draft202012Validator
from pydantic import BaseModel, ValidationError

from gotgan.domains.videos.documents import build_result, shape_1
from gotgan.domains.videos.schemas import Insights, Result1, Result2, schema_of
from tests.unit.domains.videos.opinions import MAKING, MATERIAL, MEASURED, good
from tests.unit.domains.videos.trees import mutated

SECOND = build_result(MATERIAL, MEASURED, Insights.model_validate(good()), MAKING).model_dump()
FIRST = shape_1(SECOND)
VALIDATORS = {1: Draft202012Validator(schema_of(1)), 2: Draft202012Validator(schema_of(2))}
MODELS: dict[int, type[BaseModel]] = {1: Result1, 2: Result2}


def can_be_sent(document: Any) -> bool:
    """Whether it is JSON at all: half a character has no place in UTF-8."""
    try:
        return bool(json.dumps(document, ensure_ascii=False).encode())
    except UnicodeEncodeError:
        return False


def is_valid(shape: int, document: Any) -> bool:
    """What both say; they must agree."""
    try:
        MODELS[shape].model_validate(document)
        ours = True
    except ValidationError:
        ours = False
    assert VALIDATORS[shape].is_valid(document) == ours
    return ours


@pytest.mark.parametrize("shape", [1, 2])
def test_a_schema_is_one(shape: Literal[1, 2]) -> None:
    Draft202012Validator.check_schema(schema_of(shape))


def test_a_result_is_valid_in_its_own_shape_alone() -> None:
    assert is_valid(1, FIRST)
    assert is_valid(2, SECOND)
    assert not is_valid(1, SECOND)
    assert not is_valid(2, FIRST)


@settings(max_examples=200)
@given(mutated(FIRST).filter(can_be_sent))
def test_both_say_the_same_of_every_document_like_the_first_shape(document: Any) -> None:
    is_valid(1, document)


@settings(max_examples=200)
@given(mutated(SECOND).filter(can_be_sent))
def test_both_say_the_same_of_every_document_like_the_second_shape(document: Any) -> None:
    is_valid(2, document)


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("languageSummary", None),
        ("analysisVersion", "3"),
        ("analysisVersion", "v"),
        ("schemaVersion", 2),
        ("schemaVersion", "1"),
        ("analyzedAt", "2025-11-06"),
        ("analysisBasis", ["comment"]),
        ("commentSampleCount", -1),
        ("cacheHit", 1),
        ("warnings", ["x" * 301]),
        ("warnings", ["x"] * 21),
        ("analyser", "gemini"),
    ],
)
def test_the_contract_is_kept_to_the_letter(field: str, wrong: Any) -> None:
    assert not is_valid(1, {**FIRST, "meta": {**FIRST["meta"], field: wrong}})


@pytest.mark.parametrize("field", sorted(set(FIRST["meta"]) - {"languageSummary"}))
def test_everything_but_the_words_about_languages_is_required(field: str) -> None:
    meta = {name: value for name, value in FIRST["meta"].items() if name != field}
    assert not is_valid(1, {**FIRST, "meta": meta})


def test_the_words_about_languages_may_be_left_out() -> None:
    meta = {name: value for name, value in FIRST["meta"].items() if name != "languageSummary"}
    assert is_valid(1, {**FIRST, "meta": meta})


def test_no_shape_takes_more_than_it_names() -> None:
    for shape, document in ((1, FIRST), (2, SECOND)):
        assert not is_valid(shape, {**document, "comments": []})


def test_a_cost_without_end_is_none() -> None:
    usage = {**SECOND["usage"], "costUsd": math.inf}
    with pytest.raises(ValidationError, match="finite"):
        Result2.model_validate({**SECOND, "usage": usage})
