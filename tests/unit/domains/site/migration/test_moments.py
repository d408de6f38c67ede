from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gotgan.domains.site.migration.rows import parse_moment

NOON = datetime(2025, 11, 24, 5, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2025-11-24T05:00:00Z",
        "2025-11-24T05:00:00.000000+00:00",
        "2025-11-24T14:00:00+09:00",
        "2025-11-24 05:00:00",
        "20251124T050000Z",
        " 2025-11-24T05:00:00Z ",
    ],
)
def test_every_form_of_iso_8601_is_read(text: str) -> None:
    assert parse_moment({"S": text}) == NOON


def test_microseconds_are_kept() -> None:
    assert parse_moment({"S": "2025-11-24T05:00:00.123456+00:00"}) == NOON.replace(
        microsecond=123456
    )


@pytest.mark.parametrize("number", ["1763960400", "1763960400000", "1763960400.0"])
def test_a_number_counts_seconds_or_milliseconds(number: str) -> None:
    assert parse_moment({"N": number}) == NOON


@pytest.mark.parametrize(
    "value",
    [
        None,
        {"NULL": True},
        {"S": ""},
        {"S": "yesterday"},
        {"S": "0001-01-01T00:00:00+09:00"},
        {"S": "1969-12-31T23:59:59Z"},
        {"N": "-1"},
        {"N": "1e40"},
        {"BOOL": True},
    ],
)
def test_what_is_no_moment_that_an_id_could_hold_is_none(value: dict[str, object] | None) -> None:
    assert parse_moment(value) is None
