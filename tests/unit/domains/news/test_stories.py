"""A story as a value."""

from __future__ import annotations

import pytest

from gotgan.domains.news.models import Story, one_line


def test_tickers_are_tidied_and_nothing_else_is() -> None:
    story = Story("  A  title ", " https://x.example/?# ", ("nvda ", "PLTR", "", "NVDA", " "))
    assert story.title == "  A  title "
    assert story.url == " https://x.example/?# "
    assert story.tickers == ("NVDA", "PLTR")


def test_a_story_may_have_no_tickers() -> None:
    assert Story("A", "https://x.example").tickers == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (None, ""),
        ("", ""),
        (" \t\n\r\f", ""),
        ("\u00a0", ""),
        (" a \n\n  b ", "a b"),
        ("a\u00a0\u00a0b", "a\u00a0\u00a0b"),
        ("a\u3000b", "a\u3000b"),
    ],
)
def test_a_headline_loses_only_the_white_space_that_a_browser_hides(
    text: str | None, line: str
) -> None:
    assert one_line(text) == line
