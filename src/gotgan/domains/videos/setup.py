"""What videos need before they are analysed, and the gate of their job."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gotgan.domain import GO, GateDecision, Service, SetupStep, SimpleDecision, skipped

if TYPE_CHECKING:
    from gotgan.clock import Clock
    from gotgan.settings import Settings
    from gotgan.sql import Database

__all__ = ["VideosSetup"]


class VideosSetup(Service):
    """Gate and setup of videos; their service has the rest."""

    _settings: Settings
    _database: Database
    _clock: Clock

    def has_expired(self) -> bool:
        """Whether there is anything to purge."""
        from gotgan.domains.videos import snapshots  # noqa: PLC0415 - it loads SQLAlchemy

        with self._database.read() as connection:
            return snapshots.has_expired(connection, self._clock.now())

    @abstractmethod
    def has_some(self) -> bool:
        """Whether a video was analysed or imported."""

    def is_to_purge(self) -> GateDecision:
        """Whether something collected must be deleted by now."""
        if self.has_expired():
            return GO
        return skipped("none_expired", "nothing is kept that was collected thirty days ago")

    def setup(self) -> Sequence[SetupStep]:
        """What there is to set up; a key is not needed once videos were imported."""
        has_some = self.has_some()
        none_yet = skipped("no_videos", "no video was analysed or imported yet")
        return (
            SetupStep.of(
                "videos",
                "key",
                self.unset(),
                is_needed=not has_some,
                variables=("YOUTUBE_API_KEY",),
                command="gotgan videos import FILE",
                source="https://console.cloud.google.com/apis/credentials",
            ),
            SetupStep.of(
                "videos",
                "model",
                self._model_unset(),
                is_needed=self._settings.analyser == "gemini",
                variables=("GOTGAN_ANALYSER", "GEMINI_API_KEY"),
                source="https://aistudio.google.com/apikey",
            ),
            SetupStep.of(
                "videos",
                "video",
                None if has_some else none_yet,
                is_needed=False,
                command="gotgan videos analyse URL",
            ),
        )

    def unset(self) -> SimpleDecision | None:
        """Why YouTube is not asked; None if it is."""
        if self._settings.youtube_key is not None:
            return None
        return skipped(
            "no_key",
            "YouTube is not asked without a key; set YOUTUBE_API_KEY, or import videos from files",
        )

    def _model_unset(self) -> SimpleDecision | None:
        settings = self._settings
        usable = {"builtin": False, "gemini": settings.gemini_key is not None, "openai": True}
        if usable[settings.analyser]:
            return None
        return skipped(
            "no_model",
            "comments are counted, and nothing is suggested; set GOTGAN_ANALYSER=gemini and "
            "GEMINI_API_KEY, or GOTGAN_ANALYSER=openai for a server of your own",
        )
