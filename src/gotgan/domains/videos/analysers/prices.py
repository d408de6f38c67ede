"""What a model's tokens cost, as far as anybody here knows."""

from __future__ import annotations

from typing import Final

from gotgan.domains.videos.models import Usage
from gotgan.fetch.addresses import Address, parse
from gotgan.fetch.guard import is_public

__all__ = ["priced"]

_OWN: Final = ("localhost", "local", "internal", "lan")
"""How names end that no name server of the world knows."""


def priced(address: str, model: str, tokens_in: int, tokens_out: int) -> Usage:
    """What so many tokens cost at an address; nothing on a machine of one's own."""
    cost = 0.0 if _is_own(parse(address)) else _cost(address, model, tokens_in, tokens_out)
    return Usage(input_tokens=tokens_in, output_tokens=tokens_out, cost_usd=cost)


def _cost(address: str, model: str, tokens_in: int, tokens_out: int) -> float | None:
    try:
        # Late, because it is heavy, and not everybody has it.
        import genai_prices  # noqa: PLC0415
    except ImportError:
        return None
    usage = genai_prices.Usage(input_tokens=tokens_in, output_tokens=tokens_out)
    try:
        return float(genai_prices.calc_price(usage, model, provider_api_url=address).total_price)
    except LookupError:
        return None


def _is_own(address: Address) -> bool:
    if address.ip is not None:
        return not is_public(address.ip)
    name, _, ending = address.host.rpartition(".")
    return not name or ending in _OWN
