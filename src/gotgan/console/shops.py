"""The pages of the shops: the board of all stages, and each shop with its pages and changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Final, get_args
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Depends, HTTPException
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.errors import error_status
from gotgan.app import App
from gotgan.console.binder import VerbForm, VerbForms, arguments
from gotgan.console.frame import NavPage, Section, current_url, page
from gotgan.console.lists import ExportLinks, all_items, csv_response, encoded_csv, one_of
from gotgan.console.runs import RunCard
from gotgan.console.session import CurrentApp, Form, Reader, Viewer, app_of
from gotgan.domains.shops.currency import price_text
from gotgan.domains.shops.extract import Status
from gotgan.domains.shops.extract.facts import PageFacts
from gotgan.domains.shops.models import (
    SELECTOR_FIELDS,
    STAGES,
    Change,
    PageType,
    Postponed,
    Shop,
    ShopPage,
    Stage,
    postponement,
    state_of,
)
from gotgan.domains.shops.registration import parse_country
from gotgan.domains.shops.reports import Registered, Released, SelectorTrial
from gotgan.domains.shops.service import Shops, run_names
from gotgan.domains.shops.stages import SHOPS_PER_STATE, ShopsInState, Stuck, stuck_claim
from gotgan.encoding import encode, field_keys
from gotgan.errors import (
    ConditionFailed,
    Conflict,
    FetchError,
    GotganError,
    NotFound,
    UsageError,
)
from gotgan.plain_json import to_pretty_json
from gotgan.store import Page

STAGE_KINDS: Final[Mapping[str, str]] = {
    "never": "none",
    "progress": "running",
    "done": "good",
    "ok": "good",
    "empty": "none",
    "blocked": "warning",
    "unreachable": "warning",
    "budget": "warning",
    "stuck": "bad",
}
"""The state that the console draws for each word."""
router = APIRouter()

# States


@dataclass(frozen=True)
class StageStatus:
    """The status of a shop in a stage."""

    stage: Stage
    word: str
    """The state, or the outcome of one that is done."""
    began: datetime | None
    ended: datetime | None
    outcome: str | None
    """The outcome of the last run that ended."""
    reason: str | None
    stuck: Stuck | None
    postponed: Postponed | None
    """Why the last attempt could not reach the shop, and when the next one is due."""


def _stage_statuses(shop: Shop, now: datetime) -> list[StageStatus]:
    return [_stage_status(shop, stage, now) for stage in STAGES]


def _stage_status(shop: Shop, stage: Stage, now: datetime) -> StageStatus:
    stuck, postponed = stuck_claim(shop, stage, now), postponement(shop, stage)
    state, is_crawl = (state_of(shop, stage) or "NEVER").lower(), stage == "crawl"
    outcome = shop.crawl_outcome if is_crawl else shop.scrape_outcome
    word = outcome or state if state == "done" else state
    if postponed and state != "progress":
        word = "unreachable"
    return StageStatus(
        stage=stage,
        word="stuck" if stuck else word,
        began=shop.last_crawled_start if is_crawl else shop.last_scraped_start,
        ended=shop.last_crawled_end if is_crawl else shop.last_scraped_end,
        outcome=outcome,
        reason=shop.crawl_reason if is_crawl else shop.scrape_reason,
        stuck=stuck,
        postponed=postponed,
    )


def _change_word(change: Change) -> str:
    """The kind of a change; if price and status changed, that of the status."""
    if change.before is None:
        return "new"
    if change.after.status == Status.REMOVED:
        return "removed"
    return "price" if change.before.status == change.after.status else "status"


# The board

_NEW_SHOP: Final = {"domain": "", "country": "", "name": ""}
"""The fields of a new shop."""


@dataclass(frozen=True)
class StageBoard:
    """A stage on the board."""

    stage: Stage
    lanes: tuple[ShopsInState, ...]
    due: Sequence[Shop]
    """The first that are due."""
    has_more: bool
    elsewhere: ExportLinks


async def _requested_country(country: str = "") -> str | None:
    return parse_country(country) if country else None


Country = Annotated[str | None, Depends(_requested_country)]


@router.get("/shops")
def show_board(request: Request, _who: Reader, country: Country) -> Response:
    """All shops by stage and state, of one country or of all."""
    return _show_board(request, country)


@router.get("/shops/due.csv")
def due_file(_who: Reader, app: CurrentApp, country: Country, stage: str = "crawl") -> Response:
    """All shops that are due, as a file."""
    found = app.shops.iter_due(one_of(STAGES, stage), country=country)
    return encoded_csv(f"due-{stage}", Shop, found)


@router.get("/shops/stuck.csv")
def stuck_file(_who: Reader, app: CurrentApp, country: Country) -> Response:
    """All shops whose worker died, as a file."""
    return encoded_csv("stuck", Stuck, app.shops.iter_stuck(country=country))


def _show_refused_shop(request: Request, form: Form, refusal: str) -> Response:
    typed = {name: form.text(name) for name in _NEW_SHOP}
    return _show_board(request, None, typed=typed, refusal=refusal)


def _show_board(
    request: Request,
    country: str | None,
    *,
    typed: Mapping[str, str] = _NEW_SHOP,
    refusal: str | None = None,
) -> Response:
    app, all_countries = app_of(request), Viewer.of(request).t("shops.board.all_countries")
    countries = app.shops.countries()
    stages = [_stage_board(app, stage, country) for stage in STAGES]
    shops = [shop for each in stages for lane in each.lanes for shop in lane.first]
    fields, back = {"country": country or ""}, "/shops" if refusal else current_url(request)
    return page(
        request,
        "shops/board.html",
        status=200 if refusal is None else 422,
        country=country,
        countries=countries,
        country_options=[("", all_countries), *zip(countries, countries, strict=True)],
        stages=stages,
        standings={shop.domain: _stage_statuses(shop, app.clock.now()) for shop in shops},
        kinds=STAGE_KINDS,
        stuck=app.shops.iter_stuck(country=country),
        stuck_elsewhere=ExportLinks.of(
            "/v1/shops/stuck", "/shops/stuck.csv", "gotgan shops stuck", country=country
        ),
        crawl=RunCard.of(app, "shops.crawl", back, **fields),
        scrape=RunCard.of(app, "shops.scrape", back, **fields),
        deliver=RunCard.of(app, "shops.deliver", back),
        adopt=RunCard.of(app, "shops.adopt", back),
        typed=typed,
        refusal=refusal,
    )


def _stage_board(app: App, stage: Stage, country: str | None) -> StageBoard:
    due, has_more = app.shops.first_due(stage, SHOPS_PER_STATE, country=country)
    return StageBoard(
        stage=stage,
        lanes=app.shops.by_state(stage, country=country),
        due=due,
        has_more=has_more,
        elsewhere=ExportLinks.of(
            "/v1/shops/due", "/shops/due.csv", "gotgan shops due", stage=stage, country=country
        ),
    )


# A shop

_PAGE_TYPES: Final[tuple[PageType, ...]] = get_args(PageType)
_CHANGES_TAB: Final = ""
_TABS: Final = (_CHANGES_TAB, "pages", *_PAGE_TYPES)
"""The tabs of a shop as an address names them."""
_PAGE_SIZE: Final = 50
_SELECTOR_NAMES: Final = ("field", "selector", "url")
"""The fields of the form for selectors."""
_CHANGE_COLUMNS: Final = ("seen_at", "url", "title", "before", "after")


@dataclass(frozen=True)
class ShopParams:
    """A shop with one of its tabs: its changes, or its pages of one type or of all."""

    domain: str
    show: str

    @property
    def is_changes(self) -> bool:
        """Whether its changes are shown."""
        return self.show == _CHANGES_TAB

    @property
    def type(self) -> PageType | None:
        """The type of the pages; None for all."""
        return next((each for each in _PAGE_TYPES if each == self.show), None)

    def pages_of(self, shops: Shops) -> Callable[..., Page[Any]]:
        """The verb that reads its pages."""
        if self.is_changes:
            return partial(shops.changes, self.domain)
        return partial(shops.urls, self.domain, type=self.type)

    @property
    def elsewhere(self) -> ExportLinks:
        """The same for programs."""
        part = "changes" if self.is_changes else "urls"
        query = {"domain": self.domain, **({"show": self.show} if self.show else {})}
        path, command = f"/v1/shops/{quote(self.domain)}/{part}", f"gotgan shops {part}"
        links = ExportLinks.of(path, "", f"{command} {self.domain}", type=self.type)
        return replace(links, csv=f"/shops/shop.csv?{urlencode(query)}")


async def _shop_params(domain: str, show: str = _CHANGES_TAB) -> ShopParams:
    if show not in _TABS:
        raise HTTPException(404)
    return ShopParams(domain, show)


RequestedShop = Annotated[ShopParams, Depends(_shop_params)]


def shop_path(domain: str) -> str:
    """The page of a shop."""
    return f"/shops/shop?{urlencode({'domain': domain})}"


@router.get("/shops/shop")
def read_shop(
    request: Request,
    _who: Reader,
    app: CurrentApp,
    wanted: RequestedShop,
    cursor: str | None = None,
) -> Response:
    """A shop by its domain, or by any of its URLs."""
    shop = app.shops.get(wanted.domain)
    wanted = replace(wanted, domain=shop.domain)
    found = wanted.pages_of(app.shops)(limit=_PAGE_SIZE, cursor=cursor or None)
    card = partial(RunCard.of, app, back=current_url(request, cursor=None), about=run_names(shop))
    return page(
        request,
        "shops/shop.html",
        shop=shop,
        standings=_stage_statuses(shop, app.clock.now()),
        kinds=STAGE_KINDS,
        related=app.shops.related(shop.domain).items,
        found=found,
        wanted=wanted,
        details=[name for name in PageFacts("product").details if name not in ("title", "image")],
        tabs=_TABS,
        change_kinds=[_change_word(each) for each in found] if wanted.is_changes else [],
        price=price_text,
        cursor=cursor,
        crawl=card("shops.crawl", domain=shop.domain),
        scrape=card("shops.scrape", domain=shop.domain),
        deliver=card("shops.deliver", domain=shop.domain),
        selector_fields=SELECTOR_FIELDS,
        no_selector=dict.fromkeys(_SELECTOR_NAMES, ""),
        raw=to_pretty_json(encode(shop)),
        elsewhere=wanted.elsewhere,
    )


@router.get("/shops/shop.csv")
def shop_file(_who: Reader, app: CurrentApp, wanted: RequestedShop) -> Response:
    """The changes of a shop, or its pages, as a file."""
    domain = app.shops.get(wanted.domain).domain
    found = all_items(wanted.pages_of(app.shops))
    name = f"{domain}-{wanted.show or 'changes'}"
    columns = _CHANGE_COLUMNS if wanted.is_changes else field_keys(ShopPage)
    return csv_response(name, columns, map(encode, found))


# Selectors


def selectors_path(domain: str) -> str:
    """The page on which selectors of a shop are tried and set."""
    return f"/shops/selectors?{urlencode({'domain': domain})}"


@router.get("/shops/selectors")
def try_selectors(request: Request, who: Reader, app: CurrentApp, domain: str) -> Response:
    """The selectors of a shop; with a selector in the address, what it finds on a page."""
    typed = {name: request.query_params.get(name, "").strip() for name in _SELECTOR_NAMES}
    if not typed["selector"] or not who.may("editor"):
        return _show_selectors(request, domain, typed)
    try:
        given = {"domain": domain, **typed}
        trial = app.shops.try_selector(**arguments(_TRY, given, app.settings.zone))
    except (FetchError, NotFound, UsageError) as error:
        return _show_selectors(request, domain, typed, error=error)
    return _show_selectors(request, domain, typed, trial=trial)


def _show_refused_selector(request: Request, form: Form, refusal: str) -> Response:
    typed = {name: form.text(name) for name in _SELECTOR_NAMES}
    return _show_selectors(request, form.text("domain"), typed, error=UsageError(refusal))


def _show_selectors(
    request: Request,
    domain: str,
    typed: Mapping[str, str],
    *,
    trial: SelectorTrial | None = None,
    error: GotganError | None = None,
) -> Response:
    return page(
        request,
        "shops/selectors.html",
        status=200 if error is None else error_status(error),
        shop=app_of(request).shops.get(domain),
        typed=typed,
        trial=trial,
        error=error,
        is_invalid=isinstance(error, UsageError),
        selector_fields=SELECTOR_FIELDS,
    )


def _saved_selector(shop: Shop) -> tuple[str | None, str]:
    return selectors_path(shop.domain), "shops.selector.saved"


# The section


def _added_shop(report: Registered) -> tuple[str | None, str]:
    """The page of a shop that was added, or that was there and got a country."""
    for failure in report.failed:
        raise failure.error
    heads = {"done": report.new, "placed": report.placed, "adopted": report.adopted}
    said = next((word for word, shops in heads.items() if shops), "there")
    return shop_path(report.shops[0].domain), f"shops.add.{said}"


def _released_shop(report: Released) -> tuple[str | None, str]:
    """A shop that another worker has taken over since is refused."""
    for each in report.refused:
        if not isinstance(each.error, ConditionFailed | Conflict):
            raise each.error
    return None, "shops.release.not_now" if report.refused else "shops.release.done"


_DOMAIN_FIELD: Final = {"domains": "domain"}
_VERBS: Final = VerbForms(
    Shops,
    {
        "crawl": VerbForm(names=_DOMAIN_FIELD),
        "scrape": VerbForm(names=_DOMAIN_FIELD),
        "deliver": VerbForm(names=_DOMAIN_FIELD),
        "adopt": VerbForm(),
        "add": VerbForm(names=_DOMAIN_FIELD, done=_added_shop, refused=_show_refused_shop),
        "release": VerbForm(names=_DOMAIN_FIELD, done=_released_shop),
        "set_selector": VerbForm(done=_saved_selector, refused=_show_refused_selector),
    },
    context={"kinds": STAGE_KINDS},
)
_TRY: Final = _VERBS.verbs["try_selector"]
SECTION: Final = Section("shops", (NavPage("board", "/shops"), *_VERBS.pages))
ROUTERS: Final[tuple[APIRouter, ...]] = (router, _VERBS.router)
