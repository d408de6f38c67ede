"""The same story at several sources: found by its title, and shown beside the item, never instead.

Titles are compared without case, punctuation, the name of the publisher at the end and marks such
as "UPDATE 1-". That is enough, and safer than a measure of likeness: headlines about companies
differ in one word or number, and then are other stories (docs/decisions/0030).
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import Final

from gotgan.domains.news import models
from gotgan.domains.news.models import NewsItem
from gotgan.domains.news.reports import AlsoAt
from gotgan.store import Store

OWN_SOURCES: Final = frozenset({"yf_latest", "yf_rss"})
"""Those of Yahoo: their lists have other stories each."""
_MIN_WORDS: Final = 5
"""Shorter titles, such as "Stock market today", are given to many stories."""
_MAX_SHOWN: Final = 10
_MAX_READ: Final = 5_000
"""Items of a day that are compared, the newest."""
_DAY: Final = timedelta(days=1)
_MARK: Final = re.compile(
    r"\s*(?:\[.{1,12}?\]|(?:update|wrapup|refile|corrected|breaking|exclusive)\b\s*\d*\s*[:\u2013-])",
    re.IGNORECASE,
)
_PUBLISHER: Final = re.compile(r"\s+[|\u2013\u2014\u00b7-]\s+[^|\u2013\u2014\u00b7]{2,40}$")
_QUOTES: Final = re.compile("['\u2018\u2019`\u00b4]")
_WORD: Final = re.compile(r"\w+")


def title_keys(title: str) -> frozenset[str]:
    """What titles of the same story have in common: the words, with and without a publisher."""
    plain = _MARK.sub("", title, count=1) if _MARK.match(title) else title
    words = (_words(each) for each in (plain, _PUBLISHER.sub("", plain)))
    return frozenset(" ".join(each) for each in words if len(each) >= _MIN_WORDS)


def _words(title: str) -> list[str]:
    folded = unicodedata.normalize("NFKC", title).casefold()
    return _WORD.findall(_QUOTES.sub("", folded))


def group_twins(
    items: Sequence[NewsItem], among: Iterable[NewsItem]
) -> dict[str, tuple[AlsoAt, ...]]:
    """For each of some items, by its key, those of other sources with its title, within a day."""
    by_title: defaultdict[str, dict[str, NewsItem]] = defaultdict(dict)
    for each in among:
        for key in title_keys(each.title):
            by_title[key][each.pk] = each
    found: dict[str, tuple[AlsoAt, ...]] = {}
    for item in items:
        twins = {pk: each for key in title_keys(item.title) for pk, each in by_title[key].items()}
        others = [
            each
            for each in twins.values()
            if each.source != item.source and abs(each.uploaded_at - item.uploaded_at) <= _DAY
        ]
        others.sort(key=lambda each: (each.uploaded_at, each.source, each.pk))
        if others:
            shown = others[:_MAX_SHOWN]
            found[item.pk] = tuple(AlsoAt(o.pk, o.source, o.title, o.url) for o in shown)
    return found


def find_twins(store: Store, items: Sequence[NewsItem]) -> dict[str, tuple[AlsoAt, ...]]:
    """The same stories at other sources, within a day before and after."""
    own = {date.fromisoformat(item.dt_utc) for item in items}
    days = {day + _DAY * step for day in own for step in (-1, 0, 1)}
    among = (
        each
        for day in sorted(days)
        for each in store.iterate(models.news_of_day(day), at_most=_MAX_READ)
    )
    return group_twins(items, among)
