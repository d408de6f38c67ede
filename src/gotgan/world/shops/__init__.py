"""Shops of many shapes, and what is true of them: their pages can be checked against it."""

from __future__ import annotations

from gotgan.world.scene import Scene
from gotgan.world.shops.registry import SHOPS, WorldShop
from gotgan.world.shops.stock import Product, stock_of

__all__ = ["Product", "WorldShop", "products_of", "shops_of"]


def shops_of(_scene: Scene) -> tuple[WorldShop, ...]:
    """All shops of the world."""
    return tuple(SHOPS.values())


def products_of(scene: Scene, domain: str) -> tuple[Product, ...]:
    """What a shop has at the scene's moment, the newest first; of all of it there is a page."""
    return stock_of(scene.seed, SHOPS[domain], scene.now.date())
