"""Names and passwords that KRX did not take are not tried again at once, by anybody."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market.providers.krx import RefusedLogins
from gotgan.errors import LoginRefused, PasswordExpired, ProviderError
from gotgan.messages import Message, render
from gotgan.settings import Secret, Settings
from gotgan.sql import Database, Leases
from gotgan.world import FaultKind, World
from tests.unit.domains.market.providers.places import DAY, HOST, LOGIN, asking, served_world

FIVE = datetime(2025, 11, 7, 8, 0, tzinfo=UTC)
WRONG = Secret("wrong")


@pytest.fixture
def clock() -> FixedClock:
    return FixedClock(FIVE)


@pytest.fixture
def leases(clock: FixedClock) -> Iterator[Leases]:
    database = Database.in_memory(clock)
    database.prepare()
    yield database.leases
    database.close()


def _logins(world: World) -> int:
    return sum(seen.path == LOGIN for seen in world.requests)


def test_a_wrong_password_is_tried_once_and_another_at_once(leases: Leases) -> None:
    with served_world() as served:
        for _ in range(5):
            with asking(served, leases=leases, krx_password=WRONG) as krx:
                for ask in (krx.prices, krx.indices):
                    with pytest.raises(LoginRefused, match="CD003"):
                        ask(DAY, ["KOSPI"])
        assert _logins(served.world) == 1
        assert len(served.world.requests) == 2  # with the page of the form
        with asking(served, leases=leases) as krx:
            assert krx.indices(DAY, ["KOSPI"])
        assert _logins(served.world) == 2


def test_a_password_that_is_too_old_is_not_tried_for_six_hours(
    leases: Leases, clock: FixedClock
) -> None:
    with served_world() as served, asking(served, leases=leases) as krx:
        served.world.fail(HOST, LOGIN, FaultKind.CD010, times=1)
        with pytest.raises(PasswordExpired) as first:
            krx.indices(DAY, ["KOSPI"])
        clock.advance(timedelta(hours=6) - timedelta(seconds=1))
        with pytest.raises(PasswordExpired) as again:
            krx.indices(DAY, ["KOSPI"])
        told = "The same login is not tried again before 11-07 14:00 UTC."
        assert again.value.message == f"{first.value.message} {told}"
        assert isinstance(again.value.message, Message)
        assert again.value.message.values["reason"] == first.value.message
        assert render(again.value.message, "ko").startswith("KRX 비밀번호가 석 달이 지나")
        assert _logins(served.world) == 1
        clock.advance(timedelta(seconds=1))
        assert krx.indices(DAY, ["KOSPI"])


def test_what_is_no_refusal_is_tried_again(leases: Leases) -> None:
    with served_world() as served, asking(served, leases=leases) as krx:
        served.world.fail(HOST, LOGIN, FaultKind.BROKEN, times=1)
        with pytest.raises(ProviderError):
            krx.indices(DAY, ["KOSPI"])
        assert krx.indices(DAY, ["KOSPI"])


def test_only_who_has_the_secret_can_tell_which_password_it_was(leases: Leases) -> None:
    for secret in ("0" * 32, "1" * 32):
        refused = RefusedLogins(leases, HOST, Settings(given_secret=Secret(secret)))
        with pytest.raises(LoginRefused, match=r"^no$"), refused.login_attempt("gatherer", WRONG):
            raise LoginRefused("no")
    kept = leases.find_all("breaker:login:")
    assert len({lease.key for lease in kept}) == 2
    assert all(lease.key.startswith(f"breaker:login:{HOST}:") for lease in kept)
    assert not [lease for lease in kept if "wrong" in f"{lease.key}{lease.owner}"]
