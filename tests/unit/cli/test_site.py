"""``gotgan site``: the verbs of the site from the command line."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from gotgan.app import App
from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.cli.site_kinds import COLUMNS, KINDS
from gotgan.domains.site import outbox
from gotgan.domains.site.letters import Mailbox
from gotgan.domains.site.models import Category, Post
from gotgan.settings import Settings

Capture = pytest.CaptureFixture[str]
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Run:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["site", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with App.open(Settings(data=tmp_path)) as app:
        app.prepare()
        yield app


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.mark.parametrize("kind", ["posts", "users", "mails"])
def test_in_a_fresh_folder_there_is_nothing_to_list(run: Run, kind: str) -> None:
    assert run("list", kind) == (ExitCode.OK, f"There are no {kind} here.\n", "")
    assert run("list", kind, "--json") == (ExitCode.OK, "", "")


def test_a_token_is_shown_once_and_opens_the_door(run: Run, app: App) -> None:
    assert run("user", "create", "--id", "u001", "--name", "김", "--role", "editor")[0] == 0
    code, text, _ = run("token", "create", "--user", "u001", "--role", "editor", "--note", "ci")
    caller = app.site.tokens.authenticate(text.strip())
    assert (code, caller.user.id, caller.role) == (0, "u001", "editor")
    _, listed, _ = run("list", "tokens", "--json")
    assert text.strip() not in listed
    assert [each["note"] for each in lines(listed)] == ["ci"]
    assert run("token", "revoke", "--user", "u001", caller.token.id)[0] == 0
    assert lines(run("list", "tokens", "--json")[1])[0]["revokedAt"]


@pytest.mark.parametrize("words", [["--id", "a/b"], ["--id", "a#b"], ["--name", " "]])
def test_a_user_is_checked_as_the_api_does(run: Run, words: list[str]) -> None:
    given = ["--name", "n", "--role", "viewer", *words]
    code, _, err = run("user", "create", *given)
    assert code == ExitCode.USAGE
    assert "cannot be so" in err


def test_a_record_with_a_fraction_is_shown(run: Run, app: App) -> None:
    app.site.categories.create(category_id="c001", title="소식")
    post = app.site.posts.create(
        category_id="c001", author_id="u", title="t", contents={"type": "doc", "n": Decimal("0.5")}
    )
    assert json.loads(run("show", "posts", post.id)[1])["contents"]["n"] == 0.5
    assert lines(run("list", "posts", "--json")[1])[0]["contents"]["n"] == 0.5


def test_a_token_never_gets_a_greater_role_than_its_user(run: Run) -> None:
    run("user", "create", "--id", "u001", "--name", "김", "--role", "viewer")
    code, out, err = run("token", "create", "--user", "u001", "--role", "admin")
    assert (code, out) == (ExitCode.FAILED, "")
    assert "never exceeds" in err


@pytest.mark.usefixtures("app")
def test_a_token_for_nobody_is_refused(run: Run) -> None:
    code, _, err = run("token", "create", "--user", "nobody", "--role", "viewer")
    assert code == ExitCode.FAILED
    assert "[not_found]" in err


def test_a_sign_in_link_is_of_the_first_admin(run: Run, app: App) -> None:
    code, out, _ = run("sign-in", "--url", "https://site.example.com/", "--json")
    said = lines(out)[0]
    assert (code, said["user"]) == (0, "owner")
    assert said["link"].startswith("https://site.example.com/sign-in?code=")
    issued = app.site.tokens.redeem(said["link"].partition("code=")[2])
    assert app.site.tokens.authenticate(issued.text).user.id == "owner"


@pytest.mark.usefixtures("app")
@pytest.mark.parametrize("kind", KINDS)
def test_an_empty_list_says_so(run: Run, kind: str) -> None:
    assert run("list", kind)[:2] == (0, f"There are no {kind} here.\n")


def test_a_list_shows_chosen_columns_to_people_and_all_to_programs(run: Run, app: App) -> None:
    app.site.categories.create(category_id="c001", title="소식", slug="news")
    for number in range(3):
        app.site.posts.create(
            category_id="c001", author_id="u", title=f"글 {number}", contents="곳간"
        )
    _, text, _ = run("list", "posts", "--category", "news", "--limit", "2")
    assert text.splitlines()[0].split() == list(COLUMNS["posts"])
    cursor = text.rpartition("--cursor ")[2].strip()
    _, rest, _ = run("list", "posts", "--category", "news", "--limit", "2", "--cursor", cursor)
    assert "글 0" in rest
    found = lines(run("list", "posts", "--q", "글 1", "--json")[1])
    assert [each["contents"] for each in found] == ["곳간"]


def test_a_filter_of_posts_is_refused_elsewhere(run: Run) -> None:
    assert run("list", "users", "--q", "x")[0] == ExitCode.USAGE


def test_one_record_is_shown(run: Run, app: App) -> None:
    app.site.categories.create(category_id="c001", title="소식", slug="news")
    assert json.loads(run("show", "categories", "news")[1])["id"] == "c001"
    code, _, err = run("show", "posts", "nothing")
    assert code == ExitCode.FAILED
    assert "[not_found]" in err


@pytest.mark.parametrize(("zone", "shown"), [(None, "KST"), ("Europe/Berlin", "CET|CEST")])
def test_times_are_printed_in_the_zone_of_the_settings_and_stay_utc_in_json(
    run: Run, app: App, monkeypatch: pytest.MonkeyPatch, zone: str | None, shown: str
) -> None:
    if zone is not None:
        monkeypatch.setenv("GOTGAN_ZONE", zone)
    app.site.categories.create(category_id="c001", title="News", slug="news")
    listed = run("list", "categories")[1]
    assert re.search(rf"\d{{4}}-\d\d-\d\d \d\d:\d\d ({shown})$", listed, re.MULTILINE)
    assert lines(run("list", "categories", "--json")[1])[0]["CreatedAt"].endswith("Z")


def test_the_company_is_shown_with_its_additional_attributes(run: Run, app: App) -> None:
    app.site.company.write({"name": "곳간", "since": "1999"}, expected=None)
    company = json.loads(run("show", "company")[1])
    assert (company["name"], company["since"]) == ("곳간", "1999")
    code, _, err = run("show", "posts")
    assert code == ExitCode.USAGE
    assert "gotgan site list posts" in err


def test_mails_wait_for_a_server(run: Run) -> None:
    code, out, _ = run("send-mails")
    assert code == ExitCode.RETRY
    assert "GOTGAN_SMTP_URL" in out


def test_posts_that_others_put_are_adopted(run: Run, app: App) -> None:
    now = app.clock.now()
    app.site.categories.create(category_id="c001", title="소식", slug="news")
    app.store.put(Category(id="c002", title="다른 소식", slug="news", created_at=now))
    app.store.put(Category(id="c003", title="공지", slug="notices", created_at=now))
    app.store.put(
        Post(id="p001", category_id="c001", author_id="u", title="t", contents="c", created_at=now)
    )
    assert run("show", "posts", "p001")[0] == ExitCode.FAILED
    code, out, _ = run("adopt", "--json")
    said = lines(out)[0]
    assert (code, said["pointers"], said["slugs"]) == (ExitCode.FAILED, 1, 1)
    assert "c001" in said["failed"][0]
    assert run("show", "posts", "p001")[0] == ExitCode.OK
    assert app.site.categories.find("notices").id == "c003"
    assert lines(run("adopt", "--json")[1])[0]["pointers"] == 0


def test_inquiries_are_listed_by_their_status(run: Run, app: App) -> None:
    message = {"name": "n", "email": "a@example.com", "subject": "s", "message": "m"}
    first = app.site.inquiries.receive(**message, address="127.0.0.1")
    app.site.inquiries.receive(**message, address="127.0.0.1")
    app.site.inquiries.set_status(first.id, "done")
    done = lines(run("list", "inquiries", "--status", "done", "--json")[1])
    assert [each["id"] for each in done] == [first.id]
    assert run("list", "posts", "--status", "done")[0] == ExitCode.USAGE


def test_the_mails_that_wait_are_listed_alone(run: Run, app: App) -> None:
    message = {"name": "n", "email": "a@example.com", "subject": "s", "message": "m"}
    app.site.inquiries.receive(**message, address="127.0.0.1")
    [mail] = lines(run("list", "mails", "--show", "waiting", "--json")[1])
    assert mail["status"] == "queued"
    (entry,) = outbox.due(app.store, 1)
    mine = outbox.claim(app.store, entry)
    assert mine is not None
    outbox.settle(app.store, mine, app.site.mails.waiting()[0], Mailbox("a@example.com"))
    assert run("list", "mails", "--show", "waiting")[1] == "There are no mails here.\n"
    assert len(lines(run("list", "mails", "--json")[1])) == 1
    assert run("list", "posts", "--show", "waiting")[0] == ExitCode.USAGE
