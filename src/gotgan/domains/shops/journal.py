"""The journal of a crawl, stored in checkpoints: after a crash, at most one stretch is repeated.

The checkpoints of the last successful crawl stay in one of two slots: validators, and the links of
each page. The next crawl takes the other slot and overwrites what is left there, so nothing has to
be deleted. They are compressed, because a write costs by the kilobyte.
"""

from __future__ import annotations

import secrets
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, Literal

import orjson

from gotgan.domains.shops import keys, messages
from gotgan.domains.shops.models import Checkpoint, Shop, Slot
from gotgan.errors import ConditionFailed, LostRace
from gotgan.fetch import Validators
from gotgan.lifecycle import Claim
from gotgan.store import Store, attr

VisitState = Literal["seen", "listed", "unlike", "gone", "absent", "blocked", "barred", "failed"]
"""``listed``: in a list of products, and not visited; ``unlike``: no longer like the product it
was; ``absent``: gone by its own words, with status 200; ``blocked``: a captcha; ``barred``: by
robots.txt."""

_MAX_AGE: Final = timedelta(days=1)
_MAX_ITEM_BYTES: Final = 350_000
"""Compressed bytes of one checkpoint: DynamoDB takes no more than 400 KB."""


@dataclass(frozen=True)
class Visit:
    """What a crawl saw at one URL."""

    url: str
    state: VisitState
    type: str | None = None
    """The type of page; None if it leads to another one. After a failure, this and all that follows
    is what was known before."""
    links: tuple[str, ...] = ()
    validators: Validators = field(default_factory=Validators)
    standards: tuple[str, ...] = ()


@dataclass
class CrawlLog:
    """A crawl as stored."""

    found: dict[str, None] = field(default_factory=dict)
    """Every URL, in the order in which it was found."""
    visits: dict[str, Visit] = field(default_factory=dict)
    is_partial: bool = False
    """Whether something could not be fetched, such as a sitemap."""


class Journal:
    """What one crawl stores about itself."""

    def __init__(
        self, store: Store, claim: Claim[Shop], slot: Slot, run: str, began_at: datetime
    ) -> None:
        self._store, self._claim, self._run = store, claim, run
        self._number = 0
        self._ids: dict[str, int] = {}
        self._is_partial = False
        self.slot = slot
        self.began_at = began_at
        """When the crawl began, before any crash."""

    @classmethod
    def begin(cls, store: Store, claim: Claim[Shop], slot: Slot) -> Journal:
        """An empty journal; what was in its slot belongs to no crawl any more."""
        journal = cls(store, claim, slot, secrets.token_hex(8), store.clock.now())
        journal.write([], [])
        return journal

    @classmethod
    def resumed(
        cls, store: Store, claim: Claim[Shop], slot: Slot
    ) -> tuple[Journal, CrawlLog] | None:
        """The journal of an unfinished crawl, and its log.

        A crawl that began before the shop was last finished has ended.
        """
        stored, ended = _checkpoints(store, claim.item.domain, slot), claim.item.last_crawled_end
        if not stored or (ended is not None and stored[0].began_at <= ended):
            return None
        if store.clock.now() - stored[0].began_at > _MAX_AGE:
            return None  # the shop has changed since
        log, first = _decode_log(stored), stored[0]
        journal = cls(store, claim, slot, first.run, first.began_at)
        journal._number = len(stored)
        journal._ids = {url: number for number, url in enumerate(log.found)}
        return journal, log

    def write(
        self, found: Sequence[str], visits: Sequence[Visit], *, is_partial: bool = False
    ) -> None:
        """Write a checkpoint; LostRace if another worker has taken over."""
        self._is_partial = is_partial
        for url in found:
            self._ids.setdefault(url, len(self._ids))
        self._write(found, visits)

    def _write(self, found: Sequence[str], visits: Sequence[Visit]) -> None:
        """Write one item, or two if it is too large; URLs before the visits that refer to them."""
        rows = [self._row(visit) for visit in visits]
        data = zlib.compress(orjson.dumps([list(found), rows, self._is_partial]), 6)
        if len(data) > _MAX_ITEM_BYTES and len(found) > 1:
            self._write(found[: len(found) // 2], [])
            self._write(found[len(found) // 2 :], visits)
        elif len(data) > _MAX_ITEM_BYTES and len(visits) > 1:
            self._write(found, visits[: len(visits) // 2])
            self._write([], visits[len(visits) // 2 :])
        else:
            self._put(data)

    def _row(self, visit: Visit) -> list[Any]:
        links = [self._ids[link] for link in visit.links if link in self._ids]
        page = [self._ids[visit.url], visit.state, visit.type, links]
        return [*page, visit.validators.etag, visit.validators.last_modified, visit.standards]

    def _put(self, data: bytes) -> None:
        checkpoint = Checkpoint(
            domain=self._claim.item.domain,
            slot=self.slot,
            number=f"{self._number:06}",
            run=self._run,
            began_at=self.began_at,
            fence=self._claim.fence,
            data=data,
        )
        ours = (attr("run") != self._run) | (attr("fence") < self._claim.fence)
        try:
            self._store.put(checkpoint, only_if=attr("run").missing() | ours)
        except ConditionFailed as refused:
            domain = self._claim.item.domain
            raise LostRace(messages.CRAWL_TAKEN_OVER(domain=domain)) from refused
        self._number += 1


def last_crawl_log(store: Store, shop: Shop) -> CrawlLog:
    """The log of the last successful crawl."""
    if shop.journal is None:
        return CrawlLog()
    return _decode_log(_checkpoints(store, shop.domain, shop.journal))


def next_slot(slot: Slot | None) -> Slot:
    """The slot of the next crawl."""
    return "B" if slot == "A" else "A"


def _checkpoints(store: Store, domain: str, slot: Slot) -> list[Checkpoint]:
    """The checkpoints of one crawl, without gaps and without leftovers of another."""
    query = keys.checkpoints(domain, slot)
    kept: list[Checkpoint] = []
    for number, stretch in enumerate(store.iterate(query, at_most=None)):
        if stretch.number != f"{number:06}":
            break
        if kept and (stretch.run != kept[0].run or stretch.fence < kept[-1].fence):
            break  # of another crawl, or of a worker that was replaced
        kept.append(stretch)
    return kept


def _decode_log(stored: Sequence[Checkpoint]) -> CrawlLog:
    log, urls = CrawlLog(), list[str]()
    for stretch in stored:
        found, rows, is_partial = orjson.loads(zlib.decompress(stretch.data))
        urls += found
        log.found |= dict.fromkeys(found)
        for number, state, page_type, links, etag, last_modified, standards in rows:
            log.visits[urls[number]] = Visit(
                url=urls[number],
                state=state,
                type=page_type,
                links=tuple(urls[link] for link in links),
                validators=Validators(etag, last_modified),
                standards=tuple(standards),
            )
        log.is_partial = log.is_partial or is_partial
    return log
