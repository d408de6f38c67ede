from __future__ import annotations

from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import Any

import pytest

from gotgan.dags.payloads import parse_date, run_date
from gotgan.errors import UsageError

LATE_IN_UTC = datetime(2025, 10, 19, 23, tzinfo=UTC)


def _context(**given: Any) -> dict[str, Any]:
    usual: dict[str, Any] = {
        "partition_key": None,
        "conf": {},
        "logical_date": None,
        "run_after": LATE_IN_UTC,
    }
    return {"dag_run": SimpleNamespace(**{**usual, **given})}


@pytest.mark.parametrize(
    ("given", "day"),
    [
        (
            {"partition_key": "2025-10-20", "conf": {"target_date": "2025-10-17"}},
            date(2025, 10, 20),
        ),
        ({"conf": {"target_date": "2025-10-17"}}, date(2025, 10, 17)),
        ({"conf": None, "logical_date": datetime(2025, 10, 1, tzinfo=UTC)}, date(2025, 10, 1)),
        ({}, date(2025, 10, 20)),
    ],
    ids=["the key", "what was given by hand", "when it was meant", "when it was due"],
)
def test_the_day_is_taken_from_what_names_it_best(given: dict[str, Any], day: date) -> None:
    assert run_date(_context(**given), "Asia/Seoul") == day


def test_a_run_that_names_no_day_is_about_that_of_its_zone() -> None:
    assert run_date(_context(), "UTC") == date(2025, 10, 19)


def test_a_day_that_is_none_says_how_to_write_it() -> None:
    with pytest.raises(UsageError, match="Not a date: 'yesterday'"):
        parse_date("yesterday")
