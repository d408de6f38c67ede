"""Costs as a command says them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gotgan.store.costs import Cost

__all__ = ["cost_fields", "cost_text"]


def cost_text(cost: Cost) -> str:
    """Units, and what they come to on demand: ``785.5 read units, $0.000098 on demand``."""
    from gotgan.store.prices import Price, money

    units = {"read": cost.reads, "write": cost.writes}
    said = [f"{_plain(amount)} {kind} units" for kind, amount in units.items() if amount]
    price = Price.listed()
    due = f"{money(price.on_demand(cost))} on demand in {price.region}"
    return ", ".join([*(said or ["nothing"]), due])


def cost_fields(cost: Cost) -> dict[str, Any]:
    """The same for programs; the amount is text, so that no digit is lost."""
    from gotgan.store.prices import Price

    amount = Price.listed().on_demand(cost)
    return {**cost.shown(), "usd": f"{amount.normalize():f}"}


def _plain(amount: float) -> str:
    return f"{amount:,.1f}".removesuffix(".0")
