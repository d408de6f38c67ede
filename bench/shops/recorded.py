"""Real pages that were recorded and labelled by others, and how well the reader does on them.

They are not part of the project: ``pages/`` is of WCXB (CC BY 4.0), ``products/`` of Zyte's
product-extraction-benchmark (MIT).
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any, Final

from gotgan.domains.shops.currency import Home, minor_digits, parse_currency
from gotgan.domains.shops.extract import PageFacts, Status, read_page
from gotgan.domains.shops.extract.products import declared_status

__all__ = [
    "BESIDE",
    "RECORDED_TYPES",
    "Recorded",
    "Score",
    "currency_score",
    "price_score",
    "score_types",
    "status_score",
    "type_scores",
]

BESIDE: Final = Path(__file__).resolve().parents[3] / "shared" / "data"
"""Where the pages are looked for: beside the checkout."""
RECORDED_TYPES: Final = {
    "product": "product",
    "collection": "category",
    "listing": "listing",
    "article": "article",
}


_SCRIPT: Final = re.compile(rb"<script\b.*?</script\s*>", re.DOTALL | re.IGNORECASE)


@dataclass(frozen=True)
class Score:
    """What was found and right, found and wrong, and missed."""

    right: int
    wrong: int
    missed: int

    @property
    def precision(self) -> float:
        """Which share of what was found is right."""
        return self.right / max(1, self.right + self.wrong)

    @property
    def recall(self) -> float:
        """Which share of what is there was found."""
        return self.right / max(1, self.right + self.missed)

    @property
    def f1(self) -> float:
        """Both in one number."""
        return 2 * self.right / max(1, 2 * self.right + self.wrong + self.missed)


@dataclass(frozen=True)
class Recorded:
    """A page, what is true of it, and what the reader says."""

    truth: dict[str, Any]
    body: bytes

    @property
    def facts(self) -> PageFacts:
        """What the reader says."""
        return read_page(self.body, self.truth["url"])

    @property
    def bare(self) -> Recorded:
        """The same page without its scripts."""
        return Recorded(self.truth, _SCRIPT.sub(b"", self.body))

    @classmethod
    def products(cls, data: Path) -> list[Recorded]:
        """The product pages."""
        truths = json.loads((data / "products" / "ground-truth.json").read_text())
        return list(cls._read(data / "products", truths.items()))

    @classmethod
    def pages(cls, data: Path) -> list[Recorded]:
        """The pages of every type."""
        rows = json.loads((data / "pages" / "index.json").read_text())
        return list(cls._read(data / "pages", ((row["id"], row) for row in rows)))

    @classmethod
    def _read(
        cls, folder: Path, truths: Iterable[tuple[str, dict[str, Any]]]
    ) -> Iterator[Recorded]:
        for name, truth in truths:
            yield cls(truth, gzip.decompress((folder / f"{name}.html.gz").read_bytes()))


def price_score(read: list[tuple[Recorded, PageFacts]]) -> Score:
    """How many prices are right, with their currency where one is given."""
    return _score(
        (bool(page.truth.get("price")), facts.price is not None, _is_paid(page, facts))
        for page, facts in read
    )


def currency_score(read: list[tuple[Recorded, PageFacts]]) -> Score:
    """How many currencies are right."""
    return _score(
        (
            bool(page.truth.get("currency")),
            facts.currency is not None and bool(page.truth.get("currency")),
            _is_currency(page, facts),
        )
        for page, facts in read
    )


def status_score(read: list[tuple[Recorded, PageFacts]], *, with_default: bool = True) -> Score:
    """How many availabilities are right; the default is that what has a price is available."""
    return _score(
        (
            bool(page.truth.get("availability")),
            facts.status is not Status.UNKNOWN
            and (with_default or facts.sources.get("status") != "price"),
            facts.status in map(declared_status, page.truth.get("availability") or ()),
        )
        for page, facts in read
    )


def type_scores(read: list[tuple[Recorded, PageFacts]]) -> dict[str, Score]:
    """How well each type of page is told from the others."""
    return score_types(
        (RECORDED_TYPES.get(page.truth["page_type"], "other"), facts.type) for page, facts in read
    )


def score_types(pairs: Iterable[tuple[str, str]]) -> dict[str, Score]:
    """The score of each type, from pairs of the true type and the one that was said."""
    listed = list(pairs)
    return {
        each: _score((true == each, said == each, true == said) for true, said in listed)
        for each in (*RECORDED_TYPES.values(), "other")
    }


def _score(cases: Iterable[tuple[bool, bool, bool]]) -> Score:
    """Count cases: whether there is something, whether it was found, and whether it is right."""
    listed = list(cases)
    return Score(
        right=sum(there and found and right for there, found, right in listed),
        wrong=sum(found and not (there and right) for there, found, right in listed),
        missed=sum(there and not (found and right) for there, found, right in listed),
    )


def _is_paid(page: Recorded, facts: PageFacts) -> bool:
    if facts.price is None:
        return False
    amount = Decimal(facts.price).scaleb(-minor_digits(facts.currency))
    is_price = any(Decimal(each) == amount for each in page.truth.get("price") or ())
    return is_price and (not page.truth.get("currency") or _is_currency(page, facts))


def _is_currency(page: Recorded, facts: PageFacts) -> bool:
    signs = page.truth.get("currency") or ()
    return any(parse_currency(each, Home(facts.currency)) == facts.currency for each in signs)
