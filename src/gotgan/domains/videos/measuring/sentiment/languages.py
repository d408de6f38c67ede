"""Which language a comment is in, as far as scoring it needs to know."""

from __future__ import annotations

import re
from typing import Final, Literal

__all__ = ["Language", "language_of"]

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
_OTHER_WORDS: Final = 2
"""How many words of other languages a Latin text needs to be no English one."""
_SHARE: Final = 0.2
"""Korean comments name bands and games in Latin letters: a fifth of Hangul is enough."""


def language_of(text: str) -> Language:
    """``ko``, ``en``, or ``other``: any other language, and comments without letters."""
    hangul = len(_HANGUL.findall(text))
    latin = len(_LATIN.findall(text))
    foreign = len(_FOREIGN.findall(text))
    if hangul > _SHARE * (hangul + latin + foreign):
        return "ko"
    if latin > 10 * foreign and not _is_another(text, latin):
        return "en"
    return "other"


def _is_another(text: str, latin: int) -> bool:
    """Whether Latin letters spell words that English does not have."""
    if text.isascii() and latin < len("que bueno"):
        return False
    return len(_NOT_ENGLISH.findall(text)) >= _OTHER_WORDS
