"""Calls to the API over HTTP, as somebody with a role."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import httpx

from gotgan.app import App

__all__ = ["NOON", "ROLES", "USERS", "Api"]

NOON = datetime(2025, 11, 15, 12, tzinfo=UTC)
ROLES = ("viewer", "editor", "admin")
USERS = {"admin": "u001", "editor": "u002", "viewer": "u003"}


@dataclass
class Api:
    """The API, and a token for each role."""

    app: App
    client: httpx.Client
    tokens: dict[str, str] = field(default_factory=dict)

    def call(
        self, method: str, path: str, *, role: str | None = "admin", **words: Any
    ) -> httpx.Response:
        """Ask with the token of a role; without a role as the public."""
        headers = dict(words.pop("headers", None) or {})
        if role is not None:
            headers.setdefault("Authorization", f"Bearer {self.tokens[role]}")
        return self.client.request(method, f"/v1{path}", headers=headers, **words)

    def data(self, method: str, path: str, **words: Any) -> Any:
        """The data of an answer that must be good."""
        answer = self.call(method, path, **words)
        assert answer.is_success, answer.text
        return answer.json()["data"]

    def refusal(self, method: str, path: str, **words: Any) -> tuple[int, str]:
        """The status and the code of an answer that must be an error."""
        answer = self.call(method, path, **words)
        assert answer.is_error, answer.text
        return answer.status_code, answer.json()["error"]["code"]

    def category(self, category_id: str = "c001", **more: Any) -> Any:
        """A new category."""
        body = {"id": category_id, "title": f"Category {category_id}", **more}
        return self.data("POST", "/categories", json=body)

    def post(self, category_id: str = "c001", **more: Any) -> Any:
        """A new post."""
        body = {"categoryId": category_id, "title": "A title", "contents": "Some words.", **more}
        return self.data("POST", "/posts", json=body)

    def draft(self, category_id: str = "c001", **more: Any) -> Any:
        """A new draft."""
        body = {"categoryId": category_id, "title": "A title", "contents": "Some words.", **more}
        return self.data("POST", "/drafts", json=body)

    def banner(self, **more: Any) -> Any:
        """A new banner."""
        body = {"title": "A banner", "imgUri": "https://cdn.example.com/a.png", **more}
        return self.data("POST", "/banners", json=body)

    def company(self) -> Any:
        """The company, written for the first time."""
        body = {"name": "Family", "email": "contact@example.com", "address": "Seoul"}
        return self.data("PUT", "/corp", json=body)

    def inquiry(self, **more: Any) -> Any:
        """What a visitor left."""
        words = {"name": "Hong", "email": "user@example.com", "subject": "Hello", "message": "Hi."}
        return self.data("POST", "/contact", role=None, json={**words, **more})
