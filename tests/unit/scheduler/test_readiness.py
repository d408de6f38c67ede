"""What is not set up is skipped, and the reason says what to set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from gotgan.scheduler.answers import SimpleDecision
from gotgan.scheduler.readiness import (
    backup_unset,
    market_unset,
    post_unset,
    web_unset,
    webhook_unset,
)
from gotgan.settings import Secret, Settings

PASSWORD = Secret("of these tests")
LONG = Secret("of these tests, and long enough for all")


@pytest.mark.parametrize(
    ("unset", "reason", "hint"),
    [
        (web_unset, "no_contact", "GOTGAN_CONTACT"),
        (market_unset, "no_provider", "KRX_ID"),
        (webhook_unset, "no_webhook", "GOTGAN_WEBHOOK"),
        (post_unset, "no_mail_server", "GOTGAN_SMTP_URL"),
        (backup_unset, "no_backup", "GOTGAN_BACKUP"),
    ],
)
def test_without_settings_nothing_goes_out_by_itself(
    unset: Callable[[Settings], SimpleDecision | None], reason: str, hint: str
) -> None:
    answer = unset(Settings())
    assert answer is not None
    assert (answer.status, answer.reason) == ("skipped", reason)
    assert hint in answer.words


@pytest.mark.parametrize(
    ("unset", "settings"),
    [
        (web_unset, Settings(contact="bot@example.com")),
        (web_unset, Settings(resolve={"*": "127.0.0.1:8099"})),
        (web_unset, Settings(replay=Path("recorded"))),
        (market_unset, Settings(krx_id="kim", krx_password=PASSWORD)),
        (
            market_unset,
            Settings(market_providers=("pykrx",), krx_id="kim", krx_password=PASSWORD),
        ),
        (market_unset, Settings(market_providers=("krx", "csv"), market_csv=Path("prices"))),
        (webhook_unset, Settings(webhook="https://example.com/", webhook_secret=LONG)),
        (post_unset, Settings(smtp=Secret("smtp://127.0.0.1"))),
        (backup_unset, Settings(backup=Path("backups"))),
    ],
)
def test_what_is_set_up_goes_on(
    unset: Callable[[Settings], SimpleDecision | None], settings: Settings
) -> None:
    assert unset(settings) is None


@pytest.mark.parametrize(
    "settings",
    [
        Settings(krx_id="kim"),
        Settings(krx_password=PASSWORD),
        Settings(market_providers=("csv",), krx_id="kim", krx_password=PASSWORD),
        Settings(market_csv=Path("prices")),
    ],
)
def test_half_of_what_a_provider_needs_is_not_enough(settings: Settings) -> None:
    assert market_unset(settings) is not None
