"""What of the shops needs somebody's attention."""

from __future__ import annotations

from gotgan.app import App
from gotgan.console.needs import Need

__all__ = ["needs"]


def needs(app: App) -> list[Need]:
    """Shops whose worker is no more."""
    count = len(app.shops.iter_stuck())
    return [Need("shops.need.stuck", "shops.need.stuck_link", "/shops", count)] if count else []
