"""The third step: read the day back, and see that it is what was calculated."""

from __future__ import annotations

from sqlalchemy import Connection, select

from gotgan.domains.market.indicators.calculated import NAMES, Calculated
from gotgan.domains.market.tables import TECHNICAL_INDICATORS
from gotgan.errors import VerifyFailed

__all__ = ["verify"]


def verify(connection: Connection, calculated: Calculated) -> int:
    """How many indicators the day has; VerifyFailed where they are not those calculated."""
    day, wanted = calculated.day, calculated.of_day
    columns = (TECHNICAL_INDICATORS.c[name] for name in NAMES)
    query = select(*columns).where(TECHNICAL_INDICATORS.c.date == day)
    found = {row.ticker: tuple(row) for row in connection.execute(query)}
    count = len(wanted) + calculated.settled
    if len(found) != count:
        raise VerifyFailed(
            f"{len(found)} rows of indicators are stored for {day} where {count} should be; "
            "calculate the day again"
        )
    wrong = [line[1] for line in wanted if found.get(line[1]) != line]
    if wrong:
        raise VerifyFailed(
            f"the indicators stored for {wrong[0]} on {day} are not those calculated "
            f"(and so for {len(wrong)} in all); calculate the day again"
        )
    return count
