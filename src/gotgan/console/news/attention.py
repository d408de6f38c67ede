"""What of the news needs somebody's attention."""

from __future__ import annotations

from gotgan.app import App
from gotgan.console.needs import Need

__all__ = ["needs"]


def needs(app: App) -> list[Need]:
    """A list that could not be fetched, and articles that were given up."""
    collected, dead = app.runs.latest("news.collect"), app.news.count_queued("dead")
    told = [
        (collected and collected.state == "failed", _need("collect", "/news")),
        (dead, _need("dead", "/news/bodies?show=dead", dead)),
    ]
    return [need for is_needed, need in told if is_needed]


def _need(word: str, path: str, count: int = 0) -> Need:
    return Need(f"news.need.{word}", f"news.need.{word}_link", path, count)
