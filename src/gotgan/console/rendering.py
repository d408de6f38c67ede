"""Templates, and the filters that they write values with."""

from __future__ import annotations

import shlex
from datetime import datetime
from decimal import Decimal
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from gotgan.clock import utc_iso
from gotgan.console.sentences import retold
from gotgan.console.static_files import address
from gotgan.console.viewer import Viewer
from gotgan.store import Cost
from gotgan.store.prices import Price, money

__all__ = ["environment", "render"]

_TO_MINUTES: Final = "%Y-%m-%d %H:%M"
_TO_SECONDS: Final = "%Y-%m-%d %H:%M:%S"


@cache
def environment() -> Environment:
    """The templates of the console; a name that is not there is an error, not a blank."""
    made = Environment(
        loader=PackageLoader(__package__ or "", "templates"),
        autoescape=True,
        auto_reload=False,  # the files of a package do not change while it runs
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        moment=_moment, money=_money, number=_number, retold=_retold, shell=shlex.quote
    )
    made.tests.update(linkable=_is_linkable, showable=_is_showable)
    made.globals["static"] = address
    return made


def render(name: str, context: dict[str, Any], fragment: str | None = None) -> str:
    """A template as a whole page, or only the block that holds a fragment if it has that one.

    The macros are at hand as ``ui`` in both: what a template imports at its top, a block that is
    rendered alone would not see.
    """
    template = environment().get_template(name)
    macros = environment().get_template("macros.html")
    names = {**context, "ui": macros.make_module(context)}
    block = template.blocks.get(fragment.replace("-", "_")) if fragment else None
    if block is None:
        return template.render(names)
    return "".join(block(template.new_context(names)))


def _is_showable(uri: str) -> bool:
    """Whether the content policy lets a page load a picture from there."""
    return uri.startswith("https://") or (uri.startswith("/") and not uri.startswith("//"))


def _is_linkable(url: str) -> bool:
    """Whether a page may lead there: an address of the web, and no script."""
    return url.startswith(("https://", "http://"))


@pass_context
def _moment(context: Context, value: datetime | str | None, *, seconds: bool = False) -> Markup:
    """A moment as the viewer's zone writes it, with the zone; a dash where there is none."""
    if value is None:
        return Markup("–")
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    viewer: Viewer = context["viewer"]
    local = moment.astimezone(viewer.place)
    words = local.strftime(_TO_SECONDS if seconds else _TO_MINUTES)
    return Markup(  # noqa: S704 - figures, and the names of three zones
        f'<time datetime="{utc_iso(moment)}">{words} '
        f'<span class="zone">{local.tzname()}</span></time>'
    )


@pass_context
def _retold(context: Context, words: str | None) -> Markup:
    """What a domain or the timetable said, in the viewer's language."""
    viewer: Viewer = context["viewer"]
    return retold(viewer.language, words or "")


def _number(value: float | Decimal | None, places: int | None = None) -> str:
    """A number with its thousands apart; a dash where there is none."""
    if value is None:
        return "–"
    if places is not None:
        return f"{value:,.{places}f}"
    return f"{value:,}".removesuffix(".0") if isinstance(value, float) else f"{value:,}"


def _money(cost: Cost) -> str:
    """What a cost comes to on demand."""
    return money(Price.listed().on_demand(cost))
