"""An exchange: its site as it answers, and what was really traded, to check that against."""

from __future__ import annotations

from datetime import date

from gotgan.world.market.days import is_final
from gotgan.world.market.listings import MARKETS
from gotgan.world.market.site import DATA, KRX
from gotgan.world.market.trading import Trade, trades
from gotgan.world.scene import Scene

__all__ = ["DATA", "KRX", "Trade", "trades_of"]


def trades_of(scene: Scene, market: str, day: date) -> tuple[Trade, ...]:
    """What was traded of a market on a trading day, as it is known at the scene's moment."""
    [it] = [each for each in MARKETS if each.name == market]
    count = scene.shares[market]
    return trades(scene.seed, it, count, day, is_final=is_final(day, scene.now))
