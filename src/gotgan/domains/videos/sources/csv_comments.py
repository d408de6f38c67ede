"""Comments in a table: one in each row, below a header that names the columns.

Any table with such columns is read; the cells of our own export are unescaped.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Final

from pydantic.alias_generators import to_camel

from gotgan.csv_output import unescape_cell
from gotgan.domains.videos import messages
from gotgan.domains.videos.models import Comment, Material, Video
from gotgan.domains.videos.sources import fields
from gotgan.domains.videos.sources.upload import ImportFile
from gotgan.messages import text as foreign_text

EXPORT_COLUMNS: Final[Mapping[str, str]] = {
    name: to_camel(name)
    for name in ("video_id", "comment_id", "parent_id", "published_at", "likes", "label", "text")
}
"""The columns of an exported table, with their names in JSON."""
_SEPARATORS: Final = (",", ";", "\t")
_HTML: Final = "textdisplay"
"""The one column whose text is HTML."""
_COLUMN_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
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
"""Usual names of columns, without signs and capitals."""
_UNIX_SECONDS: Final = re.compile(r"[0-9]{9,11}")
"""Since 1970; a day such as 20250131 has fewer digits."""
_NAME_SIGNS: Final = re.compile(r"[\s_.-]+")
_MAX_HEADER_CHARS: Final = 10_000
_MAX_EXCERPT_CHARS: Final = 40


@dataclass(frozen=True)
class _Header:
    """The columns of a table."""

    separator: str
    width: int
    places: Mapping[str, int]
    is_html: bool
    is_export: bool
    """Whether it is the header of our own export."""

    def cell(self, row: Sequence[str], name: str) -> str:
        """The text in a column; empty without such a column."""
        place = self.places.get(name)
        if place is None or place >= len(row):
            return ""
        return fields.clean_text(unescape_cell(row[place]) if self.is_export else row[place])


@dataclass
class _TableReader:
    """Collects the comments of a table by video."""

    upload: ImportFile
    header: _Header
    titles: dict[str, str] = field(default_factory=dict)
    comments: dict[str, list[Comment]] = field(default_factory=dict)

    def take(self, row: Sequence[str], place: str) -> None:
        """Add one row, unless it has no text."""
        width, cell = self.header.width, partial(self.header.cell, row)
        if any(extra.strip() for extra in row[width:]):  # a comma that is not quoted
            wrong = messages.TOO_MANY_CELLS(count=len(row), width=width)
            raise self.upload.fault(place, wrong)
        text = fields.html_to_text(cell("text")) if self.header.is_html else cell("text")
        if not text.strip():
            return
        video_id = self.upload.expect_video_id(cell("video_id"), place)
        self.titles[video_id] = self.titles.get(video_id) or fields.clean_title(
            cell("title").strip()
        )
        comment = self.upload.comment(
            video_id,
            text,
            place,
            comment_id=cell("comment_id"),
            author=cell("author_id").strip(),
            likes=self._likes(cell("likes"), place),
            published_at=self._moment("published_at", cell("published_at"), place),
            updated_at=self._moment("updated_at", cell("updated_at"), place),
            parent_id=fields.bounded_text(cell("parent_id"), fields.MAX_COMMENT_ID_CHARS),
        )
        self.comments.setdefault(video_id, []).append(comment)

    def materials(self) -> list[Material]:
        """The collected comments by video."""
        return [
            self.upload.material(Video(video_id, title=self.titles[video_id]), comments)
            for video_id, comments in self.comments.items()
        ]

    def _likes(self, text: str, place: str) -> int:
        plain = text.strip().replace(",", "")
        likes = fields.parse_count(plain, fields.MAX_LIKES) if plain else 0
        if likes is None:
            value = repr(text[:_MAX_EXCERPT_CHARS])
            raise self.upload.fault(place, messages.NOT_A_NUMBER(column="likes", value=value))
        return likes

    def _moment(self, name: str, cell: str, place: str) -> datetime | None:
        text = cell.strip()
        moment = fields.parse_moment(int(text) if _UNIX_SECONDS.fullmatch(text) else text)
        if text and moment is None:
            value = repr(text[:_MAX_EXCERPT_CHARS])
            raise self.upload.fault(place, messages.NOT_A_TIME(column=name, value=value))
        return moment


def read_table(upload: ImportFile, content: bytes) -> list[Material]:
    """The comments of a table by video."""
    text = _decode(upload, content)
    reader = _TableReader(upload, _header(upload, text))
    rows = _rows(upload, text, reader.header.separator)
    for number, (line, row) in enumerate(rows, start=1):
        upload.expect_few(number)
        reader.take(row, messages.LINE(line=str(line)))
    return reader.materials()


def _decode(upload: ImportFile, content: bytes) -> str:
    """UTF-8, or CP949 as spreadsheets in Korea write it."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if error.reason == "unexpected end of data":
            raise upload.fault("", messages.ENDS_EARLY()) from None
    try:
        return content.decode("cp949")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise upload.fault(messages.LINE(line=str(line)), messages.NOT_UTF8()) from None


def _header(upload: ImportFile, text: str) -> _Header:
    start = text.lstrip("\r\n")[:_MAX_HEADER_CHARS]
    for separator in _SEPARATORS:
        header = next(csv.reader(io.StringIO(start, newline=""), delimiter=separator), [])
        columns = [_NAME_SIGNS.sub("", name).lower() for name in header]
        places = {
            name: next(columns.index(each) for each in known if each in columns)
            for name, known in _COLUMN_NAMES.items()
            if not set(known).isdisjoint(columns)
        }
        if "text" not in places:
            continue
        if "video_id" not in places and upload.video_id is None:
            raise upload.fault(messages.LINE(line="1"), messages.NO_VIDEO_COLUMN())
        is_html, is_export = columns[places["text"]] == _HTML, header == list(EXPORT_COLUMNS)
        return _Header(separator, len(columns), places, is_html, is_export)
    raise upload.fault(messages.LINE(line="1"), messages.NO_TEXT_COLUMN())


def _rows(upload: ImportFile, text: str, separator: str) -> Iterator[tuple[int, list[str]]]:
    """The rows below the header, each with the number of its last line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    has_header = False
    try:
        for row in reader:
            if has_header:
                yield reader.line_num, row
            has_header = has_header or bool(row)
    except csv.Error as error:
        line = messages.LINE(line=str(reader.line_num))
        raise upload.fault(line, messages.BAD_TABLE(cause=foreign_text(str(error)))) from None
