"""The app: settings in, domains out, all on one store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.domains.news.models import Story
from gotgan.errors import StoreClosed, TableMissing
from gotgan.runs import ReportProgress, RunStopped
from gotgan.settings import Secret, Settings
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from tests.patience import PATIENCE

NOON = datetime(2100, 1, 1, 12, tzinfo=UTC)
Environment = Callable[[Path], AbstractContextManager[dict[str, str]]]


@contextmanager
def _embedded(folder: Path) -> Iterator[dict[str, str]]:
    yield {"GOTGAN_DATA": str(folder)}


@contextmanager
def _endpoint(folder: Path) -> Iterator[dict[str, str]]:
    with Engine(None) as engine, background_server(engine) as url:
        yield {"GOTGAN_DATA": str(folder), "GOTGAN_DYNAMODB": url}


@pytest.fixture(params=[_embedded, _endpoint], ids=["embedded", "endpoint"])
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    """An environment that names a database."""
    opened: Environment = request.param
    with opened(tmp_path) as variables:
        yield variables


def test_it_is_opened_by_the_environment_alone_and_keeps_what_it_was_told(
    environment: dict[str, str],
) -> None:
    settings = Settings.from_env(environment)
    with App.open(settings) as app:
        app.prepare()
        user = app.site.users.create(display_name="Kim", role="admin")
        token = app.site.tokens.create(user_id=user.id, role="editor").text
    with App.open(settings) as again:
        again.prepare()
        assert again.site.users.get(user.id) == user
        assert again.site.tokens.authenticate(token).role == "editor"


def test_cursors_survive_a_restart(environment: dict[str, str]) -> None:
    settings = Settings.from_env(environment)
    with App.open(settings) as app:
        app.prepare()
        for name in ("one", "two"):
            app.site.users.create(id=name, display_name=name, role="viewer")
        first = app.site.users.list(limit=1)
    with App.open(settings) as again:
        second = again.site.users.list(limit=1, cursor=first.cursor)
    assert {first.items[0].id, second.items[0].id} == {"one", "two"}


def _tables(app: App) -> list[str]:
    names: list[str] = app.store.calls.driver.call("ListTables", {})["TableNames"]
    return names


@pytest.mark.parametrize(
    ("call", "tables"),
    [
        (lambda app: app.shops.add("example.com", country="DE"), ["aura-historia-data"]),
        (lambda app: app.site.categories.create(title="News"), ["FMWebAppTable"]),
        (lambda app: app.site.posts.list(), ["FMWebAppTable"]),
        (lambda app: app.news.upload([Story("A", "https://a.example.com/")]), ["news_items"]),
        (lambda app: app.shops.countries(), ["aura-historia-data"]),
    ],
    ids=["shops.add", "site.categories", "site.posts", "news.upload", "shops.countries"],
)
def test_in_a_fresh_folder_a_call_creates_the_table_that_it_needs(
    tmp_path: Path, call: Callable[[App], object], tables: list[str]
) -> None:
    with App.open(Settings.from_env({"GOTGAN_DATA": str(tmp_path)})) as app:
        assert _tables(app) == []
        call(app)
        assert _tables(app) == tables


def test_at_an_endpoint_no_table_is_created_until_somebody_asks_for_it(tmp_path: Path) -> None:
    with _endpoint(tmp_path) as environment, App.open(Settings.from_env(environment)) as app:
        with pytest.raises(TableMissing, match=r"FMWebAppTable does not exist .* Create it"):
            app.site.company.look()
        app.prepare()
        assert app.site.company.look() is None


def test_a_table_has_the_name_that_the_settings_give_it(tmp_path: Path) -> None:
    named = {"GOTGAN_DATA": str(tmp_path), "GOTGAN_TABLES": "FMWebAppTable=Site-prd"}
    with App.open(Settings.from_env(named)) as app:
        app.prepare()
        names = app.store.calls.driver.call("ListTables", {})["TableNames"]
        assert "Site-prd" in names
        assert "FMWebAppTable" not in names


def test_in_memory_it_is_ready_and_goes_by_the_clock_that_it_is_given() -> None:
    clock = FixedClock(NOON)
    with App.in_memory(clock=clock) as app:
        assert app.clock is clock
        clock.advance(timedelta(hours=1))
        user = app.site.users.create(display_name="Kim", role="admin")
        assert user.created_at == NOON + timedelta(hours=1)
        assert app.site.users.list().items == (user,)


def test_in_memory_it_touches_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with App.in_memory() as app:
        app.site.users.create(display_name="Kim", role="admin")
    assert list(tmp_path.iterdir()) == []


def test_in_memory_it_takes_settings_too() -> None:
    settings = Settings(given_secret=Secret("x" * 40), mail_from="site@example.com")
    with App.in_memory(settings=settings) as app:
        assert app.settings is settings


def test_closing_waits_until_runs_have_written_what_they_were_about_to_write() -> None:
    running, written = threading.Event(), list[str]()

    def work(tell: ReportProgress) -> None:
        running.set()
        try:
            while True:
                tell(0, 1, "")
        except RunStopped:
            for number in range(50):
                user = app.site.users.create(display_name=f"User {number}", role="viewer")
                written.append(user.id)
            raise

    with App.in_memory() as app:
        app.runs.start("news.collect", work)
        assert running.wait(PATIENCE)
    assert len(written) == 50


def test_one_that_was_closed_says_so() -> None:
    with App.in_memory() as app:
        pass
    with pytest.raises(StoreClosed):
        app.site.company.look()
