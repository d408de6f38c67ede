"""A migration from beginning to end: categories, the company, posts with their authors, inquiries.

A second run copies what is newer; a run that was killed goes on where it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from gotgan.clock import utc_iso
from gotgan.domains.site import patterns
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.migration.batches import Copier
from gotgan.domains.site.migration.findings import Ran
from gotgan.domains.site.migration.options import MigrationProgress, OnStep, Options, silently
from gotgan.domains.site.migration.origin import lost_at_origin
from gotgan.domains.site.migration.planning import CategoryMover, RecordMover, RowMover, stored
from gotgan.domains.site.migration.post_moves import PostMover
from gotgan.domains.site.migration.report import MigrationReport
from gotgan.domains.site.migration.resolving import Authors, Homes, company_name, newest
from gotgan.domains.site.migration.rows import CATEGORIES, CORP, POSTS, Note, Old, RowKind
from gotgan.domains.site.migration.sources import OldRows, Sources
from gotgan.domains.site.migration.state import (
    DONE,
    MigrationState,
    held,
    identity_of,
    opened,
    state_file,
)
from gotgan.domains.site.migration.tally import MigrationTally
from gotgan.domains.site.migration.verifying import proved
from gotgan.errors import MigrationError
from gotgan.events import emit
from gotgan.store import Store
from gotgan.store.outputs.live import describe

__all__ = ["migrate"]

_MOST_FEW: Final = 10_000


def migrate(
    store: Store,
    sources: Sources,
    options: Options = Options(),  # noqa: B008 - it is frozen
    on_progress: OnStep = silently,
) -> MigrationReport:
    """Copy what is new or newer in the old tables, and say what became of every row.

    In the end all rows are read again and held beside their copies, unless nobody wants that.
    """
    began = store.clock.monotonic()
    with ExitStack() as stack:
        target = stack.enter_context(_target(store, options))
        state = stack.enter_context(_state(target, sources, options))
        run = _Run(target, sources, options, state, on_progress)
        with store.metered() as measured:
            run.go()
        seconds = store.clock.monotonic() - began
        report = MigrationReport(run.tally, options.dry_run, run.resumed, seconds, measured.cost)
        found = None
        if options.verify and not options.dry_run:
            ran = Ran(state.run, options.since)
            found = proved(target, sources, options, state, on_progress, ran)
        return replace(report, verification=found, last_verified=state.fact("verified"))


@contextmanager
def _target(store: Store, options: Options) -> Iterator[Store]:
    """The store to copy to; for a dry run without a table, an empty one to compare with."""
    missing = describe(store.calls.driver, store.calls.names.of(SITE)) is None
    if not (missing and options.dry_run):
        if missing:
            store.create(SITE)
        yield store
        return
    with Store.in_memory(clock=store.clock) as empty:
        empty.create(SITE)
        yield empty


@contextmanager
def _state(target: Store, sources: Sources, options: Options) -> Iterator[MigrationState]:
    identity, folder = identity_of(target), options.folder
    path = None if folder is None else state_file(folder, identity, sources.identity)
    with ExitStack() as stack:
        if folder is not None and not options.dry_run:
            stack.enter_context(held(folder, identity))
        yield stack.enter_context(opened(path, keep=not options.dry_run))


@dataclass
class _Run:
    """One run."""

    store: Store
    sources: Sources
    options: Options
    state: MigrationState
    on_progress: OnStep
    tally: MigrationTally = field(default_factory=MigrationTally)
    resumed: int = 0

    def __post_init__(self) -> None:
        self._given = dict(self.sources.given())
        self._began = self.store.clock.monotonic()

    def go(self) -> None:
        """Copy one kind after the other."""
        since = None if self.options.since is None else utc_iso(self.options.since)
        if self.state.begin(f"{self.sources.fingerprint}\nsince {since}"):
            self.tally = MigrationTally.restored(self.state.fact("tally", {}))
            self.resumed = sum(counts.read for counts in self.tally.kinds.values())
        emit("site.migration.started", resumed=self.resumed, dry_run=self.options.dry_run)
        homes = self._categories()
        for kind in self._given:
            if kind is CORP:
                self._corp()
            elif kind is not CATEGORIES:
                self._stream(kind, self._mover(kind, homes))
        for kind in self._given:
            lost_at_origin(self.store, self.state, self.tally, kind)
        self.state.finish()
        emit("site.migration.finished", rows=sum(each.read for each in self.tally.kinds.values()))

    def _mover(self, kind: RowKind, homes: Homes) -> RowMover:
        if kind is not POSTS:
            return RecordMover(self.store, kind)
        authors = Authors(self.store, self.state, self.options.dry_run)
        return PostMover(self.store, homes, authors)

    def _copier(self, mover: RowMover, tally: MigrationTally | None = None) -> Copier:
        return Copier(
            self.store,
            self.state,
            self.tally if tally is None else tally,
            mover,
            self.options.dry_run,
            self.options.since,
        )

    def _categories(self) -> Homes:
        """Copy the categories, and learn what posts mean by them; they are few.

        They are looked at again by a run that goes on, but counted once.
        """
        olds: list[Old] = []
        there: set[str] = set()
        if CATEGORIES in self._given:
            is_done = self.state.place(CATEGORIES.name) == DONE
            mover = CategoryMover(self.store)
            copier = self._copier(mover, MigrationTally() if is_done else None)
            olds = sorted(_few(CATEGORIES, self._given[CATEGORIES], copier), key=_age)
            mover.reserve(olds)
            there = copier.copy(olds) | self._kept(olds)
            self._checkpoint(CATEGORIES, DONE, copier)
        return Homes(self.store, olds, there, dry_run=self.options.dry_run)

    def _kept(self, olds: Sequence[Old]) -> set[str]:
        """Those that --since left alone and that are there."""
        refs = {old.old_id: patterns.category(old.old_id) for old in olds if self._is_left(old)}
        found = stored(self.store, list(refs.values()), consistent=True)
        return {old_id for old_id, ref in refs.items() if ref in found}

    def _is_left(self, old: Old) -> bool:
        return self.options.since is not None and old.updated_at < self.options.since

    def _corp(self) -> None:
        """Copy the newest row about the company; the others are listed."""
        if self.state.place(CORP.name) == DONE:
            return
        copier = self._copier(RecordMover(self.store, CORP))
        olds = _few(CORP, self._given[CORP], copier)
        chosen = newest(olds)
        for old in olds:
            if old is not chosen:
                self.tally.count(CORP.name, "skipped", old.old_id)
                topic = "there are several rows about the company: the newest counts"
                self.tally.decide([Note(topic, f"{old.old_id} is not it")])
        if chosen is not None:
            copier.mover = RecordMover(self.store, CORP, {"name": self._name(chosen)})
            copier.copy([chosen])
        self._checkpoint(CORP, DONE, copier)

    def _name(self, old: Old) -> str:
        """What the company is called: as somebody says, as the row has it, as it is called here."""
        name, found = company_name(self.store, old, self.options.corp_name)
        if old.fields["name"] is None:
            self.tally.decide([Note("the company had no name", f"it is {name} ({found})")])
        return name

    def _stream(self, kind: RowKind, mover: RowMover) -> None:
        """Copy rows that are many, batch after batch."""
        place = self.state.place(kind.name)
        if place == DONE:
            return
        copier = self._copier(mover)
        rows = 0
        for batch in self._given[kind].batches(place):
            copier.copy(copier.understood(batch.rows))
            if isinstance(mover, PostMover):
                self.tally.decide(mover.authors.notes)
                mover.authors.notes.clear()
            self._checkpoint(kind, batch.behind, copier)
            rows += len(batch.rows)
            seconds = self.store.clock.monotonic() - self._began
            self.on_progress(MigrationProgress(kind.name, rows, batch.share, seconds))
        copier.seen = {}
        self._checkpoint(kind, DONE, copier)

    def _checkpoint(self, kind: RowKind, place: Any, copier: Copier) -> None:
        self.state.checkpoint(kind.name, place, copier.seen.values(), self.tally.noted())


def _few(kind: RowKind, rows: OldRows, copier: Copier) -> list[Old]:
    """All rows of a kind that has only a few."""
    olds: list[Old] = []
    for batch in rows.batches():
        olds += copier.understood(batch.rows)
        if len(olds) > _MOST_FEW:
            raise MigrationError(
                f"{rows.name} has more than {_MOST_FEW:,} {kind.name}; is it the right source?"
            )
    return olds


def _age(old: Old) -> tuple[datetime, str]:
    return old.made_at, old.old_id
