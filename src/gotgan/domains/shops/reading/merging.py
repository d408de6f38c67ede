"""One answer out of what several parts of a page say: who is trusted more fills in first."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Final

from gotgan.domains.shops.reading.facts import ProductDetails, ProductFacts

__all__ = ["MergedFacts"]

_FACTS: Final = {
    **{each.name: each.name for each in fields(ProductDetails)},
    "amount": "price",
    "currency": "currency",
    "status": "status",
}
"""What the facts call each thing that is said."""


@dataclass(frozen=True)
class MergedFacts:
    """What is known by now, and where from."""

    said: ProductFacts = field(default_factory=ProductFacts)
    sources: dict[str, str] = field(default_factory=dict)

    def filled(self, source: str, said: ProductFacts) -> MergedFacts:
        """The same with its blanks filled from another source."""
        new = {
            name: getattr(said, name)
            for name in _FACTS
            if getattr(self.said, name) is None and getattr(said, name) is not None
        }
        sources = {_FACTS[name]: source for name in new}
        return MergedFacts(replace(self.said, **new), {**self.sources, **sources})

    def without_currency(self) -> MergedFacts:
        """The same where no amount was found: a currency alone is no price."""
        sources = {name: source for name, source in self.sources.items() if name != "currency"}
        return MergedFacts(replace(self.said, currency=None), sources)
