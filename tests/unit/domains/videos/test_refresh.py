from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.domains.videos.models import REASONS, Reason
from gotgan.domains.videos.queue import MIN_REFRESH_INTERVAL, expect_refresh_allowed
from gotgan.errors import Conflict, RefreshTooSoon
from tests.unit.domains.videos.made import NOW


def ask(
    reason: Reason, *, ago: timedelta | None = None, status: str | None = None, bump: bool = False
) -> None:
    wanted = None if ago is None else NOW - ago
    expect_refresh_allowed(reason, last_request=wanted, last_status=status, is_bump=bump, now=NOW)


def test_whoever_wants_it_anew_gets_it_anew() -> None:
    ask("user_request")
    ask("user_request", ago=MIN_REFRESH_INTERVAL, status="completed")


def test_but_not_twice_within_ten_minutes() -> None:
    with pytest.raises(RefreshTooSoon, match="Try again in 8 minutes") as refused:
        ask("user_request", ago=timedelta(minutes=2, seconds=1), status="completed")
    assert refused.value.retry_after == 479


@pytest.mark.parametrize("reason", REASONS)
def test_after_a_failed_job_every_reason_holds(reason: Reason) -> None:
    ask(reason, ago=timedelta(0), status="failed")


@pytest.mark.parametrize("status", [None, "completed", "queued", "processing"])
def test_what_did_not_fail_is_not_retried(status: str | None) -> None:
    with pytest.raises(Conflict, match="did not fail"):
        ask("retry_failed", status=status)


def test_a_new_version_is_a_reason_while_it_has_no_result() -> None:
    ask("version_bump", bump=True)
    with pytest.raises(Conflict, match="use the reason user_request"):
        ask("version_bump", bump=False)
