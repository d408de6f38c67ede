"""In which language a text is, and how many words it has."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

__all__ = ["declared_language", "guessed_language", "words_in"]

_TAG: Final = re.compile(r"([a-z]{2,3})(?:[-_][\w-]*)?", re.IGNORECASE)
_NO_LANGUAGE: Final = frozenset({"mul", "und", "zxx"})

_KANA: Final = "\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f"
_HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_SPACELESS: Final = re.compile(f"[{_KANA}{_HAN}]")
_SCRIPTS: Final = {
    "ko": re.compile("[\u1100-\u11ff\u3130-\u318f\uac00-\ud7a3]"),
    "ja": re.compile(f"[{_KANA}]"),
    "zh": re.compile(f"[{_HAN}]"),
    "el": re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    "he": re.compile("[\u0590-\u05ff]"),
    "th": re.compile("[\u0e00-\u0e7f]"),
}
"""Scripts that one language is written in; Latin, Cyrillic and Arabic letters tell nothing."""
_SHARE: Final = {"ja": 0.1}
"""How much of a text is in its script: of Japanese little, next to Chinese characters."""
_USUAL_SHARE: Final = 0.3
_SAMPLE: Final = 5_000


def declared_language(tags: Iterable[str | None]) -> str | None:
    """The first language that is named properly, such as ``en`` for ``en-US`` or ``en_GB``."""
    found = (_TAG.fullmatch(tag.strip()) for tag in tags if tag)
    names = (match[1].lower() for match in found if match)
    return next((name for name in names if name not in _NO_LANGUAGE), None)


def guessed_language(text: str) -> str | None:
    """The language that a text's letters give away; None where several are written with them."""
    letters = "".join(filter(str.isalpha, text[:_SAMPLE]))
    return next((name for name in _SCRIPTS if _is_written_in(name, letters)), None)


def words_in(text: str) -> int:
    """How many words a text has.

    Words stand between spaces and have a letter or a digit in them. Chinese and Japanese are
    written without spaces: each of their characters counts, as word processors count.
    """
    between_spaces = _SPACELESS.sub(" ", text).split()
    words = sum(any(map(str.isalnum, word)) for word in between_spaces)
    return words + len(_SPACELESS.findall(text))


def _is_written_in(language: str, letters: str) -> bool:
    share = _SHARE.get(language, _USUAL_SHARE)
    return len(_SCRIPTS[language].findall(letters)) > share * len(letters)
