"""The pure part: what a sort key says, and when a claim is over."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from gotgan.errors import BadItem
from gotgan.lifecycle import Position, State
from gotgan.lifecycle.states import sort_key_range
from gotgan.store.queries import SortCondition
from tests.unit.lifecycle.jobs import BEGIN, HOUR, SECOND

LEASE = 2 * HOUR
SEOUL = timezone(timedelta(hours=9))


def test_the_sort_keys_are_those_of_document_002() -> None:
    assert State.NEVER.sort_key() == "NEVER#"
    assert State.PROGRESS.sort_key(BEGIN) == "PROGRESS#2026-01-15T10:00:00Z"
    assert State.DONE.sort_key(BEGIN + LEASE) == "DONE#2026-01-15T12:00:00Z"


def test_a_moment_of_any_zone_is_written_in_utc_and_whole_seconds() -> None:
    moment = datetime(2026, 1, 15, 19, 0, 0, 999_999, tzinfo=SEOUL)
    assert State.DONE.sort_key(moment) == "DONE#2026-01-15T10:00:00Z"


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="has no zone"):
        State.DONE.sort_key(datetime(2026, 1, 15))  # noqa: DTZ001 - that is the point


@pytest.mark.parametrize(
    ("state", "after", "before", "low", "high"),
    [
        (State.PROGRESS, None, None, "PROGRESS#", "PROGRESS#~"),
        (State.PROGRESS, None, BEGIN, "PROGRESS#", "PROGRESS#2026-01-15T10:00:00Z"),
        (State.DONE, None, BEGIN, "DONE#", "DONE#2026-01-15T10:00:00Z"),
        (State.DONE, BEGIN, None, "DONE#2026-01-15T10:00:00Z", "DONE#~"),
        (
            State.DONE,
            BEGIN,
            BEGIN + HOUR,
            "DONE#2026-01-15T10:00:00Z",
            "DONE#2026-01-15T11:00:00Z",
        ),
    ],
)
def test_a_span_is_what_document_002_asks_for(
    state: State, after: datetime | None, before: datetime | None, low: str, high: str
) -> None:
    assert sort_key_range(state, after, before) == SortCondition("BETWEEN", low, high)


@pytest.mark.parametrize(
    ("sort_key", "state"),
    [
        (None, State.NEVER),
        ("NEVER#", State.NEVER),
        ("PROGRESS#2026-01-15T10:00:00Z", State.PROGRESS),
        ("DONE#2026-01-15T12:00:00Z", State.DONE),
        ("DONE#whatever", State.DONE),
    ],
)
def test_the_word_before_the_mark_is_the_state(sort_key: str | None, state: State) -> None:
    assert Position(sort_key).state is state


@pytest.mark.parametrize("sort_key", ["", "#", "FAILED#", "never#", "NEVER", "DONE", "DONE2026#"])
def test_any_other_word_is_no_state(sort_key: str) -> None:
    with pytest.raises(BadItem, match=r"Not a state of a lifecycle: .* start with NEVER#"):
        _ = Position(sort_key).state


@pytest.mark.parametrize(
    ("sort_key", "since"),
    [
        (None, None),
        ("NEVER#", None),
        ("DONE#2026-01-15T10:00:00Z", BEGIN),
        ("PROGRESS#2026-01-15T19:00:00+09:00", BEGIN),
        ("PROGRESS#2026-01-15T10:00:00", BEGIN),
        ("PROGRESS#2026-01-15", datetime(2026, 1, 15, tzinfo=UTC)),
        ("PROGRESS#yesterday", None),
        ("PROGRESS#", None),
    ],
)
def test_when_a_state_began_is_read_however_it_was_written(
    sort_key: str | None, since: datetime | None
) -> None:
    assert Position(sort_key).since == since


@pytest.mark.parametrize("sort_key", [None, "NEVER#", "DONE#2020-01-01T00:00:00Z"])
def test_what_nobody_holds_is_never_over(sort_key: str | None) -> None:
    assert not Position(sort_key, lease_until=BEGIN).is_over(BEGIN + LEASE, LEASE)


@pytest.mark.parametrize(("late", "over"), [(-SECOND, False), (0 * SECOND, True), (SECOND, True)])
def test_a_claim_is_over_at_the_end_of_its_lease_and_not_before(
    late: timedelta, over: bool
) -> None:
    held = Position(State.PROGRESS.sort_key(BEGIN), lease_until=BEGIN + HOUR)
    assert held.is_over(BEGIN + HOUR + late, LEASE) is over


@pytest.mark.parametrize(("late", "over"), [(-SECOND, False), (0 * SECOND, True)])
def test_a_claim_without_a_lease_gets_the_usual_one(late: timedelta, over: bool) -> None:
    assert Position(State.PROGRESS.sort_key(BEGIN)).is_over(BEGIN + LEASE + late, LEASE) is over


@pytest.mark.parametrize("sort_key", ["PROGRESS#", "PROGRESS#soon"])
def test_a_claim_that_does_not_say_when_it_began_is_over(sort_key: str) -> None:
    assert Position(sort_key).is_over(BEGIN, LEASE)
