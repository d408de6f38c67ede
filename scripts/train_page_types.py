"""Learns the weights of page types: ``python -m scripts.train_page_types FOLDER [--write]``.

The folder holds ``pages/`` and ``products/``; ``docs/decisions/0020-reading-shops.md`` says where
they are from. Every page is learnt twice, with its scripts and without. Pages of one site are never
on both sides. Without ``--write`` it only prints how well it does in a rotation of five folds.
"""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import numpy as np
import numpy.typing as npt

from bench.shops.recorded import RECORDED_TYPES, Recorded, Score, score_types
from gotgan.domains.shops.extract import page_types
from gotgan.domains.shops.extract.page_types import TYPES, WEIGHTS_FILE
from gotgan.domains.shops.extract.reader import signals_of
from scripts.learning import minimised

__all__ = ["FOLDS", "Rotation", "learnt", "main", "rotation"]

Floats = npt.NDArray[np.float64]

FOLDS: Final = 5
DECAY: Final = 30.0
"""How strongly weights are pulled back to the judgement."""
BIAS_DECAY: Final = 3.0
ROUNDS: Final = 200
DIGITS: Final = 3
MIX: Final[Mapping[str, float]] = {
    "product": 0.2,
    "collection": 0.17,
    "listing": 0.13,
    "article": 0.25,
    "service": 0.1,
    "forum": 0.08,
    "documentation": 0.07,
}
"""How often each kind of page is met: between a shop and the open web, which is mostly articles."""

BIAS: Final = (0.0, 0.0, 0.0, 0.2, 0.3)
JUDGEMENT: Final[Mapping[str, tuple[float, float, float, float, float]]] = {
    # product, category, listing, article, other
    "declared: product": (2.5, -0.8, -0.8, -0.8, -0.8),
    "declared: product with a price": (1.0, -0.3, -0.2, -0.3, -0.3),
    "declared: several products": (-0.5, 2.0, 0.3, -0.5, -0.5),
    "declared: collection": (-0.5, 0.8, 0.8, -0.5, -0.5),
    "declared: article": (-0.7, -0.5, 0.0, 1.8, 0.0),
    "declared: talk": (-0.3, -0.5, -0.2, -0.3, 1.5),
    "meta: product": (1.2, 0.3, -0.5, -0.5, -0.5),
    "meta: article": (-0.5, -0.4, -0.1, 1.0, 0.0),
    "meta: group of products": (-0.4, 1.2, 0.4, -0.5, -0.5),
    "offer: own": (1.5, -0.5, -0.5, -0.5, -0.5),
    "offer: outside a shop": (-1.2, -0.2, 0.0, 0.4, 0.7),
    "offer: none": (-1.5, 0.0, 0.3, 0.3, 0.5),
    "shop: signs": (0.5, 0.8, -0.3, -0.5, -0.6),
    "items: for sale": (0.0, 0.8, 0.2, -0.4, -0.2),
    "items: beside one product": (1.2, -1.2, -0.2, 0.0, 0.0),
    "items: for sale in a shop": (0.0, 1.0, -0.2, -0.3, -0.5),
    "items: not for sale": (-0.5, -0.6, 0.8, 0.0, 0.2),
    "story: not of a shop": (-0.8, -0.6, -0.5, 1.0, 0.5),
    "story: with marks of an article": (-0.5, -0.5, -0.5, 1.2, 0.0),
    "price: own": (1.0, -0.3, -0.3, -0.3, -0.2),
    "price: own and no other": (0.5, -0.3, -0.1, 0.0, 0.0),
    "prices: none": (-0.8, -0.5, 0.3, 0.4, 0.4),
    "prices: in a list": (-0.2, 1.0, 0.0, -0.3, -0.3),
    "prices: in a story": (0.0, -0.3, 0.0, 0.5, 0.2),
    "price: own for a time": (-1.0, -0.5, 0.0, 0.0, 1.0),
    "prices: for a time": (-0.3, -0.3, 0.0, 0.0, 0.6),
    "items: with a price": (-0.3, 1.0, 0.2, -0.3, -0.3),
    "buttons: own": (1.0, -0.3, -0.3, -0.3, -0.2),
    "buttons: below the heading": (0.5, 0.0, -0.2, -0.2, -0.2),
    "buttons: many": (-0.2, 0.7, 0.0, -0.2, -0.1),
    "buttons: a few named so": (0.5, 0.0, -0.2, -0.2, -0.1),
    "buttons: many named so": (0.0, 0.6, 0.0, -0.2, -0.2),
    "form: quantity": (0.7, 0.0, -0.2, -0.3, -0.2),
    "cart: form": (0.4, 0.3, -0.2, -0.3, -0.3),
    "cart: link": (0.3, 0.6, -0.3, -0.4, -0.5),
    "words: state": (0.5, 0.2, -0.2, -0.3, -0.2),
    "words: of one product": (1.5, -0.6, -0.5, -0.3, -0.3),
    "words: detail": (0.5, 0.0, -0.3, -0.2, 0.0),
    "words: choosing": (-0.5, 0.8, 0.5, -0.4, -0.3),
    "words: byline": (-0.4, -0.3, 0.0, 0.7, 0.0),
    "words: talk": (-0.4, -0.4, 0.0, -0.2, 1.0),
    "words: service": (-0.5, -0.3, 0.0, -0.1, 0.9),
    "words: elsewhere": (-0.3, 0.0, 0.1, 0.6, 0.0),
    "links: to products": (0.1, 0.5, 0.0, -0.2, -0.3),
    "links: dense": (-0.2, 0.2, 0.6, -0.4, 0.0),
    "items: many": (-0.4, 0.5, 0.6, -0.2, -0.3),
    "items: share of the text": (-0.5, 0.5, 0.7, -0.4, -0.3),
    "items: after prose": (0.3, -0.5, -0.4, 0.4, 0.1),
    "items: with a date": (-0.5, -0.3, 0.8, 0.0, 0.2),
    "items: with prose": (-0.2, -0.2, 0.5, 0.0, 0.1),
    "items: with a button": (-0.1, 0.6, 0.0, -0.3, -0.2),
    "items: to products": (-0.1, 0.6, 0.0, -0.3, -0.2),
    "items: to articles": (-0.4, -0.3, 0.7, 0.1, -0.1),
    "layout: articles": (-0.2, 0.3, 0.4, -0.1, 0.0),
    "layout: one article": (-0.1, -0.3, -0.3, 0.8, 0.0),
    "layout: code": (-0.3, -0.3, -0.1, 0.0, 0.8),
    "form: message": (0.0, -0.1, -0.1, 0.2, 0.2),
    "dates: many": (-0.3, -0.3, 0.6, 0.0, 0.3),
    "next page": (-0.3, 0.5, 0.5, -0.2, 0.0),
    "heading: none": (0.0, 0.0, 0.1, -0.2, 0.2),
    "text: prose": (0.0, -0.2, -0.3, 0.4, 0.2),
    "text: share of prose": (-0.2, -0.3, -0.4, 0.5, 0.3),
    "text: story": (-0.1, -0.1, -0.3, 0.4, 0.2),
    "text: one story": (-0.3, -0.2, -0.4, 0.8, 0.3),
    "path: number": (0.4, -0.1, -0.1, 0.1, -0.1),
    "path: product": (1.2, -0.5, -0.4, -0.3, -0.3),
    "path: category": (-0.6, 1.1, 0.4, -0.4, -0.4),
    "path: article": (-0.4, -0.4, 0.0, 1.1, -0.2),
    "path: listing": (-0.3, 0.1, 0.8, -0.1, -0.2),
    "path: talk": (-0.3, -0.3, 0.0, -0.2, 1.1),
    "path: manual": (-0.3, -0.2, 0.0, -0.2, 1.1),
    "path: root": (-1.5, 0.4, 0.2, -0.8, 0.9),
    "path: house": (-1.3, -0.8, -0.5, 0.0, 1.6),
}
"""What each signal should weigh by judgement; in log-odds."""


@dataclass(frozen=True)
class Sample:
    """A page in one of its two forms: with its scripts, or without."""

    kind: str
    """As the set names it."""
    site: str
    is_bare: bool
    is_scored: bool
    """Whether it is part of the set with all types."""
    signals: Mapping[str, float]


@dataclass(frozen=True)
class Rotation:
    """How well pages of unseen sites are told apart."""

    whole: dict[str, Score]
    folds: tuple[dict[str, Score], ...]

    def worst(self, name: str) -> float:
        """The F1 of a type in its worst fold; folds without such pages do not count."""
        found = (each[name] for each in self.folds)
        return min((each.f1 for each in found if each.right + each.missed), default=0.0)


def main(folder: Path, *, write: bool) -> None:
    """Learn, print how well, and write what was learnt where it is shipped."""
    samples = read_samples(folder)
    for is_bare in (False, True):
        print("without scripts" if is_bare else "with scripts")
        turned = rotation(samples, is_bare=is_bare)
        for name, score in turned.whole.items():
            print(f"  {name}: {score.f1:.3f}, worst fold {turned.worst(name):.3f}")
    if write:
        home = Path(page_types.__file__).parent
        (home / WEIGHTS_FILE).write_text(as_json(learnt(samples)), encoding="utf-8")


def read_samples(folder: Path) -> list[Sample]:
    """The signals of every page, with and without its scripts."""
    pages = [(each, True) for each in Recorded.pages(folder)]
    pages += [(each, False) for each in Recorded.products(folder)]
    return [
        Sample(
            kind=page.truth.get("page_type", "product"),
            site=(urlsplit(page.truth["url"]).hostname or "").removeprefix("www."),
            is_bare=is_bare,
            is_scored=is_scored,
            signals=signals_of((page.bare if is_bare else page).body, page.truth["url"]),
        )
        for page, is_scored in pages
        for is_bare in (False, True)
    ]


def learnt(samples: Iterable[Sample]) -> Floats:
    """A row of weights for each signal, and one for the bias."""
    chosen = list(samples)
    counts = Counter(each.kind for each in chosen)
    worth = np.array([MIX[each.kind] / counts[each.kind] for each in chosen])
    worth *= len(chosen) / worth.sum()
    known, aims = _known(chosen), np.eye(len(TYPES))[[_aim(each) for each in chosen]]
    start = np.array([*JUDGEMENT.values(), BIAS])
    decays = np.full(start.shape, DECAY)
    decays[-1] = BIAS_DECAY

    def slope(flat: Floats) -> tuple[float, Floats]:
        point = flat.reshape(start.shape)
        said = known @ point
        said = said - np.log(np.exp(said).sum(axis=1, keepdims=True))
        loss = -float(np.sum(worth[:, None] * aims * said))
        loss += float(np.sum(decays * (point - start) ** 2)) / 2
        rise = known.T @ (worth[:, None] * (np.exp(said) - aims)) + decays * (point - start)
        return loss, rise.ravel()

    return minimised(slope, start.ravel(), ROUNDS).reshape(start.shape)


def rotation(samples: list[Sample], *, is_bare: bool) -> Rotation:
    """Learn without each fifth of the sites, and score that fifth."""
    fold_of = _folds(samples)
    folds: list[list[tuple[str, str]]] = []
    for fold in range(FOLDS):
        weights = learnt(each for each in samples if fold_of[each.site] != fold)
        test = [
            each
            for each in samples
            if fold_of[each.site] == fold and each.is_scored and each.is_bare == is_bare
        ]
        said = (_known(test) @ weights).argmax(axis=1)
        folds.append([(_type(each), TYPES[at]) for each, at in zip(test, said, strict=True)])
    whole = [pair for pairs in folds for pair in pairs]
    return Rotation(score_types(whole), tuple(map(score_types, folds)))


def as_json(weights: Floats) -> str:
    """The weights as they are shipped."""
    rows = [[round(float(each), DIGITS) for each in row] for row in weights]
    lines = (
        f"  {json.dumps(name)}: {json.dumps(row)}"
        for name, row in zip(JUDGEMENT, rows, strict=False)
    )
    return (
        f'{{\n "bias": {json.dumps(rows[-1])},\n "weights": {{\n' + ",\n".join(lines) + "\n }\n}\n"
    )


def _known(samples: list[Sample]) -> Floats:
    return np.array(
        [[*(each.signals.get(name, 0.0) for name in JUDGEMENT), 1.0] for each in samples]
    )


def _type(sample: Sample) -> str:
    return RECORDED_TYPES.get(sample.kind, "other")


def _aim(sample: Sample) -> int:
    return [str(each) for each in TYPES].index(_type(sample))


def _folds(samples: list[Sample]) -> dict[str, int]:
    """The fold of each site; every kind of page is dealt out evenly."""
    found: dict[str, int] = {}
    dealt: Counter[str] = Counter()
    for each in sorted(samples, key=lambda each: sha256(each.site.encode()).digest()):
        if each.site not in found:
            found[each.site] = dealt[each.kind] % FOLDS
            dealt[each.kind] += 1
    return found


if __name__ == "__main__":
    main(Path(sys.argv[1]), write="--write" in sys.argv[2:])
