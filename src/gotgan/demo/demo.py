"""The demo: its folder, its simulated web, its app and its clock.

It has its own settings: keys, databases, webhooks and mail servers of the environment are not used.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from pathlib import Path
from typing import Final, Self, TypeAlias
from zoneinfo import ZoneInfo

from gotgan.app import App
from gotgan.clock import SEOUL, Clock, LeapingClock, SystemClock
from gotgan.demo.runner import DemoRunner
from gotgan.demo.sample_site import fill_site
from gotgan.demo.stops import Outages, Stop, hour_of, is_midnight, pause_s
from gotgan.demo.tally import DemoSummary, DemoTally
from gotgan.domains.market.days import DaySpan
from gotgan.domains.market.reports import RecoverReport
from gotgan.domains.shops.registration import Registration
from gotgan.errors import GotganError, UsageError
from gotgan.messages import Template
from gotgan.retry import Outage
from gotgan.settings import Secret, Settings
from gotgan.store.data.atomic_files import lock_file, translated_os_errors, write_atomically
from gotgan.verbs import Progress
from gotgan.world import World, mail_server, world_server
from gotgan.world.videos import OPENAI

_NO_PROGRESS: Final = Template(
    "demo.no_progress",
    "{path} is not the progress file of a demo. Remove the folder {folder} to start again.",
)
_DEMO: Final = Template("demo.running", "A demo in the folder {folder}")
_FILE: Final = "demo.json"


@dataclass(frozen=True)
class DemoProgress:
    """When a demo began, and where its next start resumes, by its own clock."""

    begins: datetime
    goes_on: datetime


def new_progress(now: datetime, days: int) -> DemoProgress:
    """The progress of a demo that begins some days before today, at midnight in Seoul."""
    seoul = ZoneInfo(SEOUL)
    first = now.astimezone(seoul).date() - timedelta(days=days)
    begins = datetime.combine(first, time.min, seoul)
    return DemoProgress(begins, begins)


class Bookmark:
    """The progress file of a folder, written atomically."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE

    def lock(self) -> AbstractContextManager[None]:
        """Keep other demos out of the folder while the block runs."""
        return lock_file(self._path, _DEMO(folder=self._path.parent))

    def read(self) -> DemoProgress | None:
        """The stored progress; None if the demo has not started."""
        with translated_os_errors(self._path):
            if not self._path.exists():
                return None
            text = self._path.read_text(encoding="utf-8")
        with suppress(ValueError, KeyError, TypeError):
            stored = json.loads(text)
            times = [datetime.fromisoformat(stored[name]) for name in ("begins", "goesOn")]
            if all(each.tzinfo is not None for each in times):
                return DemoProgress(*times)
        raise UsageError(_NO_PROGRESS(path=self._path, folder=self._path.parent))

    def write(self, progress: DemoProgress) -> None:
        """Store the progress."""
        fields = {"begins": progress.begins.isoformat(), "goesOn": progress.goes_on.isoformat()}
        with translated_os_errors(self._path):
            write_atomically(self._path, json.dumps(fields).encode())


SHOPS: Final[Mapping[str, str]] = {
    "antik-1.shop.test": "DE",
    "antik-2.shop.test": "GB",
    "antik-3.shop.test": "KR",
    "mitglieder.shop.test": "DE",
}
"""With their countries: one of each language, and one behind a login."""
_ANY_KEY: Final = "demo"
_CARDS: Final = 30
"""More stories than are published between two collections."""
_SHARES: Final = {"KOSPI": 60, "KOSDAQ": 40}
_BYTES: Final = 2_000
"""The padding of a page; real pages have a thousand times as much."""


def demo_settings(folder: Path, resolve: Mapping[str, str], post: str) -> Settings:
    """The settings of a demo; ``post`` is the URL of its mail server, which sends nothing on."""
    return Settings(
        data=folder,
        synchronous="normal",  # survives a killed process, which is enough
        resolve=resolve,
        delay=0.0,
        krx_id=_ANY_KEY,
        krx_password=Secret(_ANY_KEY),
        youtube_key=Secret(_ANY_KEY),
        gemini_key=Secret(_ANY_KEY),
        openai=f"https://{OPENAI}/v1",
        smtp=Secret(post),
        log="error",  # its pages show what fails on purpose
    )


def demo_world(clock: Clock) -> World:
    """A small world, in which a week takes seconds."""
    return World(clock=clock, cards=_CARDS, shares=_SHARES, padding=_BYTES, shop_bytes=_BYTES)


OnStop: TypeAlias = Callable[[datetime, DemoSummary], None]
_HOUR: Final = timedelta(hours=1)


@contextmanager
def open_demo(folder: Path, days: int, clock: Clock | None = None) -> Iterator[Demo]:
    """Open the demo of a folder, or begin one some days ago; ``clock`` has the real time."""
    real, bookmark = clock or SystemClock(), Bookmark(folder)
    Settings(data=folder).folder()
    with bookmark.lock():
        progress = bookmark.read() or new_progress(real.now(), days)
        bookmark.write(progress)
        leaping = LeapingClock(real, progress.goes_on)
        world = demo_world(leaping)
        with world_server(world) as served, mail_server(world) as post:
            settings = demo_settings(folder, served.resolve, post)
            with App.open(settings, clock=leaping, is_demo=True) as app:
                walk = DemoRunner(app, leaping, Outages(world), progress.goes_on)
                yield Demo(app, world, walk, bookmark, progress)


class Demo:
    """An open demo; its app can be served at the same time."""

    def __init__(
        self, app: App, world: World, walk: DemoRunner, bookmark: Bookmark, progress: DemoProgress
    ) -> None:
        self.app = app
        self.world = world
        self.walk = walk
        self._bookmark = bookmark
        self.progress = progress

    def ends(self, days: int) -> datetime:
        """When the first days are over."""
        return self.progress.begins + timedelta(days=days)

    def set_up(self, history: int, progress: Progress) -> RecoverReport:
        """Create the site, the shops and the prices before the first day, unless they exist.

        Then run the jobs of every start.
        """
        fill_site(self.app.site)
        self.app.shops.add(entries=[Registration(*shop) for shop in SHOPS.items()])
        last = self.progress.begins.date() - timedelta(days=1)
        first = last - timedelta(days=history - 1)
        report = self.app.market.recover(DaySpan(first, last), progress=progress)
        self.walk.begin()
        return report

    def hurry_until(self, ends: datetime, on_stop: OnStop) -> DemoSummary:
        """Run to a moment as fast as possible; ``on_stop`` is called after each stop."""
        while (stop := self.walk.next_stop(is_hurried=True)).at < ends:
            self.go_to(stop)
            on_stop(stop.at, self.walk.tally.summary(stop.at))
        self.walk.leap_to(ends)
        self._save(ends)
        return self.take_summary(ends)

    def go_to(self, stop: Stop) -> None:
        """Go to a stop; if the process dies there, the next start resumes an hour later."""
        if hour_of(stop.at) is not None:
            self._save(stop.at + _HOUR)
        self.walk.go_to(stop)

    def take_summary(self, ends: datetime) -> DemoSummary:
        """What happened up to a moment, since the last summary."""
        summary = self.walk.tally.summary(ends)
        self.walk.tally = DemoTally(ends)
        return summary

    def _save(self, goes_on: datetime) -> None:
        self.progress = DemoProgress(self.progress.begins, goes_on)
        self._bookmark.write(self.progress)


class LiveDemo:
    """The demo at a pace that people can watch, in a thread; ``on_day`` gets each finished day."""

    def __init__(self, demo: Demo, on_day: Callable[[DemoSummary], None]) -> None:
        self._demo = demo
        self._on_day = on_day
        self._outage = Outage("demo")
        self._thread = threading.Thread(target=self._loop, name="gotgan-demo", daemon=True)

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop after the current job."""
        self._demo.walk.stopping.set()
        self._demo.app.runs.stop()
        if self._thread.is_alive():
            self._thread.join()

    def _loop(self) -> None:
        walk, clock = self._demo.walk, self._demo.app.clock
        while not walk.stopping.is_set():
            stop = walk.next_stop()
            walk.stopping.wait(pause_s(stop, clock.now()))
            if not walk.stopping.is_set():
                self._go_to(stop)

    def _go_to(self, stop: Stop) -> None:
        try:
            if is_midnight(stop.at) and self._demo.walk.tally.begins < stop.at:
                self._on_day(self._demo.take_summary(stop.at))
            self._demo.go_to(stop)
        except Exception as error:  # noqa: BLE001 - a failed stop must not end the demo
            reason = error.message if isinstance(error, GotganError) else repr(error)
            self._demo.walk.stopping.wait(self._outage.failed(reason))
        else:
            self._outage.succeeded()
