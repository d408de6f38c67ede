"""The buttons of the front page: what begins the mending of something, where that can be begun."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from gotgan.console.needs import Need

__all__ = ["Mend", "mend_of"]


@dataclass(frozen=True)
class Mend:
    """A form that begins it."""

    action: str
    label: str
    """The text of its button."""
    fields: Mapping[str, str] = field(default_factory=dict)


_MAILS: Final = "site.need.waiting"
_MENDS: Final[Mapping[str, Mend]] = MappingProxyType(
    {
        "market.need.failed": Mend(
            "/market/catch-up", "market.begin.catch_up", {"back": "/market"}
        ),
        "news.need.collect": Mend("/news/collect", "news.begin.collect", {"back": "/news"}),
        "news.need.dead": Mend("/news/bodies/retry", "news.retry.all"),
        _MAILS: Mend("/site/send-mails", "site.begin.send_mails", {"back": "/site/mails"}),
    }
)
"""By the text of what is wrong; the rest is mended by hand, on the page that its link leads to."""


def mend_of(need: Need, needs: Iterable[Need]) -> Mend | None:
    """What a button can do about something, among all that is wrong.

    Mails that wait for a server to be set go nowhere, however often they are sent.
    """
    told = {each.text for each in needs}
    is_vain = need.text == _MAILS and "site.need.server" in told
    return None if is_vain else _MENDS.get(need.text)
