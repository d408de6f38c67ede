"""Units in money: by the unit, by the hour, and which of them is cheaper."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, timedelta
from decimal import Decimal
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from gotgan.errors import UsageError
from gotgan.store.costs import Cost, CostLine
from gotgan.store.prices import MONTH, Price, money, recurring_amount
from gotgan.store.tables import Provisioned

DAY, HOUR, SECOND = timedelta(days=1), timedelta(hours=1), timedelta(seconds=1)
MEMBERS = ("million_writes", "million_reads", "write_hour", "read_hour", "gigabyte_month")


def _cost(reads: float = 0, writes: float = 0, index: str | None = None) -> Cost:
    return Cost((CostLine("verb", "shops", index, reads, writes),))


@pytest.fixture
def price() -> Price:
    return Price.listed()


@pytest.fixture
def listed() -> dict[str, Any]:
    text = files("gotgan.store").joinpath("prices.json").read_text(encoding="utf-8")
    members: dict[str, Any] = json.loads(text)
    return members


def test_the_list_is_that_of_us_east_1_since_november_2024(price: Price) -> None:
    assert price == Price(
        region="us-east-1",
        since=date(2024, 11, 1),
        million_writes=Decimal("0.625"),
        million_reads=Decimal("0.125"),
        write_hour=Decimal("0.00065"),
        read_hour=Decimal("0.00013"),
        gigabyte_month=Decimal("0.25"),
    )


def test_the_list_says_of_each_price_where_it_comes_from(listed: dict[str, Any]) -> None:
    sourced = {name for names in listed["sources"] for name in names.split(", ")}
    assert sourced == {"all", *MEMBERS}


def test_on_demand_a_million_writes_cost_five_times_a_million_reads(price: Price) -> None:
    assert price.on_demand(_cost(writes=1_000_000)) == Decimal("0.625")
    assert price.on_demand(_cost(reads=1_000_000)) == Decimal("0.125")


def test_not_even_half_a_unit_is_lost(price: Price) -> None:
    assert price.on_demand(_cost(reads=0.5)) == Decimal("0.0000000625")
    assert price.on_demand(_cost(reads=0.5, writes=7)) == Decimal("0.0000044375")
    assert price.on_demand(Cost()) == 0


def test_a_capacity_is_paid_for_by_the_hour(price: Price) -> None:
    """100 reads and 20 writes a second are 0.013 and 0.013 an hour."""
    capacity = Provisioned(read=100, write=20)
    assert price.provisioned(capacity, HOUR) == Decimal("0.026")
    assert price.provisioned(capacity) == Decimal("18.98")


def test_storage_is_paid_for_by_the_month(price: Price) -> None:
    assert price.storage(25) == Decimal("6.25")
    assert price.storage(Decimal("0.5"), held=2 * MONTH) == Decimal("0.25")


def test_your_own_prices_are_read_from_a_file(tmp_path: Path, listed: dict[str, Any]) -> None:
    path = tmp_path / "prices.json"
    del listed["sources"]
    path.write_text(json.dumps({**listed, "region": "eu-central-1", "million_writes": 0.7625}))
    expected = replace(Price.listed(), region="eu-central-1", million_writes=Decimal("0.7625"))
    assert Price.read(path) == expected


@pytest.mark.parametrize("member", ["region", "since", *MEMBERS])
def test_prices_that_lack_something_are_refused(
    tmp_path: Path, listed: dict[str, Any], member: str
) -> None:
    del listed[member]
    with pytest.raises(UsageError, match=f"have no '{member}'"):
        Price.read(_written(tmp_path, json.dumps(listed)))


@pytest.mark.parametrize("amount", ["cheap", "", "-1", "NaN", "Infinity", None, [], {}])
def test_an_amount_that_is_none_is_refused(
    tmp_path: Path, listed: dict[str, Any], amount: object
) -> None:
    with pytest.raises(UsageError, match="The prices are not valid"):
        Price.read(_written(tmp_path, json.dumps({**listed, "write_hour": amount})))


@pytest.mark.parametrize("text", ["", "prices", "[]", "1"])
def test_a_file_that_holds_no_prices_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(UsageError, match="The prices are not valid"):
        Price.read(_written(tmp_path, text))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"Could not read the prices in .*nowhere\.json"):
        Price.read(tmp_path / "nowhere.json")


def _written(folder: Path, text: str) -> Path:
    path = folder / "prices.json"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_job_that_runs_all_the_time_is_cheaper_provisioned(price: Price) -> None:
    choice = price.compare(_cost(reads=100, writes=70), took=SECOND, every=SECOND)
    assert choice.capacity == {("shops", None): Provisioned(read=143, write=100)}
    assert choice.on_demand == Decimal("147.825")
    assert choice.provisioned == Decimal("61.0207")
    assert choice.cheaper == "provisioned"


def test_a_job_that_rarely_runs_is_cheaper_on_demand(price: Price) -> None:
    job = _cost(writes=42_000)
    choice = price.compare(job, took=timedelta(minutes=10), every=DAY)
    assert choice.capacity == {("shops", None): Provisioned(read=1, write=100)}
    assert choice.cheaper == "on demand"
    assert choice.on_demand == Decimal("0.7984375")
    assert choice.provisioned == Decimal("47.5449")


def test_each_table_and_index_needs_a_capacity_of_its_own(price: Price) -> None:
    cost = _cost(writes=1) + _cost(writes=2, index="GSI2") + _cost(reads=30, index="GSI2")
    choice = price.compare(cost, took=SECOND, every=SECOND, utilisation=Decimal(1))
    assert choice.capacity == {
        ("shops", None): Provisioned(read=1, write=1),
        ("shops", "GSI2"): Provisioned(read=30, write=2),
    }
    assert choice.provisioned == sum(map(price.provisioned, choice.capacity.values()))


def test_capacity_pays_from_29_percent_of_use_on(price: Price) -> None:
    """Since the prices on demand were halved."""
    for units, cheaper in ((2800, "on demand"), (2900, "provisioned")):
        use = Decimal(units) / 10_000
        job = _cost(reads=units, writes=units)
        choice = price.compare(job, took=SECOND, every=SECOND, utilisation=use)
        assert choice.capacity == {("shops", None): Provisioned(read=10_000, write=10_000)}
        assert choice.cheaper == cheaper


@pytest.mark.parametrize(
    ("took", "every"), [(2 * HOUR, HOUR), (timedelta(0), HOUR), (-HOUR, HOUR), (HOUR, timedelta(0))]
)
def test_a_job_that_cannot_be_is_refused(price: Price, took: timedelta, every: timedelta) -> None:
    with pytest.raises(UsageError, match="cannot run every"):
        price.compare(_cost(writes=1), took=took, every=every)


def test_a_month_has_730_hours() -> None:
    assert recurring_amount(Decimal(1), every=HOUR, within=MONTH) == 730


def test_an_interval_that_does_not_fit_is_counted_in_part() -> None:
    assert recurring_amount(Decimal("0.001575"), every=DAY, within=MONTH) == Decimal("0.04790625")


def test_nothing_is_due_at_no_interval() -> None:
    with pytest.raises(UsageError, match="every 0:00:00"):
        recurring_amount(Decimal(1), every=timedelta(0), within=DAY)


@pytest.mark.parametrize(
    ("amount", "shown"),
    [
        ("0", "$0"),
        ("0.000013", "$0.000013"),
        ("0.000000625", "$0.00000063"),
        ("0.0000099996", "$0.000010"),
        ("0.0254", "$0.025"),
        ("0.0999", "$0.10"),
        ("0.1", "$0.10"),
        ("0.125", "$0.13"),
        ("1", "$1.00"),
        ("1234567.891", "$1,234,567.89"),
    ],
)
def test_small_amounts_stay_readable(amount: str, shown: str) -> None:
    assert money(Decimal(amount)) == shown
