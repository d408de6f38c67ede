"""What domains export is on the page about exports."""

from __future__ import annotations

import re

from gotgan.app import App
from gotgan.domain import domains
from tests.house.repository import DOCS

PAGE = (DOCS / "exports.md").read_text(encoding="utf-8")
ROW = re.compile(r"\| (\w+) \| `(\w+)` \|[^|]*\|[^|]*\|([^|]*)\|")


def test_the_page_lists_every_data_set_with_its_columns() -> None:
    with App.in_memory() as app:
        core = app._core()  # noqa: SLF001 - what domains are opened with
        found = {
            (domain.name, each.name): [column.name for column in each.columns]
            for domain in domains()
            for each in domain.data_sets(core)
        }
    shown = {(row[1], row[2]): re.findall(r"`(\w+)`", row[3]) for row in ROW.finditer(PAGE)}
    assert shown == found
