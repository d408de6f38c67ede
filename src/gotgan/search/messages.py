"""Messages of the search; their Korean is in ``texts/ko/search.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

BAD_CURSOR: Final = Template(
    "search.bad_cursor", "The cursor is not from this search. Use the one of the previous page."
)
STOPPED: Final = Template("search.stopped", "The update of the index was stopped.")
DEFECT: Final = Template("search.defect", "Internal error. See the log for details.")
