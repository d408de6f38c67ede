"""Cron lines as people say them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gotgan.scheduler.cron import cron_text

NOW = datetime(2025, 10, 20, 8, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("cron", "told"),
    [
        ("* * * * *", "Every minute"),
        ("*/30 * * * *", "Every 30 minutes"),
        ("40 * * * *", "Every hour at minute 40"),
        ("5,35 * * * *", "Every hour at minutes 5 and 35"),
        ("10 */6 * * *", "Every 6 hours at minute 10"),
        ("15 16-23 * * 1-5", "Every hour from 16:15 to 23:15, Monday to Friday"),
        ("0 9 * * *", "At 09:00"),
        ("0 16 * * 1-5", "At 16:00, Monday to Friday"),
    ],
)
def test_a_plain_rule_is_told_as_people_say_it(cron: str, told: str) -> None:
    assert cron_text(cron, NOW) == told


@pytest.mark.parametrize(
    "cron", ["*/7 * * * *", "0 */5 * * *", "0 9 1 * *", "0 9 * * 0", "1-3 * * * *"]
)
def test_any_other_rule_is_told_field_by_field(cron: str) -> None:
    assert not cron_text(cron, NOW).startswith(("Every 7 minutes", "Every 5 hours", "At 09:00,"))
    assert cron_text(cron, NOW)
