"""What an analyser said: read, checked, mended where that is permitted, or refused as a whole."""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest

from gotgan.domains.videos.analysers.protocol import AnalyserResponse
from gotgan.domains.videos.schemas import Insights
from gotgan.domains.videos.validation import NO_WEAK_POINTS, validate_insights
from gotgan.errors import OutputInvalid
from tests.unit.domains.videos.opinions import good

KNOWN = ("id-0", "id-1", "id-2")
NAMES = {"c1": "id-0", "c2": "id-1", "c3": "id-2", "c10": "gone since"}


def heard(document: Any) -> tuple[Insights, tuple[str, ...]]:
    text = document if isinstance(document, str) else json.dumps(document)
    return validate_insights(AnalyserResponse(text, names=NAMES), KNOWN)


def refused(document: Any) -> str:
    with pytest.raises(OutputInvalid) as refusal:
        heard(document)
    return refusal.value.message


def test_a_good_answer_is_taken_as_it_is_with_the_ids_of_comments() -> None:
    insights, warnings = heard(good())
    assert warnings == ()
    expected = good()
    expected["contentIdeas"][0]["evidence"] = ["id-0"]
    expected["contentIdeas"][1]["evidence"] = ["id-2"]
    expected["titleSuggestions"][0]["evidence"] = ["id-1"]
    assert insights.model_dump() == expected


@pytest.mark.parametrize(
    "fence",
    [
        "```json\n{}\n```",
        "```\n{}\n```",
        "\n ```JSON{}``` \n",
        "Here you are:\n```json\n{}\n```\nI hope that it helps.",
    ],
)
def test_a_fence_around_the_answer_is_taken_away_and_told(fence: str) -> None:
    ideas = [{"title": "a", "description": "write ```code```", "evidence": ["c1"]}]
    said = json.dumps(good(contentIdeas=ideas))
    insights, warnings = heard(fence.replace("{}", said))
    assert insights.contentIdeas[0].description == "write ```code```"
    assert heard(said)[1] == ()  # that fence is part of the answer
    assert insights.summary.weakPoints == good()["summary"]["weakPoints"]
    assert warnings == ("The analyser's answer was wrapped in a code block.",)


@pytest.mark.parametrize(
    "text",
    ["", "```", "`````", "```json```", "Here it is: {}", "{}{}", "```json\n{}\n", "{} ``` ```"],
)
def test_anything_else_around_the_answer_is_refused(text: str) -> None:
    said = text.replace("{}", json.dumps(good()))
    assert "it is not JSON from line" in refused(said)


def test_an_answer_that_broke_off_is_refused_though_it_could_be_read() -> None:
    with pytest.raises(OutputInvalid, match="answer was cut off"):
        validate_insights(AnalyserResponse(json.dumps(good()), is_cut=True), KNOWN)


@pytest.mark.parametrize("wrong", [None, 3, "", " \u3000\n", "x" * 1_001, ["소리"]])
def test_weak_points_that_cannot_be_used_become_a_fixed_sentence(wrong: Any) -> None:
    summary = {**good()["summary"], "weakPoints": wrong}
    insights, warnings = heard(good(summary=summary))
    assert insights.summary.weakPoints == NO_WEAK_POINTS["ko"]
    assert len(warnings) == 1
    assert "A fixed sentence replaces them" in warnings[0]


def test_the_fixed_sentence_is_in_the_language_of_the_rest() -> None:
    insights, _ = heard(good(summary={"majorReactions": "They laugh.", "positivePoints": "Fun."}))
    assert insights.summary.weakPoints == NO_WEAK_POINTS["en"]


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("contentIdeas", None),
        ("contentIdeas", {"title": "a", "description": "b"}),
        ("contentIdeas", [{"title": "a"}]),
        ("contentIdeas", [{"title": "a", "description": "b", "cost": 3}]),
        ("contentIdeas", [{"title": "a", "description": "b"}] * 11),
        ("contentIdeas", [{"title": "a" * 201, "description": "b"}]),
        ("recommendedKeywords", "라면"),
        ("recommendedKeywords", ["라면", ""]),
        ("recommendedKeywords", ["x" * 51]),
        ("recommendedKeywords", [str(number) for number in range(13)]),
        ("titleSuggestions", [{"title": 5}]),
        ("titleSuggestions", [{"title": "a"}] * 6),
        ("warnings", "few comments"),
        ("warnings", ["x" * 301]),
        ("warnings", ["x"] * 21),
    ],
)
def test_a_list_that_is_missing_or_wrong_becomes_empty_with_one_warning(
    field: str, wrong: Any
) -> None:
    missing = {name: value for name, value in good().items() if name != field}
    for document in (good(**{field: wrong}), missing):
        insights, warnings = heard(document)
        assert getattr(insights, field) == []
        assert len(warnings) == 1
        assert "were missing or invalid" in warnings[0]


def test_words_about_languages_may_be_missing_and_are_dropped_where_they_are_wrong() -> None:
    without = {name: value for name, value in good().items() if name != "languageSummary"}
    for document in (without, good(languageSummary=None)):
        assert heard(document)[0].languageSummary is None
        assert heard(document)[1] == ()
    insights, warnings = heard(good(languageSummary=7))
    assert insights.languageSummary is None
    assert len(warnings) == 1


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        ({}, "summary is missing"),
        ([], "the whole answer is not an object"),
        ("null", "the whole answer is not an object"),
        (good(summary=None), "summary is not an object"),
        (good(summary={"weakPoints": "x"}), "summary.majorReactions is missing"),
        (
            good(summary={**good()["summary"], "positivePoints": "x" * 1_001}),
            "summary.positivePoints has more than 1,000 characters",
        ),
        (
            good(summary={**good()["summary"], "majorReactions": "\t"}),
            "summary.majorReactions is blank",
        ),
        (good(meta={"cacheHit": True}), "meta is not a known field"),
        (good(**{"x\u2028\u202e" + "y" * 90: 1}), "x  " + "y" * 47 + " is not a known field"),
        (good(summary={**good()["summary"], "mood": 1}), "summary.mood is not a known field"),
    ],
)
def test_anything_else_fails_and_the_first_fault_is_named(document: Any, fault: str) -> None:
    assert f"is invalid: {fault}. " in refused(document)


def test_an_error_holds_no_word_of_what_was_said() -> None:
    secret = "somebody's own words"
    summary = {**good()["summary"], "majorReactions": [secret]}
    assert secret not in refused(good(summary=summary))
    assert secret not in refused(secret)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"summary": 1, "summary": 2}', "the same field twice"),
        ('{"summary": NaN}', "numbers that JSON does not have"),
        ('{"summary": -Infinity}', "numbers that JSON does not have"),
        ('{"summary": ' + "9" * 5_000 + "}", "a number that is too long"),
        ("[" * 200_000, "nested too deep"),
        ('{"a":' * 50_000 + "1" + "}" * 50_000, "nested too deep"),
        (json.dumps(good(languageSummary="\ud800")), "incomplete characters"),
        (json.dumps(good(**{"\udfff": 1})), "incomplete characters"),
        (" " * 10_000_000, "10,000,000 characters"),
        (json.dumps(good(languageSummary="x" * 600_000)), "characters. Analyse"),
    ],
)
def test_what_is_made_to_break_a_reader_is_refused_as_well(text: str, why: str) -> None:
    assert why in refused(text)


def test_nesting_that_is_only_just_readable_does_no_harm() -> None:
    depth = sys.getrecursionlimit() - 200
    told = refused('{"a":' * depth + "1" + "}" * depth)
    assert "nested too deep" in told or "summary is missing" in told


def test_control_characters_are_taken_out_and_lines_stay() -> None:
    summary = {**good()["summary"], "majorReactions": "빨간\x1b[31m 글\n\x00\x9b씨"}
    insights, warnings = heard(good(summary=summary))
    assert insights.summary.majorReactions == "빨간[31m 글\n씨"
    assert warnings == ("Control characters were removed from the analyser's answer.",)


def test_comments_that_nobody_knows_are_not_named() -> None:
    ideas = [{"title": "a", "description": "b", "evidence": ["c9", "c3", "id-0", "c3", "c1"]}]
    titles = [{"title": "a", "evidence": ["c10"]}]
    insights, warnings = heard(good(contentIdeas=ideas, titleSuggestions=titles))
    assert insights.contentIdeas[0].evidence == ["id-2", "id-0"]
    assert insights.titleSuggestions[0].evidence == []
    assert warnings == (
        "The analyser referred to comments that do not exist. 3 references removed.",
    )


def test_who_names_comments_by_their_ids_is_understood_too() -> None:
    ideas = [{"title": "a", "description": "b", "evidence": ["id-1", "c1"]}]
    said = AnalyserResponse(json.dumps(good(contentIdeas=ideas, titleSuggestions=[])))
    insights, warnings = validate_insights(said, KNOWN)
    assert insights.contentIdeas[0].evidence == ["id-1"]
    assert len(warnings) == 1


@pytest.mark.parametrize(
    ("evidence", "kept"),
    [
        ([1, "c1", None], ["id-0"]),
        (["c1", "c2"] * 15, ["id-0", "id-1"]),
    ],
)
def test_references_that_cannot_be_used_do_not_cost_the_idea(
    evidence: Any, kept: list[str]
) -> None:
    ideas = [{"title": "a", "description": "b", "evidence": evidence}]
    insights, warnings = heard(good(contentIdeas=ideas))
    assert [(each.title, each.evidence) for each in insights.contentIdeas] == [("a", kept)]
    assert len(warnings) == 1
    assert "references to comments were invalid" in warnings[0]


def test_an_idea_without_comments_is_taken_away_and_told() -> None:
    ideas = [
        {"title": "a", "description": "b", "evidence": "c1"},
        {"title": "c", "description": "d", "evidence": ["c99"]},
        {"title": "e", "description": "f", "evidence": ["c2"]},
    ]
    insights, warnings = heard(good(contentIdeas=ideas))
    assert [idea.title for idea in insights.contentIdeas] == ["e"]
    assert warnings[-1] == (
        "2 suggestions of the analyser removed: without comments as evidence, or only a keyword."
    )


def test_a_suggestion_that_is_only_a_keyword_is_taken_away() -> None:
    ideas = [{"title": " 김밥", "description": "b", "evidence": ["c1"]}]
    titles = [{"title": "라면", "evidence": ["c2"]}, {"title": "라면 한 그릇", "evidence": ["c2"]}]
    insights, warnings = heard(good(contentIdeas=ideas, titleSuggestions=titles))
    assert insights.contentIdeas == []
    assert [title.title for title in insights.titleSuggestions] == ["라면 한 그릇"]
    assert len(warnings) == 1


def test_a_wrong_reference_in_a_wrong_list_goes_with_the_list() -> None:
    ideas = [
        {"title": "a", "description": "b", "evidence": 1},
        {"title": "a"},
        {"title": "a", "description": "b", "evidence": 1},
    ]
    insights, _ = heard(good(contentIdeas=ideas))
    assert insights.contentIdeas == []


def test_a_keyword_that_is_said_twice_is_one() -> None:
    insights, warnings = heard(good(recommendedKeywords=["Ramen", "ramen ", "김밥", "RAMEN"]))
    assert insights.recommendedKeywords == ["Ramen", "김밥"]
    assert warnings == ()


def test_several_repairs_are_told_one_by_one() -> None:
    _, warnings = heard({"summary": {"majorReactions": "a", "positivePoints": "b"}})
    assert len(warnings) == 5
    assert all(len(each) <= 300 for each in warnings)
