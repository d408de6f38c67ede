"""The report of a migration: counts, examples and decisions, and what a verification found."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from gotgan.domains.site.keys import BY_TYPE
from gotgan.domains.site.migration import copies, messages
from gotgan.domains.site.migration.rows import Note
from gotgan.domains.site.migration.state import KnownRow
from gotgan.messages import Message, Template, dump, load
from gotgan.store.attributes import Item
from gotgan.store.costs import Cost

Outcome = Literal["copied", "updated", "skipped", "conflicting", "failed", "deleted_here"]
"""The outcome of a row: each has exactly one."""
_MAX_EXAMPLES: Final = 20
_MAX_TOPICS: Final = 200


@dataclass
class RowCounts:
    """The outcomes of the rows of one kind; ``read`` is their sum."""

    read: int = 0
    copied: int = 0
    updated: int = 0
    skipped: int = 0
    conflicting: int = 0
    failed: int = 0
    deleted_here: int = 0
    orphaned: int = 0
    """Posts among them whose category is not there."""
    deleted_at_origin: int = 0
    """Copies whose row the origin has no more; they stay."""


@dataclass
class DecisionCount:
    """Something that was decided or found, how often, and for which rows first."""

    count: int = 0
    examples: list[str] = field(default_factory=list)

    def add(self, example: str) -> None:
        """Count one more."""
        self.count += 1
        if len(self.examples) < _MAX_EXAMPLES:
            self.examples.append(example)


@dataclass
class MigrationTally:
    """The counts of a run in the making."""

    kinds: dict[str, RowCounts] = field(default_factory=dict)
    decisions: dict[str, DecisionCount] = field(default_factory=dict)
    """By what was decided: a message, or a text that an earlier version left behind."""
    lists: dict[str, DecisionCount] = field(default_factory=dict)
    """Which rows are conflicting, failed, orphaned, deleted here or at the origin."""

    @classmethod
    def restored(cls, noted: dict[str, Any]) -> MigrationTally:
        """The tally that a run left behind."""
        return cls(
            {name: RowCounts(**each) for name, each in noted.get("kinds", {}).items()},
            {
                load(name): DecisionCount(**each)
                for name, each in noted.get("decisions", {}).items()
            },
            {name: DecisionCount(**each) for name, each in noted.get("lists", {}).items()},
        )

    def record(self) -> dict[str, Any]:
        """The tally as a run leaves it behind."""
        decisions = {dump(what): asdict(each) for what, each in self.decisions.items()}
        return {**asdict(self), "decisions": decisions}

    def of(self, kind: str) -> RowCounts:
        """The counts of a kind."""
        return self.kinds.setdefault(kind, RowCounts())

    def count(self, kind: str, outcome: Outcome, example: str) -> None:
        """Count a row."""
        counts = self.of(kind)
        counts.read += 1
        setattr(counts, outcome, getattr(counts, outcome) + 1)
        if outcome in {"conflicting", "failed", "deleted_here"}:
            self.list(outcome, f"{kind} {example}")

    def list(self, name: str, example: str) -> None:
        """Put a row on a list."""
        self.lists.setdefault(name, DecisionCount()).add(example)

    def decide(self, notes: Iterable[Note]) -> None:
        """Count what was decided; there are only so many topics, whatever rows say."""
        for note in notes:
            topic = note.topic if len(self.decisions) < _MAX_TOPICS else messages.MORE_NOTES()
            self.decisions.setdefault(topic, DecisionCount()).add(note.example)


Finding = Literal[
    "equal",
    "newer_here",
    "deleted_here",
    "set_aside",
    "newer_at_origin",
    "conflicting",
    "missing",
    "different",
]
FINDINGS: Final[dict[Finding, Template]] = {
    "missing": messages.MISSING,
    "different": messages.DIFFERENT,
    "newer_at_origin": messages.NEWER_AT_ORIGIN,
    "conflicting": messages.CONFLICTING,
}
"""How the findings that keep a verification from passing are counted in a sentence."""
ADVICE: Final[dict[Finding, Message]] = {
    "missing": messages.ADVICE_MISSING(),
    "different": messages.ADVICE_DIFFERENT(),
    "newer_at_origin": messages.ADVICE_NEWER_AT_ORIGIN(),
    "conflicting": messages.ADVICE_CONFLICTING(),
}
"""What to do about the findings that keep a verification from passing."""
_MODULUS: Final = 1 << 128
_REQUIRED_ATTRIBUTES: Final = (BY_TYPE.pk.name, BY_TYPE.sk.name if BY_TYPE.sk else "", "UpdatedAt")


@dataclass(frozen=True)
class CopyRun:
    """The run that has just copied the rows: what came or changed since is no loss."""

    number: int
    since: datetime | None


@dataclass
class KindCheck:
    """What was found about the rows of one kind."""

    rows: int = 0
    found: int = 0
    equal: int = 0
    newer_here: int = 0
    deleted_here: int = 0
    """Posts of which a pointer says so; what is gone without a trace is missing."""
    set_aside: int = 0
    """Rows about the company that are not the newest, and rows that --since left alone."""
    newer_at_origin: int = 0
    conflicting: int = 0
    missing: int = 0
    different: int = 0
    source_sum: int = 0
    stored_sum: int = 0

    @property
    def is_whole(self) -> bool:
        """Whether nothing that was copied is lost or spoilt."""
        return not self.missing and not self.different and self.source_sum == self.stored_sum

    @property
    def passed(self) -> bool:
        """Whether the origin has nothing that is not here, either."""
        return self.is_whole and not self.newer_at_origin and not self.conflicting

    def add(self, copy: copies.Copy, item: Item) -> None:
        """Add a row to the two sums, as it must be and as it is."""
        origin_names = copy.old.origin_names
        self.source_sum = (self.source_sum + copies.checksum(copy.item, origin_names)) % _MODULUS
        self.stored_sum = (self.stored_sum + copies.checksum(item, origin_names)) % _MODULUS

    def fields(self) -> dict[str, Any]:
        """What was found, for programs."""
        sums = {name: f"{getattr(self, name):032x}" for name in ("source_sum", "stored_sum")}
        return {**asdict(self), **sums, "passed": self.passed}


@dataclass
class Verification:
    """What a verification found."""

    kinds: dict[str, KindCheck] = field(default_factory=dict)
    """By their types in the new table."""
    trouble: dict[Finding, DecisionCount] = field(default_factory=dict)
    """Which rows keep it from passing, and why."""
    seconds: float = 0.0
    cost: Cost = field(default_factory=Cost)

    @property
    def is_whole(self) -> bool:
        """Whether nothing that was copied is lost or spoilt."""
        return all(checked.is_whole for checked in self.kinds.values())

    @property
    def passed(self) -> bool:
        """Whether the copies are what the origin says, so that it is needed no more."""
        return all(checked.passed for checked in self.kinds.values())

    def file(self, checked: KindCheck, finding: Finding, example: str) -> None:
        """Count a finding, and list it if it keeps this from passing."""
        setattr(checked, finding, getattr(checked, finding) + 1)
        if finding in ADVICE:
            self.trouble.setdefault(finding, DecisionCount()).add(example)

    def fields(self) -> dict[str, Any]:
        """What was found, for programs."""
        return {
            "passed": self.passed,
            "types": {name: checked.fields() for name, checked in self.kinds.items()},
            "trouble": {
                name: {**asdict(each), "advice": ADVICE[name]}
                for name, each in self.trouble.items()
            },
            "seconds": round(self.seconds, 3),
        }


def finding_of(
    copy: copies.Copy, there: copies.TargetState, known: KnownRow | None, ran: CopyRun | None
) -> tuple[Finding, str]:
    """What a copy is, beside its row; and why, where that is not plain."""
    item = there.item
    if there.is_gone:
        return "deleted_here", ""
    if item is None:
        return _missing_finding(copy, known, ran)
    lacking = [name for name in _REQUIRED_ATTRIBUTES if name not in item]
    if lacking or not there.is_whole:
        damage = (
            f"it has no {' and no '.join(lacking)}" if lacking else "what should find it does not"
        )
        return "different", f": {damage}"
    ours, theirs = copy.old.updated_at, copies.updated_at(item)
    if ours < theirs:
        return "newer_here", ""
    if ours > theirs:
        return _outdated_finding(copy, item, known, ran)
    return _same_moment_finding(copy, item, known)


def _missing_finding(
    copy: copies.Copy, known: KnownRow | None, ran: CopyRun | None
) -> tuple[Finding, str]:
    """What has no copy: lost, unless it came to the origin after it was read."""
    if ran is None:
        return "missing", ""
    is_older = ran.since is not None and copy.old.updated_at < ran.since
    if is_older and (known is None or known.version == 0):  # it was never to be copied
        return "set_aside", ""
    is_new = known is None or known.run < ran.number
    return ("newer_at_origin", ": it came after it was read") if is_new else ("missing", "")


def _outdated_finding(
    copy: copies.Copy, item: Item, known: KnownRow | None, ran: CopyRun | None
) -> tuple[Finding, str]:
    """What the origin has newer: changed since, or not brought over by the run that read it."""
    if copies.is_published_here(copy, item):
        return "conflicting", ": it was published here, and is a draft at the origin"
    if ran and known and (known.run, known.digest) == (ran.number, copy.old.digest):
        return "different", ": the origin is newer, and it was not brought over"
    return "newer_at_origin", ""


def _same_moment_finding(
    copy: copies.Copy, item: Item, known: KnownRow | None
) -> tuple[Finding, str]:
    names = [
        name
        for name in sorted(copy.old.origin_names)
        if copy.item.get(name) != item.get(name)
        and copies.checksum(copy.item, {name}) != copies.checksum(item, {name})
    ]
    if not names:
        return "equal", ""
    # An edit here counts the version up; what was changed by other means was spoilt.
    is_edited = known is not None and 0 < known.version < copies.version_of(item)
    return ("conflicting" if is_edited else "different"), f": {', '.join(names)}"


@dataclass(frozen=True)
class MigrationReport:
    """What a migration did: all of its rows, and the time and cost of this run."""

    tally: MigrationTally
    dry_run: bool
    resumed: int
    """How many rows an earlier run had read."""
    seconds: float
    cost: Cost
    verification: Verification | None = None
    """The result of comparing all rows with their copies, with its own time and cost."""
    last_verified: dict[str, Any] | None = None
    """When a verification of these sources last passed, and of how many rows."""

    @property
    def rows(self) -> int:
        """How many rows were read, by this run and by the one that it resumes."""
        return sum(counts.read for counts in self.tally.kinds.values())

    @property
    def rate(self) -> float:
        """Rows a second."""
        return (self.rows - self.resumed) / self.seconds if self.seconds else 0.0

    @property
    def is_good(self) -> bool:
        """Whether every row could be copied, and no copy is lost or spoilt."""
        is_whole = self.verification is None or self.verification.is_whole
        return is_whole and not self.total("failed")

    def total(self, name: str) -> int:
        """The sum of one count over all kinds."""
        return sum(int(getattr(counts, name)) for counts in self.tally.kinds.values())

    def fields(self) -> dict[str, Any]:
        """The report for programs."""
        names = RowCounts.__dataclass_fields__
        return {
            "dry_run": self.dry_run,
            **{name: self.total(name) for name in names},
            "kinds": {name: asdict(each) for name, each in self.tally.kinds.items()},
            "lists": {name: asdict(each) for name, each in self.tally.lists.items()},
            "decisions": [
                {"what": topic, **asdict(each)} for topic, each in self.tally.decisions.items()
            ],
            "resumed": self.resumed,
            "seconds": round(self.seconds, 3),
            "rows_per_second": round(self.rate, 1),
            "verification": None if self.verification is None else self.verification.fields(),
            "last_verified": self.last_verified,
        }
