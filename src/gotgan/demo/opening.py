"""The demo, put together: its folder, its world, its app and its clock."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final, TypeAlias

from gotgan.app import App
from gotgan.clock import Clock, LeapingClock, SystemClock
from gotgan.demo.bookmark import Bookmark, Reached, begun
from gotgan.demo.outages import Outages
from gotgan.demo.sample_site import fill
from gotgan.demo.stops import Stop, hour_of
from gotgan.demo.surroundings import SHOPS, demo_settings, demo_world
from gotgan.demo.tally import DemoTally, Happened
from gotgan.demo.walking import DemoRunner
from gotgan.domains.market.days import DaySpan
from gotgan.domains.market.reports import RecoverReport
from gotgan.domains.shops.registrations import Registration
from gotgan.settings import Settings
from gotgan.verbs import Progress
from gotgan.world import World, serving_post, serving_world

__all__ = ["Demo", "opened_demo"]

OnStop: TypeAlias = Callable[[datetime, Happened], None]
_AN_HOUR: Final = timedelta(hours=1)


@contextmanager
def opened_demo(folder: Path, days: int, clock: Clock | None = None) -> Iterator[Demo]:
    """Open the demo of a folder, or begin one so many days ago; ``clock`` has the real time."""
    real, bookmark = clock or SystemClock(), Bookmark(folder)
    Settings(data=folder).folder()
    with bookmark.held():
        reached = bookmark.read() or begun(real.now(), days)
        bookmark.write(reached)
        leaping = LeapingClock(real, reached.goes_on)
        world = demo_world(leaping)
        with serving_world(world) as served, serving_post(world) as post:
            settings = demo_settings(folder, served.resolve, post)
            with App.open(settings, clock=leaping, is_demo=True) as app:
                walk = DemoRunner(app, leaping, Outages(world), reached.goes_on)
                yield Demo(app, world, walk, bookmark, reached)


class Demo:
    """A demo that is open; its app can be served meanwhile."""

    def __init__(
        self, app: App, world: World, walk: DemoRunner, bookmark: Bookmark, reached: Reached
    ) -> None:
        self.app = app
        self.world = world
        self.walk = walk
        self._bookmark = bookmark
        self._reached = reached

    @property
    def begins(self) -> datetime:
        """When its first day began."""
        return self._reached.begins

    @property
    def goes_on(self) -> datetime:
        """From which moment on the next start would go on."""
        return self._reached.goes_on

    def ends(self, days: int) -> datetime:
        """When the first days are over; they may be."""
        return self.begins + timedelta(days=days)

    def set_up(self, history: int, progress: Progress) -> RecoverReport:
        """Have the site, the shops and the prices of so many days before the first.

        What is there already stays as it is, so every start does this; and then what the timetable
        has for every start.
        """
        fill(self.app.site)
        self.app.shops.add(entries=[Registration(*shop) for shop in SHOPS.items()])
        last = self.begins.date() - timedelta(days=1)
        first = last - timedelta(days=history - 1)
        report = self.app.market.recover(DaySpan(first, last), progress=progress)
        self.walk.begin()
        return report

    def hurry_until(self, ends: datetime, on_stop: OnStop) -> Happened:
        """Go on to a moment as quickly as may be, and tell after each stop how far it has come."""
        while (stop := self.walk.next_stop(is_hurried=True)).at < ends:
            self.go_to(stop)
            on_stop(stop.at, self.walk.tally.happened(stop.at))
        self.walk.leap_to(ends)
        self._note(ends)
        return self.taken_stock(ends)

    def go_to(self, stop: Stop) -> None:
        """Go to a stop; whoever starts after this process died goes on an hour later."""
        if hour_of(stop.at) is not None:
            self._note(stop.at + _AN_HOUR)
        self.walk.go_to(stop)

    def taken_stock(self, ends: datetime) -> Happened:
        """What happened up to a moment, since that was last asked."""
        happened = self.walk.tally.happened(ends)
        self.walk.tally = DemoTally(ends)
        return happened

    def _note(self, goes_on: datetime) -> None:
        self._reached = Reached(self.begins, goes_on)
        self._bookmark.write(self._reached)
