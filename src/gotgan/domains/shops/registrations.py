"""Shops that somebody hands over to be registered: checked before the first of them is stored."""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from gotgan.domains.shops.countries import country_of
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.sites import core_domain_name, domain_of, is_public_suffix
from gotgan.errors import BadUpload, UsageError

__all__ = ["Registration", "registrations_from", "shop_of", "shops_of"]

T = TypeVar("T")
U = TypeVar("U")

_COLUMNS: Final = ("domain", "country", "name")
_LONGEST_NAME: Final = 200
_MOST_TOLD: Final = 5
_SHAPE: Final = "one domain per line, or domain,country,name"
_END_OF_LINE: Final = re.compile(r"\r\n|\r|\n")
_REMARK: Final = "#"
_NO_COMMAS: Final = {";": "semicolons", "\t": "tabs"}


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
    if is_public_suffix(domain):
        raise UsageError(
            f"{domain} is no shop: names under it are sold to everybody; write one of them, like "
            f"example.{domain}"
        )
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

    What begins with # is a remark. A line without a country gets the one that is given. Lines that
    are wrong are named, and then none is taken.
    """
    usual = None if country is None else country_of(country)

    def read(line: str) -> Registration:
        entry = _entry(_cells(line))
        shop_of(entry)
        return entry if entry.country is not None else replace(entry, country=usual)

    right, wrong = _sorted_out(read, _lines(document))
    if wrong:
        raise BadUpload(_refusal("line", wrong))
    return right


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


def _lines(document: bytes) -> list[tuple[int, str]]:
    """The lines that say something, with their numbers; headings and remarks are none of them."""
    lines = enumerate(map(str.strip, _END_OF_LINE.split(_text(document))), start=1)
    return [(number, line) for number, line in lines if line.strip(", ") and not _is_about(line)]


def _text(document: bytes) -> str:
    plain = document.removeprefix(BOM_UTF8)
    try:
        return plain.decode()
    except UnicodeDecodeError as error:
        before = plain[: error.start].decode()
        raise BadUpload(
            f"line {len(_END_OF_LINE.split(before))} is not in UTF-8; save the file as UTF-8, with "
            f"{_SHAPE}"
        ) from None


def _is_about(line: str) -> bool:
    """Whether a line is about the others: a remark, or the names of the columns."""
    cells = [cell.strip(' "').lower() for cell in line.split(",")]
    return line.startswith(_REMARK) or cells == list(_COLUMNS[: len(cells)])


def _cells(line: str) -> list[str]:
    """What stands between the commas of a line."""
    reader = csv.reader([line, ""])
    try:
        cells = [cell.strip() for cell in next(reader)]
    except csv.Error as error:
        raise UsageError(f"it is no CSV: {error}; write {_SHAPE}") from None
    if reader.line_num > 1:  # it went on reading
        raise UsageError('a quote is not closed; write " at the end of the name, too')
    return cells


def _entry(cells: Sequence[str]) -> Registration:
    for mark, word in _NO_COMMAS.items():
        if mark in cells[0]:
            raise UsageError(f"it has {word} between its columns; put commas there")
    if len(cells) > len(_COLUMNS):
        raise UsageError(f"it has {len(cells)} columns; there are only {', '.join(_COLUMNS)}")
    given = {name: cell for name, cell in zip(_COLUMNS, cells, strict=False) if cell}
    return Registration(given.get("domain", ""), given.get("country"), given.get("name"))
