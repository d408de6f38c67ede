"""Count how common Korean words are in comments, for the keywords of a video to be compared with.

``python scripts/count_background.py DATA`` reads ``nsmc_train.tsv.gz`` (140,000 film reviews, CC0)
and ``kote_val.tsv.gz`` (5,000 comments of many kinds, MIT) in the folder DATA, finds nouns in them
as it is done for a video, and writes ``background_ko.txt`` beside the code that reads it. The same
data gives the same file. Both sets weigh the same, or films would be the measure of everything.
"""

from __future__ import annotations

import argparse
import gzip
import math
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from gotgan.domains.videos.metrics.nouns import is_korean, noun_stems
from gotgan.domains.videos.metrics.words import plain_text, tokenize

__all__ = ["main"]

_TARGET: Final = Path(__file__).parents[1] / "src/gotgan/domains/videos/metrics/background_ko.txt"
_SETS: Final = ("nsmc_train.tsv.gz", "kote_val.tsv.gz")
_OF: Final = 100_000
_LEAST: Final = 15
_STEP: Final = 1.25
_OFTEN: Final = 5
_HEADER: Final = """\
# How many of 100,000 comments have a Korean word, to the nearest quarter; one count a line.
# Counted by scripts/count_background.py in NSMC (e9t/nsmc, CC0) and KOTE's validation split
# (searle-j/KOTE, MIT), each weighing the same. Words and counts only: no comment is in here.
"""


def _comments(path: Path) -> Iterable[str]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            yield line.rstrip("\n").split("\t")[1]


def _shares(path: Path) -> dict[str, float]:
    """In which part of the comments of a set each noun is met."""
    comments = [set(tokenize(plain_text(comment))) for comment in _comments(path)]
    words = Counter(word for comment in comments for word in comment)
    stems = noun_stems(words, _OFTEN)
    nouns = Counter(
        noun for comment in comments for noun in {stems[word] for word in comment & stems.keys()}
    )
    return {noun: count / len(comments) for noun, count in nouns.items()}


def _tier(share: float) -> int:
    """A count of 100,000, so coarse that many words have the same one."""
    return round(_STEP ** round(math.log(share * _OF, _STEP)))


def main() -> None:
    """Count, and write the table."""
    parser = argparse.ArgumentParser(prog="count_background", description=__doc__)
    parser.add_argument("data", type=Path)
    sets = [_shares(parser.parse_args().data / name) for name in _SETS]
    tiers: defaultdict[int, list[str]] = defaultdict(list)
    for noun in sorted({noun for each in sets for noun in each}):
        share = sum(each.get(noun, 0.0) for each in sets) / len(sets)
        if share * _OF >= _LEAST and is_korean(noun):
            tiers[_tier(share)].append(noun)
    lines = [f"{tier} {' '.join(nouns)}\n" for tier, nouns in sorted(tiers.items(), reverse=True)]
    _TARGET.write_text(_HEADER + "".join(lines), encoding="utf-8")
    print(f"{_TARGET.name}: {sum(map(len, tiers.values())):,} words")


if __name__ == "__main__":
    main()
