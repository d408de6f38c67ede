"""The person who reads what a command prints: their language, and the zone of their times."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any, Final
from zoneinfo import ZoneInfo

from gotgan import messages
from gotgan.messages import fill
from gotgan.settings import Settings
from gotgan.texts import Language, help_text, korean_texts


@dataclass
class _Reader:
    language: Language = "en"
    zone: ZoneInfo | None = None
    pays: bool = False


_READER: Final = _Reader()
"""One for the process, and so for all threads of a command."""


@contextmanager
def reader(language: Language) -> Iterator[None]:
    """Print in this language for as long as the block runs."""
    before = replace(_READER)
    vars(_READER).update(vars(_Reader(language)))
    try:
        yield
    finally:
        vars(_READER).update(vars(before))


def language() -> Language:
    """The language of the reader."""
    return _READER.language


def zone() -> ZoneInfo | None:
    """The zone of the reader; None before the settings are read."""
    return _READER.zone


def pays() -> bool:
    """Whether the reader pays for read and write units, because the tables are on AWS."""
    return _READER.pays


def remember(settings: Settings) -> None:
    """From now on, print times in the zone of the settings, and costs if the tables are on AWS."""
    _READER.zone = ZoneInfo(settings.zone)
    _READER.pays = settings.dynamodb == "aws"


def tr(english: str, /, **values: Any) -> str:
    """A text of the terminal in the language of the reader; it is written like a template.

    Messages among the values are rendered, too. The Korean is in ``texts/ko/terminal.toml``.
    """
    korean = korean_texts("terminal").get(english) if _READER.language == "ko" else None
    if korean is None:
        return fill(english, values, "en", _READER.zone)
    return fill(korean, values, "ko", _READER.zone)


def domain_title(name: str) -> str:
    """What a domain is called; one of another package has its name."""
    titles = korean_texts("terminal") if _READER.language == "ko" else {}
    return titles.get(f"domain: {name}", name)


def later(english: str, /) -> str:
    """Mark a text that ``tr`` translates where it is printed."""
    return english


def rendered(message: str) -> str:
    """A message in the language and the zone of the reader; other words as they are."""
    return messages.render(message, _READER.language, _READER.zone)


def translated_help(english: str) -> str:
    """A help text in the language of the reader."""
    return help_text(english, _READER.language)
