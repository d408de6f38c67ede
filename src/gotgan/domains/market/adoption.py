"""Taking over logs that another program made: whether they accept what is written to them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection

from gotgan.domains.market import indicator_logs, logs
from gotgan.domains.market.gate import MOST_ATTEMPTS
from gotgan.domains.market.models import SIDES
from gotgan.domains.market.tables import COLLECTION_LOG, INDICATOR_LOG
from gotgan.sql import trial

__all__ = ["TABLES", "try_out"]

TABLES: Final = (COLLECTION_LOG, INDICATOR_LOG)
"""The tables of the document."""


def try_out(connection: Connection, now: datetime) -> None:
    """Log a day in every state that there is, and take it back."""
    today = now.date()
    day = (logs.first_day(connection) or today) - timedelta(days=1)
    with trial(connection, TABLES):
        logs.open_day(connection, day, today=today, now=now)
        for _ in range(MOST_ATTEMPTS):
            logs.begin(connection, day, SIDES, today=today, now=now, by_hand=False)
            for side in SIDES:
                logs.fail(connection, day, side, "failed")
        for side in SIDES:
            logs.succeed(connection, day, side, count=1, provider="krx", now=now)
        logs.finalise(connection, day, now)
        for _ in range(MOST_ATTEMPTS):
            indicator_logs.begin(connection, day, today=today, now=now, is_reopened=False)
            indicator_logs.fail(connection, day, "failed")
        indicator_logs.wait(connection, day, "waiting")
        indicator_logs.succeed(connection, day, count=1, now=now)
