"""The error tree as programs use it."""

from __future__ import annotations

import pytest

from gotgan.errors import (
    GotganError,
    Interrupted,
    SettingsError,
    StoreError,
    StoreFileError,
    StoreLocked,
)


def test_an_error_says_its_message() -> None:
    error = SettingsError("set GOTGAN_DATA")
    assert str(error) == error.message == "set GOTGAN_DATA"


@pytest.mark.parametrize("caught_as", [GotganError, StoreError, StoreFileError])
def test_an_error_can_be_caught_at_every_height_of_the_tree(caught_as: type[GotganError]) -> None:
    with pytest.raises(caught_as):
        raise StoreLocked("held for too long")


def test_a_lock_and_an_interruption_are_worth_a_retry_and_a_bad_setting_is_not() -> None:
    assert StoreLocked("x").retry
    assert Interrupted("x").retry
    assert not SettingsError("x").retry
