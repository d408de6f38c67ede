"""Countries as ISO 3166 names them, by two letters."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from gotgan.errors import UsageError

__all__ = ["COUNTRIES", "country_of"]


def _codes(text: str) -> frozenset[str]:
    return frozenset(text.split())


COUNTRIES: Final = _codes("""
    AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS
    BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE
    EG EH ER ES ET FI FJ FK FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM
    HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC
    LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA
    NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO RS RU RW
    SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO
    TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
""")
_MEANT: Final[Mapping[str, str]] = MappingProxyType(
    {"EL": "GR", "EN": "GB", "JA": "JP", "KO": "KR", "UK": "GB"}
)
"""What is written for a country, and is none: what others call it, or its language."""


def country_of(text: str) -> str:
    """A country as it is stored: two letters of ISO 3166, in capitals."""
    code = text.strip().upper()
    if code in COUNTRIES:
        return code
    if code in _MEANT:
        raise UsageError(f"{text[:50]!r} is no country of ISO 3166; did you mean {_MEANT[code]}?")
    raise UsageError(f"{text[:50]!r} is no country; write two letters such as DE")
