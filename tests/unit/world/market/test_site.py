"""The exchange of the world over HTTP: the login, what can be looked up, and how it goes wrong."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from urllib.parse import urlencode

import pytest

from gotgan.clock import FixedClock
from gotgan.world import FaultKind, World, world_server
from gotgan.world.market import DATA, KRX
from gotgan.world.scene import SceneRequest, SceneResponse
from tests.unit.world.asking import ask

FORM = "/contents/MDC/COMS/client/MDCCOMS001.cmd"
LOGIN = "/contents/MDC/COMS/client/MDCCOMS001D1.cmd"
EVENING = datetime(2025, 11, 6, 12, tzinfo=UTC)
PRICES = {"bld": "dbms/MDC/STAT/standard/MDCSTAT01501", "mktId": "KNX", "trdDd": "20251106"}
INDEX = {
    "bld": "dbms/MDC/STAT/standard/MDCSTAT00301",
    "indIdx": "1",
    "indIdx2": "001",
    "strtDd": "20251027",
    "endDd": "20251110",
}
ACCOUNT = {"mbrId": "me", "pw": "word"}


class Visitor:
    """Somebody who keeps the cookies."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._cookies: dict[str, str] = {}

    def asked(self, path: str, fields: dict[str, str] | None = None) -> SceneResponse:
        said = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        asked = SceneRequest(KRX, path, headers={"cookie": said})
        if fields is not None:
            asked = replace(asked, method="POST", body=urlencode(fields).encode())
        page, _ = self._world.answer(asked)
        for line in page.headers.get("Set-Cookie", "").split("\n"):
            name, sign, value = line.partition(";")[0].partition("=")
            self._cookies |= {name: value} if sign else {}
        return page

    def looked_up(self, fields: dict[str, str]) -> Any:
        return json.loads(self.asked(DATA, fields).body)

    def logs_in(self, **fields: str) -> str:
        self.asked(FORM)
        return str(json.loads(self.asked(LOGIN, {**ACCOUNT, **fields}).body)["_error_code"])


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(EVENING)


@pytest.fixture
def world(clock: FixedClock) -> World:
    return World(clock=clock, shares={"KOSPI": 30, "KOSDAQ": 20, "KONEX": 10})


@pytest.fixture
def member(world: World) -> Visitor:
    visitor = Visitor(world)
    assert visitor.logs_in() == "CD001"
    return visitor


def test_who_has_not_logged_in_is_told_so(world: World) -> None:
    page = Visitor(world).asked(DATA, PRICES)
    assert (page.status, page.body) == (400, b"LOGOUT")


def test_a_login_needs_the_form_a_name_and_a_password(world: World) -> None:
    unseen = Visitor(world).asked(LOGIN, ACCOUNT)
    assert json.loads(unseen.body)["_error_code"] == "CD099"
    assert Visitor(world).logs_in(pw="wrong") == "CD003"
    assert Visitor(world).logs_in(mbrId="") == "CD003"


def test_a_login_ends_after_half_an_hour(member: Visitor, clock: FixedClock) -> None:
    clock.advance(timedelta(minutes=29))
    assert member.asked(DATA, PRICES).status == 200
    clock.advance(timedelta(minutes=1))
    assert member.asked(DATA, PRICES).body == b"LOGOUT"


def test_a_login_at_one_world_is_none_at_another(member: Visitor, clock: FixedClock) -> None:
    member._world = World(seed=8, clock=clock)  # noqa: SLF001 - a visitor who moves
    assert member.asked(DATA, PRICES).body == b"LOGOUT"


def test_a_market_is_answered_in_the_words_of_the_exchange(member: Visitor) -> None:
    rows = member.looked_up(PRICES)["OutBlock_1"]
    assert len(rows) == 10
    assert {row["MKT_ID"] for row in rows} == {"KNX"}
    assert all("," in row["LIST_SHRS"] for row in rows)
    every = member.looked_up({**PRICES, "mktId": "ALL"})["OutBlock_1"]
    assert [row["MKT_NM"] for row in every] == ["KOSPI"] * 30 + ["KOSDAQ"] * 20 + ["KONEX"] * 10


@pytest.mark.parametrize("day", ["20251108", "20251003", "20251107", "20300101"])
def test_a_day_without_trade_has_all_rows_and_no_price(member: Visitor, day: str) -> None:
    rows = member.looked_up({**PRICES, "trdDd": day})["OutBlock_1"]
    assert len(rows) == 10
    assert {row["TDD_CLSPRC"] + row["ACC_TRDVOL"] for row in rows} == {"--"}
    assert member.looked_up({**INDEX, "strtDd": day, "endDd": day})["output"] == []


def test_an_index_has_every_trading_day_up_to_now_the_last_one_first(member: Visitor) -> None:
    rows = member.looked_up(INDEX)["output"]
    days = [row["TRD_DD"] for row in rows]
    assert days[0] == "2025/11/06"
    assert days[-1] == "2025/10/27"
    assert len(days) == 9
    for after, before in pairwise(rows):
        change = _number(after["CLSPRC_IDX"]) - _number(before["CLSPRC_IDX"])
        assert _number(after["PRV_DD_CMPR"]) == pytest.approx(change, abs=0.006)


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def test_shares_can_be_searched_for(member: Visitor) -> None:
    search = {"bld": "dbms/comm/finder/finder_stkisu", "mktsel": "ALL"}
    found = member.looked_up(search)["block1"]
    assert len(found) == 60
    assert {each["marketName"] for each in found} == {"유가증권", "코스닥", "코넥스"}
    gone = member.looked_up({**search, "bld": "dbms/comm/finder/finder_listdelisu"})["block1"]
    assert not {each["short_code"] for each in gone} & {each["short_code"] for each in found}


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"bld": "dbms/MDC/STAT/standard/MDCSTAT99999"}, 404),
        ({**PRICES, "trdDd": "yesterday"}, 400),
        ({**PRICES, "mktId": "XYZ"}, 400),
        ({"bld": PRICES["bld"]}, 400),
        ({**INDEX, "indIdx2": "999"}, 400),
        ({**INDEX, "strtDd": "20200101"}, 400),
    ],
)
def test_what_cannot_be_looked_up_is_refused(
    member: Visitor, fields: dict[str, str], status: int
) -> None:
    assert member.asked(DATA, fields).status == status


def test_faults_of_the_exchange_are_its_own(world: World, member: Visitor) -> None:
    whole = member.looked_up(PRICES)["OutBlock_1"]
    found = {}
    for fault in (FaultKind.HALF, FaultKind.EMPTY, FaultKind.HOLIDAY):
        world.fail(KRX, DATA, fault, times=1)
        found[fault] = member.looked_up(PRICES)["OutBlock_1"]
    assert found[FaultKind.HALF] == whole[:5]
    assert found[FaultKind.EMPTY] == []
    assert [row["TDD_CLSPRC"] for row in found[FaultKind.HOLIDAY]] == ["-"] * 10
    world.fail(KRX, DATA, FaultKind.HOLIDAY, times=1)
    assert member.looked_up(INDEX)["output"] == []
    world.fail(KRX, DATA, FaultKind.LOGOUT, times=1)
    assert member.asked(DATA, PRICES).body == b"LOGOUT"
    world.fail(KRX, DATA, FaultKind.BLOCK, times=1)
    assert "제한" in member.asked(DATA, PRICES).body.decode()
    world.fail(KRX, DATA, FaultKind.GARBAGE, times=1)
    with pytest.raises(ValueError, match="utf-8"):
        member.looked_up(PRICES)
    assert member.looked_up(PRICES)["OutBlock_1"] == whole


def test_a_login_goes_wrong_by_name(world: World) -> None:
    world.fail(KRX, "*", FaultKind.CD010)
    assert Visitor(world).logs_in() == "CD010"
    world.heal()
    world.fail(KRX, "*", FaultKind.CD011)
    assert Visitor(world).logs_in() == "CD011"
    assert Visitor(world).logs_in(skipDup="Y") == "CD001"


def test_faults_of_the_exchange_leave_other_pages_alone(world: World) -> None:
    for fault in (
        FaultKind.HALF,
        FaultKind.HOLIDAY,
        FaultKind.LOGOUT,
        FaultKind.CD010,
        FaultKind.CD011,
        FaultKind.EMPTY,
    ):
        world.fail(KRX, FORM, fault, times=1)
        assert "mbrId" in Visitor(world).asked(FORM).body.decode()


def test_several_cookies_are_headers_of_their_own(world: World) -> None:
    with world_server(world) as served:
        cookies = ask(served, FORM, KRX).headers.get_all("Set-Cookie")
    assert cookies is not None
    assert [each.partition("=")[0] for each in cookies] == ["JSESSIONID", "mdc.client_session"]
