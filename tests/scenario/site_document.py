"""What document 001 writes down: its example items, its key builder, its access patterns."""

from __future__ import annotations

from typing import Any

from gotgan.store.attributes import Item, encode

__all__ = ["EXAMPLES", "as_item", "as_shown"]

EXAMPLES: dict[str, dict[str, Any]] = {
    "User": {
        "PK": "USER#u001",
        "SK": "METADATA",
        "Type": "User",
        "id": "u001",
        "displayName": "김대연",
        "role": "admin",
        "CreatedAt": "2025-11-14T03:00:00Z",
    },
    "Category": {
        "PK": "CATEGORY#c001",
        "SK": "METADATA",
        "Type": "Category",
        "id": "c001",
        "title": "회사 소식",
        "desc": "보도자료 및 공지",
        "CreatedAt": "2025-11-10T01:00:00Z",
        "UpdatedAt": "2025-11-10T01:00:00Z",
    },
    "Post": {
        "PK": "CATEGORY#c001",
        "SK": "POST#p001",
        "Type": "Post",
        "id": "p001",
        "categoryId": "c001",
        "authorId": "u001",
        "title": "2025년 3월 사업보고서",
        "contents": "Markdown contents...",
        "CreatedAt": "2025-11-12T05:00:00Z",
        "UpdatedAt": "2025-11-12T05:30:00Z",
    },
    "Banner": {
        "PK": "BANNER#bn001",
        "SK": "METADATA",
        "Type": "Banner",
        "id": "bn001",
        "title": "2025 신규 프로젝트",
        "desc": "지금 문의하기",
        "imgUri": "https://cdn.fm-web/banner/bn001.png",
        "btn1Text": "자세히 보기",
        "btn2Text": "문의하기",
        "CreatedAt": "2025-11-13T09:00:00Z",
        "UpdatedAt": "2025-11-13T09:00:00Z",
    },
    "CorpInfo": {
        "PK": "CORP#INFO",
        "SK": "METADATA",
        "Type": "CorpInfo",
        "id": "corp-info",
        "name": "패밀리매니지먼트",
        "address": "서울특별시 ...",
        "email": "contact@family.com",
        "fax": "+82-2-000-0000",
        "corpNum": "123-45-67890",
        "CreatedAt": "2025-11-14T00:00:00Z",
        "UpdatedAt": "2025-11-14T00:00:00Z",
    },
    "ContactInquiry": {
        "PK": "CONTACT#inq001",
        "SK": "METADATA",
        "Type": "ContactInquiry",
        "id": "inq001",
        "name": "홍길동",
        "email": "user@example.com",
        "company": "패밀리매니지먼트",
        "title": "팀장",
        "referral": "search",
        "subject": "협업 문의",
        "message": "협업 관련해서 문의드립니다.",
        "status": "new",
        "notifiedEmail": "contact@family.com",
        "CreatedAt": "2025-11-15T09:00:00Z",
        "UpdatedAt": "2025-11-15T09:00:00Z",
    },
}


def as_item(name: str) -> Item:
    """An example as DynamoDB's protocol writes it."""
    return {attribute: encode(value) for attribute, value in EXAMPLES[name].items()}


def as_shown(name: str) -> dict[str, Any]:
    """An example as the API shows it: without its keys, and with the version that it begins at."""
    item = {name: value for name, value in EXAMPLES[name].items() if name not in {"PK", "SK"}}
    return {**item, "version": 1}
