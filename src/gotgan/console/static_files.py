"""The files that pages refer to, under addresses that change with their contents."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib.resources import files
from os import PathLike, stat_result
from pathlib import Path
from typing import Final

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

__all__ = ["PREFIX", "Unchanging", "address"]

PREFIX: Final = "/static"
_FOR_EVER: Final = "public, max-age=31536000, immutable"


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
        """The file, with how long it may be kept."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        name = Path(full_path).relative_to(_folder()).as_posix()
        hashed = scope["query_string"] == f"v={_digest(name)}".encode()
        response.headers["Cache-Control"] = _FOR_EVER if hashed else "no-cache"
        return response


def _folder() -> Path:
    return Path(str(files(__package__) / "static")).resolve()


@cache
def _digest(name: str) -> str:
    return hashlib.sha256((_folder() / name).read_bytes()).hexdigest()[:16]
