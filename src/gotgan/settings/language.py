"""The language of a person who types commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast, get_args

from gotgan.errors import SettingsError
from gotgan.settings.settings import config_of, environment_variables
from gotgan.texts import Language

_VARIABLE: Final = "GOTGAN_LANGUAGE"
_LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def reader_language(environment: Mapping[str, str] | None = None) -> Language:
    """The language of the settings, else that of the locale, else English.

    It reads nothing else, so that help is shown even where a setting is wrong.
    """
    given = environment_variables(environment)
    chosen = (given.get(_VARIABLE) or _saved_language(given)).lower()
    if chosen in get_args(Language):
        return cast("Language", chosen)
    locale = next((given[name] for name in _LOCALE_VARIABLES if given.get(name)), "")
    return "ko" if locale.lower().startswith("ko") else "en"


def _saved_language(given: Mapping[str, str]) -> str:
    try:
        return config_of(given).get(_VARIABLE, "")
    except SettingsError:  # which the command reports that reads it
        return ""
