"""Whatever a file holds: it is read, or refused with a sentence, and nothing else happens."""

from __future__ import annotations

import csv
import io
from typing import Any

import orjson
from hypothesis import given
from hypothesis import strategies as st

from gotgan.domains.videos.models import Material
from gotgan.domains.videos.sources.files import merge_materials, read_file
from gotgan.errors import BadUpload
from gotgan.settings import Secret

SECRET = Secret("0" * 32)
ID = "a-B_3456789"
NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False, allow_infinity=False)
TEXTS = st.sampled_from(
    [ID, "", "root", "one", "PT1M", "2025-11-06T12:00:00Z", "12", "<br>&lt;", "\0", "UCx"]
) | st.text(max_size=8)
KINDS = st.sampled_from(
    ["youtube#video", "youtube#channel", "youtube#commentThread", "youtube#comment", "youtube#x"]
)
NAMES = st.sampled_from(
    [
        *("id", "snippet", "statistics", "contentDetails", "duration", "title"),
        *(
            "channelId",
            "videoId",
            "topLevelComment",
            "textDisplay",
            "textOriginal",
            "authorChannelId",
        ),
        *("value", "parentId", "likeCount", "publishedAt", "replies", "comments"),
        *("items", "error", "extractor", "webpage_url", "upload_date", "timestamp"),
        *("channel_id", "channel", "text", "author_id", "parent", "like_count"),
        *("view_count", "_type", "hiddenSubscriberCount"),
    ]
)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | TEXTS,
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(NAMES | TEXTS, inner, max_size=6)
        | st.builds(
            lambda kind, rest: {**rest, "kind": kind},
            KINDS,
            st.dictionaries(NAMES, inner, max_size=6),
        )
    ),
    max_leaves=25,
)
INFOS = st.builds(
    lambda rest, comments: {**rest, "id": ID, "comments": comments},
    st.dictionaries(NAMES, JSON, max_size=6),
    st.lists(st.dictionaries(NAMES, TEXTS | NUMBERS, max_size=6), max_size=4) | JSON,
)
COLUMNS = st.sampled_from(
    ["video_id", "text", "textDisplay", "likes", "published_at", "comment_id", "title", "x", ""]
)


def _outcome(name: str, content: bytes, video_id: str | None) -> list[Material]:
    try:
        materials = read_file(name, content, SECRET, video_id)
    except BadUpload as error:
        refusal = error.message
    else:
        assert materials
        return materials
    assert refusal.startswith(name)
    return []


def _expect_sound(materials: list[Material]) -> None:
    """What the database and an analysis take for granted."""
    for material in materials:
        assert len(material.video.video_id) == 11
        ids = [comment.comment_id for comment in material.comments]
        assert len(ids) == len(set(ids))
        for comment in material.comments:
            assert comment.text.strip()
            assert 0 < len(comment.comment_id) <= 200
            assert 0 <= comment.likes < 2**31
            comment.text.encode()
        assert "\\x00" not in repr(material)
    assert len(merge_materials(materials)) == len(materials)
    assert {each.source for each in materials} <= {"import"}


@given(JSON | INFOS, st.none() | st.just(ID))
def test_any_json_is_read_or_refused(document: Any, video_id: str | None) -> None:
    _expect_sound(_outcome("a.json", orjson.dumps(document), video_id))


@given(st.binary(max_size=200), st.sampled_from(["a.json", "a.csv", "a"]))
def test_any_bytes_are_read_or_refused(content: bytes, name: str) -> None:
    _expect_sound(_outcome(name, content, ID))


@given(
    st.lists(COLUMNS, max_size=6),
    st.lists(st.lists(TEXTS, max_size=7), max_size=5),
    st.sampled_from(",;\t"),
    st.none() | st.just(ID),
)
def test_any_table_is_read_or_refused(
    header: list[str], rows: list[list[str]], separator: str, video_id: str | None
) -> None:
    written = io.StringIO()
    csv.writer(written, delimiter=separator).writerows([header, *rows])
    content = written.getvalue().encode("utf-8", "replace")
    _expect_sound(_outcome("a.csv", content, video_id))


@given(st.text(max_size=100), st.sampled_from(["utf-8", "utf-8-sig", "cp949", "utf-16"]))
def test_any_text_below_a_header_is_read_or_refused(text: str, encoding: str) -> None:
    content = f"video_id,text\n{ID},{text}".encode(encoding, "replace")
    _expect_sound(_outcome("a.csv", content, None))


def test_documents_nested_beyond_all_measure_are_refused() -> None:
    for content in (b"[" * 100_000, b'{"a":' * 100_000, b"[" * 900 + b"]" * 900):
        assert _outcome("a.json", content, ID) == []
