"""Python values as DynamoDB's attribute values, and back."""

from __future__ import annotations

from collections import OrderedDict, UserList
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from enum import Enum, IntEnum, StrEnum
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from gotgan.errors import UsageError
from gotgan.store.attributes import decode, decode_item, encode, plain_value, same_value

SEOUL = timezone(timedelta(hours=9))
NO_NUMBERS = [float("nan"), float("inf"), Decimal("NaN"), Decimal("-Infinity")]


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


class Size(IntEnum):
    SMALL = 1


class Word(StrEnum):
    YES = "yes"


class Price(BaseModel):
    amount: int
    currency: str | None = None


class Measured(float):
    """A float of another library."""


class Blob(bytes):
    """Bytes of another library."""


@pytest.mark.parametrize(
    ("value", "stored"),
    [
        ("", {"S": ""}),
        ("a", {"S": "a"}),
        (True, {"BOOL": True}),
        (0, {"N": "0"}),
        (10**37, {"N": "1" + "0" * 37}),
        (0.1, {"N": "0.1"}),
        (Measured(0.5), {"N": "0.5"}),
        (Decimal("1.50"), {"N": "1.50"}),
        (b"\0", {"B": b"\0"}),
        (bytearray(b"ab"), {"B": b"ab"}),
        (memoryview(b"ab"), {"B": b"ab"}),
        (Blob(b"ab"), {"B": b"ab"}),
        (None, {"NULL": True}),
        ([1, "a"], {"L": [{"N": "1"}, {"S": "a"}]}),
        ((), {"L": []}),
        (UserList(["a"]), {"L": [{"S": "a"}]}),
        ({"a": {"b": None}}, {"M": {"a": {"M": {"b": {"NULL": True}}}}}),
        (OrderedDict(a=1), {"M": {"a": {"N": "1"}}}),
        ({"b", "a"}, {"SS": ["a", "b"]}),
        (frozenset({10, 9, Decimal("-1.5")}), {"NS": ["-1.5", "9", "10"]}),
        ({b"b", b"a"}, {"BS": [b"a", b"b"]}),
        ({Colour.RED, Colour.BLUE}, {"SS": ["blue", "red"]}),
        (Colour.RED, {"S": "red"}),
        (Size.SMALL, {"N": "1"}),
        (Word.YES, {"S": "yes"}),
        (date(2025, 11, 6), {"S": "2025-11-06"}),
        (UUID(int=1), {"S": "00000000-0000-0000-0000-000000000001"}),
        (Price(amount=1), {"M": {"amount": {"N": "1"}, "currency": {"NULL": True}}}),
    ],
)
def test_a_value_is_written_by_what_it_is(value: Any, stored: dict[str, Any]) -> None:
    assert encode(value) == stored
    assert type(next(iter(encode(value).values()))) is type(next(iter(stored.values())))


def test_a_moment_is_written_in_utc() -> None:
    assert encode(datetime(2025, 11, 6, 9, 35, 12, tzinfo=SEOUL)) == {"S": "2025-11-06T00:35:12Z"}


def test_a_part_of_a_second_is_kept_at_full_width() -> None:
    moment = datetime(2025, 11, 6, 0, 35, 12, 500_000, tzinfo=UTC)
    assert encode(moment) == {"S": "2025-11-06T00:35:12.500000Z"}


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_what_is_no_number_is_refused(value: Any) -> None:
    with pytest.raises(UsageError, match="is no number that can be stored"):
        encode(value)


@pytest.mark.parametrize("value", [set(), {1, "a"}, {True}, {None}, {(1, 2)}])
def test_a_set_that_dynamodb_does_not_have_is_refused(value: Any) -> None:
    with pytest.raises(UsageError, match="a set holds texts, or numbers, or bytes"):
        encode(value)


@pytest.mark.parametrize("value", [object(), timedelta(1), 1j])
def test_what_has_no_form_is_refused_with_advice(value: Any) -> None:
    with pytest.raises(UsageError, match="turn it into text or a mapping"):
        encode(value)


def test_a_moment_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="has no zone"):
        encode(datetime(2025, 11, 6))  # noqa: DTZ001 - that is the case


@pytest.mark.parametrize(
    ("stored", "value"),
    [
        ({"N": "7"}, 7),
        ({"N": "7.0"}, Decimal("7.0")),
        ({"N": "1E+2"}, Decimal(100)),
        ({"NULL": True}, None),
        ({"SS": ["b", "a"]}, frozenset({"a", "b"})),
        ({"NS": ["1", "1.5"]}, frozenset({1, Decimal("1.5")})),
        ({"BS": [b"a"]}, frozenset({b"a"})),
        ({"L": [{"M": {"a": {"BOOL": False}}}]}, [{"a": False}]),
    ],
)
def test_a_stored_value_is_read_as_python(stored: dict[str, Any], value: Any) -> None:
    assert decode(stored) == value
    assert type(decode(stored)) is type(value)


def test_a_whole_item_is_read_at_once() -> None:
    assert decode_item({"a": {"S": "x"}, "n": {"N": "1"}}) == {"a": "x", "n": 1}


@pytest.mark.parametrize(
    ("one", "other", "are_same"),
    [
        ({"N": "1.50"}, {"N": "1.5"}, True),
        ({"SS": ["a", "b"]}, {"SS": ["b", "a"]}, True),
        ({"L": [{"N": "1"}]}, {"L": [{"N": "1.0"}]}, True),
        ({"N": "1"}, {"S": "1"}, False),
        ({"N": "1"}, {"BOOL": True}, False),
        ({"L": [{"N": "1"}, {"N": "2"}]}, {"L": [{"N": "2"}, {"N": "1"}]}, False),
    ],
)
def test_values_are_the_same_as_dynamodb_sees_them(one: Any, other: Any, are_same: bool) -> None:
    assert same_value(one, other) is are_same


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (Colour.RED, "red"),
        (Word.YES, "yes"),
        (date(2025, 11, 6), "2025-11-06"),
        (datetime(2025, 11, 6, tzinfo=UTC), "2025-11-06T00:00:00Z"),
        (UUID(int=0), "00000000-0000-0000-0000-000000000000"),
        (7, 7),
        (b"x", b"x"),
    ],
)
def test_keys_are_made_of_texts_numbers_and_bytes(value: Any, expected: Any) -> None:
    assert plain_value(value) == expected


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(10**37), 10**37)
    | st.text()
    | st.binary()
    | st.decimals(allow_nan=False, allow_infinity=False, places=3)
)
sets = st.frozensets(st.text(), min_size=1) | st.frozensets(st.integers(), min_size=1)
values = st.recursive(
    scalars | sets,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(values)
def test_what_was_written_is_read_back(value: Any) -> None:
    assert decode(encode(value)) == value


moments = st.datetimes(timezones=st.sampled_from([UTC, SEOUL])).filter(
    lambda moment: 1 < moment.year < 9999
)


@given(moments, moments)
def test_moments_in_whole_seconds_sort_as_texts_do(one: datetime, other: datetime) -> None:
    early, late = (moment.astimezone(UTC).replace(microsecond=0) for moment in sorted([one, other]))
    assert encode(early)["S"] <= encode(late)["S"]
    assert (encode(early) == encode(late)) is (early == late)
