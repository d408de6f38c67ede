"""What is missing is told by whoever skips the job for it, and with the way to get it."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domain import SetupStep, missing_contact
from gotgan.encoding import encode
from gotgan.settings import Secret, Settings

NOON = datetime(2025, 10, 20, 3, tzinfo=UTC)
HIDDEN = Secret("the-text-that-nobody-may-read-anywhere")


def _steps(settings: Settings) -> dict[str, SetupStep]:
    with App.in_memory(clock=FixedClock(NOON), settings=settings) as app:
        return _named(app)


def _named(app: App) -> dict[str, SetupStep]:
    return {f"{step.domain}.{step.name}": step for step in app.operations.setup().items}


@pytest.fixture
def app() -> Iterator[App]:
    """A house on its first day."""
    with App.in_memory(clock=FixedClock(NOON)) as app:
        yield app


def test_on_the_first_day_nothing_is_there(app: App) -> None:
    assert {name: step.is_set for name, step in _named(app).items()} == {
        "news.contact": False,
        "market.login": False,
        "market.history": False,
        "shops.contact": False,
        "shops.shop": False,
        "shops.webhook": False,
        "videos.key": False,
        "videos.model": False,
        "videos.video": False,
        "site.company": False,
        "site.category": False,
        "site.mail_server": False,
    }


def test_what_is_needed_comes_before_what_can_be_left_out(app: App) -> None:
    needed = [name for name, step in _named(app).items() if step.is_needed]
    assert needed == [
        "news.contact",
        "shops.contact",
        "shops.shop",
        "market.login",
        "videos.key",
        "site.company",
        "site.category",
    ]
    assert [f"{step.domain}.{step.name}" for step in app.operations.setup().missing] == needed


def test_a_step_says_what_the_gate_says(app: App) -> None:
    step, decision = _named(app)["news.contact"], missing_contact(app.settings)
    assert decision is not None
    assert (step.reason, step.words) == (decision.reason, decision.words)
    assert _named(app)["shops.shop"].reason == "no_shops"


@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("news.contact", Settings(contact="bot@example.com")),
        ("shops.contact", Settings(contact="bot@example.com")),
        ("market.login", Settings(krx_id="kim", krx_password=HIDDEN)),
        ("shops.webhook", Settings(webhook="https://example.com/", webhook_secret=HIDDEN)),
        ("videos.key", Settings(youtube_key=HIDDEN)),
        ("videos.model", Settings(analyser="gemini", gemini_key=HIDDEN)),
        ("videos.model", Settings(analyser="openai")),
        ("site.mail_server", Settings(smtp=Secret("smtp://127.0.0.1"))),
    ],
)
def test_what_is_set_is_there(name: str, settings: Settings) -> None:
    assert _steps(settings)[name].is_set


def test_a_model_that_was_chosen_is_needed_and_none_is_not() -> None:
    assert not _steps(Settings())["videos.model"].is_needed
    chosen = _steps(Settings(analyser="gemini"))["videos.model"]
    assert chosen.is_needed
    assert chosen.is_missing


def test_what_was_made_is_there(app: App) -> None:
    app.shops.add("antik-1.shop.test", country="DE")
    app.site.company.replace({"name": "Granary", "email": "desk@example.com"})
    app.site.categories.create(id="c001", title="News")
    app.market.open_day(app.market.today())
    steps = _named(app)
    for name in ("shops.shop", "site.company", "site.category", "market.history"):
        assert (name, steps[name].is_set) == (name, True)


def test_a_company_without_an_e_mail_is_not_enough(app: App) -> None:
    app.site.company.replace({"name": "Granary"})
    assert _named(app)["site.company"].is_missing


def test_a_step_can_be_written_down_with_all_that_it_takes(app: App) -> None:
    steps = _named(app)
    assert steps["market.login"].export == "export KRX_ID=… KRX_PW=…"
    assert steps["site.company"].export is None
    assert steps["market.history"].command == "gotgan market recover 2024-10-20..2025-10-20"
    assert encode(steps["market.login"]) == {
        "domain": "market",
        "name": "login",
        "isSet": False,
        "isNeeded": True,
        "reason": "no_provider",
        "words": "No price provider is configured (krx). Set KRX_ID and KRX_PW (free account at "
        "https://data.krx.co.kr), or GOTGAN_MARKET_PROVIDERS=csv and GOTGAN_MARKET_CSV.",
        "variables": ["KRX_ID", "KRX_PW"],
        "command": None,
        "source": "https://data.krx.co.kr/",
    }


def test_every_variable_that_a_step_names_is_a_setting(app: App) -> None:
    named = {name for step in app.operations.setup().items for name in step.variables}
    assert len(named) > 5
    Settings.from_env(
        {
            name: {"GOTGAN_CONTACT": "a@example.com", "GOTGAN_ANALYSER": "builtin"}.get(name, "")
            for name in named
        }
    )
