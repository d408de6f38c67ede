"""What each domain needs, and what of it is missing.

The gates that skip jobs use the same functions, so both give the same reason.
"""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any, Final

from gotgan.domains.market.service import Market
from gotgan.domains.shops.service import Shops
from gotgan.domains.site.letters import mailbox
from gotgan.domains.site.records import pass_over
from gotgan.domains.site.service import Site
from gotgan.domains.videos.service import Videos
from gotgan.errors import BadItem
from gotgan.operations.results import Setup, SetupStep
from gotgan.scheduler import readiness
from gotgan.scheduler.answers import SimpleDecision, skipped
from gotgan.settings import Settings

__all__ = ["set_up"]

_A_YEAR: Final = timedelta(days=365)
_LOOKED_BACK: Final = timedelta(days=45)
"""A market without a day in so long has no past that indicators could be made of."""
_NO_COMPANY: Final = (
    "the company has no e-mail, so notices of inquiries go nowhere; "
    "write one in the console: /site/company"
)
_NO_CATEGORY: Final = "posts need a category; make one in the console: /site/categories"


def set_up(
    settings: Settings, *, site: Site, shops: Shops, market: Market, videos: Videos
) -> Setup:
    """The steps of all domains."""
    domains = (
        [_contact("news", settings)],
        _of_the_market(settings, market),
        _of_shops(settings, shops),
        _of_videos(settings, videos),
        _of_the_site(settings, site),
    )
    ordered = (sorted(steps, key=lambda step: not step.is_needed) for steps in domains)
    return Setup(tuple(step for steps in ordered for step in steps))


def _step(domain: str, name: str, missing: SimpleDecision | None, **details: Any) -> SetupStep:
    """A step that is set up unless something is missing."""
    if missing is None:
        return SetupStep(domain, name, None, None, **details)
    return SetupStep(domain, name, missing.reason, missing.words, **details)


def _contact(domain: str, settings: Settings) -> SetupStep:
    missing = readiness.web_unset(settings)
    return _step(domain, "contact", missing, variables=("GOTGAN_CONTACT",))


def _of_the_market(settings: Settings, market: Market) -> list[SetupStep]:
    today = market.today()
    return [
        _step(
            "market",
            "login",
            readiness.market_unset(settings),
            variables=("KRX_ID", "KRX_PW"),
            source="https://data.krx.co.kr/",
        ),
        _step(
            "market",
            "history",
            _history(market, today),
            is_needed=False,
            command=f"gotgan market recover {today - _A_YEAR}..{today}",
        ),
    ]


def _of_shops(settings: Settings, shops: Shops) -> list[SetupStep]:
    registered = None if shops.countries() else readiness.NO_SHOP
    return [
        _contact("shops", settings),
        _step("shops", "shop", registered, command="gotgan shops add DOMAIN --country XX"),
        _step(
            "shops",
            "webhook",
            readiness.webhook_unset(settings),
            is_needed=False,
            variables=("GOTGAN_WEBHOOK", "GOTGAN_WEBHOOK_SECRET"),
        ),
    ]


def _of_videos(settings: Settings, videos: Videos) -> list[SetupStep]:
    """The key is not needed once videos were imported."""
    has_some = bool(videos.list(limit=1).items)
    none_yet = skipped("no_videos", "no video was analysed or imported yet")
    return [
        _step(
            "videos",
            "key",
            readiness.videos_unset(settings),
            is_needed=not has_some,
            variables=("YOUTUBE_API_KEY",),
            command="gotgan videos import FILE",
            source="https://console.cloud.google.com/apis/credentials",
        ),
        _step(
            "videos",
            "model",
            readiness.model_unset(settings),
            is_needed=settings.analyser == "gemini",
            variables=("GOTGAN_ANALYSER", "GEMINI_API_KEY"),
            source="https://aistudio.google.com/apikey",
        ),
        _step(
            "videos",
            "video",
            None if has_some else none_yet,
            is_needed=False,
            command="gotgan videos analyse URL",
        ),
    ]


def _of_the_site(settings: Settings, site: Site) -> list[SetupStep]:
    post = readiness.post_unset(settings)
    filed = None if site.categories.list() else skipped("no_category", _NO_CATEGORY)
    return [
        _step("site", "company", _company(site)),
        _step("site", "category", filed),
        _step("site", "mail_server", post, is_needed=False, variables=("GOTGAN_SMTP_URL",)),
    ]


def _history(market: Market, today: date) -> SimpleDecision | None:
    last = market.last_logged()
    if last is not None and last >= today - _LOOKED_BACK:
        return None
    return skipped(
        "no_history",
        "no day was collected lately; recover a span, for indicators need a past of some months",
    )


def _company(site: Site) -> SimpleDecision | None:
    try:
        company = site.company.look()
    except BadItem as misfit:
        pass_over(misfit)
        company = None
    if company is not None and mailbox(company.email or "") is not None:
        return None
    return skipped("no_company", _NO_COMPANY)
