"""What a model is told: the whole task, once, under a version of its own."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from typing import Any

from jsonschema import Draft202012Validator

from gotgan.domains.videos.analysers.prompt import (
    INSTRUCTIONS,
    PROMPT_VERSION,
    answer_schema,
    build_evidence,
)
from gotgan.domains.videos.schemas import Insights
from tests.unit.domains.videos.opinions import MATERIAL, MEASURED, counted, good, many

FINGERPRINTS = {"p1": "4511380709556bdc", "p2": "96262101f2aed588"}
"""Of all that a model is told and shown, by the version that was given to it; never change one."""


def parts(schema: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield schema
    for each in [*schema.get("properties", {}).values(), *filter(None, [schema.get("items")])]:
        yield from parts(each)


def test_whatever_changes_for_a_model_has_another_version() -> None:
    lots = many(400)
    packs = [build_evidence(MATERIAL, MEASURED).text, build_evidence(lots, counted(lots)).text]
    told = [INSTRUCTIONS, json.dumps(answer_schema()), *packs]
    digest = hashlib.sha256("\n".join(told).encode()).hexdigest()
    assert FINGERPRINTS[PROMPT_VERSION] == digest[:16], "give it another PROMPT_VERSION"


def test_the_instructions_name_every_field_of_an_answer() -> None:
    assert not [name for name in Insights.model_fields if f"\n- {name}" not in INSTRUCTIONS]


def test_an_answer_of_that_shape_is_one() -> None:
    schema = Draft202012Validator(answer_schema())
    assert schema.is_valid(good())
    for name in good():
        assert not schema.is_valid({key: value for key, value in good().items() if key != name})


def test_the_shape_has_only_what_both_kinds_of_servers_take() -> None:
    taken = {"type", "properties", "required", "additionalProperties", "items", "description"}
    for part in parts(answer_schema()):
        assert set(part) <= taken
        if part["type"] == "object":
            assert part["required"] == list(part["properties"])
            assert part["additionalProperties"] is False


def test_bounds_are_told_in_words() -> None:
    properties = answer_schema()["properties"]
    assert properties["contentIdeas"]["description"] == "at most 10"
    assert properties["recommendedKeywords"]["items"]["description"] == "at most 50 characters"
