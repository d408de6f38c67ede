"""Who answers under which name."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fnmatch import fnmatchcase
from typing import Final

from gotgan.listening import is_loopback
from gotgan.world.excuses import CIRCLE, round_again
from gotgan.world.letters import MAIL, mail_host
from gotgan.world.market.site import KRX, exchange
from gotgan.world.news.consent import consent, guce
from gotgan.world.news.newspapers import newspaper, reluctant
from gotgan.world.news.stories import NEWSPAPER, RELUCTANT, YAHOO
from gotgan.world.news.yahoo import finance
from gotgan.world.rates import ECB, central_bank
from gotgan.world.scene import Scene, SceneRequest, SceneResponse, Site, plain
from gotgan.world.shops.site import shop
from gotgan.world.videos.gemini import GEMINI, gemini
from gotgan.world.videos.openai import OPENAI, openai
from gotgan.world.videos.youtube import API, YOUTUBE, youtube

__all__ = ["HOSTS", "answered", "has_host", "named"]

HOSTS: Final[Mapping[str, Site]] = {
    YAHOO: finance,
    "guce.yahoo.com": guce,
    "consent.yahoo.com": consent,
    NEWSPAPER: newspaper,
    RELUCTANT: reluctant,
    KRX: exchange,
    ECB: central_bank,
    YOUTUBE: youtube,
    GEMINI: gemini,
    OPENAI: openai,
    MAIL: mail_host,
    "*.shop.test": shop,
    "*.hosted.test": shop,
}
"""A name that begins with ``*.`` stands for all names of one label more."""

_BY_PATH: Final[Mapping[str, str]] = {
    f"{API}*": YOUTUBE,
    "/v1*/models/*:*": GEMINI,
    "/v1/*": OPENAI,
}
"""What is asked for by the world's own address: whoever knows base URLs knows no names."""


def has_host(wanted: str) -> bool:
    """Whether anybody may answer under a name, or under one that a pattern means."""
    return _site(wanted) is not None or any(fnmatchcase(name, wanted) for name in HOSTS)


def named(asked: SceneRequest) -> SceneRequest:
    """The request as its site sees it: an API that was asked by a number is known by its path."""
    if not is_loopback(asked.host):
        return asked
    names = (name for path, name in _BY_PATH.items() if fnmatchcase(asked.path, path))
    return replace(asked, host=next(names, asked.host))


def answered(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """What the site of that name answers."""
    if asked.path == CIRCLE:
        return round_again(asked)
    site = _site(asked.host)
    if site is None:
        return plain(f"the world has no host {asked.host}\n", 404)
    return site(scene, asked)


def _site(host: str) -> Site | None:
    return HOSTS.get(host) or HOSTS.get(f"*.{host.partition('.')[2]}")
