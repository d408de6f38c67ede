"""Many threads on one engine: nothing is lost, nothing is seen half done, nobody waits to read."""

from __future__ import annotations

import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gotgan.store.engine import Client, connect
from tests.contract.shapes import given, item, plain
from tests.contract.tables import Index, Table, create_table, everything
from tests.durability import work
from tests.durability.crowd import at_once, restless
from tests.durability.invariants import check_indexes

THREADS = 6


@pytest.fixture(params=["file", "memory"])
def table(request: pytest.FixtureRequest, path: Path) -> Iterator[Table]:
    place = None if request.param == "memory" else path
    with connect(place, synchronous="normal") as client, restless():
        yield create_table(client)


def _each(job: work.Work, table: Table, times: int) -> list[int]:
    return at_once([partial(job, table, f"worker-{n}", times) for n in range(THREADS)])


def _balances(table: Table) -> list[int]:
    keys = [item(pk=f"account-{number}") for number in range(work.ACCOUNTS)]
    gets = [{"Get": {"TableName": table.name, "Key": key}} for key in keys]
    answer = table.client.transact_get_items(TransactItems=gets)
    return [plain(found["Item"])["balance"] for found in answer["Responses"]]


@contextmanager
def _writing_program(path: Path) -> Iterator[sqlite3.Connection]:
    """Another program that holds the file's write lock until the block ends."""
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield other
        finally:
            if other.in_transaction:
                other.execute("ROLLBACK")


def test_of_many_conditional_puts_of_one_key_exactly_one_wins(table: Table) -> None:
    won = _each(work.claim, table, 40)
    owners = Counter(found["owner"] for found in everything(table.scan))
    assert sum(won) == 40
    assert {f"worker-{n}": count for n, count in enumerate(won) if count} == owners


def test_a_counter_loses_no_addition(table: Table) -> None:
    assert _each(work.count, table, 50) == [50] * THREADS
    assert table.get(pk="counter") == {"pk": "counter", "seen": 50 * THREADS}


def test_a_version_guard_lets_nobody_overwrite_what_he_has_not_seen(table: Table) -> None:
    done = sum(_each(work.revise, table, 25))
    document = table.get(pk="document")
    assert document is not None
    assert document["version"] == done == len(document["log"])


def test_transfers_keep_the_sum_and_no_account_falls_below_nothing(table: Table) -> None:
    work.open_accounts(table)
    before = _balances(table)
    done = sum(_each(work.transfer, table, 30))
    after = _balances(table)
    assert sum(after) == sum(before)
    assert min(after) >= 0
    notes = [each for each in everything(table.scan) if each["pk"].startswith("move-")]
    assert 0 < done == len(notes)


def test_nobody_sees_half_a_transfer(table: Table) -> None:
    work.open_accounts(table)
    whole = sum(_balances(table))
    finished = threading.Event()

    def watch() -> list[int]:
        seen = [sum(_balances(table))]
        while not finished.is_set():
            seen.append(sum(_balances(table)))
        return seen

    def move() -> list[int]:
        try:
            work.transfer(table, "mover", 150)
        finally:
            finished.set()
        return []

    seen = [total for totals in at_once([watch, watch, move]) for total in totals]
    assert set(seen) == {whole}


def test_a_token_that_several_use_at_once_is_carried_out_once(table: Table) -> None:
    add = {"UpdateExpression": "ADD seen :one", **given(one=1)}
    entry = {"Update": {"TableName": table.name, "Key": item(pk="counter"), **add}}
    for number in range(10):
        request = {"TransactItems": [entry], "ClientRequestToken": f"token-{number}"}
        call = partial(table.client.transact_write_items, **request)
        at_once([call] * THREADS)
    assert table.get(pk="counter") == {"pk": "counter", "seen": 10}


def test_a_read_beside_writers_answers_whole_items(table: Table) -> None:
    def write(letter: str) -> None:
        for _ in range(40):
            table.put(pk="one", left=letter * 50, right=letter * 50)

    def read(_letter: str) -> None:
        for _ in range(60):
            found = table.get(pk="one")
            assert found is None or found["left"] == found["right"]

    at_once([partial(work, letter) for work in (write, read) for letter in "ab"])


def test_indexes_agree_with_the_items_after_many_writers(client: Client) -> None:
    table = create_table(client, gsi=[Index("by_group", "group:S rank:N")])

    def write(worker: int) -> None:
        for number in range(40):
            group = {"group": f"g{(worker + number) % 3}"} if number % 4 else {}
            table.put(pk=str(number % 10), rank=worker * number, **group)

    at_once([partial(write, worker) for worker in range(THREADS)])
    check_indexes(table)


def test_reads_answer_while_another_program_writes(
    client: Client, table_on_file: Table, path: Path
) -> None:
    table = table_on_file
    table.put(pk="before")
    with _writing_program(path):
        assert table.get(pk="before") == {"pk": "before"}
        assert everything(table.scan) == [{"pk": "before"}]
        assert client.list_tables()["TableNames"] == [table.name]
        get = {"Get": {"TableName": table.name, "Key": item(pk="before")}}
        answer = client.transact_get_items(TransactItems=[get])
        assert answer["Responses"] == [{"Item": item(pk="before")}]


def test_a_write_waits_for_another_program_and_then_succeeds(
    table_on_file: Table, path: Path
) -> None:
    table = table_on_file
    with _writing_program(path) as program:
        writer = threading.Thread(target=table.put, kwargs={"pk": "waited"})
        writer.start()
        writer.join(timeout=0.2)
        assert writer.is_alive()
        assert table.get(pk="waited") is None
        program.execute("ROLLBACK")
        writer.join()
    assert table.get(pk="waited") == {"pk": "waited"}


def test_a_reader_sees_a_write_as_soon_as_it_is_answered(table: Table) -> None:
    def write_and_read(worker: int) -> None:
        for number in range(40):
            table.put(pk=f"{worker}", number=number)
            assert table.get(pk=f"{worker}") == {"pk": f"{worker}", "number": number}

    at_once([partial(write_and_read, worker) for worker in range(THREADS)])


@pytest.fixture
def table_on_file(client: Any) -> Table:
    return create_table(client)
