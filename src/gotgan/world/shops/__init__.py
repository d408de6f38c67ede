"""Simulated shops with different layouts, and their products for checking results."""

from __future__ import annotations

from gotgan.world.scene import Scene
from gotgan.world.shops.registry import SHOPS, WorldShop
from gotgan.world.shops.stock import Product, shop_stock

__all__ = ["Product", "WorldShop", "shop_products", "world_shops"]


def world_shops(_scene: Scene) -> tuple[WorldShop, ...]:
    """All shops of the world."""
    return tuple(SHOPS.values())


def shop_products(scene: Scene, domain: str) -> tuple[Product, ...]:
    """The products of a shop at the scene's moment, newest first; each has a page."""
    return shop_stock(scene.seed, SHOPS[domain], scene.now.date())
