"""Guaranteed daily prices, indices and indicators of the Korean exchange."""

from __future__ import annotations

from typing import Final

from gotgan.domain import Domain, Job

__all__ = ["DOMAIN"]

DOMAIN: Final = Domain(
    name="market",
    line="Collect Korean share prices and indices, calculate indicators.",
    service="gotgan.domains.market.service:Market",
    exports="gotgan.domains.market.exports",
    section="gotgan.console.market",
    terminal="gotgan.cli.terminal.market",
    jobs=(
        Job(
            "market.open_day",
            "0 16 * * 1-5",
            gate="market.is_ready",
            words="Writes today's pending row if today is a trading day.",
            dag="generate_daily_collection_dag",
        ),
        Job(
            "market.collect",
            "0 16-23 * * 1-5",
            gate="market.decide_today",
            words="Collects and verifies today's prices and indices from 17:00 on, and retries "
            "what failed.",
            dag="daily_collection_dag",
        ),
        Job(
            "market.indicators",
            "0 18-23 * * 1-5",
            gate="market.decide_indicators_today",
            words="Calculates today's indicators when prices and indices are stored.",
            after="market.collect",
            dag="technical_indicator_dag",
        ),
        Job(
            "market.catch_up",
            "15 16-23 * * 1-5",
            gate="market.is_ready",
            words="Collects missed days and those without retries left; from 23:00 on, fetches "
            "final figures.",
            at_start=True,
        ),
    ),
)
