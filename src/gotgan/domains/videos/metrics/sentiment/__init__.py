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
from gotgan.domains.videos.metrics.sentiment.features import english_features, korean_features
from gotgan.domains.videos.metrics.sentiment.model import Floats, extract_grams, fold_texts, model

__all__ = ["METHOD", "SCORE_VERSION", "Language", "classify", "detect_language", "score"]

SCORE_VERSION: Final = "s2"
METHOD: Final = messages.SENTIMENT_METHOD()
_LABELS: Final[tuple[Label, ...]] = ("positive", "neutral", "negative")
_BATCH_SIZE: Final = 2000
"""How many comments are classified at a time, to bound the memory."""


def classify(texts: Sequence[str]) -> list[Label]:
    """The label of each comment; an empty one is neutral."""
    return [_LABELS[place] for place in _odds(texts).argmax(axis=1).tolist()]


def score(texts: Sequence[str]) -> list[float]:
    """From 1, surely positive, to -1, surely negative."""
    odds = _odds(texts)
    scores: list[float] = (odds[:, 0] - odds[:, 2]).tolist()
    return scores


def _odds(texts: Sequence[str]) -> Floats:
    batches = [texts[place : place + _BATCH_SIZE] for place in range(0, len(texts), _BATCH_SIZE)]
    return np.concatenate([np.zeros((0, len(_LABELS))), *map(_batch_odds, batches)])


def _batch_odds(texts: Sequence[str]) -> Floats:
    odds = np.tile([0.0, 1.0, 0.0], (len(texts), 1))
    korean = [place for place, text in enumerate(texts) if detect_language(text) == "ko"]
    others = sorted({place for place, text in enumerate(texts) if text.strip()} - set(korean))
    if korean:
        lines, learnt = fold_texts([texts[place] for place in korean]), model()
        grams = extract_grams(lines)
        scores = learnt.leaning(grams), learnt.plainness(grams)
        odds[korean] = learnt.korean(korean_features(lines, *scores))
    if others:
        odds[others] = model().english(english_features([texts[place] for place in others]))
    return odds


Language = Literal["ko", "en", "other"]

_HANGUL: Final = re.compile(r"[가-힣ㄱ-ㅎㅏ-ㅣ]")
_LATIN: Final = re.compile(r"[a-z]", re.IGNORECASE)
_FOREIGN: Final = re.compile(
    r"[\u00c0-\u024f\u0370-\u058f\u0590-\u0dff\u0e00-\u0eff\u1e00-\u1eff\u3040-\u30ff\u3400-\u9fff]"
)
_NOT_ENGLISH: Final = re.compile(
    r"\b(?:que|los|las|una|muy|esta|este|esto|por|para|pero|como|mejor|gracias|amo|hermos[ao]|"
    r"cancion|nao|voce|muito|uma|meu|minha|isso|obrigad[oa]|je|est|les|une|vous|c'est|tres|merci|"
    r"pour|dans|avec|ich|und|der|das|ist|nicht|ein|eine|sehr|danke|schon|aku|saya|kamu|yang|banget|"
    r"nya|gak|bagus|keren|ini|itu|dan|tidak|ang|mga|naman|talaga|ko|po|bir|cok|bu|ve|ama|guzel|"
    r"il|che|sono|bella|molto|grazie|non|questo|hai|nahi|kya|bhai|yaar|tum|mein|jai|toi|cua|rat|"
    r"hay|anh|khong|ne|nie|jest|bardzo|dobrze)\b",
    re.IGNORECASE,
)
_MIN_FOREIGN_WORDS: Final = 2
"""How many words of other languages make a Latin text one of them."""
_MIN_HANGUL_SHARE: Final = 0.2
"""Korean comments name bands and games in Latin letters: a fifth of Hangul is enough."""


def detect_language(text: str) -> Language:
    """``ko``, ``en``, or ``other``: any other language, and comments without letters."""
    hangul = len(_HANGUL.findall(text))
    latin = len(_LATIN.findall(text))
    foreign = len(_FOREIGN.findall(text))
    if hangul > _MIN_HANGUL_SHARE * (hangul + latin + foreign):
        return "ko"
    if latin > 10 * foreign and not _is_other_latin(text, latin):
        return "en"
    return "other"


def _is_other_latin(text: str, latin: int) -> bool:
    """Whether a text in Latin letters is not English."""
    if text.isascii() and latin < len("que bueno"):
        return False
    return len(_NOT_ENGLISH.findall(text)) >= _MIN_FOREIGN_WORDS
