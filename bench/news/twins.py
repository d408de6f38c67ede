"""Which titles are the same story: a rule for titles, beside measures of likeness.

``python -m bench.news.twins``

Headlines of the world are written differently (``variants``, the same story), or get another number
or company (``others``, another story). MinHash estimates the share of common shingles (Jaccard),
which is calculated exactly here; simhash is a fingerprint of the same shingles.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import blake2b
from random import Random
from typing import Final

from bench.store.boards import table
from gotgan.domains.news.twins import title_keys
from gotgan.world.news.stories import make_headline
from gotgan.world.scene import seeded_random

__all__ = ["main"]

_HEADLINES: Final = 1_000
_SHINGLE: Final = 4
_BITS: Final = 64
_VARIANTS: Final[tuple[Callable[[str], str], ...]] = (
    lambda title: f"{title} - Example News",
    lambda title: f"{title} | The Daily Tally",
    str.upper,
    lambda title: title.replace("'", "\u2019") + "\u2026",
    lambda title: re.sub(r"[,:;.!?]", "", title),
    lambda title: f"UPDATE 1-{title}",
    lambda title: f"BREAKING: {title}",
)


def _headlines() -> list[str]:
    dice = seeded_random("titles")
    found: dict[str, None] = {}
    while len(found) < _HEADLINES:
        found[make_headline(dice).title] = None
    return list(found)


def _other(title: str, dice: Random) -> str:
    """Another story in almost the same words."""
    number = re.search(r"\d+", title)
    if number:
        changed = str(int(number[0]) + dice.randint(1, 9))
        return title[: number.start()] + changed + title[number.end() :]
    words = title.split()
    words[dice.randrange(len(words))] = "Otherco"
    return " ".join(words)


def _shingles(title: str) -> frozenset[str]:
    text = "".join(re.findall(r"\w", title.casefold()))
    return frozenset(text[at : at + _SHINGLE] for at in range(len(text) - _SHINGLE + 1))


def _likeness(one: str, other: str) -> float:
    first, second = _shingles(one), _shingles(other)
    return len(first & second) / max(1, len(first | second))


def _simhash(title: str) -> int:
    votes = [0] * _BITS
    for shingle in _shingles(title):
        value = int.from_bytes(blake2b(shingle.encode(), digest_size=_BITS // 8).digest())
        for bit in range(_BITS):
            votes[bit] += 1 if value >> bit & 1 else -1
    return sum(1 << bit for bit, vote in enumerate(votes) if vote > 0)


_RULES: Final[dict[str, Callable[[str, str], bool]]] = {
    "title_keys (ours)": lambda one, other: bool(title_keys(one) & title_keys(other)),
    **{
        f"MinHash, likeness from {least}": lambda one, other, least=least: (  # type: ignore[misc]
            _likeness(one, other) >= least
        )
        for least in (0.6, 0.7, 0.8, 0.9)
    },
    **{
        f"simhash, up to {most} bits": lambda one, other, most=most: (  # type: ignore[misc]
            (_simhash(one) ^ _simhash(other)).bit_count() <= most
        )
        for most in (3, 8)
    },
}


def main() -> None:
    """Print how many variants each rule finds, and how many other stories it takes for the same."""
    dice, titles = seeded_random("pairs"), _headlines()
    same = [(title, dice.choice(_VARIANTS)(title)) for title in titles]
    others = [(title, _other(title, dice)) for title in titles]
    rows = []
    for name, is_same in _RULES.items():
        found, wrong = (sum(is_same(*pair) for pair in pairs) for pairs in (same, others))
        precision = found / max(1, found + wrong)
        shares = (found / len(same), wrong / len(others), precision)
        rows.append([name, *(f"{share:.3f}" for share in shares)])
    print(table(["rule", "variants found", "others taken for the same", "precision"], rows))


if __name__ == "__main__":
    main()
