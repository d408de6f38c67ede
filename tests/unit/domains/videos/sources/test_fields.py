"""Fields of what others wrote: numbers, moments, durations, texts."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.domains.videos.sources.fields import (
    MAX_COUNT,
    bounded_text,
    clean_text,
    html_to_text,
    nested_object,
    object_list,
    parse_count,
    parse_duration,
    parse_moment,
)

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.datetimes(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@pytest.mark.parametrize(
    ("given", "seconds"),
    [
        ("PT4M13S", 253),
        ("PT1H2M3S", 3_723),
        ("PT45S", 45),
        ("PT2H", 7_200),
        ("P1DT1S", 86_401),
        ("P1W", 604_800),
        ("PT1.5S", 1),
        ("P0D", None),
        ("PT0S", None),
        ("P99999999W", None),
        ("4:13", None),
        ("", None),
        (253, None),
    ],
)
def test_a_duration_is_read_in_seconds(given: Any, seconds: int | None) -> None:
    assert parse_duration(given) == seconds


@pytest.mark.parametrize(
    ("given", "count"),
    [
        ("12345678901", 12_345_678_901),
        ("0", 0),
        (7, 7),
        (7.0, 7),
        (str(MAX_COUNT), MAX_COUNT),
        (str(MAX_COUNT + 1), None),
        (-1, None),
        (True, None),
        (1.5, None),
        (float("inf"), None),
        ("1,234", None),
        ("-1", None),
        ("\uff11", None),
        ("9" * 5_000, None),
        ("", None),
        (None, None),
    ],
)
def test_a_count_may_be_digits_and_nothing_else(given: Any, count: int | None) -> None:
    assert parse_count(given) == count


@pytest.mark.parametrize(
    ("given", "moment"),
    [
        ("2019-11-26T15:51:44.000Z", datetime(2019, 11, 26, 15, 51, 44, tzinfo=UTC)),
        ("2019-11-27T00:51:44+09:00", datetime(2019, 11, 26, 15, 51, 44, tzinfo=UTC)),
        ("2019-11-26", datetime(2019, 11, 26, tzinfo=UTC)),
        (0, datetime(1970, 1, 1, tzinfo=UTC)),
        (1.5, datetime(1970, 1, 1, 0, 0, 1, 500_000, tzinfo=UTC)),
        ("two years ago", None),
        ("0001-01-01T00:00:00+14:00", None),
        (1e30, None),
        (float("nan"), None),
        (True, None),
        (None, None),
    ],
)
def test_a_moment_is_read_in_utc(given: Any, moment: datetime | None) -> None:
    assert parse_moment(given) == moment


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("a<br>b<br/>c<BR />d", "a\nb\nc\nd"),
        ("&lt;b&gt; &amp; &quot;x&quot; &#39;y&#39;", "<b> & \"x\" 'y'"),
        ('see <a href="https://example.com/?a=1&amp;b=2">this</a>', "see this"),
        ("<b>loud</b> <i>soft</i> <s>gone</s>", "loud soft gone"),
        ("I <3 this, 1 < 2 > 0", "I <3 this, 1 < 2 > 0"),
        ("&amp;lt;", "&lt;"),
        ("a&#0;b", "a\ufffdb"),
    ],
)
def test_html_is_read_as_what_it_says(given: str, said: str) -> None:
    assert html_to_text(given) == said


def test_a_text_has_nothing_that_no_database_takes() -> None:
    assert clean_text("a\0b") == "ab"
    assert bounded_text(" \0x ", 1) == "x"
    assert bounded_text("xy", 1) is None
    assert bounded_text("", 1) is None


@given(ANYTHING)
def test_nothing_that_json_can_hold_is_too_odd_to_read(value: Any) -> None:
    assert isinstance(clean_text(value), str)
    assert parse_count(value) is None or parse_count(value) in range(MAX_COUNT + 1)
    moment = parse_moment(value)
    assert moment is None or moment.tzinfo is UTC
    assert parse_duration(value) is None or isinstance(value, str)
    assert nested_object(value, "a", "b") is not None
    assert isinstance(object_list(value), list)
