"""Setup steps of videos."""
# ruff: noqa: PLC0415 - a client is loaded when it is tried

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gotgan.domain import SetupStep, SimpleDecision, skip
from gotgan.domains.videos import messages

if TYPE_CHECKING:
    from gotgan.clock import Clock
    from gotgan.fetch import Web
    from gotgan.settings import Settings
    from gotgan.sql import Database

_GEMINI: Final = ("GOTGAN_ANALYSER", "GEMINI_API_KEY")
_OPENAI: Final = ("GOTGAN_ANALYSER", "GOTGAN_OPENAI", "GOTGAN_OPENAI_MODEL", "OPENAI_API_KEY")


def setup_steps(settings: Settings, *, has_videos: bool) -> tuple[SetupStep, ...]:
    """The setup steps; a key is not needed once videos were imported."""
    no_videos = skip("no_videos", messages.NO_VIDEOS())
    return (
        SetupStep.of(
            "videos",
            "key",
            missing_key(settings),
            is_needed=not has_videos,
            variables=("YOUTUBE_API_KEY",),
            command="gotgan videos import FILE",
            source="https://console.cloud.google.com/apis/credentials",
        ),
        SetupStep.of(
            "videos",
            "model",
            _missing_model(settings),
            is_needed=settings.analyser == "gemini",
            variables=_OPENAI if settings.analyser == "openai" else _GEMINI,
            source=None if settings.analyser == "openai" else "https://aistudio.google.com/apikey",
        ),
        SetupStep.of(
            "videos",
            "video",
            None if has_videos else no_videos,
            is_needed=False,
            command="gotgan videos analyse URL",
        ),
    )


def missing_key(settings: Settings) -> SimpleDecision | None:
    """Why YouTube is not asked; None if it is."""
    if settings.youtube_key is not None:
        return None
    return skip("no_key", messages.NO_KEY())


def _missing_model(settings: Settings) -> SimpleDecision | None:
    usable = {"builtin": False, "gemini": settings.gemini_key is not None, "openai": True}
    if usable[settings.analyser]:
        return None
    return skip("no_model", messages.NO_MODEL())


def try_step(step: str, web: Web, settings: Settings, database: Database, clock: Clock) -> bool:
    """Ask YouTube with the key, for one unit, or the model for a word; False if there is none."""
    if step == "key" and settings.youtube_key is not None:
        from gotgan.domains.videos.sources.youtube import YouTube

        YouTube(web, settings, database, clock).try_key()
        return True
    if step == "model" and settings.analyser != "builtin":
        from gotgan.domains.videos.analysers.registry import create_analyser

        create_analyser(settings.analyser, settings, web).try_model()
        return True
    return False
