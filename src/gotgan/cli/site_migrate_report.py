"""What a migration did, as a person reads it and as a program does."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from gotgan.cli.units import cost_fields, cost_text

if TYPE_CHECKING:
    from gotgan.domains.site.migration import MigrationReport, Verification
    from gotgan.domains.site.migration.findings import Checked
    from gotgan.domains.site.migration.tally import DecisionCount, RowCounts

__all__ = ["report_fields", "report_text", "verification_fields", "verification_text"]

_SHOWN: Final = 3
_COUNTS: Final = (
    "copied",
    "updated",
    "skipped",
    "orphaned",
    "conflicting",
    "failed",
    "deleted_here",
    "deleted_at_origin",
)
_FINDINGS: Final = (
    "equal",
    "newer_here",
    "deleted_here",
    "set_aside",
    "newer_at_origin",
    "conflicting",
    "missing",
    "different",
)


def report_fields(report: MigrationReport) -> dict[str, Any]:
    """The report for programs."""
    verified = report.verification
    found = None if verified is None else verification_fields(verified)
    return {**report.fields(), "verification": found, "cost": cost_fields(report.cost)}


def verification_fields(found: Verification) -> dict[str, Any]:
    """A verification for programs."""
    return {**found.fields(), "cost": cost_fields(found.cost)}


def report_text(report: MigrationReport) -> str:
    """The report for people: a line for each kind, then what is on lists and what was decided."""
    verb = "would be done" if report.dry_run else "done"
    before = f" ({report.resumed:,} of them by an earlier run)" if report.resumed else ""
    head = (
        f"{report.rows:,} rows {verb}{before} in {report.seconds:,.1f} s, {report.rate:,.0f} "
        f"rows/s: {cost_text(report.cost)}."
    )
    kinds = [f"  {name}: {_counts(counts)}" for name, counts in report.tally.kinds.items()]
    lists = [_listed(_words(name), each) for name, each in report.tally.lists.items()]
    decided = [_listed(topic, each) for topic, each in report.tally.decisions.items()]
    return "\n".join([head, *kinds, *lists, *decided, _verified(report)])


def _verified(report: MigrationReport) -> str:
    if report.verification is not None:
        return verification_text(report.verification)
    last = report.last_verified
    said = "no verification has passed yet" if last is None else f"one last passed at {last['at']}"
    return f"Not verified by this run; {said}."


def verification_text(found: Verification) -> str:
    """A verification for people: a line for each type, what is wrong, and what to do about it."""
    from gotgan.domains.site.migration.findings import ADVICE

    verdict = "Verified" if found.passed else "NOT verified"
    head = f"{verdict} in {found.seconds:,.1f} s: {cost_text(found.cost)}."
    types = [f"  {name}: {_checked(checked)}" for name, checked in found.kinds.items()]
    trouble = [
        f"{_listed(_words(name), each)}\n    {ADVICE[name]}" for name, each in found.trouble.items()
    ]
    return "\n".join([head, *types, *trouble])


def _counts(counts: RowCounts) -> str:
    became = {_words(name): getattr(counts, name) for name in _COUNTS}
    said = ", ".join(f"{count:,} {word}" for word, count in became.items() if count)
    return f"{counts.read:,} read, {said}" if said else f"{counts.read:,} read"


def _checked(checked: Checked) -> str:
    counts = {_words(name): getattr(checked, name) for name in _FINDINGS}
    said = ", ".join(f"{count:,} {word}" for word, count in counts.items() if count)
    sums = f"checksums {checked.source_sum:032x} and {checked.stored_sum:032x}"
    return f"{checked.rows:,} rows, {checked.found:,} found: {said or 'nothing'}; {sums}"


def _listed(topic: str, found: DecisionCount) -> str:
    shown = "; ".join(found.examples[:_SHOWN])
    more = f"; and {found.count - _SHOWN:,} more" if found.count > _SHOWN else ""
    return f"  {found.count:,} × {topic}: {shown}{more}"


def _words(name: str) -> str:
    return name.replace("_", " ").replace("at origin", "at the origin")
