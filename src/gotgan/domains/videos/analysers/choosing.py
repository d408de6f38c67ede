"""Who analyses: one of those that there are, if it has what it needs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from gotgan.domains.videos.analysers.builtin import Builtin
from gotgan.domains.videos.analysers.gemini import Gemini, is_installed
from gotgan.domains.videos.analysers.openai import OpenAi
from gotgan.domains.videos.analysers.protocol import Analyser
from gotgan.errors import KeyRefused, SettingsError, UsageError
from gotgan.fetch import Web
from gotgan.settings import Secret, Settings

__all__ = ["analyser_of"]

_KEY: Final = re.compile(r"[!-~]+")
"""What a header can carry."""


def analyser_of(name: str, settings: Settings, web: Web) -> Analyser:
    """The analyser of that name; an error says what it lacks."""
    if name not in _MAKERS:
        raise UsageError(f"there is no analyser {name}; there are {', '.join(_MAKERS)}")
    return _MAKERS[name](settings, web)


def _gemini(settings: Settings, _web: Web) -> Analyser:
    if not is_installed():
        raise SettingsError(
            "the analyser gemini needs one more package; run pip install 'gotgan[gemini]', or set "
            "GOTGAN_ANALYSER to another one"
        )
    if settings.gemini_key is None:
        raise KeyRefused(
            "the analyser gemini needs a key; set GEMINI_API_KEY, or GOTGAN_ANALYSER to another "
            "analyser"
        )
    return Gemini(settings, _usable(settings.gemini_key, "GEMINI_API_KEY"))


def _openai(settings: Settings, web: Web) -> Analyser:
    if settings.openai_key is not None:
        _usable(settings.openai_key, "OPENAI_API_KEY")
    return OpenAi(web, settings)


def _usable(key: Secret, variable: str) -> Secret:
    if not _KEY.fullmatch(key.reveal()):
        raise KeyRefused(f"{variable} holds characters that no key has, such as a space; copy it")
    return key


_MAKERS: Final[Mapping[str, Callable[[Settings, Web], Analyser]]] = {
    "builtin": lambda _settings, _web: Builtin(),
    "gemini": _gemini,
    "openai": _openai,
}
