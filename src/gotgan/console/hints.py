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


_CATEGORY: Final = Hint("/site/categories/new", "site.categories.new")
_COMPANY: Final = Hint("/site/company", "site.pages.company")
_RECOVER: Final = Hint("/market/recover", "market.pages.recover")
_SETUP: Final = Hint("/setup", "ops.pages.setup")
_SHOPS: Final = Hint("/shops", "shops.pages.board")
_VIDEOS: Final = Hint("/videos", "videos.pages.list")
HINTS: Final[Mapping[str, Hint]] = {
    "day.no_categories": _CATEGORY,
    "market.collected_elsewhere": Hint(
        "/market/recover?first={day}&last={day}", "market.pages.recover"
    ),
    "market.gap_elsewhere": _RECOVER,
    "market.no_history": _RECOVER,
    "market.no_provider": _SETUP,
    "market.not_enough_history": _RECOVER,
    "market.too_old": _RECOVER,
    "news.retry_dead": Hint("/news/bodies?show=dead", "news.pages.bodies"),
    "schedule.no_contact": _SETUP,
    "shops.no_shop": _SHOPS,
    "shops.no_shops": _SHOPS,
    "shops.no_sink": _SETUP,
    "shops.no_webhook": _SETUP,
    "shops.still_claimed": _SHOPS,
    "shops.taken_over": _SHOPS,
    "site.category_missing": _CATEGORY,
    "site.company_missing": _COMPANY,
    "site.no_category": _CATEGORY,
    "site.no_company": _COMPANY,
    "site.no_company_address": _COMPANY,
    "site.no_mail_server": _SETUP,
    "site.no_sender": _COMPANY,
    "site.no_server": _SETUP,
    "videos.no_key": _SETUP,
    "videos.no_source": _SETUP,
    "videos.not_analysed": _VIDEOS,
    "videos.not_stored": _VIDEOS,
}
"""By the code of the message; a message inside another one counts as well."""


def hint_links(who: Viewer, words: object) -> list[tuple[str, str]]:
    """The address and the text of each page that helps, in the viewer's language."""
    links = ((_address(hint, values), who.t(hint.label)) for hint, values in _hints_of(words))
    return list(dict.fromkeys(links))


def message_with_links(who: Viewer, words: str) -> Markup:
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
