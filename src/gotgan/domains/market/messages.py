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
NO_SHARE_TRADED: Final = Template("market.no_share_traded", "no {market} share has a price")
NO_INDEX_TRADED: Final = Template("market.no_index_traded", "there is no {market} index")

# Decisions about a day

STORED: Final = Template("market.stored", "Already stored: {what} of {day}.")
IS_FINAL: Final = Template("market.is_final", "The figures of {day} are already final.")
FINAL_FETCH: Final = Template("market.final_fetch", "Fetching {day} again.")
NEVER_COLLECTED: Final = Template("market.never_collected", "{day} was never collected.")
DAY_STATUS: Final = Template("market.day_status", "Collection of {day}: {status}.")
SIDES_FIRST: Final = Template("market.sides_first", "{status} Prices and indices come first.")
IN_PROGRESS: Final = Template("market.in_progress", "{owner} is collecting {day}.")
IN_PROGRESS_ELSEWHERE: Final = Template(
    "market.in_progress_elsewhere", "Another run is collecting {day}."
)
INDICATORS_IN_PROGRESS: Final = Template(
    "market.indicators_in_progress", "{owner} is calculating the indicators of {day}."
)
CALCULATING: Final = Template("market.calculating", "{owner} is calculating indicators.")
CALCULATING_ELSEWHERE: Final = Template(
    "market.calculating_elsewhere", "Another run is calculating indicators."
)
NEVER_CALCULATED: Final = Template(
    "market.never_calculated", "The indicators of {day} were never calculated."
)
PROVIDER_BLOCKED: Final = Template(
    "market.provider_blocked",
    "All price providers are blocking requests. Next attempt for {day}: {at:datetime}.",
)
CLOSED: Final = Template("market.closed", "{day} is not a trading day: {why}.")
COLLECTED_FROM: Final = Template(
    "market.collected_from", "Collection of {day} starts at {at:time}."
)
CALCULATED_FROM: Final = Template(
    "market.calculated_from", "Calculation of indicators for {day} starts at {at:time}."
)
REOPENED: Final = Template(
    "market.reopened", "Failed: {what} of {day}. Retries were used up and start again today."
)
NO_RETRIES_LEFT: Final = Template(
    "market.no_retries_left",
    "Failed: {what} of {day}. No retries left today. Next attempt {again}, or run it now.",
)
RUN_NOW: Final = Template("market.run_now", "Requested manually: {what} of {day}.")
RETRY_FROM: Final = Template(
    "market.retry_from", "Failed: {what} of {day}. Next attempt at {at:time}."
)
RETRY: Final = Template("market.retry", "Failed: {what} of {day}. Retry {count} of {total}.")
NOT_STARTED: Final = Template("market.not_started", "Not started: {what} of {day}.")
COLLECTION_DIED: Final = Template(
    "market.collection_died", "The previous run of {day} did not finish."
)
SIDE_DIED: Final = Template("market.side_died", "The previous run did not finish.")
CALCULATION_DIED: Final = Template(
    "market.calculation_died", "The previous calculation of {day} did not finish."
)
COLLECTED_ELSEWHERE: Final = Template(
    "market.collected_elsewhere",
    "Another program collected {day}. Recover the day to store its prices.",
)
NOT_ENOUGH_HISTORY: Final = Template(
    "market.not_enough_history",
    "Not enough history for the indicators of {day}: no share has {count} sessions up to that "
    "day. Recover or import earlier days.",
)
NO_PROVIDER: Final = Template(
    "market.no_provider",
    "No price provider is configured ({providers}). Set KRX_ID and KRX_PW (free account at "
    "https://data.krx.co.kr), or GOTGAN_MARKET_PROVIDERS=csv and GOTGAN_MARKET_CSV.",
)
NO_HISTORY: Final = Template(
    "market.no_history",
    "No day was collected recently. Recover a range: indicators need some months of prices.",
)
LOST_RACE: Final = Template("market.lost_race", "Another run fetched {what} of {day}.")
TURNED_OUT_CLOSED: Final = Template(
    "market.turned_out_closed", "{day} turned out not to be a trading day."
)
FAULT: Final = Template("market.fault", "Internal error: {error}")

# What happens next

NEXT_TICK: Final = Template("market.next_tick", "{decision} Runs at the next scheduled time.")
UNTIL_AT_MOST: Final = Template("market.until_at_most", "{decision} Its lease ends at {at:time}.")
NEXT_CLOSED: Final = Template("market.next_closed", "Closed: {why}.")
DONE: Final = Template("market.done", "Done.")
DONE_ELSEWHERE: Final = Template("market.done_elsewhere", "Done; collected by another program.")
DONE_OLD: Final = Template("market.done_old", "Done; too old to fetch its final volumes.")
DONE_LATER: Final = Template("market.done_later", "Done; final volumes are fetched at night.")
TOO_OLD: Final = Template("market.too_old", "{missing} Too old for the schedule; recover the day.")
INDICATORS_MISSING: Final = Template("market.indicators_missing", "Indicators are missing.")
NOTHING_COLLECTED: Final = Template("market.nothing_collected", "Never collected.")
COLLECTION_STATUS: Final = Template("market.collection_status", "Collection: {status}.")

# Results

SIDE_COUNT: Final = Template("market.side_count", "Stored {count} {what} from {provider}.")
SIDE_FAILED: Final = Template("market.side_failed", "Could not collect {what}: {error}")
SIDES: Final = Template("market.sides", "{sides:sentences}")
OF_DAY: Final = Template("market.of_day", "{day}: {result}")
CALCULATED: Final = Template(
    "market.calculated", "Calculated the indicators of {count:share|shares}."
)
OPENED: Final = Template("market.opened", "{day} is waiting for collection.")
OPENED_BEFORE: Final = Template("market.opened_before", "{day} was prepared before.")
COLLECTED_COUNT: Final = Template("market.collected_count", "{count:day|days} collected")
FINAL_COUNT: Final = Template("market.final_count", "{count:day|days} finalised")
CALCULATED_COUNT: Final = Template("market.calculated_count", "{count:day|days} calculated")
FAILED_COUNT: Final = Template("market.failed_count", "{count} failed")
COUNTS: Final = Template("market.counts", "{counts:list}.")
NOTHING_MISSING: Final = Template("market.nothing_missing", "Nothing was missing.")
STOPPED: Final = Template("market.stopped", "Stopped early: {why}")
FAILED_IN_A_ROW: Final = Template(
    "market.failed_in_a_row", "{count:day|days} in a row failed. {last}"
)
DAY_PART: Final = Template("market.day_part", "{day} {what}")
DAY_AGAIN: Final = Template("market.day_again", "{day} again")

# Missing days

GAP_NEVER: Final = Template("market.gap_never", "Never collected.")
GAP_ELSEWHERE: Final = Template(
    "market.gap_elsewhere", "Collected by another program; recover the day to store it here."
)
GAP_SIDES: Final = Template("market.gap_sides", "Missing: {what} ({status}).")
GAP_STORED: Final = Template("market.gap_stored", "{gap} {count:share|shares} stored.")
GAP_STORED_OF: Final = Template(
    "market.gap_stored_of", "{gap} {count} of about {total:share|shares} stored."
)

# Why a side or its indicators are not verified

NO_PRICE: Final = Template("market.no_price", "No {market} prices for {day}. Try again later.")
TOO_FEW_PRICES: Final = Template(
    "market.too_few_prices",
    "{market} has {count} prices on {day}, but {usual} on {other}. With less than {share} a day is "
    "incomplete. Try again later.",
)
NO_INDEX: Final = Template("market.no_index", "No {names} index for {day}. Try again later.")
STORED_WRONG: Final = Template(
    "market.stored_wrong",
    "{count} of {total} {what} of {day} were not stored as fetched ({some:list}). Fetch the day "
    "again.",
)
INDICATOR_COUNT_WRONG: Final = Template(
    "market.indicator_count_wrong",
    "{count:indicator row is|indicator rows are} stored for {day}, but {expected} were "
    "calculated. Calculate the day again.",
)
INDICATORS_WRONG: Final = Template(
    "market.indicators_wrong",
    "Stored indicators of {count:share|shares} on {day}, such as {ticker}, differ from the "
    "calculated ones. Calculate the day again.",
)
SAMPLE_WRONG: Final = Template(
    "market.sample_wrong",
    "Stored indicators of {ticker} on {day} do not match its prices. Calculate the day again.",
)

# Parameters

NOT_A_DATE: Final = Template("market.not_a_date", "Not a date: {text}. Write it as 2025-10-20.")
NOT_A_MONTH: Final = Template("market.not_a_month", "Not a month: {text}. Write it as 2025-10.")
USE_A_MONTH: Final = Template("market.use_a_month", "use a month such as 2025-10")
NOT_A_RANGE: Final = Template(
    "market.not_a_range", "Not a range of days: {text}. Write it as 2025-10-01..2025-10-31."
)
REVERSED_RANGE: Final = Template(
    "market.reversed_range", "{first} is after {last}. Give the earlier day first."
)
RANGE_OR_ENDS: Final = Template(
    "market.range_or_ends", "Give either a range or its first and last day, not both."
)
OUTSIDE_CALENDAR: Final = Template(
    "market.outside_calendar",
    "{day} is outside the exchange's calendar. Use a day from {first} to {last}.",
)
FUTURE_DAY: Final = Template(
    "market.future_day", "{day} is in the future. Today is {today} in {zone}."
)
NO_SHARE: Final = Template(
    "market.no_share",
    "There is no share {ticker}. Use a six-character ticker such as 005930; shares are known from "
    "the first day that was collected.",
)
NO_INDEX_VALUES: Final = Template(
    "market.no_index_values", "There are no values of the index {code} from {first} to {last}."
)
BAD_CURSOR: Final = Template(
    "market.bad_cursor", "The cursor is not valid for this list. Start again without one."
)

# Providers

OF_PROVIDER: Final = Template("market.of_provider", "{provider}: {error}")
NO_PROVIDERS: Final = Template(
    "market.no_providers", "No price provider is named. Set GOTGAN_MARKET_PROVIDERS."
)
NOT_ASKED_UNTIL: Final = Template(
    "market.not_asked_until", "Paused until {until:datetime}. {reason}"
)
NOT_PUBLISHED: Final = Template(
    "market.not_published", "{day} has no figures yet. They are published at {at:time}."
)
NO_PRICES_BUT_INDEX: Final = Template(
    "market.no_prices_but_index", "{day} has index values but no prices. Try again later."
)
NO_INDEX_BUT_PRICES: Final = Template(
    "market.no_index_but_prices", "{day} has prices but no index values. Try again later."
)
MARKETS_DISAGREE: Final = Template(
    "market.markets_disagree",
    "{closed} had no trade, but other markets of that day had. Try again later.",
)
UNPRICED_SHARES: Final = Template(
    "market.unpriced_shares",
    "{count} of {total} {market} shares have no price on {day}. Try again later.",
)
LISTED_TWICE: Final = Template(
    "market.listed_twice", "{source} lists {name} {times} times instead of once."
)
PRICES_OF_MARKET: Final = Template("market.prices_of_market", "{market} prices of {day}")
INDEX_OF_DAY: Final = Template("market.index_of_day", "{market} index of {day}")

# KRX

KRX_NO_LOGIN: Final = Template(
    "market.krx_no_login",
    "KRX requires a login. Create a free account at https://data.krx.co.kr and set KRX_ID and "
    "KRX_PW.",
)
KRX_LOGIN_REFUSED: Final = Template(
    "market.krx_login_refused",
    "KRX refused the login ({code}). Check KRX_ID and KRX_PW at https://data.krx.co.kr: too many "
    "wrong attempts lock the account.",
)
KRX_PASSWORD_EXPIRED: Final = Template(
    "market.krx_password_expired",
    "The KRX password has expired after three months. Change it at https://data.krx.co.kr and set "
    "KRX_PW to the new one.",
)
KRX_LOGIN_PAUSED: Final = Template(
    "market.krx_login_paused",
    "{reason} The same login is not tried again before {until:datetime}.",
)
KRX_SESSION_ENDED: Final = Template("market.krx_session_ended", "The KRX session has ended.")
KRX_UNAVAILABLE: Final = Template(
    "market.krx_unavailable", "KRX is unavailable ({status}). Try again later."
)
KRX_UNREACHABLE: Final = Template("market.krx_unreachable", "Could not reach KRX: {cause}")
KRX_BLOCKED: Final = Template(
    "market.krx_blocked",
    "KRX is blocking this network, usually for a day after too many requests. Wait, or name "
    "another provider in GOTGAN_MARKET_PROVIDERS: more requests prolong the block.",
)
KRX_BAD_STATUS: Final = Template(
    "market.krx_bad_status", "KRX responded with {status}. Try again later."
)
KRX_PAGE: Final = Template(
    "market.krx_page",
    "KRX sent a web page instead of data. Open https://data.krx.co.kr to read it.",
)
KRX_NO_SHARES: Final = Template(
    "market.krx_no_shares", "KRX sent no {market} shares for {day}. Try again later."
)
KRX_OTHER_DAYS: Final = Template(
    "market.krx_other_days",
    "KRX did not send exactly one value of the {market} index for {day}. Try again later.",
)
KRX_NOT_JSON: Final = Template(
    "market.krx_not_json",
    "KRX sent {size:byte|bytes} that are not valid JSON. Try again later.",
)
KRX_NOT_OBJECT: Final = Template(
    "market.krx_not_object", "KRX sent JSON that is not an object. Its format has changed."
)
KRX_NO_ROWS: Final = Template(
    "market.krx_no_rows", "KRX sent no rows ({name}). Its format has changed."
)
KRX_FIELD_MISSING: Final = Template(
    "market.krx_field_missing", "KRX sent a row without {field} ({row})."
)
KRX_BAD_FIELD: Final = Template(
    "market.krx_bad_field", "KRX sent an invalid {field}: {value} ({row})."
)
KRX_ROW: Final = Template("market.krx_row", "{market} of {day}, row {number}")
PYKRX_MISSING: Final = Template(
    "market.pykrx_missing",
    "The provider pykrx needs another package. Install gotgan[krx], or remove pykrx from "
    "GOTGAN_MARKET_PROVIDERS.",
)
PYKRX_FAILED: Final = Template(
    "market.pykrx_failed",
    "pykrx could not read the response for {what} ({cause}). The provider krx reports details.",
)

# Files of the provider csv

CSV_NO_FOLDER: Final = Template(
    "market.csv_no_folder",
    "The provider csv has no folder. Set GOTGAN_MARKET_CSV to a folder with files such as {name}.",
)
CSV_NO_FILE: Final = Template(
    "market.csv_no_file", "There is no file {path}. Add it, or try again later."
)
CSV_UNREADABLE: Final = Template(
    "market.csv_unreadable", "Cannot read {path} as CSV in UTF-8: {cause}"
)
CSV_NO_COLUMNS: Final = Template(
    "market.csv_no_columns",
    "The header of {path} lacks {missing:list}. It must name {columns:list}.",
)
CSV_TOO_MANY_CELLS: Final = Template(
    "market.csv_too_many_cells", "{path}, line {line}: more cells than the header has columns."
)
CSV_BAD_VALUE: Final = Template(
    "market.csv_bad_value", "{path}, line {line}: invalid {column}: {value}."
)
CSV_NO_ROWS: Final = Template("market.csv_no_rows", "{path} has no rows of {names}.")
CSV_NO_TRADE: Final = Template("market.csv_no_trade", "No share in {path} has a price.")
CSV_PRICES_OUTSIDE: Final = Template(
    "market.csv_prices_outside",
    "{path}: {ticker} opened at {opened} and closed at {close}, which is not between {low} and "
    "{high}.",
)
CSV_NO_BASE: Final = Template(
    "market.csv_no_base",
    "{path}: {ticker} closed at {close} with a change of {change}, so its previous close would "
    "not be above zero.",
)

# Imported files

NO_CSV_FILES: Final = Template(
    "market.no_csv_files", "There are no CSV files at {path}. Give a file, a folder or a pattern."
)
FILE_UNREADABLE: Final = Template(
    "market.file_unreadable", "Cannot be read as CSV in UTF-8 or CP949: {cause}"
)
NO_COLUMNS: Final = Template("market.no_columns", "The header has no column for {names:list}.")
NO_TICKER_COLUMN: Final = Template(
    "market.no_ticker_column",
    "The header has no column for {names:list}. Name the file after its ticker (005930.csv) or its "
    "index (KS11.csv).",
)
CELL_COUNT: Final = Template(
    "market.cell_count", "{count:cell|cells}, but the header has {expected:column|columns}."
)
OUT_OF_RANGE: Final = Template("market.out_of_range", "{column} is out of range: {value}.")
NOT_A_NUMBER: Final = Template("market.not_a_number", "{column} is not a number: {value}.")
NOT_A_TICKER: Final = Template("market.not_a_ticker", "Not a ticker: {value}.")
NOT_A_MARKET: Final = Template(
    "market.not_a_market", "Not a market: {value}. Use KOSPI, KOSDAQ or KONEX."
)
NO_CLOSE: Final = Template("market.no_close", "There is no close.")
TRADED_WITHOUT_PRICES: Final = Template(
    "market.traded_without_prices",
    "{count:share was|shares were} traded, but open, high or low is missing.",
)
PRICES_OUTSIDE: Final = Template(
    "market.prices_outside",
    "Open {opened} and close {close} are not between low {low} and high {high}.",
)
OTHER_VALUES: Final = Template(
    "market.other_values",
    "{code} on {day} has other values in {file}, line {line}. That row is used.",
)
UNKNOWN_MARKET: Final = Template(
    "market.unknown_market", "The market of {ticker} is unknown. Add a column, or give the market."
)
MOVED_TOO_FAR: Final = Template(
    "market.moved_too_far",
    "{ticker} closed at {close} after {base} on {day}, but a price moves by at most 30 % a day. "
    "Import split-adjusted prices as adjusted; others need a column with the exchange's change.",
)
NOT_TRADED_YET: Final = Template("market.not_traded_yet", "{day} has not been traded yet.")
