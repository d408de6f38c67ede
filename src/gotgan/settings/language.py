"""The language of a person who types commands."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast, get_args

from gotgan.settings.settings import environment_variables
from gotgan.texts import Language

_LOCALE_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def reader_language(environment: Mapping[str, str] | None = None) -> Language:
    """The language of GOTGAN_LANGUAGE, else that of the locale, else English.

    It reads two or three variables only, so that help is shown even where a setting is wrong.
    """
    given = environment_variables(environment)
    chosen = given.get("GOTGAN_LANGUAGE", "").lower()
    if chosen in get_args(Language):
        return cast("Language", chosen)
    locale = next((given[name] for name in _LOCALE_VARIABLES if given.get(name)), "")
    return "ko" if locale.lower().startswith("ko") else "en"
