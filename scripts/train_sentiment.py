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
from gotgan.domains.videos.metrics.sentiment import KOREAN_WORTH
from gotgan.domains.videos.metrics.sentiment.features import feature_names, feature_rows, fold
from gotgan.domains.videos.metrics.sentiment.model import (
    BUCKETS,
    DECISIONS_FILE,
    LANGUAGES,
    Floats,
    extract_grams,
    weights_file,
)
from scripts.learning import Bags, Pairs, classes, odds

__all__ = ["learnt", "main"]

Say = Callable[[str], None]

DATA: Final = Path(__file__).parent.parent / "tests" / "data"
SAMPLES: Final = (
    "youtube_comments_labelled.tsv",
    "youtube_comments_long_labelled.tsv",
    "youtube_comments_by_video.tsv",
)
LABELS: Final = ("positive", "neutral", "negative")
PRIOR: Final = (0.42, 0.29, 0.29)
"""How often each label stands below videos, about."""
BRIGHT: Final = frozenset({1, 2, 4, 7, 8, 13, 14, 15, 16, 28, 32, 40, 42, 43})
UNDECIDED: Final = frozenset({11, 24, 29, 39})
"""Of KOTE's 44 emotions: resolve, none, realisation and surprise go with either side."""
NONE: Final = 24
_FEW_EMOTIONS: Final = 2
BELOW_VIDEOS: Final = (0.58, 0.27, 0.15)
"""How often each label stands below Korean videos, which labels are chosen for."""
STARS: Final = (0.02, 0.03, 0.05, 0.10, 0.30, 0.40, 0.55, 0.70, 0.95, 0.98)
"""How likely a film review with one to ten stars is to praise."""
KOTE_WORTH: Final = 25.0
"""Comments are what we score: one of them teaches as much as so many film reviews."""
OWN_WORTH: Final = 30.0
"""And one of our own, which are like those below videos, as much as so many."""
FOLDS: Final = 5
ROUNDS: Final = 25
DECAY: Final = 150.0
PLAIN_DECAY: Final = 100.0
WIDTHS: Final = {"ko": (BUCKETS, BUCKETS // 8), "en": (BUCKETS // 2, BUCKETS // 8)}
"""How many buckets the heads have: whether a comment is neutral takes fewer than its leaning."""
DECISION_DECAY: Final = 1.0
PAIR_WORTH: Final = 1.0
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
    def labels(self) -> npt.NDArray[np.int64]:
        """The label of each, as its emotions suggest; KOTE has none for neutral."""
        few = (self.bright <= _FEW_EMOTIONS) & (self.dark <= _FEW_EMOTIONS)
        is_neutral = (self.is_plain & few) | (self.bright == self.dark)
        return np.where(is_neutral, 1, np.where(self.bright > self.dark, 0, 2))

    @property
    def is_sided(self) -> npt.NDArray[np.bool_]:
        """Whether one side outnumbers the other."""
        return np.asarray(self.bright != self.dark)


@dataclass(frozen=True)
class Lesson:
    """Texts and what the heads should say of each: how bright it is, and whether it is plain."""

    bags: Bags
    brightness: Floats
    plainness: Floats | None
    """None where it is unknown."""
    worth: float
    folds: npt.NDArray[np.int64]
    """In which fold each is left out; -1 for none."""

    def without(self, number: int) -> Lesson:
        """The lesson without the texts of a fold."""
        kept = self.folds != number
        plain = None if self.plainness is None else self.plainness[kept]
        bags, bright = self.bags.only(kept), self.brightness[kept]
        return Lesson(bags, bright, plain, self.worth, self.folds[kept])


@dataclass(frozen=True)
class Table:
    """The weights of a head as they are shipped: a byte for each."""

    levels: npt.NDArray[np.int8]
    scale: float
    bias: float

    @property
    def weights(self) -> tuple[Floats, float]:
        """The weights and the bias."""
        return self.levels.astype(np.float64) * self.scale, self.bias

    @property
    def described(self) -> dict[str, float]:
        """What a reader of the table must know."""
        return {"buckets": len(self.levels), "scale": self.scale, "bias": self.bias}


Weights = tuple[Floats, float]
"""The weight of each bucket, and a bias."""


@dataclass(frozen=True)
class Sample:
    """Our own labelled comments of one language."""

    texts: list[str]
    labels: npt.NDArray[np.int64]
    videos: list[str]
    is_open: npt.NDArray[np.bool_]

    def only(self, chosen: npt.NDArray[np.bool_]) -> Sample:
        """Some of the comments."""
        kept = np.flatnonzero(chosen).tolist()
        texts, videos = [self.texts[at] for at in kept], [self.videos[at] for at in kept]
        return Sample(texts, self.labels[chosen], videos, self.is_open[chosen])

    def features(self, language: str, scores: Floats) -> Floats:
        """The features of the comments, which depend on the title of the video."""
        known = np.zeros((len(self.texts), len(feature_names(language))))
        for title in dict.fromkeys(self.videos):
            at = [place for place, video in enumerate(self.videos) if video == title]
            lines = fold([self.texts[place] for place in at], language)
            known[at] = feature_rows(lines, language, (scores[0, at], scores[1, at]), title)
        return known


def main(folder: Path, *, write: bool) -> None:
    """Learn, say how well, and write what was learnt where it is shipped."""
    weights, decisions = learnt(folder)
    if write:
        home = Path(sentiment.__file__).parent
        for language, table in weights.items():
            (home / weights_file(language)).write_bytes(table)
        (home / DECISIONS_FILE).write_text(decisions, encoding="utf-8")


def learnt(folder: Path, say: Say = print) -> tuple[dict[str, bytes], str]:
    """The tables of the two heads of each language, and the decisions as JSON."""
    decisions, weights = {}, {}
    for language in LANGUAGES:
        tables, decided = _learnt(language, _kote(folder), _nsmc(folder), say)
        names = feature_names(language)
        decisions[language] = {
            "leaning": tables[0].described,
            "plainness": tables[1].described,
            "features": dict(zip(names, np.round(decided, 3).tolist(), strict=True)),
        }
        weights[language] = b"".join(table.levels.tobytes() for table in tables)
    return weights, json.dumps(decisions, ensure_ascii=False, indent=1) + "\n"


def _learnt(
    language: str, kote: Kote, films: tuple[list[str], Floats], say: Say
) -> tuple[tuple[Table, Table], Floats]:
    sample = _sample(language)
    is_open = sample.is_open
    own, held = sample.only(is_open), sample.only(~is_open)
    lessons = [_own_lesson(own, language)]
    if language == "ko":
        lessons += [_kote_lesson(kote), _film_lesson(*films)]
    scores = _unseen_scores(language, lessons)
    leaning, plain = _heads(language, lessons)
    tables = (_quantised(*leaning), _quantised(*plain))
    known = own.features(language, scores[0])
    pairs = None
    if language == "ko":
        theirs = feature_rows(fold(kote.texts, language), language, (scores[1][0], scores[1][1]))
        pairs = _pairs(theirs, kote)
        _report_kote(theirs, scores[1], kote, lessons[1].folds, (known, own), say)
    decided = _decided(known, own, pairs)
    shipped = _scores(_bags(held.texts, language), tables[0].weights, tables[1].weights)
    for name, each, row in (("open", own, known), ("held", held, held.features(language, shipped))):
        right = (row @ decided).argmax(axis=1) == each.labels
        say(f"{language}, our {name} comments: {right.mean():.4f} of {len(right)}")
    return tables, decided


def _own_lesson(own: Sample, language: str) -> Lesson:
    """Our comments; all those below one video are in the same fold."""
    videos = list(dict.fromkeys(own.videos))
    places = np.random.default_rng(0).permutation(len(videos)) % FOLDS
    folds = np.array([places[videos.index(video)] for video in own.videos])
    plain = (own.labels == LABELS.index("neutral")).astype(np.float64)
    return Lesson(_bags(own.texts, language), 1 - own.labels / 2, plain, OWN_WORTH, folds)


def _kote_lesson(kote: Kote) -> Lesson:
    bags = _bags(kote.texts, "ko")
    folds = np.random.default_rng(0).permutation(bags.size) % FOLDS
    return Lesson(bags, kote.aims, kote.is_plain.astype(np.float64), KOTE_WORTH, folds)


def _film_lesson(reviews: list[str], stars: Floats) -> Lesson:
    return Lesson(_bags(reviews, "ko"), stars, None, 1.0, np.full(len(reviews), -1))


def _unseen_scores(language: str, lessons: Sequence[Lesson]) -> list[Floats]:
    """What heads that have not seen a text say of it, for each lesson."""
    scores = [np.zeros((2, lesson.bags.size)) for lesson in lessons]
    for number in range(FOLDS):
        heads = _heads(language, [lesson.without(number) for lesson in lessons])
        for lesson, row in zip(lessons, scores, strict=True):
            test = lesson.folds == number
            if test.any():
                row[:, test] = _scores(lesson.bags.only(test), *heads)
    return scores


def _heads(language: str, lessons: Sequence[Lesson]) -> tuple[Weights, Weights]:
    """The two heads that learn from some lessons."""
    width, plain_width = WIDTHS[language]
    known = [(each, each.plainness) for each in lessons if each.plainness is not None]
    return (
        odds(
            _joined([each.bags for each in lessons], width),
            np.concatenate([each.brightness for each in lessons]),
            _worth(lessons),
            DECAY,
            ROUNDS,
        ),
        odds(
            _joined([each.bags for each, _ in known], plain_width),
            np.concatenate([plain for _, plain in known]),
            _worth([each for each, _ in known]),
            PLAIN_DECAY,
            ROUNDS,
        ),
    )


def _worth(lessons: Sequence[Lesson]) -> Floats:
    return np.concatenate([np.full(each.bags.size, each.worth) for each in lessons])


def _joined(bags: Sequence[Bags], width: int) -> Bags:
    """The texts of all bags, in fewer buckets."""
    whole = sum(bags[1:], bags[0])
    return Bags(whole.rows, whole.buckets // (BUCKETS // width), whole.size, width)


def _scores(bags: Bags, leaning: Weights, plain: Weights) -> Floats:
    """What both heads say of each text."""
    heads = [
        _joined([bags], len(weights)).sums(weights) + bias for weights, bias in (leaning, plain)
    ]
    return np.array(heads)


def _report_kote(
    theirs: Floats,
    scores: Floats,
    kote: Kote,
    folds: npt.NDArray[np.int64],
    ours: tuple[Floats, Sample],
    say: Say,
) -> None:
    """How often KOTE's comments are read rightly, each decided without its own fold."""
    is_bright = kote.bright > kote.dark
    said = np.zeros((len(folds), len(LABELS)))
    for number in range(FOLDS):
        test = folds == number
        said[test] = theirs[test] @ _decided(*ours, _pairs(theirs, kote, ~test))
    for name, leans in (("leaning alone", scores[0] > 0), ("with cues", said[:, 0] > said[:, 2])):
        right = (leans == is_bright)[kote.is_sided]
        say(f"KOTE, unseen, {name}: {right.mean():.4f}")
    labels = kote.labels
    worth = (np.array(BELOW_VIDEOS) / np.bincount(labels))[labels]
    found = (said + np.log(KOREAN_WORTH)).argmax(axis=1)
    shares = np.bincount(found, weights=worth, minlength=len(LABELS))
    say(f"KOTE, three labels as below videos: {worth[found == labels].sum():.4f}")
    say(f"the shares that it finds instead of {BELOW_VIDEOS}: {np.round(shares, 3).tolist()}")


def _pairs(known: Floats, kote: Kote, chosen: npt.NDArray[np.bool_] | None = None) -> Pairs:
    rows = kote.is_sided if chosen is None else chosen & kote.is_sided
    return Pairs(known[rows], (kote.bright > kote.dark)[rows], np.full(rows.sum(), PAIR_WORTH))


def _decided(known: Floats, own: Sample, pairs: Pairs | None) -> Floats:
    aims = np.eye(len(LABELS))[own.labels]
    worth = (np.array(PRIOR) / aims.mean(axis=0))[own.labels]
    return classes(known, aims, worth, DECISION_DECAY, pairs)


def _quantised(weights: Floats, bias: float) -> Table:
    scale = float(np.quantile(np.abs(weights), CLIPPED)) / LEVELS
    levels = np.clip(np.round(weights / scale), -LEVELS, LEVELS).astype(np.int8)
    return Table(levels, round(scale, 9), round(bias, 6))


def _bags(texts: Sequence[str], language: str) -> Bags:
    grams = extract_grams(fold(texts, language))
    return Bags(grams.rows, grams.buckets.astype(np.int64), grams.size, BUCKETS)


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
        videos=[row[2] for row in rows],
        is_open=np.array([row[0] == "open" for row in rows]),
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), write="--write" in sys.argv[2:])
