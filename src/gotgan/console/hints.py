"""Hints: the page that helps with a message, by the code of the message."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import quote

from markupsafe import Markup

from gotgan.console.session import Viewer
from gotgan.messages import Message


@dataclass(frozen=True)
class Hint:
    """A link to the page that helps."""

    path: str
    """Its address, with values of the message in braces."""
    label: str
    """The key of its text."""


HINTS: Final[Mapping[str, Hint]] = {
    "market.collected_elsewhere": Hint(
        "/market/recover?first={day}&last={day}", "market.pages.recover"
    ),
    "market.no_provider": Hint("/setup", "ops.pages.setup"),
    "market.not_enough_history": Hint("/market/recover", "market.pages.recover"),
    "market.too_old": Hint("/market/recover", "market.pages.recover"),
    "news.retry_dead": Hint("/news/bodies?show=dead", "news.pages.bodies"),
    "schedule.no_contact": Hint("/setup", "ops.pages.setup"),
    "shops.no_webhook": Hint("/setup", "ops.pages.setup"),
    "shops.taken_over": Hint("/shops", "shops.pages.board"),
    "site.no_category": Hint("/site/categories/new", "site.categories.new"),
    "site.no_company": Hint("/site/company", "site.pages.company"),
    "site.no_mail_server": Hint("/setup", "ops.pages.setup"),
}
"""By the code of the message; a message inside another one counts as well."""


def hint_links(who: Viewer, words: object) -> list[tuple[str, str]]:
    """The address and the text of each page that helps, in the viewer's language."""
    links = ((_address(hint, values), who.t(hint.label)) for hint, values in _hints_of(words))
    return list(dict.fromkeys(links))


def explained(who: Viewer, words: str) -> Markup:
    """A message in the viewer's language with the pages that help."""
    links = [
        Markup('<a class="nowrap" href="{}">{}</a>').format(*link)
        for link in hint_links(who, words)
    ]
    return Markup(" ").join([who.say(words), *links])


def _hints_of(value: object) -> Iterator[tuple[Hint, Mapping[str, Any]]]:
    if isinstance(value, tuple):
        for each in value:
            yield from _hints_of(each)
    elif isinstance(value, Message):
        if value.code in HINTS:
            yield HINTS[value.code], value.values
        for part in value.values.values():
            yield from _hints_of(part)


def _address(hint: Hint, values: Mapping[str, Any]) -> str:
    return hint.path.format_map({name: quote(str(value)) for name, value in values.items()})
