"""The morning of 6 November 2025 in Seoul, which is still the 5th in New York."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from gotgan.clock import FixedClock


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves."""
    return FixedClock(datetime(2025, 11, 6, 0, 35, 12, tzinfo=UTC))
