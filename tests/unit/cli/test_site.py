"""``gotgan site``: the verbs of the site from the command line."""

from __future__ import annotations

import io
import json
import re
import sys
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest

from gotgan.app import App
from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.cli.terminal.site import COLUMNS, CREATE
from gotgan.domains.site import outbox
from gotgan.domains.site.mail_text import Mailbox
from gotgan.domains.site.models import Category, Post
from gotgan.listener import serve_in_thread
from gotgan.server import create_server
from gotgan.settings import Settings

Capture = pytest.CaptureFixture[str]
Run = Callable[..., tuple[int, str, str]]
Data = Callable[..., Any]
MESSAGE = {"name": "n", "email": "a@example.com", "subject": "s", "message": "m"}


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Run:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["site", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def data(run: Run) -> Data:
    """What a command that must succeed gives to programs."""

    def data(*words: str) -> Any:
        code, out, err = run(*words, "--json")
        assert (code, err) == (ExitCode.OK, "")
        return json.loads(out)

    return data


@pytest.fixture
def app(tmp_path: Path) -> Iterator[App]:
    with App.open(Settings(data=tmp_path)) as app:
        app.prepare()
        yield app


@pytest.fixture
def news(app: App) -> Category:
    return app.site.categories.create(id="c001", title="소식", slug="news")


@pytest.fixture
def text(tmp_path: Path) -> str:
    """A file with the contents of an article."""
    path = tmp_path / "words.md"
    path.write_text("# 곳간\n\nWords", encoding="utf-8")
    return str(path)


# Reading


@pytest.mark.parametrize("kind", COLUMNS)
def test_in_a_fresh_folder_there_is_nothing_to_list(run: Run, data: Data, kind: str) -> None:
    code, out, err = run(kind, "list")
    assert (code, err) == (ExitCode.OK, "")
    assert out.startswith("No results.")
    assert (f"gotgan site {kind} create" in out) == (kind in CREATE)
    found = data(kind, "list")
    assert (found["items"], found["cursor"]) == ([], None)


def test_a_record_with_a_fraction_is_shown(run: Run, data: Data, app: App, news: Category) -> None:
    post = app.site.posts.create(
        category_id=news.id, author_id="u", title="t", contents={"type": "doc", "n": Decimal("0.5")}
    )
    assert json.loads(run("posts", "get", post.id)[1])["contents"]["n"] == 0.5
    assert data("posts", "list")["items"][0]["contents"]["n"] == 0.5


def test_a_list_shows_chosen_columns_to_people_and_all_to_programs(
    run: Run, data: Data, app: App, news: Category
) -> None:
    for number in range(3):
        app.site.posts.create(
            category_id=news.id, author_id="u", title=f"글 {number}", contents="곳간"
        )
    _, text, _ = run("posts", "list", "--category", "news", "--limit", "2")
    assert text.splitlines()[0].split() == list(COLUMNS["posts"])
    cursor = text.rpartition("--cursor ")[2].strip()
    _, rest, _ = run("posts", "list", "--category", "news", "--limit", "2", "--cursor", cursor)
    assert "글 0" in rest
    found = data("posts", "list", "--q", "글 1")
    assert [each["contents"] for each in found["items"]] == ["곳간"]


def test_a_filter_of_posts_is_refused_elsewhere(run: Run) -> None:
    for words in (("users", "--q"), ("posts", "--status"), ("posts", "--show")):
        assert run(words[0], "list", words[1], "done")[0] == ExitCode.USAGE


@pytest.mark.usefixtures("news")
def test_one_record_is_shown(run: Run, data: Data) -> None:
    assert data("categories", "get", "news")["id"] == "c001"
    code, _, err = run("posts", "get", "nothing")
    assert code == ExitCode.FAILED
    assert "[not_found]" in err
    assert run("posts", "get")[0] == ExitCode.USAGE


def test_an_article_is_shown_with_its_html_if_wanted(data: Data, app: App, news: Category) -> None:
    post = app.site.posts.create(category_id=news.id, author_id="u", title="t", contents="# 하나")
    assert "<h1>하나</h1>" in data("posts", "get", post.id, "--html")["html"]
    assert "html" not in data("posts", "get", post.id)


def test_json_is_what_the_route_gives(data: Data, app: App, news: Category) -> None:
    app.site.users.create(id="u001", display_name="김", role="admin")
    post = app.site.posts.create(category_id=news.id, author_id="u001", title="t", contents="c")
    app.site.inquiries.receive(**MESSAGE, address="127.0.0.1")
    app.site.company.replace({"name": "곳간"}, more={"since": "1999"})
    token = app.site.tokens.create(user_id="u001", role="admin").text
    commands = {
        "posts": ("posts", "list"),
        f"posts/{post.id}": ("posts", "get", post.id),
        "categories": ("categories", "list"),
        "contact": ("inquiries", "list"),
        "mails?show=waiting": ("mails", "list", "--show", "waiting"),
        "corp": ("company", "get"),
        "users": ("users", "list"),
    }
    with serve_in_thread(create_server(app)) as url:
        for path, words in commands.items():
            headers = {"Authorization": f"Bearer {token}"}
            answer = httpx.get(f"{url}/v1/{path}", headers=headers).json()
            assert data(*words) == answer["data"], path


@pytest.mark.usefixtures("news")
@pytest.mark.parametrize(("zone", "shown"), [(None, "KST"), ("Europe/Berlin", "CET|CEST")])
def test_times_are_printed_in_the_zone_of_the_settings_and_stay_utc_in_json(
    run: Run, data: Data, monkeypatch: pytest.MonkeyPatch, zone: str | None, shown: str
) -> None:
    if zone is not None:
        monkeypatch.setenv("GOTGAN_ZONE", zone)
    listed = run("categories", "list")[1]
    assert re.search(rf"\d{{4}}-\d\d-\d\d \d\d:\d\d ({shown})$", listed, re.MULTILINE)
    assert data("categories", "list")["items"][0]["CreatedAt"].endswith("Z")


def test_inquiries_are_listed_by_their_status(data: Data, app: App) -> None:
    first = app.site.inquiries.receive(**MESSAGE, address="127.0.0.1")
    app.site.inquiries.receive(**MESSAGE, address="127.0.0.1")
    app.site.inquiries.set_status(first.id, "done")
    done = data("inquiries", "list", "--status", "done")["items"]
    assert [each["id"] for each in done] == [first.id]


def test_the_mails_that_wait_are_listed_alone(run: Run, data: Data, app: App) -> None:
    app.site.inquiries.receive(**MESSAGE, address="127.0.0.1")
    [mail] = data("mails", "list", "--show", "waiting")["items"]
    assert mail["status"] == "queued"
    (entry,) = outbox.due_entries(app.store, 1)
    mine = outbox.claim_mail(app.store, entry)
    assert mine is not None
    outbox.mark_sent(app.store, mine, app.site.mails.waiting()[0], Mailbox("a@example.com"))
    assert run("mails", "list", "--show", "waiting")[1] == "No results.\n"
    assert len(data("mails", "list")["items"]) == 1


# Users and tokens


def test_a_token_is_shown_once_and_opens_the_door(run: Run, data: Data, app: App) -> None:
    words = ("--id", "u001", "--display-name", "김", "--role", "editor")
    assert run("users", "create", *words)[:2] == (0, "김 is editor, with the id u001.\n")
    wanted = ("--user-id", "u001", "--role", "editor", "--note", "ci")
    code, text, _ = run("tokens", "create", *wanted)
    caller = app.site.tokens.authenticate(text.strip())
    assert (code, caller.user.id, caller.role) == (0, "u001", "editor")
    assert caller.token is not None
    assert text.strip() not in run("tokens", "list", "--json")[1]
    assert [each["note"] for each in data("tokens", "list")["items"]] == ["ci"]
    code, out, _ = run("tokens", "revoke", "u001", caller.token.id)
    assert (code, out) == (0, f"The token {caller.token.id} of u001 is revoked.\n")
    assert data("tokens", "list")["items"][0]["revokedAt"]


def test_a_token_can_expire(data: Data, app: App) -> None:
    app.site.users.create(id="u001", display_name="김", role="editor")
    words = ("--user-id", "u001", "--role", "viewer", "--expires-in-days", "1")
    assert data("tokens", "create", *words)["token"]["expiresAt"]


@pytest.mark.parametrize(
    ("words", "option"),
    [
        (["--id", "a/b"], "--id"),
        (["--id", "a#b"], "--id"),
        (["--display-name", " "], "--display-name"),
        (["--role", "king"], "--role"),
    ],
)
def test_a_user_is_checked_as_the_api_does(run: Run, words: list[str], option: str) -> None:
    given = ["--display-name", "n", "--role", "viewer", *words]
    code, _, err = run("users", "create", *given)
    assert code == ExitCode.USAGE
    assert option in err


def test_a_token_never_gets_a_greater_role_than_its_user(run: Run, app: App) -> None:
    app.site.users.create(id="u001", display_name="김", role="viewer")
    code, out, err = run("tokens", "create", "--user-id", "u001", "--role", "admin")
    assert (code, out) == (ExitCode.FAILED, "")
    assert "cannot exceed" in err


@pytest.mark.usefixtures("app")
def test_a_token_for_nobody_is_refused(run: Run) -> None:
    code, _, err = run("tokens", "create", "--user-id", "nobody", "--role", "viewer")
    assert code == ExitCode.FAILED
    assert "[not_found]" in err


def test_a_sign_in_link_is_of_the_first_admin(run: Run, app: App) -> None:
    code, out, _ = run("sign-in", "--url", "https://site.example.com/", "--json")
    said = json.loads(out)
    assert (code, said["user"]) == (0, "owner")
    assert said["link"].startswith("https://site.example.com/sign-in?code=")
    issued = app.site.tokens.redeem(said["link"].partition("code=")[2])
    assert app.site.tokens.authenticate(issued.text).user.id == "owner"


# Writing


@pytest.mark.usefixtures("news")
def test_a_post_is_written_changed_replaced_and_deleted(run: Run, data: Data, text: str) -> None:
    words = ("--category-id", "c001", "--title", "One", "--contents", text)
    post = data("posts", "create", *words, "--thumbnail-url", "/a.png")
    assert (post["contents"], post["authorId"], post["version"]) == ("# 곳간\n\nWords", "owner", 1)
    changed = data("posts", "update", post["id"], "--title", "Two", "--version", "1")
    assert (changed["title"], changed["thumbnailUrl"]) == ("Two", "/a.png")
    replaced = data("posts", "replace", post["id"], *words)
    assert (replaced["title"], "thumbnailUrl" in replaced) == ("One", False)
    assert run("posts", "delete", post["id"], "--version", "2")[0] == ExitCode.FAILED
    assert run("posts", "delete", post["id"], "--version", "3") == (0, "Done.\n", "")
    assert run("posts", "get", post["id"])[0] == ExitCode.FAILED


@pytest.mark.usefixtures("news")
def test_a_draft_is_written_and_published(data: Data, text: str) -> None:
    words = ("--category-id", "c001", "--title", "One", "--contents", text)
    draft = data("drafts", "create", *words)
    assert data("posts", "list")["items"] == []
    post = data("drafts", "publish", draft["id"], "--version", "1")
    assert (post["Type"], post["draftId"]) == ("Post", draft["id"])
    assert data("posts", "get", draft["id"])["id"] == post["id"]
    assert data("drafts", "list")["items"] == []


@pytest.mark.usefixtures("news")
def test_a_change_for_another_version_is_refused(run: Run, data: Data) -> None:
    data("categories", "update", "c001", "--title", "News")
    code, out, err = run("categories", "update", "c001", "--title", "Late", "--version", "1")
    assert (code, out) == (ExitCode.FAILED, "")
    assert "has version 2, but the change is for version 1" in err
    assert data("categories", "get", "c001")["title"] == "News"


@pytest.mark.usefixtures("app")
def test_a_post_needs_a_category_that_exists(run: Run, text: str) -> None:
    words = ("--category-id", "none", "--title", "One", "--contents", text)
    code, _, err = run("posts", "create", *words)
    assert code == ExitCode.FAILED
    assert "no category with this ID" in err
    code, _, err = run("posts", "create", *words[2:])
    assert code == ExitCode.USAGE
    assert "--category-id" in err


def test_an_empty_value_clears_a_field(run: Run, data: Data) -> None:
    banner = data(
        "banners", "create", "--id", "b1", "--title", "Look", "--img-uri", "/a.png", "--desc", "d"
    )
    assert (banner["id"], banner["desc"]) == ("b1", "d")
    assert "desc" not in data("banners", "update", "b1", "--desc", "")
    code, _, err = run("banners", "update", "b1", "--title", "")
    assert code == ExitCode.USAGE
    assert "--title" in err
    assert data("banners", "get", "b1")["title"] == "Look"


def test_a_time_is_read_in_the_zone_of_the_settings(
    data: Data, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOTGAN_ZONE", "Asia/Seoul")
    words = ("--title", "Look", "--img-uri", "/a.png", "--expires-at", "2100-01-01T09:00")
    assert data("banners", "create", *words)["expiresAt"] == 4_102_444_800


@pytest.mark.usefixtures("news")
def test_contents_come_from_standard_input(data: Data, monkeypatch: pytest.MonkeyPatch) -> None:
    typed = io.TextIOWrapper(io.BytesIO("\ufeff# 글\r\n하나".encode()), encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", typed)
    words = ("--category-id", "c001", "--title", "One", "--contents", "-")
    assert data("posts", "create", *words)["contents"] == "# 글\n하나"


@pytest.mark.usefixtures("news")
def test_a_file_that_is_missing_or_not_utf_8_is_refused(run: Run, tmp_path: Path) -> None:
    latin = tmp_path / "latin.md"
    latin.write_bytes("Überschrift".encode("latin-1"))
    words = ("posts", "create", "--category-id", "c001", "--title", "One", "--contents")
    code, _, err = run(*words, str(latin))
    assert code == ExitCode.USAGE
    assert "latin.md is not UTF-8 text" in err
    assert run(*words, str(tmp_path / "none.md"))[0] == ExitCode.USAGE


def test_the_company_is_written_with_its_additional_attributes(run: Run, data: Data) -> None:
    assert run("company", "get")[0] == ExitCode.FAILED
    assert run("company", "update", "--fax", "1")[0] == ExitCode.FAILED
    first = data("company", "replace", "--name", "곳간", "--fax", "1", "--more", "since=1999")
    assert (first["name"], first["since"]) == ("곳간", "1999")
    changed = data("company", "update", "--fax", "", "--more", "since=", "--more", "blog=a=b")
    assert ("fax" in changed, "since" in changed, changed["blog"]) == (False, False, "a=b")
    code, _, err = run("company", "replace", "--name", "Other")
    assert code == ExitCode.FAILED
    assert "[version_required]" in err
    again = data("company", "replace", "--name", "Other", "--version", "2")
    assert (again["name"], again["blog"]) == ("Other", "a=b")


@pytest.mark.parametrize(
    ("more", "reason"),
    [("since", "NAME=VALUE"), ("corp_num=1", "reserved for corpNum"), ("1st=x", "use a letter")],
)
def test_an_additional_attribute_that_cannot_be_is_refused(
    run: Run, more: str, reason: str
) -> None:
    code, _, err = run("company", "replace", "--name", "곳간", "--more", more)
    assert code == ExitCode.USAGE
    assert "--more" in err
    assert reason in err


def test_an_inquiry_is_answered_by_the_first_admin(run: Run, data: Data, app: App) -> None:
    inquiry = app.site.inquiries.receive(**MESSAGE, address="127.0.0.1")
    answered = data("inquiries", "reply", inquiry.id, "With pleasure", "--version", "1")
    assert (answered["status"], answered["replies"][0]["by"]) == ("in_progress", "owner")
    assert run("inquiries", "reply", inquiry.id, "Late", "--version", "1")[0] == ExitCode.FAILED
    assert data("inquiries", "set-status", inquiry.id, "done")["status"] == "done"
    assert run("inquiries", "set-status", inquiry.id, "lost")[0] == ExitCode.USAGE
    mails = data("mails", "list")["items"]
    assert sorted(each["purpose"] for each in mails) == ["notice", "reply"]
    assert data("mails", "retry", mails[0]["id"])["status"] == "queued"


# Runs


def test_mails_wait_for_a_server(run: Run) -> None:
    code, out, _ = run("send-mails")
    assert code == ExitCode.RETRY
    assert "GOTGAN_SMTP_URL" in out


def test_posts_that_others_put_are_adopted(run: Run, app: App) -> None:
    now = app.clock.now()
    app.site.categories.create(id="c001", title="소식", slug="news")
    app.store.put(Category(id="c002", title="다른 소식", slug="news", created_at=now))
    app.store.put(Category(id="c003", title="공지", slug="notices", created_at=now))
    app.store.put(
        Post(id="p001", category_id="c001", author_id="u", title="t", contents="c", created_at=now)
    )
    assert run("posts", "get", "p001")[0] == ExitCode.FAILED
    code, out, _ = run("adopt", "--json")
    said = json.loads(out)
    assert (code, said["pointers"], said["slugs"]) == (ExitCode.FAILED, 1, 1)
    assert "c001" in said["failed"][0]["message"]
    assert run("posts", "get", "p001")[0] == ExitCode.OK
    assert app.site.categories.get("notices").id == "c003"
    assert json.loads(run("adopt", "--json")[1])["pointers"] == 0
