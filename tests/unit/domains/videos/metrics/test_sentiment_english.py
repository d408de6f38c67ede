"""What the words of an English comment weigh."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files

from gotgan.domains.videos.metrics import sentiment
from gotgan.domains.videos.metrics.sentiment.features import lexicon, praise_and_blame


def test_words_of_praise_and_of_blame_are_weighed_apart() -> None:
    praise, blame = praise_and_blame("great camera and terrible battery")
    assert praise == lexicon().weights["great"]
    assert blame == -lexicon().weights["terrible"]


def test_a_negation_turns_a_word_round_and_leaves_less_of_it() -> None:
    praise, blame = praise_and_blame("this is not a great phone")
    assert praise == 0
    assert 0 < blame < lexicon().weights["great"]


def test_a_booster_makes_a_word_weigh_more() -> None:
    assert (
        praise_and_blame("really boring")[1]
        > praise_and_blame("boring")[1]
        > praise_and_blame("slightly boring")[1]
    )


def test_a_phrase_is_more_than_its_words() -> None:
    assert praise_and_blame("not bad") == (lexicon().weights["not bad"], 0)
    assert praise_and_blame("i can't wait")[0] > 0


def test_what_stands_before_a_but_counts_less() -> None:
    praise, blame = praise_and_blame("great idea but terrible sound")
    assert blame == -lexicon().weights["terrible"]
    assert praise == lexicon().weights["great"] / 2


def test_words_that_nobody_weighed_weigh_nothing() -> None:
    assert praise_and_blame("the train leaves at seven") == (0, 0)


def test_no_word_stands_in_the_lexicon_twice() -> None:
    text = files(sentiment).joinpath("english.txt").read_text(encoding="utf-8")
    lines = [line.split()[1:] for line in text.splitlines() if line[0] in "-123"]
    assert max(Counter(word for line in lines for word in line).values()) == 1
