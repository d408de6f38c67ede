"""The exchange's site: a login, and one address for everything that can be looked up."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime
from typing import Final

from gotgan.world.market import answers
from gotgan.world.market.days import has_traded, is_final, sessions
from gotgan.world.market.indices import INDICES, index_days
from gotgan.world.market.listings import MARKETS, WorldMarket, WorldShare, delisted, listings
from gotgan.world.market.login import (
    LOGIN,
    LOGIN_PAGE,
    fields_of,
    is_logged_in,
    login,
    login_page,
)
from gotgan.world.scene import MISSING, Scene, SceneRequest, SceneResponse, Site, plain

__all__ = ["DATA", "KRX", "exchange"]

KRX: Final = "data.krx.co.kr"
DATA: Final = "/comm/bldAttendant/getJsonData.cmd"

_FRAME: Final = "/contents/MDC/COMS/client/view/login.jsp"
_JSON: Final = "application/json"
_EVERY: Final = "ALL"
_LONGEST: Final = 731
"""How many days of an index can be had at once."""

_Fields = Mapping[str, str]


def exchange(scene: Scene, asked: SceneRequest) -> SceneResponse:
    """What the exchange answers."""
    way = _WAYS.get((asked.method, asked.path))
    return MISSING if way is None else way(scene, asked)


def _data(scene: Scene, asked: SceneRequest) -> SceneResponse:
    if not is_logged_in(scene, asked):
        return plain("LOGOUT", 400)
    fields = fields_of(asked)
    answer = _ANSWERS.get(fields.get("bld", "").rpartition("/")[2])
    try:
        return MISSING if answer is None else SceneResponse(answer(scene, fields), kind=_JSON)
    except (KeyError, ValueError):
        return plain("ERROR", 400)


def _prices(scene: Scene, fields: _Fields) -> bytes:
    day = _day(fields["trdDd"])
    parts = [_market_prices(scene, each, day) for each in _markets(fields["mktId"])]
    return parts[0] if len(parts) == 1 else answers.joined("OutBlock_1", parts)


def _market_prices(scene: Scene, market: WorldMarket, day: date) -> bytes:
    count = scene.shares[market.name]
    if not has_traded(day, scene.now):
        return answers.blank(scene.seed, market, count, day)
    settled = is_final(day, scene.now)
    return answers.market_rows(scene.seed, market, count, day, is_final=settled)


def _index(scene: Scene, fields: _Fields) -> bytes:
    first, last = _day(fields["strtDd"]), _day(fields["endDd"])
    wanted = (fields["indIdx"], fields["indIdx2"])
    [index] = [each for each in INDICES if (each.group, each.number) == wanted]
    if (last - first).days > _LONGEST:
        raise ValueError(fields["strtDd"])
    days = [day for day in sessions(first, last) if has_traded(day, scene.now)]
    return answers.index_rows(index_days(scene.seed, index, days))


def _indices(_scene: Scene, fields: _Fields) -> bytes:
    family = fields["idxIndMidclssCd"]
    return answers.index_facts(each for each in INDICES if each.family == family)


def _listed(scene: Scene, fields: _Fields) -> bytes:
    return answers.found(_found(scene, fields, listings))


def _delisted(scene: Scene, fields: _Fields) -> bytes:
    return answers.found(_found(scene, fields, delisted))


def _found(
    scene: Scene,
    fields: _Fields,
    search: Callable[[int, WorldMarket, int, date], tuple[WorldShare, ...]],
) -> Iterator[WorldShare]:
    for market in _markets(fields["mktsel"]):
        yield from search(scene.seed, market, scene.shares[market.name], scene.now.date())


def _markets(code: str) -> list[WorldMarket]:
    found = [each for each in MARKETS if code in {each.code, _EVERY}]
    if not found:
        raise ValueError(code)
    return found


def _day(text: str) -> date:
    return datetime.strptime(text, "%Y%m%d").date()  # noqa: DTZ007 - a date has no zone


_ANSWERS: Final[Mapping[str, Callable[[Scene, _Fields], bytes]]] = {
    "MDCSTAT01501": _prices,
    "MDCSTAT00301": _index,
    "MDCSTAT00401": _indices,
    "finder_stkisu": _listed,
    "finder_listdelisu": _delisted,
}

_WAYS: Final[Mapping[tuple[str, str], Site]] = {
    ("GET", LOGIN_PAGE): login_page,
    ("GET", _FRAME): login_page,
    ("POST", LOGIN): login,
    ("POST", DATA): _data,
}
