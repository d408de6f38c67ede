"""Messages of the page of a day; their Korean is in ``texts/ko/day.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

IN_A_ROW: Final = Template("day.in_a_row", "{count} times in a row: {why}")
NOT_ENDED: Final = Template("day.not_ended", "it did not come to its end")
RUNS_AGAIN: Final = Template("day.runs_again", "comes round again at {at}")
RECOVERED: Final = Template("day.recovered", "went well at {at}")
NOT_COLLECTED: Final = Template("day.not_collected", "they could not be collected")
NOT_CALCULATED: Final = Template("day.not_calculated", "they could not be calculated")
FAILED_BEFORE: Final = Template("day.failed_before", "failed {count:time|times} before")
NO_REASON: Final = Template("day.no_reason", "it does not say why")
DEFECT: Final = Template("day.defect", "something went wrong here; the log says what")
