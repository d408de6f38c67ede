"""Answers of YouTube's API as our values; recorded ones, too, where they are here."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from gotgan.domains.videos.keys import author_hash
from gotgan.domains.videos.models import Channel, Comment, Video
from gotgan.domains.videos.sources.fields import object_list
from gotgan.domains.videos.sources.youtube_json import (
    CommentReader,
    next_page_token,
    parse_channel,
    parse_document,
    parse_video,
)
from gotgan.errors import UpstreamUnavailable
from gotgan.settings import Secret

RECORDED = Path(__file__).parents[5].parent / "shared" / "data" / "youtube"
SECRET = Secret("0" * 32)
NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
recorded = pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded answers are not here")


def _comment(comment_id: str, **more: Any) -> dict[str, Any]:
    snippet = {
        "textDisplay": "shown",
        "textOriginal": "written",
        "authorDisplayName": "Somebody",
        "authorChannelId": {"value": "UCsomebody"},
        "likeCount": 3,
        "publishedAt": "2025-11-06T12:00:00Z",
        "updatedAt": "2025-11-06T12:00:00Z",
    }
    return {"kind": "youtube#comment", "id": comment_id, "snippet": {**snippet, **more}}


def _thread(first: dict[str, Any], *replies: dict[str, Any]) -> dict[str, Any]:
    more = {"replies": {"comments": list(replies)}} if replies else {}
    return {"id": first["id"], "snippet": {"topLevelComment": first}, **more}


def test_a_video_has_what_is_shown_and_nothing_that_is_hidden() -> None:
    item = {
        "id": "a-B_3456789",
        "snippet": {
            "title": "제목",
            "description": "말",
            "publishedAt": "2025-11-06T12:00:00Z",
            "channelId": "UCowner",
            "defaultLanguage": "en",
            "defaultAudioLanguage": "ko",
        },
        "statistics": {"viewCount": "5000000000"},
        "contentDetails": {"duration": "PT1M1S"},
    }
    assert parse_video(item) == Video(
        "a-B_3456789", "제목", "말", NOON, 61, "UCowner", 5_000_000_000, None, None, "ko"
    )


def test_a_video_without_any_part_is_its_id() -> None:
    assert parse_video({"id": "a-B_3456789"}) == Video("a-B_3456789", "")
    assert parse_video({"id": {"videoId": "x"}}) is None
    assert parse_video({}) is None


def test_subscribers_that_are_hidden_are_not_counted() -> None:
    counts = {"subscriberCount": "0", "hiddenSubscriberCount": True, "videoCount": "4"}
    item = {"id": "UCowner", "snippet": {"title": "Owner"}, "statistics": counts}
    assert parse_channel(item) == Channel("UCowner", "Owner", None, 4, None)
    shown = {**item, "statistics": {**counts, "hiddenSubscriberCount": False}}
    assert parse_channel(shown) == Channel("UCowner", "Owner", 0, 4, None)
    assert parse_channel({"snippet": {}}) is None


def test_a_thread_is_its_first_comment_and_the_replies_that_come_with_it() -> None:
    thread = _thread(_comment("one"), _comment("one.1", parentId="one"), _comment("one.2"))
    comments = list(CommentReader(SECRET).of_thread(thread))
    hashed = author_hash(SECRET, "UCsomebody")
    assert comments == [
        Comment("one", "written", 3, NOON, NOON, hashed, None),
        Comment("one.1", "written", 3, NOON, NOON, hashed, "one"),
        Comment("one.2", "written", 3, NOON, NOON, hashed, "one"),
    ]


def test_what_is_shown_is_read_where_nobody_says_what_was_written() -> None:
    item = _comment("one", textOriginal="", textDisplay="1 &lt; 2<br>yes")
    plain, html = CommentReader(SECRET).comment(item), CommentReader(SECRET, is_html=True)
    assert plain is not None
    assert plain.text == "1 &lt; 2<br>yes"
    read = html.comment(item)
    assert read is not None
    assert read.text == "1 < 2\nyes"


@pytest.mark.parametrize(
    "item",
    [
        _comment(""),
        _comment("x" * 201),
        _comment("one", textOriginal=" ", textDisplay="\n"),
        _comment("one", textOriginal=None, textDisplay=None),
        {"id": "one"},
        {"id": "one", "snippet": []},
    ],
)
def test_a_comment_without_an_id_or_a_word_is_none(item: dict[str, Any]) -> None:
    assert CommentReader(SECRET).comment(item) is None


def test_an_author_who_is_not_named_and_likes_that_cannot_be_are_left_out() -> None:
    read = CommentReader(SECRET).comment(_comment("one", authorChannelId=None, likeCount=2**40))
    assert read is not None
    assert (read.author, read.likes) == (None, 0)


def test_there_is_a_next_page_while_a_token_says_so() -> None:
    assert next_page_token({"nextPageToken": "abc"}) == "abc"
    assert next_page_token({"nextPageToken": ""}) is None
    assert next_page_token({}) is None


@pytest.mark.parametrize("body", [b"", b"<html>", b"[]", b"1", b'{"a":', b"\xff"])
def test_an_answer_that_is_no_object_is_none(body: bytes) -> None:
    with pytest.raises(UpstreamUnavailable, match="not a JSON object"):
        parse_document(body)


@recorded
def test_a_recorded_page_of_threads_is_read() -> None:
    name = "comment_threads__comment_threads_by_video_paged_1.json"
    answer = parse_document((RECORDED / name).read_bytes())
    threads = object_list(answer["items"])
    comments = [each for thread in threads for each in CommentReader(SECRET).of_thread(thread)]
    assert len(comments) == 5
    assert comments[0].text == "Google.com"
    assert comments[0].published_at == datetime(2019, 11, 26, 15, 51, 44, tzinfo=UTC)
    assert next_page_token(answer) is not None
    assert "himani" not in repr(comments)
    assert "UCzj-CjKYmGlZ7vTL-vOe57A" not in repr(comments)


@recorded
@pytest.mark.parametrize("name", ["videos__videos_info_single", "videos__videos_info_multi"])
def test_recorded_videos_are_read(name: str) -> None:
    answer = orjson.loads((RECORDED / f"{name}.json").read_bytes())
    videos = [parse_video(item) for item in answer["items"]]
    assert videos[0] is not None
    assert videos[0].video_id == "D-lhorsDlUQ"
    assert videos[0].language == "en"
    assert videos[0].view_count is None


@recorded
def test_a_recorded_channel_is_read() -> None:
    answer = orjson.loads((RECORDED / "channels__info.json").read_bytes())
    assert parse_channel(answer["items"][0]) == Channel(
        "UC_x5XG1OV2P6uZZ5FSM9Ttw", "Google Developers"
    )
