"""Files of each kind, and several about one video."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
import pytest

from gotgan.domains.videos.keys import author_hash
from gotgan.domains.videos.models import Channel, Comment, Material, Video
from gotgan.domains.videos.sources import upload
from gotgan.domains.videos.sources.files import merge_materials, read_file
from gotgan.errors import BadUpload
from gotgan.settings import Secret

RECORDED = Path(__file__).parents[5].parent / "shared" / "data" / "youtube"
SECRET = Secret("0" * 32)
ID, OTHER = "a-B_3456789", "another_one"
NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
SOMEBODY = author_hash(SECRET, "UCsomebody")


def _read(document: Any, video_id: str | None = None) -> list[Material]:
    return read_file("saved.json", orjson.dumps(document), SECRET, video_id)


def _video(video_id: str = ID) -> dict[str, Any]:
    snippet = {"title": "A video", "channelId": "UCowner", "publishedAt": "2025-11-06T12:00:00Z"}
    return {"kind": "youtube#video", "id": video_id, "snippet": snippet}


def _comment(comment_id: str, video_id: str | None = ID, **more: Any) -> dict[str, Any]:
    snippet = {
        "textDisplay": "so &amp; so",
        "authorDisplayName": "Name",
        "authorChannelId": {"value": "UCsomebody"},
        "likeCount": 2,
        **({"videoId": video_id} if video_id else {}),
        **more,
    }
    return {"kind": "youtube#comment", "id": comment_id, "snippet": snippet}


def _thread(comment_id: str, video_id: str | None = ID, *replies: dict[str, Any]) -> dict[str, Any]:
    named = {"videoId": video_id} if video_id else {}
    snippet = {**named, "topLevelComment": _comment(comment_id, None)}
    more = {"replies": {"comments": list(replies)}} if replies else {}
    return {"kind": "youtube#commentThread", "id": comment_id, "snippet": snippet, **more}


def _answer(kind: str, *items: dict[str, Any]) -> dict[str, Any]:
    return {"kind": f"youtube#{kind}ListResponse", "etag": "x", "items": list(items)}


def _ids(material: Material) -> list[str]:
    return [comment.comment_id for comment in material.comments]


CHANNEL = {"kind": "youtube#channel", "id": "UCowner", "snippet": {"title": "Owner"}}
INFO = {
    "id": ID,
    "title": "A video",
    "description": "Of something",
    "extractor_key": "Youtube",
    "timestamp": 1_762_430_400,
    "duration": 61.2,
    "channel_id": "UCowner",
    "channel": "Owner",
    "channel_follower_count": 12,
    "view_count": 5,
    "like_count": None,
    "language": "ko",
    "comments": [
        {
            "id": "one",
            "text": "첫 댓글",
            "author": "Name",
            "author_id": "UCsomebody",
            "like_count": 3,
            "timestamp": 1_762_430_400,
            "parent": "root",
        },
        {"id": "one.1", "text": "답글", "parent": "one"},
        {"id": "two", "text": " "},
    ],
}


@pytest.mark.parametrize(
    "document",
    [
        [
            _answer("video", _video()),
            _answer("channel", CHANNEL),
            _answer("commentThread", _thread("one", ID, _comment("one.1", None)), _thread("two")),
        ],
        {
            "video": _answer("video", _video()),
            "channel": {"answers": [_answer("channel", CHANNEL)]},
            "pages": [
                _answer("commentThread", _thread("one", ID, _comment("one.1", None))),
                _answer("commentThread", _thread("one"), _thread("two")),
            ],
        },
        [_thread("one", ID, _comment("one.1", None)), _thread("two"), CHANNEL, _video()],
    ],
    ids=["a list of answers", "an object with pages", "bare items"],
)
def test_saved_answers_are_put_together_however_they_were_saved(document: Any) -> None:
    assert _read(document) == [
        Material(
            video=Video(ID, "A video", published_at=NOON, channel_id="UCowner"),
            channel=Channel("UCowner", "Owner"),
            comments=(
                Comment("one", "so & so", 2, author=SOMEBODY),
                Comment("one.1", "so & so", 2, author=SOMEBODY, parent_id="one"),
                Comment("two", "so & so", 2, author=SOMEBODY),
            ),
            source="import",
            sampling="import",
        )
    ]


def test_a_file_with_comments_alone_names_the_video_by_its_id() -> None:
    [material] = _read(_answer("commentThread", _thread("one")))
    assert material.video == Video(ID, "")
    [given] = _read(_answer("commentThread", _thread("one", None)), OTHER)
    assert given.video.video_id == OTHER


def test_a_file_about_several_videos_gives_each() -> None:
    materials = _read([_video(), _thread("one"), _thread("two", OTHER), _video(OTHER)])
    assert [(each.video.video_id, _ids(each)) for each in materials] == [
        (ID, ["one"]),
        (OTHER, ["two"]),
    ]


def test_replies_that_were_asked_for_by_their_parent_find_its_video() -> None:
    replies = [_comment("two.1", None, parentId="two"), _comment("x.1", None, parentId="x")]
    known = [_thread("one"), _thread("two", OTHER), replies[0]]
    assert [_ids(each) for each in _read(known)] == [["one"], ["two", "two.1"]]
    assert [_ids(each) for each in _read([_video(), replies[1]])] == [["x.1"]]
    [given] = _read([replies[1]], OTHER)
    assert (given.video.video_id, _ids(given)) == (OTHER, ["x.1"])
    with pytest.raises(BadUpload, match=r"saved\.json, item 3: The file does not name its video"):
        _read([_thread("one"), _thread("two", OTHER), replies[1]])


def test_items_are_known_by_the_answer_that_lists_them_where_their_kind_is_left_out() -> None:
    answer = _answer("video", {"id": ID, "snippet": {"title": "A title"}})
    [material] = _read(answer)
    assert (material.video.video_id, material.video.title) == (ID, "A title")


def test_items_are_known_by_their_shape_where_their_kind_is_left_out() -> None:
    thread = {key: value for key, value in _thread("one").items() if key != "kind"}
    comment = {key: value for key, value in _comment("two").items() if key != "kind"}
    [material] = _read({"items": [thread, comment]})
    assert _ids(material) == ["one", "two"]


def test_the_file_of_yt_dlp_is_read() -> None:
    assert _read(INFO) == [
        Material(
            video=Video(ID, "A video", "Of something", NOON, 61, "UCowner", 5, None, None, "ko"),
            channel=Channel("UCowner", "Owner", 12),
            comments=(
                Comment("one", "첫 댓글", 3, NOON, NOON, SOMEBODY),
                Comment("one.1", "답글", parent_id="one"),
            ),
            source="import",
            sampling="import",
        )
    ]


def test_a_file_of_yt_dlp_without_comments_says_how_to_have_them() -> None:
    bare = {key: value for key, value in INFO.items() if key not in {"comments", "timestamp"}}
    [material] = _read({**bare, "upload_date": "20251106"})
    assert material.comments == ()
    assert material.warnings == (
        "saved.json has no comments. yt-dlp writes them with --write-comments.",
    )
    assert material.video.published_at == datetime(2025, 11, 6, tzinfo=UTC)
    [none] = _read({**INFO, "comments": []})
    assert (none.comments, none.warnings) == ((), ())


@pytest.mark.parametrize(
    ("document", "said"),
    [
        ({}, r"saved\.json: The file has no videos and no comments. Import"),
        ({"error": {"code": 403}}, "no videos and no comments"),
        ([CHANNEL], "no videos and no comments"),
        ([_video("short")], r"saved\.json, item 1: Not a YouTube URL or video ID: 'short'"),
        ([_thread("one", None)], "item 1: The file does not name its video"),
        ([_thread("one", "x")], "item 1: Not a YouTube URL or video ID: 'x'"),
        ([_comment("one", textOriginal="x" * 10_001)], "item 1: The comment has more than 10,000"),
        ({**INFO, "id": "BV1xx"}, "id: Not a YouTube URL or video ID: 'BV1xx'"),
        ({**INFO, "extractor_key": "Vimeo"}, "is not on YouTube"),
        ({**INFO, "_type": "playlist"}, "a list of videos. Import the .info.json of each"),
        ({**INFO, "comments": [{"id": "one", "text": "x" * 10_001}]}, "comment one: The comment"),
    ],
)
def test_a_file_that_cannot_be_used_says_where_and_what_to_do(document: Any, said: str) -> None:
    with pytest.raises(BadUpload, match=said):
        _read(document)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"items": [\n{"kind": }]}', r"saved\.json, line 2: Not valid JSON"),
        (b"no JSON at all", "line 1: Not valid JSON"),
        (b'{"a": "\xb0\xa1"}', "Not valid JSON in UTF-8"),
        (b"", "Not valid JSON"),
    ],
)
def test_what_is_no_json_says_in_which_line(content: bytes, said: str) -> None:
    with pytest.raises(BadUpload, match=said):
        read_file("saved.json", content, SECRET)


def test_a_byte_order_mark_is_no_part_of_json() -> None:
    content = b"\xef\xbb\xbf" + orjson.dumps(INFO)
    assert read_file("saved.json", content, SECRET) == _read(INFO)
    assert read_file("a file without a name", content, SECRET) == _read(INFO)[:1]


def test_files_and_numbers_of_comments_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(upload, "MAX_FILE_BYTES", 10)
    with pytest.raises(BadUpload, match=r"saved\.json has more than 10 bytes"):
        _read(INFO)
    monkeypatch.undo()
    monkeypatch.setattr(upload, "MAX_COMMENTS", 1)
    for document in (INFO, [_thread("one"), _thread("two")]):
        with pytest.raises(BadUpload, match="more than 1 comments"):
            _read(document)
    with pytest.raises(BadUpload, match="more than 1 comments"):
        read_file("some.csv", b"text\none\ntwo\n", SECRET, ID)


def test_several_files_about_one_video_are_one_material() -> None:
    info = {**INFO, "comments": None, "channel_follower_count": None}
    files = [_read(info), _read([_video(), CHANNEL, _thread("one")]), _read([_thread("two")])]
    [material] = merge_materials(each for file in files for each in file)
    assert material.video.title == "A video"
    assert material.video.description == "Of something"
    assert material.video.duration_sec == 61
    assert material.channel == Channel("UCowner", "Owner")
    assert _ids(material) == ["one", "two"]
    assert material.warnings == ()


def test_of_two_files_that_say_different_things_the_last_one_counts() -> None:
    [first], [other] = _read([_video(), _thread("one")]), _read([_thread("two", OTHER)])
    then = replace(
        first,
        video=replace(first.video, title="Renamed", view_count=9, published_at=None),
        comments=(replace(first.comments[0], likes=50),),
    )
    assert merge_materials([first, other, then]) == [
        replace(then, video=replace(then.video, published_at=NOON)),
        other,
    ]
    assert merge_materials([]) == []


@pytest.mark.skipif(not RECORDED.is_dir(), reason="the recorded answers are not here")
def test_recorded_answers_can_be_imported() -> None:
    names = ["comment_threads__comment_threads_by_video_paged_1", "videos__videos_info_multi"]
    read = [read_file(n, (RECORDED / f"{n}.json").read_bytes(), SECRET) for n in names]
    assert [(each.video.video_id, len(each.comments)) for file in read for each in file] == [
        ("F1UP7wRCPH8", 5),
        ("D-lhorsDlUQ", 0),
        ("ovdbrdCIP7U", 0),
    ]
    replies = RECORDED / "comments__comments_by_parent_paged_1.json"
    [material] = read_file(replies.name, replies.read_bytes(), SECRET, ID)
    assert [each.parent_id for each in material.comments] == ["Ugw5zYU6n9pmIgAZWvN4AaABAg"] * 2
