"""The sentiment of comments, without a network: positive, neutral or negative.

``docs/videos.md`` describes its sources, and how often it is wrong.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

import numpy as np

from gotgan.domains.videos import messages
from gotgan.domains.videos.metrics.measurements import Label
from gotgan.domains.videos.metrics.sentiment.english import without_title
from gotgan.domains.videos.metrics.sentiment.features import feature_rows, fold
from gotgan.domains.videos.metrics.sentiment.model import LANGUAGES, Floats, model

__all__ = [
    "KOREAN_WORTH",
    "METHOD",
    "SCORE_VERSION",
    "Language",
    "classify",
    "detect_language",
    "score",
]

SCORE_VERSION: Final = "s4"
METHOD: Final = messages.SENTIMENT_METHOD_4()
Language = Literal["ko", "en", "other"]
_LABELS: Final[tuple[Label, ...]] = ("positive", "neutral", "negative")
_BATCH_SIZE: Final = 2000
"""How many comments are classified at a time, to bound the memory."""
KOREAN_WORTH: Final = np.exp([0.4, 0.0, -0.6])
"""What the odds of each label are multiplied by before one is chosen.

The classifier is trained for fewer positive and more negative comments than there are below Korean
videos. It moves labels alone; the score, and so its sign, stays as it was trained.
"""


def classify(
    texts: Sequence[str], languages: Sequence[Language] | None = None, title: str = ""
) -> list[Label]:
    """The label of each comment; an empty one is neutral.

    Languages are detected if they are not given. Words of the video's title say nothing of it.
    """
    known = _detect(texts) if languages is None else languages
    odds = _odds(texts, known, title)
    odds[[language == "ko" for language in known]] *= KOREAN_WORTH
    return [_LABELS[place] for place in odds.argmax(axis=1).tolist()]


def score(texts: Sequence[str], title: str = "") -> list[float]:
    """From 1, surely positive, to -1, surely negative."""
    odds = _odds(texts, _detect(texts), title)
    scores: list[float] = (odds[:, 0] - odds[:, 2]).tolist()
    return scores


def _detect(texts: Sequence[str]) -> list[Language]:
    return [detect_language(text) for text in texts]


def _odds(texts: Sequence[str], languages: Sequence[Language], title: str) -> Floats:
    batches = [
        _batch_odds(texts[place:end], languages[place:end], title)
        for place in range(0, len(texts), _BATCH_SIZE)
        for end in (place + _BATCH_SIZE,)
    ]
    return np.concatenate([np.zeros((0, len(_LABELS))), *batches])


def _batch_odds(texts: Sequence[str], languages: Sequence[Language], title: str) -> Floats:
    odds = np.tile([0.0, 1.0, 0.0], (len(texts), 1))
    for known in LANGUAGES:
        places = [
            place
            for place, language in enumerate(languages)
            if (language == "ko") == (known == "ko") and texts[place].strip()
        ]
        if places:
            learnt, lines = model(known), fold([texts[place] for place in places], known)
            is_learnt = np.array([languages[place] == known for place in places])
            read = without_title(lines, title) if known == "en" else lines
            leaning, plainness = (each * is_learnt for each in learnt.scores(read))
            odds[places] = learnt.classifier(
                feature_rows(lines, known, (leaning, plainness), title)
            )
    return odds


_HANGUL: Final = re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ]+")
_LATIN: Final = re.compile(r"[a-zA-Z]+")
_FOREIGN: Final = re.compile(
    r"[\u00c0-\u024f\u0370-\u058f\u0590-\u0dff\u0e00-\u0eff\u1e00-\u1eff\u3040-\u30ff\u3400-\u9fff]+"
)
_OTHER_WORDS: Final = """
    que los las una muy esta este esto por para pero como mejor gracias amo hermoso hermosa
    cancion nao voce muito uma meu minha isso obrigado obrigada je est les une vous c'est tres
    merci pour dans avec ich und der das ist nicht ein eine sehr danke schon aku saya kamu yang
    banget nya gak bagus keren ini itu dan tidak ang mga naman talaga ko po bir cok bu ve ama
    guzel il che sono bella molto grazie non questo hai nahi kya bhai yaar tum mein jai toi cua
    rat hay anh khong ne nie jest bardzo dobrze
"""
_NOT_ENGLISH: Final = frozenset(
    word + mark for word in _OTHER_WORDS.split() for mark in ("", ",", ".", "!", "!!", "?", "...")
)
"""With the marks that stick to words; to cut all words apart would take longer."""
_MIN_FOREIGN_WORDS: Final = 2
"""How many words of other languages make a Latin text one of them."""
_MIN_FOREIGN_SHARE: Final = 0.1
"""And which part of its words: a long English comment may quote a few."""
_MIN_FOREIGN_CHARS: Final = len("que bueno")
_MIN_HANGUL_SHARE: Final = 0.2
"""Korean comments name bands and games in Latin letters: a fifth of Hangul is enough."""


def detect_language(text: str) -> Language:
    """``ko``, ``en``, or ``other``: any other language, and comments without letters."""
    if text.isascii():
        return "en" if _LATIN.search(text) and not _is_other_latin(text) else "other"
    hangul, latin, foreign = (
        sum(map(len, letters.findall(text))) for letters in (_HANGUL, _LATIN, _FOREIGN)
    )
    if hangul > _MIN_HANGUL_SHARE * (hangul + latin + foreign):
        return "ko"
    if latin > 10 * foreign and not _is_other_latin(text):
        return "en"
    return "other"


def _is_other_latin(text: str) -> bool:
    """Whether a text in Latin letters is not English."""
    if len(text) < _MIN_FOREIGN_CHARS:
        return False
    words = text.lower().split()
    count = sum(map(_NOT_ENGLISH.__contains__, words))
    return count >= max(_MIN_FOREIGN_WORDS, _MIN_FOREIGN_SHARE * len(words))
