"""Files that somebody sends with a form."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import Message
from typing import Annotated, Final

from fastapi import Depends, HTTPException
from starlette.requests import Request

from gotgan.console.gate import Form, expect_own
from gotgan.console.viewer import Viewer, viewer
from gotgan.middleware import MOST_BYTES

__all__ = ["MultipartForm", "checked_upload", "read_upload"]

_KIND: Final = "multipart/form-data"
_LINE: Final = b"\r\n"
_MOST_PARTS: Final = 100


@dataclass(frozen=True)
class MultipartForm:
    """What somebody filled in, and the files that they chose, by their names."""

    form: Form
    files: tuple[tuple[str, bytes], ...]


async def read_upload(request: Request) -> MultipartForm:
    """The form of a request with its files, read no further than any request is."""
    about = _headers({"content-type": request.headers.get("content-type", "")})
    boundary = about.get_boundary()
    if about.get_content_type() != _KIND or not boundary:
        raise HTTPException(415)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MOST_BYTES:
            raise HTTPException(413)
    return _upload(bytes(body), boundary.encode("latin-1"))


def checked_upload(
    upload: Annotated[MultipartForm, Depends(read_upload)], who: Annotated[Viewer, Depends(viewer)]
) -> MultipartForm:
    """The files of a form that came from a page of the same session."""
    expect_own(upload.form, who)
    return upload


def _upload(body: bytes, boundary: bytes) -> MultipartForm:
    _, *parts = (_LINE + body).split(_LINE + b"--" + boundary, _MOST_PARTS)
    if not parts or not parts[-1].startswith(b"--"):  # it broke off, or has too many
        raise HTTPException(400)
    pairs, files = list[tuple[str, str]](), list[tuple[str, bytes]]()
    for part in parts[:-1]:
        about, content = _part(part)
        name, file = about.get_param("name", "", "content-disposition"), about.get_filename()
        if file is None:
            pairs.append((str(name), _text(content)))
        elif file or content:  # a field in which no file was chosen comes as one without a name
            files.append((file, content))
    return MultipartForm(Form(tuple(pairs)), tuple(files))


def _part(part: bytes) -> tuple[Message, bytes]:
    """The headers of a part, and what it holds."""
    top, separator, content = part.partition(_LINE + _LINE)
    if not separator:
        raise HTTPException(400)
    lines = (line.partition(":") for line in _text(top).split("\r\n") if line)
    return _headers({name: value.strip() for name, _, value in lines}), content


def _headers(values: dict[str, str]) -> Message:
    about = Message()
    for name, value in values.items():
        about[name] = value
    return about


def _text(content: bytes) -> str:
    try:
        return content.decode()
    except UnicodeDecodeError:
        raise HTTPException(400) from None
