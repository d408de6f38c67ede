"""Prices of tokens, as far as they are known."""

from __future__ import annotations

from typing import Final

from gotgan.domains.videos.models import Usage
from gotgan.fetch.addresses import Address, parse_url
from gotgan.fetch.guard import is_public

_PRIVATE_SUFFIXES: Final = ("localhost", "local", "internal", "lan")
"""The last parts of names that no public name server knows."""


def priced_usage(address: str, model: str, tokens_in: int, tokens_out: int) -> Usage:
    """The cost of tokens at an address; nothing on a private machine."""
    cost = 0.0 if _is_private(parse_url(address)) else _cost(address, model, tokens_in, tokens_out)
    return Usage(input_tokens=tokens_in, output_tokens=tokens_out, cost_usd=cost)


def _cost(address: str, model: str, tokens_in: int, tokens_out: int) -> float | None:
    try:
        import genai_prices  # noqa: PLC0415 - heavy, and optional

        usage = genai_prices.Usage(input_tokens=tokens_in, output_tokens=tokens_out)
        return float(genai_prices.calc_price(usage, model, provider_api_url=address).total_price)
    except (ImportError, LookupError):  # it is not installed, or does not know the model
        return None


def _is_private(address: Address) -> bool:
    if address.ip is not None:
        return not is_public(address.ip)
    name, _, ending = address.host.rpartition(".")
    return not name or ending in _PRIVATE_SUFFIXES
