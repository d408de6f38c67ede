"""What ``gotgan up --sample`` shows: a small site, and what there is on a simulated web."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from gotgan.errors import UsageError
from gotgan.settings import Secret, Settings

if TYPE_CHECKING:
    from gotgan.app import App

__all__ = ["fill_sample", "sample_note", "sample_settings"]

_SHOPS: Final = {
    "antik-1.shop.test": "DE",
    "antik-2.shop.test": "GB",
    "antik-3.shop.test": "KR",
    "mitglieder.shop.test": "DE",
}
"""Of the simulated web: one of each tongue, and one that lets nobody in."""
_EXCHANGE: Final[Mapping[str, Any]] = {
    "krx": "https://data.krx.co.kr",
    "krx_id": "sample",
    "krx_password": Secret("sample"),
    "market_providers": ("krx",),
}
"""The simulated exchange lets everybody in who has a name."""
_VIDEOS: Final[Mapping[str, Any]] = {
    "youtube": "https://www.googleapis.com/youtube/v3",
    "youtube_key": Secret("sample"),
    "gemini": "https://generativelanguage.googleapis.com",
    "gemini_key": Secret("sample"),
    "openai": "https://api.openai.test/v1",
    "openai_key": None,
}
"""The simulated YouTube and its models take any key, so nobody's own goes there."""
_CLIPS: Final = ("gotganCook1", "gotganTech2", "gotganMusic", "gotganQuiet")
"""Of the simulated YouTube: Korean, English, both, and one without comments."""
_PATIENCE: Final = 30.0
"""How many seconds the first list may take before the server starts without it."""


@contextmanager
def sample_settings() -> Iterator[Settings]:
    """The settings of the environment, with a simulated web in place of the real one.

    What is made up must not lie among what was really collected, where the first write is kept for
    ever: it gets a folder of its own, and no other database. Nor is anybody told of it.
    """
    from gotgan.world import World, serving_world

    given = Settings.from_env()
    if given.dynamodb != "embedded":
        raise UsageError("a sample is made in files alone; unset GOTGAN_DYNAMODB to see it")
    folder = given.data.with_name(f"{given.data.name}-sample")
    given = replace(given, data=folder, database=None, webhook="")
    if given.resolve or given.replay:
        yield given
        return
    with serving_world(World()) as served:
        yield replace(given, resolve=served.resolve, delay=0.0, **_EXCHANGE, **_VIDEOS)


def fill_sample(app: App) -> None:
    """Fill a site that is empty, and begin to collect."""
    from gotgan.cli.sample_site import fill
    from gotgan.domains.news.running import start_bodies, start_collect
    from gotgan.domains.shops.registrations import Registration
    from gotgan.domains.shops.running import start_crawl

    fill(app.site)
    collected = app.runs.wait(start_collect(app.runs, app.news).id, _PATIENCE)
    if collected.state == "done":
        start_bodies(app.runs, app.news)
    app.shops.add_all(Registration(domain, country) for domain, country in _SHOPS.items())
    start_crawl(app.runs, app.shops)
    _have_analysed(app)


def _have_analysed(app: App) -> None:
    """Leave some videos to the workers; a web of the user's own may lack a key."""
    if app.settings.youtube_key is not None:
        for video_id in _CLIPS:
            app.videos.analyse(video_id, analyser="builtin")


def sample_note(app: App) -> str:
    """Where the sample is, and how to get at it from another terminal."""
    places = ",".join(f"{name}={place}" for name, place in app.settings.resolve.items())
    return (
        f"It collects from a simulated web and keeps it in {app.settings.data}. The same from\n"
        "another terminal:\n"
        f"  export GOTGAN_DATA={shlex.quote(str(app.settings.data))} "
        f"GOTGAN_RESOLVE='{places}' GOTGAN_DELAY=0 \\\n"
        "    KRX_ID=sample KRX_PW=sample YOUTUBE_API_KEY=sample GEMINI_API_KEY=sample\n"
        "  gotgan news list"
    )
