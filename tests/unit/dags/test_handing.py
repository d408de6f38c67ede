from __future__ import annotations

import json
from datetime import UTC, date, datetime

from gotgan.dags.handing import collection_of, indication_of, to_json
from gotgan.domains.market import indicating, steps
from gotgan.domains.market.decisions import RunNow
from gotgan.sql import Lease

DAY = date(2025, 10, 20)
LEASE = Lease("market:2025-10-20", "worker:1", datetime(2025, 10, 20, 8, 15, 0, 5, UTC), 3)


def test_a_collection_comes_out_of_json_as_it_went_in() -> None:
    decision = RunNow("retry", "prices failed; retry 1 of 3", sides=("prices",))
    work = steps.CollectionWork(DAY, ("prices",), LEASE, decision)
    assert collection_of(json.loads(json.dumps(to_json(work)))) == work


def test_indicators_in_hand_come_out_of_json_as_they_went_in() -> None:
    work = indicating.IndicatorWork(DAY, LEASE, RunNow("first_run", "never calculated"))
    assert indication_of(json.loads(json.dumps(to_json(work)))) == work
