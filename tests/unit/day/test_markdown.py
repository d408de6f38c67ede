"""The page of a day as it is published."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from gotgan.day import messages
from gotgan.day.markdown import AUTHOR, day_markdown, day_title
from gotgan.day.page import DayFailure, DayPage
from gotgan.day.texts import ENGLISH
from gotgan.domains.market.rows import Breadth, DaySheet
from gotgan.domains.market.summary import Screened
from gotgan.domains.news.models import NewsItem
from gotgan.domains.news.summary import TickerCount
from gotgan.domains.site.content import render
from gotgan.domains.site.summary import SitePost
from gotgan.texts import korean_texts
from tests.unit.day.made import (
    DAY,
    NOW,
    a_change,
    a_job,
    a_page,
    a_tick,
    a_video,
    market,
    news,
    shops,
    site,
    videos,
)
from tests.unit.domains.market.row_values import a_mover, an_index

TOMORROW = DAY + timedelta(days=1)


def item(title: str, *tickers: str) -> NewsItem:
    url = "https://finance.yahoo.com/news/a-story-000000001.html"
    return NewsItem(source="yf_latest", title=title, url=url, tickers=tickers, uploaded_at=NOW)


def post(title: str, author: str = "u001") -> SitePost:
    return SitePost(title, "c", author, title, NOW)


def english(page: DayPage) -> str:
    return day_markdown(page, "en")


def test_the_title_is_the_day_in_words_and_whose_day_it_is() -> None:
    assert day_title(a_page(), "en") == "Thursday, 6 November 2025 (Seoul)"


def test_a_day_without_anything_says_so() -> None:
    assert english(a_page()) == "Nothing was collected on this day.\n"
    page = a_page(
        news=news(), shops=shops(), site=site(), videos=videos(), market=market(), work=()
    )
    assert english(page) == english(a_page())


def test_headlines_are_links_with_their_time_and_tickers() -> None:
    headlines = (item("*Up* 3 %", "AAPL", "TSLA"),)
    day = news(new=1, headlines=headlines, tickers=(TickerCount("AAPL", 1),))
    told = english(a_page(news=day))
    assert told == (
        "## News\n\n1 new story. AAPL 1.\n\n"
        r"- 18:30 [\*Up\* 3 %](https://finance.yahoo.com/news/a-story-000000001.html) (AAPL, TSLA)"
        "\n"
    )


def test_the_market_tells_indices_movers_and_what_stands_out() -> None:
    share: Any = a_mover("가나", "000001", 1_100, 10.0)
    sheet = DaySheet(DAY, (an_index(),), Breadth(2, 1, 0, 1), (share,))
    screens = {"oversold": Screened(11, (share,) * 10), "overbought": Screened(0, ())}
    told = english(a_page(market=market(sheet=sheet, screens=screens)))
    assert "| KOSPI | 2,050.00 | +2.50 % |" in told
    assert "2 rising, 1 falling, 0 unchanged, 1 halted." in told
    assert "| 가나 (000001) | 1,100 | +10.00 % |" in told
    assert "- **RSI below 30**: 가나 (000001), " in told
    assert "and 3 more" in told
    assert "RSI above 70" not in told


def test_changes_stand_in_a_table_with_what_was_and_what_is() -> None:
    day = shops(
        changes=(a_change(before=None, title=None), a_change()),
        counts={"new": 1, "price_down": 1},
        is_cut=True,
    )
    told = english(a_page(shops=day))
    assert "At least 1 new, 1 price down." in told
    assert (
        "| [A clock](https://antik.test/clock) | antik.test | price down | 100.00 EUR → 90.00 EUR |"
    ) in told
    assert "| [https://antik.test/clock](https://antik.test/clock) | antik.test | new |" in told


def test_videos_that_were_analysed_are_told_once() -> None:
    day = videos(
        a_video("abc", "completed", "A film"),
        a_video("abc", "completed", "A film"),
        a_video("xyz", "failed", "Another"),
    )
    told = english(a_page(videos=day))
    assert told == "## Videos\n\n2 analyses.\n\n- [A film](https://www.youtube.com/watch?v=abc)\n"


def test_days_do_not_tell_of_one_another() -> None:
    day = site(posts=(post("A notice"), post("Another day", AUTHOR)))
    assert english(a_page(site=day)) == "## Published\n\n- A notice\n"


def test_a_failure_of_today_waits_until_it_is_over() -> None:
    over = DayFailure("market", "market.collect", NOW, "half a market", "Succeeded at 18:00", True)  # noqa: FBT003 - as it is shown
    still = DayFailure("shops", "a.test", NOW, "blocked", "due again tomorrow", False)  # noqa: FBT003 - the same
    told = english(a_page(failures=(still, over)))
    assert told == ("## What failed\n\n- **market.collect**: half a market (Succeeded at 18:00)\n")
    past = english(a_page(today=TOMORROW, failures=(still, over)))
    assert "- **a.test**: blocked\n" in past


def test_a_failure_is_said_in_the_language_of_published_days() -> None:
    over = DayFailure("market", "prices", NOW, messages.NOT_COLLECTED(), "", is_over=True)
    assert "**prices**: 수집 실패" in day_markdown(a_page(failures=(over,)))


def test_work_is_told_with_how_long_it_took_and_what_it_cost() -> None:
    jobs = (a_job(a_tick(9), a_tick(8, "failed")), a_job(name="site.send_mails"))
    told = english(a_page(work=jobs))
    assert "| news.collect | 2 | 1 | 2.0 s | 10 read, 1 write units |" in told
    assert "site.send_mails" not in told


def test_what_will_be_otherwise_tomorrow_is_left_out() -> None:
    page = a_page(news=news(new=1, headlines=(item("A"),), waiting=7, dead=3), site=site())
    busy = a_page(news=news(new=1, headlines=(item("A"),)), site=site(mails_waiting=9))
    assert english(page) == english(busy)


def test_it_can_be_shown_as_a_page() -> None:
    day = news(new=1, headlines=(item("<script>alert(1)</script>"),))
    shown = render(english(a_page(news=day)), "markdown")
    assert "<h2>News</h2>" in shown
    assert "<script>" not in shown


def test_a_published_day_is_korean_unless_the_settings_say_otherwise() -> None:
    page = a_page(
        news=news(new=2, headlines=(item("A"),)),
        shops=shops(changes=(a_change(),), counts={"price_down": 1}),
        videos=videos(a_video("abc", "completed", "A film")),
        work=(a_job(a_tick(9)),),
    )
    told = day_markdown(page)
    assert day_title(page) == "2025년 11월 6일 목요일 일일 요약(서울)"
    for words in ("## 뉴스\n\n새 기사 2건.", "가격 인하 1건.", "분석 1건.", "| 작업 | 실행 |"):
        assert words in told
    assert not {"Market", "News", "Shops", "At work"} & set(told.split())
    assert day_markdown(a_page()) == "이날 수집한 것이 없습니다.\n"


def test_every_word_of_a_day_is_there_in_both_languages() -> None:
    assert set(ENGLISH) <= set(korean_texts("day"))
    for key, english_text in ENGLISH.items():
        places = set(re.findall(r"{(\w+)}", english_text)) - {"month_name"}
        assert places == set(re.findall(r"{(\w+)}", korean_texts("day")[key])) - {"month"}, key
