"""Messages: a code with values, which becomes a sentence where a person reads it.

    PAGE_BUDGET = Template("shops.page_budget", "page budget used; {left:page|pages} left")
    PAGE_BUDGET(left=1)                        # reads "page budget used; 1 page left"
    render(PAGE_BUDGET(left=1), "ko", SEOUL)   # with the Korean of texts/ko/shops.toml
    dump(PAGE_BUDGET(left=1))                  # {"code":"shops.page_budget","values":{"left":1}}

A template names its values in braces. What follows a colon says how one is written:

- ``{at:time}`` and ``{at:datetime}``: a moment in the reader's zone;
- ``{left:page|pages}``: in English a number with its noun; in Korean ``{name:은|는}`` is a value
  with the particle that fits its last sound;
- ``{parts:list}`` and ``{parts:sentences}``: several values, separated by commas instead of *and*,
  or by a space after a full stop and else by a semicolon.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from string import Formatter
from typing import Any, Final, Self, TypeAlias
from zoneinfo import ZoneInfo

from gotgan.texts import Language, help_text, korean_texts

Value: TypeAlias = "str | int | float | Message | tuple[Value, ...] | None"
"""A value of a message as it is stored: times and dates are texts in ISO format."""
_TEMPLATES: Final[dict[str, str]] = {}


class Message(str):
    """A code with values. As a string it is the English sentence, for logs and for programs."""

    __slots__ = ("code", "values")
    code: str
    values: Mapping[str, Value]

    def __new__(cls, code: str, values: Mapping[str, Any]) -> Self:
        """The message; moments become texts that keep their zone."""
        plain = {name: _plain(value) for name, value in values.items()}
        made = super().__new__(cls, _Renderer("en").sentence(code, plain))
        made.code, made.values = code, plain
        return made

    def __reduce__(self) -> tuple[type[Message], tuple[str, Mapping[str, Value]]]:
        """A copy, also in another process, is a message too."""
        return Message, (self.code, self.values)


@dataclass(frozen=True)
class Template:
    """The English text of a code; the Korean one is in ``texts/ko`` under the same code."""

    code: str
    text: str

    def __post_init__(self) -> None:
        """Make it known, so that stored messages can be rendered."""
        _TEMPLATES[self.code] = self.text

    def __call__(self, **values: Any) -> Message:
        """The message with these values."""
        return Message(self.code, values)


TEXT: Final = Template("message.text", "{text}")
"""Words of another program, or a sentence that an earlier version stored; never translated."""

HELP: Final = Template("message.help", "{text}")
"""A text of the help, such as what a job does; its Korean is in ``texts/ko/help.toml``."""


def text(words: str) -> Message:
    """A message as it is; other words as a message that is never translated."""
    return words if isinstance(words, Message) else TEXT(text=words)


def templates() -> Mapping[str, str]:
    """The English texts of all codes that are known so far."""
    return dict(_TEMPLATES)


def render(
    message: str,
    language: Language = "en",
    zone: ZoneInfo | None = None,
    *,
    escape: Callable[[str], str] = str,
    foreign: Callable[[str], str] = str,
) -> str:
    """A message in a reader's language and zone; without a zone, each moment in its own.

    ``escape`` is applied to texts and values, ``foreign`` to what has no text in that language.
    """
    return _Renderer(language, zone, escape, foreign).value(message)


def fill(
    template: str,
    values: Mapping[str, Any],
    language: Language = "en",
    zone: ZoneInfo | None = None,
) -> str:
    """A text of one front, in that language, with values in its places as in a template."""
    plain = {name: _plain(value) for name, value in values.items()}
    return _Renderer(language, zone).format(template, plain)


def dump(message: str) -> str:
    """A message as it is stored; a plain text is stored as it is."""
    if not isinstance(message, Message):
        return message
    return json.dumps(_to_record(message), ensure_ascii=False, separators=(",", ":"))


def load(text: str) -> str:
    """A stored message; any other text, such as that of an earlier version, as it is."""
    if not text.startswith('{"code":"'):
        return text
    try:
        return _from_record(json.loads(text))
    except (AttributeError, KeyError, TypeError, ValueError):
        return text


def record(message: str) -> dict[str, Any]:
    """The code and the values of a message, for JSON."""
    return _to_record(text(message))


def message_values(message: str) -> dict[str, Any]:
    """The values of a message, for JSON; none of another text."""
    values = message.values if isinstance(message, Message) else {}
    return {name: _to_json(each) for name, each in values.items()}


def _to_record(message: Message) -> dict[str, Any]:
    return {"code": message.code, "values": message_values(message)}


def _to_json(value: Value) -> Any:
    if isinstance(value, Message):
        return _to_record(value)
    return [_to_json(each) for each in value] if isinstance(value, tuple) else value


def _from_record(record: Mapping[str, Any]) -> Message:
    values = {name: _from_json(each) for name, each in record["values"].items()}
    return Message(record["code"], values)


def _from_json(value: Any) -> Any:
    if isinstance(value, dict):
        return _from_record(value)
    return tuple(_from_json(each) for each in value) if isinstance(value, list) else value


def _plain(value: Any) -> Value:
    if value is None or isinstance(value, Message | int | float):
        return value
    if isinstance(value, datetime):
        zone = value.tzinfo
        return value.isoformat() + (f"[{zone.key}]" if isinstance(zone, ZoneInfo) else "")
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Iterable) and not isinstance(value, str):
        return tuple(_plain(each) for each in value)
    return str(value)


# Rendering


@dataclass(frozen=True)
class _Renderer:
    language: Language
    zone: ZoneInfo | None = None
    escape: Callable[[str], str] = str
    foreign: Callable[[str], str] = str

    def sentence(self, code: str, values: Mapping[str, Value]) -> str:
        """The text of a code with its values."""
        template = self._template(code)
        if template is None:
            english = _Renderer("en", self.zone)
            return self.foreign(english.sentence(code, values) if code in _TEMPLATES else code)
        return self.format(template, values)

    def format(self, template: str, values: Mapping[str, Value]) -> str:
        """A template with values in its places."""
        parts: list[str] = []
        for literal, name, spec, _ in Formatter().parse(template):
            parts.append(self.escape(literal))
            if name is not None:
                parts.append(self._field_text(values, name, spec or ""))
        return "".join(parts)

    def value(self, value: Value) -> str:
        """A value without further instructions."""
        if isinstance(value, Message):
            if value.code == TEXT.code:
                return self._quoted(str(value))
            if value.code == HELP.code:
                return self._help(str(value))
            return self.sentence(value.code, value.values)
        if isinstance(value, tuple):
            return self._list_text(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self.escape(f"{value:,}")
        return self.escape("–" if value is None else str(value))

    def _quoted(self, text: str) -> str:
        return self.escape(text) if self.language == "en" else self.foreign(text)

    def _help(self, english: str) -> str:
        shown = help_text(english, self.language)
        return self._quoted(english) if shown == english else self.escape(shown)

    def _template(self, code: str) -> str | None:
        if self.language == "en":
            return _TEMPLATES.get(code)
        area, _, key = code.partition(".")
        return korean_texts(area).get(key)

    def _field_text(self, values: Mapping[str, Value], name: str, spec: str) -> str:
        value = values.get(name)
        if spec in {"time", "datetime"}:
            return self.escape(_moment_text(str(value), spec, self.zone))
        if spec in {"list", "sentences"}:
            parts = value if isinstance(value, tuple) else (value,)
            each_shown = [self.value(each) for each in parts]
            return ", ".join(each_shown) if spec == "list" else _joined_sentences(each_shown)
        first, bar, second = spec.partition("|")
        shown = self.value(value)
        if not bar:
            return shown
        if self.language == "en":
            return f"{shown} {first if value == 1 else second}"
        plain = _Renderer(self.language, self.zone).value(value)
        return shown + (first if _takes_consonant_form(plain, second) else second)

    def _list_text(self, values: tuple[Value, ...]) -> str:
        *before, last = (self.value(each) for each in values) if values else ("",)
        if not before:
            return last
        if self.language == "en":
            return f"{', '.join(before)} and {last}"
        if not _is_hangul(before[-1]):
            return ", ".join((*before, last))
        particle = "과" if _takes_consonant_form(before[-1], "와") else "와"
        return f"{', '.join(before)}{particle} {last}"


def _joined_sentences(parts: list[str]) -> str:
    ended = (f"{each} " if each.endswith(".") else f"{each}; " for each in parts[:-1])
    return "".join((*ended, *parts[-1:]))


def _moment_text(value: str, spec: str, zone: ZoneInfo | None) -> str:
    text, _, key = value.removesuffix("]").partition("[")
    try:
        moment = datetime.fromisoformat(text)
        place = zone or (ZoneInfo(key) if key else None)
    except (KeyError, ValueError):  # stored by another program
        return value
    local = moment if place is None else moment.astimezone(place)
    form = "%H:%M" if spec == "time" else "%m-%d %H:%M"
    return f"{local.strftime(form)} {local.tzname()}"


_HANGUL: Final = range(0xAC00, 0xD7A4)
_FINALS: Final = 28
"""Hangul syllables come in groups of 28: the first has no final consonant, the ninth ends in ㄹ."""
_RIEUL: Final = 8
_CONSONANT_ENDS: Final = frozenset("lmn013678")
"""Letters and digits whose Korean sound ends in a consonant: 엘, 엠, 엔, 영, 일, 삼, 육, 칠, 팔."""
_CLOSERS: Final = ")]'\""
_RIEUL_ENDS: Final = frozenset("l178")


def _is_hangul(text: str) -> bool:
    return bool(text) and ord(text[-1]) in _HANGUL


def _takes_consonant_form(text: str, vowel_form: str) -> bool:
    """Whether the particle after a text is the one for a consonant; 로 also follows ㄹ."""
    last = text.rstrip(_CLOSERS)[-1:].lower()
    if _is_hangul(last):
        final = (ord(last) - _HANGUL.start) % _FINALS
        return final not in {0, _RIEUL} if vowel_form == "로" else final != 0
    return last in _CONSONANT_ENDS and not (vowel_form == "로" and last in _RIEUL_ENDS)
