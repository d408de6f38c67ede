"""What all claims share: the ID of their owner, and when they end."""

from __future__ import annotations

import os
import re
import socket
from datetime import UTC, datetime, timedelta

import pytest

from gotgan.claims import lease_end, owner_id

LEASE = timedelta(minutes=10)
NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)


def test_an_owner_is_a_process_or_a_name_and_random_digits() -> None:
    process = f"{socket.gethostname()}:{os.getpid()}"
    for name, shown in ((None, process), ("worker-1", "worker-1")):
        one, other = owner_id(name), owner_id(name)
        assert one != other
        for each in (one, other):
            assert re.fullmatch(f"{re.escape(shown)}/[0-9a-f]{{8}}", each)


@pytest.mark.parametrize("microseconds", [0, 1, 999_999])
def test_a_lease_that_is_cut_to_whole_seconds_is_at_most_a_second_longer(microseconds: int) -> None:
    now = NOON.replace(microsecond=microseconds)
    stored = lease_end(now, LEASE).replace(microsecond=0)
    assert now + LEASE <= stored < now + LEASE + timedelta(seconds=1)
