"""Examples of what may be sent: each can be sent as it stands, to the site of the document."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["EXAMPLES"]

_USER: Final = {"displayName": "김대연", "role": "editor"}
_CATEGORY: Final = {"title": "회사 소식", "desc": "보도자료 및 공지", "order": 1}
_ARTICLE: Final = {
    "categoryId": "c001",
    "title": "2025년 3월 사업보고서",
    "contents": "# 사업보고서\n\n올해 **첫** 보고서입니다.",
}
_DOCUMENT: Final = {
    "type": "doc",
    "content": [{"type": "paragraph", "content": [{"type": "text", "text": "안녕하세요"}]}],
}
_BANNER: Final = {
    "title": "2025 신규 프로젝트",
    "desc": "지금 문의하기",
    "imgUri": "https://cdn.example.com/banner/bn001.png",
    "btn1Text": "자세히 보기",
    "btn1Link": "/posts",
    "btn2Text": "문의하기",
    "btn2Link": "/contact",
}
_COMPANY: Final = {
    "name": "패밀리매니지먼트",
    "address": "서울특별시",
    "email": "contact@example.com",
    "fax": "+82-2-000-0000",
    "corpNum": "123-45-67890",
}


def _only(value: Mapping[str, Any]) -> dict[str, Any]:
    return {"example": {"summary": "An example", "value": value}}


def _article(**more: Any) -> dict[str, Any]:
    return {
        "markdown": {"summary": "In Markdown", "value": {**_ARTICLE, **more}},
        "tiptap": {
            "summary": "As a tiptap document, until it expires",
            "value": {**_ARTICLE, "contents": _DOCUMENT, "expiresAt": 4102444800, **more},
        },
    }


def _partly(changed: Mapping[str, Any], cleared: str) -> dict[str, Any]:
    return {
        "changed": {"summary": "Change a field", "value": {**changed, "version": 1}},
        "cleared": {"summary": "Clear a field", "value": {cleared: None, "version": 1}},
    }


EXAMPLES: Final[Mapping[str, Mapping[str, Any]]] = {
    "adopt_site": {
        "usual": {"summary": "As much as one run reads", "value": {}},
    },
    "create_post": _article(),
    "replace_post": _article(version=1),
    "change_post": _partly({"title": "2025년 4월 사업보고서"}, "expiresAt"),
    "create_draft": _article(),
    "replace_draft": _article(version=1),
    "change_draft": _partly({"title": "2025년 4월 사업보고서"}, "thumbnailUrl"),
    "publish_draft": _only({"version": 1}),
    "create_category": _only({"id": "c001", "slug": "company-news", **_CATEGORY}),
    "replace_category": _only({**_CATEGORY, "version": 1}),
    "change_category": _partly({"order": 2}, "desc"),
    "create_banner": _only({"id": "bn001", **_BANNER}),
    "replace_banner": _only({**_BANNER, "expiresAt": 4102444800, "version": 1}),
    "change_banner": _partly({"title": "2026 신규 프로젝트"}, "btn2Text"),
    "write_company": _only({**_COMPANY, "version": 1}),
    "change_company": _partly({"email": "hello@example.com"}, "fax"),
    "leave_message": _only(
        {
            "name": "홍길동",
            "email": "user@example.com",
            "company": "패밀리매니지먼트",
            "title": "팀장",
            "referral": "search",
            "subject": "협업 문의",
            "message": "협업 관련해서 문의드립니다.",
        }
    ),
    "reply_to_inquiry": _only({"message": "문의해 주셔서 감사합니다.", "version": 1}),
    "set_inquiry_status": _only({"status": "done", "version": 1}),
    "create_user": _only({"id": "u002", **_USER}),
    "replace_user": _only({**_USER, "version": 1}),
    "change_user": {
        "changed": {"summary": "Change a field", "value": {"role": "viewer", "version": 1}}
    },
    "set_preferences": {
        "seoul": {"summary": "Choose a zone", "value": {"zone": "Asia/Seoul"}},
        "automatic": {"summary": "Use the browser's zone again", "value": {"zone": None}},
    },
    "create_token": _only(
        {"userId": "u001", "role": "editor", "note": "블로그 배포", "expiresInDays": 90}
    ),
}
"""By the name of the operation, and by that of the example."""
