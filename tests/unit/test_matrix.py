"""The two halves of the suite: what ``make test`` runs, and what ``make test-matrix`` does."""

from __future__ import annotations

from tests.matrix import Case, sample

HTTP = (("driver", "http"),)
POSTGRES = (("database_settings", "postgres"),)


def test_what_runs_in_process_is_all_in_the_sample() -> None:
    assert sample([Case("a", "f.py", 1), Case("b", "f.py", 1, (), (7,))]) == {"a", "b"}


def test_another_front_has_the_first_case_of_each_function_in_any_order() -> None:
    cases = [
        Case("b", "f.py", 1, HTTP, (2, 1)),
        Case("a", "f.py", 1, HTTP, (2, 0)),
        Case("of another function", "f.py", 20, HTTP, (2, 3)),
        Case("of another file", "g.py", 1, HTTP, (2, 4)),
        Case("of another front", "f.py", 1, (("driver", "attached"),), (1, 5)),
    ]
    first = {"a", "of another function", "of another file", "of another front"}
    assert sample(cases) == sample(reversed(cases)) == first


def test_another_database_has_the_first_case_of_each_file() -> None:
    cases = [
        Case("later", "f.py", 20, POSTGRES),
        Case("earlier", "f.py", 10, POSTGRES),
        Case("elsewhere", "g.py", 30, POSTGRES),
        Case("in another zone", "f.py", 40, (*POSTGRES, ("scene", "UTC"))),
    ]
    assert sample(cases) == {"earlier", "elsewhere", "in another zone"}


def test_nothing_of_another_server_is_in_the_sample() -> None:
    cases = [Case(peer, "f.py", 1, (("where", peer),)) for peer in ("moto", "dynalite", "dynoxide")]
    assert sample(cases) == set()
