"""The comments of the world's videos: they grow from day to day, and what they mean is known."""

from __future__ import annotations

import re
from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.world.scene import Scene
from gotgan.world.videos import CLIPS, video_truth
from gotgan.world.videos.comments import video_comments
from gotgan.world.videos.vocabulary import read_phrases

NOW = datetime(2025, 11, 6, 12, tzinfo=UTC)
SCENE = Scene(seed=7, now=NOW)
TALKED_ABOUT = sorted(set(CLIPS) - {"gotganQuiet", "gotganEmpty"})
HANGUL = re.compile("[가-힣]")


def test_there_are_videos_of_many_kinds_with_ids_as_real_ones_have() -> None:
    assert len(CLIPS) >= 12
    assert all(re.fullmatch(r"[\w-]{11}", each) for each in CLIPS)
    assert len({clip.kind for clip in CLIPS.values()}) >= 6
    assert {clip.language for clip in CLIPS.values()} == {"ko", "en", "mixed"}


def test_the_same_seed_and_moment_give_the_same_comments_and_another_seed_others() -> None:
    twin = Scene(seed=7, now=NOW)
    assert video_truth(twin, "gotganVlog1") == video_truth(SCENE, "gotganVlog1")
    other = video_truth(Scene(seed=8, now=NOW), "gotganVlog1").senses.keys()
    assert not other & video_truth(SCENE, "gotganVlog1").senses.keys()


def test_videos_have_from_none_to_three_thousand_comments() -> None:
    counts = {each: len(video_truth(SCENE, each).comments) for each in CLIPS}
    assert counts["gotganQuiet"] == counts["gotganEmpty"] == 0
    assert 1 <= counts["gotganSmall"] <= 10
    assert 2_500 <= max(counts.values()) <= 3_200


@pytest.mark.parametrize("video", TALKED_ABOUT)
def test_comments_only_ever_become_more(video: str) -> None:
    clip = CLIPS[video]
    before = video_comments(7, clip, NOW)
    after = video_comments(7, clip, NOW + timedelta(days=14))
    assert after[: len(before)] == before
    assert len(after) > len(before) or video == "gotganSmall"
    assert all(clip.published <= each.at <= NOW for each in before)
    assert [each.at for each in before] == sorted(each.at for each in before)


def test_a_video_that_is_not_there_yet_has_no_comments() -> None:
    clip = CLIPS["gotganCook1"]
    assert video_comments(7, clip, clip.published - timedelta(seconds=1)) == []


def test_likes_and_answers_come_with_time() -> None:
    later = NOW + timedelta(days=30)
    remarks = video_comments(7, CLIPS["gotganGame2"], NOW)
    assert all(each.likes(NOW) <= each.likes(later) <= each.popularity for each in remarks)
    assert sum(each.likes(NOW) for each in remarks) < sum(each.likes(later) for each in remarks)
    assert max(each.likes(NOW) for each in remarks) > 100
    answers = [answer for each in remarks for answer in each.answers_until(NOW)]
    assert answers
    assert all(answer.at <= NOW for answer in answers)
    assert len(answers) < sum(len(each.answers_until(later)) for each in remarks)


def test_an_edited_comment_was_changed_after_it_came() -> None:
    remarks = video_comments(7, CLIPS["gotganCook1"], NOW)
    edited = [each for each in remarks if each.updated(NOW) != each.at]
    assert 0 < len(edited) < len(remarks) / 10
    assert all(each.at < each.updated(NOW) <= NOW for each in edited)


def test_moods_are_about_those_of_the_video() -> None:
    assert video_truth(SCENE, "gotganMusic").shares["positive"] > 0.65
    assert video_truth(SCENE, "gotganNews1").shares["negative"] > 0.4
    assert sum(video_truth(SCENE, "gotganTech1").shares.values()) == pytest.approx(1)


def test_spam_has_no_part_in_the_moods() -> None:
    truth = video_truth(SCENE, "gotganGame2")
    moods = [each.sense.mood for each in truth.comments if each.id not in truth.spam]
    assert len(moods) < len(truth.comments)
    assert truth.shares["neutral"] == pytest.approx(moods.count("neutral") / len(moods))


@pytest.mark.parametrize("video", ["gotganCook1", "gotganGame2", "gotganMusic"])
def test_comments_differ_from_each_other(video: str) -> None:
    remarks = video_truth(SCENE, video).comments
    texts = Counter(each.text for each in remarks)
    assert len(texts) > 0.75 * len(remarks)
    assert not [text for text in texts if "{" in text or not text.strip()]


def test_comments_are_in_the_language_that_they_are_said_to_be_in() -> None:
    for video in ("gotganCook1", "gotganTech2", "gotganMixed"):
        for each in video_truth(SCENE, video).comments:
            if each.sense.language in {"ko", "en"} and not each.sense.is_trick:
                assert bool(HANGUL.search(each.text)) is (each.sense.language == "ko")
    found = {each.sense.language for each in video_truth(SCENE, "gotganMixed").comments}
    assert found == {"ko", "en", "mixed", "other"}


def test_what_is_true_can_be_asked() -> None:
    truth = video_truth(SCENE, "gotganCook1")
    texts = {each.id: each.text for each in truth.comments}
    assert truth.topics.most_common(1)[0][0] == "sauce"
    assert "?" in "".join(texts[each] for each in truth.questions)
    words = (
        "주세요",
        "부탁",
        "합니다",
        "좋겠어요",
        "please",
        "could you",
        "you should",
        "would love",
    )
    assert all(any(word in texts[each] for word in words) for each in truth.requests)
    assert truth.requests.isdisjoint(truth.questions | truth.spam)
    second, count = truth.moments.most_common(1)[0]
    written = f"{second // 60}:{second % 60:02}"
    assert sum(written in text for text in texts.values()) >= count > 5


def test_only_the_tricked_video_speaks_to_machines() -> None:
    tricks = {each: len(video_truth(SCENE, each).tricks) for each in CLIPS}
    assert tricks.pop("gotganTrick") > 20
    assert set(tricks.values()) == {0}


def test_spam_is_never_liked() -> None:
    spam = [each for each in video_truth(SCENE, "gotganGame2").comments if each.sense.is_spam]
    assert spam
    assert {each.likes(NOW + timedelta(days=400)) for each in spam} == {0}


def test_people_come_back() -> None:
    authors = Counter(each.author_channel for each in video_truth(SCENE, "gotganCook1").comments)
    assert max(authors.values()) > 1


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("소스", "소스가 소스는 소스를"), ("양념장", "양념장이 양념장은 양념장을")],
)
def test_particles_follow_the_last_syllable(noun: str, expected: str) -> None:
    assert read_phrases("ko").fill("{이} {은} {을}", noun) == expected


def test_comments_end_growing_before_they_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gotgan.world.videos.comments._MAX_COMMENTS", 60)
    far = datetime(2225, 1, 1, tzinfo=UTC)
    assert len(video_comments(7, CLIPS["gotganSmall"], far)) == 60
