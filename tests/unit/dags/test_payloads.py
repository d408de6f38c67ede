from __future__ import annotations

import json
from datetime import UTC, date, datetime

from gotgan.dags.payloads import collection_work, indicator_work, to_json
from gotgan.domains.market import collector, indicator_run
from gotgan.domains.market.decisions import RunNow
from gotgan.sql import Lease

DAY = date(2025, 10, 20)
LEASE = Lease("market:2025-10-20", "worker:1", datetime(2025, 10, 20, 8, 15, 0, 5, UTC), 3)


def test_a_collection_comes_out_of_json_as_it_went_in() -> None:
    decision = RunNow("retry", "prices failed; retry 1 of 3", sides=("prices",))
    work = collector.CollectionWork(DAY, ("prices",), LEASE, decision)
    assert collection_work(json.loads(json.dumps(to_json(work)))) == work


def test_indicators_in_hand_come_out_of_json_as_they_went_in() -> None:
    work = indicator_run.IndicatorWork(DAY, LEASE, RunNow("first_run", "never calculated"))
    assert indicator_work(json.loads(json.dumps(to_json(work)))) == work
