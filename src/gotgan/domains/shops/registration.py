"""Shops to be registered, from arguments or a file: all are checked before one is stored."""

from __future__ import annotations

import csv
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeVar

from gotgan.domains.shops import messages
from gotgan.domains.shops.models import Shop
from gotgan.domains.shops.sites import core_domain_name, is_public_suffix, parse_domain
from gotgan.errors import BadUpload, UsageError
from gotgan.messages import Message, Template

T = TypeVar("T")
U = TypeVar("U")

_COLUMNS: Final = ("domain", "country", "name")
_MAX_NAME_CHARS: Final = 200
_MAX_ERRORS_SHOWN: Final = 5
_END_OF_LINE: Final = re.compile(r"\r\n|\r|\n")
_COMMENT: Final = "#"
_OTHER_SEPARATORS: Final = {";": messages.SEMICOLONS, "\t": messages.TABS}


@dataclass(frozen=True)
class Registration:
    """A shop as a person names it."""

    domain: str
    """A domain, or any address of the shop."""
    country: str | None = None
    name: str | None = None


def new_shop(given: Registration) -> Shop:
    """The shop of a registration, checked."""
    domain = parse_domain(given.domain)
    if is_public_suffix(domain):
        raise UsageError(messages.PUBLIC_SUFFIX(domain=domain))
    name = (given.name or "").strip()
    if len(name) > _MAX_NAME_CHARS or not name.isprintable():
        raise UsageError(messages.NOT_A_NAME(name=repr(name[:50]), count=_MAX_NAME_CHARS))
    return Shop(
        domain=domain,
        core_domain_name=core_domain_name(domain),
        shop_name=name or None,
        shop_country=None if given.country is None else parse_country(given.country),
    )


def new_shops(given: Iterable[Registration]) -> list[Shop]:
    """The shops of registrations; if one is wrong, none is taken."""
    right, wrong = _check_all(new_shop, enumerate(given, start=1))
    if wrong:
        raise UsageError(_refusal(messages.OF_SHOP, wrong))
    return right


def parse_registrations(document: bytes, *, country: str | None = None) -> list[Registration]:
    """The shops of a file, one per line: the domain alone, or CSV with country and name.

    Lines that start with # are comments. A line without a country gets the given one. If a line is
    wrong, none is taken.
    """
    usual = None if country is None else parse_country(country)

    def read(line: str) -> Registration:
        entry = _parse_line(line)
        new_shop(entry)
        return entry if entry.country is not None else replace(entry, country=usual)

    right, wrong = _check_all(read, _content_lines(document))
    if wrong:
        raise BadUpload(_refusal(messages.OF_LINE, wrong))
    return right


def _check_all(
    read: Callable[[T], U], entries: Iterable[tuple[int, T]]
) -> tuple[list[U], dict[int, str]]:
    """The results for the right entries, and the errors of the others by number."""
    right: list[U] = []
    wrong: dict[int, str] = {}
    for number, entry in entries:
        try:
            right.append(read(entry))
        except UsageError as error:
            wrong[number] = error.message
    return right, wrong


def _refusal(entry: Template, wrong: Mapping[int, str]) -> Message:
    errors = [entry(number=number, why=why) for number, why in wrong.items()]
    left = len(errors) - _MAX_ERRORS_SHOWN
    if left > 0:
        return messages.NOT_STORED_MORE(errors=errors[:_MAX_ERRORS_SHOWN], left=left)
    return messages.NOT_STORED(errors=errors)


def _content_lines(document: bytes) -> list[tuple[int, str]]:
    """The lines with content and their numbers, without comments and the header."""

    def is_content(line: str) -> bool:
        cells = [cell.strip(' "').lower() for cell in line.split(",")]
        is_header = cells == list(_COLUMNS[: len(cells)])
        return bool(line.strip(", ")) and not line.startswith(_COMMENT) and not is_header

    plain = document.removeprefix(BOM_UTF8)
    try:
        text = plain.decode()
    except UnicodeDecodeError as error:
        number = len(_END_OF_LINE.split(plain[: error.start].decode()))
        shape = messages.FILE_SHAPE()
        raise BadUpload(messages.NOT_UTF8(number=number, shape=shape)) from None
    lines = enumerate(map(str.strip, _END_OF_LINE.split(text)), start=1)
    return [(number, line) for number, line in lines if is_content(line)]


def _parse_line(line: str) -> Registration:
    reader = csv.reader([line, ""])
    try:
        cells = [cell.strip() for cell in next(reader)]
    except csv.Error as error:
        raise UsageError(messages.NOT_CSV(cause=error, shape=messages.FILE_SHAPE())) from None
    if reader.line_num > 1:  # it read the next line
        raise UsageError(messages.OPEN_QUOTE())
    for mark, refusal in _OTHER_SEPARATORS.items():
        if mark in cells[0]:
            raise UsageError(refusal())
    if len(cells) > len(_COLUMNS):
        raise UsageError(messages.TOO_MANY_COLUMNS(count=len(cells), names=_COLUMNS))
    given = {name: cell for name, cell in zip(_COLUMNS, cells, strict=False) if cell}
    return Registration(given.get("domain", ""), given.get("country"), given.get("name"))


_COUNTRY_CODES: Final = """
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
    BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
    EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
    HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
    LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
    NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
    SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
    TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""
COUNTRIES: Final = frozenset(_COUNTRY_CODES.split())
_MISTAKEN_CODES: Final = {"EL": "GR", "EN": "GB", "JA": "JP", "KO": "KR", "UK": "GB"}
"""Other names of countries, and languages, that are taken for country codes."""


def parse_country(text: str) -> str:
    """A country code as stored: two capital letters of ISO 3166."""
    code = text.strip().upper()
    if code in COUNTRIES:
        return code
    if code in _MISTAKEN_CODES:
        meant = _MISTAKEN_CODES[code]
        raise UsageError(messages.MISTAKEN_COUNTRY(country=repr(text[:50]), code=meant))
    raise UsageError(messages.NOT_A_COUNTRY(country=repr(text[:50])))
