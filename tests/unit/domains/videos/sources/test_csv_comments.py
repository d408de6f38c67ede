"""Comments in tables, as spreadsheets and exporters write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gotgan.domains.videos.keys import author_hash
from gotgan.domains.videos.models import Comment, Material, Video
from gotgan.domains.videos.sources.files import read_file
from gotgan.errors import BadUpload
from gotgan.settings import Secret

SECRET = Secret("0" * 32)
ID, OTHER = "a-B_3456789", "another_one"
NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)
ROWS = [
    ["video_id", "comment_id", "text", "likes", "published_at", "title"],
    [ID, "one", "좋아요", "1200", "2025-11-06T12:00:00Z", "A video"],
    [ID, "two", "hm", "", "", ""],
]


def _read(content: str | bytes, video_id: str | None = None) -> list[Material]:
    written = content.encode() if isinstance(content, str) else content
    return read_file("some.csv", written, SECRET, video_id)


def _joined(separator: str, end: str = "\n") -> str:
    return end.join(separator.join(row) for row in ROWS)


READ = [
    Material(
        video=Video(ID, "A video"),
        comments=(Comment("one", "좋아요", 1200, NOON, NOON), Comment("two", "hm")),
        source="import",
        sampling="import",
    )
]


@pytest.mark.parametrize(
    "content",
    [
        _joined(",").encode(),
        _joined(",").encode("utf-8-sig"),
        _joined(",").encode("cp949"),
        _joined(";", "\r\n").encode(),
        _joined("\t", "\r\n").encode("utf-8-sig"),
        ("\r\n\n" + _joined(",")).encode(),
        "\n".join(";".join(f'"{cell}"' for cell in row) for row in ROWS).encode(),
    ],
    ids=["plain", "marked", "korean", "semicolons", "tabs", "blank lines", "quoted semicolons"],
)
def test_a_table_is_read_as_spreadsheets_write_it(content: bytes) -> None:
    assert _read(content) == READ


@pytest.mark.parametrize(
    "header",
    ["videoId,textDisplay,likeCount", "Video ID,Comment,Votes", "video_url,content,좋아요 수"],
)
def test_columns_have_many_names(header: str) -> None:
    [material] = _read(f'{header}\nhttps://youtu.be/{ID},fine,"1,234"')
    [comment] = material.comments
    assert material.video.video_id == ID
    assert (comment.text, comment.likes) == ("fine", 1234)


def test_only_the_text_that_the_api_shows_is_html() -> None:
    [shown] = _read("textDisplay\na &amp; b<br>c", ID)
    [written] = _read("text\na &amp; b<br>c", ID)
    assert shown.comments[0].text == "a & b\nc"
    assert written.comments[0].text == "a &amp; b<br>c"


def test_a_comment_may_have_several_lines_and_one_without_words_is_none() -> None:
    [material] = _read(f'video_id,text\n{ID},"two\nlines"\n{ID},\n\n{ID}," "\n{ID},last')
    assert [each.text for each in material.comments] == ["two\nlines", "last"]


def test_people_are_hashed_by_their_ids_and_their_names_are_not_read() -> None:
    [material] = _read("text,author,authorChannelId,parent_id\nhi,Name,UCsomebody,one", ID)
    [comment] = material.comments
    assert comment.author == author_hash(SECRET, "UCsomebody")
    assert comment.parent_id == "one"
    assert "Name" not in repr(material)


def test_comments_without_ids_have_the_same_ones_whenever_the_file_is_read() -> None:
    content = "text,likes,published_at\nㅋㅋ,1,\nㅋㅋ,2,\nㅋㅋ,3,2025-11-06\nno,4,"
    ids = [each.comment_id for each in _read(content, ID)[0].comments]
    assert len(set(ids)) == 4
    assert all(each.startswith("import-") for each in ids)
    assert [each.comment_id for each in _read(content, ID)[0].comments] == ids
    liked = [each.comment_id for each in _read(content.replace("1,", "7,", 1), ID)[0].comments]
    assert liked == ids
    assert not set(ids) & {each.comment_id for each in _read(content, OTHER)[0].comments}


def test_moments_may_be_seconds_or_days() -> None:
    [material] = _read("text,timestamp\na,1762430400\nb,20251106\nc,2025-11-06 21:00:00+09:00", ID)
    assert [each.published_at for each in material.comments] == [
        NOON,
        datetime(2025, 11, 6, tzinfo=UTC),
        NOON,
    ]


def test_empty_cells_beyond_the_header_are_as_spreadsheets_leave_them() -> None:
    [read] = _read(f"video_id,text\n{ID},a,,\n{ID},b, ,")
    assert [comment.text for comment in read.comments] == ["a", "b"]


def test_a_table_about_several_videos_gives_each() -> None:
    read = _read(f"video_id,text,title\n{ID},a,\n{OTHER},b,Other\n{ID},c,This")
    assert [(each.video, len(each.comments)) for each in read] == [
        (Video(ID, "This"), 2),
        (Video(OTHER, "Other"), 1),
    ]


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("video_id,words\nx,y", r"some\.csv, line 1: No column is called text or comment"),
        ("text\nhi", r"line 1: No column is called video_id. Add one"),
        (f"video_id,text\n{ID},a\nnope,b", "line 3: Not a YouTube URL or video ID: 'nope'"),
        (f"video_id,text\n{ID},a\n,b", "line 3: The file does not name its video"),
        (f"video_id,text,likes\n{ID},a,many", "line 2: likes is not a number: 'many'"),
        (f"video_id,text,likes\n{ID},a,-1", "line 2: likes is not a number: '-1'"),
        (
            f"video_id,text,date\n{ID},a,2 years ago",
            "published_at is not a time: '2 years ago'",
        ),
        (f'video_id,text\n{ID},a\n{ID},"b', "line 3: Could not read the table"),
        (f"video_id,text\n{ID},{'x' * 10_001}", "line 2: The comment has more than 10,000"),
        (f"video_id,text\n{ID},{'x' * 200_000}", "line 2: Could not read the table"),
        (
            f"video_id,text\n{ID},well, well",
            "line 2: The row has 3 cells, and the header has 2",
        ),
        (f"video_id,text\n{ID}, ", "The file has no videos and no comments"),
        ("", "line 1: No column is called text"),
        (f"video_id,text\n{ID},좋".encode()[:-1], "The file ends within a character"),
        (f"video_id,text\n{ID},a\n{ID},".encode() + b"\xff\xff", "line 3: The text is not UTF-8"),
        (b"\xff\xfe" + "video_id,text".encode("utf-16-le"), "is not UTF-8"),
    ],
)
def test_a_table_that_cannot_be_used_says_where_and_what_to_do(
    content: str | bytes, said: str
) -> None:
    with pytest.raises(BadUpload, match=said):
        _read(content)
