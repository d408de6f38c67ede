"""Learns the built-in sentiment: ``python -m scripts.train_sentiment FOLDER [--write]``.

The folder holds ``nsmc_train.tsv.gz`` and ``kote_val.tsv.gz``; ``docs/videos.md`` says
where they are from. Without ``--write`` it only prints how well it does.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np
import numpy.typing as npt

from gotgan.domains.videos.metrics import sentiment
from gotgan.domains.videos.metrics.sentiment.features import (
    english_feature_names,
    english_features,
    korean_feature_names,
    korean_features,
)
from gotgan.domains.videos.metrics.sentiment.model import (
    BUCKETS,
    DECISIONS_FILE,
    PLAIN_BUCKETS,
    WEIGHTS_FILE,
    Floats,
    extract_grams,
    fold_texts,
)
from scripts.learning import Bags, Pairs, classes, odds

__all__ = ["learnt", "main"]

Say = Callable[[str], None]

DATA: Final = Path(__file__).parent.parent / "tests" / "data"
SAMPLES: Final = ("youtube_comments_labelled.tsv", "youtube_comments_long_labelled.tsv")
LABELS: Final = ("positive", "neutral", "negative")
PRIOR: Final = (0.42, 0.29, 0.29)
"""How often each label stands under videos, about; our sample has nearly as many of each."""
BRIGHT: Final = frozenset({1, 2, 4, 7, 8, 13, 14, 15, 16, 28, 32, 40, 42, 43})
UNDECIDED: Final = frozenset({11, 24, 29, 39})
"""Of KOTE's 44 emotions: resolve, none, realisation and surprise go with either side."""
NONE: Final = 24
STARS: Final = (0.02, 0.03, 0.05, 0.10, 0.30, 0.40, 0.55, 0.70, 0.95, 0.98)
"""How likely a film review with one to ten stars is to praise."""
KOTE_WORTH: Final = 15.0
"""Comments are what we score: one of them teaches as much as so many film reviews."""
FOLDS: Final = 5
ROUNDS: Final = 25
DECAY: Final = 150.0
PLAIN_DECAY: Final = 100.0
DECISION_DECAY: Final = 1.0
PAIR_WORTH: Final = 0.1
LEVELS: Final = 127
CLIPPED: Final = 0.9995


@dataclass(frozen=True)
class Kote:
    """KOTE's comments: how many bright and dark emotions people saw in each, and whether none."""

    texts: list[str]
    bright: Floats
    dark: Floats
    is_plain: npt.NDArray[np.bool_]

    @property
    def aims(self) -> Floats:
        """How bright each comment is, from 0 to 1."""
        return np.asarray((self.bright + 0.25) / (self.bright + self.dark + 0.5))

    @property
    def is_sided(self) -> npt.NDArray[np.bool_]:
        """Whether one side outnumbers the other."""
        return np.asarray(self.bright != self.dark)


@dataclass(frozen=True)
class Table:
    """The weights of a head as they are shipped: a byte for each."""

    levels: npt.NDArray[np.int8]
    scale: float
    bias: float

    def said(self, bags: Bags) -> Floats:
        """What the head says of each text."""
        return np.asarray(bags.sums(self.levels.astype(np.float64) * self.scale) + self.bias)


@dataclass(frozen=True)
class Sample:
    """Our own labelled comments of one language."""

    texts: list[str]
    labels: npt.NDArray[np.int64]
    is_open: npt.NDArray[np.bool_]


def main(folder: Path, *, write: bool) -> None:
    """Learn, say how well, and write what was learnt where it is shipped."""
    weights, decisions = learnt(folder)
    if write:
        home = Path(sentiment.__file__).parent
        (home / WEIGHTS_FILE).write_bytes(weights)
        (home / DECISIONS_FILE).write_text(decisions, encoding="utf-8")


def learnt(folder: Path, say: Say = print) -> tuple[bytes, str]:
    """The tables of the two heads, and the decisions as JSON."""
    kote, (reviews, stars) = _kote(folder), _nsmc(folder)
    comments, films = _bags(kote.texts), _bags(reviews)
    folds = np.random.default_rng(0).permutation(comments.size) % FOLDS
    unseen = np.zeros((2, comments.size))
    for fold in range(FOLDS):
        test = folds == fold
        leaning = _leaning(films, stars, comments.only(~test), kote.aims[~test])
        plain = _plainness(comments.only(~test), kote.is_plain[~test])
        unseen[0, test] = comments.only(test).sums(leaning[0]) + leaning[1]
        unseen[1, test] = _narrow(comments.only(test)).sums(plain[0]) + plain[1]
    leaning = _leaning(films, stars, comments, kote.aims)
    plain = _plainness(comments, kote.is_plain)
    tables = [_quantised(*leaning), _quantised(*plain)]
    korean = _korean(kote, unseen, folds, tables, say)
    english = _english(say)
    decisions = {
        "leaning": {"scale": tables[0].scale, "bias": tables[0].bias},
        "plainness": {"scale": tables[1].scale, "bias": tables[1].bias},
        "korean": dict(zip(korean_feature_names(), np.round(korean, 3).tolist(), strict=True)),
        "english": dict(zip(english_feature_names(), np.round(english, 3).tolist(), strict=True)),
    }
    weights = b"".join(table.levels.tobytes() for table in tables)
    return weights, json.dumps(decisions, ensure_ascii=False, indent=1) + "\n"


def _leaning(films: Bags, stars: Floats, comments: Bags, aims: Floats) -> tuple[Floats, float]:
    worth = np.concatenate([np.ones(films.size), np.full(comments.size, KOTE_WORTH)])
    return odds(films + comments, np.concatenate([stars, aims]), worth, DECAY, ROUNDS)


def _plainness(comments: Bags, is_plain: npt.NDArray[np.bool_]) -> tuple[Floats, float]:
    worth = np.full(comments.size, KOTE_WORTH)
    return odds(_narrow(comments), is_plain.astype(np.float64), worth, PLAIN_DECAY, ROUNDS)


def _korean(
    kote: Kote, unseen: Floats, folds: npt.NDArray[np.int64], tables: Sequence[Table], say: Say
) -> Floats:
    """Decided by our open half, and by which way KOTE's comments lean."""
    theirs = korean_features(fold_texts(kote.texts), unseen[0], unseen[1])
    sample = _sample("ko")
    bags = _bags(sample.texts)
    heads = [table.said(each) for table, each in zip(tables, (bags, _narrow(bags)), strict=True)]
    ours = korean_features(fold_texts(sample.texts), heads[0], heads[1])
    is_bright = kote.bright > kote.dark
    right = (unseen[0] > 0) == is_bright
    say(f"KOTE, unseen, leaning alone: {right[kote.is_sided].mean():.4f}")
    for fold in range(FOLDS):
        weights = _decided(ours, sample, _pairs(theirs, kote, folds != fold))
        test = folds == fold
        right[test] = (theirs[test] @ (weights[:, 0] - weights[:, 2]) > 0) == is_bright[test]
    say(f"KOTE, unseen, with cues: {right[kote.is_sided].mean():.4f}")
    weights = _decided(ours, sample, _pairs(theirs, kote, folds >= 0))
    _report("Korean", ours, weights, sample, say)
    return weights


def _pairs(known: Floats, kote: Kote, chosen: npt.NDArray[np.bool_]) -> Pairs:
    rows = chosen & kote.is_sided
    return Pairs(known[rows], (kote.bright > kote.dark)[rows], np.full(rows.sum(), PAIR_WORTH))


def _english(say: Say) -> Floats:
    sample = _sample("en")
    known = english_features(sample.texts)
    weights = _decided(known, sample, None)
    _report("English", known, weights, sample, say)
    return weights


def _decided(known: Floats, sample: Sample, pairs: Pairs | None) -> Floats:
    aims = np.eye(len(LABELS))[sample.labels][sample.is_open]
    shares = np.array(PRIOR) / aims.mean(axis=0)
    worth = shares[sample.labels[sample.is_open]]
    return classes(known[sample.is_open], aims, worth, DECISION_DECAY, pairs)


def _report(name: str, known: Floats, weights: Floats, sample: Sample, say: Say) -> None:
    right = (known @ weights).argmax(axis=1) == sample.labels
    say(f"{name}, open half: {right[sample.is_open].mean():.4f}")
    say(f"{name}, held half: {right[~sample.is_open].mean():.4f}")


def _quantised(weights: Floats, bias: float) -> Table:
    scale = float(np.quantile(np.abs(weights), CLIPPED)) / LEVELS
    levels = np.clip(np.round(weights / scale), -LEVELS, LEVELS).astype(np.int8)
    return Table(levels, round(scale, 9), round(bias, 6))


def _bags(texts: Sequence[str]) -> Bags:
    grams = extract_grams(fold_texts(texts))
    return Bags(grams.rows, grams.buckets.astype(np.int64), grams.size, BUCKETS)


def _narrow(bags: Bags) -> Bags:
    return Bags(bags.rows, bags.buckets // (BUCKETS // PLAIN_BUCKETS), bags.size, PLAIN_BUCKETS)


def _kote(folder: Path) -> Kote:
    rows = list(_rows(folder / "kote_val.tsv.gz"))
    emotions = [{int(number) for number in row[2].split(",")} for row in rows]
    return Kote(
        texts=[_unquoted(row[1]) for row in rows],
        bright=np.array([float(len(each & BRIGHT)) for each in emotions]),
        dark=np.array([float(len(each - BRIGHT - UNDECIDED)) for each in emotions]),
        is_plain=np.array([NONE in each for each in emotions]),
    )


def _unquoted(text: str) -> str:
    return text[1:-1].replace('""', '"') if text[:1] == text[-1:] == '"' else text


def _nsmc(folder: Path) -> tuple[list[str], Floats]:
    rows = list(_rows(folder / "nsmc_train.tsv.gz"))
    return [row[1] for row in rows], np.array([STARS[int(row[0]) - 1] for row in rows])


def _rows(path: Path) -> Iterator[list[str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            yield line.rstrip("\n").split("\t")


def _sample(language: str) -> Sample:
    texts = [(DATA / name).read_text(encoding="utf-8") for name in SAMPLES]
    lines = [line.split("\t") for text in texts for line in text.splitlines()[1:]]
    rows = [row for row in lines if row[1] == language]
    return Sample(
        texts=[row[4] for row in rows],
        labels=np.array([LABELS.index(row[3]) for row in rows]),
        is_open=np.array([row[0] == "open" for row in rows]),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), write="--write" in sys.argv[2:])
