"""The proof that a migration lost nothing: every old row is read again and held beside its copy.

Counts say how many rows have a copy that is equal; two checksums, over the rows as they would be
copied and over the copies as they are stored, must come out the same. A copy that was edited here
since is newer, and is left out of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gotgan.clock import utc_iso
from gotgan.domains.site.migration.copies import Copy, under_its_id
from gotgan.domains.site.migration.findings import Checked, Ran, Verification, finding_of
from gotgan.domains.site.migration.mapping import understood
from gotgan.domains.site.migration.options import MigrationProgress, OnStep, Options, silently
from gotgan.domains.site.migration.planning import CategoryMover, RecordMover, RowMover
from gotgan.domains.site.migration.post_moves import PostMover
from gotgan.domains.site.migration.resolving import Authors, Homes, company_name, newest
from gotgan.domains.site.migration.rows import CATEGORIES, CORP, POSTS, Old, RowKind
from gotgan.domains.site.migration.sources import OldRows, SourceRow, Sources
from gotgan.domains.site.migration.state import MigrationState, identity_of, opened, state_file
from gotgan.errors import MigrationError
from gotgan.store import Store

__all__ = ["proved", "verify"]


def verify(
    store: Store,
    sources: Sources,
    options: Options = Options(),  # noqa: B008 - it is frozen
    on_progress: OnStep = silently,
) -> Verification:
    """Hold every old row beside its copy; nothing is written but that it was verified."""
    folder, identity = options.folder, identity_of(store)
    path = None if folder is None else state_file(folder, identity, sources.identity)
    with opened(path, keep=path is not None and path.exists()) as state:
        return proved(store, sources, options, state, on_progress)


def proved(
    store: Store,
    sources: Sources,
    options: Options,
    state: MigrationState,
    on_progress: OnStep,
    ran: Ran | None = None,
) -> Verification:
    """A verification, with what is known of the rows; of a run that has just ended, its own."""
    began = store.clock.monotonic()
    proof = _Proof(store, sources, options, state, on_progress, ran)
    with store.metered() as measured:
        proof.go()
    result = proof.result
    result.seconds = store.clock.monotonic() - began
    result.cost = measured.cost
    if result.passed:
        rows = {name: checked.rows for name, checked in result.kinds.items()}
        state.note(verified={"at": utc_iso(store.clock.now()), "rows": rows})
    return result


@dataclass
class _Proof:
    """One verification."""

    store: Store
    sources: Sources
    options: Options
    state: MigrationState
    on_progress: OnStep
    ran: Ran | None
    result: Verification = field(default_factory=Verification)
    _company: Old | None = None

    def go(self) -> None:
        """Check one kind after the other."""
        began = self.store.clock.monotonic()
        homes: list[Old] = []
        there: set[str] = set()
        for kind, rows in self.sources.given():
            mover, read = self._mover(kind, rows, homes, there), 0
            self._checked(kind)
            for batch in rows.batches():
                olds = list(self._understood(kind, batch.rows, rows))
                found = self._check(mover, olds)
                read += len(batch.rows)
                if kind is CATEGORIES:
                    homes += olds
                    there |= found
                seconds = self.store.clock.monotonic() - began
                self.on_progress(
                    MigrationProgress(f"verify {kind.name}", read, batch.share, seconds)
                )

    def _mover(self, kind: RowKind, rows: OldRows, olds: list[Old], there: set[str]) -> RowMover:
        if kind is CATEGORIES:
            return CategoryMover(self.store)
        if kind is POSTS:
            homes = Homes(self.store, sorted(olds, key=_age), there, dry_run=True)
            return PostMover(self.store, homes, Authors(self.store, self.state, dry_run=True))
        if kind is not CORP:
            return RecordMover(self.store, kind)
        self._company = newest(list(_readable(rows)))
        name, _ = company_name(self.store, self._company, self.options.corp_name)
        return RecordMover(self.store, CORP, {"name": name})

    def _checked(self, kind: RowKind) -> Checked:
        """What is found about rows of a kind; drafts have a type of their own."""
        return self.result.kinds.setdefault(kind.entity.__name__, Checked())

    def _understood(
        self, kind: RowKind, rows: Sequence[SourceRow], source: OldRows
    ) -> Iterator[Old]:
        for row in rows:
            checked = self._checked(kind)
            try:
                if row.trouble:
                    raise MigrationError(row.trouble)  # noqa: TRY301 - one place counts them
                old = understood(kind, row.item)
            except MigrationError as error:
                place = f"{source.name}, {row.place}"
                checked.rows += 1
                self.result.file(checked, "missing", f"{place}: {error.message}")
                continue
            self._checked(old.kind).rows += 1
            if kind is CORP and self._company and old.old_id != self._company.old_id:
                self.result.file(checked, "set_aside", old.old_id)
                continue
            yield old

    def _check(self, mover: RowMover, olds: Sequence[Old]) -> set[str]:
        """Check rows; the ids of those that have a copy."""
        known = self.state.known(mover.kind.name, [old.old_id for old in olds])
        copies = [copy for old in olds if (copy := self._copy(mover, old))]
        there = mover.look(
            list({each.old.old_id: each for each in copies}.values()), consistent=True
        )
        for each in copies:
            old_id, standing = each.old.old_id, there[each.old.old_id]
            checked = self._checked(each.old.kind)
            copy, item = under_its_id(each, standing), standing.item
            checked.found += item is not None
            finding, reason = finding_of(copy, standing, known.get(old_id), self.ran)
            self.result.file(checked, finding, f"{old_id}{reason}")
            if item is not None and finding in {"equal", "different"}:
                checked.add(copy, item)
        return {old_id for old_id, standing in there.items() if standing.item is not None}

    def _copy(self, mover: RowMover, old: Old) -> Copy | None:
        try:
            return mover.copy(old)
        except MigrationError as error:
            self.result.file(self._checked(old.kind), "missing", f"{old.old_id}: {error.message}")
            return None


def _readable(rows: OldRows) -> Iterator[Old]:
    for batch in rows.batches():
        for row in batch.rows:
            try:
                yield understood(CORP, row.item)
            except MigrationError:
                continue  # it is counted where the rows are checked


def _age(old: Old) -> tuple[Any, str]:
    return old.made_at, old.old_id
