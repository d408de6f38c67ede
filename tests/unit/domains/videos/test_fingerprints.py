"""What versions stand for: who changes what comes out of the same comments gives it a new version.

A fingerprint that is not the one below means that results of the same version would differ. If that
is meant, raise the version that the test names, and add its fingerprint; the old one stays.
"""

from __future__ import annotations

import csv
import hashlib
import json
from datetime import UTC, datetime
from functools import cache
from typing import Any, Literal

import pytest

from gotgan.domains.videos.analysers.builtin import Builtin
from gotgan.domains.videos.metrics.measure import measure
from gotgan.domains.videos.metrics.measurements import (
    Keyword,
    Measurements,
    NotableComment,
    Sentiment,
    TopicCluster,
    VideoTimestamp,
)
from gotgan.domains.videos.metrics.sentiment import METHOD, SCORE_VERSION
from gotgan.domains.videos.models import Comment, Material, Video
from gotgan.domains.videos.reports import INPUTS
from gotgan.domains.videos.schemas import schema_of
from tests.house.repository import ROOT

SCORES = {
    "s1": "474a4f3e03326617",
    "s2": "b547c6752df96bec",
    "s3": "657bf8a5472ada8c",
    "s4": "93447ce4ed3a660e",
}
TEMPLATES = {"t1": "46cf3d604d25eb80", "t2": "68d3b6e164342d2c"}
SCHEMAS = {1: "c948a88850c243b6", 2: "c98869b30e9cd8bc"}
GIVEN = {"title,description,channel,comments(relevance:5,time:5)"}
KEPT = frozenset(
    [
        "additionalProperties",
        "anyOf",
        "const",
        "enum",
        "items",
        "maxItems",
        "maxLength",
        "maximum",
        "minItems",
        "minLength",
        "minimum",
        "pattern",
        "properties",
        "required",
        "type",
        "uniqueItems",
    ]
)
"""What a schema demands; the rest of it is for people, or the way that pydantic writes it."""


def digest(value: object) -> str:
    said = json.dumps(value, ensure_ascii=False, sort_keys=True, default=vars)
    return hashlib.sha256(said.encode()).hexdigest()[:16]


@cache
def materials() -> tuple[Material, ...]:
    """Korean, English, mixed and no comments, with moments, likes, requests and spam."""
    with (ROOT / "tests" / "data" / "youtube_comments_labelled.tsv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    when = datetime(2026, 1, 1, tzinfo=UTC)
    comments = [
        Comment(f"id{number:05}", row["text"], number * 7 % 31, when, when, f"a{number % 97}")
        for number, row in enumerate(rows)
    ]
    korean = [each for each, row in zip(comments, rows, strict=True) if row["language"] == "ko"]
    english = [each for each, row in zip(comments, rows, strict=True) if row["language"] == "en"]
    reply = Comment("id99999", "\u200b@someone can you do the sauce next?", 99, when, when, "a1")
    comments.append(reply)
    english.append(reply)
    video = Video("abcdefghijk", "10분 비빔국수", "양념장 비율", when, 600)
    other = Video("lmnopqrstuv", "A laptop, reviewed", "Battery and screen", when, 900)
    return (
        Material(video, None, tuple(korean)),
        Material(other, None, tuple(english)),
        Material(other, None, tuple(comments)),
        Material(video),
        Material(other),
    )


@cache
def measured() -> tuple[Measurements, ...]:
    return tuple(measure(material) for material in materials())


def test_the_same_comments_are_counted_alike_within_a_version() -> None:
    found = digest([METHOD, measured()])
    assert found == SCORES[SCORE_VERSION]


def test_the_built_in_analyser_says_the_same_within_a_version_of_its_templates() -> None:
    """Of figures that are given, so that another way of counting does not matter here."""
    builtin, ids = Builtin(), tuple(f"id{number:05}" for number in range(4))
    some = Sentiment(120, 60, 20)
    figures = Measurements(
        sentiment=some,
        labels=dict.fromkeys(ids, "positive"),
        languages={"ko": 120, "en": 80},
        spam=3,
        keywords=(Keyword("소스", 40, ids), Keyword("battery", 30, ids)),
        topics=(TopicCluster("소스", ("소스", "양념"), 40, some, ids),),
        requests=(NotableComment(ids[0], 9, "neutral"),),
        questions=(NotableComment(ids[1], 8, "neutral"),),
        highlights=(NotableComment(ids[2], 99, "positive"),),
        moments=(VideoTimestamp(134, 12, ids),),
    )
    said = [
        builtin.say(material, given).text
        for material in materials()
        for given in (figures, Measurements())
    ]
    assert builtin.prompt_version is not None
    assert digest(said) == TEMPLATES[builtin.prompt_version]


@pytest.mark.parametrize("shape", [1, 2])
def test_a_shape_asks_for_the_same_within_a_version(shape: Literal[1, 2]) -> None:
    schema = schema_of(shape)
    assert digest(demanded(schema, schema.get("$defs", {}))) == SCHEMAS[shape]


def test_inputs_are_what_a_version_was_given() -> None:
    assert INPUTS in GIVEN


def demanded(schema: Any, parts: dict[str, Any]) -> Any:
    """What a schema demands, with its parts where they are named."""
    if isinstance(schema, list):
        return [demanded(each, parts) for each in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return demanded(parts[schema["$ref"].rpartition("/")[2]], parts)
    if "properties" in schema:
        inner = {name: demanded(each, parts) for name, each in schema["properties"].items()}
        return {**_kept(schema, parts), "properties": inner}
    return _kept(schema, parts)


def _kept(schema: dict[str, Any], parts: dict[str, Any]) -> dict[str, Any]:
    return {
        name: demanded(each, parts)
        for name, each in schema.items()
        if name in KEPT and name != "properties"
    }
