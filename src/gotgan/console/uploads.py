"""Files that are sent with a form."""

from __future__ import annotations

from dataclasses import dataclass
from email.message import Message
from typing import Annotated, Final

from fastapi import Depends, HTTPException
from starlette.requests import Request

from gotgan.console.session import CurrentViewer, Form, check_csrf
from gotgan.middleware import MAX_BODY_BYTES

_MULTIPART: Final = "multipart/form-data"
_LINE: Final = b"\r\n"
_MAX_PARTS: Final = 100


@dataclass(frozen=True)
class MultipartForm:
    """The fields of a form, and its files with their names."""

    form: Form
    files: tuple[tuple[str, bytes], ...]


async def read_upload(request: Request) -> MultipartForm:
    """The form of a request with its files, up to the length of any request."""
    about = _headers({"content-type": request.headers.get("content-type", "")})
    boundary = about.get_boundary()
    if about.get_content_type() != _MULTIPART or not boundary:
        raise HTTPException(415)
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            raise HTTPException(413)
    return _parsed_form(bytes(body), boundary.encode("latin-1"))


def checked_upload(
    upload: Annotated[MultipartForm, Depends(read_upload)], who: CurrentViewer
) -> MultipartForm:
    """The files of a form that was sent by a page of the same session."""
    check_csrf(upload.form, who)
    return upload


def _parsed_form(body: bytes, boundary: bytes) -> MultipartForm:
    _, *parts = (_LINE + body).split(_LINE + b"--" + boundary, _MAX_PARTS)
    if not parts or not parts[-1].startswith(b"--"):  # it broke off, or has too many
        raise HTTPException(400)
    pairs, files = list[tuple[str, str]](), list[tuple[str, bytes]]()
    for part in parts[:-1]:
        about, content = _part(part)
        name, file = about.get_param("name", "", "content-disposition"), about.get_filename()
        if file is None:
            pairs.append((str(name), _text(content)))
        elif file or content:  # without a chosen file, browsers send one without a name
            files.append((file, content))
    return MultipartForm(Form(tuple(pairs)), tuple(files))


def _part(part: bytes) -> tuple[Message, bytes]:
    """The headers and the content of a part."""
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
