"""Results of the search verbs."""

from __future__ import annotations

from collections.abc import Iterator

from gotgan.cli.format import time_text
from gotgan.cli.reader import rendered, tr
from gotgan.cli.table import safe_lines, with_cursor
from gotgan.search.reports import IndexUpdate, SearchHit, SearchPage


def find(page: SearchPage) -> str:
    """A paragraph for each hit, and how many there are."""
    if not page.items:
        return tr("Nothing matches. All words must be found; try fewer, or part of a name.")
    lines = [line for hit in page.items for line in (*_hit(hit), "")]
    return with_cursor(f"{safe_lines(lines)}\n{_counts(page)}", page.cursor)


def _hit(hit: SearchHit) -> Iterator[str]:
    when = "" if hit.at is None else f"  {time_text(hit.at)}"
    yield f"{tr(hit.kind)}  {hit.id}{when}"
    if hit.title.text:
        yield f"  {hit.title.text}"
    if hit.snippet.text:
        yield f"    {hit.snippet.text}"


def _counts(page: SearchPage) -> str:
    """How many there are of each kind, and how old the index is."""
    parts = [f"{tr(each.kind)} {each.count:,}{'+' * each.is_bounded}" for each in page.kinds]
    age = "" if page.age_s is None else tr("index updated {count} seconds ago", count=page.age_s)
    return " · ".join(filter(None, (*parts, age)))


def refresh(done: IndexUpdate) -> str:
    """What was written, and which domains could not be read."""
    if done.is_elsewhere:
        return tr("Another process is updating the index.")
    head = tr(
        "Documents written: {written}, removed: {removed}, in the index: {total}.",
        written=f"{done.written:,}",
        removed=f"{done.removed:,}",
        total=f"{done.total:,}",
    )
    failed = [f"{name}: {rendered(reason)}" for name, reason in done.failed.items()]
    return safe_lines([head, *failed])


rebuild = refresh
