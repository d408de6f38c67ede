"""A simulated exchange: its site, and its trades for checking results."""

from __future__ import annotations

from datetime import date

from gotgan.world.market.listings import MARKETS
from gotgan.world.market.site import DATA, KRX
from gotgan.world.market.trading import Trade, is_final, trades
from gotgan.world.scene import Scene

__all__ = ["DATA", "KRX", "Trade", "market_trades"]


def market_trades(scene: Scene, market: str, day: date) -> tuple[Trade, ...]:
    """The trades of a market on a trading day, as known at the scene's moment."""
    [it] = [each for each in MARKETS if each.name == market]
    count = scene.shares[market]
    return trades(scene.seed, it, count, day, is_final=is_final(day, scene.now))
