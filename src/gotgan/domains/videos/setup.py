"""Setup steps of videos."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from gotgan.domain import SetupStep, SimpleDecision, skip
from gotgan.domains.videos import messages

if TYPE_CHECKING:
    from gotgan.settings import Settings

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
