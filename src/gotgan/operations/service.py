"""Operations: its verbs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from gotgan.errors import UsageError
from gotgan.events import EventPage, RecentEvents, emit
from gotgan.exports import messages
from gotgan.messages import Template
from gotgan.operations.params import (
    EventName,
    ExportDataSets,
    ExportDomain,
    ExportSince,
    ExportTo,
    ExportUntil,
    GroupBy,
    JobName,
    Level,
    Origin,
    Status,
)
from gotgan.operations.reports import (
    CostReport,
    ExportReport,
    Schedule,
    ScheduledJob,
    SettingList,
    Setup,
)
from gotgan.params import Cursor, Limit
from gotgan.schedule import TickPage, jobs
from gotgan.settings import Settings, settings_with_origin
from gotgan.verbs import Progress, silent, verb

if TYPE_CHECKING:
    from gotgan.exports import DataSet
    from gotgan.sql import Database
    from gotgan.store import Store

EXPORT_FOLDER: Final = "export"
_NO_JOB: Final = Template("operations.no_job", "There is no job {job}. Jobs: {known:list}.")


class Operations:
    """Settings, setup steps, the schedule and past runs of an app."""

    domain: ClassVar = "operations"

    def __init__(
        self,
        settings: Settings,
        store: Store,
        recent: RecentEvents,
        database: Callable[[], Database],
        setup: Callable[[], Setup],
        data_sets: Callable[[str], Sequence[DataSet]],
    ) -> None:
        """``database``, ``setup`` and ``data_sets`` are called by the verbs that need them."""
        self._settings = settings
        self._store = store
        self._recent = recent
        self._database = database
        self._setup = setup
        self._data_sets = data_sets

    @verb(path="schedule")
    def schedule(self) -> Schedule:
        """Show scheduled jobs: next run, last result and reason.

        The server runs them unless it was started with --no-schedule. With Airflow, DAGs run them.
        """
        from gotgan.scheduler.cron import (  # noqa: PLC0415 - it loads SQLAlchemy
            cron_text,
            job_zone,
            next_at,
        )
        from gotgan.scheduler.ticks import Ticks  # noqa: PLC0415 - as above

        now, zone = self._store.clock.now(), self._settings.zone
        last = Ticks(self._database()).last([job.name for job in jobs()], now)
        return Schedule(
            tuple(
                ScheduledJob(
                    job=job,
                    when=cron_text(job.cron, now),
                    zone=job_zone(job, zone),
                    next_at=next_at(job, now, zone),
                    last=last.get(job.name),
                )
                for job in jobs()
            )
        )

    @verb(path="schedule/ticks")
    def ticks(
        self,
        *,
        job: JobName | None = None,
        status: Status | None = None,
        limit: Limit = 50,
        cursor: Cursor | None = None,
    ) -> TickPage:
        """List the results of scheduled jobs, newest first.

        A tick is one scheduled time of a job: whether it ran, how that ended, or why it was
        skipped. Ticks are stored for thirty days.
        """
        from gotgan.scheduler.history import TickHistory  # noqa: PLC0415 - it loads SQLAlchemy

        known = [each.name for each in jobs()]
        if job is not None and job not in known:
            raise UsageError(_NO_JOB(job=job, known=known))
        history = TickHistory(self._database())
        return history.page(job, status=status, limit=limit, cursor=cursor)

    @verb(path="setup")
    def setup(self) -> Setup:
        """Show what is set up and what is missing.

        Grouped by domain. Optional items can stay unset. The console shows the same at /setup.
        """
        return self._setup()

    @verb(role="admin", path="settings")
    def settings(self, *, origin: Origin | None = None) -> SettingList:
        """Show all settings and where they came from.

        Secrets are shown as set or not set. docs/settings.md describes each setting.
        """
        return list_settings(self._settings, origin=origin)

    @verb(role="admin", path="events", is_remote=True)
    def events(
        self,
        *,
        name: EventName = "",
        level: Level = "debug",
        limit: Limit = 50,
        cursor: Cursor | None = None,
    ) -> EventPage:
        """List the latest events of this process, newest first.

        A server keeps its latest 1,000 events. Secrets are masked.
        """
        return self._recent.page(name, level=level, limit=limit, cursor=cursor)

    @verb(role="admin", path="costs", is_remote=True)
    def costs(self, *, by: GroupBy = "line") -> CostReport:
        """Show the read and write units that this process used, and their price.

        Since the process started, and per day for the last thirty days.
        """
        from gotgan.operations.costs import cost_report  # noqa: PLC0415 - it loads the store

        return cost_report(self._store.calls.meter, by)

    @verb(role="admin", kind="run", is_local=True)
    def export(
        self,
        domain: ExportDomain,
        *,
        to: ExportTo | None = None,
        dataset: ExportDataSets = (),
        since: ExportSince | None = None,
        until: ExportUntil | None = None,
        progress: Progress = silent,
    ) -> ExportReport:
        """Export a domain as Parquet files for analysis.

        Writes a folder for each data set, with a file for each day, as DuckDB, pandas and Spark
        read them. Days that have not changed since the last export are skipped, and an interrupted
        export resumes. Needs pyarrow: pip install 'gotgan[parquet]'.
        """
        from gotgan.exports import (  # noqa: PLC0415 - for this verb alone
            ExportSpan,
            export_data_set,
            open_target,
        )
        from gotgan.exports.parquet import expect_pyarrow  # noqa: PLC0415 - as above

        span, chosen = ExportSpan(since, until), self._chosen_data_sets(domain, dataset)
        expect_pyarrow()
        target = open_target(to or str(self._settings.folder() / EXPORT_FOLDER))
        done = [export_data_set(domain, each, target, span, progress) for each in chosen]
        emit("export.finished", domain=domain, target=target.name)
        return ExportReport(domain, target.name, tuple(done))

    def _chosen_data_sets(self, domain: str, names: Sequence[str]) -> Sequence[DataSet]:
        """The data sets of those names, or all of a domain."""
        found = {each.name: each for each in self._data_sets(domain)}
        if not found:
            raise UsageError(messages.NO_DATA_SETS(domain=domain))
        for name in names:
            if name not in found:
                raise UsageError(messages.NO_DATA_SET(domain=domain, name=name, known=[*found]))
        return [each for each in found.values() if not names or each.name in names]


def list_settings(settings: Settings, *, origin: Origin | None = None) -> SettingList:
    """All settings, or those of one origin; needs no open app."""
    items = tuple(settings_with_origin(settings, origin=origin))
    return SettingList(items, settings.zone)
