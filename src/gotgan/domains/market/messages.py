"""Messages of the market; their Korean is in ``texts/ko/market.toml``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final

from gotgan.messages import Message, Template

# Words inside other messages

WORDS: Final[Mapping[str, Template]] = {
    word: Template(f"market.word_{word}", word)
    for word in (
        *("prices", "indices", "indicators"),
        *("success", "partial", "failed", "retrying", "pending"),
    )
}


def words(names: Iterable[str]) -> tuple[Message, ...]:
    """Sides or statuses, to be named inside another message."""
    return tuple(WORDS[name]() for name in names)


# Why the exchange is closed

WEEKEND: Final = Template("market.weekend", "a weekend")
HOLIDAY: Final = Template("market.holiday", "{english}")
"""A holiday by its names in both languages, which the calendar's library has."""
NO_SHARE_TRADED: Final = Template(
    "market.no_share_traded", "there was no trade on {day}: no share of {market} has a price"
)
NO_INDEX_TRADED: Final = Template(
    "market.no_index_traded", "there was no trade on {day}: there is no {market} index of it"
)

# Decisions about a day

STORED: Final = Template("market.stored", "{what} of {day} are there")
IS_FINAL: Final = Template("market.is_final", "{day} is final")
FINAL_FETCH: Final = Template("market.final_fetch", "{day} is asked for once more")
NEVER_COLLECTED: Final = Template("market.never_collected", "{day} was never collected")
DAY_STATUS: Final = Template("market.day_status", "{day} is {status}")
SIDES_FIRST: Final = Template("market.sides_first", "{status}; both sides have to succeed first")
IN_PROGRESS: Final = Template("market.in_progress", "{owner} works on {day}")
IN_PROGRESS_ELSEWHERE: Final = Template(
    "market.in_progress_elsewhere", "somebody else works on {day}"
)
INDICATORS_IN_PROGRESS: Final = Template(
    "market.indicators_in_progress", "{owner} works on the indicators of {day}"
)
CALCULATING: Final = Template("market.calculating", "{owner} calculates indicators")
CALCULATING_ELSEWHERE: Final = Template(
    "market.calculating_elsewhere", "somebody else calculates indicators"
)
NEVER_CALCULATED: Final = Template(
    "market.never_calculated", "indicators of {day} were never calculated"
)
PROVIDER_BLOCKED: Final = Template(
    "market.provider_blocked",
    "nobody who has the prices of {day} may be asked before {at:datetime}",
)
CLOSED: Final = Template("market.closed", "{day} is no trading day: {why}")
COLLECTED_FROM: Final = Template("market.collected_from", "{day} is collected from {at:time} on")
CALCULATED_FROM: Final = Template(
    "market.calculated_from", "indicators of {day} are calculated from {at:time} on"
)
REOPENED: Final = Template("market.reopened", "{what} of {day} were given up; tried anew today")
NO_RETRIES_LEFT: Final = Template(
    "market.no_retries_left", "{what} of {day} failed and were given up; {again} tries anew"
)
RUN_NOW: Final = Template("market.run_now", "{what} of {day} are asked for now")
RETRY_FROM: Final = Template(
    "market.retry_from", "{what} of {day} failed; tried again from {at:time} on"
)
RETRY: Final = Template("market.retry", "{what} of {day} failed; retry {count} of {total}")
NOT_STARTED: Final = Template("market.not_started", "{what} of {day} were not begun")
COLLECTION_DIED: Final = Template(
    "market.collection_died", "whoever worked on {day} did not come to an end"
)
SIDE_DIED: Final = Template("market.side_died", "whoever worked on it did not come to an end")
CALCULATION_DIED: Final = Template(
    "market.calculation_died", "whoever calculated {day} did not come to an end"
)
COLLECTED_ELSEWHERE: Final = Template(
    "market.collected_elsewhere",
    "another program collected {day}; gotgan market recover {day} stores its prices",
)
NOT_ENOUGH_HISTORY: Final = Template(
    "market.not_enough_history",
    "not enough history for indicators of {day}: no share was traded in {count} sessions up to "
    "then; recover or import earlier days",
)
NO_PROVIDER: Final = Template(
    "market.no_provider",
    "no price provider is configured ({providers}); set KRX_ID and KRX_PW (free at "
    "https://data.krx.co.kr), or GOTGAN_MARKET_PROVIDERS=csv and GOTGAN_MARKET_CSV",
)
LOST_RACE: Final = Template(
    "market.lost_race", "{what} of {day} were fetched by somebody else; leave it to them"
)
FAULT: Final = Template("market.fault", "a fault of ours: {error}")

# What happens next

NEXT_TICK: Final = Template("market.next_tick", "{decision}: with the next tick")
UNTIL_AT_MOST: Final = Template("market.until_at_most", "{decision}, until {at:time} at most")
NEXT_CLOSED: Final = Template("market.next_closed", "closed: {why}")
DONE: Final = Template("market.done", "done")
DONE_ELSEWHERE: Final = Template("market.done_elsewhere", "done; collected by another program")
DONE_OLD: Final = Template("market.done_old", "done; too old for its last volumes to be asked for")
DONE_LATER: Final = Template(
    "market.done_later", "done; the last volumes are asked for in the night"
)
TOO_OLD: Final = Template(
    "market.too_old", "{missing}; too old for the timetable: gotgan market recover"
)
INDICATORS_MISSING: Final = Template("market.indicators_missing", "indicators are missing")
NOTHING_COLLECTED: Final = Template("market.nothing_collected", "never collected")
COLLECTION_STATUS: Final = Template("market.collection_status", "collection {status}")

# Results

SIDE_COUNT: Final = Template("market.side_count", "{what}: {count} from {provider}")
SIDE_FAILED: Final = Template("market.side_failed", "{what}: {error}")
SIDES: Final = Template("market.sides", "{sides:sentences}")
OF_PROVIDER: Final = Template("market.of_provider", "{provider}: {error}")
OF_DAY: Final = Template("market.of_day", "{day}: {result}")
CALCULATED: Final = Template("market.calculated", "indicators of {count} shares")
OPENED: Final = Template("market.opened", "{day} waits to be collected")
OPENED_BEFORE: Final = Template("market.opened_before", "{day} was opened before")
COLLECTED_COUNT: Final = Template("market.collected_count", "collected: {count}")
FINAL_COUNT: Final = Template("market.final_count", "made final: {count}")
CALCULATED_COUNT: Final = Template("market.calculated_count", "indicators calculated: {count}")
FAILED_COUNT: Final = Template("market.failed_count", "failed: {count}")
COUNTS: Final = Template("market.counts", "{counts:list}")
NOTHING_MISSING: Final = Template("market.nothing_missing", "nothing was missing")
STOPPED: Final = Template("market.stopped", "it ended early: {why}")
FAILED_IN_A_ROW: Final = Template("market.failed_in_a_row", "{count} days in a row failed: {last}")

# Missing days

GAP_NEVER: Final = Template("market.gap_never", "was never collected")
GAP_ELSEWHERE: Final = Template(
    "market.gap_elsewhere", "collected by another program; recover stores it here"
)
GAP_SIDES: Final = Template("market.gap_sides", "{status}: {what} are missing")
GAP_STORED: Final = Template("market.gap_stored", "{gap}; {count} shares are stored")
GAP_STORED_OF: Final = Template(
    "market.gap_stored_of", "{gap}; {count} of about {total} shares are stored"
)

# Why a side is not verified

NO_PRICE: Final = Template(
    "market.no_price", "there is no price of {market} for {day}; it is asked for again"
)
TOO_FEW_PRICES: Final = Template(
    "market.too_few_prices",
    "{market} has {count} prices on {day} where {other} has {usual}; less than {share} is no whole "
    "day, so it is asked for again",
)
NO_INDEX: Final = Template(
    "market.no_index", "the index of {names} is missing for {day}; it is asked for again"
)
STORED_WRONG: Final = Template(
    "market.stored_wrong",
    "{count} of {total} {what} of {day} are not stored as they were fetched, {some:list} among "
    "them; they are fetched anew",
)
