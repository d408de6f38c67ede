"""Streams under kill -9 and with several processes: a record for every change, and none besides."""

from __future__ import annotations

import random
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from gotgan.store.engine import StreamsClient, connect
from tests.contract.shapes import given
from tests.contract.stream_reader import stream_of
from tests.contract.tables import Table, create_table, everything
from tests.durability import steps, work
from tests.durability.crash import STREAM_ON
from tests.durability.invariants import check_file, check_indexes, check_stream
from tests.durability.processes import child

WRITERS = ("one", "two", "three")
PROCESSES = 3


@pytest.mark.parametrize("synchronous", ["full", "normal"])
def test_records_and_items_agree_after_every_kill(path: Path, synchronous: str) -> None:
    with connect(path) as client:
        steps.make_table(client, **STREAM_ON)
    for seed in range(4):
        chance = random.Random(seed)
        with child("take-steps", path, *WRITERS, synchronous=synchronous) as process:
            taken = [process.hear() for _ in range(chance.randrange(1, 60))]
            time.sleep(chance.random() * 0.004)  # so that the kill falls anywhere within a write
            taken += process.kill()
        with connect(path) as client:
            table = Table(client, steps.TABLE)
            stream = stream_of(table, StreamsClient(client.engine))
            check_stream(table, stream)
            check_indexes(table)
        assert taken
    check_file(path)


def test_records_of_several_processes_are_in_the_order_of_the_writes(path: Path) -> None:
    with connect(path, synchronous="normal") as client:
        table = create_table(client, **STREAM_ON)
        work.open_accounts(table)
        jobs = ("claim", "count", "revise", "transfer")
        with ExitStack() as stack:
            workers = [
                stack.enter_context(child("work", path, job, table.name, f"worker-{number}", "40"))
                for job in jobs
                for number in range(PROCESSES)
            ]
            for worker in workers:
                assert worker.hear() == "ready"
            for worker in workers:
                worker.tell("go")
            for worker in workers:
                worker.hear()
        stream = stream_of(table, StreamsClient(client.engine))
        check_stream(table, stream)
        counted = [new["seen"] for _, _, _, new in stream.changes() if "seen" in new]
        assert counted == list(range(1, 40 * PROCESSES + 1))
    check_file(path)


def test_a_stream_that_is_enabled_while_others_write_has_every_later_write(path: Path) -> None:
    with connect(path, synchronous="normal") as client:
        table = steps.make_table(client)
        with child("take-steps", path, *WRITERS) as process:
            for _ in range(20):
                process.hear()
            table.update_table(**STREAM_ON)
            soon_after = everything(table.scan)
            while everything(table.scan) == soon_after:  # what is heard may be of before
                process.hear()
            for _ in range(100):
                process.hear()
            process.kill()
        stream = stream_of(table, StreamsClient(client.engine))
        last: dict[tuple[str, int], object] = {}
        for _, keys, old, new in stream.changes():
            key = keys["pk"], int(keys["sk"])
            assert old == last.get(key, old)
            last[key] = new
        for (pk, sk), new in last.items():
            assert table.get(pk=pk, sk=sk) == new
        changed = [each for each in everything(table.scan) if each not in soon_after]
        assert changed
        assert {(each["pk"], int(each["sk"])) for each in changed} <= last.keys()


def test_a_process_that_knows_no_stream_yet_writes_its_records(path: Path) -> None:
    with connect(path) as early, connect(path) as late:
        table = create_table(early)
        table.put(pk="before")
        Table(late, table.name).update_table(**STREAM_ON)
        table.put(pk="a")
        table.update_item(Key={"pk": {"S": "a"}}, UpdateExpression="SET n = :n", **given(n=1))
        stream = stream_of(table, StreamsClient(late.engine))
        assert [name for name, *_ in stream.changes()] == ["INSERT", "MODIFY"]
        assert len(everything(table.scan)) == 2
