"""What the market as a whole says of itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market.service import Market
from gotgan.fetch import Web
from gotgan.settings import Settings
from gotgan.sql import Database

FRIDAY = date(2025, 10, 17)


@pytest.fixture
def market(database: Database, clock: FixedClock) -> Iterator[Market]:
    """The market on a Monday at 17:00, and nothing was ever collected."""
    settings = Settings(market_providers=("csv",), market_csv=Path("nowhere"), markets=("KOSPI",))
    with Web.open(settings, clock) as web:
        yield Market(database, web, settings, clock)


def test_on_the_first_day_the_session_before_is_all_that_can_be_missing(market: Market) -> None:
    market.open_day()
    gaps = market.gaps()
    assert (gaps.first, gaps.last) == (FRIDAY, FRIDAY)
    assert [gap.words for gap in gaps.missing] == ["Never collected."]
