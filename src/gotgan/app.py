"""The composition root: settings in, domains out, on one store and one database.

A domain is loaded when it is first used, and the relational side is opened then: a function that
serves the site loads neither SQLAlchemy nor TA-Lib, and ``gotgan news list`` no shops.
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, Final, Self, cast

from gotgan.clock import Clock, Span, SystemClock, day_zone
from gotgan.domain import (
    GO,
    Core,
    GateDecision,
    Service,
    SetupStep,
    all_tables,
    domains,
    get_domain,
    skip,
)
from gotgan.errors import GotganError, NotFound
from gotgan.events import RecentEvents, emit
from gotgan.fetch import Web
from gotgan.health import Health, HealthReport, check_disk
from gotgan.messages import Template
from gotgan.runs import Run, Runs
from gotgan.settings import Secret, Settings
from gotgan.store import Store

if TYPE_CHECKING:
    from datetime import datetime

    from sqlalchemy import Connection

    from gotgan.day.page import JobDay
    from gotgan.day.service import Days
    from gotgan.domain import Job
    from gotgan.domains.market.service import Market
    from gotgan.domains.news.service import News
    from gotgan.domains.shops.service import Shops
    from gotgan.domains.site.service import Site
    from gotgan.domains.videos.service import Videos
    from gotgan.operations.reports import Setup
    from gotgan.operations.service import Operations
    from gotgan.scheduler import Scheduler
    from gotgan.search.indexer import Indexer
    from gotgan.search.service import Search
    from gotgan.search.updater import Updater
    from gotgan.sql import Database


_FOREVER_S: Final = 10 * 365 * 86_400.0
_BACKUP: Final = "backup"
"""The job without a domain."""
_DEFECT: Final = Template(
    "app.setup_defect", "Could not check the setup because of an internal error. See the log."
)
_NO_METHOD: Final = Template("app.no_method", "The domain {domain} has no verb or gate {name}.")
_NO_BACKUP: Final = skip(
    "no_backup",
    Template("backup.no_folder", "No folder for backups is configured. Set GOTGAN_BACKUP.")(),
)


class App:
    """All domains on one store and one database; share one among all threads of a program."""

    def __init__(self, settings: Settings, store: Store, *, is_demo: bool = False) -> None:
        """``is_demo``: all data is simulated, and the store's clock jumps."""
        self.settings = settings
        self.is_demo = is_demo
        self.store = store = store.creating(all_tables)
        self.web = Web.open(settings, store.clock)
        self.runs = Runs(store.clock)
        self.recent = RecentEvents(clock=store.clock if is_demo else None)
        self._making = threading.RLock()
        self._services: dict[str, Service] = {}
        self._health: dict[bool, Health] = {}
        self._scheduler: Scheduler | None = None
        self._is_in_memory = False

    @classmethod
    def open(cls, settings: Settings, *, clock: Clock | None = None, is_demo: bool = False) -> Self:
        """Open an app by its settings; close it when you are done."""
        real = SystemClock() if is_demo else None
        return cls(settings, Store.open(settings, clock=clock, real=real), is_demo=is_demo)

    @classmethod
    def in_memory(cls, *, clock: Clock | None = None, settings: Settings | None = None) -> Self:
        """Open an app with tables in memory, for tests and experiments."""
        chosen = settings or Settings(given_secret=Secret(secrets.token_hex(32)))
        app = cls(chosen, Store.in_memory(clock=clock))
        app._is_in_memory = True
        app.prepare()
        return app

    @property
    def clock(self) -> Clock:
        """The clock of everything."""
        return self.store.clock

    # Domains

    @property
    def site(self) -> Site:
        """The records, users, tokens and mails of the company site."""
        return cast("Site", self.domain("site"))

    @property
    def news(self) -> News:
        """The latest news, and the texts of their articles."""
        return cast("News", self.domain("news"))

    @property
    def shops(self) -> Shops:
        """Shops, their pages, and what changed on them."""
        return cast("Shops", self.domain("shops"))

    @property
    def market(self) -> Market:
        """Prices, indices and indicators of the Korean exchange."""
        return cast("Market", self.domain("market"))

    @property
    def videos(self) -> Videos:
        """Videos, their comments and analyses."""
        return cast("Videos", self.domain("videos"))

    def domain(self, name: str) -> Service:
        """The service of a domain, opened on first use."""
        found = self._services.get(name)
        if found is not None:
            return found
        with self._making:  # two threads may want it first
            if name not in self._services:
                self._services[name] = self._open_service(name)
            return self._services[name]

    def _open_service(self, name: str) -> Service:
        service: Service = get_domain(name).load().open(self._core())
        return service

    def _core(self) -> Core:
        return Core(
            self.settings,
            self.clock,
            self.store,
            self.web,
            lambda: self.database,
            real=SystemClock() if self.is_demo else None,
        )

    @property
    def database(self) -> Database:
        """Prices, logs, leases and ticks, in tables of their latest version."""
        with self._making:  # two threads may want it first
            return self._database

    @property
    def day(self) -> Days:
        """The pages of days, which join all domains."""
        with self._making:
            return self._days

    @property
    def search(self) -> Search:
        """The search across all domains."""
        with self._making:
            return self._search

    def search_updater(self) -> Updater:
        """The thread that keeps the index of the search while a server runs."""
        from gotgan.search.updater import Updater  # noqa: PLC0415 - see above

        return Updater(self._indexer)

    @cached_property
    def _search(self) -> Search:
        from gotgan.search.service import Search  # noqa: PLC0415 - see above

        return Search(lambda: self.database, lambda: self._indexer)

    @property
    def _indexer(self) -> Indexer:
        with self._making:
            return self._made_indexer

    @cached_property
    def _made_indexer(self) -> Indexer:
        from gotgan.search.indexer import Indexer  # noqa: PLC0415 - see above

        services = {each.name: partial(self.domain, each.name) for each in domains()}
        real = SystemClock() if self.is_demo else self.clock
        return Indexer(self.database, services, self.clock, real)

    @cached_property
    def _database(self) -> Database:
        from gotgan.sql import Database  # noqa: PLC0415 - see above

        if self._is_in_memory:
            opened = Database.in_memory(self.clock)
        else:
            opened = Database.open(self.settings, self.clock)
        try:
            opened.prepare(lambda connection, names: self._try_out(opened, connection, names))
        except BaseException:
            opened.close()
            raise
        return opened

    def _try_out(self, database: Database, connection: Connection, names: set[str]) -> None:
        """Raise TableUnusable where a table of another program refuses what is written to it."""
        from gotgan.domains.market import logs as market  # noqa: PLC0415 - see above
        from gotgan.domains.videos import adoption as videos  # noqa: PLC0415
        from gotgan.domains.videos.jobs import Jobs  # noqa: PLC0415

        now = self.clock.now()
        if names & {each.name for each in market.LOG_TABLES}:
            market.try_logs(connection, now)
        if names & {each.name for each in videos.TABLES}:
            videos.check_writes(connection, Jobs(self.clock, database.leases), now)

    @cached_property
    def _days(self) -> Days:
        from gotgan.day.service import Days  # noqa: PLC0415 - see above

        return Days(
            self.store,
            {each.name: partial(self.domain, each.name) for each in domains()},
            self._work,
            zone=day_zone(self.settings.zone),
            language=self.settings.site_language,
        )

    # The schedule

    def _work(self, span: Span, now: datetime) -> tuple[JobDay, ...]:
        from gotgan.schedule import jobs  # noqa: PLC0415 - see above
        from gotgan.scheduler import Ticks  # noqa: PLC0415 - see above
        from gotgan.scheduler.history import job_days  # noqa: PLC0415 - see above

        return job_days(jobs(), Ticks(self.database), span, now, self.settings.zone)

    def verb(self, name: str) -> Callable[[], Any]:
        """The daily work of a verb; the function returns its report, or raises why it failed."""

        def work() -> Any:
            run = self.runs.wait(self.start(name).id, _FOREVER_S)
            if run.error is not None:
                raise run.error
            return run.report

        return work

    def start(self, verb: str) -> Run:
        """Start the daily work of a verb in the background; a running one is joined."""
        from gotgan.verbs import start  # noqa: PLC0415 - it loads pydantic

        if verb == _BACKUP:
            from gotgan.backup import back_up  # noqa: PLC0415 - for this alone

            return self.runs.start(verb, lambda tell: back_up(self.settings, on_progress=tell))
        return start(self.runs, self._method(verb))

    def ask(self, gate: str) -> GateDecision:
        """What a gate decides now, such as ``news.is_ready``."""
        if gate.partition(".")[0] == _BACKUP:
            return GO if self.settings.backup is not None else _NO_BACKUP
        decision: GateDecision = self._method(gate)()
        return decision

    def _method(self, name: str) -> Callable[..., Any]:
        domain, _, rest = name.partition(".")
        found = getattr(self.domain(domain), rest, None)
        if found is None:
            raise NotFound(_NO_METHOD(domain=domain, name=rest))
        method: Callable[..., Any] = found
        return method

    def scheduler(self, *jobs: Job) -> Scheduler:
        """The loop over the schedule, or over some of its jobs, for as long as a block runs."""
        from gotgan.schedule import jobs as all_jobs  # noqa: PLC0415 - see above
        from gotgan.scheduler import Scheduler, Ticks  # noqa: PLC0415 - see above

        ticks, zone = Ticks(self.database), self.settings.zone
        self._scheduler = Scheduler(
            self, ticks, clock=self.clock, zone=zone, jobs=jobs or all_jobs()
        )
        return self._scheduler

    @property
    def operations(self) -> Operations:
        """The schedule and its results, setup, settings, events and costs."""
        from gotgan.operations.service import Operations  # noqa: PLC0415 - see above

        return Operations(
            self.settings,
            self.store,
            self.recent,
            lambda: self.database,
            self._setup,
            lambda name: get_domain(name).data_sets(self._core()),
        )

    def _setup(self) -> Setup:
        from gotgan.operations.reports import Setup  # noqa: PLC0415 - see above

        steps = [self._steps(each.name) for each in domains()]
        ordered = (sorted(each, key=lambda step: not step.is_needed) for each in steps)
        return Setup(tuple(step for each in ordered for step in each))

    def _steps(self, name: str) -> Sequence[SetupStep]:
        try:
            return self.domain(name).setup()
        except GotganError:
            raise
        except Exception as error:  # noqa: BLE001 - a defect of one domain does not hide the others
            emit("setup.failed", level="error", domain=name, reason=repr(error))
            return (SetupStep(name, "setup", "defect", _DEFECT()),)

    # Health and life cycle

    def health(self, *, with_database: bool = True) -> HealthReport:
        """Whether this process works; checked at most every five seconds.

        ``with_database`` includes the relational side, which some servers never open.
        """
        with self._making:
            if with_database not in self._health:
                self._health[with_database] = Health(self._checks(with_database=with_database))
        return self._health[with_database].report()

    def _checks(self, *, with_database: bool) -> dict[str, Callable[[], str | None]]:
        checks: dict[str, Callable[[], str | None]] = {"store": self._check_store}
        if with_database:
            checks["database"] = self._check_database
            checks["migrations"] = self._check_migrations
        has_files = self.store.is_in_process or (with_database and self.settings.database is None)
        if has_files and not self._is_in_memory:
            checks["disk"] = lambda: check_disk(self.settings.data)
        if self._scheduler is not None:
            checks["scheduler"] = self._scheduler.check
        return checks

    def _check_store(self) -> None:
        """Read and write the embedded file; elsewhere writes cost money, so only read there."""
        if self.store.is_in_process:
            self.store.check()
        else:
            self.site.company.look()

    def _check_database(self) -> None:
        self.database.check()

    def _check_migrations(self) -> str | None:
        return self.database.check_version()

    def prepare(self) -> None:
        """Create the tables that are missing, wherever the store is.

        The embedded engine needs no such call: there a table is created when it is first used.
        """
        for each in domains():
            if each.tables is not None:
                self.domain(each.name).prepare()

    def close(self) -> None:
        """Close files and connections, when what is running has ended."""
        self.runs.stop()
        for name, service in list(self._services.items()):
            try:
                service.close()
            except Exception as error:  # noqa: BLE001 - the rest is closed all the same
                emit("domain.close.failed", level="error", domain=name, reason=repr(error))
        self.web.close()
        self.runs.join()
        self.store.close()
        if "_database" in vars(self):
            self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
