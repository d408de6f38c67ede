"""What the words of an English comment weigh, and what makes them weigh more or less."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Final

__all__ = ["Lexicon", "lexicon", "weighed"]

_WORD: Final = re.compile(r"[^\W\d_]+(?:'[a-z]+)?|\d+/10+")
_REACH: Final = 3
"""So many words back is looked for what turns a word round or makes it stronger."""
_TURNED: Final = -0.6
"""What is left of a word after a "not": good is more than not bad."""
_TURNS: Final = frozenset(("but", "however", "although", "unfortunately"))
_BEFORE: Final = 0.5
"""What is left of a word that a "but" follows."""


@dataclass(frozen=True)
class Lexicon:
    """Words and phrases with what they weigh, and words that change what others weigh."""

    weights: dict[str, float] = field(default_factory=dict)
    factors: dict[str, float] = field(default_factory=dict)
    openings: dict[str, int] = field(default_factory=dict)
    """How many words the longest phrase has that a word opens."""


@cache
def lexicon() -> Lexicon:
    """The list that is shipped."""
    found = Lexicon()
    text = files(__package__).joinpath("english.txt").read_text(encoding="utf-8")
    for line in text.splitlines():
        if not line.startswith("#"):
            _read(line, found)
    return found


def _read(line: str, found: Lexicon) -> None:
    kind, *words = line.split()
    if kind == "not":
        found.factors.update(dict.fromkeys(words, _TURNED))
    elif kind.startswith("x"):
        found.factors.update(dict.fromkeys(words, float(kind[1:])))
    else:
        for parts in (word.split("_") for word in words):
            found.weights[" ".join(parts)] = float(kind)
            found.openings[parts[0]] = max(found.openings.get(parts[0], 1), len(parts))


def weighed(line: str) -> tuple[float, float]:
    """How much praise and how much blame a folded comment holds, both from zero up."""
    words = _WORD.findall(line.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'"))
    turn = _turn(words)
    praise = blame = 0.0
    place = 0
    while place < len(words):
        length, weight = _found(words, place)
        if weight:
            weight *= _context(words, place) * (_BEFORE if place < turn else 1.0)
            praise += max(weight, 0.0)
            blame += max(-weight, 0.0)
        place += length
    return praise, blame


def _turn(words: list[str]) -> int:
    """Where the comment turns with a "but"; what stands after it is what was meant."""
    return next((place for place, word in enumerate(words) if place and word in _TURNS), 0)


def _found(words: list[str], place: int) -> tuple[int, float]:
    """The longest phrase that starts here, as how many words it has and what it weighs."""
    known = lexicon()
    longest = known.openings.get(words[place], 0)
    for length in range(longest, 0, -1):
        weight = known.weights.get(" ".join(words[place : place + length]))
        if weight is not None:
            return length, weight
    return 1, 0.0


def _context(words: list[str], place: int) -> float:
    """By how much the words before it change what a word weighs."""
    factors = lexicon().factors
    factor = 1.0
    for word in words[max(0, place - _REACH) : place]:
        factor *= factors.get(word, 1.0)
    return factor
