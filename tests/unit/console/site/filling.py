"""A queue with many mails in it."""

from __future__ import annotations

from gotgan.app import App

__all__ = ["fill"]


def fill(app: App, count: int) -> None:
    """Leave messages, each from an address of its own: as many notices wait."""
    for number in range(count):
        app.site.inquiries.receive(
            name="Hong",
            email="h@example.com",
            subject=f"Question {number}",
            message="Words of a usual length. " * 20,
            address=f"10.1.{number // 250}.{number % 250}",
        )
