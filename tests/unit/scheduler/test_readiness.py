"""What is not set up is skipped, and the reason says what to set."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gotgan.app import App
from gotgan.domain import GateDecision
from gotgan.settings import Secret, Settings

PASSWORD = Secret("of these tests")
LONG = Secret("of these tests, and long enough for all")
REASONS = {
    "news.is_ready": ("no_contact", "GOTGAN_CONTACT"),
    "shops.is_ready": ("no_contact", "GOTGAN_CONTACT"),
    "market.is_ready": ("no_provider", "KRX_ID"),
    "shops.is_webhook_ready": ("no_webhook", "GOTGAN_WEBHOOK"),
    "site.has_mails": ("no_mail_server", "GOTGAN_SMTP_URL"),
    "backup.is_ready": ("no_backup", "GOTGAN_BACKUP"),
}


def _asked(gate: str, settings: Settings) -> GateDecision:
    with App.in_memory(settings=replace(settings, given_secret=LONG)) as app:
        return app.ask(gate)


@pytest.mark.parametrize("gate", REASONS)
def test_without_settings_nothing_goes_out_by_itself(gate: str) -> None:
    answer = _asked(gate, Settings())
    reason, hint = REASONS[gate]
    assert (answer.status, answer.reason) == ("skipped", reason)
    assert hint in answer.words


@pytest.mark.parametrize(
    ("gate", "settings"),
    [
        ("news.is_ready", Settings(contact="bot@example.com")),
        ("news.is_ready", Settings(resolve={"*": "127.0.0.1:8099"})),
        ("news.is_ready", Settings(replay=Path("recorded"))),
        ("market.is_ready", Settings(krx_id="kim", krx_password=PASSWORD)),
        (
            "market.is_ready",
            Settings(market_providers=("pykrx",), krx_id="kim", krx_password=PASSWORD),
        ),
        ("market.is_ready", Settings(market_providers=("krx", "csv"), market_csv=Path("prices"))),
        ("shops.is_webhook_ready", Settings(webhook="https://example.com/", webhook_secret=LONG)),
        ("site.has_mails", Settings(smtp=Secret("smtp://127.0.0.1"))),
        ("backup.is_ready", Settings(backup=Path("backups"))),
    ],
)
def test_what_is_set_up_goes_on(gate: str, settings: Settings) -> None:
    assert _asked(gate, settings).reason != REASONS[gate][0]


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
    assert _asked("market.is_ready", settings).reason == "no_provider"
