"""The news on a table in memory, with the simulated web around them and one clock for both."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.news.models import NewsBody, NewsItem, Story
from gotgan.domains.news.service import News
from gotgan.fetch import Web
from gotgan.fetch.models import FetchRules
from gotgan.retry import Policy
from gotgan.settings import Settings
from gotgan.store import Store
from gotgan.world import FaultKind, World, world_server
from gotgan.world.news.stories import StoryKind, newest_stories
from tests.patience import PATIENCE

NOON = datetime(2025, 11, 6, 12, tzinfo=UTC)


@dataclass(frozen=True)
class Newsroom:
    """The news in one test."""

    news: News
    store: Store
    clock: FixedClock
    world: World
    web: Web

    def stories(self, count: int) -> list[NewsItem]:
        """So many items whose articles are at Yahoo, stored now."""
        urls = [f"https://finance.yahoo.com/news/never-written-{n:09}.html" for n in range(count)]
        return list(self.news.upload([Story(f"Story {url[-14:-5]}", url) for url in urls]).new)

    def article(self) -> NewsItem:
        """An item whose article is there to be read, stored now."""
        told = newest_stories(self.world.scene, 50)
        story = next(each for each in told if each.kind is StoryKind.STORY and not each.query)
        [item] = self.news.upload([Story(story.title, story.address, story.tickers)]).new
        return item

    def body(self, item: NewsItem) -> NewsBody:
        """The body of an item that somebody has tried."""
        body = self.news.body(item.pk)
        assert body is not None
        return body

    def asked(self) -> list[str]:
        """The paths of articles that were asked for."""
        return [seen.path for seen in self.world.requests if seen.path != "/robots.txt"]


@pytest.fixture
def newsroom(request: pytest.FixtureRequest) -> Iterator[Newsroom]:
    """Patient, for a busy machine is slow; but not with what keeps everybody waiting."""
    given = getattr(request.node, "callspec", None)
    is_waited_for = given is not None and given.params.get("fault") in {
        FaultKind.HANG,
        FaultKind.SLOW,
    }
    seconds = 0.3 if is_waited_for else PATIENCE
    clock = FixedClock(NOON)
    world = World(clock=clock, padding=0, retry_after=1)
    with world_server(world) as served, Store.in_memory(clock=clock) as store:
        patience = Policy(attempts=2, base=0.0, cap=0.0, deadline=2 * seconds)
        rules = FetchRules(
            delay=0,
            seconds=seconds,
            deadline=10 * seconds,
            retry=patience,
            resolve=served.resolve,
        )
        with Web(rules, clock=clock) as web:
            news = News(store, web, Settings())
            news.prepare()
            yield Newsroom(news, store, clock, world, web)
