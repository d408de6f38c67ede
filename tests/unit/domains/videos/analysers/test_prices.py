"""What tokens cost: what their seller asks, nothing at home, and nobody knows elsewhere."""

from __future__ import annotations

import sys

import pytest

from gotgan.domains.videos.analysers.prices import priced_usage
from gotgan.domains.videos.models import Usage

OPENAI = "https://api.openai.com/v1"


def test_a_known_model_costs_what_its_seller_asks() -> None:
    usage = priced_usage(OPENAI, "gpt-4o-mini", 1_000_000, 100_000)
    assert usage.cost_usd == pytest.approx(0.15 + 0.06)
    assert (usage.input_tokens, usage.output_tokens, usage.units) == (1_000_000, 100_000, 0)


@pytest.mark.parametrize(
    "address",
    [
        "http://127.0.0.1:11434/v1",
        "http://[::1]:8080/v1",
        "http://192.168.0.7:8000",
        "http://localhost:1234/v1",
        "http://ollama:11434/v1",
        "http://gpu.local/v1",
    ],
)
def test_a_machine_of_ones_own_costs_nothing(address: str) -> None:
    assert priced_usage(address, "gpt-4o-mini", 5, 6) == Usage(0, 5, 6, 0.0)


@pytest.mark.parametrize(
    ("address", "model"), [(OPENAI, "nonsense"), ("https://api.example.com/v1", "gpt-4o-mini")]
)
def test_what_nobody_knows_has_no_price(address: str, model: str) -> None:
    assert priced_usage(address, model, 5, 6).cost_usd is None


def test_without_the_list_of_prices_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "genai_prices", None)
    assert priced_usage(OPENAI, "gpt-4o-mini", 5, 6).cost_usd is None
