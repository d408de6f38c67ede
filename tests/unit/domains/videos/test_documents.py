"""A result: facts and opinions, what they rest on, and what a reader must know."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from gotgan.domains.videos import messages
from gotgan.domains.videos.documents import (
    build_result,
    collect_warnings,
    shape_1,
    with_cache_hit,
    with_messages,
)
from gotgan.domains.videos.metrics.measurements import (
    Keyword,
    Measurements,
    NotableComment,
    Sentiment,
    TopicCluster,
    VideoTimestamp,
)
from gotgan.domains.videos.models import Material, Usage
from gotgan.domains.videos.schemas import Insights, Result1
from gotgan.messages import Template, render
from gotgan.plain_json import to_json
from tests.unit.domains.videos.opinions import MAKING, MATERIAL, MEASURED, commented, counted, good

INSIGHTS = Insights.model_validate(good())


def assembled(
    material: Material = MATERIAL, measured: Measurements = MEASURED, **changes: Any
) -> dict[str, Any]:
    made = replace(MAKING, **changes)
    warnings = collect_warnings(material, INSIGHTS, ("one repair",))
    return build_result(material, measured, INSIGHTS, made, warnings).model_dump()


def test_facts_come_from_what_was_counted_and_opinions_from_who_said_them() -> None:
    result = assembled()
    assert result["sentiment"] == {
        "shares": {"positive": 0.25, "neutral": 0.5, "negative": 0.25},
        "net": 0.0,
        "n": 4,
        "method": "a model of ours",
    }
    assert result["keywords"] == [{"word": "라면", "count": 2, "evidence": ["id-0"]}]
    assert result["moments"] == [{"seconds": 134, "count": 1, "evidence": ["id-1"]}]
    assert result["requests"] == [{"commentId": "id-0", "likes": 0, "label": "neutral"}]
    assert result["topics"][0]["sentiment"] == {"positive": 0, "neutral": 0, "negative": 1}
    assert result["summary"] == good()["summary"]
    assert result["titleSuggestions"] == good()["titleSuggestions"]


def test_a_result_says_what_made_it_and_what_it_cost() -> None:
    result = assembled(usage=Usage(12, 1_000, 200, 0.003), snapshot_hash="abc")
    assert result["usage"] == {
        "units": 12,
        "inputTokens": 1_000,
        "outputTokens": 200,
        "costUsd": 0.003,
    }
    assert result["meta"] == {
        "model": "gemini-2.5-flash",
        "analyser": "gemini",
        "analyzedAt": "2025-11-06T03:04:05Z",
        "commentSampleCount": 4,
        "analysisBasis": ["title", "description", "comments", "channel_meta"],
        "languageSummary": "대부분 한국어입니다.",
        "cacheHit": False,
        "analysisVersion": "v3",
        "promptVersion": "p1",
        "scoreVersion": "s1",
        "schemaVersion": 2,
        "commentSnapshotHash": "abc",
        "source": "youtube",
        "warnings": ["one repair"],
    }


def test_no_word_of_a_comment_is_in_a_result() -> None:
    result = to_json(assembled()).decode()
    assert not [each.text for each in MATERIAL.comments if each.text in result]


def test_only_what_was_there_and_read_is_a_basis() -> None:
    assert assembled(analyser="builtin")["meta"]["analysisBasis"] == [
        "title",
        "description",
        "comments",
    ]
    bare = replace(commented(channel=None), video=replace(MATERIAL.video, description=" \n"))
    assert assembled(bare, Measurements())["meta"]["analysisBasis"] == ["title"]


@pytest.mark.parametrize(
    ("problem", "told"),
    [
        (
            "disabled",
            "Comments are turned off for this video. The analysis is based on the title and",
        ),
        (
            "failed",
            "YouTube failed before all comments were fetched. The analysis is based on the t",
        ),
        ("quota", "The daily YouTube quota ran out before all comments were fetched. The analysis"),
        ("timeout", "YouTube timed out before all comments were fetched. The analysis is based on"),
        (None, "There are no comments. The analysis is based on the title"),
    ],
)
def test_a_video_without_comments_has_a_result_that_says_so(problem: Any, told: str) -> None:
    result = assembled(commented(problem=problem), Measurements())
    assert result["sentiment"] is None
    assert result["meta"]["commentSampleCount"] == 0
    assert result["meta"]["analysisBasis"] == ["title", "description", "channel_meta"]
    assert result["meta"]["warnings"][0].startswith(told)


def test_comments_that_came_before_the_trouble_count() -> None:
    material = replace(MATERIAL, problem="quota")
    [first, *_] = assembled(material)["meta"]["warnings"]
    assert first.endswith(". The analysis is based on the 4 comments that were fetched.")


def test_hidden_numbers_are_told() -> None:
    video = replace(MATERIAL.video, like_count=None, comment_count=None)
    told = assembled(replace(MATERIAL, video=video))["meta"]["warnings"]
    assert told == [
        "Not public or not available: number of likes and comments.",
        "one repair",
    ]


def test_spam_is_a_figure_and_no_warning() -> None:
    result = assembled(MATERIAL, replace(MEASURED, spam=3))
    assert (result["spam"], result["meta"]["warnings"]) == (3, ["one repair"])


def test_warnings_are_told_once_ours_first_and_never_too_many_or_too_long() -> None:
    material = replace(MATERIAL, warnings=("one repair", " ", "x" * 400))
    said = INSIGHTS.model_copy(update={"warnings": [f"doubt {number}" for number in range(20)]})
    collected = collect_warnings(material, said, ("one repair",))
    warnings = build_result(material, MEASURED, said, MAKING, collected).meta.warnings
    assert warnings[:3] == ["one repair", "x" * 299 + "…", "The analyser says: doubt 0"]
    assert len(warnings) == 20


@pytest.mark.parametrize("template", messages.METHODS)
def test_texts_of_ours_are_translated_and_others_are_not(template: Template) -> None:
    video = replace(MATERIAL.video, like_count=None)
    warnings = collect_warnings(replace(MATERIAL, video=video), INSIGHTS, ("one repair",))
    method = str(template())
    saved = build_result(MATERIAL, MEASURED, INSIGHTS, replace(MAKING, method=method), warnings)
    document = with_messages(saved.model_dump(), warnings)
    assert document == saved.model_dump()
    assert [render(each, "ko") for each in document["meta"]["warnings"]] == [
        "공개되지 않았거나 알 수 없는 수치: 좋아요 수.",
        "one repair",
    ]
    assert render(document["sentiment"]["method"], "ko").startswith("이 컴퓨터에서 집계")
    assert with_messages(saved.model_dump(), ())["meta"] == saved.model_dump()["meta"]


def test_a_warning_that_is_too_long_stays_as_it_was_cut() -> None:
    long = messages.IMPORT_USED(error="x" * 400)
    saved = build_result(MATERIAL, MEASURED, INSIGHTS, MAKING, (long,)).model_dump()
    assert with_messages(saved, (long,)) == saved


def test_whatever_was_counted_fits_the_shape() -> None:
    ids = tuple(f"id-{number}" for number in range(30))
    counts = Sentiment(10**9, 0, 2)
    measured = Measurements(
        sentiment=counts,
        keywords=(Keyword("가" * 90, 5, ids),) * 60,
        topics=(TopicCluster("나" * 300, ("다" * 60,), 3, counts, ids),) * 20,
        requests=(NotableComment("id-1", -1, "positive"),) * 30,
        questions=(NotableComment("id-1", 5, "positive"),) * 30,
        highlights=(NotableComment("id-1", 5, "positive"),) * 30,
        moments=(VideoTimestamp(3, 1, ids),) * 30,
    )
    result = assembled(measured=measured, model="m" * 300, method="n" * 300)
    sizes = {name: len(each) for name, each in result.items() if isinstance(each, list)}
    assert sizes == {
        "contentIdeas": 2,
        "recommendedKeywords": 2,
        "titleSuggestions": 1,
        "keywords": 50,
        "topics": 12,
        "requests": 20,
        "questions": 20,
        "highlights": 20,
        "moments": 20,
    }
    assert len(result["keywords"][0]["evidence"]) == 20


def test_the_first_shape_is_the_contracts_part_of_the_second() -> None:
    second = assembled()
    first = shape_1(second)
    assert first == {
        "summary": good()["summary"],
        "contentIdeas": [
            {"title": "김밥 만들기", "description": "시청자가 바랍니다."},
            {"title": "장보기", "description": "어디서 사는지 보여 줍니다."},
        ],
        "recommendedKeywords": ["라면", "김밥"],
        "meta": {
            "model": "gemini-2.5-flash",
            "analyzedAt": "2025-11-06T03:04:05Z",
            "commentSampleCount": 4,
            "analysisBasis": ["title", "description", "comments", "channel_meta"],
            "languageSummary": "대부분 한국어입니다.",
            "cacheHit": False,
            "analysisVersion": "v3",
            "schemaVersion": 1,
            "warnings": ["one repair"],
        },
    }
    Result1.model_validate(json.loads(to_json(first)))


def test_the_first_shape_leaves_out_what_was_not_said_about_languages() -> None:
    silent = INSIGHTS.model_copy(update={"languageSummary": None})
    first = shape_1(build_result(MATERIAL, counted(MATERIAL), silent, MAKING).model_dump())
    assert "languageSummary" not in first["meta"]
    Result1.model_validate(first)


def test_a_result_that_is_given_again_says_so_and_the_kept_one_stays() -> None:
    kept = assembled()
    assert with_cache_hit(kept, hit=True)["meta"]["cacheHit"] is True
    assert with_cache_hit(shape_1(kept), hit=True)["meta"]["cacheHit"] is True
    assert kept["meta"]["cacheHit"] is False
    assert with_cache_hit(kept, hit=False) == kept
