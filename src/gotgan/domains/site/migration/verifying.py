"""The proof that a migration lost nothing: every old row is read again and held beside its copy.

Counts say how many rows have a copy that is equal; two checksums, over the rows as they would be
copied and over the copies as they are stored, must come out the same. A copy that was edited here
since is newer, and is left out of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from typing import Any, Final, Literal

from gotgan.clock import utc_stamp
from gotgan.domains.site.keys import BY_TYPE
from gotgan.domains.site.migration.copies import Copy, Standing, share, updated_at
from gotgan.domains.site.migration.mapping import understood
from gotgan.domains.site.migration.planning import CategoryMover, Mover, RecordMover
from gotgan.domains.site.migration.post_moves import PostMover
from gotgan.domains.site.migration.report import Decision
from gotgan.domains.site.migration.resolving import Authors, Homes, company_name, newest
from gotgan.domains.site.migration.rows import CATEGORIES, CORP, POSTS, Kind, Old
from gotgan.domains.site.migration.run import (
    OnStep,
    Options,
    Step,
    identity_of,
    silently,
)
from gotgan.domains.site.migration.sources import OldRows, Row, Sources
from gotgan.domains.site.migration.state import Known, State, opened, state_file
from gotgan.errors import MigrationError
from gotgan.store import Store
from gotgan.store.attributes import Item
from gotgan.store.costs import Cost

__all__ = ["Checked", "Verification", "verify"]

Finding = Literal["equal", "newer_here", "deleted_here", "set_aside", "missing", "different"]
_MODULUS: Final = 1 << 128
_NEEDED: Final = (BY_TYPE.pk.name, BY_TYPE.sk.name if BY_TYPE.sk else "", "UpdatedAt")


@dataclass
class Checked:
    """What was found about the rows of one kind."""

    rows: int = 0
    found: int = 0
    equal: int = 0
    newer_here: int = 0
    deleted_here: int = 0
    set_aside: int = 0
    """Rows about the company that are not the newest."""
    missing: int = 0
    different: int = 0
    source_sum: int = 0
    stored_sum: int = 0

    @property
    def passed(self) -> bool:
        """Whether nothing is missing or different."""
        return not self.missing and not self.different and self.source_sum == self.stored_sum

    def fields(self) -> dict[str, Any]:
        """What was found, for programs."""
        sums = {name: f"{getattr(self, name):032x}" for name in ("source_sum", "stored_sum")}
        return {**asdict(self), **sums, "passed": self.passed}


@dataclass
class Verification:
    """What a verification found."""

    kinds: dict[str, Checked] = field(default_factory=dict)
    """By their types in the new table."""
    trouble: dict[str, Decision] = field(default_factory=dict)
    """Which rows are missing or different, and why."""
    seconds: float = 0.0
    cost: Cost = field(default_factory=Cost)

    @property
    def passed(self) -> bool:
        """Whether the copies are what the origin says."""
        return all(checked.passed for checked in self.kinds.values())

    def fields(self) -> dict[str, Any]:
        """What was found, for programs."""
        return {
            "passed": self.passed,
            "types": {name: checked.fields() for name, checked in self.kinds.items()},
            "trouble": {name: asdict(each) for name, each in self.trouble.items()},
            "seconds": round(self.seconds, 3),
        }


def verify(
    store: Store,
    sources: Sources,
    options: Options = Options(),  # noqa: B008 - it is frozen
    on_progress: OnStep = silently,
) -> Verification:
    """Hold every old row beside its copy; nothing is written but that it was verified."""
    began, identity = store.clock.monotonic(), identity_of(store)
    folder = options.folder
    path = None if folder is None else state_file(folder, identity, sources.identity)
    with ExitStack() as stack:
        state = stack.enter_context(opened(path, keep=path is not None and path.exists()))
        measured = stack.enter_context(store.metered())
        proof = _Proof(store, sources, options, state, on_progress)
        proof.go()
        result = proof.result
        result.seconds = store.clock.monotonic() - began
        result.cost = measured.cost
        if result.passed:
            rows = {name: checked.rows for name, checked in result.kinds.items()}
            at = utc_stamp(store.clock.now()).iso
            state.note(verified={"at": at, "rows": rows, "sources": sources.fingerprint})
    return result


@dataclass
class _Proof:
    """One verification."""

    store: Store
    sources: Sources
    options: Options
    state: State
    on_progress: OnStep
    result: Verification = field(default_factory=Verification)
    _company: Old | None = None

    def go(self) -> None:
        """Check one kind after the other."""
        given = dict(self.sources.given())
        began = self.store.clock.monotonic()
        homes: list[Old] = []
        there: set[str] = set()
        for kind, rows in given.items():
            checked = self.result.kinds.setdefault(kind.entity.__name__, Checked())
            mover = self._mover(kind, rows, homes, there)
            for batch in rows.batches():
                olds = list(self._understood(checked, kind, batch.rows, rows))
                found = self._check(checked, mover, olds)
                if kind is CATEGORIES:
                    homes += olds
                    there |= found
                seconds = self.store.clock.monotonic() - began
                self.on_progress(Step(f"verify {kind.name}", checked.rows, batch.share, seconds))

    def _mover(self, kind: Kind, rows: OldRows, olds: list[Old], there: set[str]) -> Mover:
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

    def _understood(
        self, checked: Checked, kind: Kind, rows: Sequence[Row], source: OldRows
    ) -> Iterator[Old]:
        for row in rows:
            checked.rows += 1
            try:
                if row.trouble:
                    raise MigrationError(row.trouble)  # noqa: TRY301 - one place counts them
                old = understood(kind, row.item)
            except MigrationError as error:
                self._file(checked, "missing", f"{source.name}, {row.place}: {error.message}")
                continue
            if kind is CORP and self._company and old.old_id != self._company.old_id:
                self._file(checked, "set_aside", old.old_id)
                continue
            yield old

    def _check(self, checked: Checked, mover: Mover, olds: Sequence[Old]) -> set[str]:
        """Check rows; the ids of those that have a copy."""
        known = self.state.known(mover.kind.name, [old.old_id for old in olds])
        copies = [copy for old in olds if (copy := self._copy(checked, mover, old))]
        there = mover.look(
            list({each.old.old_id: each for each in copies}.values()), consistent=True
        )
        for copy in copies:
            standing = there[copy.old.old_id]
            checked.found += standing.item is not None
            finding, reason = _finding(copy, standing, known.get(copy.old.old_id))
            self._file(checked, finding, f"{copy.old.old_id}{reason}")
            if standing.item is not None and finding in {"equal", "different"}:
                _add(checked, copy, standing.item)
        return {old_id for old_id, standing in there.items() if standing.item is not None}

    def _copy(self, checked: Checked, mover: Mover, old: Old) -> Copy | None:
        try:
            return mover.copy(old)
        except MigrationError as error:
            self._file(checked, "missing", f"{old.old_id}: {error.message}")
            return None

    def _file(self, checked: Checked, finding: Finding, example: str) -> None:
        setattr(checked, finding, getattr(checked, finding) + 1)
        if finding in {"missing", "different"}:
            self.result.trouble.setdefault(finding, Decision()).add(example)


def _finding(copy: Copy, there: Standing, known: Known | None) -> tuple[Finding, str]:
    """What a copy is, beside its row; and why, where that is not plain."""
    item = there.item
    if there.is_gone or (item is None and known is not None and known.version > 0):
        return "deleted_here", ""
    if item is None:
        return "missing", ""
    damage = _damage(item, there)
    if damage:
        return "different", damage
    if there.is_draft or copy.old.updated_at < updated_at(item):
        return "newer_here", ""
    difference = _difference(copy, item)
    return ("different", difference) if difference else ("equal", "")


def _damage(item: Item, there: Standing) -> str:
    """What every copy must have, edited or not."""
    lacking = [name for name in _NEEDED if name not in item]
    if lacking:
        return f": it has no {' and no '.join(lacking)}"
    return "" if there.is_whole else ": what should find it does not"


def _difference(copy: Copy, item: Item) -> str:
    if copy.old.updated_at > updated_at(item):
        return ": the origin is newer; run the migration again"
    names = [
        name
        for name in sorted(copy.old.spoken)
        if copy.item.get(name) != item.get(name) and share(copy.item, {name}) != share(item, {name})
    ]
    return f": {', '.join(names)}" if names else ""


def _add(checked: Checked, copy: Copy, item: Item) -> None:
    spoken = copy.old.spoken
    checked.source_sum = (checked.source_sum + share(copy.item, spoken)) % _MODULUS
    checked.stored_sum = (checked.stored_sum + share(item, spoken)) % _MODULUS


def _readable(rows: OldRows) -> Iterator[Old]:
    for batch in rows.batches():
        for row in batch.rows:
            try:
                yield understood(CORP, row.item)
            except MigrationError:
                continue  # it is counted where the rows are checked


def _age(old: Old) -> tuple[Any, str]:
    return old.made_at, old.old_id
