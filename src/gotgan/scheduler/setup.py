"""What there is to set up before every domain does its work, and what of it is still missing.

A gate that skips a job and a page for somebody's first day say the same, because the same function
decides it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Final

from gotgan.domains.market.service import Market
from gotgan.domains.shops.service import Shops
from gotgan.domains.site.letters import mailbox
from gotgan.domains.site.records import pass_over
from gotgan.domains.site.service import Site
from gotgan.domains.videos.service import Videos
from gotgan.errors import BadItem
from gotgan.scheduler import readiness
from gotgan.scheduler.answers import SimpleDecision, skipped
from gotgan.settings import Settings

__all__ = ["Step", "set_up", "step_record", "wanting"]

_A_YEAR: Final = timedelta(days=365)
_LOOKED_BACK: Final = timedelta(days=45)
"""A market without a day in so long has no past that indicators could be made of."""
_NO_COMPANY: Final = (
    "the company has no e-mail, so notices of inquiries go nowhere; "
    "write one in the console: /site/company"
)
_NO_CATEGORY: Final = "posts need a category; make one in the console: /site/categories"


@dataclass(frozen=True)
class Step:
    """Something that a domain needs, or can make use of."""

    domain: str
    name: str
    missing: SimpleDecision | None
    """What is missing, and what to do; None where it is there."""
    is_needed: bool = True
    """Whether something of the domain does not work without it."""
    variables: tuple[str, ...] = ()
    """The settings that it is made of."""
    command: str = ""
    """What does it in a terminal."""
    source: str = ""
    """Where it is to be had."""

    @property
    def export(self) -> str:
        """What sets it in a shell, with the values left open; empty where nothing does."""
        given = " ".join(f"{name}=…" for name in self.variables)
        return f"export {given}" if given else ""


def set_up(
    settings: Settings, *, site: Site, shops: Shops, market: Market, videos: Videos
) -> list[Step]:
    """All steps, domain by domain, and of each domain what is needed first."""
    domains = (
        [_contact("news", settings)],
        _of_the_market(settings, market),
        _of_shops(settings, shops),
        _of_videos(settings, videos),
        _of_the_site(settings, site),
    )
    return [step for steps in domains for step in sorted(steps, key=lambda one: not one.is_needed)]


def wanting(steps: Iterable[Step]) -> list[Step]:
    """Those that are needed and missing."""
    return [step for step in steps if step.is_needed and step.missing is not None]


def step_record(step: Step) -> dict[str, Any]:
    """A step, for all who speak JSON."""
    missing = step.missing
    return {
        "domain": step.domain,
        "name": step.name,
        "isSet": missing is None,
        "isNeeded": step.is_needed,
        "reason": None if missing is None else missing.reason,
        "words": None if missing is None else missing.words,
        "variables": list(step.variables),
        "command": step.command or None,
        "source": step.source or None,
    }


def _contact(domain: str, settings: Settings) -> Step:
    missing = readiness.web_unset(settings)
    return Step(domain, "contact", missing, variables=("GOTGAN_CONTACT",))


def _of_the_market(settings: Settings, market: Market) -> list[Step]:
    today = market.today()
    return [
        Step(
            "market",
            "login",
            readiness.market_unset(settings),
            variables=("KRX_ID", "KRX_PW"),
            source="https://data.krx.co.kr/",
        ),
        Step(
            "market",
            "history",
            _history(market, today),
            is_needed=False,
            command=f"gotgan market recover {today - _A_YEAR}..{today}",
        ),
    ]


def _of_shops(settings: Settings, shops: Shops) -> list[Step]:
    registered = None if shops.countries() else readiness.NO_SHOP
    return [
        _contact("shops", settings),
        Step("shops", "shop", registered, command="gotgan shops add DOMAIN --country XX"),
        Step(
            "shops",
            "webhook",
            readiness.webhook_unset(settings),
            is_needed=False,
            variables=("GOTGAN_WEBHOOK", "GOTGAN_WEBHOOK_SECRET"),
        ),
    ]


def _of_videos(settings: Settings, videos: Videos) -> list[Step]:
    """Whoever imports videos needs no key, so it is missed only as long as there is none."""
    has_some = bool(videos.list(limit=1).items)
    none_yet = skipped("no_videos", "no video was analysed or imported yet")
    return [
        Step(
            "videos",
            "key",
            readiness.videos_unset(settings),
            is_needed=not has_some,
            variables=("YOUTUBE_API_KEY",),
            command="gotgan videos import FILE",
            source="https://console.cloud.google.com/apis/credentials",
        ),
        Step(
            "videos",
            "model",
            readiness.model_unset(settings),
            is_needed=settings.analyser == "gemini",
            variables=("GOTGAN_ANALYSER", "GEMINI_API_KEY"),
            source="https://aistudio.google.com/apikey",
        ),
        Step(
            "videos",
            "video",
            None if has_some else none_yet,
            is_needed=False,
            command="gotgan videos analyse URL",
        ),
    ]


def _of_the_site(settings: Settings, site: Site) -> list[Step]:
    post = readiness.post_unset(settings)
    filed = None if site.categories.all() else skipped("no_category", _NO_CATEGORY)
    return [
        Step("site", "company", _company(site)),
        Step("site", "category", filed),
        Step("site", "mail_server", post, is_needed=False, variables=("GOTGAN_SMTP_URL",)),
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
