"""The functions on Lambda: real events in, answers for API Gateway out, and nothing on disk."""

from __future__ import annotations

import base64
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from gotgan.app import App
from gotgan.console.render import static_url
from gotgan.domains.site.auth import SESSION_COOKIE
from gotgan.errors import SettingsError
from gotgan.functions import Container
from gotgan.settings import Settings
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server

from .domains.site import mail_server
from .gateway_events import KINDS, Asked, function_url, http_api, rest_api

SECRET = "0123456789abcdef0123456789abcdef"
MESSAGE = {
    "name": "홍길동",
    "email": "user@example.com",
    "subject": "협업 문의",
    "message": "함께 일하고 싶습니다.",
}

Event = dict[str, Any]
Kind = Callable[[Asked], Event]
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with Engine(None) as engine, background_server(engine) as url:
        yield url


@pytest.fixture
def environment(endpoint: str) -> dict[str, str]:
    """The variables of a function, with a table that no other test has."""
    return {
        "GOTGAN_DYNAMODB": endpoint,
        "GOTGAN_SECRET": SECRET,
        "GOTGAN_TABLES": f"FMWebAppTable=site-{uuid4()}",
    }


@pytest.fixture
def app(environment: dict[str, str]) -> Iterator[App]:
    with App.open(Settings.from_env(environment)) as app:
        app.prepare()
        yield app


@pytest.fixture
def container(environment: dict[str, str], app: App) -> Iterator[Container]:  # noqa: ARG001 - the tables first
    with Container(environment) as container:
        yield container


def _data(answer: dict[str, Any]) -> Any:
    return json.loads(answer["body"])["data"]


def _contact(**headers: str) -> Asked:
    sent = {"Content-Type": "application/json", **headers}
    return Asked("POST", "/v1/contact", headers=sent, body=json.dumps(MESSAGE))


@every_kind
def test_the_api_answers(container: Container, kind: Kind) -> None:
    answer = container.web(kind(Asked(path="/v1/health")), None)
    assert answer["statusCode"] == 200
    assert answer["headers"]["content-type"] == "application/json"
    assert not answer["isBase64Encoded"]
    assert _data(answer)["status"] == "ok"


@every_kind
def test_a_message_is_taken_with_its_body(container: Container, app: App, kind: Kind) -> None:
    answer = container.web(kind(_contact()), None)
    assert answer["statusCode"] == 201
    assert app.site.inquiries.get(_data(answer)["id"]).message == MESSAGE["message"]


@every_kind
def test_a_body_in_base64_is_the_same_body(container: Container, app: App, kind: Kind) -> None:
    asked = Asked(
        "POST",
        "/v1/contact",
        headers={"Content-Type": "application/json"},
        body=json.dumps(MESSAGE).encode(),
    )
    answer = container.web(kind(asked), None)
    assert app.site.inquiries.get(_data(answer)["id"]).name == "홍길동"


@every_kind
def test_the_query_reaches_the_route(container: Container, app: App, kind: Kind) -> None:
    app.site.banners.create(title="2025 신규", img_uri="/a.png")
    asked = Asked(path="/v1/items", query="type=Banner&limit=1")
    assert [item["title"] for item in _data(container.web(kind(asked), None))["items"]] == [
        "2025 신규"
    ]


@every_kind
def test_a_file_that_is_no_text_comes_in_base64(container: Container, kind: Kind) -> None:
    path, _, query = static_url("favicon.svg").partition("?")
    answer = container.web(kind(Asked(path=path, query=query)), None)
    assert answer["statusCode"] == 200
    assert answer["isBase64Encoded"]
    assert b"<svg" in base64.b64decode(answer["body"])
    assert "immutable" in answer["headers"]["cache-control"]


@every_kind
def test_an_error_is_told_in_the_envelope(container: Container, kind: Kind) -> None:
    asked = Asked(path="/v1/posts/nothing", headers={"X-Request-Id": "trace-1"})
    answer = container.web(kind(asked), None)
    error = json.loads(answer["body"])["error"]
    assert answer["statusCode"] == 404
    assert (error["code"], error["traceId"]) == ("not_found", "trace-1")


@every_kind
def test_what_the_database_refuses_is_an_answer_too(
    environment: dict[str, str], kind: Kind
) -> None:
    with Container(environment) as container:  # whose table nobody has made
        answer = container.web(kind(Asked(path="/v1/corp")), None)
        health = container.web(kind(Asked(path="/v1/health")), None)
    assert answer["statusCode"] == 500
    assert json.loads(answer["body"])["error"]["code"] == "failed"
    assert health["statusCode"] == 503
    assert json.loads(health["body"])["error"]["details"] == {"store": "store.table_missing"}


@every_kind
def test_the_console_signs_in_and_keeps_the_session(
    container: Container, app: App, kind: Kind
) -> None:
    app.site.users.create(id="u001", display_name="김대연", role="admin")
    form = f"code={app.site.tokens.sign_in_code('u001')}"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    answer = container.web(kind(Asked("POST", "/sign-in", headers=headers, body=form)), None)
    assert answer["statusCode"] == 303
    session = _cookies(answer)[SESSION_COOKIE]
    assert "Secure" in session
    token = session.partition(";")[0]
    page = container.web(kind(Asked(cookies={SESSION_COOKIE: token})), None)
    assert page["statusCode"] == 200
    assert "김대연" in page["body"]


def _cookies(answer: dict[str, Any]) -> dict[str, str]:
    """The cookies of an answer: HTTP APIs have a list for them, REST APIs have headers."""
    many = answer.get("multiValueHeaders", {}).get("set-cookie", [])
    lines = answer.get("cookies") or many or [answer["headers"]["set-cookie"]]
    return {name: value for name, _, value in (line.partition("=") for line in lines)}


@every_kind
def test_a_visitor_is_counted_by_the_address_that_the_gateway_saw(
    container: Container, kind: Kind
) -> None:
    """Whatever ``X-Forwarded-For`` claims, the sixth message from one address is refused."""
    answers = [
        container.web(kind(_contact(**{"X-Forwarded-For": f"192.0.2.{number}"})), None)
        for number in range(6)
    ]
    assert [answer["statusCode"] for answer in answers] == [201] * 5 + [429]


@pytest.mark.parametrize(
    "event",
    [
        http_api(Asked(path="/v1/health"), stage="dev"),
        http_api(Asked(path="/v1/health"), stage="v1"),
        http_api(Asked(path="/v1/health"), domain="site.example.com"),
        rest_api(Asked(path="/v1/health"), stage="v1"),
        function_url(Asked(path="/v1/health")),
    ],
    ids=["stage", "stage like our path", "own domain", "REST stage", "function URL"],
)
def test_a_stage_before_the_path_is_passed_over(container: Container, event: Event) -> None:
    assert container.web(event, None)["statusCode"] == 200


def test_a_domain_of_ones_own_has_no_stage_in_its_paths(container: Container) -> None:
    event = http_api(Asked(path="/v1/health"), domain="site.example.com")
    event["requestContext"]["stage"] = "v1"
    assert container.web(event, None)["statusCode"] == 200


def test_calls_share_what_the_first_one_opened(container: Container) -> None:
    container.web(http_api(Asked(path="/v1/health")), None)
    opened = dict(vars(container))
    container.web(http_api(Asked(path="/v1/corp")), None)
    container.send_mails()
    assert vars(container) == opened


@contextmanager
def _postal(environment: dict[str, str]) -> Iterator[tuple[Container, mail_server.MailServer]]:
    with mail_server.serving() as server:
        settings = {"GOTGAN_SMTP_URL": server.url.reveal(), "GOTGAN_MAIL_FROM": "site@example.com"}
        with Container({**environment, **settings}) as container:
            yield container, server


def test_mails_that_are_due_are_sent(environment: dict[str, str], app: App) -> None:
    app.site.company.replace({"name": "곳간", "email": "desk@example.com"})
    inquiry = app.site.inquiries.receive(**MESSAGE, address="192.0.2.1")
    with _postal(environment) as (container, server):
        assert container.send_mails() == {"sent": 1, "failed": 0, "lost": 0, "waiting": None}
        assert container.send_mails()["sent"] == 0
    assert [mail.to for mail in server.received] == [["desk@example.com"]]
    told = app.site.inquiries.get(inquiry.id, consistent=True)
    assert told.notified_email == "desk@example.com"


def test_events_reach_the_log_of_the_process_from_the_level_that_is_set(
    environment: dict[str, str], app: App, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logger="gotgan")  # so that it is put back in the end
    app.site.company.replace({"name": "곳간", "email": "desk@example.com"})
    for level in ("warning", "info"):
        app.site.inquiries.receive(**MESSAGE, address="192.0.2.1")
        with _postal({**environment, "GOTGAN_LOG": level}) as (container, _):
            container.send_mails()
    assert caplog.text.count("site.mail.sent") == 1


def test_without_a_mail_server_the_report_says_what_to_set(container: Container) -> None:
    report = json.loads(json.dumps(container.send_mails()))
    assert "GOTGAN_SMTP_URL" in report["waiting"]


@pytest.mark.usefixtures("app")
def test_the_functions_read_the_environment_and_write_nothing(
    environment: dict[str, str], tmp_path: Path
) -> None:
    program = (
        "import json, sys; from gotgan import functions;"
        "answer = functions.web(json.load(sys.stdin), None);"
        "print(json.dumps([answer, functions.send_mails({}, None)]))"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", program],
        input=json.dumps(http_api(_contact())),
        env={**environment, "PYTHONPATH": ":".join(sys.path)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    answer, report = json.loads(done.stdout)
    assert (answer["statusCode"], report["sent"]) == (201, 0)
    assert list(tmp_path.iterdir()) == []


def test_without_mangum_the_error_says_what_to_install(
    container: Container, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "mangum", None)
    with pytest.raises(SettingsError, match=r"gotgan\[aws\]"):
        container.web(http_api(Asked(path="/v1/health")), None)


def test_a_setting_that_cannot_be_used_fails_the_call_and_the_next_one_too() -> None:
    with Container({"GOTGAN_SECRET": "short"}) as container:
        for _ in range(2):
            with pytest.raises(SettingsError, match="GOTGAN_SECRET"):
                container.send_mails()
