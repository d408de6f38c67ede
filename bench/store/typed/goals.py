"""What the typed store's speed has to be, as ratios within one run."""

from __future__ import annotations

from typing import Final

from bench.store.goals import Goal

__all__ = ["BULK_GOALS", "LABELS", "READ_GOALS"]

LABELS: Final = {
    "typed_in_process": "typed store, in process",
    "typed_http": "typed store, over HTTP",
    "resource": "boto3's resource, over HTTP",
    "pynamodb": "PynamoDB, over HTTP",
    "loop": "loop of put_item, over HTTP",
}
"""What a reader calls the contestants."""

_PAGES = ("page", "index_page")
_HTTP = "typed over HTTP against"
_HERE = "typed in process against the resource over HTTP"


def _at_least(times: float, label: str, task: str, ours: str, theirs: str) -> Goal:
    """A goal without a floor below its aim."""
    return Goal(label, task, ours, theirs, times, times)


READ_GOALS: Final = (
    *(
        _at_least(1, f"{_HTTP} {label}", task, "typed_http", theirs)
        for theirs, label in (("resource", "the resource"), ("pynamodb", "PynamoDB"))
        for task in ("get", *_PAGES)
    ),
    _at_least(20, _HERE, "get", "typed_in_process", "resource"),
    *(_at_least(5.5, _HERE, task, "typed_in_process", "resource") for task in _PAGES),
)
BULK_GOALS: Final = (
    _at_least(10, "put_new_all over HTTP against the loop", "known", "typed_http", "loop"),
    _at_least(1, "put_new_all over HTTP against the loop", "new", "typed_http", "loop"),
)
