"""How days stand, over the API: months, days with their logs and decisions, and gaps."""

from __future__ import annotations

from typing import Any

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.market.days import DaySpan
from gotgan.encoding import encode
from gotgan.world import FaultKind, World
from gotgan.world.market import DATA, KRX
from tests.unit.api.calling import NOON, Api
from tests.unit.api.market.trading import DAY, HOLIDAY, SHARES, recovered


def test_a_month_tells_every_day_and_what_comes_next(api: Api) -> None:
    recovered(api)
    told = api.data("GET", "/market/status", role="viewer", params={"month": "2025-10"})
    days = {day["day"]: day for day in told["days"]}
    assert (told["month"], told["today"], told["zone"]) == ("2025-10", "2025-11-15", "Asia/Seoul")
    assert len(days) == 31
    assert days[DAY]["overallStatus"] == "success"
    assert days[DAY]["next"].startswith(f"Not enough history for the indicators of {DAY}")
    assert days[HOLIDAY]["closed"] == "National Foundation Day"
    assert days["2025-10-18"]["next"] == "Closed: a weekend."
    assert "recover the day" in days["2025-10-21"]["next"]


def test_without_a_month_it_is_this_one(api: Api) -> None:
    assert api.data("GET", "/market/status")["month"] == "2025-11"


def test_a_day_has_its_logs_under_the_names_of_their_columns(api: Api) -> None:
    recovered(api)
    details = api.data("GET", f"/market/days/{DAY}", role="viewer")
    told = details["status"]
    log, indicators = told["log"], told["indicatorLog"]
    assert (details["breadth"]["halted"], len(details["indices"])) == (0, 2)
    assert (log["price_status"], log["price_count"], log["price_provider"]) == (
        "success",
        SHARES,
        "krx",
    )
    assert (log["indices_status"], log["indices_count"]) == ("success", 2)
    assert (log["price_retry_count"], log["price_error_message"]) == (0, None)
    assert (log["date"], log["collection_date"]) == (DAY, "2025-11-15")
    assert log["price_completed_at"] == "2025-11-15T12:00:00Z"
    assert (indicators["date"], indicators["status"]) == (DAY, "pending")
    assert indicators["indicators_count"] == 0
    reasons = (told["collection"]["reason"], told["calculation"]["reason"])
    assert reasons == ("already_success", "not_enough_history")


def test_a_decision_has_a_word_a_sentence_and_a_moment(api: Api, clock: FixedClock) -> None:
    clock.advance(NOON.replace(day=17, hour=6) - NOON)
    told = api.data("GET", "/market/days/2025-11-17")["status"]
    assert told["collection"] == {
        "status": "skipped",
        "reason": "before_collection_time",
        "words": "Collection of 2025-11-17 starts at 17:00 KST.",
        "until": "2025-11-17T08:00:00Z",
        "sides": [],
    }
    assert (told["log"], told["indicatorLog"], told["closed"]) == (None, None, None)
    clock.advance(NOON - NOON.replace(hour=10))
    told = api.data("GET", "/market/days/2025-11-17")["status"]
    assert (told["collection"]["status"], told["collection"]["sides"]) == (
        "run",
        ["prices", "indices"],
    )
    assert told["next"] == "2025-11-17 was never collected. Runs at the next scheduled time."


def test_a_day_that_somebody_works_on_says_who_and_for_how_long(api: Api) -> None:
    market = api.app.market
    begun = market.collector.begin(market.calendar().previous_session(market.today()))
    [status] = market.status_between(begun.day, begun.day)  # type: ignore[union-attr]
    told = encode(status)
    assert told["collection"]["reason"] == "in_progress"
    assert told["next"].endswith(f"is collecting {status.day}. Its lease ends at 21:15 KST.")


def test_a_day_that_failed_says_why_and_when_it_is_tried_again(api: Api, world: World) -> None:
    world.fail(KRX, DATA, FaultKind.GARBAGE)
    api.data("POST", "/market/collect", json={"day": "2025-11-14"})
    told = api.data("GET", "/market/days/2025-11-14")["status"]
    assert (told["overallStatus"], told["log"]["price_retry_count"]) == ("failed", 1)
    assert "not valid JSON" in told["log"]["price_error_message"]
    assert told["collection"]["reason"] == "before_retry_time"
    assert told["next"].endswith("Next attempt at 22:00 KST.")


def test_gaps_tell_what_is_missing(api: Api) -> None:
    recovered(api, only="prices")
    told = api.data(
        "GET", "/market/gaps", role="viewer", params={"first": "2025-10-17", "last": DAY}
    )
    assert (told["sessions"], told["isWhole"], told["thin"], told["holes"]) == (2, False, [], [])
    count = told["missing"][1]["count"]
    assert count > 0
    assert told["missing"] == [
        {
            "day": "2025-10-17",
            "sides": ["prices", "indices"],
            "words": "Never collected.",
            "count": 0,
            "beside": count,
        },
        {
            "day": DAY,
            "sides": ["indices"],
            "words": "Missing: indices (partial).",
            "count": count,
            "beside": count,
        },
    ]
    recovered(api)
    assert api.data("GET", "/market/gaps", params={"first": DAY, "last": DAY})["isWhole"]
    for span in ("2025-10-17..2025-10-20", "2025-10"):
        told = api.data("GET", "/market/gaps", params={"span": span})
        wanted = DaySpan.of(span)
        assert (told["first"], told["last"]) == (str(wanted.first), str(wanted.last))


def test_a_day_is_opened_once_and_a_holiday_never(api: Api) -> None:
    def opened(**body: str) -> Any:
        return api.data("POST", "/market/open-day", role="editor", json=body)

    assert opened(day=DAY) == {
        "day": DAY,
        "outcome": "opened",
        "words": f"{DAY} is waiting for collection.",
    }
    assert opened(day=DAY)["outcome"] == "duplicate"
    assert opened(day=HOLIDAY)["outcome"] == "closed"
    assert opened()["day"] == "2025-11-15"
    log = api.data("GET", f"/market/days/{DAY}")["status"]["log"]
    assert (log["overall_status"], log["price_attempts"]) == ("pending", 0)


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/market/status", {"month": "2025-13"}),
        ("/market/status", {"month": "October"}),
        ("/market/days/yesterday", {}),
        ("/market/days/2025-02-30", {}),
        ("/market/gaps", {"first": "20251020"}),
    ],
)
def test_what_is_no_day_is_refused(api: Api, path: str, query: dict[str, str]) -> None:
    assert api.refusal("GET", path, params=query) == (422, "invalid")


@pytest.mark.parametrize(
    ("path", "query"),
    [
        ("/market/status", {"month": "1900-01"}),
        ("/market/days/1900-01-02", {}),
        ("/market/days/9999-12-31", {}),
        ("/market/gaps", {"first": "2025-10-20", "last": "2025-10-01"}),
        ("/market/gaps", {"span": "2025-10", "last": "2025-10-20"}),
        ("/market/gaps", {"span": "2025-10-20..soon"}),
    ],
)
def test_days_beyond_the_calendar_or_in_the_wrong_order_are_told(
    api: Api, path: str, query: dict[str, str]
) -> None:
    assert api.refusal("GET", path, params=query) == (400, "usage")


def test_a_day_that_has_not_come_is_not_opened(api: Api) -> None:
    refused = api.call("POST", "/market/open-day", json={"day": "2025-11-17"})
    assert refused.status_code == 400
    assert "2025-11-17 is in the future" in refused.json()["error"]["message"]
    assert api.data("GET", "/market/days/2025-11-17")["status"]["log"] is None
