"""A deployed site is allowed everything that it does, by the roles of its own template."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from gotgan.app import App
from gotgan.domains.site.auth import SESSION_COOKIE
from gotgan.domains.site.deployment import template
from gotgan.domains.site.keys import BY_TYPE
from gotgan.domains.site.types import Types
from gotgan.functions import Container
from gotgan.server import create_server
from tests.unit.domains.site.records import caller
from tests.unit.gateway_events import Asked, http_api

from . import mail_server
from .deployed import ADMIN, MESSAGE, TABLE, Data, Deployed, Visit, deployed
from .permissions import Call, allows
from .stack import Stack, stack_of


@pytest.fixture(scope="module")
def stack() -> Stack:
    return stack_of(template())


@pytest.fixture
def site(stack: Stack) -> Iterator[Deployed]:
    with deployed(stack) as site:
        yield site


def _write_articles(visit: Visit) -> None:
    for name in ("c001", "c002"):
        visit.call("POST", "/categories", {"id": name, "title": name, "slug": f"of-{name}"})
    visit.call("GET", "/categories")
    visit.call("GET", "/categories/{id}", id="of-c001")
    visit.call("PUT", "/categories/{id}", {"title": "둘"}, id="c001")
    visit.call("PATCH", "/categories/{id}", {"order": 1}, id="c001")
    article = {"categoryId": "c001", "title": "하나", "contents": "# 하나"}
    _write_posts(visit, article)
    _write_drafts(visit, article)


def _write_posts(visit: Visit, article: Data) -> None:
    post = visit.call("POST", "/posts", article)["id"]
    for query in ("", "?category=c001&q=하나", "?category=of-c001&consistent=true"):
        visit.call("GET", f"/posts{query}")
    visit.call("GET", "/posts/{id}", id=post)
    visit.call("PUT", "/posts/{id}", {**article, "expiresAt": 4_000_000_000}, id=post)
    visit.call("PATCH", "/posts/{id}", {"title": "셋"}, id=post)
    visit.call("PATCH", "/posts/{id}", {"categoryId": "c002"}, id=post)
    visit.call("DELETE", "/posts/{id}", id=post)
    visit.call("DELETE", "/categories/{id}", id="c002")


def _write_drafts(visit: Visit, article: Data) -> None:
    draft, other = (visit.call("POST", "/drafts", article)["id"] for _ in range(2))
    visit.call("GET", "/drafts")
    visit.call("GET", "/drafts")
    visit.call("GET", "/drafts/{id}", id=draft)
    visit.call("PUT", "/drafts/{id}", article, id=draft)
    visit.call("PATCH", "/drafts/{id}", {"title": "넷"}, id=draft)
    visit.call("POST", "/drafts/{id}/publish", {}, id=draft)
    visit.call("GET", "/posts/{id}", id=draft)
    visit.call("DELETE", "/drafts/{id}", id=other)


def _write_banners_and_company(visit: Visit) -> None:
    banner = {"title": "신규", "imgUri": "/banner.png"}
    made = visit.call("POST", "/banners", banner)["id"]
    visit.call("GET", "/banners")
    visit.call("GET", "/banners/{id}", id=made)
    visit.call("PUT", "/banners/{id}", banner, id=made)
    visit.call("PATCH", "/banners/{id}", {"desc": None}, id=made)
    visit.call("DELETE", "/banners/{id}", id=made)
    visit.call("PUT", "/corp", {"name": "곳간", "email": "desk@example.com"})
    visit.call("PATCH", "/corp", {"fax": None})
    visit.call("GET", "/corp")


def _write_users(visit: Visit) -> None:
    visit.call("POST", "/users", {"id": "u002", "displayName": "이영희", "role": "editor"})
    visit.call("GET", "/users")
    visit.call("GET", "/users/{id}", id="u002")
    visit.call("PUT", "/users/{id}", {"displayName": "이영희", "role": "viewer"}, id="u002")
    visit.call("PATCH", "/users/{id}", {"displayName": "이"}, id="u002")
    wanted = {"userId": "u002", "role": "viewer"}
    first, _ = (visit.call("POST", "/tokens", wanted)["token"] for _ in range(2))
    visit.call("GET", "/tokens")
    visit.call("POST", "/tokens/{userId}/{tokenId}/revoke", userId="u002", tokenId=first["id"])
    visit.call("DELETE", "/users/{id}", id="u002")


def _answer_inquiries(visit: Visit) -> None:
    inquiry = visit.call("POST", "/contact", MESSAGE)["id"]
    visit.call("GET", "/contact")
    visit.call("GET", "/contact/{id}", id=inquiry)
    visit.call("POST", "/contact/{id}/reply", {"message": "네"}, id=inquiry)
    visit.call("POST", "/contact/{id}/status", {"status": "done"}, id=inquiry)
    mail = visit.call("GET", "/mails")["items"][0]["id"]
    visit.call("GET", "/mails/{id}", id=mail)
    visit.call("POST", "/mails/{id}/retry", id=mail)


def test_every_route_of_the_api_is_allowed_what_it_does(site: Deployed) -> None:
    visit = site.admin()
    for plain in ("/health", "/me", "/types"):
        visit.call("GET", plain)
    visit.call("PATCH", "/me", {"zone": "Asia/Seoul"})
    _write_articles(visit)
    _write_banners_and_company(visit)
    _write_users(visit)
    _answer_inquiries(visit)
    for name in Types(site.operator.store).all():
        visit.call("GET", f"/items?type={name}")
    assert site.refused() == []
    assert visit.answered == _routes(site.operator)


def _routes(app: App) -> set[tuple[str, str]]:
    paths = create_server(app, domains=("site",)).openapi()["paths"]
    return {(method.upper(), path) for path, methods in paths.items() for method in methods}


def test_every_page_of_the_console_is_allowed_what_it_reads(site: Deployed) -> None:
    visit = site.admin()
    _write_articles(visit)
    _write_banners_and_company(visit)
    _answer_inquiries(visit)
    web, _ = site.function("WebFunction")
    form = f"code={site.operator.site.tokens.sign_in_code(ADMIN)}"
    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = web.web(http_api(Asked("POST", "/sign-in", headers=kind, body=form)), None)
    [session] = re.findall(f"{SESSION_COOKIE}=([^;]+)", " ".join(answer["cookies"]))
    seen = _read_all(web, session)
    assert "/" in seen
    assert site.refused() == []
    assert {path for path, status in seen.items() if status >= 500} == set()


def _read_all(web: Container, session: str) -> dict[str, int]:
    """Follow every link of every page, and give what each was answered with."""
    seen: dict[str, int] = {}
    waiting = deque(["/"])
    while waiting:
        address = waiting.popleft()
        path, _, query = address.partition("?")
        if path in seen or path.startswith("/static/"):
            continue
        asked = Asked(path=path, query=query, cookies={SESSION_COOKIE: session})
        answer = web.web(http_api(asked), None)
        seen[path] = answer["statusCode"]
        waiting += re.findall(r'href="(/[^"#]*)"', answer.get("body", ""))
    return seen


@contextmanager
def _mail_function(site: Deployed) -> Iterator[tuple[Container, mail_server.MailServer]]:
    with mail_server.serving() as server:
        container, _ = site.function("MailFunction", GOTGAN_SMTP_URL=server.url.reveal())
        yield container, server


def test_who_sends_mails_may_send_them_and_note_it(site: Deployed) -> None:
    site.operator.site.company.replace({"name": "곳간", "email": "d@example.com"})
    inquiry = site.receive()
    site.operator.site.inquiries.reply(inquiry, "네", by=caller(ADMIN))
    with _mail_function(site) as (container, server):
        assert container.send_mails()["sent"] == 2
        assert len(server.received) == 2
    assert site.refused() == []
    told = site.operator.site.inquiries.get(inquiry, consistent=True)
    assert told.notified_email == "d@example.com"


def test_who_sends_mails_may_put_back_what_failed(site: Deployed) -> None:
    site.receive()  # with no company that it could go to
    with _mail_function(site) as (container, _):
        assert container.send_mails()["failed"] == 1
    assert site.refused() == []


def test_who_sends_mails_may_take_away_what_leads_nowhere(site: Deployed) -> None:
    site.receive()
    [mail] = site.operator.site.mails.list()
    site.operator.store.delete(mail.key)
    with _mail_function(site) as (container, _):
        container.send_mails()
        container.send_mails()
    assert site.refused() == []


def test_a_function_that_does_more_than_it_may_is_seen(site: Deployed) -> None:
    container, _ = site.function("MailFunction")
    answer = container.web(http_api(Asked(path="/v1/posts")), None)
    assert answer["statusCode"] == 500
    assert "dynamodb" not in answer["body"]
    assert site.refused() == [Call("Query", f"{TABLE}/index/{BY_TYPE.name}", ("Post",))]


@pytest.mark.parametrize("name", ["WebFunction", "MailFunction"])
@pytest.mark.parametrize(
    "call",
    [
        Call("Scan", TABLE, ()),
        Call("DeleteTable", TABLE, ()),
        Call("GetItem", TABLE, ("ELSE#1",)),
        Call("PutItem", TABLE, ("ELSE#1",)),
        Call("GetItem", TABLE.replace("-dev", "-prod"), ("CORP#INFO",)),
        Call("Query", f"{TABLE}/index/{BY_TYPE.name}", ("Else",)),
        Call("BatchGetItem", TABLE, ("CORP#INFO", "ELSE#1")),
    ],
    ids=lambda call: f"{call.action} {call.keys}",
)
def test_nothing_else_is_allowed(stack: Stack, name: str, call: Call) -> None:
    assert not allows(stack.statements(name), call)


@pytest.mark.parametrize("key", ["USER#u001", "CATEGORY#c001", "SIGN_IN#x", "RATE#x"])
def test_who_sends_mails_knows_nothing_of_users_and_posts(stack: Stack, key: str) -> None:
    statements = stack.statements("MailFunction")
    for action in ("GetItem", "Query", "PutItem", "UpdateItem", "DeleteItem"):
        assert not allows(statements, Call(action, TABLE, (key,)))
