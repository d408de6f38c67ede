"""Items as files for other programs."""

from __future__ import annotations

import gc
import io
from collections.abc import Iterator

import pytest

from gotgan.domains.news.export import FORMATS, Format, Row


def _rows() -> Iterator[Row]:
    yield {"pk": "id#1", "tickers": ["NVDA", "AMD"]}
    raise LookupError


@pytest.mark.parametrize("form", FORMATS)
def test_rows_that_end_in_an_error_leave_the_file_open(form: Format) -> None:
    target = io.BytesIO()
    with pytest.raises(LookupError):
        FORMATS[form](_rows(), ["pk", "tickers"], target)
    gc.collect()  # what was put around the file must not close it with itself
    assert not target.closed


def test_rows_before_an_error_are_in_the_file() -> None:
    target = io.BytesIO()
    with pytest.raises(LookupError):
        FORMATS["csv"](_rows(), ["pk", "tickers"], target)
    assert target.getvalue() == b"pk,tickers\r\nid#1,NVDA AMD\r\n"


def test_a_title_is_no_formula_in_a_spreadsheet() -> None:
    target = io.BytesIO()
    rows = [{"pk": "id#1", "title": "=1+1", "is_dst": True, "tickers": ["-X", "AMD"]}]
    assert FORMATS["csv"](rows, ["pk", "title", "is_dst", "tickers"], target) == 1
    assert target.getvalue().splitlines()[1] == b"id#1,'=1+1,true,'-X AMD"
