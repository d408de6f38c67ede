from __future__ import annotations

from gotgan.store.engine.expressions.lexer import RESERVED_WORDS, is_reserved


def test_the_list_is_as_long_as_that_of_aws() -> None:
    assert len(RESERVED_WORDS) == 573


def test_a_word_is_reserved_in_any_case() -> None:
    assert is_reserved("Status")
    assert is_reserved("zone")
    assert not is_reserved("statuses")
