"""A crawl written down in stretches: whoever goes on after a crash repeats no more than one.

The stretches of the latest crawl that went well stay, in one of two slots, as what is remembered:
by what a server can tell whether a page has changed, and where each page led. The next crawl takes
the other slot and writes over what is left there, so nothing needs to be deleted. All of it is
packed, because a write costs by the kilobyte.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import islice
from typing import Any, Final, Literal

import orjson

from gotgan.domains.shops import patterns
from gotgan.domains.shops.models import Checkpoint, Shop, Slot
from gotgan.errors import ConditionFailed, LostRace
from gotgan.fetch import Validators
from gotgan.lifecycle import Claim
from gotgan.store import Store, attr

__all__ = ["Journal", "Log", "Visit", "VisitState", "other_slot", "remembered"]

VisitState = Literal["seen", "unlike", "gone", "barred", "failed"]
"""There; there, but unlike the product that it was; not there any more; not for robots; or nobody
knows."""

_STALE: Final = timedelta(days=1)
_LARGEST: Final = 350_000
"""How many bytes one item of a stretch has at most, packed: DynamoDB takes no more than 400 KB."""


@dataclass(frozen=True)
class Visit:
    """What became of one page."""

    url: str
    state: VisitState
    type: str | None = None
    """What kind of page it is; None where it is none of its own, but leads to one.

    Of a page that failed this and all that follows is what was known before.
    """
    links: tuple[str, ...] = ()
    validators: Validators = field(default_factory=Validators)
    standards: tuple[str, ...] = ()
    """Which standards of structured data it has."""


@dataclass
class Log:
    """A crawl as it was written down."""

    found: dict[str, None] = field(default_factory=dict)
    """Every address, in the order in which it was found."""
    visits: dict[str, Visit] = field(default_factory=dict)
    is_partial: bool = False
    """Whether something could not be had, such as a sitemap."""

    def left_over(self, most: int) -> list[str]:
        """Addresses that were found and never visited, where the budget was too small for them."""
        return list(islice((url for url in self.found if url not in self.visits), most))


@dataclass(frozen=True)
class _Started:
    """Which crawl it is, and since when."""

    run: str
    at: datetime


class Journal:
    """What one crawl writes down."""

    def __init__(self, store: Store, claim: Claim[Shop], slot: Slot, started: _Started) -> None:
        self._store = store
        self._claim = claim
        self._started = started
        self._number = 0
        self._ids: dict[str, int] = {}
        self._is_partial = False
        self.slot = slot

    @property
    def began_at(self) -> datetime:
        """When the crawl began, whoever began it."""
        return self._started.at

    @classmethod
    def begin(cls, store: Store, claim: Claim[Shop], slot: Slot) -> Journal:
        """A journal with nothing in it; what was in its slot is no longer of any crawl."""
        journal = cls(store, claim, slot, _Started(secrets.token_hex(8), store.clock.now()))
        journal.write([], [])
        return journal

    @classmethod
    def resumed(cls, store: Store, claim: Claim[Shop], slot: Slot) -> tuple[Journal, Log] | None:
        """The journal of a crawl that did not end, and how far it came.

        One that began before the shop was last done has ended, well or not.
        """
        stretches, ended = _stretches(store, claim.item.domain, slot), claim.item.last_crawled_end
        if not stretches or (ended is not None and stretches[0].began_at <= ended):
            return None
        if store.clock.now() - stretches[0].began_at > _STALE:
            return None  # what it saw so long ago is no longer how the shop is
        log, first = _log_of(stretches), stretches[0]
        journal = cls(store, claim, slot, _Started(first.run, first.began_at))
        journal._number = len(stretches)
        journal._ids = {url: number for number, url in enumerate(log.found)}
        return journal, log

    def write(
        self, found: Sequence[str], visits: Sequence[Visit], *, is_partial: bool = False
    ) -> None:
        """Write a stretch; raise LostRace where somebody else has taken over."""
        self._is_partial = is_partial
        for url in found:
            self._ids.setdefault(url, len(self._ids))
        self._write(found, visits)

    def _write(self, found: Sequence[str], visits: Sequence[Visit]) -> None:
        """Write one item, or two where it would be too large; addresses before what names them."""
        rows = [self._row(visit) for visit in visits]
        data = _packed([list(found), rows, self._is_partial])
        if len(data) > _LARGEST and len(found) > 1:
            self._write(found[: len(found) // 2], [])
            self._write(found[len(found) // 2 :], visits)
        elif len(data) > _LARGEST and len(visits) > 1:
            self._write(found, visits[: len(visits) // 2])
            self._write([], visits[len(visits) // 2 :])
        else:
            self._put(data)

    def _put(self, data: bytes) -> None:
        checkpoint = Checkpoint(
            domain=self._claim.item.domain,
            slot=self.slot,
            number=f"{self._number:06}",
            run=self._started.run,
            began_at=self._started.at,
            fence=self._claim.fence,
            data=data,
        )
        ours = (attr("run") != self._started.run) | (attr("fence") < self._claim.fence)
        try:
            self._store.put(checkpoint, only_if=attr("run").missing() | ours)
        except ConditionFailed as refused:
            raise LostRace(
                f"somebody else crawls {self._claim.item.domain} by now; leave it to them"
            ) from refused
        self._number += 1

    def _row(self, visit: Visit) -> list[Any]:
        links = [self._ids[link] for link in visit.links if link in self._ids]
        checks = visit.validators
        kept = [self._ids[visit.url], visit.state, visit.type, links]
        return [*kept, checks.etag, checks.last_modified, visit.standards]


def remembered(store: Store, shop: Shop) -> Log:
    """What the latest crawl that went well left behind."""
    if shop.journal is None:
        return Log()
    return _log_of(_stretches(store, shop.domain, shop.journal))


def other_slot(slot: Slot | None) -> Slot:
    """Where the next crawl is written down."""
    return "B" if slot == "A" else "A"


def _stretches(store: Store, domain: str, slot: Slot) -> list[Checkpoint]:
    """The stretches of one crawl, without gaps, and without what is left over from another."""
    query = patterns.checkpoints(domain, slot)
    kept: list[Checkpoint] = []
    for number, stretch in enumerate(store.iterate(query, at_most=None)):
        if stretch.number != f"{number:06}":
            break
        if kept and (stretch.run != kept[0].run or stretch.fence < kept[-1].fence):
            break  # of another crawl, or the last words of a worker that was taken over
        kept.append(stretch)
    return kept


def _log_of(stretches: Sequence[Checkpoint]) -> Log:
    log, urls = Log(), list[str]()
    for stretch in stretches:
        found, rows, is_partial = orjson.loads(zlib.decompress(stretch.data))
        urls += found
        log.found |= dict.fromkeys(found)
        log.visits |= {visit.url: visit for visit in _visits(rows, urls)}
        log.is_partial = log.is_partial or is_partial
    return log


def _visits(rows: Sequence[Sequence[Any]], urls: Sequence[str]) -> Iterator[Visit]:
    for number, state, page_type, links, etag, last_modified, standards in rows:
        yield Visit(
            url=urls[number],
            state=state,
            type=page_type,
            links=tuple(urls[link] for link in links),
            validators=Validators(etag, last_modified),
            standards=tuple(standards),
        )


def _packed(value: Any) -> bytes:
    return zlib.compress(orjson.dumps(value), 6)
