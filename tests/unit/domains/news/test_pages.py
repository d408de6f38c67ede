"""What kind of document came, told apart before it is read."""

from __future__ import annotations

import gzip
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gotgan.domains.news.pages import expect_feed, expect_page
from gotgan.errors import BlockPage, ConsentPage, PageError, TruncatedPage, WrongContentType
from tests.unit.domains.news.pages import ADDRESS, Card, answer, document, in_2024

LIST = document(in_2024([Card()]))
FEED = b'<?xml version="1.0"?><rss><channel></channel></rss>'


def _page(title: str, body: str = "") -> bytes:
    return f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode()


@pytest.mark.parametrize(
    "kind", ["text/html", "Text/HTML; charset=utf-8", "application/xhtml+xml", ""]
)
def test_a_whole_page_is_what_was_expected(kind: str) -> None:
    expect_page(answer(LIST, kind))


@pytest.mark.parametrize("end", ["\n", "\n<!-- kept by a cache -->", "<script>x()</script>\r\n"])
def test_something_may_follow_the_end_of_a_page(end: str) -> None:
    expect_page(answer(LIST + end.encode()))
    expect_page(answer(LIST.replace(b"</html>", b"</HTML >") + end.encode()))


@pytest.mark.parametrize("kind", ["application/rss+xml", "application/xml", "text/xml; x=y", ""])
def test_a_feed_is_what_was_expected(kind: str) -> None:
    expect_feed(answer(FEED, kind))


@pytest.mark.parametrize(
    "kind", ["application/json", "text/plain", "image/png", "application/rss+xml", "text/htmlx"]
)
def test_another_kind_of_document_is_told(kind: str) -> None:
    with pytest.raises(WrongContentType, match=rf"{ADDRESS} returned {kind.replace('+', '.')}, "):
        expect_page(answer(LIST, kind))


def test_a_page_where_a_feed_was_expected_is_told() -> None:
    with pytest.raises(WrongContentType, match="returned text/html, not an RSS feed"):
        expect_feed(answer(LIST))


@pytest.mark.parametrize("body", [gzip.compress(LIST, mtime=0), b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"])
def test_bytes_that_are_no_text_are_no_page_whatever_they_are_called(body: bytes) -> None:
    with pytest.raises(WrongContentType, match="returned binary data, not"):
        expect_page(answer(body))
    with pytest.raises(WrongContentType, match="returned binary data, not"):
        expect_feed(answer(body, "text/xml"))


@pytest.mark.parametrize(
    "url",
    [
        "https://consent.yahoo.com/v2/collectConsent?sessionId=3_cc-session_x",
        "https://guce.yahoo.com/consent?brandType=nonEu",
        "https://CONSENT.yahoo.com/",
    ],
)
def test_who_ends_at_a_host_of_consent_is_told_so(url: str) -> None:
    for expect in (expect_page, expect_feed):
        with pytest.raises(ConsentPage, match=r"outside the European Union.*RSS feed"):
            expect(answer(LIST, url=url))


@pytest.mark.parametrize(
    "form",
    [
        '<form method="post" class="consent-form yf">',
        "<FORM class='x consent-form'>",
        '<form action="/v2/collectConsent?sessionId=x">',
    ],
)
def test_a_form_of_consent_is_told_at_any_address(form: str) -> None:
    body = _page("Yahoo is part of the Yahoo family of brands", f"{form}<button>OK</button></form>")
    with pytest.raises(ConsentPage):
        expect_page(answer(body))


def test_a_page_that_only_mentions_consent_is_a_page() -> None:
    mention = '<form action="/search"><a href="https://consent.yahoo.com/v2/collectConsent">x</a>'
    expect_page(
        answer(_page("News", f"{mention}<p class=consent-form>"), url=f"{ADDRESS}?a=consent")
    )
    expect_page(answer(LIST, url="https://finance.yahoo.com/consent.yahoo.com"))


@pytest.mark.parametrize(
    "title",
    [
        "Access Denied",
        "Access to this page has been denied.",
        "Attention Required! | Cloudflare",
        "Just a moment...",
        "\n  Are you a robot?\n",
        "Please verify you are a human",
        "Pardon Our Interruption",
        "Too Many Requests",
    ],
)
def test_a_refusal_is_told_with_what_it_says(title: str) -> None:
    words = " ".join(title.split())[:12]
    with pytest.raises(BlockPage, match=rf"{words}.*GOTGAN_CONTACT.*in an hour"):
        expect_page(answer(_page(title, "<p>Reference 18.2d351ab8</p>")))
    with pytest.raises(BlockPage):
        expect_page(answer(_page("yahoo.com", f"<h1 class=x>{title}</h1>")))


@pytest.mark.parametrize("kind", ["text/html", "text/plain", ""])
def test_a_refusal_in_bare_words_is_one_too(kind: str) -> None:
    for expect in (expect_page, expect_feed):
        with pytest.raises(BlockPage):
            expect(answer(b"Edge: Too Many Requests\r\n", kind))


@pytest.mark.parametrize(
    "title",
    [
        "Access denied: how a bank lost its customers",
        "Just a moment of calm for bonds",
        "Captchas are a billion-dollar business",
        "Retailer sees too many requests",
    ],
)
def test_a_headline_is_not_taken_for_a_refusal(title: str) -> None:
    expect_page(answer(_page(title, f"<h1>{title}</h1>")))


def test_a_page_of_the_size_of_real_ones_is_no_refusal() -> None:
    expect_page(answer(_page("Access Denied", "<p>story</p>" * 10_000)))


@pytest.mark.parametrize("length", [0, 1, len(LIST) // 2, len(LIST) - 1])
def test_a_page_that_ends_in_the_middle_is_told_and_may_be_asked_for_again(length: int) -> None:
    with pytest.raises(TruncatedPage, match=f"after {length:,} bytes?\\. Try again") as caught:
        expect_page(answer(LIST[:length]))
    assert caught.value.retry


@pytest.mark.parametrize(
    "body", [b"<html>", b"\0", b"Access Denied", b'<form class="consent-form">']
)
def test_a_query_may_be_private_and_is_not_told(body: bytes) -> None:
    with pytest.raises(PageError, match=ADDRESS) as caught:
        expect_page(replace(answer(body), asked=f"{ADDRESS}?token=secret"))
    assert "secret" not in caught.value.message


def test_the_end_of_another_page_within_a_page_is_not_its_end() -> None:
    body = b"<html><script>document.write('</html>')</script>" + b"<p>story</p>" * 10_000
    with pytest.raises(TruncatedPage):
        expect_page(answer(body))


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=100) | st.text(max_size=60).map(str.encode), st.text(max_size=12))
def test_whatever_comes_is_let_through_or_told(body: bytes, kind: str) -> None:
    for expect in (expect_page, expect_feed):
        with suppress(PageError):
            expect(answer(body, kind))
