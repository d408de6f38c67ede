"""Commands that help against an error, by the code of its message.

A command may name values of the message in braces.
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from typing import Final

from gotgan.messages import Message, Value

HINTS: Final[dict[str, str]] = {
    "market.collected_elsewhere": "gotgan market recover {day}",
    "market.too_old": "gotgan market recover",
    "news.retry_dead": "gotgan news bodies --retry-dead",
    "shops.taken_over": "gotgan shops release",
}


def find_hint(message: Value) -> str | None:
    """The command for a message, or else for the first message inside it that has one."""
    return next(_hints(message), None)


def _hints(value: Value) -> Iterator[str]:
    if isinstance(value, Message):
        if command := HINTS.get(value.code):
            named = {name: shlex.quote(str(each)) for name, each in value.values.items()}
            yield command.format_map(named)
        for each in value.values.values():
            yield from _hints(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from _hints(each)
