"""What the environment of a visitor says: where the world is, and a key for each door."""

from __future__ import annotations

from gotgan.world.videos import OPENAI

__all__ = ["exports"]


def exports(place: str) -> tuple[str, ...]:
    """The lines for a shell; every name and key is as good as any other."""
    return (
        f"export GOTGAN_RESOLVE='*={place}' GOTGAN_DELAY=0 GOTGAN_DATA=gotgan-world",
        "export KRX_ID=world KRX_PW=world YOUTUBE_API_KEY=world GEMINI_API_KEY=world",
        f"export GOTGAN_OPENAI=https://{OPENAI}/v1",
    )
