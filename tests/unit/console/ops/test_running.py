"""A job is run now by a button, for those who may do the same through the API."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from gotgan.app import App
from gotgan.backup import Backup
from gotgan.console.ops import job_page, job_role
from gotgan.domain import Job
from gotgan.domains.site.models import ROLES
from gotgan.errors import NotFound
from gotgan.schedule import jobs
from gotgan.server import create_server
from tests.unit.console.conftest import Enter
from tests.unit.console.sheets import Browser, sheets_of
from tests.unit.console.trial import csrf

ROUTES = {"site.send_mails": "/v1/mails/send"}
"""Where the API has a verb under another path than its name."""
FOR_ADMINS = {"backup", "videos.purge"}
WITHOUT_ROUTE = {"backup"}


def _buttons(page: str) -> list[str]:
    return [sheet.fields["job"] for sheet in sheets_of(page) if sheet.action == "/schedule/run"]


@contextmanager
def _held(app: App, verb: str, about: tuple[str, ...] | None = None) -> Iterator[None]:
    """A verb under way, until the block ends."""
    go = threading.Event()
    run = app.runs.start(verb, lambda _: go.wait(10), about=about)
    try:
        yield
    finally:
        go.set()
        app.runs.wait(run.id, 10)


def test_whoever_may_has_a_button_for_every_job(enter: Enter) -> None:
    names = [job.name for job in jobs()]
    assert _buttons(enter("v").open("/schedule")) == []
    assert _buttons(enter("e").open("/schedule")) == [n for n in names if n not in FOR_ADMINS]
    assert _buttons(enter("a").open("/schedule")) == names


@pytest.mark.parametrize(
    "job", [job for job in jobs() if job.name not in WITHOUT_ROUTE], ids=lambda job: job.name
)
def test_a_job_takes_the_role_that_its_verb_takes_over_the_api(app: App, job: Job) -> None:
    path = ROUTES.get(job.verb, f"/v1/{job.verb.replace('.', '/').replace('_', '-')}")
    told = create_server(app).openapi()["paths"][path]["post"]["x-role"]
    assert (job.name, job_role(job)) == (job.name, told)


@pytest.mark.parametrize("role", ROLES)
def test_the_server_refuses_those_who_may_not(app: App, enter: Enter, role: str) -> None:
    client = enter(role[0]).client
    for job in ("backup", "site.send_mails", "videos.purge"):
        answer = client.post("/schedule/run", data={"csrf": csrf(client), "job": job})
        is_enough = role == "admin" or (role == "editor" and job not in FOR_ADMINS)
        assert (role, job, answer.status_code) == (role, job, 303 if is_enough else 403)
    app.runs.join()


def test_a_stranger_and_a_forged_form_begin_nothing(app: App, enter: Enter) -> None:
    sent = {"csrf": "0" * 64, "job": "videos.purge"}
    assert enter("").client.post("/schedule/run", data=sent).status_code == 401
    assert enter("a").client.post("/schedule/run", data=sent).status_code == 403
    assert app.runs.latest("videos.purge") is None


def test_a_job_that_there_is_not_is_not_found(admin: Browser) -> None:
    admin.open("/schedule?job=videos.purge")
    admin.send("/schedule/run", job="nobody")
    assert admin.answer.status_code == 404


def test_a_job_is_run_without_javascript_and_says_how_it_went(app: App, admin: Browser) -> None:
    admin.open("/schedule?job=videos.purge")
    assert "No runs since this server started." in admin.page
    admin.send("/schedule/run", job="videos.purge")
    assert str(admin.answer.url).endswith("/schedule?job=videos.purge#ticks")
    app.runs.join()
    run = app.runs.latest("videos.purge")
    assert run is not None
    assert run.state == "done"
    card = admin.open("/schedule?job=videos.purge").partition('id="job-run"')[2]
    assert 'href="/videos">Show the result' in card.partition("</section>")[0]


def test_a_backup_says_what_it_wrote(app: App, admin: Browser, tmp_path: Path) -> None:
    made = Backup(tmp_path / "gotgan-2026-11-16T12-00-00Z.zip", app.clock.now(), 7_503, {}, (), ())
    app.runs.wait(app.runs.start("backup", lambda _: made).id, 10)
    card = admin.open("/schedule?job=backup").partition('id="job-run"')[2]
    assert "backup gotgan-2026-11-16T12-00-00Z.zip: 7,503 bytes" in card.partition("</section>")[0]


def test_a_run_that_failed_says_why(app: App, editor: Browser) -> None:
    def fail(_: object) -> None:
        raise NotFound("there is no <list> today")

    app.runs.wait(app.runs.start("news.collect", fail).id, 10)
    card = editor.open("/schedule?job=news.collect").partition('id="job-run"')[2]
    card = card.partition("</section>")[0]
    assert "there is no &lt;list&gt; today" in card
    assert "not_found" in card


def test_a_run_under_way_is_watched_and_a_fragment_is_given(app: App, editor: Browser) -> None:
    asking = {"hx-request": "true", "hx-target": "job-run"}
    with _held(app, "news.collect"):
        page = editor.open("/schedule?job=news.collect")
        assert 'hx-get="/schedule?job=news.collect"' in page
        part = editor.client.get("/schedule?job=news.collect", headers=asking).text
        assert part.lstrip().startswith('<section id="job-run"')
        assert "<html" not in part
        assert "Running since" in part
    part = editor.client.get("/schedule?job=news.collect", headers=asking).text
    assert "hx-get" not in part


def test_what_is_under_way_for_something_else_is_left_alone(app: App, editor: Browser) -> None:
    editor.open("/schedule")
    with _held(app, "shops.crawl", about=("other.test",)):
        page = editor.send("/schedule/run", job="shops.crawl")
        assert "Another run is in progress" in page


def test_every_domain_has_a_place_where_its_results_are_seen(admin: Browser) -> None:
    places = {job.name.partition(".")[0]: job_page(job.name) for job in jobs()}
    assert {domain for domain, path in places.items() if path is None} == WITHOUT_ROUTE
    for path in filter(None, places.values()):
        assert admin.client.get(path).status_code == 200
