"""What is read in the words of an English comment."""

from __future__ import annotations

from collections import Counter
from importlib.resources import files
from typing import Final

import pytest

from gotgan.domains.videos.metrics import sentiment
from gotgan.domains.videos.metrics.measurements import Label
from gotgan.domains.videos.metrics.sentiment import classify, score
from gotgan.domains.videos.metrics.sentiment.english import lexicon, read_comment, title_words


def _weighed(line: str, title: str = "") -> tuple[float, float]:
    """The praise and the blame of a folded comment."""
    reading = read_comment(line, title_words(title))
    return reading.praise, reading.blame


def test_words_of_praise_and_of_blame_are_weighed_apart() -> None:
    praise, blame = _weighed("great camera and terrible battery")
    assert praise == lexicon()["great"].weight
    assert blame == -lexicon()["terrible"].weight


def test_a_negation_turns_a_word_round_and_leaves_less_of_it() -> None:
    praise, blame = _weighed("this is not a great phone")
    assert praise == 0
    assert 0 < blame < lexicon()["great"].weight


def test_what_no_longer_is_or_does_not_help_is_blamed() -> None:
    assert _weighed("no longer enjoyable")[1] > 0
    assert _weighed("it is anything but good")[1] > 0
    assert classify(["no longer worth watching", "it didn't help me"]) == ["negative"] * 2


@pytest.mark.parametrize(
    "comment",
    ["not good", "not great", "no good", "wasn't good", "don't love it", "could have been great"],
)
def test_denied_praise_alone_is_negative(comment: str) -> None:
    assert classify([comment]) == ["negative"]


def test_a_denial_stays_where_the_title_has_it_too() -> None:
    assert classify(["do not buy"], title="Why you should NOT buy this phone") == ["negative"]


def test_words_of_denial_may_praise_together() -> None:
    assert classify(["hard to beat", "nothing to complain about"]) == ["positive"] * 2


def test_a_negation_ends_with_its_clause() -> None:
    assert _weighed("no, this is great") == _weighed("this is great")
    assert _weighed("it is not. great video") == _weighed("great video")


def test_what_somebody_does_not_think_reaches_further() -> None:
    praise, blame = _weighed("i don't think this is a very good idea")
    assert praise == 0
    assert blame > 0


def test_praise_of_what_is_not_counts_less() -> None:
    assert 0 < _weighed("it was supposed to be great")[0] < _weighed("it was great")[0]


def test_a_booster_makes_a_word_weigh_more() -> None:
    assert _weighed("really boring")[1] > _weighed("boring")[1] > _weighed("slightly boring")[1] > 0


def test_a_phrase_is_more_than_its_words() -> None:
    assert _weighed("not bad") == (2, 0)
    assert _weighed("i can't wait")[0] > 0
    assert _weighed("it looks like rain") == (0, 0)


def test_what_stands_before_a_but_counts_less() -> None:
    praise, blame = _weighed("great idea but terrible sound")
    assert blame == -lexicon()["terrible"].weight
    assert praise == lexicon()["great"].weight / 2


def test_a_sentence_that_begins_with_however_takes_back_some_of_what_stands_before_it() -> None:
    assert 0 < _weighed("great camera. however, it overheats")[0] < lexicon()["great"].weight


def test_words_that_nobody_weighed_weigh_nothing() -> None:
    assert _weighed("the train leaves at seven") == (0, 0)


@pytest.mark.parametrize(
    ("comment", "title"),
    [
        ("who is here after watching super in theatres", "SUPER | official trailer"),
        ("best buy opens at nine over here", "I worked at Best Buy for a week"),
        ("love story was filmed in boston", "Love Story (1970) explained"),
        ("the killer lives in this street", "The Killer of Route 9"),
    ],
)
def test_words_of_the_title_neither_praise_nor_blame(comment: str, title: str) -> None:
    assert _weighed(comment, title) == (0, 0)
    assert classify([comment], title=title) == ["neutral"]


def test_other_words_still_do_below_such_a_title() -> None:
    title = "Love Story (1970) explained"
    assert classify(["a wonderful film and a beautiful explanation"], title=title) == ["positive"]


def test_a_title_without_words_changes_nothing() -> None:
    assert title_words("1970 … 12/10?!") <= {"12/10"}
    assert _weighed("great", "!!!") == _weighed("great")


_LONG_BLAME: Final = (
    "I used to love this channel and I still respect the work that goes into it. The "
    "pictures are beautiful, the music is nice, and the host is friendly as ever. But this "
    "one is a mess. Half of the claims are wrong, the study he quotes was withdrawn years "
    "ago, and the part about the costs is so misleading that it hurts. When people asked "
    "about it below, their questions were ignored. I expected better. It is sad to see how "
    "lazy this has become, and I am disappointed."
)
_LONG_PRAISE: Final = (
    "Terrible weather, a broken car, no hotel, and a dog that got sick: this trip had "
    "everything that could go wrong. And I loved every minute of it! You two never lose "
    "your good mood, you help everyone you meet, and the pictures from the coast are "
    "gorgeous. I had an awful week myself and laughed so hard at the scene in the garage. "
    "Thank you for this wonderful series, it is the best thing on here."
)


@pytest.mark.parametrize(("text", "label"), [(_LONG_BLAME, "negative"), (_LONG_PRAISE, "positive")])
def test_a_long_comment_sounds_as_its_parts_do_on_average(text: str, label: Label) -> None:
    assert classify([text]) == [label]
    assert (score([text])[0] > 0) == (label == "positive")


def test_more_of_the_same_does_not_change_a_comment() -> None:
    text = "the sound is terrible and i like the idea. "
    assert classify([text * 2]) == classify([text * 12])


def test_no_word_stands_in_the_lexicon_twice() -> None:
    text = files(sentiment).joinpath("english.txt").read_text(encoding="utf-8")
    lines = [line.split()[1:] for line in text.splitlines() if line[0] in "-0123"]
    assert max(Counter(word for line in lines for word in line).values()) == 1
