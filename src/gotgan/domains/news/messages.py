"""Messages of news; their Korean is in ``texts/ko/news.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gotgan.messages import Message, Template

_COUNTS: Final[Mapping[str, Template]] = {
    word: Template(f"news.count_{word}", f"{{count}} {word}")
    for word in (
        *("new", "duplicate", "failed", "ok", "external", "premium", "gone", "blocked"),
        *("dead", "waiting", "skipped"),
    )
}
RESULT: Final = Template("news.result", "{counts:list}")
NOTHING: Final = Template("news.nothing", "none")
GIVEN_UP: Final = Template(
    "news.given_up", "{count:article|articles} could not be fetched, and were given up"
)
RETRY_DEAD: Final = Template("news.retry_dead", "gotgan news bodies --retry-dead tries them again")


def result(counts: Mapping[str, int]) -> Message:
    """Counts in one line."""
    parts = [_COUNTS[word](count=count) for word, count in counts.items()]
    return RESULT(counts=parts) if parts else NOTHING()
