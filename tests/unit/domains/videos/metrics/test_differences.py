"""Whether the comments of two videos sound different by more than chance."""

from __future__ import annotations

import pytest

from gotgan.domains.videos.metrics.measurements import Sentiment, differs, net_differs


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (Sentiment(60, 20, 20), Sentiment(40, 20, 40), True),
        (Sentiment(20, 40, 40), Sentiment(60, 20, 20), True),
        (Sentiment(55, 25, 20), Sentiment(45, 35, 20), False),  # as chance has it
        (Sentiment(3, 0, 0), Sentiment(0, 0, 3), False),  # too few
        (Sentiment(1000, 0, 0), Sentiment(1000, 0, 0), False),  # all, in both
        (Sentiment(0, 500, 0), Sentiment(0, 400, 0), False),  # none, in both
        (Sentiment(), Sentiment(60, 20, 20), False),
        (Sentiment(), Sentiment(), False),
        (Sentiment(30, 0, 0), Sentiment(0, 0, 30), True),
    ],
    ids=str,
)
def test_shares_differ_only_by_more_than_chance(
    one: Sentiment, other: Sentiment, expected: bool
) -> None:
    assert differs(one, other, "positive") is expected
    assert differs(other, one, "positive") is expected


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        (Sentiment(60, 20, 20), Sentiment(40, 20, 40), True),
        (Sentiment(40, 30, 30), Sentiment(35, 30, 35), False),
        (Sentiment(29, 0, 0), Sentiment(0, 0, 100), False),  # too few
        (Sentiment(30, 0, 0), Sentiment(0, 0, 30), True),
        (Sentiment(0, 50, 0), Sentiment(0, 50, 0), False),
        (Sentiment(), Sentiment(), False),
    ],
    ids=str,
)
def test_nets_differ_only_by_more_than_chance(
    one: Sentiment, other: Sentiment, expected: bool
) -> None:
    assert net_differs(one, other) is expected
    assert net_differs(other, one) is expected
