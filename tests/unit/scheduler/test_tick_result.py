"""How a tick is told to have ended: well or not, in the words of its report, and with its units."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import pytest

from gotgan.app import App
from gotgan.domains.news.models import Story
from gotgan.domains.news.reports import BodiesReport
from gotgan.domains.shops.reports import CrawlReport, ShopFailure, SkippedShop
from gotgan.domains.shops.workers import PoolReport
from gotgan.errors import Conflict
from gotgan.runs import Run
from gotgan.scheduler.loop import tick_result
from gotgan.store import Cost

NOON = datetime(2025, 10, 20, 3, tzinfo=UTC)
NO_COST = Cost()


@dataclass(frozen=True)
class Judged:
    """A report that says whether it went well."""

    outcome: str
    words: str = "prices: nothing came"


def _ending(report: Any = None, **of_run: Any) -> dict[str, Any]:
    return tick_result(Run("r1", "a.verb", "done", NOON, NOON, report=report, **of_run))


def test_a_run_that_says_nothing_is_done() -> None:
    assert _ending(object()) == {"status": "done", "finished_at": NOON, "error": None}


def test_an_error_is_told_in_its_own_words() -> None:
    told = _ending(error=Conflict("somebody else has it"))
    assert (told["status"], told["error"]) == ("failed", "somebody else has it")


@pytest.mark.parametrize("outcome", ["failed", "partial"])
def test_a_report_can_say_that_it_failed(outcome: str) -> None:
    told = _ending(Judged(outcome))
    assert (told["status"], told["words"]) == ("failed", "prices: nothing came")
    assert told["error"] == told["words"]


def test_a_report_that_went_well_leaves_its_words_alone() -> None:
    told = _ending(Judged("success"))
    assert (told["status"], told["words"], told["error"]) == ("done", "prices: nothing came", None)


def test_a_list_of_news_says_what_was_new_and_what_it_took() -> None:
    with App.in_memory() as app:
        stories = [Story("A", "https://finance.yahoo.com/a"), Story("B", "https://b.example.com/")]
        app.news.upload(stories[:1])
        told = _ending(app.news.upload(stories))
    assert (told["status"], told["words"]) == ("done", "1 new, 1 duplicate")
    assert told["reads"] > 0
    assert told["writes"] > 0


@pytest.mark.parametrize(
    ("outcomes", "waiting", "words"),
    [({"ok": 3, "gone": 1}, 2, "3 ok, 1 gone, 2 waiting"), ({}, 0, "nothing new")],
    ids=["some", "none"],
)
def test_bodies_are_told_by_what_they_are(outcomes: Any, waiting: int, words: str) -> None:
    report = BodiesReport(outcomes, waiting, 0, None, has_more=False, cost=NO_COST)
    assert _ending(report)["words"] == words


def test_a_crew_says_how_many_shops_it_has_done() -> None:
    crew = PoolReport[Any](
        skipped=[SkippedShop("a.test", "w1")], failed=[ShopFailure("b.test", Conflict("no"))]
    )
    assert _ending(crew)["words"] == "1 in progress elsewhere, 1 failed"
    assert _ending(PoolReport[Any]())["words"] == "nothing due"


def test_a_crew_that_reached_no_shop_failed() -> None:
    down, done = CrawlReport("a.test", not_before=NOON), CrawlReport("b.test")
    told = _ending(PoolReport([down]))
    assert (told["status"], told["error"]) == ("failed", "1 unreachable")
    told = _ending(PoolReport([down, done]))
    assert (told["status"], told["words"]) == ("done", "1 done, 1 unreachable")
    told = _ending(PoolReport([done], failed=[ShopFailure("c.test", Conflict("no"))]))
    assert (told["status"], told["error"]) == ("failed", "1 done, 1 failed")
