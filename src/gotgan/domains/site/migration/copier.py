"""Copies old rows batch by batch: many rows in one transaction, refused ones one by one.

Writes are conditional on what was read; if an editor or another run was faster, the transaction is
refused, and each of its rows is read consistently and planned again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from gotgan import errors
from gotgan.domains.site.migration import messages
from gotgan.domains.site.migration.copies import Copy, TargetState
from gotgan.domains.site.migration.mapping import parse_row
from gotgan.domains.site.migration.movers import PostMover, RowMover, RowPlan, plan_row
from gotgan.domains.site.migration.report import MigrationTally, Outcome
from gotgan.domains.site.migration.rows import Note, OldRow
from gotgan.domains.site.migration.sources import SourceRow
from gotgan.domains.site.migration.state import KnownRow, MigrationState
from gotgan.domains.site.models import Category
from gotgan.domains.site.resources import arrival_writes
from gotgan.store import CancellationReason, Store, Write
from gotgan.store.engine.faults import ValidationException

_MAX_WRITES: Final = 100
_ROOM_FOR_ARRIVALS: Final = 2
_MAX_BYTES: Final = 3 << 20
"""AWS takes 4 MB in a transaction; what rows become is a little larger than they are."""
_MAX_ATTEMPTS: Final = 6
_TEMPORARY_ERRORS: Final = frozenset(
    {"TransactionConflict", "ThrottlingError", "ProvisionedThroughputExceeded"}
)


@dataclass(frozen=True)
class Refusal:
    """A copy that cannot be made, and why."""

    copy: Copy
    reason: str


def commit_plans(
    store: Store,
    plans: Sequence[RowPlan],
    again: Callable[[RowPlan], RowPlan],
    on_missing: Callable[[str], None],
) -> list[RowPlan | Refusal]:
    """Execute plans with different keys; returns the result of each, in order."""
    done: dict[int, RowPlan | Refusal] = {id(plan): plan for plan in plans}
    # Plans that touch a common item are in one lane, the others spread over all lanes: AWS refuses
    # two transactions that touch one item at the same time.
    lanes: dict[str, list[RowPlan]] = {}
    for number, plan in enumerate(plan for plan in plans if plan.writes):
        lane = plan.lane or f"#{number % max(1, store.calls.driver.parallel)}"
        lanes.setdefault(lane, []).append(plan)
    refused = store.calls.side_by_side(lambda lane: _commit_lane(store, lane), list(lanes.values()))
    for plan in (each for lane in refused for each in lane):
        done[id(plan)] = _commit_one(store, plan, again, on_missing)
    return [done[id(plan)] for plan in plans]


def _commit_lane(store: Store, lane: list[RowPlan]) -> list[RowPlan]:
    """Carry out a lane in as few transactions as it takes; the plans that were refused."""
    refused: list[RowPlan] = []
    for group in _groups(lane):
        try:
            store.transact(_writes(group))
        except (errors.BadItem, errors.TransactionFailed, ValidationException):
            refused += group
    return refused


def _groups(lane: list[RowPlan]) -> Iterator[list[RowPlan]]:
    group: list[RowPlan] = []
    count = size = 0
    for plan in lane:
        wanted, large = len(plan.writes), plan.copy.old.size
        full = count + wanted > _MAX_WRITES - _ROOM_FOR_ARRIVALS or size + large > _MAX_BYTES
        if group and full:
            yield group
            group, count, size = [], 0, 0
        group.append(plan)
        count, size = count + wanted, size + large
    if group:
        yield group


def _writes(group: Sequence[RowPlan]) -> list[Write[Any]]:
    homes = dict.fromkeys(plan.arrives_in for plan in group if plan.arrives_in)
    arriving = [write for home in homes for write in arrival_writes(home)]
    return [*(write for plan in group for write in plan.writes), *arriving]


def _commit_one(
    store: Store,
    plan: RowPlan,
    again: Callable[[RowPlan], RowPlan],
    on_missing: Callable[[str], None],
) -> RowPlan | Refusal:
    """Retry a row until no other writer interferes."""
    notes = plan.notes
    for _ in range(_MAX_ATTEMPTS):
        try:
            plan = again(plan)
            store.transact(_writes([plan]))
        except errors.TransactionFailed as failure:
            trouble = _failure_reason(failure.reasons, on_missing)
            if trouble:
                return Refusal(plan.copy, trouble)
        except errors.GotganError as error:
            if error.retry:
                raise
            return Refusal(plan.copy, error.message)
        else:
            return replace(plan, notes=plan.notes or notes)
    return Refusal(plan.copy, "it kept changing while it was copied; run this again")


def _failure_reason(
    reasons: Sequence[CancellationReason], on_missing: Callable[[str], None]
) -> str:
    """Why a retry would fail again; empty where a retry may succeed."""
    for reason in reasons:
        if reason.code in _TEMPORARY_ERRORS:
            raise errors.StoreUnreachable(messages.MIGRATION_BUSY())
        if reason.code != "ConditionalCheckFailed":
            return reason.error.message
        if isinstance(reason.error, errors.ItemMissing) and reason.write.ref.entity is Category:
            on_missing(str(reason.write.ref.pk).removeprefix("CATEGORY#"))
    return ""


@dataclass
class Copier:
    """Copies rows of one kind, batch by batch, in constant memory."""

    store: Store
    state: MigrationState
    tally: MigrationTally
    mover: RowMover
    dry_run: bool
    since: datetime | None = None
    seen: dict[str, KnownRow] = field(default_factory=dict)
    """What became known with this batch."""

    def copy(self, olds: Sequence[OldRow]) -> set[str]:
        """Copy a batch; the ids of the rows that have a copy now."""
        self.seen = {}
        copied: set[str] = set()
        # In rounds that have each id once: what comes again is compared with what came first.
        while olds:
            first: dict[str, OldRow] = {}
            later = [old for old in olds if first.setdefault(old.old_id, old) is not old]
            copied |= self._round(list(first.values()))
            olds = later
        return copied

    def parse_rows(self, rows: Sequence[SourceRow]) -> list[OldRow]:
        """The rows that can be parsed; the others are counted as failed."""
        kind, olds = self.mover.kind, []
        for row in rows:
            try:
                olds.append(parse_row(kind, row.item, row.trouble))
            except errors.MigrationError as error:
                value, name = row.item.get(kind.key), row.place
                if value is not None:
                    name += f", {kind.key} {next(iter(value.values()))!r:.60}"
                self.tally.count(kind.name, "failed", f"{name}: {error.message}")
        return olds

    def _round(self, olds: Sequence[OldRow]) -> set[str]:
        kind = self.mover.kind.name
        known = self.state.known_rows(kind, [old.old_id for old in olds]) | self.seen
        copies = [copy for old in olds if (copy := self._copy(old, known.get(old.old_id)))]
        there = self.mover.look(copies, consistent=False)
        # A copy that is not where it was is lost, or not visible yet without a consistent read.
        absent = {
            old_id for old_id, found in there.items() if found.item is None and not found.is_gone
        }
        copied = absent & {old_id for old_id, row in known.items() if row.version > 0}
        lost = [copy for copy in copies if copy.old.old_id in copied]
        there |= self.mover.look(lost, consistent=True) if lost else {}
        plans = [self._plan(copy, there, known.get(copy.old.old_id)) for copy in copies]
        done = self._execute(plans, known)
        for each in done:
            self._record(each, known)
        return {
            each.copy.old.old_id
            for each in done
            if isinstance(each, RowPlan) and each.outcome != "deleted_here"
        }

    def _copy(self, old: OldRow, known: KnownRow | None) -> Copy | None:
        """What a row becomes; nothing of one that is too old to be asked for, or cannot be kept."""
        kind = self.mover.kind.name
        self.tally.decide(old.notes)
        if self.since is not None and old.updated_at < self.since:
            self.tally.count(kind, "skipped", old.old_id)
            self._record_seen(old, known)
            return None
        if isinstance(self.mover, PostMover) and self.mover.homes.find(old.category) is None:
            self.tally.of(kind).orphaned += 1
            self.tally.list("orphaned", f"{old.old_id}: {old.category or 'no category'}")
        try:
            return self.mover.copy(old)
        except errors.MigrationError as error:
            self.tally.count(kind, "failed", f"{old.old_id}: {error.message}")
            self._record_seen(old, known)
            return None

    def _record_seen(self, old: OldRow, known: KnownRow | None) -> None:
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
            return plan_row(self.mover, copy, standing, known)
        except errors.MigrationError as error:
            return Refusal(copy, error.message)

    def _execute(
        self, plans: Sequence[RowPlan | Refusal], known: dict[str, KnownRow]
    ) -> Sequence[RowPlan | Refusal]:
        if self.dry_run:
            return plans

        def again(plan: RowPlan) -> RowPlan:
            copy = self.mover.copy(plan.copy.old)
            there = self.mover.look([copy], consistent=True)
            return plan_row(self.mover, copy, there[copy.old.old_id], known.get(copy.old.old_id))

        refused = [each for each in plans if isinstance(each, Refusal)]
        sound = [each for each in plans if isinstance(each, RowPlan)]
        return [*refused, *commit_plans(self.store, sound, again, self._forget)]

    def _forget(self, category_id: str) -> None:
        if isinstance(self.mover, PostMover):
            self.mover.homes.forget(category_id)
            self.tally.decide([Note(messages.CATEGORY_DELETED(), category_id)])

    def _record(self, done: RowPlan | Refusal, known: dict[str, KnownRow]) -> None:
        """Count a row, and note what is known of it now."""
        old, kind = done.copy.old, self.mover.kind.name
        if isinstance(done, Refusal):
            self.tally.count(kind, "failed", f"{old.old_id}: {done.reason}")
            self._record_seen(old, known.get(old.old_id))
            return
        self.tally.count(kind, done.outcome, old.old_id)
        self.tally.decide(done.notes)
        before, version, digest = known.get(old.old_id), done.version, old.digest
        if not version and before is not None:  # a conflict stays one until a person settles it
            version, digest = before.version, before.digest or digest
        self.seen[old.old_id] = KnownRow(old.old_id, self.state.run, version, digest)
