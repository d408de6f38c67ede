"""Several processes on one file: what holds between threads holds between them."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack
from pathlib import Path

import pytest

from gotgan.store.engine import connect
from tests.contract.tables import Table, everything
from tests.durability import work
from tests.durability.invariants import check_file
from tests.durability.processes import child

PROCESSES = 3


def _each(job: work.Work, table: Table, path: Path, times: int) -> dict[str, int]:
    """Let several processes do the same work at once; how often each of them succeeded."""
    names = [f"worker-{number}" for number in range(PROCESSES)]
    with ExitStack() as stack:
        words = [(job.__name__, table.name, name, str(times)) for name in names]
        workers = [stack.enter_context(child("work", path, *each)) for each in words]
        for worker in workers:
            assert worker.hear() == "ready"
        for worker in workers:
            worker.tell("go")
        return {name: int(worker.hear()) for name, worker in zip(names, workers, strict=True)}


def test_of_many_conditional_puts_of_one_key_exactly_one_wins(table: Table, path: Path) -> None:
    won = _each(work.claim, table, path, 100)
    owners = Counter(found["owner"] for found in everything(table.scan))
    assert owners == {name: number for name, number in won.items() if number}
    assert sum(won.values()) == 100


def test_a_counter_loses_no_addition(table: Table, path: Path) -> None:
    done = _each(work.count, table, path, 150)
    assert set(done.values()) == {150}
    assert table.get(pk="counter") == {"pk": "counter", "seen": 150 * PROCESSES}


def test_a_version_guard_lets_nobody_overwrite_what_he_has_not_seen(
    table: Table, path: Path
) -> None:
    done = _each(work.revise, table, path, 60)
    document = table.get(pk="document")
    assert document is not None
    assert document["version"] == sum(done.values())
    assert Counter(document["log"]) == {name: number for name, number in done.items() if number}


def test_transfers_keep_the_sum_and_no_account_falls_below_nothing(
    table: Table, path: Path
) -> None:
    work.open_accounts(table)
    done = _each(work.transfer, table, path, 80)
    found = everything(table.scan)
    balances = [each["balance"] for each in found if "balance" in each]
    assert sum(balances) == work.ACCOUNTS * work.OPENING_BALANCE
    assert min(balances) >= 0
    assert len(found) - len(balances) == sum(done.values()) > 0


@pytest.mark.parametrize("attempt", range(3))
def test_processes_that_make_the_file_at_the_same_moment_share_it(path: Path, attempt: int) -> None:
    names = [f"table-{attempt}-{number}" for number in range(PROCESSES)]
    with ExitStack() as stack:
        openers = [stack.enter_context(child("open", path, name)) for name in names]
        for opener in openers:
            assert opener.hear() == "ready"
        for opener in openers:
            opener.tell("go")
        assert [opener.hear() for opener in openers] == ["done"] * PROCESSES
    with connect(path) as client:
        assert client.list_tables()["TableNames"] == names
        assert [Table(client, name).get(pk="made") for name in names] == [{"pk": "made"}] * 3
    check_file(path)
