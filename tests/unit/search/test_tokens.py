"""Tokens: pairs of characters for Hangul, Han and Kana, whole words for the rest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gotgan.search.index import SIGNS
from gotgan.search.tokens import MAX_TERMS, Term, fold_name, parse_query, tokens

_ASCII = 127


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("삼성전자", ["삼성", "성전", "전자", "자"]),
        ("SK하이닉스", ["sk", "하이", "이닉", "닉스", "스"]),
        ("삼성 삼성", ["삼성", "성"]),
        ("\uff21\uff22\uff23 Ⅳ", ["abc", "iv"]),
        ("東京 テレビ", ["東京", "京", "テレ", "レビ", "ビ"]),
        ("Straße don't 005930", ["strasse", "don", "t", "005930"]),
        ("snake_case", ["snake", "case"]),
        ("-- 「」 \0", []),
    ],
    ids=ascii,
)
def test_a_text_becomes_tokens(text: str, made: list[str]) -> None:
    assert tokens(text) == made


@pytest.mark.parametrize(
    ("words", "terms"),
    [
        ("삼성전자", [Term("삼성"), Term("성전"), Term("전자")]),
        ("삼", [Term("삼", is_prefix=True)]),
        ("Sam elec", [Term("sam"), Term("elec", is_prefix=True)]),
        ("a", [Term("a")]),
        ("카 play", [Term("카", is_prefix=True), Term("play", is_prefix=True)]),
    ],
    ids=ascii,
)
def test_the_last_word_of_a_query_may_be_cut_short(words: str, terms: list[Term]) -> None:
    assert list(parse_query(words).terms) == terms


def test_a_name_is_one_however_it_is_written() -> None:
    assert {fold_name(each) for each in ("SK 하이닉스", "sk하이닉스", "\uff33\uff2b-하이닉스")} == {
        "sk하이닉스"
    }


def test_a_query_asks_for_so_many_tokens_at_most() -> None:
    assert len(parse_query(" ".join(map(str, range(100)))).terms) == MAX_TERMS


@given(st.text(max_size=60))
def test_tokens_have_neither_spaces_nor_quotes_nor_capitals(text: str) -> None:
    for each in tokens(text):
        assert all(letter.isalnum() or ord(letter) > _ASCII for letter in each)
        assert not set(each) & set(SIGNS)
        assert each == each.casefold()
