"""Files of youtube-comment-downloader."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import orjson
import pytest

from gotgan.domains.videos.keys import author_hash
from gotgan.domains.videos.models import Comment, Material
from gotgan.domains.videos.sources.downloads import parse_votes
from gotgan.domains.videos.sources.files import read_file
from gotgan.errors import BadUpload
from gotgan.settings import Secret

SECRET = Secret("0" * 32)
ID = "a-B_3456789"
TOP, REPLY = "UgxKREWxIgDrw8w2e_Z4AaABAg", "UgxKREWxIgDrw8w2e_Z4AaABAg.9Q"


def _record(cid: str | None = TOP, **more: Any) -> dict[str, Any]:
    return {
        "cid": cid,
        "text": "소스가 최고예요",
        "time": "2 years ago (edited)",
        "author": "@somebody",
        "channel": "UCsomebody",
        "votes": "1.2K",
        "replies": "3",
        "photo": "https://yt3.ggpht.com/x",
        "heart": False,
        "reply": "." in (cid or ""),
        "time_parsed": 1_762_430_400.5,
        **more,
    }


def _lines(*records: Any) -> bytes:
    return b"".join(orjson.dumps(each) + b"\n" for each in records)


def _read(content: bytes, video_id: str | None = ID, name: str = "c.json") -> Material:
    [material] = read_file(name, content, SECRET, video_id)
    return material


RECORDS = [_record(), _record(REPLY, votes="", time_parsed=None)]


@pytest.mark.parametrize(
    "content",
    [
        _lines(*RECORDS),
        _lines(*RECORDS).replace(b"\n", b"\r\n\r\n"),
        b"\xef\xbb\xbf" + _lines(*RECORDS),
        orjson.dumps(RECORDS, option=orjson.OPT_INDENT_2),
        orjson.dumps({"comments": RECORDS}, option=orjson.OPT_INDENT_2),
    ],
)
@pytest.mark.parametrize("name", ["c.json", "c.jsonl", "c"])
def test_all_that_it_writes_is_read(content: bytes, name: str) -> None:
    material = _read(content, name=name)
    at = datetime(2025, 11, 6, 12, 0, 0, 500_000, tzinfo=UTC)
    who = author_hash(SECRET, "UCsomebody")
    assert (material.video.video_id, material.source) == (ID, "import")
    assert material.comments == (
        Comment(TOP, "소스가 최고예요", 1_200, at, at, who, None),
        Comment(REPLY, "소스가 최고예요", 0, None, None, who, TOP),
    )


def test_one_comment_on_one_line_is_read() -> None:
    assert len(_read(_lines(_record())).comments) == 1


def test_a_file_names_no_video_so_the_error_asks_for_one() -> None:
    with pytest.raises(BadUpload, match=r"c\.json: The file does not name its video"):
        _read(_lines(_record()), None)


def test_a_line_that_was_cut_off_is_named() -> None:
    with pytest.raises(BadUpload, match=r"c\.json, line 2: Not valid JSON"):
        _read(_lines(*RECORDS)[:-20])


def test_a_comment_that_says_nothing_is_left_out() -> None:
    assert [each.comment_id for each in _read(_lines(_record(text=" "), RECORDS[1])).comments] == [
        REPLY
    ]


def test_a_comment_without_an_id_has_the_same_one_each_time() -> None:
    content = _lines(_record(), _record(cid=None), _record(cid=""))
    first, again = _read(content), _read(content)
    assert len({each.comment_id for each in first.comments}) == 3
    assert first == again


@pytest.mark.parametrize(
    ("shown", "votes"),
    [
        ("0", 0),
        ("12", 12),
        ("1.2K", 1_200),
        ("1,2 K", 1_200),
        ("1,234", 1_234),
        ("4M", 4_000_000),
        ("3.4천", 3_400),
        ("1.5만", 15_000),
        (7, 7),
        ("", 0),
        (None, 0),
        ("many", 0),
        ("-3", 0),
        ("999999999B", 2**31 - 1),
    ],
)
def test_votes_are_read_as_youtube_shows_them(shown: Any, votes: int) -> None:
    assert parse_votes(shown) == votes
