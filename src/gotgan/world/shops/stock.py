"""The stock of a shop on a day: products come, are repriced, reserved, sold, and go.

Every shelf has one product after another, each for some weeks. Its stages are decided by chance
when it comes, so any day can be computed directly.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from functools import lru_cache
from random import Random
from typing import Final

from gotgan.world.scene import seeded_random
from gotgan.world.shops.languages import Status
from gotgan.world.shops.registry import WorldShop

_LIVES: Final = 100
"""How many products of a shelf have different numbers."""
_SHORTEST, _LONGEST = 20, 60
"""How many days a product has its shelf."""
_EMPTY: Final = 3
"""The longest time that a shelf is empty, in days."""
_BESIDE: Final = 3
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True)
class Product:
    """A product on a day."""

    url: str
    """Its canonical URL."""
    title: str
    status: Status
    price: int | None
    """In minor units of the currency; None on request."""
    currency: str
    number: int
    category: int
    place: str
    """Its path as links have it."""
    came: date
    changed: date
    """The day of the last change of its page."""
    goes: date
    """The day on which its page is gone."""


@dataclass(frozen=True)
class _Stage:
    """What a product is from an age on."""

    age: int
    status: Status | None
    """None once it is gone."""
    price: int | None


@lru_cache(maxsize=128)
def shop_stock(seed: int, shop: WorldShop, day: date) -> tuple[Product, ...]:
    """All products, newest first."""
    shelves = (_on_shelf(seed, shop, shelf, day) for shelf in range(shop.products))
    products = [product for product in shelves if product is not None]
    return tuple(sorted(products, key=lambda each: (each.came, each.number), reverse=True))


def find_product(seed: int, shop: WorldShop, number: int, day: date) -> Product | None:
    """The product of a number, while it exists."""
    shelf = number // _LIVES
    product = _on_shelf(seed, shop, shelf, day) if shelf < shop.products else None
    return product if product is not None and product.number == number else None


def related_products(seed: int, shop: WorldShop, thing: Product) -> list[Product]:
    """The products of the shelves before its own that stay at least as long."""
    shelf = thing.number // _LIVES
    shelves = range(max(0, shelf - _BESIDE), shelf)
    found = (_on_shelf(seed, shop, each, thing.came) for each in shelves)
    return [each for each in found if each is not None and each.goes >= thing.goes]


def _on_shelf(seed: int, shop: WorldShop, shelf: int, day: date) -> Product | None:
    dice = seeded_random(seed, shop.domain, shelf)
    length = dice.randint(_SHORTEST, _LONGEST)
    life, age = divmod(day.toordinal() + dice.randrange(length), length)
    dice = seeded_random(seed, shop.domain, shelf, life)
    category = shelf % shop.categories
    name = shop.language.make_title(dice, category)
    course = _course(dice, shop, length)
    stage = next(each for each in reversed(course) if each.age <= age)
    if stage.status is None:
        return None
    came = day - age * _DAY
    number = shelf * _LIVES + life % _LIVES
    place = shop.product_path(number, name)
    is_kept = stage.status == "RESERVED" and shop.platform is not None
    return Product(
        url=shop.url(place),
        title=name,
        status="SOLD" if is_kept else stage.status,  # shop systems know no reservations
        price=stage.price,
        currency=shop.currency,
        number=number,
        category=category,
        place=place,
        came=came,
        changed=came + stage.age * _DAY,
        goes=came + course[-1].age * _DAY,
    )


def _course(dice: Random, shop: WorldShop, length: int) -> list[_Stage]:
    """The stages of a product; at the end the shelf is empty."""
    price = _price(dice, shop)
    later = price and _rounded(price * dice.choice((80, 90, 100, 100, 110)) // 100, shop)
    third = length // 3
    stages = [_Stage(0, "AVAILABLE", price)]
    if later != price:
        stages.append(_Stage(dice.randint(2, third), "AVAILABLE", later))
    if dice.random() < 0.5:  # noqa: PLR2004 - every second one
        stages.append(_Stage(dice.randint(third + 1, 2 * third - 1), "RESERVED", later))
        stages.append(_Stage(2 * third, dice.choice(("SOLD", "AVAILABLE")), later))
    else:
        stages.append(_Stage(dice.randint(third + 1, 2 * third), "SOLD", later))
    return [*stages, _Stage(length - dice.randint(1, _EMPTY), None, None)]


def _price(dice: Random, shop: WorldShop) -> int | None:
    """The first price; one in twenty is on request."""
    euros = int(40 * 100 ** dice.random())
    if dice.random() < 0.05:  # noqa: PLR2004 - as said
        return None
    return _rounded(euros * (1_400 if shop.currency == "KRW" else 100), shop)


def _rounded(price: int, shop: WorldShop) -> int:
    """Rounded to thousands of won, whole francs, else tens of cents."""
    step = {"KRW": 1_000, "CHF": 100}.get(shop.currency, 10)
    return max(step, price // step * step)
