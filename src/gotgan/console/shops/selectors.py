"""The page on which selectors of a shop are tried and set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from urllib.parse import urlencode

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from gotgan.api.errors import error_status
from gotgan.console.binder import arguments
from gotgan.console.frame import page
from gotgan.console.session import CurrentApp, Form, Reader, app_of
from gotgan.domains.shops.models import SELECTOR_FIELDS, Shop
from gotgan.domains.shops.reports import SelectorTrial
from gotgan.domains.shops.service import Shops
from gotgan.errors import FetchError, GotganError, NotFound, UsageError
from gotgan.verbs import verbs_of

SELECTOR_NAMES: Final = ("field", "selector", "url")
"""The fields of the form for selectors."""
TRY: Final = verbs_of(Shops)["try_selector"]
router = APIRouter()


def selectors_path(domain: str) -> str:
    """The page on which selectors of a shop are tried and set."""
    return f"/shops/selectors?{urlencode({'domain': domain})}"


@router.get("/shops/selectors")
def try_selectors(request: Request, who: Reader, app: CurrentApp, domain: str) -> Response:
    """The selectors of a shop; with a selector in the address, what it finds on a page."""
    typed = {name: request.query_params.get(name, "").strip() for name in SELECTOR_NAMES}
    if not typed["selector"] or not who.may("editor"):
        return _show_selectors(request, domain, typed)
    try:
        given = {"domain": domain, **typed}
        trial = app.shops.try_selector(**arguments(TRY, given, app.settings.zone))
    except (FetchError, NotFound, UsageError) as error:
        return _show_selectors(request, domain, typed, error=error)
    return _show_selectors(request, domain, typed, trial=trial)


def show_refused_selector(request: Request, form: Form, refusal: str) -> Response:
    """The page with a selector that could not be set."""
    typed = {name: form.text(name) for name in SELECTOR_NAMES}
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


def saved_selector(shop: Shop) -> tuple[str | None, str]:
    """Where to go after a selector was set, and what to say."""
    return selectors_path(shop.domain), "shops.selector.saved"
