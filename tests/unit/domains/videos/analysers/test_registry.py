"""Who analyses: whoever is named, if it has what it needs."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from gotgan.clock import SystemClock
from gotgan.domains.videos.analysers.registry import create_analyser
from gotgan.domains.videos.models import ANALYSERS
from gotgan.errors import KeyRefused, SettingsError, UsageError
from gotgan.fetch import FetchRules, Web
from gotgan.settings import Secret, Settings


@pytest.fixture
def web() -> Iterator[Web]:
    with Web(FetchRules(), clock=SystemClock()) as web:
        yield web


@pytest.mark.parametrize("name", ANALYSERS)
def test_every_analyser_that_can_be_named_is_there(name: str, web: Web) -> None:
    settings = Settings(gemini_key=Secret("k"), gemini_model="gemini-x", openai_model="qwen3")
    analyser = create_analyser(name, settings, web)
    assert analyser.name == name
    if name != "builtin":
        assert analyser.model == {"gemini": "gemini-x", "openai": "qwen3"}[name]
        assert analyser.prompt_version == "p2"
    else:
        assert analyser.prompt_version == "t2"


def test_a_name_that_nobody_has_is_refused(web: Web) -> None:
    with pytest.raises(UsageError, match="builtin, gemini, openai"):
        create_analyser("oracle", Settings(), web)


def test_gemini_needs_a_key_and_says_which(web: Web) -> None:
    with pytest.raises(KeyRefused, match="Set GEMINI_API_KEY"):
        create_analyser("gemini", Settings(), web)


def test_gemini_needs_its_package_and_says_which(web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "google", None)
    for name in [name for name in sys.modules if name.startswith("google.genai")]:
        monkeypatch.delitem(sys.modules, name)
    with pytest.raises(SettingsError, match=r"Install gotgan\[gemini\]"):
        create_analyser("gemini", Settings(gemini_key=Secret("k")), web)


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("gemini", {"gemini_key": Secret("a key\n")}),
        ("openai", {"openai_key": Secret("비밀")}),
        ("openai", {"openai_key": Secret("key\r\nX-Other: 1")}),
    ],
)
def test_a_key_that_no_header_can_carry_is_not_sent(
    name: str, keys: dict[str, Any], web: Web
) -> None:
    with pytest.raises(KeyRefused, match="contains characters that no key has") as refusal:
        create_analyser(name, Settings(**keys), web)
    assert keys[f"{name}_key"].reveal() not in refusal.value.message
