"""Templates with their filters, and static files with a hash in their URL."""

from __future__ import annotations

import gzip
import hashlib
import re
import shlex
from datetime import datetime
from decimal import Decimal
from functools import cache
from importlib.resources import files
from os import PathLike, stat_result
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo

from jinja2 import Environment, PackageLoader, StrictUndefined, pass_context
from jinja2.runtime import Context
from markupsafe import Markup
from starlette.datastructures import Headers
from starlette.responses import FileResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from gotgan.clock import utc_iso
from gotgan.console.hints import message_with_links
from gotgan.console.lists import jsonl_url
from gotgan.console.session import Viewer
from gotgan.console.sparkline import sparkline
from gotgan.console.texts import catalogue
from gotgan.day.texts import day_words, duration_text
from gotgan.messages import Message
from gotgan.store.prices import Price, money

PREFIX: Final = "/static"
_CACHE_FOREVER: Final = "public, max-age=31536000, immutable"
_COMPRESSED_SUFFIXES: Final = (".css", ".js", ".svg")
"""These compress well and are not secret."""


@cache
def static_url(name: str) -> str:
    """The URL of a file, with a part of its hash, so that a new content has a new URL."""
    return f"{PREFIX}/{name}?v={_digest(name)}"


class VersionedStaticFiles(StaticFiles):
    """The folder of static files; a URL with the file's hash may be cached forever."""

    def __init__(self) -> None:
        super().__init__(directory=_folder())

    def file_response(
        self,
        full_path: str | PathLike[str],
        stat_result: stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """The file, compressed if the client accepts it, with its cache headers."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        name = Path(full_path).relative_to(_folder()).as_posix()
        if name.endswith(_COMPRESSED_SUFFIXES):
            accepted = Headers(scope=scope).get("accept-encoding", "")
            if isinstance(response, FileResponse) and "gzip" in accepted:
                headers = {"Content-Encoding": "gzip", "ETag": f'"{_digest(name)}-gzip"'}
                response = Response(
                    _compressed(name), headers=headers, media_type=response.media_type
                )
            response.headers["Vary"] = "Accept-Encoding"
        hashed = scope["query_string"] == f"v={_digest(name)}".encode()
        response.headers["Cache-Control"] = _CACHE_FOREVER if hashed else "no-cache"
        return response


def _folder() -> Path:
    return Path(str(files(__package__) / "static")).resolve()


@cache
def _compressed(name: str) -> bytes:
    return gzip.compress((_folder() / name).read_bytes(), mtime=0)


@cache
def _digest(name: str) -> str:
    return hashlib.sha256((_folder() / name).read_bytes()).hexdigest()[:16]


@cache
def environment() -> Environment:
    """The templates of the console; an unknown name is an error, not a blank."""
    made = Environment(
        loader=PackageLoader(__package__ or "", "templates"),
        autoescape=True,
        auto_reload=False,  # the files of a package do not change while it runs
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters.update(
        moment=_moment,
        clock=_clock,
        money=lambda cost: money(Price.listed().on_demand(cost)),
        number=_number,
        duration=_duration,
        translated=_translated,
        message_with_links=_message_with_links,
        message=_message,
        called=_record_word,
        shell=shlex.quote,
        jsonl=jsonl_url,
    )
    made.tests.update(
        linkable=lambda url: url.startswith(("https://", "http://")),  # not a script
        # what the content policy lets a page load
        showable=lambda url: url.startswith("https://") or re.match("/(?!/)", url) is not None,
    )
    made.globals.update(static=static_url, sparkline=sparkline)
    return made


def render(name: str, context: dict[str, Any], fragment: str | None = None) -> str:
    """A template as a whole page, or only the block of a fragment if it has one.

    The macros are in the context as ``ui``: a block that is rendered alone does not see what its
    template imports.
    """
    template = environment().get_template(name)
    macros = environment().get_template("macros.html")
    names = {**context, "ui": macros.make_module(context)}
    block = template.blocks.get(fragment.replace("-", "_")) if fragment else None
    if block is None:
        return template.render(names)
    return "".join(block(template.new_context(names)))


def time_element(moment: datetime | None, place: ZoneInfo, form: str) -> Markup:
    """A moment in a zone as HTML, with the zone, or a dash."""
    if moment is None:
        return Markup("–")
    local = moment.astimezone(place)
    return Markup(  # noqa: S704 - figures, and the names of zones
        f'<time datetime="{utc_iso(moment)}">{local.strftime(form)} '
        f'<span class="zone">{local.tzname()}</span></time>'
    )


@pass_context
def _moment(context: Context, value: datetime | str | None, *, seconds: bool = False) -> Markup:
    """A moment in the viewer's zone, with the zone, or a dash."""
    moment = datetime.fromisoformat(value) if isinstance(value, str) else value
    viewer: Viewer = context["viewer"]
    form = "%Y-%m-%d %H:%M:%S" if seconds else "%Y-%m-%d %H:%M"
    return time_element(moment, viewer.place, form)


@pass_context
def _clock(context: Context, moment: datetime, place: ZoneInfo | None = None) -> Markup:
    """The time of day in the viewer's zone, or in another."""
    local = moment.astimezone(place or context["viewer"].place)
    return Markup('<time datetime="{}">{:%H:%M}</time>').format(utc_iso(moment), local)


@pass_context
def _translated(context: Context, words: str | None) -> Markup:
    """A sentence of a domain or the schedule in the viewer's language."""
    viewer: Viewer = context["viewer"]
    return viewer.say(words or "")


@pass_context
def _message_with_links(context: Context, words: str | None) -> Markup:
    """A sentence like this, with links to the pages that help."""
    return message_with_links(context["viewer"], words or "")


@pass_context
def _message(context: Context, value: Any) -> Any:
    """A message in the viewer's language; any other value, such as a name, as it is."""
    viewer: Viewer = context["viewer"]
    return viewer.say(value) if isinstance(value, Message) else value


@pass_context
def _record_word(context: Context, word: str | None, prefix: str) -> str:
    """A word of a record in the viewer's language; one without a text as it is."""
    key = f"{prefix}{(word or 'unknown').lower()}"
    return context["viewer"].t(key) if key in catalogue() else word or "–"


@pass_context
def _duration(context: Context, seconds: float) -> str:
    """A length of time in the viewer's language."""
    return duration_text(seconds, day_words(context["viewer"].language))


def _number(value: float | Decimal | None, places: int | None = None) -> str:
    """A number with separators of thousands, or a dash."""
    if value is None:
        return "–"
    if places is not None:
        return f"{value:,.{places}f}"
    return f"{value:,}".removesuffix(".0") if isinstance(value, float) else f"{value:,}"
