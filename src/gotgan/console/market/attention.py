"""What of the market needs somebody's attention."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from gotgan.app import App
from gotgan.console.needs import Need

__all__ = ["needs"]

_LOOKED_BACK: Final = timedelta(days=365)


def needs(app: App) -> list[Need]:
    """Days of the last year that were tried and failed, and were not mended since."""
    today = app.market.today()
    failed = app.market.failed_days(today - _LOOKED_BACK, today)
    if not failed:
        return []
    path = f"/market/days/{failed[0]}" if len(failed) == 1 else "/market"
    return [Need("market.need.failed", "market.need.failed_link", path, len(failed))]
