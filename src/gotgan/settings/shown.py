"""Every setting as people may see it: its value or that there is one, and where it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, ClassVar, Final, Literal
from urllib.parse import urlsplit

from gotgan.settings.declared import Settings, variables
from gotgan.settings.secret import Secret
from gotgan.settings.ttl import Ttl

__all__ = ["Origin", "Setting", "shown"]

Origin = Literal["default", "environment", "program"]
"""``program`` is whoever made the settings: a demo, a test, or what Gotgan is a part of."""
_HALF_SECRET: Final = frozenset({"webhook"})
"""Addresses of which whoever knows the whole may post there."""


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


def shown(
    settings: Settings,
    environment: Mapping[str, str] | None = None,
    *,
    origin: Origin | None = None,
) -> list[Setting]:
    """The settings in their order, all or those of one origin; no value of them is a secret."""
    given = variables(environment)
    told = [_shown(item, getattr(settings, item.name), given) for item in fields(Settings)]
    return [each for each in told if origin in {None, each.origin}]


def _shown(item: Field[Any], value: Any, given: Mapping[str, str]) -> Setting:
    about = item.metadata
    return Setting(
        about["variable"],
        about["sentence"],
        _text(_bared(value) if item.name in _HALF_SECRET else value) or None,
        about["shown"],
        _origin(item, value, given.get(about["variable"], "")),
        isinstance(value, Secret),
    )


def _origin(item: Field[Any], value: Any, text: str) -> Origin:
    if text and _parsed(item, text) == value:
        return "environment"
    return "default" if value == _default(item) else "program"


def _parsed(item: Field[Any], text: str) -> Any:
    """What a text stands for; nothing that a setting could be where it cannot be read."""
    try:
        return item.metadata["parse"](text)
    except ValueError:
        return MISSING


def _default(item: Field[Any]) -> Any:
    return item.default if item.default_factory is MISSING else item.default_factory()


def _bared(url: str) -> str:
    """The host of an address; what follows it may be what keeps others out."""
    parts = urlsplit(url)
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}/…" if url else ""


def _text(value: Any) -> str:
    """A value as a variable has it."""
    if value is None or isinstance(value, Secret):
        return ""
    if isinstance(value, Mapping):
        return ",".join(f"{name}={each}" for name, each in value.items())
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, Ttl):
        return f"{value.hours}h" + (f": {value.reason}" if value.reason else "")
    return f"{value:g}" if isinstance(value, float) else str(value)
