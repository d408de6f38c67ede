"""The analysers by name, and their recipes."""

from __future__ import annotations

import re
from typing import Final

from gotgan.domains.videos import messages
from gotgan.domains.videos.analysers.builtin import Builtin
from gotgan.domains.videos.analysers.gemini import Gemini, is_installed
from gotgan.domains.videos.analysers.openai import OpenAi
from gotgan.domains.videos.analysers.protocol import Analyser
from gotgan.domains.videos.metrics.morphemes import score_version
from gotgan.domains.videos.models import ANALYSERS
from gotgan.domains.videos.reports import Recipe
from gotgan.errors import KeyRefused, SettingsError, UsageError
from gotgan.fetch import Web
from gotgan.settings import Secret, Settings

_KEY_PATTERN: Final = re.compile(r"[!-~]+")
"""The characters that a header can carry."""


def create_analyser(name: str, settings: Settings, web: Web) -> Analyser:
    """The analyser of that name; raise an error if something is missing for it."""
    if name == "builtin":
        return Builtin()
    if name == "gemini":
        return _gemini(settings)
    if name == "openai":
        if settings.openai_key is not None:
            _expect_usable(settings.openai_key, "OPENAI_API_KEY")
        return OpenAi(web, settings)
    raise UsageError(messages.NO_ANALYSER(analyser=repr(name), analysers=ANALYSERS))


def _gemini(settings: Settings) -> Analyser:
    if not is_installed():
        raise SettingsError(messages.NO_GEMINI())
    if settings.gemini_key is None:
        raise KeyRefused(messages.NO_GEMINI_KEY())
    _expect_usable(settings.gemini_key, "GEMINI_API_KEY")
    return Gemini(settings, settings.gemini_key)


def _expect_usable(key: Secret, variable: str) -> None:
    if not _KEY_PATTERN.fullmatch(key.reveal()):
        raise KeyRefused(messages.BAD_KEY(variable=variable))


def current_recipe(analyser: Analyser) -> Recipe:
    """The values that determine the version of an analyser's results."""
    return Recipe(analyser.name, analyser.model, analyser.prompt_version, score_version())
