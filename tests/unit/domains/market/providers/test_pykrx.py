"""pykrx: as it is it runs against the world, and as a provider it gives what our client gives."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Any

import pytest

from gotgan.domains.market.providers.pykrx import base_of, make_session
from gotgan.errors import ProviderError
from gotgan.world import FaultKind
from gotgan.world.market import market_trades
from tests.house.repository import ROOT
from tests.unit.domains.market.providers.places import (
    DAY,
    HOST,
    LOOK_UP,
    few_shares,
    knowing,
    served_world,
)

PROGRAM = "tests.unit.domains.market.providers.pykrx_trial"


@pytest.fixture(scope="module")
def tried() -> Any:
    environment = {**os.environ, "KRX_ID": "visitor", "KRX_PW": "pass-the-word"}
    command = [sys.executable, "-m", PROGRAM]
    result = subprocess.run(
        command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return json.loads(result.stdout)


def test_it_runs_against_the_world_as_it_is(tried: Any) -> None:
    first = market_trades(few_shares().scene, "KOSPI", DAY)[0]
    assert tried["as it is"] == {
        "shares": 250,
        "close": first.close,
        "name": first.listing.name,
        "days": ["2025-11-03", "2025-11-04", "2025-11-05", "2025-11-06"],
        "index": "코스피",
    }
    assert "visitor" in tried["printed"]  # it tells everybody who logs in


def test_it_provides_what_our_own_client_provides(tried: Any) -> None:
    assert tried["provided"] == {
        "logins": 1,
        "prices": True,
        "indices": True,
        "closed": "MarketClosed",
        "no index": "MarketClosed",
    }


def test_what_goes_wrong_is_told_apart_though_pykrx_does_not(tried: Any) -> None:
    assert tried["faults"] == {
        "holiday": "MarketClosed",
        "empty": "BadMarketAnswer",
        "garbage": "BadMarketAnswer",
        "wrong-type": "BadMarketAnswer",
        "logout": "SessionEnded",
        "logout once": "20 rows",
        "block": "ProviderBlocked",
        "forbidden": "ProviderBlocked",
        "broken": "ProviderError",
        "reset": "ProviderError",
        "login cd010": "PasswordExpired",
        "login cd011": "20 rows",
        "login block": "ProviderBlocked",
    }


def test_a_wrong_password_is_tried_once(tried: Any) -> None:
    assert tried["wrong"] == {"outcomes": ["LoginRefused", "LoginRefused"], "logins": 1}


def test_as_a_provider_it_says_nothing_by_itself(tried: Any) -> None:
    assert tried["heard"] == ""


def test_a_request_of_pykrx_does_not_wait_for_ever() -> None:
    with served_world() as served, make_session(knowing(served), seconds=0.1) as session:
        served.world.fail(HOST, LOOK_UP, FaultKind.HANG)
        with pytest.raises(ProviderError, match="Could not reach KRX: ReadTimeout"):
            session.post(f"https://{HOST}{LOOK_UP}", data={})


@pytest.mark.parametrize(
    ("close", "base"),
    [
        (4_210, 4_175),
        (29_100, 25_850),
        (152_000, 156_000),
        (51_900, 53_000),
        (250_100, 249_900),
        (1_999, 1_998),
        (2_669_000, 2_607_000),
        (103, 103),
    ],
)
def test_the_base_of_a_day_follows_from_its_change_in_per_cent(close: int, base: int) -> None:
    assert base_of(close, round(100 * (close - base) / base, 2)) == base
