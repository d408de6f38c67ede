"""Verification of a migration: every old row is read again and compared with its copy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field

from gotgan.clock import utc_iso
from gotgan.domains.site.migration import messages, references, report
from gotgan.domains.site.migration.copies import Copy, under_its_id
from gotgan.domains.site.migration.mapping import parse_row
from gotgan.domains.site.migration.movers import CategoryMover, PostMover, RecordMover, RowMover
from gotgan.domains.site.migration.options import MigrationProgress, OnStep, Options, no_progress
from gotgan.domains.site.migration.rows import CATEGORIES, CORP, POSTS, OldRow, RowKind, age_key
from gotgan.domains.site.migration.sources import OldRows, OldTable, SourceRow, Sources
from gotgan.domains.site.migration.state import MigrationState, identity_of, open_state, state_file
from gotgan.errors import MigrationError, UsageError
from gotgan.events import emit
from gotgan.store import Store


def verify(
    store: Store,
    sources: Sources,
    options: Options = Options(),  # noqa: B008 - it is frozen
    on_progress: OnStep = no_progress,
) -> report.Verification:
    """Hold every old row beside its copy; nothing is written but that it was verified."""
    folder, identity = options.folder, identity_of(store)
    path = None if folder is None else state_file(folder, identity, sources.identity)
    with open_state(path, keep=path is not None and path.exists()) as state:
        return verify_copies(store, sources, options, state, on_progress)


def verify_copies(
    store: Store,
    sources: Sources,
    options: Options,
    state: MigrationState,
    on_progress: OnStep,
    ran: report.CopyRun | None = None,
) -> report.Verification:
    """A verification, with what is known of the rows; of a run that has just ended, its own."""
    began = store.clock.monotonic()
    proof = _Verifier(store, sources, options, state, on_progress, ran)
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
class _Verifier:
    """One verification."""

    store: Store
    sources: Sources
    options: Options
    state: MigrationState
    on_progress: OnStep
    ran: report.CopyRun | None
    result: report.Verification = field(default_factory=report.Verification)
    _company: OldRow | None = None

    def go(self) -> None:
        """Check one kind after the other."""
        began = self.store.clock.monotonic()
        homes: list[OldRow] = []
        there: set[str] = set()
        for kind, rows in self.sources.given():
            mover, read = self._mover(kind, rows, homes, there), 0
            self._kind_check(kind)
            for batch in rows.batches():
                olds = list(self._parse_rows(kind, batch.rows, rows))
                found = self._check(mover, olds)
                read += len(batch.rows)
                if kind is CATEGORIES:
                    homes += olds
                    there |= found
                seconds = self.store.clock.monotonic() - began
                self.on_progress(
                    MigrationProgress(f"verify {kind.name}", read, batch.share, seconds)
                )

    def _mover(self, kind: RowKind, rows: OldRows, olds: list[OldRow], there: set[str]) -> RowMover:
        if kind is CATEGORIES:
            return CategoryMover(self.store)
        if kind is POSTS:
            homes = references.CategoryResolver(
                self.store, sorted(olds, key=age_key), there, dry_run=True
            )
            return PostMover(
                self.store, homes, references.AuthorResolver(self.store, self.state, dry_run=True)
            )
        if kind is not CORP:
            return RecordMover(self.store, kind)
        companies: list[OldRow] = []
        for row in (row for batch in rows.batches() for row in batch.rows):
            with suppress(MigrationError):  # it is counted where the rows are checked
                companies.append(parse_row(CORP, row.item))
        self._company = references.newest(companies)
        name = references.company_name(self.store, self._company, self.options.corp_name)
        return RecordMover(self.store, CORP, {"name": name})

    def _kind_check(self, kind: RowKind) -> report.KindCheck:
        """What is found about rows of a kind; drafts have a type of their own."""
        return self.result.kinds.setdefault(kind.entity.__name__, report.KindCheck())

    def _parse_rows(
        self, kind: RowKind, rows: Sequence[SourceRow], source: OldRows
    ) -> Iterator[OldRow]:
        for row in rows:
            checked = self._kind_check(kind)
            try:
                old = parse_row(kind, row.item, row.trouble)
            except MigrationError as error:
                checked.rows += 1
                example = f"{source.name}, {row.place}: {error.message}"
                self.result.file(checked, "missing", example)
                continue
            self._kind_check(old.kind).rows += 1
            if kind is CORP and self._company and old.old_id != self._company.old_id:
                self.result.file(checked, "set_aside", old.old_id)
                continue
            yield old

    def _check(self, mover: RowMover, olds: Sequence[OldRow]) -> set[str]:
        """Check rows; the ids of those that have a copy."""
        known = self.state.known_rows(mover.kind.name, [old.old_id for old in olds])
        copies: list[Copy] = []
        for old in olds:
            try:
                copies.append(mover.copy(old))
            except MigrationError as error:
                example = f"{old.old_id}: {error.message}"
                self.result.file(self._kind_check(old.kind), "missing", example)
        there = mover.look(
            list({each.old.old_id: each for each in copies}.values()), consistent=True
        )
        for each in copies:
            old_id, standing = each.old.old_id, there[each.old.old_id]
            checked = self._kind_check(each.old.kind)
            copy, item = under_its_id(each, standing), standing.item
            checked.found += item is not None
            finding, reason = report.finding_of(copy, standing, known.get(old_id), self.ran)
            self.result.file(checked, finding, f"{old_id}{reason}")
            if item is not None and finding in {"equal", "different"}:
                checked.add(copy, item)
        return {old_id for old_id, standing in there.items() if standing.item is not None}


def retire(
    store: Store,
    sources: Sources,
    options: Options = Options(),  # noqa: B008 - it is frozen
    on_progress: OnStep = no_progress,
) -> report.Verification:
    """Verify, and remove the old tables if that passed; the old system must be stopped before."""
    tables = refuse_files(sources)
    verification = verify(store, sources, options, on_progress)
    if not verification.passed:
        findings = [
            report.FINDINGS[name](
                count=found.count, example=found.examples[0], advice=report.ADVICE[name]
            )
            for name, found in verification.trouble.items()
        ]
        raise MigrationError(messages.NOT_RETIRED(findings=findings))
    for table in tables:
        store.calls.driver.call("DeleteTable", {"TableName": table.name})
        emit("site.migration.retired", level="warning", table=table.name)
    return verification


def refuse_files(sources: Sources) -> list[OldTable]:
    """The tables among the sources; files are never removed."""
    tables: list[OldTable] = [rows for _, rows in sources.given() if isinstance(rows, OldTable)]
    if len(tables) < len(sources.given()):
        raise UsageError(messages.ONLY_TABLES())
    return tables
