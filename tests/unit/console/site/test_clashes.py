"""Two changes of one record: who did what, and what a merge keeps."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gotgan.console.site.changes import DiffLine, diff_lines, field_clashes, merged_form
from gotgan.console.site.forms import FormFields, RecordForm, field_mark

BASE = {"title": "News", "desc": "All of it", "slug": "news", "order": "1"}


def _filled(version: int, **texts: str) -> RecordForm:
    marks = {name: field_mark(text) for name, text in BASE.items()}
    return RecordForm(FormFields.to_change("categories"), {**BASE, **texts}, version, marks)


@pytest.mark.parametrize(
    ("mine", "theirs", "by"),
    [
        ({"title": "Mine"}, {"title": "Theirs"}, "both"),
        ({"title": "Mine"}, {}, "mine"),
        ({}, {"title": "Theirs"}, "theirs"),
    ],
)
def test_a_field_that_differs_tells_who_changed_it(
    mine: dict[str, str], theirs: dict[str, str], by: str
) -> None:
    (clash,) = field_clashes(_filled(1, **mine), _filled(2, **theirs))
    assert (clash.name, clash.by) == ("title", by)


def test_the_same_change_of_both_is_no_clash() -> None:
    assert field_clashes(_filled(1, title="New"), _filled(2, title="New")) == []


def test_without_marks_every_difference_is_of_both() -> None:
    mine = replace(_filled(1), marks={})
    (clash,) = field_clashes(mine, _filled(2, title="Theirs"))
    assert clash.by == "both"
    assert merged_form(mine, _filled(2, title="Theirs")).text("title") == "News"


def test_a_merge_keeps_mine_and_what_only_they_changed() -> None:
    mine = _filled(1, title="Mine", order="7")
    theirs = _filled(2, title="Theirs", desc="Less of it")
    kept = merged_form(mine, replace(theirs, marks={"title": "theirs"}))
    assert kept.texts == {**BASE, "title": "Mine", "order": "7", "desc": "Less of it"}
    assert (kept.version, kept.marks) == (2, {"title": "theirs"})


def test_of_both_theirs_is_old_and_mine_is_new() -> None:
    (clash,) = field_clashes(_filled(1, title="Mine"), _filled(2, title="Theirs"))
    assert clash.lines == (DiffLine("old", "Theirs"), DiffLine("new", "Mine"))


def test_what_only_they_did_is_shown_as_their_change() -> None:
    (clash,) = field_clashes(_filled(1), _filled(2, title="Theirs"))
    assert clash.lines == (DiffLine("old", "News"), DiffLine("new", "Theirs"))


def test_values_are_called_as_people_call_them() -> None:
    words = {"slug": {"news": "the news"}}
    (clash,) = field_clashes(_filled(1, slug="x"), _filled(2), words)
    assert clash.lines == (DiffLine("old", "the news"), DiffLine("new", "x"))


def test_lines_far_from_a_change_are_left_out() -> None:
    old = "\n".join(str(number) for number in range(30))
    new = old.replace("\n5\n", "\nfive\n").replace("\n25\n", "\ntwenty-five\n")
    shown = list(diff_lines(old, new))
    assert [line.kind for line in shown].count("gap") == 1
    assert DiffLine("old", "5") in shown
    assert DiffLine("new", "five") in shown
    assert DiffLine("same", "15") not in shown


def test_a_line_that_begins_with_a_sign_is_still_a_line() -> None:
    assert list(diff_lines("--- a\n+++ b", "@@ c")) == [
        DiffLine("old", "--- a"),
        DiffLine("old", "+++ b"),
        DiffLine("new", "@@ c"),
    ]


def test_texts_that_take_too_long_to_compare_are_shown_whole() -> None:
    old, new = "\n".join("ab" * 1500), "\n".join("ba" * 1500)
    shown = list(diff_lines(old, new))
    assert [line.kind for line in shown] == ["old"] * 3000 + ["new"] * 3000
