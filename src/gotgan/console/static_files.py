"""The files that pages refer to, under addresses that change with their contents."""

from __future__ import annotations

import gzip
import hashlib
from functools import cache
from importlib.resources import files
from os import PathLike, stat_result
from pathlib import Path
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

__all__ = ["PREFIX", "Unchanging", "address"]

PREFIX: Final = "/static"
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_PACKED: Final = (".css", ".js", ".svg")
"""What is a third of its size over the wire, and no secret of anybody's."""


@cache
def address(name: str) -> str:
    """The address of a file, with a piece of its hash: a new content has a new address."""
    return f"{PREFIX}/{name}?v={_digest(name)}"


class Unchanging(StaticFiles):
    """The folder of static files; an address that has the file's hash may be kept for ever."""

    def __init__(self) -> None:
        super().__init__(directory=_folder())

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, packed for those who can unpack it, with how long it may be kept."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        name = Path(full_path).relative_to(_folder()).as_posix()
        if name.endswith(_PACKED):
            if isinstance(response, FileResponse) and _unpacks(scope):
                response = _packed_response(name, response)
            response.headers["Vary"] = "Accept-Encoding"
        hashed = scope["query_string"] == f"v={_digest(name)}".encode()
        response.headers["Cache-Control"] = _FOR_EVER if hashed else "no-cache"
        return response


def _unpacks(scope: Scope) -> bool:
    return "gzip" in Headers(scope=scope).get("accept-encoding", "")


def _packed_response(name: str, plain: Response) -> Response:
    headers = {"Content-Encoding": "gzip", "ETag": f'"{_digest(name)}-gzip"'}
    return Response(_packed(name), headers=headers, media_type=plain.media_type)


def _folder() -> Path:
    return Path(str(files(__package__) / "static")).resolve()


@cache
def _packed(name: str) -> bytes:
    return gzip.compress((_folder() / name).read_bytes(), mtime=0)


@cache
def _digest(name: str) -> str:
    return hashlib.sha256((_folder() / name).read_bytes()).hexdigest()[:16]
