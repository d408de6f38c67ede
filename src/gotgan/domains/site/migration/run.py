"""A migration run, which copies what is new or newer and resumes an interrupted one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any, Final

from gotgan.clock import utc_iso
from gotgan.domains.site import patterns
from gotgan.domains.site.keys import BY_TYPE, SITE
from gotgan.domains.site.migration import messages, movers, references, rows
from gotgan.domains.site.migration.copier import Copier
from gotgan.domains.site.migration.options import MigrationProgress, OnStep, Options, no_progress
from gotgan.domains.site.migration.report import CopyRun, MigrationReport, MigrationTally
from gotgan.domains.site.migration.sources import OldRows, Sources
from gotgan.domains.site.migration.state import (
    DONE,
    MigrationState,
    identity_of,
    lock_target,
    open_state,
    state_file,
)
from gotgan.domains.site.migration.verification import verify_copies
from gotgan.errors import MigrationError
from gotgan.events import emit
from gotgan.store import Ref, Store
from gotgan.store.attributes import Item
from gotgan.store.batches import chunks
from gotgan.store.outputs.live import describe_table

_REFS_PER_READ: Final = 500


def lost_at_origin(
    store: Store, state: MigrationState, tally: MigrationTally, kind: rows.RowKind
) -> None:
    """Count and list the copies of a kind whose rows this run did not see."""
    if kind is rows.CORP:
        return  # there is one, and it stays
    lost = (
        _unseen_posts(store, state) if kind is rows.POSTS else _unseen_records(store, kind, state)
    )
    for old_id in lost:
        tally.of(kind.name).deleted_at_origin += 1
        tally.list("deleted_at_origin", f"{kind.name} {old_id}")


def _unseen_posts(store: Store, state: MigrationState) -> Iterator[str]:
    for some in chunks(
        chain(_legacy_ids(store, rows.POSTS), _legacy_ids(store, rows.DRAFTS)), _REFS_PER_READ
    ):
        known = state.known_rows(rows.POSTS.name, some)
        yield from (each for each in some if each not in known or known[each].run < state.run)


def _legacy_ids(store: Store, kind: rows.RowKind) -> Iterator[str]:
    """The old ids of all posts or drafts, from the index, without what else they hold."""
    names = {"#type": BY_TYPE.pk.name, "#legacy": "legacyId"}
    request = {
        "TableName": store.calls.names.of(SITE),
        "IndexName": store.calls.names.of(BY_TYPE),
        "KeyConditionExpression": "#type = :type",
        "FilterExpression": "attribute_exists(#legacy)",
        "ProjectionExpression": "#legacy",
        "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": {":type": {"S": kind.entity.__name__}},
    }
    start: Item | None = None
    while True:
        behind = {} if start is None else {"ExclusiveStartKey": start}
        answer, _ = store.calls.send("migrate", "Query", {**request, **behind})
        yield from (item["legacyId"]["S"] for item in answer["Items"])
        start = answer.get("LastEvaluatedKey")
        if not start:
            return


def _unseen_records(store: Store, kind: rows.RowKind, state: MigrationState) -> Iterator[str]:
    """Of the rows that this run did not see, those whose copies still exist."""
    ref_of: Callable[[str], Ref[Any]] = (
        patterns.category if kind is rows.CATEGORIES else patterns.inquiry
    )
    for some in chunks(state.unseen_ids(kind.name), _REFS_PER_READ):
        refs = {old_id: ref_of(old_id) for old_id in some}
        found = movers.stored_items(store, list(refs.values()), consistent=False)
        yield from (old_id for old_id, ref in refs.items() if ref in found)


_MAX_ROWS: Final = 10_000


def migrate(
    store: Store,
    sources: Sources,
    options: Options = Options(),  # noqa: B008 - it is frozen
    on_progress: OnStep = no_progress,
) -> MigrationReport:
    """Copy what is new or newer in the old tables, and verify it unless the options say no."""
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
            ran = CopyRun(state.run, options.since)
            found = verify_copies(target, sources, options, state, on_progress, ran)
        return replace(report, verification=found, last_verified=state.fact("verified"))


@contextmanager
def _target(store: Store, options: Options) -> Iterator[Store]:
    """The store to copy to; for a dry run without a table, an empty one to compare with."""
    missing = describe_table(store.calls.driver, store.calls.names.of(SITE)) is None
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
            stack.enter_context(lock_target(folder, identity))
        yield stack.enter_context(open_state(path, keep=not options.dry_run))


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
            if kind is rows.CORP:
                self._corp()
            elif kind is rows.POSTS:
                authors = references.AuthorResolver(self.store, self.state, self.options.dry_run)
                self._stream(kind, movers.PostMover(self.store, homes, authors))
            elif kind is not rows.CATEGORIES:
                self._stream(kind, movers.RecordMover(self.store, kind))
        for kind in self._given:
            lost_at_origin(self.store, self.state, self.tally, kind)
        self.state.note(plan="")  # the next run begins at the beginning
        emit("site.migration.finished", rows=sum(each.read for each in self.tally.kinds.values()))

    def _copier(self, mover: movers.RowMover, tally: MigrationTally | None = None) -> Copier:
        return Copier(
            self.store,
            self.state,
            self.tally if tally is None else tally,
            mover,
            self.options.dry_run,
            self.options.since,
        )

    def _categories(self) -> references.CategoryResolver:
        """Copy the few categories, and resolve what posts call them; a resumed run counts none."""
        olds: list[rows.OldRow] = []
        there: set[str] = set()
        if rows.CATEGORIES in self._given:
            is_done = self.state.place(rows.CATEGORIES.name) == DONE
            mover = movers.CategoryMover(self.store)
            copier = self._copier(mover, MigrationTally() if is_done else None)
            olds = sorted(
                _read_all(rows.CATEGORIES, self._given[rows.CATEGORIES], copier), key=rows.age_key
            )
            mover.reserve(olds)
            there = copier.copy(olds)
            # Those that --since left alone may have a copy, too.
            since = self.options.since
            left = [old.old_id for old in olds if since is not None and old.updated_at < since]
            refs = {old_id: patterns.category(old_id) for old_id in left}
            found = movers.stored_items(self.store, list(refs.values()), consistent=True)
            there |= {old_id for old_id, ref in refs.items() if ref in found}
            self._checkpoint(rows.CATEGORIES, DONE, copier)
        return references.CategoryResolver(self.store, olds, there, dry_run=self.options.dry_run)

    def _corp(self) -> None:
        """Copy the newest row about the company; the others are listed."""
        if self.state.place(rows.CORP.name) == DONE:
            return
        copier = self._copier(movers.RecordMover(self.store, rows.CORP))
        olds = _read_all(rows.CORP, self._given[rows.CORP], copier)
        chosen = references.newest(olds)
        for old in olds:
            if old is not chosen:
                self.tally.count(rows.CORP.name, "skipped", old.old_id)
                self.tally.decide([rows.Note(messages.SEVERAL_COMPANIES(), old.old_id)])
        if chosen is not None:
            name = references.company_name(self.store, chosen, self.options.corp_name)
            if chosen.fields["name"] is None:
                self.tally.decide([rows.Note(messages.COMPANY_UNNAMED(), name)])
            copier.mover = movers.RecordMover(self.store, rows.CORP, {"name": name})
            copier.copy([chosen])
        self._checkpoint(rows.CORP, DONE, copier)

    def _stream(self, kind: rows.RowKind, mover: movers.RowMover) -> None:
        """Copy rows that are many, batch after batch."""
        place = self.state.place(kind.name)
        if place == DONE:
            return
        copier = self._copier(mover)
        count = 0
        for batch in self._given[kind].batches(place):
            copier.copy(copier.parse_rows(batch.rows))
            if isinstance(mover, movers.PostMover):
                self.tally.decide(mover.authors.notes)
                mover.authors.notes.clear()
            self._checkpoint(kind, batch.behind, copier)
            count += len(batch.rows)
            seconds = self.store.clock.monotonic() - self._began
            self.on_progress(MigrationProgress(kind.name, count, batch.share, seconds))
        copier.seen = {}
        self._checkpoint(kind, DONE, copier)

    def _checkpoint(self, kind: rows.RowKind, place: Any, copier: Copier) -> None:
        self.state.checkpoint(kind.name, place, copier.seen.values(), self.tally.record())


def _read_all(kind: rows.RowKind, source: OldRows, copier: Copier) -> list[rows.OldRow]:
    """All rows of a kind that has only a few."""
    olds: list[rows.OldRow] = []
    for batch in source.batches():
        olds += copier.parse_rows(batch.rows)
        if len(olds) > _MAX_ROWS:
            raise MigrationError(
                messages.TOO_MANY_ROWS(source=source.name, most=_MAX_ROWS, kind=kind.name)
            )
    return olds
