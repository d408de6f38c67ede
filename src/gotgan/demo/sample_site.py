"""A small site to look at: a company, its categories, posts, a draft, a banner and a message."""

from __future__ import annotations

from typing import Final

from gotgan.domains.site.service import Site

NEWS: Final = "c001"
NOTICES: Final = "c002"
DAYS: Final = "c003"
"""The categories, by their ids; the last one is for the pages of days."""
COMPANY: Final = "desk@example.com"
"""Where notices of inquiries go, and what mails come from."""

_REPORT: Final = """\
지난 분기의 **매출**과 *주요 사업*을 정리했습니다.

| 분기 | 매출 (억 원) | 전년 대비 |
| --- | ---: | ---: |
| 1분기 | 128 | +12 % |
| 2분기 | 141 | +9 % |

- 새 창고 관리 서비스 출시
- 두 번째 물류 센터 착공

자세한 내용은 [공시 자료](https://example.com/ir)를 보아 주십시오.
"""
_NOTICE: Final = """\
서비스 점검으로 **일요일 02:00–04:00 (KST)** 에 접속이 잠시 끊길 수 있습니다.

> 점검 시간은 상황에 따라 달라질 수 있습니다.
"""
_WELCOME: Final = """\
Welcome to our new site. Every page here comes from *one* table.

1. Posts belong to a category.
2. Drafts are seen by the staff alone.
3. `GET /v1/posts?category=news` reads the same posts.
"""


def fill_site(site: Site) -> None:
    """Fill a site that has no categories yet; one that has some is left alone."""
    if site.categories.list():
        return
    author = site.users.owner().id
    site.categories.create(id=NEWS, title="회사 소식", slug="news", order=1)
    site.categories.create(id=NOTICES, title="공지 사항", slug="notices", order=2)
    site.categories.create(id=DAYS, title="그날의 곳간", slug="days", order=3)
    posts = (
        (NEWS, "Our new site", _WELCOME),
        (NOTICES, "정기 점검 안내", _NOTICE),
        (NEWS, "2분기 사업 보고서", _REPORT),
    )
    for category, title, contents in posts:
        site.posts.create(category_id=category, author_id=author, title=title, contents=contents)
    site.drafts.create(
        category_id=NEWS, author_id=author, title="3분기 사업 보고서 (작성 중)", contents=_REPORT
    )
    site.banners.create(
        id="bn001",
        title="2026 신규 프로젝트",
        desc="창고를 처음부터 다시 짓습니다.",
        img_uri="/static/sample-banner.svg",
        btn1_text="자세히 보기",
        btn1_link="/site/posts",
        btn2_text="문의하기",
        btn2_link="/site/inquiries",
    )
    site.company.replace(
        {
            "name": "곳간 상사",
            "address": "서울특별시 중구",
            "corp_num": "123-45-67890",
            "email": COMPANY,
        }
    )
    site.inquiries.receive(
        name="홍길동",
        email="user@example.com",
        company="예시 상회",
        title="팀장",
        referral="search",
        subject="협업 문의",
        message="협업 관련해서 문의드립니다.\n편한 시간에 연락 주십시오.",
        address="127.0.0.1",
    )
