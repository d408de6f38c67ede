"""Answers of KRX, made by hand: one row, and what is wrong with it."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

__all__ = ["BLANK", "DAY", "HALTED", "INDEX", "SHARE", "index_answer", "prices_answer"]

DAY = date(2021, 1, 22)
SHARE = {
    "ISU_SRT_CD": "095570",
    "ISU_CD": "KR7095570008",
    "ISU_ABBRV": "가람네트웍스",
    "MKT_NM": "KOSPI",
    "SECT_TP_NM": "",
    "TDD_CLSPRC": "4,210",
    "FLUC_TP_CD": "1",
    "CMPPREVDD_PRC": "35",
    "FLUC_RT": "0.84",
    "TDD_OPNPRC": "4,190",
    "TDD_HGPRC": "4,245",
    "TDD_LWPRC": "4,160",
    "ACC_TRDVOL": "216,835",
    "ACC_TRDVAL": "910,274,405",
    "MKTCAP": "197,121,861,950",
    "LIST_SHRS": "46,822,295",
    "MKT_ID": "STK",
}
_TRADED = ("TDD_OPNPRC", "TDD_HGPRC", "TDD_LWPRC", "ACC_TRDVOL", "ACC_TRDVAL", "CMPPREVDD_PRC")
HALTED = {**SHARE, "ISU_SRT_CD": "00104K", **dict.fromkeys(_TRADED, "0")}
BLANK = {**SHARE, **dict.fromkeys((*_TRADED, "TDD_CLSPRC", "MKTCAP", "FLUC_RT"), "-")}
INDEX = {
    "TRD_DD": "2021/01/22",
    "CLSPRC_IDX": "3,140.63",
    "FLUC_TP_CD": "2",
    "PRV_DD_CMPR": "-20.21",
    "UPDN_RATE": "-0.64",
    "OPNPRC_IDX": "3,163.83",
    "HGPRC_IDX": "3,185.26",
    "LWPRC_IDX": "3,140.60",
    "ACC_TRDVOL": "1,111,222,984",
    "ACC_TRDVAL": "24,305,355,507,985",
    "MKTCAP": "2,165,993,242,815,529",
}


def prices_answer(*rows: Any) -> bytes:
    """The prices of a market."""
    return json.dumps({"OutBlock_1": rows, "CURRENT_DATETIME": ""}).encode()


def index_answer(*rows: Any) -> bytes:
    """An index over some days."""
    return json.dumps({"output": rows, "CURRENT_DATETIME": ""}).encode()
