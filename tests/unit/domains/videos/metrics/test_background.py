"""What is known of words anywhere."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

import pytest

from gotgan.domains.videos import metrics
from gotgan.domains.videos.metrics.words import background_share, stopwords

_TABLES = ("background_ko.txt", "background_en.txt")


def _lines(name: str) -> list[list[str]]:
    text = files(metrics).joinpath(name).read_text(encoding="utf-8")
    return [line.split() for line in text.splitlines() if not line.startswith("#")]


def test_what_is_shipped_is_small() -> None:
    sizes = [len(files(metrics).joinpath(name).read_bytes()) for name in _TABLES]
    assert sum(sizes) < 80_000


@pytest.mark.parametrize("name", _TABLES)
def test_a_word_is_counted_once_and_is_no_stop_word(name: str) -> None:
    words = Counter(word for _, *words in _lines(name) for word in words)
    assert [word for word, count in words.items() if count > 1] == []
    assert words.keys() & stopwords() == set()


@pytest.mark.parametrize("name", _TABLES)
def test_counts_fall_from_line_to_line(name: str) -> None:
    counts = [int(count) for count, *_ in _lines(name)]
    assert counts == sorted(counts, reverse=True)


def test_a_word_that_nobody_counted_is_rarer_than_any_other() -> None:
    rarest = min(int(count) for name in _TABLES for count, *_ in _lines(name))
    assert 0 < background_share("드론날개") < rarest / 100_000
