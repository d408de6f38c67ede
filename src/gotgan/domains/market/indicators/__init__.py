"""Indicators of shares: calculated in full by TA-Lib, one more day from what was kept."""

from __future__ import annotations

from gotgan.domains.market.indicators.calculated import Calculated
from gotgan.domains.market.indicators.calculating import calculate
from gotgan.domains.market.indicators.saving import forget, save
from gotgan.domains.market.indicators.verifying import verify

__all__ = ["Calculated", "calculate", "forget", "save", "verify"]
