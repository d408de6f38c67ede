"""Markdown in which somebody else's words mean nothing but themselves."""

from __future__ import annotations

import html
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.day.markdown import bullet_list, escape_text, link, section, table
from gotgan.domains.site.content import render

NASTY = [
    "*bold* _it_ __it__ a_b `code` ~~gone~~",
    "[a](https://evil.test/)",
    "![a](https://evil.test/a.png)",
    "<script>alert(1)</script>",
    "<https://evil.test>",
    "# no heading",
    "- no list",
    "1. no list",
    "+ no list",
    "> no quote",
    "a | b",
    "&lt;b&gt; &amp;",
    "back\\slash",
    "https://evil.test/ and www.evil.test",
    "= = =",
    "---",
]


def _shown(markdown: str) -> str:
    """The words that a reader sees."""
    made = render(markdown, "markdown")
    return html.unescape(re.sub(r"<[^>]+>", "", made)).strip()


@pytest.mark.parametrize("text", NASTY)
def test_words_are_shown_as_they_are(text: str) -> None:
    assert _shown(escape_text(text)) == text
    assert "<a " not in render(escape_text(text), "markdown")


@pytest.mark.parametrize("text", NASTY)
def test_words_in_a_list_or_a_table_are_shown_as_they_are(text: str) -> None:
    assert _shown(bullet_list([escape_text(text)])) == text
    made = render(table(("head",), [(escape_text(text),)]), "markdown")
    assert html.unescape(made).count(text) == 1
    assert made.count("<td") == 1


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=40))
def test_no_words_become_markup(text: str) -> None:
    shown = " ".join(_shown(f"x {escape_text(text)}").split())
    assert shown == " ".join(f"x {' '.join(re.sub(r'[^ -~]', ' ', text).split())}".split())


@given(st.text(alphabet="ab1_*#+-=.)(>|~` \\![]<&;:0", max_size=12))
def test_no_words_become_markup_where_a_line_begins(text: str) -> None:
    words = " ".join(text.split())
    for made in (escape_text(text), bullet_list([escape_text(text)])):
        assert " ".join(_shown(made).split()) == words or not words


def test_what_turns_words_round_is_left_out() -> None:
    assert escape_text("a\u202eb\nc\x00d") == "a b c d"


def test_a_link_leads_to_the_web_alone() -> None:
    assert link("A", "https://a.test/b?c=d&e") == "[A](https://a.test/b?c=d&e)"
    assert link("A", "javascript:alert(1)") == "A"
    assert link("A", "https:") == "A"
    assert link("[A]", "https://[::1") == r"\[A\]"


@pytest.mark.parametrize("end", ["a)b", "a b", "a<b>", "a(b)c", "a&lt;b", 'a"b', "a\\b", "%EC%83"])
def test_nothing_in_an_address_ends_it(end: str) -> None:
    made = render(link("A", f"https://a.test/{end}"), "markdown")
    [address] = re.findall(r'href="([^"]+)"', made)
    assert made.count("<a ") == 1
    assert address.startswith("https://a.test/a") or end.startswith("%")
    assert ">A</a>" in made


def test_what_has_nothing_in_it_is_nothing() -> None:
    assert (bullet_list([]), table(("a",), []), section("A"), section("A", "", "")) == ("",) * 4
    assert section("A", "", "b", "c") == "## A\n\nb\n\nc"


def test_the_last_columns_of_a_table_are_numbers() -> None:
    assert table(("a", "b"), [("1", "2")], numbers=1) == "| a | b |\n| --- | ---: |\n| 1 | 2 |"
