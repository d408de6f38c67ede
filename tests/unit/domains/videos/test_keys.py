"""By what videos, analyses, comments and people are known."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.domains.videos.keys import author_hash, cache_key, parse_video_id, snapshot_hash
from gotgan.domains.videos.models import Comment
from gotgan.errors import UsageError
from gotgan.settings import Secret

ID = "a-B_3456789"
NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
COMMENTS = [
    Comment("one", "first", updated_at=NOON),
    Comment("two", "second", updated_at=NOON),
    Comment("three", "third"),
]


@pytest.mark.parametrize(
    "text",
    [
        ID,
        f"  {ID}\n",
        f"https://www.youtube.com/watch?v={ID}",
        f"http://youtube.com/watch?v={ID}",
        f"https://www.youtube.com/watch?app=desktop&list=PL0&v={ID}&t=42s#comments",
        f"https://m.youtube.com/watch?v={ID}&pp=x",
        f"https://music.youtube.com/watch?v={ID}",
        f"HTTPS://WWW.YOUTUBE.COM/watch?v={ID}",
        f"https://youtu.be/{ID}?si=abc",
        f"youtu.be/{ID}",
        f"www.youtube.com/watch?v={ID}",
        f"//www.youtube.com/watch?v={ID}",
        f"https://www.youtube.com/shorts/{ID}?feature=share",
        f"https://www.youtube.com/live/{ID}/",
        f"https://www.youtube.com/embed/{ID}",
        f"https://www.youtube-nocookie.com/embed/{ID}",
        f"https://www.youtube.com/v/{ID}",
    ],
)
def test_a_video_is_known_by_every_address_that_youtube_gives_it(text: str) -> None:
    assert parse_video_id(text) == ID


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tooshort",
        "much-too-long",
        "ä234567890é",
        f"https://example.com/watch?v={ID}",
        f"https://notyoutube.com/watch?v={ID}",
        f"https://youtube.com.example.com/watch?v={ID}",
        f"ftp://youtube.com/watch?v={ID}",
        f"https://www.youtube.com/channel/{ID}",
        "https://www.youtube.com/watch?v=",
        f"https://www.youtube.com/watch?v={ID}x",
        "https://www.youtube.com/",
        "https://youtu.be/",
        "https://[youtube",
        "https://www.youtube.com:port/watch",
    ],
)
def test_what_is_no_video_is_refused_with_what_to_give(text: str) -> None:
    with pytest.raises(UsageError, match=r"Use a URL such as .* or an ID of 11"):
        parse_video_id(text)


@given(st.text())
def test_any_text_is_a_video_or_refused(text: str) -> None:
    try:
        assert len(parse_video_id(text)) == 11
    except UsageError:
        assert len(text.strip()) != 11 or not text.strip().isalnum() or not text.isascii()


def test_a_cache_key_is_what_the_document_says() -> None:
    assert cache_key(ID, "v3") == f"analysis:{ID}:v3"
    assert cache_key(ID, "v3", "beef") == f"analysis:{ID}:v3:beef"


def test_a_snapshot_is_the_same_in_any_order_and_whatever_is_liked() -> None:
    known = snapshot_hash(COMMENTS, "relevance:5,time:5")
    assert len(known) == 64
    assert snapshot_hash(reversed(COMMENTS), "relevance:5,time:5") == known
    liked = [replace(each, likes=9, text="!") for each in COMMENTS]
    assert snapshot_hash(liked, "relevance:5,time:5") == known


@pytest.mark.parametrize(
    ("comments", "sampling"),
    [
        (COMMENTS, "relevance:4,time:5"),
        (COMMENTS[:2], "relevance:5,time:5"),
        (
            [replace(COMMENTS[0], updated_at=NOON.replace(hour=13)), *COMMENTS[1:]],
            "relevance:5,time:5",
        ),
        ([replace(COMMENTS[0], updated_at=None), *COMMENTS[1:]], "relevance:5,time:5"),
        ([replace(COMMENTS[0], comment_id="four"), *COMMENTS[1:]], "relevance:5,time:5"),
    ],
    ids=["sampling", "fewer", "edited", "unknown", "another"],
)
def test_a_snapshot_changes_with_its_comments_their_versions_and_the_sampling(
    comments: list[Comment], sampling: str
) -> None:
    assert snapshot_hash(comments, sampling) != snapshot_hash(COMMENTS, "relevance:5,time:5")


def test_people_are_told_apart_only_by_who_has_the_secret() -> None:
    ours, theirs = Secret("0" * 32), Secret("1" * 32)
    known = author_hash(ours, "UCsomebody")
    assert len(known) == 32
    assert int(known, 16)
    assert author_hash(ours, "UCsomebody") == known
    assert author_hash(theirs, "UCsomebody") != known
    assert author_hash(ours, "UCsomebodyelse") != known
