"""The navigation: what somebody sees of it, and the box that jumps."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

import gotgan.console
from gotgan.console.frame import NavPage, Section, find_pages, visible_sections
from gotgan.console.session import Viewer

OPEN = NavPage("open", "/open", None)
MINE = NavPage("mine", "/mine", "viewer")
KEPT = NavPage("kept", "/kept", "admin")
SECTIONS = (Section("one", (OPEN, MINE)), Section("two", (KEPT,)))


def _viewer(role: Any) -> Viewer:
    caller: Any = None if role is None else SimpleNamespace(role=role)
    return Viewer(caller)


@pytest.mark.parametrize(
    ("role", "seen"),
    [
        (None, {"one": (OPEN,)}),
        ("viewer", {"one": (OPEN, MINE)}),
        ("editor", {"one": (OPEN, MINE)}),
        ("admin", {"one": (OPEN, MINE), "two": (KEPT,)}),
    ],
)
def test_somebody_sees_the_pages_that_their_role_may(role: Any, seen: dict[str, Any]) -> None:
    assert {each.key: each.pages for each in visible_sections(SECTIONS, _viewer(role))} == seen


@pytest.mark.parametrize(
    ("path", "held"),
    [("/mine", True), ("/mine/7", True), ("/mine7", False), ("/", False), ("/kept", False)],
)
def test_a_section_holds_its_pages_and_what_is_below_them(path: str, held: bool) -> None:
    assert SECTIONS[0].holds(path) is held


def test_an_address_belongs_to_the_nearest_page_above_it() -> None:
    door, inner = NavPage("door", "/mine"), NavPage("inner", "/mine/inner")
    section = Section("one", (door, inner))
    found = {path: section.page_at(path) for path in ("/mine", "/mine/7", "/mine/inner/7", "/x")}
    assert found == {"/mine": door, "/mine/7": door, "/mine/inner/7": inner, "/x": None}


class Named(Viewer):
    """A viewer in whose language a text is its key's last word."""

    def t(self, key: str, **_: Any) -> str:
        return key.rpartition(".")[2]


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("kept", "/kept"),
        (" MINE ", "/mine"),
        ("mi", "/mine"),
        ("t", "/open"),
        ("", None),
        ("x", None),
    ],
)
def test_a_page_is_found_by_its_name_or_how_it_begins(words: str, path: str | None) -> None:
    found = find_pages(SECTIONS, Named(), words)
    assert next((each.path for each in found), None) == path


def test_a_page_is_found_by_its_name_in_any_language() -> None:
    [found] = find_pages(gotgan.console.sections(), Viewer(language="en"), "상점")
    assert (found.name, found.path, found.is_exact) == ("Shops", "/shops", True)


def test_sections_stand_in_the_order_of_a_day_and_of_where_it_comes_from() -> None:
    keys = [section.key for section in gotgan.console.sections()]
    assert keys == ["day", "news", "shops", "market", "videos", "site", "tables", "ops"]


def test_the_front_page_is_found_too() -> None:
    [found] = find_pages((), Viewer(), "over")
    assert (found.path, found.is_exact) == ("/", False)


def test_no_two_pages_of_the_navigation_share_an_address() -> None:
    paths = [page.path for section in gotgan.console.sections() for page in section.pages]
    assert len(paths) == len(set(paths))
