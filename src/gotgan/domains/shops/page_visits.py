"""What became of a page that was asked for: what it is and where it leads, or why nobody knows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from gotgan.domains.shops.canonical import canonical
from gotgan.domains.shops.crawl_reports import CrawlReport
from gotgan.domains.shops.journal import Visit
from gotgan.domains.shops.reading import PageFacts, read_page
from gotgan.domains.shops.scrape_reports import is_about_the_shop, is_no_answer
from gotgan.domains.shops.seeds import front_page
from gotgan.domains.shops.sites import is_same_site
from gotgan.errors import FetchError, LeadsElsewhere, PageMissing, RobotsDisallowed
from gotgan.fetch import Ask, Fetched, FetchResponse, Validators, shown

__all__ = ["Visitor"]

_LARGEST: Final = 5_000_000
_PATIENCE: Final = 20
"""After so many failures in a row the shop is left alone."""


class Visitor:
    """Whoever asks for the pages of a shop, and remembers what the crawl before saw there."""

    def __init__(self, report: CrawlReport, memory: Mapping[str, Visit]) -> None:
        """What fails or is unchanged is counted in the report."""
        self._report = report
        self._memory = memory
        self._in_a_row: list[FetchError] = []
        self._lost = Counter[str]()
        self._example: dict[str, str] = {}
        self._has_answered = False
        self._no_answer: FetchError | None = None
        self._front = front_page(report.domain)
        self.front_error: FetchError | None = None
        """Why the front page could not be had, where it could not."""
        self.front_title: str | None = None
        self.is_ours = partial(is_same_site, domain=report.domain)

    def ask(self, url: str) -> Ask[str]:
        """What to ask for, on the condition that it has changed."""
        known = self._memory.get(url)
        return Ask(
            url,
            about=url,
            validators=known.validators if known else Validators(),
            most_bytes=_LARGEST,
            within=self.is_ours,
        )

    def visit(self, fetched: Fetched[str]) -> Visit:
        """What came of it."""
        url = fetched.ask.about
        if fetched.answer is None:
            return self._failed(url, fetched.error)
        self._in_a_row.clear()
        self._has_answered = True
        if fetched.answer.is_unchanged:
            self._report.unchanged += 1
            return replace(self._memory[url], state="seen")  # it may have failed the last time
        return self._read(url, fetched.answer)

    def gives_up(self) -> bool:
        """Whether so much failed in a row that there is no use in going on."""
        return len(self._in_a_row) >= _PATIENCE

    @property
    def unreached(self) -> FetchError | None:
        """Why the shop could not be reached, where pages were requested and none was answered."""
        return None if self._has_answered else self._no_answer

    @property
    def trouble(self) -> FetchError | None:
        """What the shop did the last time, where that was no answer."""
        return self._in_a_row[-1] if self._in_a_row else None

    @property
    def worst(self) -> str:
        """What was most often in the way of a page, and where; nothing where all could be had."""
        if not self._lost:
            return ""
        [(code, times)] = self._lost.most_common(1)
        often = "once" if times == 1 else f"{times:,} times"
        return f"{code} {often}, as at {shown(self._example[code])}"

    def _failed(self, url: str, error: FetchError | None) -> Visit:
        if error is not None and is_no_answer(error):
            self._no_answer = self._no_answer or error
        else:
            self._has_answered = True
        if url == self._front:
            self.front_error = error
        if isinstance(error, PageMissing):
            self._in_a_row.clear()
            return Visit(url, "gone")
        if error is not None:
            self._count(error)
        if isinstance(error, LeadsElsewhere):
            return Visit(url, "seen")  # it is what it is, and no page of the shop's
        if isinstance(error, RobotsDisallowed):
            return Visit(url, "barred")
        if error is not None:
            self._lost[error.code] += 1
            self._example.setdefault(error.code, url)
        return replace(self._memory.get(url, Visit(url, "failed")), state="failed")

    def _count(self, error: FetchError) -> None:
        self._report.failed[error.code] += 1
        if is_about_the_shop(error):
            self._in_a_row.append(error)
        else:
            self._in_a_row.clear()

    def _read(self, url: str, answer: FetchResponse) -> Visit:
        home = canonical(answer.url) or url
        if home != url:  # a redirect: what it leads to is the page
            return Visit(url, "seen", links=(home,))
        facts = read_page(answer.body, answer.url, charset=answer.charset)
        if url == self._front:
            self.front_title = facts.title
        twin = self._twin_of(url, facts)
        page_type, links = (facts.type, facts.links) if twin is None else (None, (twin,))
        return Visit(url, "seen", page_type, links, answer.validators, facts.standards)

    def _twin_of(self, url: str, facts: PageFacts) -> str | None:
        """The address that a page says it is at home at, where that is another one of the shop."""
        home = canonical(facts.canonical, url) if facts.canonical else None
        return home if home is not None and home != url and self.is_ours(home) else None
