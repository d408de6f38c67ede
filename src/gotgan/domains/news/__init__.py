"""News: the latest list of Yahoo Finance and other feeds, each article exactly once."""

from __future__ import annotations

from typing import Final

from gotgan.domain import Domain, Job

__all__ = ["DOMAIN"]

DOMAIN: Final = Domain(
    name="news",
    line="Collect news and article texts.",
    service="gotgan.domains.news.service:News",
    exports="gotgan.domains.news.exports",
    tables="gotgan.domains.news.models",
    section="gotgan.console.news",
    terminal="gotgan.cli.terminal.news",
    jobs=(
        Job(
            "news.collect",
            "*/30 * * * *",
            gate="news.is_ready",
            words="Reads the list of the latest stories and stores new ones.",
        ),
        Job(
            "news.poll",
            "*/5 * * * *",
            gate="news.has_due_sources",
            words="Polls the other sources that are due, and stores new stories.",
        ),
        Job(
            "news.bodies",
            "5,35 * * * *",
            gate="news.is_ready",
            words="Fetches missing article texts and those due for a retry.",
        ),
    ),
)
