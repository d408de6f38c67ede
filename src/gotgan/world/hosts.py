"""Who answers under which name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gotgan.world.excuses import CIRCLE, round_again
from gotgan.world.news.consent import consent, guce
from gotgan.world.news.newspapers import newspaper, reluctant
from gotgan.world.news.stories import NEWSPAPER, RELUCTANT, YAHOO
from gotgan.world.news.yahoo import finance
from gotgan.world.scene import Asked, Page, Scene, Site, plain

__all__ = ["HOSTS", "answered"]

HOSTS: Final[Mapping[str, Site]] = {
    YAHOO: finance,
    "guce.yahoo.com": guce,
    "consent.yahoo.com": consent,
    NEWSPAPER: newspaper,
    RELUCTANT: reluctant,
}


def answered(scene: Scene, asked: Asked) -> Page:
    """What the site of that name answers."""
    if asked.path == CIRCLE:
        return round_again(asked)
    site = HOSTS.get(asked.host)
    if site is None:
        return plain(f"the world has no host {asked.host}\n", 404)
    return site(scene, asked)
