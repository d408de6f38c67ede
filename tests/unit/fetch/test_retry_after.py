"""How long a host asks us to wait, in each way in which it may say so."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.fetch.gate import retry_after

NOW = datetime(2025, 11, 6, 8, 49, 37, tzinfo=UTC)
DAY = 86_400


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        ("120", 120),
        (" 0 ", 0),
        ("1.5", 1.5),
        ("Thu, 06 Nov 2025 08:50:37 GMT", 60),
        ("Thursday, 06-Nov-25 08:50:37 GMT", 60),
        ("Thu Nov  6 08:50:37 2025", 60),
        ("Thu, 06 Nov 2025 08:50:37 -0000", 60),
        ("Thu, 06 Nov 2025 17:50:37 +0900", 60),
        ("Thu, 06 Nov 2025 08:40:00 GMT", 0),
        ("Sun, 06 Nov 1994 08:49:37 GMT", 0),
        ("1000000", DAY),
        ("9" * 5000, DAY),
        ("Thu, 06 Nov 2031 08:50:37 GMT", DAY),
    ],
)
def test_it_may_be_seconds_or_a_date_and_never_more_than_a_day(said: str, seconds: float) -> None:
    assert retry_after({"retry-after": said}, NOW) == seconds


@pytest.mark.parametrize(
    "said",
    [
        *("", "soon", "-5", "+5", "1e3", "inf", "nan", "٣", "0x10", "5 minutes"),
        "Thu, 32 Nov 2025 08:50:37 GMT",
        "Thu, 06 Nov 2025 08:50:37 +99999999999999999",
    ],
)
def test_nonsense_is_as_if_it_had_not_been_said(said: str) -> None:
    assert retry_after({"retry-after": said}, NOW) is None


def test_where_nothing_is_said_nothing_is_known() -> None:
    assert retry_after({"date": "Thu, 06 Nov 2025 08:50:37 GMT"}, NOW) is None


@given(seconds=st.integers(0, DAY))
def test_seconds_are_taken_as_they_are(seconds: int) -> None:
    assert retry_after({"retry-after": str(seconds)}, NOW) == seconds


@given(ahead=st.integers(-2 * DAY, 2 * DAY))
def test_a_date_means_the_time_until_then(ahead: int) -> None:
    date = format_datetime(NOW + timedelta(seconds=ahead), usegmt=True)
    assert retry_after({"retry-after": date}, NOW) == min(max(0, ahead), DAY)


DATE_LIKE = st.lists(
    st.sampled_from(["Thu,", "06", "6", "99999", "Nov", "0000", "2025", "08:50:37", "99:99:99"])
    | st.sampled_from(
        ["GMT", "+9999", "-0000", ":", "-", "25", "  ", "06-Nov-25", "(", ",", "\x00"]
    )
).map(" ".join)


@given(said=DATE_LIKE | st.text(st.characters(max_codepoint=255), max_size=30))
def test_whatever_is_said_the_wait_is_none_or_bounded(said: str) -> None:
    seconds = retry_after({"retry-after": said}, NOW)
    assert seconds is None or 0 <= seconds <= DAY
