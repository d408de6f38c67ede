"""A house whose every secret is set, so that a page that tells one is found out."""

from __future__ import annotations

import pytest

from gotgan.settings import Secret, Settings

HIDDEN = "the-text-that-nobody-may-read-anywhere"


@pytest.fixture
def settings() -> Settings:
    """Everything that can be secret is, and it is the same text everywhere."""
    return Settings(
        given_secret=Secret(HIDDEN),
        smtp=Secret(f"smtp://kim:{HIDDEN}@127.0.0.1:1"),
        webhook=f"https://hooks.example.com/{HIDDEN}",
        webhook_secret=Secret(HIDDEN),
        krx_id="kim",
        krx_password=Secret(HIDDEN),
        youtube_key=Secret(HIDDEN),
        gemini_key=Secret(HIDDEN),
        openai_key=Secret(HIDDEN),
    )
