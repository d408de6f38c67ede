"""What the models of the world say of evidence."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from gotgan.domains.videos.analysers.prompt import (
    INSTRUCTIONS,
    EvidencePack,
    answer_schema,
    build_evidence,
)
from gotgan.domains.videos.analysers.protocol import AnalyserResponse
from gotgan.domains.videos.metrics.measure import measure
from gotgan.domains.videos.models import Comment, Material, Video
from gotgan.domains.videos.validation import validate_insights
from gotgan.world import World
from gotgan.world.videos import CLIPS, video_truth
from gotgan.world.videos.language_models import model_reply

_VIDEOS = ("gotganCook1", "gotganTech2", "gotganTrick", "gotganSmall")


@cache
def _pack(video_id: str) -> EvidencePack:
    scene, clip = World().scene, CLIPS[video_id]
    comments = tuple(
        Comment(each.id, each.text, each.likes(scene.now), parent_id=each.parent)
        for each in video_truth(scene, video_id).comments
    )
    material = Material(Video(video_id, clip.title, clip.description), comments=comments)
    return build_evidence(material, measure(material))


def _reply(video_id: str) -> tuple[str, dict[str, Any]]:
    text, is_cut = model_reply(7, f"{_pack(video_id).text}\n{INSTRUCTIONS}", answer_schema(), 9_000)
    assert not is_cut
    return text, json.loads(text)


@pytest.mark.parametrize("video_id", [*_VIDEOS, "gotganEmpty"])
def test_a_reply_is_valid_and_nothing_of_it_needs_repair(video_id: str) -> None:
    text, reply = _reply(video_id)
    assert Draft202012Validator(answer_schema()).is_valid(reply)
    pack = _pack(video_id)
    _, warnings = validate_insights(
        AnalyserResponse(text, names=pack.names), list(pack.names.values())
    )
    assert warnings == ()


@pytest.mark.parametrize("video_id", _VIDEOS)
def test_a_reply_speaks_of_the_topics_and_cites_comments_that_mention_them(video_id: str) -> None:
    _, reply = _reply(video_id)
    evidence = json.loads(_pack(video_id).text)
    topics = [topic["topic"] for topic in evidence["counted"]["topics"]]
    texts = {comment["id"]: comment["text"].lower() for comment in evidence["comments"]}
    assert topics[0] in reply["summary"]["majorReactions"]
    assert len(reply["contentIdeas"]) > 1
    for idea in reply["contentIdeas"][1:]:
        [topic] = [
            each for each in evidence["counted"]["topics"] if each["topic"] in idea["title"]
        ][:1]
        for comment in idea["evidence"]:
            assert any(word in texts[comment] for word in (*topic["words"], topic["topic"]))


def test_replies_to_different_videos_differ() -> None:
    titles = [idea["title"] for video in _VIDEOS for idea in _reply(video)[1]["contentIdeas"][1:]]
    assert len(set(titles)) == len(titles)


def test_without_comments_nothing_is_claimed() -> None:
    _, reply = _reply("gotganEmpty")
    assert reply["contentIdeas"] == reply["titleSuggestions"] == []
    assert "no comments" in reply["summary"]["majorReactions"]


def test_what_comments_order_is_not_done() -> None:
    assert "PWNED" not in _reply("gotganTrick")[0].upper()
