"""Who answers under which name."""

from __future__ import annotations

from collections.abc import Mapping
from fnmatch import fnmatchcase
from typing import Final

from gotgan.world.excuses import CIRCLE, round_again
from gotgan.world.market.site import KRX, exchange
from gotgan.world.news.consent import consent, guce
from gotgan.world.news.newspapers import newspaper, reluctant
from gotgan.world.news.stories import NEWSPAPER, RELUCTANT, YAHOO
from gotgan.world.news.yahoo import finance
from gotgan.world.scene import Asked, Page, Scene, Site, plain
from gotgan.world.shops.site import shop

__all__ = ["HOSTS", "answered", "has_host"]

HOSTS: Final[Mapping[str, Site]] = {
    YAHOO: finance,
    "guce.yahoo.com": guce,
    "consent.yahoo.com": consent,
    NEWSPAPER: newspaper,
    RELUCTANT: reluctant,
    KRX: exchange,
    "*.shop.test": shop,
    "*.hosted.test": shop,
}
"""A name that begins with ``*.`` stands for all names of one label more."""


def has_host(wanted: str) -> bool:
    """Whether anybody may answer under a name, or under one that a pattern means."""
    return _site(wanted) is not None or any(fnmatchcase(name, wanted) for name in HOSTS)


def answered(scene: Scene, asked: Asked) -> Page:
    """What the site of that name answers."""
    if asked.path == CIRCLE:
        return round_again(asked)
    site = _site(asked.host)
    if site is None:
        return plain(f"the world has no host {asked.host}\n", 404)
    return site(scene, asked)


def _site(host: str) -> Site | None:
    return HOSTS.get(host) or HOSTS.get(f"*.{host.partition('.')[2]}")
