"""The servers that are measured, each in a process of its own: the site, and bare routes."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from gotgan.app import App
from gotgan.listener import serve
from gotgan.server import create_server
from gotgan.settings import Secret, Settings

__all__ = ["CATEGORY", "PATH", "fill", "settings_in"]

CATEGORY: Final = "c001"
PATH: Final = f"/v1/posts?category={CATEGORY}&limit=20"
_POSTS: Final = 200
_CONTENTS: Final = "곳간에 들어온 것은 하나도 잃어버리지 않는다. " * 12


def settings_in(folder: Path) -> Settings:
    """Settings for tables in a folder."""
    return Settings(data=folder, given_secret=Secret("a secret that guards a benchmark only"))


def fill(folder: Path) -> None:
    """A category with posts of about a kilobyte each."""
    with App.open(settings_in(folder)) as app:
        app.prepare()
        app.site.users.create(id="u001", display_name="Owner", role="admin")
        app.site.categories.create(id=CATEGORY, title="News", slug="news")
        for number in range(_POSTS):
            app.site.posts.create(
                category_id=CATEGORY,
                author_id="u001",
                title=f"Post {number}",
                contents=_CONTENTS,
                contents_format="markdown",
            )


def _site(folder: Path) -> None:
    with App.open(settings_in(folder)) as app:
        _serve(create_server(app))


def _bare(body: bytes) -> FastAPI:
    """The same bytes, from a route that does nothing for them."""
    server = FastAPI(openapi_url=None)

    @server.get("/v1/posts")
    def posts() -> Response:
        return Response(body, media_type="application/json")

    return server


def _parsed(value: Any) -> FastAPI:
    """The same values, from a route that lets the framework write them."""
    server = FastAPI(openapi_url=None)

    @server.get("/v1/posts")
    def posts() -> JSONResponse:
        return JSONResponse(value)

    return server


def _serve(application: Any) -> None:
    serve(application, "127.0.0.1", 0, on_listening=lambda url: print(url, flush=True))


def _main() -> None:
    import orjson  # noqa: PLC0415 - for the processes that are measured

    kind, place = sys.argv[1], Path(sys.argv[2])
    kinds: dict[str, Callable[[], None]] = {
        "site": lambda: _site(place),
        "bare": lambda: _serve(_bare(place.read_bytes())),
        "json": lambda: _serve(_parsed(orjson.loads(place.read_bytes()))),
    }
    kinds[kind]()


if __name__ == "__main__":
    _main()
