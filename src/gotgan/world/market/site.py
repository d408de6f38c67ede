"""The exchange's site: a login, and one URL for all queries; every number is a text with commas.

Nothing is stored: the session cookie contains its expiry, signed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from functools import lru_cache, partial
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

import orjson

from gotgan.world.market.listings import MARKETS, WorldMarket, WorldShare, delisted, listings
from gotgan.world.market.trading import (
    INDICES,
    Trade,
    WorldIndexDay,
    has_traded,
    index_days,
    is_final,
    previous_session,
    sessions,
    trades,
)
from gotgan.world.scene import NOT_FOUND, Scene, SceneRequest, SceneResponse, plain_text

KRX: Final = "data.krx.co.kr"
DATA: Final = "/comm/bldAttendant/getJsonData.cmd"
LOGIN: Final = "/contents/MDC/COMS/client/MDCCOMS001D1.cmd"
_LOGIN_PAGES: Final = (
    "/contents/MDC/COMS/client/MDCCOMS001.cmd",
    "/contents/MDC/COMS/client/view/login.jsp",
)
_JSON: Final = "application/json"
_ALL_MARKETS: Final = "ALL"
_MAX_INDEX_DAYS: Final = 731
_COOKIE: Final = "JSESSIONID"
_SESSION_LENGTH: Final = timedelta(minutes=30)
_WRONG: Final = "wrong"
"""The one password that is not accepted."""
_LOGIN_FORM: Final = """\
<!doctype html>
<html lang="ko"><head><meta charset="utf-8"><title>로그인 - KRX</title></head>
<body><form method="post" action="MDCCOMS001D1.cmd">
<input name="mbrId"><input name="pw" type="password"></form></body></html>
"""
_NUMBERS: Final = (
    "TDD_CLSPRC",
    "CMPPREVDD_PRC",
    "FLUC_RT",
    "TDD_OPNPRC",
    "TDD_HGPRC",
    "TDD_LWPRC",
    "ACC_TRDVOL",
    "ACC_TRDVAL",
    "MKTCAP",
)
_UP, _DOWN, _SAME, _NONE = "1", "2", "3", "0"

_Fields = Mapping[str, str]


def exchange(scene: Scene, request: SceneRequest) -> SceneResponse:
    """The response of the exchange."""
    match request.method, request.path:
        case "GET", path if path in _LOGIN_PAGES:
            guest = _signature(scene, "guest", f"{scene.now.timestamp()}")
            return _with_session(SceneResponse(_LOGIN_FORM.encode()), guest)
        case "POST", path if path == LOGIN:
            return _login(scene, request)
        case "POST", path if path == DATA:
            return _data(scene, request)
    return NOT_FOUND


def _login(scene: Scene, request: SceneRequest) -> SceneResponse:
    """Any name and password are accepted after the login page was opened."""
    fields = form_fields(request)
    if _session(request) is None:
        return login_answer("CD099", "no session; open the login page first")
    if not fields.get("mbrId") or fields.get("pw", _WRONG) == _WRONG:
        return login_answer("CD003", "the name and the password do not belong together")
    until = str(int((scene.now + _SESSION_LENGTH).timestamp()))
    return _with_session(
        login_answer("CD001", "ok"), f"{until}.{_signature(scene, 'member', until)}"
    )


def _is_logged_in(scene: Scene, request: SceneRequest) -> bool:
    until, _, signature = (_session(request) or "").partition(".")
    if not until.isdecimal() or signature != _signature(scene, "member", until):
        return False
    return scene.now.timestamp() < int(until)


def form_fields(request: SceneRequest) -> _Fields:
    """The fields of a form."""
    body = request.body.decode("utf-8", "replace")
    return {name: values[-1] for name, values in parse_qs(body, keep_blank_values=True).items()}


def login_answer(code: str, words: str) -> SceneResponse:
    """The answer to a login; its code says whether it succeeded."""
    body = json.dumps({"_error_code": code, "_error_message": words})
    return SceneResponse(body.encode(), kind=_JSON)


def _with_session(page: SceneResponse, session: str) -> SceneResponse:
    cookies = f"{_COOKIE}={session}; Path=/; HttpOnly\nmdc.client_session=true; Path=/"
    return replace(page, headers={"Set-Cookie": cookies})


def _session(request: SceneRequest) -> str | None:
    try:
        cookie = SimpleCookie(request.headers.get("cookie", "")).get(_COOKIE)
    except CookieError:
        return None
    return None if cookie is None else cookie.value


def _signature(scene: Scene, *parts: str) -> str:
    return hashlib.sha256("/".join([str(scene.seed), *parts]).encode()).hexdigest()[:32]


def _data(scene: Scene, request: SceneRequest) -> SceneResponse:
    if not _is_logged_in(scene, request):
        return plain_text("LOGOUT", 400)
    fields = form_fields(request)
    query = _QUERIES.get(fields.get("bld", "").rpartition("/")[2])
    try:
        return NOT_FOUND if query is None else SceneResponse(query(scene, fields), kind=_JSON)
    except (KeyError, ValueError):
        return plain_text("ERROR", 400)


def _prices(scene: Scene, fields: _Fields) -> bytes:
    day = _parse_day(fields["trdDd"])
    parts = [_market_prices(scene, each, day) for each in _markets(fields["mktId"])]
    if len(parts) == 1:
        return parts[0]
    return _body("OutBlock_1", (row for part in parts for row in orjson.loads(part)["OutBlock_1"]))


def _market_prices(scene: Scene, market: WorldMarket, day: date) -> bytes:
    count = scene.shares[market.name]
    if has_traded(day, scene.now):
        return _market_rows(scene.seed, market, count, day, is_final=is_final(day, scene.now))
    shares = trades(scene.seed, market, count, previous_session(day), is_final=True)
    return _body("OutBlock_1", (blank_row(_price_row(each)) for each in shares))


@lru_cache(maxsize=16)
def _market_rows(seed: int, market: WorldMarket, count: int, day: date, *, is_final: bool) -> bytes:
    """Cached, because demos and tests ask for the same days again."""
    return _body("OutBlock_1", map(_price_row, trades(seed, market, count, day, is_final=is_final)))


def _price_row(trade: Trade) -> dict[str, str]:
    share, change = trade.listing, trade.close - trade.base
    return {
        "ISU_SRT_CD": share.ticker,
        "ISU_CD": share.isin,
        "ISU_ABBRV": share.name,
        "MKT_NM": share.market.name,
        "SECT_TP_NM": "",
        "TDD_CLSPRC": f"{trade.close:,}",
        "FLUC_TP_CD": _NONE if trade.is_halted else _sign(change),
        "CMPPREVDD_PRC": f"{change:,}",
        "FLUC_RT": f"{100 * change / trade.base:.2f}",
        "TDD_OPNPRC": f"{trade.open:,}",
        "TDD_HGPRC": f"{trade.high:,}",
        "TDD_LWPRC": f"{trade.low:,}",
        "ACC_TRDVOL": f"{trade.volume:,}",
        "ACC_TRDVAL": f"{trade.value:,}",
        "MKTCAP": f"{trade.close * trade.shares:,}",
        "LIST_SHRS": f"{trade.shares:,}",
        "MKT_ID": share.market.code,
    }


def blank_row(row: dict[str, str]) -> dict[str, str]:
    """A row of a day without trade: only what the share is."""
    return {**row, **dict.fromkeys(_NUMBERS, "-"), "FLUC_TP_CD": _SAME}


def _index(scene: Scene, fields: _Fields) -> bytes:
    first, last = _parse_day(fields["strtDd"]), _parse_day(fields["endDd"])
    wanted = (fields["indIdx"], fields["indIdx2"])
    [index] = [each for each in INDICES if (each.group, each.number) == wanted]
    if (last - first).days > _MAX_INDEX_DAYS:
        raise ValueError(fields["strtDd"])
    days = [day for day in sessions(first, last) if has_traded(day, scene.now)]
    return _body("output", map(_index_row, index_days(scene.seed, index, days)))


def _index_row(day: WorldIndexDay) -> dict[str, str]:
    change = day.close - day.previous
    return {
        "TRD_DD": f"{day.day:%Y/%m/%d}",
        "CLSPRC_IDX": f"{day.close:,.2f}",
        "FLUC_TP_CD": _sign(change),
        "PRV_DD_CMPR": f"{change:,.2f}",
        "UPDN_RATE": f"{100 * change / day.previous:.2f}",
        "OPNPRC_IDX": f"{day.open:,.2f}",
        "HGPRC_IDX": f"{day.high:,.2f}",
        "LWPRC_IDX": f"{day.low:,.2f}",
        "ACC_TRDVOL": f"{day.volume:,}",
        "ACC_TRDVAL": f"{day.value:,}",
        "MKTCAP": f"{int(day.close * 7e11):,}",
    }


def _indices(_scene: Scene, fields: _Fields) -> bytes:
    family = fields["idxIndMidclssCd"]
    rows = (
        {
            "IDX_NM": each.name,
            "IDX_ENG_NM": each.name,
            "BAS_TM_CONTN": "1980.01.04",
            "IND_TP_CD": each.group,
            "IDX_IND_CD": each.number,
        }
        for each in INDICES
        if each.family == family
    )
    return _body("output", rows)


def _found_shares(
    search: Callable[[int, WorldMarket, int, date], tuple[WorldShare, ...]],
    scene: Scene,
    fields: _Fields,
) -> bytes:
    rows = (
        {
            "full_code": each.isin,
            "short_code": each.ticker,
            "codeName": each.name,
            "marketCode": each.market.code,
            "marketName": each.market.korean,
            "marketEngName": each.market.name,
            "ord1": "",
            "ord2": "16",
        }
        for market in _markets(fields["mktsel"])
        for each in search(scene.seed, market, scene.shares[market.name], scene.now.date())
    )
    return _body("block1", rows)


def _body(name: str, rows: Iterable[Mapping[str, str]]) -> bytes:
    return orjson.dumps({name: list(rows), "CURRENT_DATETIME": ""})


def _sign(change: float) -> str:
    return _SAME if change == 0 else _UP if change > 0 else _DOWN


def _markets(code: str) -> list[WorldMarket]:
    found = [each for each in MARKETS if code in {each.code, _ALL_MARKETS}]
    if not found:
        raise ValueError(code)
    return found


def _parse_day(text: str) -> date:
    return datetime.strptime(text, "%Y%m%d").date()  # noqa: DTZ007 - a date has no zone


_QUERIES: Final[Mapping[str, Callable[[Scene, _Fields], bytes]]] = {
    "MDCSTAT01501": _prices,
    "MDCSTAT00301": _index,
    "MDCSTAT00401": _indices,
    "finder_stkisu": partial(_found_shares, listings),
    "finder_listdelisu": partial(_found_shares, delisted),
}
