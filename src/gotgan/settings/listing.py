"""The settings as people may see them: the value, without secrets, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, ClassVar, Final, Literal
from urllib.parse import urlsplit

from gotgan.errors import SettingsError
from gotgan.messages import HELP
from gotgan.settings.file import read_config
from gotgan.settings.parsers import Ttl
from gotgan.settings.secret import Secret
from gotgan.settings.settings import Settings, environment_variables

Origin = Literal["default", "file", "environment", "program"]
"""``file`` is ``gotgan.toml`` in the data folder.

``program`` is code that made the settings: a demo, a test, or an application around Gotgan.
"""
_SECRET_PATHS: Final = frozenset({"webhook"})
"""URLs whose path lets anyone post there."""


@dataclass(frozen=True)
class Setting:
    """A setting without the value of a secret."""

    shown: ClassVar = ("variable", "value", "is_secret", "origin", "default", "sentence")

    variable: str
    """The environment variable."""
    sentence: str
    """What it sets."""
    value: str | None
    """The value; null if it is not set or secret. Of a webhook URL, only the host."""
    default: str
    """The default, or what happens without a value."""
    origin: Origin
    """`program` is set by the code that opened the app, such as the demo."""
    is_secret: bool
    """Whether it is set and not shown, because it is secret."""


def settings_with_origin(
    settings: Settings,
    environment: Mapping[str, str] | None = None,
    *,
    origin: Origin | None = None,
) -> list[Setting]:
    """The settings in their order, all or those of one origin; none has the value of a secret."""
    known = [item.metadata["variable"] for item in fields(Settings)]
    config: Mapping[str, str] = {}
    with suppress(SettingsError):  # a file that was broken since the settings were read
        config = read_config(settings.data, known)
    given = environment_variables(environment)
    found = [
        _setting(item, getattr(settings, item.name), given, config) for item in fields(Settings)
    ]
    return [each for each in found if origin in {None, each.origin}]


def _setting(
    item: Field[Any], value: Any, given: Mapping[str, str], config: Mapping[str, str]
) -> Setting:
    about = item.metadata
    variable = about["variable"]
    return Setting(
        variable,
        HELP(text=about["sentence"]),
        _text(_host_only(value) if item.name in _SECRET_PATHS else value) or None,
        about["shown"],
        _origin(item, value, given.get(variable, ""), config.get(variable, "")),
        isinstance(value, Secret),
    )


def _origin(item: Field[Any], value: Any, given: str, config: str) -> Origin:
    sources: tuple[tuple[Origin, str], ...] = (("environment", given), ("file", config))
    for origin, text in sources:
        with suppress(ValueError):  # a text that cannot be parsed is not where the value came from
            if text and item.metadata["parse"](text) == value:
                return origin
    default = item.default if item.default_factory is MISSING else item.default_factory()
    return "default" if value == default else "program"


def _host_only(url: str) -> str:
    """A URL without its path, which may be a secret."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}/…" if url else ""


def _text(value: Any) -> str:
    """A value as the text of its variable."""
    if value is None or isinstance(value, Secret):
        return ""
    if isinstance(value, Mapping):
        return ",".join(f"{name}={each}" for name, each in value.items())
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, Ttl):
        return f"{value.hours}h" + (f": {value.reason}" if value.reason else "")
    return f"{value:g}" if isinstance(value, float) else str(value)
