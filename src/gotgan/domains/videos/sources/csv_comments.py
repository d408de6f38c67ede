"""Comments in a table: one on each line, below a header that names the columns.

Any table with such columns is read. One with the header of our own export is read back exactly: its
cells are unescaped.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from gotgan.csv_output import unescaped
from gotgan.domains.videos.keys import author_hash
from gotgan.domains.videos.models import Comment, Material, Video
from gotgan.domains.videos.sources.fields import (
    MOST_LIKES,
    count_of,
    moment_of,
    short_of,
    text_of,
    title_of,
    unmarked,
)
from gotgan.domains.videos.sources.imported import SAMPLING, ImportFile, shown
from gotgan.domains.videos.sources.sampling import each_once
from gotgan.domains.videos.sources.youtube_answers import LONGEST_COMMENT_ID

__all__ = ["EXPORTED", "materials_in_table"]

EXPORTED: Final[Mapping[str, str]] = {
    "video_id": "videoId",
    "comment_id": "commentId",
    "parent_id": "parentId",
    "published_at": "publishedAt",
    "likes": "likes",
    "label": "label",
    "text": "text",
}
"""The columns of an exported table, by the names of the same comment as JSON."""

_SEPARATORS: Final = (",", ";", "\t")
_HTML: Final = "textdisplay"
"""The one column whose text is HTML, as the API has it."""
_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "video_id": ("videoid", "video", "videourl", "videolink"),
    "comment_id": ("commentid", "cid", "id"),
    "text": ("text", "comment", "commenttext", "textoriginal", _HTML, "content", "댓글", "내용"),
    "likes": ("likes", "likecount", "votes", "좋아요", "좋아요수"),
    "published_at": ("publishedat", "published", "commentedat", "timestamp", "date", "작성일"),
    "updated_at": ("updatedat", "updated"),
    "title": ("title", "videotitle", "제목"),
    "author_id": ("authorid", "authorchannelid"),
    "parent_id": ("parentid", "parent", "replyto"),
}
"""What columns are called by those who write them, without signs and capitals."""
_SECONDS: Final = re.compile(r"[0-9]{9,11}")
"""Since 1970; a day such as 20250131 has fewer digits."""
_SIGNS: Final = re.compile(r"[\s_.-]+")
_LONGEST_HEADER: Final = 10_000
_SHAPE: Final = "video_id, text, and comment_id, likes, published_at and title where they are known"


@dataclass(frozen=True)
class _Header:
    """Which column is where."""

    separator: str
    width: int
    places: Mapping[str, int]
    is_html: bool
    is_ours: bool
    """Whether an export of ours wrote it."""

    def cell(self, row: Sequence[str], name: str) -> str:
        """What stands in a column; empty where there is none."""
        place = self.places.get(name)
        if place is None or place >= len(row):
            return ""
        return text_of(unescaped(row[place]) if self.is_ours else row[place])


@dataclass
class _Table:
    """What was read up to now."""

    upload: ImportFile
    header: _Header
    titles: dict[str, str] = field(default_factory=dict)
    comments: dict[str, list[Comment]] = field(default_factory=dict)

    def take(self, row: Sequence[str], place: str) -> None:
        """Add one line; one that says nothing is none."""
        self._expect_width(row, place)
        text = self.header.cell(row, "text")
        text = unmarked(text) if self.header.is_html else text
        if not text.strip():
            return
        video_id = self.upload.video_of(self.header.cell(row, "video_id"), place)
        self.titles[video_id] = self.titles.get(video_id) or title_of(
            self.header.cell(row, "title").strip()
        )
        comment = self._comment(row, video_id, self.upload.expect_text(text, place), place)
        self.comments.setdefault(video_id, []).append(comment)

    def materials(self) -> list[Material]:
        """All of it by the video."""
        return [
            Material(
                video=Video(video_id, title=self.titles[video_id]),
                comments=each_once(comments),
                source="import",
                sampling=SAMPLING,
            )
            for video_id, comments in self.comments.items()
        ]

    def _expect_width(self, row: Sequence[str], place: str) -> None:
        """A text with a comma that nobody quoted would lose what follows it."""
        if any(cell.strip() for cell in row[self.header.width :]):
            raise self.upload.fault(
                place,
                f"it has {len(row)} cells, and the header has {self.header.width}; put quotes "
                'round what has a separator in it: "well, well"',
            )

    def _comment(self, row: Sequence[str], video_id: str, text: str, place: str) -> Comment:
        cell = self.header.cell
        published = self._moment(row, "published_at", place)
        author = cell(row, "author_id").strip()
        given = short_of(cell(row, "comment_id"), LONGEST_COMMENT_ID)
        return Comment(
            comment_id=given or self.upload.made_up_id(video_id, text, published),
            text=text,
            likes=self._likes(cell(row, "likes"), place),
            published_at=published,
            updated_at=self._moment(row, "updated_at", place) or published,
            author=author_hash(self.upload.secret, author) if author else None,
            parent_id=short_of(cell(row, "parent_id"), LONGEST_COMMENT_ID),
        )

    def _likes(self, text: str, place: str) -> int:
        plain = text.strip().replace(",", "")
        likes = count_of(plain, MOST_LIKES) if plain else 0
        if likes is None:
            raise self.upload.fault(
                place,
                f"likes is {shown(text)}, which is no number; write digits, or leave it empty",
            )
        return likes

    def _moment(self, row: Sequence[str], name: str, place: str) -> datetime | None:
        text = self.header.cell(row, name).strip()
        moment = moment_of(int(text) if _SECONDS.fullmatch(text) else text)
        if text and moment is None:
            raise self.upload.fault(
                place,
                f"{name} is {shown(text)}, which is no moment; write 2025-01-31T12:00:00Z, or "
                "leave it empty",
            )
        return moment


def materials_in_table(upload: ImportFile, content: bytes) -> list[Material]:
    """The comments of a table, by the video."""
    text = _decoded(upload, content)
    table = _Table(upload, _header(upload, text))
    for number, (line, row) in enumerate(_rows(upload, text, table.header.separator), start=1):
        upload.expect_few(number)
        table.take(row, f"line {line}")
    return table.materials()


def _decoded(upload: ImportFile, content: bytes) -> str:
    """UTF-8, or what spreadsheets in Korea write."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            raise upload.fault("", "it ends within a character; save it again") from None
    try:
        return content.decode("cp949")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise upload.fault(f"line {line}", "it is no text in UTF-8; save it as such") from None


def _header(upload: ImportFile, text: str) -> _Header:
    for separator in _SEPARATORS:
        named = _first_row(text, separator)
        plain = [_SIGNS.sub("", name).lower() for name in named]
        places = {name: _place(plain, known) for name, known in _NAMES.items()}
        there = {name: place for name, place in places.items() if place is not None}
        if "text" in there:
            _expect_video(upload, there)
            is_html, is_ours = plain[there["text"]] == _HTML, named == list(EXPORTED)
            return _Header(separator, len(plain), there, is_html, is_ours)
    raise upload.fault("line 1", f"no column is called text or comment; the header names {_SHAPE}")


def _first_row(text: str, separator: str) -> list[str]:
    """The names of the columns, if this is what separates them."""
    head = io.StringIO(text.lstrip("\r\n")[:_LONGEST_HEADER], newline="")
    return next(csv.reader(head, delimiter=separator), [])


def _expect_video(upload: ImportFile, there: Mapping[str, int]) -> None:
    if "video_id" not in there and upload.video_id is None:
        raise upload.fault(
            "line 1",
            "no column is called video_id; add one, or name the video with --video",
        )


def _place(columns: Sequence[str], known: Sequence[str]) -> int | None:
    """Where the first of the names stands that a column may have."""
    return next((columns.index(name) for name in known if name in columns), None)


def _rows(upload: ImportFile, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The lines below the header, each with the number of its last line."""
    parsed = _parsed(upload, text, separator)
    for _, header in parsed:
        if header:
            break
    yield from parsed


def _parsed(upload: ImportFile, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    try:
        for row in reader:
            yield reader.line_num, row
    except csv.Error as error:
        raise upload.fault(
            f"line {reader.line_num}", f"it cannot be read as a table ({error}); save it again"
        ) from None
