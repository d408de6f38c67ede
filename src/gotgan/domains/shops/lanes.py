"""Where the shops stand in a stage: never done, under way or done, with the first few of each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from gotgan.domains.shops import patterns
from gotgan.domains.shops.models import Shop, Stage, lifecycle_of
from gotgan.lifecycle import State
from gotgan.store import Query

if TYPE_CHECKING:
    from gotgan.store import Store

__all__ = ["FIRST", "Lane", "lanes_of"]

FIRST: Final = 8
"""How many shops of a lane are shown."""
_COUNTED: Final = 500
"""How far the shops of a lane are counted: whoever counts reads, and pays for it."""


@dataclass(frozen=True)
class Lane:
    """The shops that stand in one place."""

    state: State
    count: int
    first: tuple[Shop, ...]
    """Some of them, whole: those that were done last, those that began first."""
    is_cut: bool = False
    """Whether there are more than were counted."""

    @property
    def left(self) -> int:
        """How many more there are."""
        return self.count - len(self.first)


def lanes_of(store: Store, stage: Stage, countries: Sequence[str]) -> tuple[Lane, ...]:
    """The three lanes of a stage in some countries; 500 shops of each are counted at most."""
    return tuple(_lane(store, stage, state, countries) for state in State)


def _lane(store: Store, stage: Stage, state: State, countries: Iterable[str]) -> Lane:
    queries = [_query(stage, state, country) for country in countries]
    count = sum(int(store.count(query, at_most=_COUNTED + 1)) for query in queries)
    found = [shop for query in queries for shop in store.query(query, limit=FIRST)]
    ordered = sorted(found, key=lambda shop: _place(shop, stage, state))[:FIRST]
    refs = [patterns.shop(shop.domain) for shop in ordered]
    whole = {shop.domain: shop for shop in store.get_all(refs)}
    first = tuple(whole[each.domain] for each in ordered if each.domain in whole)
    return Lane(state, min(count, _COUNTED), first, is_cut=count > _COUNTED)


def _query(stage: Stage, state: State, country: str) -> Query[Shop]:
    lifecycle = lifecycle_of(stage)
    if state is State.NEVER:
        return lifecycle.never(country)
    if state is State.PROGRESS:
        return lifecycle.in_progress(country)
    return lifecycle.done(country).newest_first()


def _place(shop: Shop, stage: Stage, state: State) -> tuple[float, str]:
    is_crawl = stage == "crawl"
    if state is State.PROGRESS:
        moment = shop.last_crawled_start if is_crawl else shop.last_scraped_start
    else:
        moment = shop.last_crawled_end if is_crawl else shop.last_scraped_end
    seconds = 0.0 if moment is None else moment.timestamp()
    return (-seconds if state is State.DONE else seconds), shop.domain
