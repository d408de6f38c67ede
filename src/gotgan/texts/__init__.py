"""Texts in the languages that people read: English is declared in the code, Korean in ``ko/``.

A file of ``ko/`` has the same keys as the English texts beside the code that says them. In the
files of ``GETTEXT_AREAS`` the English text itself is the key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, get_args

__all__ = [
    "GETTEXT_AREAS",
    "LANGUAGES",
    "Language",
    "Texts",
    "accepted_language",
    "help_text",
    "korean_texts",
]

Language = Literal["en", "ko"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)
GETTEXT_AREAS: Final = frozenset({"click", "help", "terminal"})
"""``help`` has what verbs, commands and their parameters are for, ``terminal`` what commands print,
and ``click`` the words of the library that parses them."""


def accepted_language(header: str) -> Language:
    """The first of our languages in the order of an Accept-Language header; else English."""
    weights: list[tuple[float, str]] = []
    for part in header.split(","):
        name, _, parameter = part.partition(";")
        try:
            weight = float(parameter.strip().removeprefix("q=") or 1)
        except ValueError:
            weight = 0.0
        weights.append((weight, name.strip().lower().partition("-")[0]))
    names = [name for _, name in sorted(weights, key=lambda pair: -pair[0])]
    return next((each for name in names for each in LANGUAGES if name == each), "en")


@dataclass(frozen=True)
class Texts:
    """The texts of one area, in one language."""

    area: str
    english: Mapping[str, str]
    language: Language = "en"

    def __call__(self, key: str, **values: Any) -> str:
        """One text, with values in its places."""
        known = self.english if self.language == "en" else korean_texts(self.area)
        return known[key].format_map(values)


@cache
def korean_texts(area: str) -> Mapping[str, str]:
    """The Korean texts of an area, by their keys; none for an area of another package."""
    # Programs in English, which start in a moment, need neither.
    import tomllib  # noqa: PLC0415
    from importlib.resources import files  # noqa: PLC0415

    path = files(__package__) / "ko" / f"{area}.toml"
    return tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}


def help_text(english: str, language: Language) -> str:
    """The help of a verb, a command or a parameter in a language, paragraph by paragraph.

    A paragraph without a translation, such as one of another package, stays English.
    """
    if language == "en":
        return english
    known = korean_texts("help")
    paragraphs = (" ".join(each.split()) for each in english.split("\n\n"))
    return "\n\n".join(known.get(each, each) for each in paragraphs)
