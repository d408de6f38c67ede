"""One tree of errors, each with a code, a sentence and a place in the documentation."""

from __future__ import annotations

import inspect
import sys
from collections import Counter

import gotgan.errors
from gotgan.errors import GotganError
from gotgan.store.engine.faults import DynamoDBError
from scripts.reference import error_tree
from tests.each import each
from tests.house.repository import DOCS

TREE = error_tree()
DRAWN = [
    error
    for error in TREE
    if error is not GotganError
    if error is DynamoDBError or not issubclass(error, DynamoDBError)
]

MESSAGES = {
    "InvalidForm",
    "RunStopped",
    "SitemapUnreadable",
    "StaleCatalog",
    "UnreadableField",
    "WorkStopped",
    "WriteRefused",
    "YouTubeRefusal",
}
"""Raised and caught between the files of one package; no caller ever sees them."""


def _drawn() -> dict[str, int]:
    """The names in the drawing at the head of gotgan.errors, with how deep each is set."""
    lines = (gotgan.errors.__doc__ or "").splitlines()
    branches = [line for line in lines if "── " in line]
    return {line.split("── ")[1].split()[0]: line.index("── ") // 4 for line in branches}


def _refines_a_fault(error: type[GotganError]) -> bool:
    parent = error.__bases__[0]
    return issubclass(parent, DynamoDBError) and parent is not DynamoDBError


def test_every_code_belongs_to_one_class() -> None:
    """A refinement of a fault, such as KeyMismatch, states none and keeps AWS's."""
    counted = Counter(vars(error)["code"] for error in TREE if "code" in vars(error))
    assert [code for code, times in counted.items() if times > 1] == []


@each("error", TREE, lambda error: error.__name__)
def test_an_error_has_a_code_a_sentence_and_a_retry_flag(error: type[GotganError]) -> None:
    assert "code" in vars(error) or _refines_a_fault(error)
    assert vars(error).get("__doc__")
    assert isinstance(error.retry, bool)


@each("error", DRAWN, lambda error: error.__name__)
def test_an_error_is_drawn_under_its_parent(error: type[GotganError]) -> None:
    depths = _drawn()
    assert depths[error.__name__] == len(error.__mro__) - len(GotganError.__mro__)


def test_the_drawing_shows_nothing_that_is_not_there() -> None:
    assert set(_drawn()) - {error.__name__ for error in TREE} == set()


@each("error", TREE, lambda error: error.__name__)
def test_an_error_is_in_the_documentation(error: type[GotganError]) -> None:
    assert f"| `{error.code}` | `{error.__name__}` |" in (DOCS / "errors.md").read_text()


def test_every_public_exception_is_in_the_tree() -> None:
    modules = [module for name, module in sys.modules.items() if name.startswith("gotgan")]
    exceptions = {
        thing
        for module in modules
        for name, thing in inspect.getmembers(module, inspect.isclass)
        if issubclass(thing, BaseException) and not issubclass(thing, Warning)
        if thing.__module__.startswith("gotgan")
        if not name.startswith("_")
    }
    assert {thing.__name__ for thing in exceptions - set(TREE)} - MESSAGES == set()
