"""The text of the console's pages is as in the golden files, in both languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import httpx
import pytest

from gotgan.texts import Language
from tests.golden.files import check
from tests.golden.pages import every_text
from tests.unit.console.whole import filled_console


@pytest.fixture(scope="module")
def admin() -> Iterator[httpx.Client]:
    """An admin at pages that have something to show."""
    with filled_console() as (_, client):
        client.follow_redirects = True
        yield client


@pytest.mark.parametrize("language", get_args(Language))
def test_the_text_of_every_page_is_unchanged(admin: httpx.Client, language: Language) -> None:
    check(f"pages/{language}.txt", every_text(admin, language))
