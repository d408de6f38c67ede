"""Shops that somebody hands over to be registered: checked before the first of them is stored."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from typing import Final, TypeVar

from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.sites import core_domain_name, domain_of
from gotgan.errors import BadUpload, UsageError

__all__ = ["Registration", "country_of", "registrations_from", "shop_of", "shops_of"]

T = TypeVar("T")
U = TypeVar("U")

_COLUMNS: Final = ("domain", "country", "name")
_COUNTRY_LETTERS: Final = 2
_LONGEST_NAME: Final = 200
_MOST_TOLD: Final = 5
_SHAPE: Final = "one domain per line, or domain,country,name"


@dataclass(frozen=True)
class Registration:
    """A shop as somebody names it."""

    domain: str
    """A domain, or any address of the shop."""
    country: str | None = None
    name: str | None = None


def shop_of(given: Registration) -> Shop:
    """The shop that is meant, new; or what is wrong with it."""
    domain = domain_of(given.domain)
    return Shop(
        domain=domain,
        core_domain_name=core_domain_name(domain),
        shop_name=_name_of(given.name),
        shop_country=None if given.country is None else country_of(given.country),
    )


def shops_of(given: Iterable[Registration]) -> list[Shop]:
    """The shops that are meant; all of them are right, or none is taken."""
    right, wrong = _sorted_out(shop_of, enumerate(given, start=1))
    if wrong:
        raise UsageError(_refusal("shop", wrong))
    return right


def registrations_from(document: bytes, *, country: str | None = None) -> list[Registration]:
    """The shops of a file, one per line: the domain alone, or CSV with country and name.

    A line without a country gets the one that is given. Lines that are wrong are named, and then
    none is taken.
    """
    usual = None if country is None else country_of(country)

    def read(cells: Sequence[str]) -> Registration:
        entry = _entry(cells)
        shop_of(entry)
        return entry if entry.country is not None else replace(entry, country=usual)

    right, wrong = _sorted_out(read, _rows(document))
    if wrong:
        raise BadUpload(_refusal("line", wrong))
    return right


def country_of(text: str) -> str:
    """A country as it is stored: two letters of ISO 3166, in capitals."""
    code = text.strip().upper()
    if len(code) != _COUNTRY_LETTERS or not (code.isascii() and code.isalpha()):
        raise UsageError(f"{text[:50]!r} is no country; write two letters such as DE")
    return code


def _name_of(text: str | None) -> str | None:
    name = (text or "").strip()
    if len(name) > _LONGEST_NAME or not name.isprintable():
        raise UsageError(
            f"the name {name[:50]!r} cannot be used; a name has up to {_LONGEST_NAME} letters on "
            "one line"
        )
    return name or None


def _sorted_out(
    read: Callable[[T], U], entries: Iterable[tuple[int, T]]
) -> tuple[list[U], dict[int, str]]:
    """What is made of the entries that are right; and what is wrong with others, by number."""
    right: list[U] = []
    wrong: dict[int, str] = {}
    for number, entry in entries:
        try:
            right.append(read(entry))
        except UsageError as error:
            wrong[number] = error.message
    return right, wrong


def _refusal(word: str, wrong: Mapping[int, str]) -> str:
    told = [f"{word} {number}: {message}" for number, message in wrong.items()]
    more = f"; and {len(told) - _MOST_TOLD} more" if len(told) > _MOST_TOLD else ""
    return f"nothing was stored: {'; '.join(told[:_MOST_TOLD])}{more}"


def _rows(document: bytes) -> list[tuple[int, list[str]]]:
    """The lines that say something, with their numbers; a line of headings is none of them."""
    try:
        text = document.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadUpload(f"byte {error.start} is no UTF-8; hand over {_SHAPE}, in UTF-8") from None
    reader = csv.reader(StringIO(text, newline=""))
    try:
        rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except csv.Error as error:
        raise BadUpload(f"line {reader.line_num} is no CSV: {error}; hand over {_SHAPE}") from None
    return [(number, cells) for number, cells in rows if any(cells) and not _is_heading(cells)]


def _is_heading(cells: Sequence[str]) -> bool:
    return [cell.lower() for cell in cells] == list(_COLUMNS[: len(cells)])


def _entry(cells: Sequence[str]) -> Registration:
    if len(cells) > len(_COLUMNS):
        raise UsageError(f"it has {len(cells)} columns; there are only {', '.join(_COLUMNS)}")
    given = {name: cell for name, cell in zip(_COLUMNS, cells, strict=False) if cell}
    return Registration(given.get("domain", ""), given.get("country"), given.get("name"))
