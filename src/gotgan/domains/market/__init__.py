"""Guaranteed daily prices, indices and indicators of the Korean exchange."""

from __future__ import annotations

from typing import Final

from gotgan.domain import Domain, Job

__all__ = ["DOMAIN"]

DOMAIN: Final = Domain(
    name="market",
    line="Collect Korean share prices and indices, calculate indicators.",
    service="gotgan.domains.market.service:Market",
    section="gotgan.console.market",
    terminal="gotgan.cli.terminal.market",
    jobs=(
        Job(
            "market.open_day",
            "0 16 * * 1-5",
            gate="market.is_ready",
            words="Writes the pending row of today, where shares are traded today.",
            dag="generate_daily_collection_dag",
        ),
        Job(
            "market.collect",
            "0 16-23 * * 1-5",
            gate="market.decide_today",
            words="Collects and verifies today's prices and indices, from 17:00 on, and what "
            "failed.",
            dag="daily_collection_dag",
        ),
        Job(
            "market.indicators",
            "0 18-23 * * 1-5",
            gate="market.decide_indicators_today",
            words="Calculates today's indicators, once both sides are there.",
            after="market.collect",
            dag="technical_indicator_dag",
        ),
        Job(
            "market.catch_up",
            "15 16-23 * * 1-5",
            gate="market.is_ready",
            words="Makes up for days that were missed or given up; from 23:00 on makes them final.",
            at_start=True,
        ),
    ),
)
