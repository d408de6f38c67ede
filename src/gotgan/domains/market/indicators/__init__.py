"""Indicators of shares: calculated in full by TA-Lib, one more day from what was kept."""

from __future__ import annotations

from gotgan.domains.market.indicators.calculated import Calculated, IndicatorBatch
from gotgan.domains.market.indicators.calculating import calculate
from gotgan.domains.market.indicators.saving import forget, save
from gotgan.domains.market.indicators.verifying import verify, verify_sample

__all__ = ["Calculated", "IndicatorBatch", "calculate", "forget", "save", "verify", "verify_sample"]
