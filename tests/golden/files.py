"""Compare text with a golden file, or write the file."""

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
_WRITE: Final = os.environ.get("GOLDEN") == "write"
_MAX_DIFF_LINES: Final = 200
"""The length of a diff in a failure."""


def as_json(value: Any) -> str:
    """A value as golden files store it: sorted keys, one value per line."""
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=True) + "\n"


def check(name: str, text: str) -> None:
    """Fail with a diff if the file differs; with ``GOLDEN=write``, write the file instead."""
    path = FOLDER / name
    if _WRITE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return
    before = path.read_text(encoding="utf-8") if path.exists() else ""
    if text != before:
        pytest.fail(f"{_diff(name, before, text)}\n\n{_REMEDY}", pytrace=False)


def _diff(name: str, before: str, now: str) -> str:
    lines = difflib.unified_diff(
        before.splitlines(), now.splitlines(), f"tests/golden/{name}", "now", lineterm=""
    )
    shown = list(islice(lines, _MAX_DIFF_LINES + 1))
    if len(shown) > _MAX_DIFF_LINES:
        shown[-1] = "… and more"
    return "\n".join(shown)
