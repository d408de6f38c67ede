"""The table of rates: one item for each currency and day, and an index by day."""

from datetime import date
from decimal import Decimal
from typing import Annotated, ClassVar

from pydantic import StringConstraints

from gotgan.store import Entity, IndexKey, Key, Query, Ref, Table, pattern

__all__ = ["BY_DAY", "RATES", "Rate", "one_rate", "rates_of_currency", "rates_of_day"]

RATES = Table("exchange_rates", pk="currency", sk="day")
BY_DAY = RATES.index("by_day", pk="day", sk="currency")


class Rate(Entity, table=RATES):
    """What one euro cost in a currency on a day."""

    shown: ClassVar = ("currency", "day", "rate")

    key = Key("{currency}", "{day}")
    by_day = IndexKey(BY_DAY, "{day}", "{currency}")

    currency: Annotated[str, StringConstraints(max_length=3)]
    day: date
    rate: Decimal
    """Units of the currency for one euro."""


@pattern
def one_rate(currency: str, day: date) -> Ref[Rate]:
    """The rate of a currency on a day."""
    return Rate.key(currency=currency, day=day)


@pattern
def rates_of_currency(currency: str) -> Query[Rate]:
    """The rates of a currency, newest first."""
    return Rate.key.query(currency=currency).newest_first()


@pattern
def rates_of_day(day: date) -> Query[Rate]:
    """The rates of a day, by currency."""
    return Rate.by_day.query(day=day)
