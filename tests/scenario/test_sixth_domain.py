"""A domain of another package: every front offers it once the package is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pyarrow.parquet
import pytest

from gotgan.app import App
from gotgan.clock import FixedClock
from gotgan.console.binder import FilledForm
from gotgan.console.session import Viewer
from gotgan.demo.stops import next_stop
from gotgan.demo.tally import DemoTally
from gotgan.domain import Job, domains, get_domain
from gotgan.domains.site.models import ROLES
from gotgan.errors import NotFound, PageError, UsageError
from gotgan.listener import serve_in_thread
from gotgan.mcp.server import MAX_TOOLS, Tools
from gotgan.runs import Run
from gotgan.schedule import jobs
from gotgan.server import create_server
from gotgan.settings import Secret, Settings
from gotgan.verbs import verbs_of
from gotgan.world import FaultKind, ServedWorld, World, world_server
from gotgan.world.rates import ECB
from tests.patience import PATIENCE
from tests.scenario.rates_package import EXAMPLE, environment, installed, write_metadata
from tests.unit.api.calling import USERS, Api
from tests.unit.console.sheets import Browser
from tests.unit.console.trial import sign_in
from tests.unit.mcp.asking import Asking

FRIDAY = datetime(2025, 11, 14, 16, tzinfo=UTC)  # 17:00 in Berlin: the rates of the day are there
TODAY = FRIDAY.date()
SPACE = b"http://www.ecb.int/vocabulary/2002-08-01/eurofxref"
CURRENCIES = ["CHF", "CNY", "GBP", "JPY", "KRW", "USD"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What an installer writes beside the package."""
    return write_metadata(tmp_path_factory.mktemp("site-packages"))


@pytest.fixture(scope="module", autouse=True)
def _package(folder: Path) -> Iterator[None]:
    with installed(EXAMPLE, folder):
        yield


@pytest.fixture(scope="module")
def web() -> Iterator[ServedWorld]:
    """The simulated web on a Friday, after the rates were published."""
    with world_server(World(padding=0, clock=FixedClock(FRIDAY))) as served:
        yield served


@pytest.fixture
def clock() -> FixedClock:
    """A clock that a test moves."""
    return FixedClock(FRIDAY)


@pytest.fixture
def app(web: ServedWorld, clock: FixedClock) -> Iterator[App]:
    """Gotgan in memory, with a user of each role."""
    settings = Settings(given_secret=Secret("x" * 32), resolve=web.resolve, delay=0)
    with App.in_memory(settings=settings, clock=clock) as app:
        for role in ROLES:
            app.site.users.create(id=USERS[role], display_name=role, role=role)
        yield app


@pytest.fixture
def rates(app: App) -> Any:
    """The service."""
    return app.domain("rates")


@pytest.fixture
def url(app: App) -> Iterator[str]:
    """A server of all domains."""
    with serve_in_thread(create_server(app)) as url:
        yield url


@pytest.fixture
def api(app: App, url: str) -> Iterator[Api]:
    """The API, with a token for each role."""
    with httpx.Client(base_url=url, timeout=PATIENCE) as client:
        tokens: dict[str, str] = {
            role: app.site.tokens.create(user_id=USERS[role], role=role).text for role in ROLES
        }
        yield Api(app, client, tokens)


@pytest.fixture
def enter(app: App, url: str) -> Iterator[Callable[..., Browser]]:
    """Sign a user in to the console."""
    clients: list[httpx.Client] = []

    def enter(role: str, language: str = "en") -> Browser:
        headers = {"Accept-Language": language}
        clients.append(httpx.Client(base_url=url, timeout=PATIENCE, headers=headers))
        sign_in(clients[-1], app, USERS[role])
        return Browser(clients[-1])

    yield enter
    for each in clients:
        each.close()


# The library


def test_the_registry_has_the_domain_after_those_of_this_package() -> None:
    assert [each.name for each in domains()][-1] == "rates"
    assert get_domain("rates").service == "gotgan_rates.service:Rates"


def test_rates_are_collected_exactly_once(app: App, rates: Any) -> None:
    first, second = rates.collect(), rates.collect()
    assert (first.day, first.new, first.duplicates) == (TODAY, 6, 0)
    assert (second.day, second.new, second.duplicates) == (TODAY, 0, 6)
    assert [each.currency for each in rates.list().items] == CURRENCIES
    assert rates.get("KRW").rate > Decimal(1000)
    assert app.domain("rates") is rates


def test_a_list_has_the_latest_day_unless_one_is_chosen(rates: Any, clock: FixedClock) -> None:
    rates.collect()
    clock.advance(timedelta(days=2))  # a Sunday
    assert {each.day for each in rates.list().items} == {TODAY}
    assert rates.list(day=TODAY - timedelta(days=1)).items == ()
    assert [each.day for each in rates.list(currency="USD").items] == [TODAY]
    with pytest.raises(UsageError, match="not both"):
        rates.list(currency="USD", day=TODAY)


def test_rates_are_exported_and_written_again_when_there_are_more(
    app: App, rates: Any, tmp_path: Path
) -> None:
    def export() -> tuple[int, int]:
        [found] = app.operations.export("rates", to=str(tmp_path)).items
        return found.written, found.rows

    assert export() == (0, 0)
    rates.collect()
    assert [export(), export()] == [(1, len(CURRENCIES)), (0, len(CURRENCIES))]
    app.store.put_new(rates.get("KRW").model_copy(update={"day": TODAY - timedelta(days=1)}))
    assert export() == (1, len(CURRENCIES) + 1)
    rows = pyarrow.parquet.read_table(tmp_path / "exchange_rates").to_pylist()
    assert {each["currency"] for each in rows} == set(CURRENCIES)


def test_a_rate_that_is_missing_says_what_to_run(rates: Any) -> None:
    with pytest.raises(NotFound, match=r"No rate of KRW is stored\. Run gotgan rates collect\."):
        rates.get("KRW")
    with pytest.raises(NotFound, match="No rate of KRW on 2020-01-02"):
        rates.get("KRW", day=date(2020, 1, 2))


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html>",
        b"<a/>",
        b"<Cube xmlns='%s' time='2025-11-14'/>" % SPACE,
        b"<a xmlns='%s'><Cube time='2025-11-14'><Cube currency='USD' rate='x'/></Cube></a>" % SPACE,
        b"<a xmlns='%s'><Cube time='2025-11-14'/></a>" % SPACE,
    ],
)
def test_a_document_without_rates_is_an_error(body: bytes) -> None:
    with pytest.raises(PageError, match=r"eurofxref-daily\.xml"):
        import_module("gotgan_rates.service").rates_in(body)


# The command line


@dataclass(frozen=True)
class Program:
    """``gotgan`` as a program, in an environment that has the package."""

    env: dict[str, str]
    home: Path

    def __call__(self, *words: str) -> tuple[int, str, str]:
        """Run a command; its exit code and what it printed."""
        done = subprocess.run(
            [sys.executable, "-m", "gotgan", *words],
            env=self.env,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return done.returncode, done.stdout, done.stderr


@pytest.fixture
def program(folder: Path, web: ServedWorld, tmp_path: Path) -> Program:
    """``gotgan`` with an empty data folder."""
    given = {
        "GOTGAN_DATA": str(tmp_path / "data"),
        "GOTGAN_RESOLVE": f"*={web.place}",
        "GOTGAN_DELAY": "0",
    }
    return Program(environment(EXAMPLE, folder, **given), tmp_path)


def test_the_command_line_has_its_verbs_and_their_help(program: Program) -> None:
    code, help_, _ = program("--help")
    assert code == 0
    assert "rates     Collect the exchange rates" in help_
    code, help_, _ = program("rates", "--help")
    assert code == 0
    assert [word for word in ("collect", "get", "list") if f"\n  {word} " in help_] == [
        "collect",
        "get",
        "list",
    ]


def test_a_fresh_folder_is_collected_into_and_read(program: Program) -> None:
    assert program("rates", "list") == (0, "No results.\n", "")
    code, out, _ = program("rates", "collect", "--json")
    assert (code, json.loads(out)["new"]) == (0, 6)
    code, out, _ = program("rates", "list", "--json")
    assert [each["currency"] for each in json.loads(out)["items"]] == CURRENCIES
    code, out, _ = program("rates", "get", "krw", "--json")
    assert (code, json.loads(out)["currency"]) == (0, "KRW")


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["get", "KRW"], 1, "Run gotgan rates collect"),
        (["get", "won"], 1, "No rate of WON"),
        (["get", "원"], 2, "CURRENCY"),
        (["get"], 2, "Missing argument 'CURRENCY'"),
        (["get", "KRW", "--day", "tomorrow"], 2, "--day: use a date"),
        (["list", "--cursor", "x"], 1, "cursor"),
        (["fetch"], 2, "No such command 'fetch'"),
    ],
)
def test_what_is_wrong_is_told(program: Program, words: list[str], code: int, told: str) -> None:
    found, _, error = program("rates", *words)
    assert found == code
    assert told in error


def test_setup_tables_and_schedule_have_it(program: Program) -> None:
    env = {name: each for name, each in program.env.items() if name != "GOTGAN_RESOLVE"}
    bare = Program(env, program.home)
    steps = json.loads(bare("setup", "--json")[1])["items"]
    assert [each["reason"] for each in steps if each["domain"] == "rates"] == ["no_contact"]
    tables = bare("tables", "list", "--json")[1]
    assert '"exchange_rates"' in tables
    lines = json.loads(bare("schedule", "--json")[1])["items"]
    [line] = [each for each in lines if each["verb"] == "rates.collect"]
    assert (line["zone"], line["dag"]) == ("Europe/Berlin", "gotgan_rates_collect")


# The API


def test_the_api_has_its_routes_and_refuses_who_may_not(api: Api) -> None:
    assert api.refusal("GET", "/rates", role=None) == (401, "unauthenticated")
    assert api.refusal("POST", "/rates/collect", role=None) == (401, "unauthenticated")
    assert api.refusal("POST", "/rates/collect", role="viewer") == (403, "forbidden")
    report = api.data("POST", "/rates/collect?wait=30", role="editor")
    assert (report["report"]["day"], report["report"]["new"]) == (str(TODAY), 6)
    listed = api.data("GET", "/rates?limit=2", role="viewer")
    assert [each["currency"] for each in listed["items"]] == CURRENCIES[:2]
    assert api.data("GET", f"/rates?limit=2&cursor={listed['cursor']}")["items"]
    assert api.data("GET", "/rates/krw")["currency"] == "KRW"
    assert api.refusal("GET", "/rates/KRWX") == (422, "invalid")
    assert api.refusal("GET", "/rates/ABC") == (404, "not_found")
    assert api.refusal("GET", "/rates?when=now") == (422, "invalid")


def test_the_api_document_has_it(api: Api) -> None:
    document = api.client.get("/v1/openapi.json").json()
    assert {"/v1/rates", "/v1/rates/{currency}", "/v1/rates/collect"} <= document["paths"].keys()
    assert document["components"]["schemas"]["rates_getAnswer"]
    assert "day" in str(document["paths"]["/v1/rates"]["get"]["parameters"])


# The console


@pytest.mark.parametrize(
    ("language", "title", "page", "column", "button"),
    [
        ("en", "Rates", "One rate", "For one euro", "Collect rates"),
        ("ko", "환율", "환율 조회", "1유로당", "환율 수집"),
    ],
)
def test_the_console_has_pages_of_it(
    app: App,
    enter: Callable[..., Browser],
    language: str,
    title: str,
    page: str,
    column: str,
    button: str,
) -> None:
    editor = enter("editor", language)
    assert f'<a href="/rates">{title}</a>' in editor.open("/")
    empty = editor.open("/rates")
    assert f"<h1>{title}</h1>" in empty
    assert f"<h2>{button}</h2>" in empty
    editor.send("/rates/collect")
    assert editor.path == "/rates"
    app.runs.join()
    listed = editor.open("/rates")
    assert column in listed
    assert all(f"<td>{each}</td>" in listed for each in CURRENCIES)
    assert f'href="/rates/get">{page}</a>' in listed.replace(' aria-current="true"', "")
    assert "<dd>6</dd>" in editor.open("/rates/runs")
    one = editor.open("/rates/get?currency=krw")
    assert "<dd>KRW</dd>" in one
    assert "/v1/rates/krw" in one
    assert "gotgan rates get krw" in one


def test_the_help_of_parameters_is_in_the_readers_language(rates: Any) -> None:
    form = FilledForm(verbs_of(type(rates))["get"], {})
    hints = {each["name"]: each["hint"] for each in form.fields(Viewer(language="ko"))}
    assert hints["currency"] == "KRW 같은 통화 코드."
    assert hints["day"] == "환율의 날짜. 비우면 가장 최근 날짜입니다."


def test_a_page_shows_what_is_wrong_beside_its_form(enter: Callable[..., Browser]) -> None:
    viewer = enter("viewer")
    page = viewer.open("/rates?currency=x")
    assert viewer.answer.status_code == 400
    assert 'name="currency" type="text" value="x"' in page
    assert "currency: String should match pattern" in page
    page = viewer.open("/rates/get?currency=ABC")
    assert viewer.answer.status_code == 404
    assert "No rate of ABC is stored." in page
    assert 'name="currency"' in viewer.open("/rates/get")
    assert viewer.answer.status_code == 200


def test_a_viewer_sees_no_button_and_may_not_send_it(enter: Callable[..., Browser]) -> None:
    viewer = enter("viewer")
    page = viewer.open("/rates")
    assert 'action="/rates/collect"' not in page
    assert viewer.client.post("/rates/collect").status_code == 403


def test_a_list_of_the_console_is_read_page_by_page(
    rates: Any, enter: Callable[..., Browser]
) -> None:
    rates.collect()
    viewer = enter("viewer")
    assert 'rel="next"' in viewer.open("/rates?limit=4")
    assert 'rel="next"' not in viewer.open("/rates")


@pytest.mark.parametrize("language", ["en", "ko"])
def test_other_pages_of_the_console_show_it(
    app: App, rates: Any, enter: Callable[..., Browser], language: str
) -> None:
    rates.collect()
    viewer = enter("viewer", language)
    job = {"en": "Collect rates", "ko": "환율 수집"}[language]
    assert job in viewer.open("/schedule")
    assert job in viewer.open("/schedule?job=rates.collect")
    assert 'id="room-rates"' in viewer.open("/setup")
    admin = enter("admin", language)
    assert "exchange_rates" in admin.open("/tables")
    assert "KRW" in admin.open("/tables/exchange_rates/item?pk=KRW&sk=2025-11-14")
    day = viewer.open(f"/day/{TODAY}?zone=utc")
    assert {"en": "<dt>Currencies</dt><dd>6</dd>", "ko": "<dt>통화 수</dt><dd>6</dd>"}[
        language
    ] in day
    app.start("rates.collect")
    app.runs.join()
    assert viewer.open("/schedule?job=rates.collect").count('href="/rates"') > 1


# Time


def _job() -> Job:
    return next(each for each in jobs() if each.name == "rates.collect")


def test_the_scheduler_runs_its_job(app: App, rates: Any, api: Api) -> None:
    app.scheduler(_job()).tick()
    app.runs.join()
    [tick] = app.operations.ticks(job="rates.collect").items
    assert (tick.at, tick.status) == (datetime(2025, 11, 14, 15, 30, tzinfo=UTC), "done")
    assert len(rates.list().items) == 6
    page = api.data("GET", f"/day/{TODAY}?zone=utc")
    assert page["others"]["rates"]["value"] == {"currencies": 6}
    assert "rates.collect" in [each["job"] for each in page["work"]["value"]]


def test_its_gate_refuses_without_a_contact(clock: FixedClock) -> None:
    settings = Settings(given_secret=Secret("x" * 32))
    with App.in_memory(settings=settings, clock=clock) as app:
        app.scheduler(_job()).tick()
        [tick] = app.operations.ticks(job="rates.collect").items
        page = app.day.get(TODAY, zone="utc")
    assert (tick.status, tick.reason) == ("skipped", "no_contact")
    assert "GOTGAN_CONTACT" in str(page.others["rates"].unset)


def test_a_failed_job_is_a_failure_of_the_day(
    app: App, enter: Callable[..., Browser], web: ServedWorld
) -> None:
    web.world.fail(ECB, "/stats/eurofxref/eurofxref-daily.xml", FaultKind.CUT, times=9)
    try:
        app.scheduler(_job()).tick()
        app.runs.join()
    finally:
        web.world.heal()
    [tick] = app.operations.ticks(job="rates.collect").items
    assert tick.status == "failed"
    day = enter("viewer").open(f"/day/{TODAY}?zone=utc")
    assert "/schedule?job=rates.collect&amp;status=failed#ticks" in day


def test_a_demo_attends_to_its_job(app: App) -> None:
    at = datetime(2025, 11, 14, 15, 29, tzinfo=UTC)
    assert any(_job() in next_stop(at, "UTC", is_hurried=each).jobs for each in (True, False))
    tally = DemoTally(at)
    app.start("rates.collect")
    app.runs.join()
    run: Run | None = app.runs.latest("rates.collect")
    assert run is not None
    tally.add(run)
    assert tally.summary(FRIDAY).counts["rates"] == {"runs": 1, "failed": 0}


# Assistants and DAGs


def test_assistants_have_its_verbs(app: App) -> None:
    token = app.site.tokens.create(user_id=USERS["editor"], role="editor").text
    asking = Asking(Tools(app, token=token).server())
    tools = asking.tools()
    assert len(tools) <= MAX_TOOLS
    assert "- get(currency" in str(tools["rates_read"].description)
    assert "rates.collect" in str(tools["write"].description)
    assert asking.call("write", "rates.collect").data["report"]["new"] == 6
    assert asking.call("rates_read", "get", currency="krw").data["currency"] == "KRW"


def test_its_job_has_a_dag() -> None:
    """The DAGs are made of ``jobs()``; tests/airflow runs them in an Airflow."""
    assert (_job().dag, _job().dag_id) == (None, "gotgan_rates_collect")


def test_a_defect_of_its_setup_or_its_end_leaves_the_rest(
    app: App, rates: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail() -> None:
        raise RuntimeError("defect")

    monkeypatch.setattr(rates, "setup", fail)
    monkeypatch.setattr(rates, "close", fail)
    steps = {(step.domain, step.reason) for step in app.operations.setup().items}
    assert {("rates", "defect"), ("site", "no_company")} <= steps
    closed: list[str] = []
    monkeypatch.setattr(app.store, "close", lambda: closed.append("store"))
    app.close()
    assert closed == ["store"]


def test_a_broken_package_does_not_stop_the_other_commands(tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE, tmp_path / "broken")
    write_metadata(tmp_path / "broken")
    (tmp_path / "broken" / "gotgan_rates" / "__init__.py").write_text("import gone\n")
    broken = Program(environment(tmp_path / "broken"), tmp_path)
    assert broken("news", "--help")[0] == 0
    code, _, error = broken("rates", "list")
    assert code == 1
    assert "of the package gotgan-rates cannot be loaded" in error
    assert "Fix or uninstall gotgan-rates." in error
