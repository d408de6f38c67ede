"""Videos and comments from files, which need no key.

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

from gotgan.domains.videos import messages
from gotgan.domains.videos.models import Material
from gotgan.domains.videos.sources.csv_comments import read_table
from gotgan.domains.videos.sources.downloads import is_download, is_info, read_download, read_info
from gotgan.domains.videos.sources.upload import ImportFile, expect_size
from gotgan.domains.videos.sources.youtube_json import read_api_json
from gotgan.errors import BadUpload
from gotgan.messages import text
from gotgan.settings import Secret


def read_file(
    name: str, content: bytes, secret: Secret, video_id: str | None = None
) -> list[Material]:
    """The content of a file by video; BadUpload says what is wrong with it, and where.

    ``secret`` keys the hashes of authors; ``video_id`` is the video of a file that names none.
    """
    expect_size(name, len(content))
    upload = ImportFile(name, secret, video_id)
    start = content.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if start in {b"{", b"["} or PurePath(name).suffix.lower() == ".json":
        materials = _read_json(upload, content.removeprefix(codecs.BOM_UTF8))
    else:
        materials = read_table(upload, content)
    if not materials:
        raise upload.fault("", messages.FILE_EMPTY())
    return materials


def merge_materials(materials: Iterable[Material]) -> list[Material]:
    """One material for each video; of different values the last one counts."""
    found: dict[str, Material] = {}
    for material in materials:
        known = found.get(material.video.video_id)
        found[material.video.video_id] = _merge(known, material) if known else material
    return list(found.values())


def _merge(first: Material, then: Material) -> Material:
    channel = then.channel or first.channel
    if first.channel and then.channel:
        channel = _fill_gaps(then.channel, first.channel)
    # A file warns of missing comments, which another one may have.
    comments = {each.comment_id: each for each in (*first.comments, *then.comments)}
    warnings = () if comments else dict.fromkeys([*first.warnings, *then.warnings])
    return replace(
        then,
        video=_fill_gaps(then.video, first.video),
        channel=channel,
        comments=tuple(comments.values()),
        warnings=tuple(warnings),
    )


def _fill_gaps(value: Any, other: Any) -> Any:
    """A value whose missing fields are taken from another."""
    gaps = [each.name for each in fields(value) if getattr(value, each.name) in {None, ""}]
    return replace(value, **{name: getattr(other, name) for name in gaps})


def _read_json(upload: ImportFile, text: bytes) -> list[Material]:
    document = _load_document(upload, text)
    if is_info(document):
        return [read_info(upload, document)]
    if is_download(document):
        return [read_download(upload, document)]
    return read_api_json(upload, document)


def _load_document(upload: ImportFile, text: bytes) -> Any:
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        lines = text.split(b"\n")
        if len(lines) > 1 and _is_object(lines[0]):
            return [
                _load_line(upload, *each) for each in enumerate(lines, start=1) if each[1].strip()
            ]
        raise _json_fault(upload, error.lineno, error.msg) from None


def _is_object(line: bytes) -> bool:
    """Whether a line is a whole JSON object, as all are in a file of JSON lines."""
    try:
        return isinstance(orjson.loads(line), dict)
    except orjson.JSONDecodeError:
        return False


def _load_line(upload: ImportFile, number: int, line: bytes) -> Any:
    try:
        return orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise _json_fault(upload, number, error.msg) from None


def _json_fault(upload: ImportFile, line: int, why: str) -> BadUpload:
    return upload.fault(messages.LINE(line=str(line)), messages.BAD_JSON(cause=text(why)))
