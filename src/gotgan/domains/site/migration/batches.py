"""One batch of old rows after the other: understood, compared, copied, and noted as done."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from gotgan.domains.site.migration.committing import Refusal, carry_out
from gotgan.domains.site.migration.copies import Copy, TargetState
from gotgan.domains.site.migration.mapping import understood
from gotgan.domains.site.migration.planning import RowMover, RowPlan, planned
from gotgan.domains.site.migration.post_moves import PostMover
from gotgan.domains.site.migration.rows import Note, Old
from gotgan.domains.site.migration.sources import SourceRow
from gotgan.domains.site.migration.state import KnownRow, MigrationState
from gotgan.domains.site.migration.tally import MigrationTally, Outcome
from gotgan.errors import MigrationError
from gotgan.store import Store

__all__ = ["Copier"]


@dataclass
class Copier:
    """Copies rows of one kind, a batch at a time; it keeps nothing of the batches before."""

    store: Store
    state: MigrationState
    tally: MigrationTally
    mover: RowMover
    dry_run: bool
    since: datetime | None = None
    seen: dict[str, KnownRow] = field(default_factory=dict)
    """What became known with this batch."""

    def copy(self, olds: Sequence[Old]) -> set[str]:
        """Copy a batch; the ids of the rows that have a copy now."""
        self.seen = {}
        return set[str]().union(*map(self._round, _rounds(olds)))

    def understood(self, rows: Sequence[SourceRow]) -> list[Old]:
        """The rows that can be understood; the others are counted as failed."""
        return [old for row in rows if (old := self._understood(row))]

    def _understood(self, row: SourceRow) -> Old | None:
        kind = self.mover.kind
        try:
            if row.trouble:
                raise MigrationError(row.trouble)  # noqa: TRY301 - one place counts what failed
            return understood(kind, row.item)
        except MigrationError as error:
            self.tally.count(kind.name, "failed", f"{_name(row, kind.key)}: {error.message}")
            return None

    def _round(self, olds: Sequence[Old]) -> set[str]:
        kind = self.mover.kind.name
        known = self.state.known(kind, [old.old_id for old in olds]) | self.seen
        copies = [copy for old in olds if (copy := self._copy(old, known.get(old.old_id)))]
        there = self.mover.look(copies, consistent=False)
        lost = [copy for copy in copies if _is_lost(copy, there, known)]
        there |= self.mover.look(lost, consistent=True) if lost else {}
        plans = [self._plan(copy, there, known.get(copy.old.old_id)) for copy in copies]
        done = self._carried_out(plans, known)
        for each in done:
            self._file(each, known)
        return {each.copy.old.old_id for each in done if _has_copy(each)}

    def _copy(self, old: Old, known: KnownRow | None) -> Copy | None:
        """What a row becomes; nothing of one that is too old to be asked for, or cannot be kept."""
        kind = self.mover.kind.name
        self.tally.decide(old.notes)
        if self.since is not None and old.updated_at < self.since:
            self.tally.count(kind, "skipped", old.old_id)
            self._only_seen(old, known)
            return None
        if isinstance(self.mover, PostMover) and self.mover.is_orphan(old):
            self.tally.of(kind).orphaned += 1
            self.tally.list("orphaned", f"{old.old_id}: {old.category or 'no category'}")
        try:
            return self.mover.copy(old)
        except MigrationError as error:
            self.tally.count(kind, "failed", f"{old.old_id}: {error.message}")
            self._only_seen(old, known)
            return None

    def _only_seen(self, old: Old, known: KnownRow | None) -> None:
        """Note that a row is still at the origin, and nothing more than was known."""
        version, digest = (known.version, known.digest) if known else (0, b"")
        self.seen[old.old_id] = KnownRow(old.old_id, self.state.run, version, digest)

    def _plan(
        self, copy: Copy, there: dict[str, TargetState], known: KnownRow | None
    ) -> RowPlan | Refusal:
        standing = there[copy.old.old_id]
        if self.dry_run and standing.item is None and known and known.run == self.state.run:
            # The same row came before; a run that writes would have found its copy.
            outcome: Outcome = "skipped" if known.digest == copy.old.digest else "updated"
            return RowPlan(copy, outcome, known.version)
        try:
            return planned(self.mover, copy, standing, known)
        except MigrationError as error:
            return Refusal(copy, error.message)

    def _carried_out(
        self, plans: Sequence[RowPlan | Refusal], known: dict[str, KnownRow]
    ) -> Sequence[RowPlan | Refusal]:
        if self.dry_run:
            return plans

        def again(plan: RowPlan) -> RowPlan:
            copy = self.mover.copy(plan.copy.old)
            there = self.mover.look([copy], consistent=True)
            return planned(self.mover, copy, there[copy.old.old_id], known.get(copy.old.old_id))

        refused = [each for each in plans if isinstance(each, Refusal)]
        sound = [each for each in plans if isinstance(each, RowPlan)]
        return [*refused, *carry_out(self.store, sound, again, self._forget)]

    def _forget(self, category_id: str) -> None:
        if isinstance(self.mover, PostMover):
            self.mover.homes.forget(category_id)
            topic = "a category was deleted here while its posts were copied"
            self.tally.decide([Note(topic, category_id)])

    def _file(self, done: RowPlan | Refusal, known: dict[str, KnownRow]) -> None:
        """Count a row, and note what is known of it now."""
        old, kind = done.copy.old, self.mover.kind.name
        if isinstance(done, Refusal):
            self.tally.count(kind, "failed", f"{old.old_id}: {done.reason}")
            self._only_seen(old, known.get(old.old_id))
            return
        self.tally.count(kind, done.outcome, old.old_id)
        self.tally.decide(done.notes)
        self.seen[old.old_id] = _known_now(done, known.get(old.old_id), self.state.run)


def _has_copy(done: RowPlan | Refusal) -> bool:
    return isinstance(done, RowPlan) and done.outcome != "deleted_here"


def _is_lost(copy: Copy, there: dict[str, TargetState], known: dict[str, KnownRow]) -> bool:
    """Whether a copy is not where it was: lost, or only not seen yet by a hasty look."""
    before = known.get(copy.old.old_id)
    found = there[copy.old.old_id]
    return found.item is None and not found.is_gone and before is not None and before.version > 0


def _known_now(plan: RowPlan, before: KnownRow | None, run: int) -> KnownRow:
    """What a later run should know: a conflict stays one until somebody settles it."""
    old = plan.copy.old
    if plan.version or before is None:
        return KnownRow(old.old_id, run, plan.version, old.digest)
    return KnownRow(old.old_id, run, before.version, before.digest or old.digest)


def _rounds(olds: Sequence[Old]) -> Iterator[list[Old]]:
    """Rows in rounds that have each id once: what comes again is compared with what came first."""
    left = list(olds)
    while left:
        first: dict[str, Old] = {}
        later = [old for old in left if first.setdefault(old.old_id, old) is not old]
        yield list(first.values())
        left = later


def _name(row: SourceRow, key: str) -> str:
    """What a row without a usable id is called in a report."""
    value = row.item.get(key)
    return row.place if value is None else f"{row.place}, {key} {next(iter(value.values()))!r:.60}"
