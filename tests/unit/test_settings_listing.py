"""Every setting as people may see it: where it came from, and of a secret only that it is set."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from gotgan.settings import Origin, Secret, Setting, Settings, Ttl, settings_with_origin

HIDDEN = "the-text-that-nobody-may-read-anywhere"
SECRETS = {
    "GOTGAN_SECRET": HIDDEN,
    "GOTGAN_SMTP_URL": f"smtp://kim:{HIDDEN}@mail.example.com",
    "GOTGAN_MCP_TOKEN": HIDDEN,
    "GOTGAN_WEBHOOK": f"https://hooks.example.com/services/{HIDDEN}?key={HIDDEN}",
    "GOTGAN_WEBHOOK_SECRET": HIDDEN,
    "GOTGAN_DATABASE": f"postgresql://kim:{HIDDEN}@db.example.com/gotgan",
    "KRX_PW": HIDDEN,
    "YOUTUBE_API_KEY": HIDDEN,
    "GEMINI_API_KEY": HIDDEN,
    "OPENAI_API_KEY": HIDDEN,
}


def of(settings: Settings, variable: str, **environment: str) -> Setting:
    """One setting as it is shown."""
    return next(
        each for each in settings_with_origin(settings, environment) if each.variable == variable
    )


def test_every_setting_is_shown_in_the_order_of_its_declaration() -> None:
    declared = [item.metadata["variable"] for item in fields(Settings)]
    assert [each.variable for each in settings_with_origin(Settings(), {})] == declared


def test_where_nothing_is_set_everything_is_a_default() -> None:
    assert {each.origin for each in settings_with_origin(Settings(), {})} == {"default"}


def test_no_secret_is_shown_only_that_it_is_set() -> None:
    told = settings_with_origin(Settings.from_env(SECRETS), SECRETS)
    assert HIDDEN not in repr(told)
    hidden = {each.variable for each in told if each.is_secret}
    assert hidden == set(SECRETS) - {"GOTGAN_WEBHOOK"}
    assert {each.value for each in told if each.is_secret} == {None}
    assert {each.origin for each in told if each.is_secret} == {"environment"}


def test_every_setting_that_is_a_secret_by_its_type_is_among_those_tried() -> None:
    secret = {item.metadata["variable"] for item in fields(Settings) if "Secret" in str(item.type)}
    assert secret == set(SECRETS) - {"GOTGAN_WEBHOOK"}


def test_of_a_webhook_only_the_host_is_shown() -> None:
    told = of(Settings.from_env(SECRETS), "GOTGAN_WEBHOOK", **SECRETS)
    assert (told.value, told.origin) == ("https://hooks.example.com/…", "environment")
    assert of(Settings(), "GOTGAN_WEBHOOK").value is None


@pytest.mark.parametrize(
    ("settings", "environment", "origin"),
    [
        (Settings(), {}, "default"),
        (Settings(contact="a@example.com"), {"GOTGAN_CONTACT": "a@example.com"}, "environment"),
        (Settings(contact="a@example.com"), {"GOTGAN_CONTACT": "b@example.com"}, "program"),
        (Settings(contact="a@example.com"), {}, "program"),
        (Settings(contact="a@example.com"), {"GOTGAN_CONTACT": "no address"}, "program"),
        (Settings(), {"GOTGAN_CONTACT": "a@example.com"}, "default"),
    ],
)
def test_a_value_comes_from_where_it_was_last_said(
    settings: Settings, environment: dict[str, str], origin: Origin
) -> None:
    assert of(settings, "GOTGAN_CONTACT", **environment).origin == origin


@pytest.mark.parametrize(
    ("settings", "variable", "text"),
    [
        (Settings(data=Path("elsewhere")), "GOTGAN_DATA", "elsewhere"),
        (Settings(delay=0.25), "GOTGAN_DELAY", "0.25"),
        (Settings(delay=2.0), "GOTGAN_DELAY", "2"),
        (Settings(markets=("KOSPI", "KOSDAQ")), "GOTGAN_MARKETS", "KOSPI,KOSDAQ"),
        (Settings(resolve={"a.test": "127.0.0.1:1"}), "GOTGAN_RESOLVE", "a.test=127.0.0.1:1"),
        (Settings(), "GOTGAN_SMTP_URL", None),
        (Settings(analysis_ttl=Ttl(6, "a test")), "GOTGAN_ANALYSIS_TTL", "6h: a test"),
    ],
)
def test_a_value_is_shown_as_a_variable_has_it(
    settings: Settings, variable: str, text: str | None
) -> None:
    assert of(settings, variable).value == text


def test_settings_can_be_shown_by_their_origin() -> None:
    environment = {"GOTGAN_LOG": "info"}
    settings = Settings(log="info", krx_password=Secret(HIDDEN))
    assert [
        each.variable for each in settings_with_origin(settings, environment, origin="environment")
    ] == ["GOTGAN_LOG"]
    assert [
        each.variable for each in settings_with_origin(settings, environment, origin="program")
    ] == ["KRX_PW"]


def test_the_environment_of_the_process_is_looked_at_where_no_other_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GOTGAN_LOG", "debug")
    assert [each.value for each in settings_with_origin(Settings.from_env(), origin="environment")
            if each.variable == "GOTGAN_LOG"] == ["debug"]  # fmt: skip
