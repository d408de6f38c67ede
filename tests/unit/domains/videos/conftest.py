"""Videos on a database of each kind."""

from __future__ import annotations

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.videos.jobs import Jobs
from gotgan.sql import Database
from tests.sql.fixtures import (
    clock,
    database,
    database_settings,
    postgres,
    prepared_file,
)

__all__ = ["clock", "database", "database_settings", "postgres", "prepared_file"]


@pytest.fixture
def jobs(database: Database, clock: FixedClock) -> Jobs:
    """The table of jobs."""
    return Jobs(clock, database.leases)
