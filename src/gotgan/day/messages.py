"""Messages of the page of a day; their Korean is in ``texts/ko/day.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

IN_A_ROW: Final = Template("day.in_a_row", "{count} times in a row: {why}")
NOT_ENDED: Final = Template("day.not_ended", "The run did not finish.")
RUNS_AGAIN: Final = Template("day.runs_again", "Next run {at}")
RECOVERED: Final = Template("day.recovered", "Succeeded at {at}")
NOT_COLLECTED: Final = Template("day.not_collected", "collection failed")
NOT_CALCULATED: Final = Template("day.not_calculated", "calculation failed")
FAILED_BEFORE: Final = Template("day.failed_before", "failed {count:time|times} before")
NO_REASON: Final = Template("day.no_reason", "no reason given")
DEFECT: Final = Template("day.defect", "Internal error. See the log for details.")

# Errors

NOT_A_DATE: Final = Template("day.not_a_date", "Not a date: {text}. Use a date such as 2025-11-06.")
IN_FUTURE: Final = Template("day.in_future", "{day} is in the future. Today is {today} in {place}.")
NO_PAGE: Final = Template("day.no_page", "{day} has no page. Use a day from {first} on.")
PLACES: Final = {
    "utc": Template("day.place_utc", "UTC"),
    "ny": Template("day.place_ny", "New York"),
    "kst": Template("day.place_kst", "Seoul"),
}
"""The zones of days, as people call them."""
PART_FAILED: Final = Template(
    "day.part_failed", "{day} was not published: its part {part} could not be read. {cause}"
)
NOTHING_HAPPENED: Final = Template(
    "day.nothing_happened",
    "{day} was not published: nothing was collected on that day in {place}. Choose another day.",
)
NO_CATEGORY: Final = Template(
    "day.no_category", "There is no category {name}. Categories: {known:list}."
)
NO_CATEGORIES: Final = Template(
    "day.no_categories", "There is no category {name}. Create one first."
)
