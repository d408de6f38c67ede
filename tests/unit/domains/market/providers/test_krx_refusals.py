"""How KRX says no."""

from __future__ import annotations

import pytest

from gotgan.domains.market.providers.krx_responses import expect_answer
from gotgan.errors import BadMarketAnswer, ProviderBlocked, ProviderError, SessionEnded


def _page(words: str) -> bytes:
    return f"\n<!doctype html><html><body>{words}</body></html>".encode()


BLOCK = _page("자동화된 조회로 인해 해당 IP의 접속이 일시적으로 제한되었습니다")
DOWN = _page("<b>Service unavailable</b>: temporary access instability")


@pytest.mark.parametrize(
    ("status", "body", "error"),
    [
        (400, b"LOGOUT", SessionEnded),
        (404, b" LOGOUT\n", SessionEnded),
        (200, b"LOGOUT", SessionEnded),
        (200, BLOCK, ProviderBlocked),
        (403, BLOCK, ProviderBlocked),
        (403, b"", ProviderBlocked),
        (200, _page("Access Denied"), ProviderBlocked),
        (403, DOWN, ProviderError),
        (200, DOWN, ProviderError),
        (500, b"", ProviderError),
        (429, b"", ProviderError),
        (200, _page("welcome"), BadMarketAnswer),
        (400, b"ERROR", BadMarketAnswer),
    ],
)
def test_a_refusal_is_told_by_its_words(
    status: int, body: bytes, error: type[ProviderError]
) -> None:
    with pytest.raises(ProviderError) as refusal:
        expect_answer(status, body)
    assert type(refusal.value) is error


def test_prices_are_no_refusal_whatever_a_company_is_called() -> None:
    expect_answer(200, '{"ISU_ABBRV": "차단 access denied"}'.encode())
