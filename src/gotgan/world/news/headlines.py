"""Headlines: made of companies that do not exist and of words that fit any of them."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from random import Random
from typing import Final

__all__ = ["COMPANIES", "Headline", "WorldCompany", "headline", "slug_of"]


@dataclass(frozen=True)
class WorldCompany:
    """Whatever has a ticker."""

    name: str
    symbol: str


@dataclass(frozen=True)
class Headline:
    """A title, and whom it is about."""

    title: str
    tickers: tuple[str, ...]
    language: str


COMPANIES: Final = (
    WorldCompany("Hangang Semiconductor", "HNGS"),
    WorldCompany("Brookwater Energy", "BRKW"),
    WorldCompany("Alder & Finch", "ALFN"),
    WorldCompany("Northlight Robotics", "NLRB"),
    WorldCompany("Quarry Foods", "QRYF"),
    WorldCompany("Meridian Freight", "MDFR"),
    WorldCompany("Solva Pharma", "SLVP"),
    WorldCompany("Tessel Cloud", "TSCL"),
    WorldCompany("Copperline Bank", "CPLB"),
    WorldCompany("Vantage Orbit", "VNOB"),
    WorldCompany("Halcyon Motors", "HLCM"),
    WorldCompany("Juniper Row", "JNRW"),
    WorldCompany("Kestrel Air", "KSTA"),
    WorldCompany("Gridstone Power", "GRDP"),
    WorldCompany("Pinecrest Homes", "PNCH"),
    WorldCompany("Marlow Biotech", "MRLB"),
    WorldCompany("Oakhurst Insurance", "OKHI"),
    WorldCompany("Bluefen Software", "BLFN"),
    WorldCompany("Redshore Mining", "RDSH-B"),
    WorldCompany("Seongsan Heavy", "942010.KS"),
)
_MARKETS: Final = (
    WorldCompany("the S&P 500", "^GSPC"),
    WorldCompany("crude oil", "CL=F"),
    WorldCompany("bitcoin", "BTC-USD"),
)

_ENGLISH: Final = (
    "{a} tops estimates as orders grow {n}%",
    "{a} shares fall {n}% after a cautious outlook",
    "Why {a} and {b} are moving today",
    "{a} to buy a {n}% stake in {b}",
    "Analysts lift price targets on {a}, {b} and {c}",
    "{a}’s margin slips below {n}% for the first time since 2019",  # noqa: RUF001 - as newspapers write it
    '"We are not done": {a} plans {n} new sites',
    "{a} vs. {b}: which one is cheaper at <{n} times earnings?",
    "Is {a} stock a buy before its report?",
    "{a} recalls {n},000 units over a faulty part",
    "Rate cut hopes lift {m}; {a} leads",
    "{a} names a new chief financial officer",
    "What {a}'s dividend of {n} cents says about {b}",
    "Tariff ruling would add to uncertainty for {a} & {b}",
    "Five charts that explain the week in {t}",
    "Households spend {n}% more on {t}, a survey finds",
    "What savers should know about {t} this season",
    "What {n} days of gains in {m} mean for {a}",
    "{a} opens its café-style branches in {n} cities",
)
_GERMAN: Final = (
    "{a} übertrifft die Erwartungen um {n} %",
    "Warum {a} und {b} heute gefragt sind",
    "Größter Auftrag seit Jahren für {a}",
)
_KOREAN: Final = (
    "{a}, 분기 영업이익 {n}% 증가",
    "{a}·{b} 동반 상승 … 외국인 순매수",
    "{a} 신규 공장 {n}곳 세운다",
)
_TOPICS: Final = (
    "housing",
    "air travel",
    "bonds",
    "health care",
    "energy",
    "groceries",
    "insurance",
)
_TITLES: Final = {"en-US": _ENGLISH, "de-DE": _GERMAN, "ko-KR": _KOREAN}
_UNUSUAL: Final = 0.06
"""How many of the headlines are not in English, for each other language."""


def headline(dice: Random) -> Headline:
    """A headline by chance."""
    throw = dice.random()
    language = "de-DE" if throw < _UNUSUAL else "ko-KR" if throw < 2 * _UNUSUAL else "en-US"
    template = dice.choice(_TITLES[language])
    parts = dict(zip("abc", dice.sample(COMPANIES, 3), strict=True)) | {"m": dice.choice(_MARKETS)}
    names = {letter: company.name for letter, company in parts.items()}
    title = template.format(**names, n=dice.randint(2, 40), t=dice.choice(_TOPICS))
    tickers = [parts[letter].symbol for letter in parts if f"{{{letter}}}" in template]
    return Headline(title, tuple(tickers), language)


def slug_of(title: str) -> str:
    """A title as it stands in an address."""
    letters = unicodedata.normalize("NFKD", title.lower()).encode("ascii", "ignore").decode()
    words = re.findall(r"[a-z0-9]+", letters.replace("'", ""))
    return "-".join(words[:9]) or "story"
