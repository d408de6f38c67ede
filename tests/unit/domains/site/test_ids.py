"""Ids sort by time, and those of old things are the same in every run."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from uuid import RFC_4122, UUID

from hypothesis import given
from hypothesis import strategies as st

from gotgan.domains.site.keys import derived_id, new_id

MOMENTS = st.datetimes(
    min_value=datetime(1970, 1, 1),  # noqa: DTZ001 - hypothesis adds the zone
    max_value=datetime(9999, 12, 31, 23, 59, 59, 999_999),  # noqa: DTZ001 - the same
    timezones=st.just(UTC),
)
OLD_IDS = st.text(min_size=1, max_size=50).filter(lambda text: text.isprintable())


@given(MOMENTS)
def test_an_id_is_a_uuid_of_version_7(moment: datetime) -> None:
    made = UUID(new_id(moment))
    assert (made.version, made.variant) == (7, RFC_4122)


@given(MOMENTS)
def test_the_first_48_bits_are_milliseconds(moment: datetime) -> None:
    milliseconds = (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    assert UUID(new_id(moment)).int >> 80 == milliseconds


@given(MOMENTS, MOMENTS)
def test_ids_sort_as_their_moments_to_the_microsecond(one: datetime, other: datetime) -> None:
    if one != other:
        assert (new_id(one) < new_id(other)) is (one < other)
        assert (derived_id(one, "x") < new_id(other)) is (one < other)


@given(MOMENTS)
def test_the_next_microsecond_sorts_behind(moment: datetime) -> None:
    if moment.year < 9999:
        assert new_id(moment) < new_id(moment + timedelta(microseconds=1))


@given(MOMENTS, OLD_IDS)
def test_a_derived_id_is_a_uuid_and_the_same_every_time(moment: datetime, old_id: str) -> None:
    made = UUID(derived_id(moment, old_id))
    assert (made.version, made.variant) == (7, RFC_4122)
    assert derived_id(moment, old_id) == str(made)


@given(MOMENTS, OLD_IDS, OLD_IDS)
def test_other_old_ids_of_one_moment_give_other_ids(moment: datetime, one: str, other: str) -> None:
    assert (derived_id(moment, one) == derived_id(moment, other)) is (one == other)


def test_a_derived_id_stays_what_it_was_in_earlier_versions() -> None:
    """Migrations of many years agree on it, so these letters are for good."""
    moment = datetime(2025, 11, 24, 5, 0, 0, 123_456, tzinfo=UTC)
    made = derived_id(moment, "3f0c6a0e-7b1c-4b57-9d5e-2f4b0c6d8a11")
    assert made == "019ab43b-a8fb-774b-ae15-f43a34215097"


def test_a_moment_is_the_same_in_every_zone() -> None:
    moment = datetime(2025, 11, 24, 5, tzinfo=UTC)
    seoul = moment.astimezone(timezone(timedelta(hours=9)))
    assert derived_id(moment, "old") == derived_id(seoul, "old")


def test_two_ids_of_one_moment_differ() -> None:
    moment = datetime(2025, 11, 24, 5, tzinfo=UTC)
    assert len({new_id(moment) for _ in range(1000)}) == 1000
