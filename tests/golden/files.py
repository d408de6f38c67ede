"""Golden files: what is shown is compared with them, or written to them."""

from __future__ import annotations

import difflib
import json
import os
from itertools import islice
from pathlib import Path
from typing import Any, Final

import pytest

__all__ = ["FOLDER", "as_json", "check"]

FOLDER: Final = Path(__file__).parent
_REMEDY: Final = (
    "If you want this change, run make golden (or GOLDEN=write pytest tests/golden), review what "
    "it wrote and commit it."
)
_IS_WRITTEN: Final = os.environ.get("GOLDEN") == "write"
_MOST_LINES: Final = 200
"""Of a difference: more would not be read."""


def as_json(value: Any) -> str:
    """A value as a golden file has it: sorted, one thing a line."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def check(name: str, text: str) -> None:
    """Fail with the difference where a file says something else; ``GOLDEN=write`` writes it."""
    path = FOLDER / name
    if _IS_WRITTEN:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if text != before:
        pytest.fail(f"{_difference(name, before, text)}\n\n{_REMEDY}", pytrace=False)


def _difference(name: str, before: str, now: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(), now.splitlines(), f"tests/golden/{name}", "now", lineterm=""
    )
    shown = list(islice(lines, _MOST_LINES + 1))
    if len(shown) > _MOST_LINES:
        shown[-1] = "… and more"
    return "\n".join(shown)
