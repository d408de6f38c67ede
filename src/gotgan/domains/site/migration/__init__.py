"""The way from the old tables into the new one: copy, verify, retire.

``docs/site-migration.md`` describes the mapping and the guarantees.
"""

from __future__ import annotations

from gotgan.domains.site.migration.options import MigrationProgress, Options
from gotgan.domains.site.migration.report import MigrationReport, Verification
from gotgan.domains.site.migration.run import migrate
from gotgan.domains.site.migration.sources import OldFile, OldTable, Sources
from gotgan.domains.site.migration.verification import retire, verify

__all__ = [
    "MigrationProgress",
    "MigrationReport",
    "OldFile",
    "OldTable",
    "Options",
    "Sources",
    "Verification",
    "migrate",
    "retire",
    "verify",
]
