"""The words of a comment."""

from __future__ import annotations

import unicodedata

import pytest

from gotgan.domains.videos.metrics.words import MAX_COMMENT_CHARS, plain_text, tokenize


def test_laughter_and_tears_are_no_part_of_a_word() -> None:
    assert tokenize("대박ㅋㅋㅋ 슬퍼ㅠㅠ") == ["대박", "슬퍼"]


@pytest.mark.parametrize("text", ["https://example.com/a?b=c", "www.example.com", "@some-body.1"])
def test_addresses_and_accounts_are_no_words(text: str) -> None:
    assert tokenize(f"앞 {text} 뒤") == ["앞", "뒤"]


def test_a_decomposed_text_is_the_same_as_a_composed_one() -> None:
    assert plain_text(unicodedata.normalize("NFD", "카메라 최고")) == "카메라 최고"


def test_copies_differ_in_nothing_once_plain() -> None:
    assert plain_text("  Great\n VIDEO ") == plain_text("great video")


def test_a_comment_is_read_up_to_a_length() -> None:
    assert len(plain_text("가" * 50_000)) == MAX_COMMENT_CHARS


def test_an_apostrophe_stays_inside_a_word() -> None:
    assert tokenize("don't 'quote'") == ["don't", "quote"]
    assert tokenize(plain_text("don\u2019t")) == ["don't"]
