"""What a verification finds: of each row what its copy is, and of all of them counts and sums."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Any, Final, Literal

from gotgan.domains.site.keys import BY_TYPE
from gotgan.domains.site.migration.copies import (
    Copy,
    TargetState,
    is_published_here,
    share,
    updated_at,
    version_of,
)
from gotgan.domains.site.migration.state import KnownRow
from gotgan.domains.site.migration.tally import DecisionCount
from gotgan.store.attributes import Item
from gotgan.store.costs import Cost

__all__ = ["ADVICE", "Checked", "Finding", "Ran", "Verification", "finding_of"]

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
ADVICE: Final[dict[Finding, str]] = {
    "missing": "a run of the migration copies it; if it was deleted here on purpose, delete it at "
    "the origin, too",
    "different": "a run of the migration writes it as the origin has it",
    "newer_at_origin": "the next run of the migration copies it",
    "conflicting": "save once more the one that is to count, here or at the origin",
}
"""What to do about the findings that keep a verification from passing."""
_MODULUS: Final = 1 << 128
_NEEDED: Final = (BY_TYPE.pk.name, BY_TYPE.sk.name if BY_TYPE.sk else "", "UpdatedAt")


@dataclass(frozen=True)
class Ran:
    """The run that has just copied the rows: what came or changed since is no loss."""

    number: int
    since: datetime | None

    def left_alone(self, copy: Copy, known: KnownRow | None) -> bool:
        """Whether a row is older than what was asked for, and was never copied."""
        is_older = self.since is not None and copy.old.updated_at < self.since
        return is_older and (known is None or known.version == 0)

    def saw(self, copy: Copy, known: KnownRow | None) -> bool:
        """Whether the row that was copied is the one that is at the origin now."""
        return known is not None and (known.run, known.digest) == (self.number, copy.old.digest)


@dataclass
class Checked:
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

    def add(self, copy: Copy, item: Item) -> None:
        """Add a row to the two sums, as it must be and as it is."""
        spoken = copy.old.spoken
        self.source_sum = (self.source_sum + share(copy.item, spoken)) % _MODULUS
        self.stored_sum = (self.stored_sum + share(item, spoken)) % _MODULUS

    def fields(self) -> dict[str, Any]:
        """What was found, for programs."""
        sums = {name: f"{getattr(self, name):032x}" for name in ("source_sum", "stored_sum")}
        return {**asdict(self), **sums, "passed": self.passed}


@dataclass
class Verification:
    """What a verification found."""

    kinds: dict[str, Checked] = field(default_factory=dict)
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

    def file(self, checked: Checked, finding: Finding, example: str) -> None:
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
    copy: Copy, there: TargetState, known: KnownRow | None, ran: Ran | None
) -> tuple[Finding, str]:
    """What a copy is, beside its row; and why, where that is not plain."""
    item = there.item
    if there.is_gone:
        return "deleted_here", ""
    if item is None:
        return _absent(copy, known, ran)
    damage = _damage(item, there)
    if damage:
        return "different", damage
    ours, theirs = copy.old.updated_at, updated_at(item)
    if ours < theirs:
        return "newer_here", ""
    if ours > theirs:
        return _outdated(copy, item, known, ran)
    return _of_one_moment(copy, item, known)


def _absent(copy: Copy, known: KnownRow | None, ran: Ran | None) -> tuple[Finding, str]:
    """What has no copy: lost, unless it came to the origin after it was read."""
    if ran is None:
        return "missing", ""
    if ran.left_alone(copy, known):
        return "set_aside", ""
    is_new = known is None or known.run < ran.number
    return ("newer_at_origin", ": it came after it was read") if is_new else ("missing", "")


def _outdated(
    copy: Copy, item: Item, known: KnownRow | None, ran: Ran | None
) -> tuple[Finding, str]:
    """What the origin has newer: changed since, or not brought over by the run that read it."""
    if is_published_here(copy, item):
        return "conflicting", ": it was published here, and is a draft at the origin"
    if ran is not None and ran.saw(copy, known):
        return "different", ": the origin is newer, and it was not brought over"
    return "newer_at_origin", ""


def _of_one_moment(copy: Copy, item: Item, known: KnownRow | None) -> tuple[Finding, str]:
    names = [
        name
        for name in sorted(copy.old.spoken)
        if copy.item.get(name) != item.get(name) and share(copy.item, {name}) != share(item, {name})
    ]
    if not names:
        return "equal", ""
    # An edit here counts the version up; what was changed by other means was spoilt.
    is_edited = known is not None and 0 < known.version < version_of(item)
    return ("conflicting" if is_edited else "different"), f": {', '.join(names)}"


def _damage(item: Item, there: TargetState) -> str:
    """What every copy must have, edited or not."""
    lacking = [name for name in _NEEDED if name not in item]
    if lacking:
        return f": it has no {' and no '.join(lacking)}"
    return "" if there.is_whole else ": what should find it does not"
