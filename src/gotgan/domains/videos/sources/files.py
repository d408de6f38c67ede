"""Videos and comments from files: this is the way without a key.

There are four kinds: saved answers of YouTube's API, the ``.info.json`` of yt-dlp, the JSON of
youtube-comment-downloader, and tables.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable
from dataclasses import fields, replace
from pathlib import PurePath
from typing import Any

import orjson

from gotgan.domains.videos.models import Channel, Material
from gotgan.domains.videos.sources.api_json import materials_in_answers
from gotgan.domains.videos.sources.csv_comments import materials_in_table
from gotgan.domains.videos.sources.downloaded import is_download, material_of_download
from gotgan.domains.videos.sources.imported import ImportFile, expect_room
from gotgan.domains.videos.sources.info_json import is_info, material_of_info
from gotgan.errors import BadUpload
from gotgan.settings import Secret

__all__ = ["materials_of", "merged"]


def materials_of(
    name: str, content: bytes, secret: Secret, video_id: str | None = None
) -> list[Material]:
    """What a file holds, by the video; BadUpload says what is wrong with it, and where.

    ``secret`` keys the hashes of people; ``video_id`` is the video that a file is about which does
    not say so itself.
    """
    expect_room(name, len(content))
    upload = ImportFile(name, secret, video_id)
    is_json = _is_json(name, content)
    materials = _in_json(upload, content) if is_json else materials_in_table(upload, content)
    if not materials:
        raise upload.fault(
            "",
            "it holds no video and no comment; import answers of YouTube's API, the .info.json of "
            "yt-dlp, the JSON of youtube-comment-downloader, or a table with the columns video_id "
            "and text",
        )
    return materials


def merged(materials: Iterable[Material]) -> list[Material]:
    """One material for each video: where several speak of the same, the last one counts."""
    found: dict[str, Material] = {}
    for material in materials:
        known = found.get(material.video.video_id)
        found[material.video.video_id] = _merge(known, material) if known else material
    return list(found.values())


def _merge(first: Material, then: Material) -> Material:
    """What a file warns of are missing comments, and another one may have them."""
    comments = {each.comment_id: each for each in (*first.comments, *then.comments)}
    warnings = () if comments else dict.fromkeys([*first.warnings, *then.warnings])
    return replace(
        then,
        video=_filled(then.video, first.video),
        channel=_channel(first.channel, then.channel),
        comments=tuple(comments.values()),
        warnings=tuple(warnings),
    )


def _channel(first: Channel | None, then: Channel | None) -> Channel | None:
    return _filled(then, first) if first and then else then or first


def _filled(value: Any, other: Any) -> Any:
    """A value, with what it leaves open taken from another."""
    gaps = [each.name for each in fields(value) if getattr(value, each.name) in {None, ""}]
    return replace(value, **{name: getattr(other, name) for name in gaps})


def _is_json(name: str, content: bytes) -> bool:
    begins = content.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    return begins in {b"{", b"["} or PurePath(name).suffix.lower() == ".json"


def _in_json(upload: ImportFile, content: bytes) -> list[Material]:
    document = _document(upload, content)
    if is_info(document):
        return [material_of_info(upload, document)]
    if is_download(document):
        return [material_of_download(upload, document)]
    return materials_in_answers(upload, document)


def _document(upload: ImportFile, content: bytes) -> Any:
    text = content.removeprefix(codecs.BOM_UTF8)
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        lines = text.split(b"\n")
        if len(lines) > 1 and _is_object(lines[0]):
            return [_line(upload, *each) for each in enumerate(lines, start=1) if each[1].strip()]
        raise _no_json(upload, error.lineno, error.msg) from None


def _is_object(line: bytes) -> bool:
    """Whether a line is a whole JSON object, as all are in a file of JSON lines."""
    try:
        return isinstance(orjson.loads(line), dict)
    except orjson.JSONDecodeError:
        return False


def _line(upload: ImportFile, number: int, line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise _no_json(upload, number, error.msg) from None


def _no_json(upload: ImportFile, line: int, why: str) -> BadUpload:
    return upload.fault(f"line {line}", f"not valid JSON in UTF-8 ({why}); save the file again")
