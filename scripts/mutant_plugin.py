"""The part of ``scripts.mutants`` that runs inside pytest.

A mutant counts as killed only if a test failed while it ran. An import that fails, a fixture that
breaks or a name that does not exist is an error of the mutant itself. pytest's exit code does not
tell these apart, so a file is created when a test fails.
"""

from __future__ import annotations

import os
from collections.abc import Generator
from importlib import import_module
from pathlib import Path
from typing import Final

import pytest

__all__ = ["KILLED", "MODULES", "SOURCE"]

# Not with our own prefix: variables that are no setting would be refused.
SOURCE: Final = "MUTANT_SOURCE"
"""The variable that names the source tree that must be imported."""
MODULES: Final = "MUTANT_MODULES"
"""The variable that names the modules that must be importable, separated by spaces."""
KILLED: Final = "MUTANT_KILLED"
"""The variable that names the file that is created when a test fails."""
_WRONG_SOURCE: Final = 90
_BROKEN: Final = (ImportError, NameError, SyntaxError)


def pytest_sessionstart() -> None:
    """End the run unless the modules come from the right source tree."""
    source = Path(os.environ[SOURCE])
    for name in ["gotgan", *os.environ[MODULES].split()]:
        try:
            file = str(import_module(name).__file__)
        except Exception as error:  # noqa: BLE001 - whatever it is, the mutant is at fault
            pytest.exit(f"{name} cannot be imported: {error!r}", _WRONG_SOURCE)
        if not Path(file).is_relative_to(source):
            pytest.exit(f"{name} was imported from {file}, not from {source}", _WRONG_SOURCE)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    call: pytest.CallInfo[None],
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Note a test that failed by itself."""
    report = yield
    is_broken = call.excinfo is not None and call.excinfo.errisinstance(_BROKEN)
    if report.failed and report.when == "call" and not is_broken:
        Path(os.environ[KILLED]).touch()
    return report
