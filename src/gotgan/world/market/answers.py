"""What the exchange answers, in its own words: every number a text, with commas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from functools import lru_cache
from typing import Final

import orjson

from gotgan.world.market.days import previous_session
from gotgan.world.market.indices import WorldIndex, WorldIndexDay
from gotgan.world.market.listings import WorldMarket, WorldShare
from gotgan.world.market.trading import Trade, trades

__all__ = [
    "blank",
    "blanked",
    "found",
    "index_facts",
    "index_rows",
    "joined",
    "market_rows",
    "packed",
]

_NOTHING: Final = "-"
_NUMBERS: Final = (
    "TDD_CLSPRC",
    "CMPPREVDD_PRC",
    "FLUC_RT",
    "TDD_OPNPRC",
    "TDD_HGPRC",
    "TDD_LWPRC",
    "ACC_TRDVOL",
    "ACC_TRDVAL",
    "MKTCAP",
)
_UP, _DOWN, _SAME, _NONE = "1", "2", "3", "0"


def packed(name: str, rows: Iterable[Mapping[str, str]]) -> bytes:
    """An answer with one list."""
    return orjson.dumps({name: list(rows), "CURRENT_DATETIME": ""})


def joined(name: str, parts: Iterable[bytes]) -> bytes:
    """One answer of several."""
    return packed(name, (row for part in parts for row in orjson.loads(part)[name]))


@lru_cache(maxsize=16)
def market_rows(seed: int, market: WorldMarket, count: int, day: date, *, is_final: bool) -> bytes:
    """The prices of a market on a trading day; kept, as demos and tests ask again."""
    rows = trades(seed, market, count, day, is_final=is_final)
    return packed("OutBlock_1", map(_row, rows))


def blank(seed: int, market: WorldMarket, count: int, day: date) -> bytes:
    """A market on a day without trade: the shares are there, and nothing about them."""
    shares = trades(seed, market, count, previous_session(day), is_final=True)
    return packed("OutBlock_1", (blanked(_row(each)) for each in shares))


def _row(trade: Trade) -> dict[str, str]:
    share, change = trade.listing, trade.close - trade.base
    return {
        "ISU_SRT_CD": share.ticker,
        "ISU_CD": share.isin,
        "ISU_ABBRV": share.name,
        "MKT_NM": share.market.name,
        "SECT_TP_NM": "",
        "TDD_CLSPRC": f"{trade.close:,}",
        "FLUC_TP_CD": _NONE if trade.is_halted else _sign(change),
        "CMPPREVDD_PRC": f"{change:,}",
        "FLUC_RT": f"{100 * change / trade.base:.2f}",
        "TDD_OPNPRC": f"{trade.open:,}",
        "TDD_HGPRC": f"{trade.high:,}",
        "TDD_LWPRC": f"{trade.low:,}",
        "ACC_TRDVOL": f"{trade.volume:,}",
        "ACC_TRDVAL": f"{trade.value:,}",
        "MKTCAP": f"{trade.close * trade.shares:,}",
        "LIST_SHRS": f"{trade.shares:,}",
        "MKT_ID": share.market.code,
    }


def blanked(row: dict[str, str]) -> dict[str, str]:
    """A row of a day without trade."""
    return {**row, **dict.fromkeys(_NUMBERS, _NOTHING), "FLUC_TP_CD": _SAME}


def index_rows(days: Iterable[WorldIndexDay]) -> bytes:
    """An index over some days."""
    return packed("output", map(_index_row, days))


def _index_row(day: WorldIndexDay) -> dict[str, str]:
    change = day.close - day.previous
    return {
        "TRD_DD": f"{day.day:%Y/%m/%d}",
        "CLSPRC_IDX": f"{day.close:,.2f}",
        "FLUC_TP_CD": _sign(change),
        "PRV_DD_CMPR": f"{change:,.2f}",
        "UPDN_RATE": f"{100 * change / day.previous:.2f}",
        "OPNPRC_IDX": f"{day.open:,.2f}",
        "HGPRC_IDX": f"{day.high:,.2f}",
        "LWPRC_IDX": f"{day.low:,.2f}",
        "ACC_TRDVOL": f"{day.volume:,}",
        "ACC_TRDVAL": f"{day.value:,}",
        "MKTCAP": f"{int(day.close * 7e11):,}",
    }


def found(shares: Iterable[WorldShare]) -> bytes:
    """What the search for a share finds."""
    rows = (
        {
            "full_code": each.isin,
            "short_code": each.ticker,
            "codeName": each.name,
            "marketCode": each.market.code,
            "marketName": each.market.korean,
            "marketEngName": each.market.name,
            "ord1": "",
            "ord2": "16",
        }
        for each in shares
    )
    return packed("block1", rows)


def index_facts(indices: Iterable[WorldIndex]) -> bytes:
    """What is known about indices."""
    rows = (
        {
            "IDX_NM": each.name,
            "IDX_ENG_NM": each.name,
            "BAS_TM_CONTN": "1980.01.04",
            "IND_TP_CD": each.group,
            "IDX_IND_CD": each.number,
        }
        for each in indices
    )
    return packed("output", rows)


def _sign(change: float) -> str:
    return _SAME if change == 0 else _UP if change > 0 else _DOWN
