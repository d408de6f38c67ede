"""The servers that are measured, each in a process of its own: the contract, and a bare route."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Final

from fastapi import FastAPI
from fastapi.responses import Response

from bench.site.servers import settings_in
from gotgan.app import App
from gotgan.listener import serve
from gotgan.server import create_server

__all__ = ["PATH", "VIDEO", "fill"]

PATH: Final = "/api/analysis/jobs"
VIDEO: Final = "gotganBench"
_SAYINGS: Final = (
    "영상 정말 좋아요, 다음 편도 기대할게요",
    "소리가 너무 작아서 아쉬워요",
    "What song is this at 2:14?",
    "Please make one about the coast",
    "3:05 이 장면 최고 ㅋㅋㅋ",
)
_COMMENTS: Final = 500


def fill(folder: Path) -> str:
    """A video of some comments that was analysed a moment ago; give a token of an editor."""
    lines = (f'{VIDEO},"{_SAYINGS[n % 5]} ({n})",{n % 97}' for n in range(_COMMENTS))
    table = "\n".join(["video_id,text,likes", *lines])
    with App.open(settings_in(folder)) as app:
        app.prepare()
        app.site.users.create(id="u001", display_name="Owner", role="editor")
        app.videos.import_files([("comments.csv", table.encode())])
        app.videos.analyse(VIDEO)
        app.videos.work()
        return app.site.tokens.create(user_id="u001", role="editor").text


def _contract(folder: Path) -> None:
    with App.open(settings_in(folder)) as app:
        _serve(create_server(app))


def _bare(body: bytes) -> FastAPI:
    """The same bytes, from a route that does nothing for them."""
    server = FastAPI(openapi_url=None)

    @server.post(PATH)
    def jobs() -> Response:
        return Response(body, media_type="application/json")

    return server


def _serve(application: Any) -> None:
    serve(application, "127.0.0.1", 0, on_listening=lambda url: print(url, flush=True))


def _main() -> None:
    kind, place = sys.argv[1], Path(sys.argv[2])
    if kind == "contract":
        _contract(place)
    else:
        _serve(_bare(place.read_bytes()))


if __name__ == "__main__":
    _main()
