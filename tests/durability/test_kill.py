"""kill -9 at any moment: what was answered is there, and nothing is there by half."""

from __future__ import annotations

import random
import time
from collections import Counter
from pathlib import Path

import pytest

from gotgan.store.engine import connect
from tests.contract.tables import Table, create_table, everything
from tests.durability import steps
from tests.durability.child import add_index, drop_index
from tests.durability.invariants import check_file, check_indexes
from tests.durability.processes import child

ROUNDS = 6
WRITERS = ("one", "two", "three")


def _run_and_kill(
    chance: random.Random, task: str, path: Path, *words: str, **how: str
) -> list[str]:
    """Let a child work for a while and kill it; everything that it said until then."""
    with child(task, path, *words, **how) as process:
        said = [process.hear() for _ in range(chance.randrange(1, 60))]
        time.sleep(chance.random() * 0.004)  # so that the kill falls anywhere within a write
        return said + process.kill()


@pytest.mark.parametrize("synchronous", ["full", "normal"])
@pytest.mark.parametrize("seed", range(ROUNDS))
def test_what_was_acknowledged_survives_and_nothing_is_there_by_half(
    path: Path, synchronous: str, seed: int
) -> None:
    with connect(path) as client:
        steps.make_table(client)
    chance = random.Random(seed)
    how = {"synchronous": synchronous}
    taken = Counter(_run_and_kill(chance, "take-steps", path, *WRITERS, **how))
    with connect(path) as client:
        table = Table(client, steps.TABLE)
        found = everything(table.scan)
        for writer in WRITERS:
            mine = {each["sk"]: each for each in found if each["pk"] == writer}
            # The step that was under way when the kill came may have been taken, but only whole.
            assert mine in [steps.items_after(writer, taken[writer] + more) for more in (0, 1)]
        check_indexes(table)
        table.put(pk="afterwards", sk=1, group="a", rank=1)
        assert table.get(pk="afterwards", sk=1) is not None
    check_file(path)


def test_many_kills_of_one_file_do_not_add_up_to_damage(path: Path) -> None:
    with connect(path) as client:
        steps.make_table(client)
    for seed in range(4):
        _run_and_kill(random.Random(seed), "take-steps", path, *WRITERS)
    with connect(path) as client:
        check_indexes(Table(client, steps.TABLE))
    check_file(path)


@pytest.mark.parametrize("seed", range(4))
def test_an_index_that_was_being_made_is_there_whole_or_not_at_all(path: Path, seed: int) -> None:
    with connect(path, synchronous="normal") as client:
        table = create_table(client)
        table.fill({"pk": str(n), "group": f"g{n % 7}", "rank": n} for n in range(1000))
    chance = random.Random(seed)
    with child("change-index", path, table.name) as process:
        said = [process.hear() for _ in range(chance.randrange(1, 4))]
        time.sleep(chance.random() * 0.03)
        said += process.kill()
    with connect(path) as client:
        table = Table(client, table.name)
        made = "GlobalSecondaryIndexes" in table.describe_table()["Table"]
        if made:
            check_indexes(table)
            drop_index(table)
        add_index(table)
        check_indexes(table)
        assert len(everything(table.scan)) == 1000
    check_file(path)


@pytest.mark.parametrize("seed", range(4))
def test_a_table_that_was_being_made_or_removed_is_there_whole_or_not_at_all(
    path: Path, seed: int
) -> None:
    said = _run_and_kill(random.Random(seed), "change-tables", path)
    state, name = said[-1].split()
    following = f"table-{int(name.partition('-')[2]) + 1}"
    with connect(path) as client:
        left = client.list_tables()["TableNames"]
        assert left in ([[name], []] if state == "made" else [[], [following]])
        for each in left:
            table = Table(client, each)
            assert len(everything(table.scan)) in {0, 25}
            check_indexes(table)
            table.delete_table()
        create_table(client, name=name).put(pk="again")
    check_file(path)


def test_a_file_whose_maker_was_killed_at_once_can_be_opened(path: Path) -> None:
    for seed in range(4):
        with child("open", path, f"table-{seed}") as process:
            assert process.hear() == "ready"
            process.tell("go")
            time.sleep(random.Random(seed).random() * 0.004)
            process.kill()
    with connect(path) as client:
        for name in client.list_tables()["TableNames"]:
            assert everything(client.scan, TableName=name) in ([], [{"pk": "made"}])
        create_table(client, name="afterwards").put(pk="a")
    check_file(path)
