"""Health: named checks, seldom run, and never waited for in vain."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gotgan import health
from gotgan.errors import StoreFull
from gotgan.health import Health, check_disk


def _fine() -> None:
    """Find nothing wrong."""


def _full() -> None:
    raise StoreFull("no space left on /somewhere/secret")


def _broken() -> None:
    raise ZeroDivisionError


def test_all_is_well_if_every_check_passes() -> None:
    report = Health({"store": _fine, "database": _fine}).report()
    assert report.is_ready
    assert report.record == {"status": "ok", "checks": {"store": "ok", "database": "ok"}}


@pytest.mark.parametrize(
    ("check", "status"), [(_full, "store.full"), (_broken, "failed"), (lambda: "late", "late")]
)
def test_a_check_that_fails_is_named_by_a_code_alone(
    check: Callable[[], str | None], status: str
) -> None:
    report = Health({"store": _fine, "other": check}).report()
    assert not report.is_ready
    assert report.failing == ("other",)
    assert report.record == {"status": "failing", "checks": {"store": "ok", "other": status}}


def test_a_report_serves_all_who_ask_within_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[None] = []
    checks = Health({"store": lambda: calls.append(None)})
    with ThreadPoolExecutor(8) as pool:
        reports = list(pool.map(lambda _: checks.report(), range(20)))
    assert len(calls) == 1
    assert all(report is reports[0] for report in reports)
    monkeypatch.setattr(checks, "_fresh_until", 0.0)
    assert checks.report() is not reports[0]
    assert len(calls) == 2


def test_a_check_that_hangs_is_reported_and_not_started_twice(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(health, "TIMEOUT_S", 0.05)
    monkeypatch.setattr(health, "FRESH_S", 0.0)
    go_on, started = threading.Event(), threading.Semaphore(0)

    def hang() -> None:
        started.release()
        go_on.wait()

    checks = Health({"store": hang})
    assert checks.report().record["checks"] == {"store": "timeout"}
    assert checks.report().record["checks"] == {"store": "timeout"}
    assert started.acquire(blocking=False)
    assert not started.acquire(blocking=False)
    go_on.set()
    monkeypatch.setattr(health, "TIMEOUT_S", 60.0)
    assert checks.report().is_ready


def test_a_disk_with_hardly_any_space_is_full(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert check_disk(tmp_path) is None
    monkeypatch.setattr(health, "MIN_FREE_BYTES", 2**80)
    assert check_disk(tmp_path) == "full"
