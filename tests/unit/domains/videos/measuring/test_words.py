"""The words of a comment."""

from __future__ import annotations

import unicodedata

import pytest

from gotgan.domains.videos.measuring.words import LONGEST_COMMENT, plain, tokens_of


def test_laughter_and_tears_are_no_part_of_a_word() -> None:
    assert tokens_of("대박ㅋㅋㅋ 슬퍼ㅠㅠ") == ["대박", "슬퍼"]


@pytest.mark.parametrize("text", ["https://example.com/a?b=c", "www.example.com", "@some-body.1"])
def test_addresses_and_accounts_are_no_words(text: str) -> None:
    assert tokens_of(f"앞 {text} 뒤") == ["앞", "뒤"]


def test_a_decomposed_text_is_the_same_as_a_composed_one() -> None:
    assert plain(unicodedata.normalize("NFD", "카메라 최고")) == "카메라 최고"


def test_copies_differ_in_nothing_once_plain() -> None:
    assert plain("  Great\n VIDEO ") == plain("great video")


def test_a_comment_is_read_up_to_a_length() -> None:
    assert len(plain("가" * 50_000)) == LONGEST_COMMENT


def test_an_apostrophe_stays_inside_a_word() -> None:
    assert tokens_of("don't 'quote'") == ["don't", "quote"]
    assert tokens_of(plain("don\u2019t")) == ["don't"]
