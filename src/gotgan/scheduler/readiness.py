"""Whether a job has what it needs: what is not set up is skipped with a reason, and never fails.

Nothing is fetched by itself from anybody's site before the settings say who fetches. A simulated or
a recorded web asks for no such thing.
"""

from __future__ import annotations

from typing import Final

from gotgan.domains.market.providers import missing_setup
from gotgan.scheduler.answers import SimpleDecision, skipped
from gotgan.settings import Settings

__all__ = [
    "NO_SHOP",
    "backup_unset",
    "market_unset",
    "model_unset",
    "post_unset",
    "videos_unset",
    "web_unset",
    "webhook_unset",
]

NO_SHOP: Final = skipped("no_shops", "no shop is registered with a country")


def web_unset(settings: Settings) -> SimpleDecision | None:
    """Why nothing is fetched from the web; None where it is."""
    if settings.contact or settings.resolve or settings.replay:
        return None
    return skipped(
        "no_contact",
        "nothing is fetched by itself before its owners can reach you; set GOTGAN_CONTACT",
    )


def market_unset(settings: Settings) -> SimpleDecision | None:
    """Why nobody can be asked for prices; None where somebody can."""
    words = missing_setup(settings)
    return None if words is None else skipped("no_provider", words)


def webhook_unset(settings: Settings) -> SimpleDecision | None:
    """Why changes of shops are not handed over; None where they are."""
    if settings.webhook and settings.webhook_secret is not None:
        return None
    return skipped(
        "no_webhook",
        "nobody wants to hear of changes; set GOTGAN_WEBHOOK and GOTGAN_WEBHOOK_SECRET",
    )


def post_unset(settings: Settings) -> SimpleDecision | None:
    """Why mails stay queued; None where they are sent."""
    if settings.smtp is not None:
        return None
    return skipped("no_mail_server", "mails stay queued; set GOTGAN_SMTP_URL")


def videos_unset(settings: Settings) -> SimpleDecision | None:
    """Why YouTube is not asked; None where it is."""
    if settings.youtube_key is not None:
        return None
    return skipped(
        "no_key",
        "YouTube is not asked without a key; set YOUTUBE_API_KEY, or import videos from files",
    )


def model_unset(settings: Settings) -> SimpleDecision | None:
    """Why no model suggests anything; None where one does."""
    usable = {"builtin": False, "gemini": settings.gemini_key is not None, "openai": True}
    if usable[settings.analyser]:
        return None
    return skipped(
        "no_model",
        "comments are counted, and nothing is suggested; set GOTGAN_ANALYSER=gemini and "
        "GEMINI_API_KEY, or GOTGAN_ANALYSER=openai for a server of your own",
    )


def backup_unset(settings: Settings) -> SimpleDecision | None:
    """Why no backups are made; None where they are."""
    if settings.backup is not None:
        return None
    return skipped("no_backup", "no folder for backups is configured; set GOTGAN_BACKUP")
