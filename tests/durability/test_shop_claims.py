"""Sixteen workers in four processes want the same shops, and of each shop one wins."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

from gotgan.domains.shops.models import SHOPS, STAGES, Shop
from tests.durability.claimers import WORKERS, opened
from tests.durability.invariants import check_file
from tests.house.repository import ROOT

PROCESSES = 4
COUNT = 6


def test_of_sixteen_workers_in_four_processes_one_has_each_shop(path: Path) -> None:
    with opened(str(path)) as store:
        store.create(SHOPS)
        for number in range(COUNT):
            shop = Shop(domain=f"s{number}.test", core_domain_name="s", shop_country="DE")
            store.put_new(shop)
    crowd = [_started(path, f"p{number}") for number in range(PROCESSES)]
    for process in crowd:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
    said = [json.loads(process.communicate("go\n", timeout=60)[0]) for process in crowd]
    won = [tuple(claim) for workers in said for claims in workers.values() for claim in claims]
    assert sum(len(workers) for workers in said) == PROCESSES * WORKERS
    wanted = {(stage, f"s{number}.test", 1) for stage in STAGES for number in range(COUNT)}
    assert Counter(won) == Counter(wanted)
    check_file(path)


def _started(path: Path, name: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "tests.durability.claimers", str(path), name]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, cwd=ROOT, stdin=pipe, stdout=pipe, text=True)
