"""What a site sends instead of an article, each kind told from the others."""

from __future__ import annotations

import pytest

from gotgan.domains.news.article import Article, extract_article
from gotgan.domains.news.not_articles import captcha_vendor
from gotgan.domains.news.pages import expect_page
from gotgan.errors import (
    BlockPage,
    CaptchaPage,
    NeedsScripts,
    NotAnArticle,
    PageTakenDown,
    UnknownShape,
)
from tests.unit.domains.news.articles import SENTENCE, linked, page
from tests.unit.domains.news.pages import answer

ELSEWHERE = "https://www.wire.example/business/story"
QUOTE = "https://finance.yahoo.com/quote/NVDA/"
LONG = f"<p>{SENTENCE * 12}</p>"

CAPTCHAS = {
    "Cloudflare": "<title>Just a moment...</title><script>window._cf_chl_opt={cvId:'3'}</script>"
    "<noscript>Enable JavaScript and cookies to continue</noscript>",
    "DataDome": "<title>Wire</title><p id=cmsg>Please enable JS</p><script>var dd={'rt':'c'}"
    "</script><script src=https://ct.captcha-delivery.com/c.js></script>",
    "HUMAN (PerimeterX)": "<title>Wire</title><div id=px-captcha></div><p>Press & Hold to confirm "
    "you are a human (and not a bot).</p>",
    "Akamai": "<h1>Wire</h1><div id=sec-if-cpt-container></div>",
    "Imperva": "<iframe src='/_Incapsula_Resource?SWUDNSAI=31'>Request unsuccessful.</iframe>",
    "AWS WAF": "<script>window.gokuProps = {key: 'x'};</script><div id=challenge-container></div>",
    "Kasada": "<title></title><script src=/149e9513/ips.js></script><script>KPSDK.now()</script>",
    "F5": "<script>window[\"bobcmn\"] = '1';</script><p>Please enable JavaScript.</p>",
    "Radware": "<title>Wire</title><script src=https://validate.perfdrive.com/c.js></script>",
    "Sucuri": "<script>var sucuri_cloudproxy_js='',S='x';</script><p>You are being redirected</p>",
    "Arkose Labs": "<title>Wire</title><script src=https://wire.arkoselabs.com/v2/api.js></script>",
    "GeeTest": "<title>Wire</title><script src=https://static.geetest.com/v4/gt4.js></script>",
    "hCaptcha": "<title>Wire</title><form><div class=h-captcha></div></form>"
    "<script src=https://js.hcaptcha.com/1/api.js></script>",
    "reCAPTCHA": "<title>Wire</title><p>Prove that you are a person.</p>"
    "<script src=https://www.google.com/recaptcha/api.js></script>",
    "Turnstile": "<script src=https://challenges.cloudflare.com/turnstile/v0/api.js></script>",
}


@pytest.mark.parametrize("vendor", CAPTCHAS)
def test_a_captcha_names_its_vendor(vendor: str) -> None:
    given = page(CAPTCHAS[vendor])
    assert captcha_vendor(given) == vendor
    with pytest.raises(CaptchaPage, match=r"asks for a captcha of .*GOTGAN_CONTACT"):
        expect_page(answer(given))
    with pytest.raises(CaptchaPage):
        extract_article(given, ELSEWHERE)


@pytest.mark.parametrize("vendor", CAPTCHAS)
def test_a_page_that_a_vendor_protects_is_read(vendor: str) -> None:
    given = page(f"<main>{LONG}</main>{CAPTCHAS[vendor].replace('<title>', '<b>')}")
    assert captcha_vendor(given) is None
    assert isinstance(extract_article(given, ELSEWHERE), Article)


def test_marks_of_captchas_in_many_open_comments_are_found_at_once() -> None:
    assert captcha_vendor(b"px-captcha" + b"<!--" * 250_000) == "HUMAN (PerimeterX)"


def test_a_captcha_counts_as_a_block() -> None:
    assert issubclass(CaptchaPage, BlockPage)


@pytest.mark.parametrize(
    "title",
    [
        "404",
        "404 Not Found",
        "Page not found | The Wire",
        "The Wire - Page Not Found",
        "404 - Page not found",
        "Oops, this page doesn\u2019t exist.",
        "Sorry, the page you are looking for could not be found",
        "This article is no longer available",
        "This story has been removed",
        "We can't find the page you're looking for",
        "페이지를 찾을 수 없습니다 | 곳간일보",
        "삭제된 기사입니다",
        "Seite nicht gefunden – Der Draht",
        "Page non trouvée",
        "Página no encontrada | El cable",
        "Pagina niet gevonden",
        "ページが見つかりません",
        "410 Gone",
        "Oops! That page can\u2019t be found.",
        "We're sorry, this page no longer exists",
        "The requested URL was not found on this server.",
    ],
)
def test_a_stub_says_that_the_page_is_gone(title: str) -> None:
    stub = page(f"<h1>{title}</h1><p>Try the search.</p><a href='/'>Home</a>")
    with pytest.raises(PageTakenDown, match=r"wire\.example/business/story says"):
        extract_article(stub, ELSEWHERE)
    with pytest.raises(PageTakenDown):
        extract_article(page("<p>Home</p>", f"<title>{title}</title>"), ELSEWHERE)


@pytest.mark.parametrize(
    "title",
    [
        "404 Media raises money",
        "Gone with the wind of change",
        "Nothing found its way to the market",
        "Page Industries beats forecasts",
        "The story of a page that could not be found",
        "Missing: the article of the year",
    ],
)
def test_a_headline_does_not_say_that_the_page_is_gone(title: str) -> None:
    with pytest.raises(UnknownShape):
        extract_article(page(f"<h1>{title}</h1>"), ELSEWHERE)


def test_a_long_article_may_be_called_not_found() -> None:
    found = extract_article(page(f"<main><h1>Page not found</h1>{LONG}</main>"), ELSEWHERE)
    assert isinstance(found, Article)


@pytest.mark.parametrize(
    "body",
    [
        '<div id="root"></div><script src="/static/js/main.js"></script>',
        '<div id="__next"><div></div></div><script>self.__next_f=[]</script>',
        '<app-root></app-root><script type="module" src="main.js"></script>',
        "<noscript>You need to enable JavaScript to run this app.</noscript><script>x()</script>",
        "<p>This site requires JavaScript.</p><script>x()</script>",
    ],
)
def test_an_empty_frame_waits_for_scripts(body: str) -> None:
    with pytest.raises(NeedsScripts, match=r"nothing to read at https://www\.wire\.example"):
        extract_article(page(body), ELSEWHERE)


@pytest.mark.parametrize(
    "body",
    [
        '<div id="root"></div>',
        '<div id="root"><p>Short.</p></div><script>x()</script>',
        "<div></div><script>x()</script>",
    ],
    ids=["no scripts", "something to read", "no place"],
)
def test_a_page_without_text_does_not_wait_for_scripts(body: str) -> None:
    with pytest.raises(UnknownShape):
        extract_article(page(body), ELSEWHERE)


def _cards(count: int) -> str:
    return "".join(
        f"<div class=card><h3><a href=/{n}>Headline number {n} of the day</a></h3>"
        f"<div><p>What it is about, in a sentence or two that make one want to read on.</p></div>"
        f"</div>"
        for n in range(count)
    )


def _figures() -> str:
    rows = "".join(f"<tr><td>Row {n}</td><td>{n}.{n}</td><td>{n * 3}%</td></tr>" for n in range(40))
    return f"<main><h1>NVDA</h1><table>{rows}</table></main>"


@pytest.mark.parametrize(
    ("body", "head"),
    [
        (f"<main>{_cards(12)}</main>", ""),
        (_figures(), ""),
        (
            f"<main>{_cards(5)}</main>",
            linked().replace("NewsArticle", "CollectionPage"),
        ),
    ],
    ids=["cards", "figures", "declared"],
)
def test_lists_and_figures_are_no_articles(body: str, head: str) -> None:
    with pytest.raises(NotAnArticle, match="is a list, an index or a quote page"):
        extract_article(page(body, head), ELSEWHERE)


def test_a_quote_page_of_yahoo_is_no_article() -> None:
    with pytest.raises(NotAnArticle):
        extract_article(page(f"<main>{LONG}</main>"), QUOTE)
    article = QUOTE.replace("/quote/NVDA/", "/news/quote-of-the-day-060559667.html")
    assert isinstance(extract_article(page(f"<main>{LONG}</main>"), article), Article)


@pytest.mark.parametrize(
    "head", [linked(), '<meta property="og:type" content="article">'], ids=["JSON-LD", "Open Graph"]
)
def test_a_page_that_declares_itself_an_article_is_one(head: str) -> None:
    assert isinstance(extract_article(page(_figures(), head), ELSEWHERE), Article)
    short = page(f"<article><h1>Brief</h1><p>{SENTENCE}</p></article>", head)
    found = extract_article(short, ELSEWHERE)
    assert isinstance(found, Article)
    assert SENTENCE.strip() in found.text


def test_an_article_with_related_cards_is_an_article() -> None:
    paragraphs = "".join(f"<div><p>{SENTENCE} It was the {n}th time.</p></div>" for n in range(6))
    found = extract_article(page(f"<main><h1>A</h1>{paragraphs}</main>{_cards(12)}"), ELSEWHERE)
    assert isinstance(found, Article)
    assert found.text.count(SENTENCE.strip()) == 6
