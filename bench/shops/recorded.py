"""Real pages that were recorded and labelled by others, and how well the reader does on them.

They are not part of the project: ``pages/`` is of WCXB (CC BY 4.0), ``products/`` of Zyte's
product-extraction-benchmark (MIT). One half of each is for development, the other is held out;
the name of a page decides.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from decimal import Decimal
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from gotgan.domains.shops.currency import minor_digits, parse_currency
from gotgan.domains.shops.extract import PageFacts, Status, read_page
from gotgan.domains.shops.extract.products import declared_status

__all__ = ["BESIDE", "Recorded", "Score", "price_score", "status_score", "type_scores"]

BESIDE: Final = Path(__file__).resolve().parents[3] / "shared" / "data"
"""Where the pages are looked for: beside the checkout."""
_TYPES: Final = {
    "product": "product",
    "collection": "category",
    "listing": "listing",
    "article": "article",
}


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

    @classmethod
    def products(cls, data: Path, *, held_out: bool) -> list[Recorded]:
        """The product pages of one half."""
        truths = json.loads((data / "products" / "ground-truth.json").read_text())
        return list(cls._half(data / "products", truths.items(), held_out=held_out))

    @classmethod
    def pages(cls, data: Path, *, held_out: bool) -> list[Recorded]:
        """The pages of every type of one half."""
        rows = json.loads((data / "pages" / "index.json").read_text())
        named = ((row["id"], row) for row in rows)
        return list(cls._half(data / "pages", named, held_out=held_out))

    @classmethod
    def _half(
        cls, folder: Path, truths: Iterable[tuple[str, dict[str, Any]]], *, held_out: bool
    ) -> Iterator[Recorded]:
        for name, truth in truths:
            if bool(sha256(name.encode()).digest()[0] % 2) == held_out:
                yield cls(truth, gzip.decompress((folder / f"{name}.html.gz").read_bytes()))


def price_score(read: list[tuple[Recorded, PageFacts]]) -> Score:
    """How many prices are right, with their currency where one is given."""
    return _score(
        (bool(page.truth.get("price")), facts.price is not None, _is_paid(page, facts))
        for page, facts in read
    )


def status_score(read: list[tuple[Recorded, PageFacts]]) -> Score:
    """How many availabilities are right."""
    return _score(
        (
            bool(page.truth.get("availability")),
            facts.status is not Status.UNKNOWN,
            facts.status in map(declared_status, page.truth.get("availability") or ()),
        )
        for page, facts in read
    )


def type_scores(read: list[tuple[Recorded, PageFacts]]) -> dict[str, Score]:
    """How well each type of page is told from the others."""
    pairs = [(_TYPES.get(page.truth["page_type"], "other"), facts.type) for page, facts in read]
    return {
        each: _score((true == each, said == each, true == said) for true, said in pairs)
        for each in (*_TYPES.values(), "other")
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
    signs = page.truth.get("currency") or ()
    return is_price and (
        not signs or any(parse_currency(each, facts.currency) == facts.currency for each in signs)
    )
