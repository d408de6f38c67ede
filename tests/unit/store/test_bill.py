"""The bill that people read, and the one that programs read."""

from __future__ import annotations

from datetime import timedelta

import pytest

from gotgan.errors import UsageError
from gotgan.store.costs import Cost, CostLine
from gotgan.store.prices import Price, bill

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
CYCLE = Cost(
    (
        CostLine("claim", "shops", None, 0.0, 1.0),
        CostLine("claim", "shops", "GSI2", 0.0, 2.0),
        CostLine("finish", "shops", None, 0.0, 1.0),
        CostLine("finish", "shops", "GSI2", 0.0, 2.0),
        CostLine("finish", "shops", "GSI3", 0.0, 1.0),
        CostLine("query", "shops", "GSI2", 1234.5, 0.0),
    )
)


@pytest.fixture
def price() -> Price:
    return Price.listed()


def test_a_bill_is_a_table_with_the_dearest_line_first(price: Price) -> None:
    assert bill(CYCLE, price).splitlines() == [
        "verb    table  index    reads  writes        money",
        "query   shops  GSI2   1,234.5       0     $0.00015",
        "claim   shops  GSI2         0       2   $0.0000013",
        "finish  shops  GSI2         0       2   $0.0000013",
        "claim   shops  -            0       1  $0.00000063",
        "finish  shops  -            0       1  $0.00000063",
        "finish  shops  GSI3         0       1  $0.00000063",
        "total                 1,234.5       7     $0.00016",
        "",
        "A million runs like this: $158.69.",
        "Run every day: $0.00016 a day, $0.0048 a month.",
        "Run every hour: $0.0038 a day, $0.12 a month.",
        "On demand in us-east-1, at prices since 2024-11-01, before AWS's free tier;",
        "storage, streams, backups and data transfer come on top.",
    ]


def test_a_bill_of_nothing_is_nothing(price: Price) -> None:
    assert "total                    0       0     $0" in bill(Cost(), price).splitlines()


@pytest.mark.parametrize(
    ("every", "said"),
    [
        (15 * MINUTE, "15 minutes"),
        (MINUTE, "minute"),
        (HOUR, "hour"),
        (36 * HOUR, "36 hours"),
        (7 * DAY, "7 days"),
        (timedelta(seconds=90), "90 seconds"),
        (timedelta(milliseconds=1500), "1.5 seconds"),
    ],
)
def test_a_bill_says_what_comes_of_running_it_that_often(
    price: Price, every: timedelta, said: str
) -> None:
    text = bill(CYCLE, price, every=every)
    assert f"Run every {said}: $" in text
    assert text.count("Run every") == 1
    assert "A million runs" not in text


def test_a_bill_forecasts_a_day_and_a_month(price: Price) -> None:
    job = Cost((CostLine("collect", "news_items", None, 0.0, 1_000_000.0),))
    assert "Run every hour: $15.00 a day, $456.25 a month." in bill(job, price, every=HOUR)


@pytest.mark.parametrize(
    ("every", "sentence"),
    [
        (HOUR, "With capacity provisioned for it: $188.47 a month; provisioned is cheaper."),
        (DAY, "With capacity provisioned for it: $188.47 a month; on demand is cheaper."),
    ],
)
def test_a_bill_compares_both_ways_to_pay_when_it_knows_how_long_it_took(
    price: Price, every: timedelta, sentence: str
) -> None:
    job = Cost((CostLine("collect", "news_items", None, 0.0, 1_000_000.0),))
    assert sentence in bill(job, price, every=every, took=HOUR)
    assert "provisioned" not in bill(job, price, every=every)


def test_a_bill_of_something_that_is_run_without_end_is_refused(price: Price) -> None:
    with pytest.raises(UsageError):
        bill(CYCLE, price, every=timedelta(0) - HOUR)
