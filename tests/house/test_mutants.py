"""The list of mutants fits the code: each has its place and its tests."""

from __future__ import annotations

import re
from collections import Counter

from scripts.mutants import Mutant, file_of, places_of, read_mutants, read_source

MUTANTS = read_mutants()


def test_the_text_of_a_mutant_occurs_once_in_the_source() -> None:
    source = read_source()
    found = {mutant.name: len(places_of(mutant, source)) for mutant in MUTANTS}
    assert {name: count for name, count in found.items() if count != 1} == {}


def test_a_mutant_changes_something_and_has_a_name_of_its_own() -> None:
    assert [mutant.name for mutant in MUTANTS if mutant.find == mutant.replace] == []
    names = Counter(mutant.name for mutant in MUTANTS)
    assert [name for name, count in names.items() if count > 1] == []


def test_the_tests_of_a_mutant_exist() -> None:
    missing = {mutant.name: _missing(mutant) for mutant in MUTANTS}
    assert {name: tests for name, tests in missing.items() if tests} == {}


def _missing(mutant: Mutant) -> list[str]:
    return [test for test in mutant.tests if not _exists(test)] if mutant.tests else ["any"]


def _exists(test: str) -> bool:
    file, name = file_of(test), test.partition("::")[2].partition("[")[0]
    if not name or not file.is_file():
        return file.exists() and not name
    text = file.read_text(encoding="utf-8")
    return re.search(rf"^(async )?def {name}\(", text, re.MULTILINE) is not None
