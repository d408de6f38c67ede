"""The way from the old tables into the new one: copy, verify, retire.

``docs/site-migration.md`` tells what becomes of what, and what is promised.
"""

from __future__ import annotations

from gotgan.domains.site.migration.report import Report
from gotgan.domains.site.migration.retiring import retire
from gotgan.domains.site.migration.run import Options, Step, migrate
from gotgan.domains.site.migration.sources import OldFile, OldTable, Sources
from gotgan.domains.site.migration.verifying import Verification, verify

__all__ = [
    "OldFile",
    "OldTable",
    "Options",
    "Report",
    "Sources",
    "Step",
    "Verification",
    "migrate",
    "retire",
    "verify",
]
