"""English comments, sentence by sentence: what praises, what blames, and small words beside it.

``english.txt`` has the words. A comment is tokenised once; words that it does not know cost one
lookup each.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cache
from itertools import islice
from typing import Final

import numpy as np

from gotgan.domains.videos.metrics.sentiment.model import Floats
from gotgan.domains.videos.metrics.words import data_lines

WORD_CUES: Final = (
    "denial",
    "you",
    "they",
    "me",
    "money",
    "another",
    "asking",
    "fan",
    "ought",
    "excess",
)
"""Small words and phrases that lean one way, as ``english.txt`` names them."""
_DENIAL: Final = WORD_CUES.index("denial")
OPINIONS: Final = ("praise", "blame", "praise alone", "blame alone", "long")
"""What is known of a comment beside its cues; see ``LexiconScores.features``."""
_MAX_SCORE: Final = 4.0
"""A higher score changes nothing."""
_MAX_COUNT: Final = 3.0
"""More of the same cue does not count."""
_USUAL_WORDS: Final = 25
"""Of a longer comment, what an average part of so many words and marks has counts: in a long one,
words of praise stand by chance, and sums would grow with them."""
_MAX_LONG: Final = 1.5
"""The logarithm of how many such parts make a comment as long as it gets."""

_TOKEN: Final = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|\d+/10+|[.!?,;:()\n]")
_BOOSTER_REACH: Final = 3
_DENIAL_REACH: Final = 4
"""How many words after a "not" it turns round, unless the clause ends before."""
_THOUGHT_REACH: Final = 2
"""How many words more after a phrase such as "don't think"."""
_DENIED_PRAISE: Final = -0.6
_DENIED_BLAME: Final = -0.4
"""The factors of a "not": good is more than not bad, and "not a scam" praises little."""
_UNREAL_REACH: Final = 4
_UNREAL_PRAISE: Final = 0.4
"""The factor of praise after "would", "supposed" or "if": it tells of what is not."""
_BEFORE_CONTRAST: Final = 0.5
"""The factor of the part of a sentence that a "but" follows."""
_BEFORE_TURN: Final = 0.7
"""The factor of all sentences before one that begins with "but" or "however"."""
_FAR: Final = -99
_ASKING: Final = re.compile(
    r" ?(?:what|when|where|who|which|how|why|does|do|did|is|are|can|could|will|would|any)\b"
)
"""A comment that begins with one of these mostly asks something."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words that follow a first one, and what they mean together."""

    tail: tuple[str, ...]
    weight: float = 0.0
    cue: int = -1
    role: str = ""


@dataclass(slots=True)
class Entry:
    """What a word of the lexicon means, alone and as the first of phrases."""

    weight: float = 0.0
    factor: float = 1.0
    role: str = ""
    """``not``, ``if``, ``but``, ``end`` of a sentence, or ``pause``."""
    cue: int = -1
    phrases: dict[str, list[Phrase]] = field(default_factory=dict)
    """By their second word, the longest first."""


@cache
def lexicon() -> dict[str, Entry]:
    """The lexicon of ``english.txt``."""
    found: dict[str, Entry] = {mark: Entry(role="end") for mark in ".!?\n"}
    found.update({mark: Entry(role="pause") for mark in ",;:()"})
    for kind, *words in data_lines(__package__, "english.txt"):
        for first, *tail in (word.split("_") for word in words):
            entry = found.setdefault(first, Entry())
            _define(entry, kind, tuple(tail))
    for phrases in (each for entry in found.values() for each in entry.phrases.values()):
        phrases.sort(key=lambda phrase: -len(phrase.tail))
    return found


def _define(entry: Entry, kind: str, tail: tuple[str, ...]) -> None:
    cue = WORD_CUES.index(kind[1:]) if kind.startswith("@") else -1
    if tail:
        phrase = Phrase(tail, role=kind, cue=_DENIAL) if kind == "not" else Phrase(tail, cue=cue)
        if kind != "not" and cue < 0:
            phrase = Phrase(tail, float(kind))
        entry.phrases.setdefault(tail[0], []).append(phrase)
    elif cue >= 0:
        entry.cue = cue
    elif kind.startswith("x"):
        entry.factor = float(kind[1:])
    elif kind in {"not", "if", "but"}:
        entry.role = kind
    else:
        entry.weight = float(kind)


class LexiconScores:
    """What is read in a comment, word by word."""

    def __init__(self) -> None:
        self.words = 0
        self.sentences: list[tuple[float, float]] = []
        """The praise and the blame of each sentence, both from zero up."""
        self.cues = [0.0] * len(WORD_CUES)
        self._praise = self._blame = 0.0
        self._boost = 1.0
        self._boosted = self._denied = self._unreal = _FAR

    @property
    def praise(self) -> float:
        """The praise of all sentences."""
        return sum(praise for praise, _ in self.sentences)

    @property
    def blame(self) -> float:
        """The blame of all sentences."""
        return sum(blame for _, blame in self.sentences)

    def features(self) -> list[float]:
        """The columns ``OPINIONS`` and ``WORD_CUES``."""
        praise, blame = self.praise, self.blame
        parts = max(self.words / _USUAL_WORDS, 1.0)
        return [
            min(praise / parts, _MAX_SCORE),
            min(blame / parts, _MAX_SCORE),
            float(praise > 0 and not blame),
            float(blame > 0 and not praise),
            min(math.log(parts), _MAX_LONG),
            *[min(count / parts, _MAX_COUNT) for count in self.cues],
        ]

    def weigh(self, place: int, weight: float) -> None:
        """A word or a phrase that praises or blames."""
        if place - self._boosted <= _BOOSTER_REACH:
            weight *= self._boost
        if place - self._denied <= _DENIAL_REACH:
            weight *= _DENIED_PRAISE if weight > 0 else _DENIED_BLAME
        elif weight > 0 and place - self._unreal <= _UNREAL_REACH:
            weight *= _UNREAL_PRAISE
        if weight > 0:
            self._praise += weight
        else:
            self._blame -= weight
        self._boost = 1.0

    def boost(self, place: int, factor: float) -> None:
        """A word that makes others stronger or weaker."""
        self._boost = factor * (self._boost if place - self._boosted == 1 else 1.0)
        self._boosted = place

    def turn(self, place: int, role: str) -> None:
        """A word or a mark that changes what others mean."""
        if role == "not":
            self._denied = place
        elif role == "if":
            self._unreal = place
        else:
            self._boosted = self._denied = self._unreal = _FAR
            if role == "end":
                self.end_sentence()
            elif role == "but":
                self._contrast()

    def end_sentence(self) -> None:
        """What follows is another sentence."""
        if self._praise or self._blame:
            self.sentences.append((self._praise, self._blame))
            self._praise = self._blame = 0.0

    def _contrast(self) -> None:
        if self._praise or self._blame:
            self._praise *= _BEFORE_CONTRAST
            self._blame *= _BEFORE_CONTRAST
        else:
            self.sentences = [
                (up * _BEFORE_TURN, down * _BEFORE_TURN) for up, down in self.sentences
            ]


def title_words(title: str) -> frozenset[str]:
    """The words of a title and its runs of words, which neither praise nor blame below it."""
    words = [word for word in _TOKEN.findall(_straight(title.lower())) if word[0].isalnum()]
    runs = range(1, len(words) + 1)
    return frozenset(
        " ".join(words[start : start + length])
        for length in islice(runs, 6)
        for start in range(len(words) - length + 1)
    )


def without_title(lines: str, title: str) -> str:
    """Folded comments without the words of a title that would praise or blame."""
    named = sorted(filter(_is_opinion, title_words(title)), key=len, reverse=True)
    if not named:
        return lines
    runs = "|".join(map(re.escape, named))
    return re.sub(rf" *(?<!\w)(?:{runs})(?!\w)", "", _straight(lines))


def _is_opinion(run: str) -> bool:
    first, *tail = run.split()
    entry = lexicon().get(first, Entry())
    phrases = entry.phrases.get(tail[0], ()) if tail else ()
    is_phrase = any(each.weight and each.tail == tuple(tail) for each in phrases)
    return is_phrase or (bool(entry.weight) and not tail)


def read_comments(lines: Sequence[str], named: AbstractSet[str]) -> Floats:
    """The columns ``OPINIONS`` and ``WORD_CUES`` of folded comments, a comment a row."""
    return np.array([read_comment(line, named).features() for line in lines])


def read_comment(line: str, named: AbstractSet[str] = frozenset()) -> LexiconScores:
    """Read a folded comment; words that are ``named`` in the title neither praise nor blame."""
    known, words, reading, free = lexicon(), _TOKEN.findall(_straight(line)), LexiconScores(), 0
    reading.words = len(words)
    if _ASKING.match(line):
        reading.cues[WORD_CUES.index("asking")] += 1
    for place in [place for place, word in enumerate(words) if word in known]:
        if place < free:
            continue
        entry = known[words[place]]
        phrase = _phrase(words, place, entry) if entry.phrases else None
        meaning = phrase or entry
        free = place + (len(phrase.tail) + 1 if phrase else 1)
        if meaning.cue >= 0:
            reading.cues[meaning.cue] += 1
        if meaning.weight and not (named and " ".join(words[place:free]) in named):
            reading.weigh(place, meaning.weight)
        if meaning.role:
            reading.turn(free - 1 + (_THOUGHT_REACH if phrase else 0), meaning.role)
        elif meaning.weight < 0 and entry.role == "if":  # could have been great
            reading.turn(free - 1, entry.role)
        elif phrase is None and entry.factor != 1.0:
            reading.boost(place, entry.factor)
    reading.end_sentence()
    return reading


def _phrase(words: list[str], place: int, entry: Entry) -> Phrase | None:
    """The longest phrase that begins with a word."""
    if place + 1 < len(words):
        for phrase in entry.phrases.get(words[place + 1], ()):
            if tuple(words[place + 1 : place + 1 + len(phrase.tail)]) == phrase.tail:
                return phrase
    return None


def _straight(text: str) -> str:
    return text.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
