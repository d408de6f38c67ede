"""What the demo works with: settings and a world of its own, and nothing of the environment.

Nobody's keys, databases, webhooks or mail servers are used, whatever is set where it is started.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from gotgan.clock import Clock
from gotgan.settings import Secret, Settings
from gotgan.world import World
from gotgan.world.videos import OPENAI

__all__ = ["SHOPS", "demo_settings", "demo_world"]

SHOPS: Final[Mapping[str, str]] = {
    "antik-1.shop.test": "DE",
    "antik-2.shop.test": "GB",
    "antik-3.shop.test": "KR",
    "mitglieder.shop.test": "DE",
}
"""With their countries: one of each tongue, and one that lets nobody in."""
_ANY: Final = "demo"
"""The world takes every name and every key."""
_CARDS: Final = 30
"""More stories than come out between two looks at the list, however hurried."""
_SHARES: Final = {"KOSPI": 60, "KOSDAQ": 40}
_BYTES: Final = 2_000
"""What stands around what a page says; real pages have a thousand times as much."""


def demo_settings(folder: Path, resolve: Mapping[str, str], post: str) -> Settings:
    """The settings of a demo in a folder, whose web is where ``resolve`` says.

    ``post`` is the address of its mail server, which sends nothing on.
    """
    return Settings(
        data=folder,
        synchronous="normal",  # what it has written survives its being killed, which is enough
        resolve=resolve,
        delay=0.0,
        krx_id=_ANY,
        krx_password=Secret(_ANY),
        youtube_key=Secret(_ANY),
        gemini_key=Secret(_ANY),
        openai=f"https://{OPENAI}/v1",
        smtp=Secret(post),
        log="error",  # what fails on purpose is told on its pages
    )


def demo_world(clock: Clock) -> World:
    """A small world, in which a week takes seconds."""
    return World(clock=clock, cards=_CARDS, shares=_SHARES, padding=_BYTES, shop_bytes=_BYTES)
