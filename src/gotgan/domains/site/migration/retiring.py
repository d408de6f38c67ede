"""The end of the old tables: removed only right after a proof that nothing would be lost."""

from __future__ import annotations

from gotgan.domains.site.migration.findings import ADVICE, Verification
from gotgan.domains.site.migration.options import OnStep, Options, silently
from gotgan.domains.site.migration.sources import OldTable, Sources
from gotgan.domains.site.migration.verifying import verify
from gotgan.errors import MigrationError, UsageError
from gotgan.events import emit
from gotgan.store import Store

__all__ = ["refuse_files", "retire"]


def retire(
    store: Store,
    sources: Sources,
    options: Options = Options(),  # noqa: B008 - it is frozen
    on_progress: OnStep = silently,
) -> Verification:
    """Verify, and remove the old tables at once if that passed.

    What the old system writes between the two is lost: it must be stopped before.
    """
    tables = refuse_files(sources)
    verification = verify(store, sources, options, on_progress)
    if not verification.passed:
        raise MigrationError(
            "the old tables were not removed, because the verification did not pass: "
            f"{_said(verification)}"
        )
    for table in tables:
        store.calls.driver.call("DeleteTable", {"TableName": table.name})
        emit("site.migration.retired", level="warning", table=table.name)
    return verification


def refuse_files(sources: Sources) -> list[OldTable]:
    """The tables among the sources; files are nobody's to remove."""
    tables: list[OldTable] = [rows for _, rows in sources.given() if isinstance(rows, OldTable)]
    if len(tables) < len(sources.given()):
        raise UsageError(
            "only tables can be retired, and some sources are files; remove those yourself, or "
            "name the tables"
        )
    return tables


def _said(verification: Verification) -> str:
    return "; ".join(
        f"{found.count:,} {name.replace('_', ' ')}, such as {found.examples[0]} ({ADVICE[name]})"
        for name, found in verification.trouble.items()
    )
