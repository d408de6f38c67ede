"""``gotgan shops``: the registry of shops from the command line."""

from __future__ import annotations

import io
import json
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from gotgan.cli import main
from gotgan.cli.output import ExitCode
from gotgan.clock import FixedClock
from gotgan.domains.shops.models import SHOPS, Shop, ShopPage
from gotgan.domains.shops.registry import Registry
from gotgan.encoding import field_keys
from gotgan.settings import Secret
from gotgan.store import Store
from gotgan.store.drivers.embedded import Embedded
from gotgan.store.engine import Engine
from tests.unit.domains.shops.adopting import ITEM, META, Table

Capture = pytest.CaptureFixture[str]
Run = Callable[..., tuple[int, str, str]]

BEFORE = datetime(2026, 1, 15, 10, tzinfo=UTC)


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Run:
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("GOTGAN_SYNCHRONOUS", "normal")

    def run(*words: str) -> tuple[int, str, str]:
        code = main(["shops", *words])
        said = capsys.readouterr()
        return code, said.out, said.err

    return run


@pytest.fixture
def said(run: Run) -> Callable[..., dict[str, Any]]:
    """What a command says to programs."""

    def said(*words: str) -> dict[str, Any]:
        spoken: dict[str, Any] = json.loads(run(*words, "--json")[1])
        return spoken

    return said


@pytest.fixture
def in_tokelau(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine whose clock is thirteen hours ahead of UTC."""
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "Pacific/Fakaofo")
        time.tzset()
        yield
    time.tzset()


def long_ago(folder: Path) -> Store:
    """The same tables at another time; close it before a command needs them."""
    engine = Engine(folder / "data" / "dynamodb.sqlite3", synchronous="normal")
    return Store(Embedded(engine), secret=Secret("s" * 32), clock=FixedClock(BEFORE))


def test_shops_are_added_by_their_domains(run: Run) -> None:
    code, out, _ = run("add", "Example.com", "https://antik.de/shop", "--country", "de")
    first, *rest = out.splitlines()
    assert code == ExitCode.OK
    assert first == "received 2 · new 2 · country set 0 · adopted 0 · duplicate 0 · failed 0"
    assert rest == ["  new          example.com  DE", "  new          antik.de  DE"]


def test_what_is_there_is_a_duplicate_and_stays_as_it_is(
    run: Run, said: Callable[..., dict[str, Any]]
) -> None:
    run("add", "example.com", "--country", "DE", "--name", "First")
    report = said("add", "example.com", "--country", "FR", "--name", "Second")
    assert (report["given"], report["new"], report["placed"]) == (1, [], [])
    [kept] = report["duplicates"]
    assert (kept["shop_country"], kept["shop_name"]) == ("DE", "First")
    assert report["cost"]["reads"] > 0
    assert [shop["domain"] for shop in said("due", "--country", "DE")["items"]] == ["example.com"]
    assert said("due", "--country", "FR")["items"] == []


def test_a_shop_without_a_country_gets_one_and_is_due(
    run: Run, said: Callable[..., dict[str, Any]]
) -> None:
    _, out, _ = run("add", "example.com")
    assert "  new          example.com  without a country" in out
    _, out, _ = run("add", "www.example.com", "--country", "DE")
    assert "  country set  example.com  DE" in out
    assert [shop["domain"] for shop in said("due", "--country", "DE")["items"]] == ["example.com"]


def test_a_file_of_domains_is_added_whole(
    said: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    (tmp_path / "shops.csv").write_text("domain,country,name\na.de,DE,Antik\nb.fr,FR\nc.at\n")
    report = said("add", "--file", str(tmp_path / "shops.csv"), "--country", "AT")
    assert [shop["domain"] for shop in report["new"]] == ["a.de", "b.fr", "c.at"]
    walked = said("due")["items"]
    assert [shop["domain"] for shop in walked] == ["c.at", "a.de", "b.fr"]


def test_standard_input_is_a_file_too(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"a.de\nb.de\n")))
    assert run("add", "--file", "-")[1].startswith("received 2 · new 2 ")


def test_a_file_with_a_bad_line_is_refused_whole_and_the_line_is_named(
    run: Run, said: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    run("add", "known.de", "--country", "DE")
    (tmp_path / "shops.txt").write_text("a.de,DE\nno domain\n")
    code, out, err = run("add", "--file", str(tmp_path / "shops.txt"))
    assert (code, out) == (ExitCode.FAILED, "")
    assert "Nothing was stored: line 2: 'no domain' is not a domain" in err
    assert [shop["domain"] for shop in said("due")["items"]] == ["known.de"]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["add"], "No shops given. Name domains, or a file of them."),
        (["add", "a.de", "b.de", "--name", "X"], "A name is for one domain."),
        (["add", "nonsense"], "shop 1: 'nonsense' is not a domain"),
        (
            ["add", "a.de", "--country", "Germany"],
            "--country: use a two-letter country code",
        ),
        (["add", "a.de", "--country", "uk"], "did you mean GB?"),
        (["add", "a.de:8443"], "has the port 8443"),
        (["add", "co.uk"], "co.uk is a public suffix"),
        (["deliver", "--file", "-"], "Changes cannot be written to standard output"),
        (
            ["due", "--country", "DE", "--no-country"],
            "Use either a country or no_country",
        ),
        (["due", "--stage", "clean"], "--stage"),
        (["due", "--before", "yesterday"], "--before: use a date or time such as 2026-01-13"),
        (["due", "--before", "0001-01-01T00:00+14:00"], "--before: use a date or time"),
        (["stuck", "--older-than", "999999d"], "--older-than: use a duration"),
        (["stuck", "--older-than", "long"], "--older-than: use a duration such as 45m, 2h or 3d"),
        (
            ["stuck", "--country", "DE", "--no-country"],
            "Use either a country or no_country",
        ),
        (["release"], "Missing argument 'DOMAIN...'"),
        (["crawl", "--workers", "0"], "0 is not in the range 1<=x<=64"),
        (["crawl", "--workers", "65"], "65 is not in the range 1<=x<=64"),
        (["due", "--limit", "1001"], "1001 is not in the range 1<=x<=1000"),
        (["list", "--cursor", ""], "--cursor: "),
        (["add", "--entries", "x"], "No such option"),
    ],
)
def test_wrong_words_are_refused_with_what_to_write(run: Run, words: list[str], told: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (ExitCode.USAGE, "")
    assert told in err


YET = "No shops are registered yet. Add one: gotgan shops add example.com --country DE\n"


@pytest.mark.parametrize(
    "words",
    [
        ["crawl"],
        ["scrape"],
        ["due"],
        ["stuck"],
        ["due", "--no-country"],
    ],
)
def test_where_nothing_was_registered_it_says_how(run: Run, words: list[str]) -> None:
    assert run(*words) == (ExitCode.OK, YET, "")
    assert json.loads(run(*words, "--json")[1])["hint"] == "add_shops"


def test_an_empty_list_says_how_to_add_a_shop(run: Run) -> None:
    assert run("list") == (ExitCode.OK, YET, "")
    assert run("list", "--country", "DE") == (ExitCode.OK, "No shops.\n", "")


@pytest.mark.parametrize("verb", ["crawl", "scrape", "due", "stuck"])
def test_a_table_without_a_shop_is_no_better_than_none(run: Run, tmp_path: Path, verb: str) -> None:
    (tmp_path / "data").mkdir()
    with long_ago(tmp_path) as store:
        store.create(SHOPS)
    assert run(verb) == (ExitCode.OK, YET, "")
    run("add", "nowhere.com")
    assert YET not in run(verb)[1]


def test_what_is_due_is_listed_with_when_it_was_last_done(
    run: Run, said: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    run("add", "old.de", "new.de", "--country", "DE")
    with long_ago(tmp_path) as store:
        claim = Shop.crawl.claim(store, Registry(store).get("old.de"))
        Shop.crawl.finish(store, claim, standards=("json-ld",))
    code, out, _ = run("due", "--country", "de")
    assert code == ExitCode.OK
    assert out.splitlines()[:2] == ["never                 new.de", "2026-01-15 19:00 KST  old.de"]
    assert out.splitlines()[-1] == "2 due for a crawl."
    assert said("due", "--country", "DE", "--stage", "scrape")["items"] == [
        {
            "domain": "old.de",
            "shop_country": "DE",
            "last_crawled_end": "2026-01-15T10:00:00Z",
            "last_scraped_start": None,
            "last_scraped_end": None,
            "scrape_state": "NEVER",
        }
    ]


@pytest.mark.usefixtures("in_tokelau")
def test_a_moment_without_an_offset_is_in_the_zone_of_the_settings(
    run: Run,
    said: Callable[..., dict[str, Any]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def domains(*words: str) -> list[str]:
        return [shop["domain"] for shop in said("due", *words)["items"]]

    run("add", "old.de", "new.de", "--country", "DE")
    with long_ago(tmp_path) as store:
        Shop.crawl.finish(store, Shop.crawl.claim(store, Registry(store).get("old.de")))
    assert domains("--before", "2026-01-15T19:00:00") == ["new.de", "old.de"]
    assert domains("--before", "2026-01-15T18:59:59") == ["new.de"]
    monkeypatch.setenv("GOTGAN_ZONE", "UTC")
    assert domains("--before", "2026-01-15") == ["new.de"]
    assert domains("--before", "2026-01-16") == ["new.de", "old.de"]
    assert domains("--before", "2026-01-15T10:00:00") == ["new.de", "old.de"]
    assert domains("--before", "2026-01-15T09:59:59") == ["new.de"]
    assert domains("--before", "2026-01-15T11:00:00+01:00") == ["new.de", "old.de"]
    assert domains("--before", "2026-01-15T10:59:59+01:00") == ["new.de"]
    assert domains("--after", "2026-01-15", "--before", "2026-01-16") == ["old.de"]
    monkeypatch.setenv("GOTGAN_ZONE", "Pacific/Kiritimati")  # fourteen hours ahead
    assert domains("--before", "2026-01-15T23:59:59") == ["new.de"]
    assert domains("--after", "2026-01-16") == ["old.de"]


def test_a_limit_says_that_there_are_more(run: Run, said: Callable[..., dict[str, Any]]) -> None:
    run("add", "a.de", "b.de", "--country", "DE")
    assert "There are more: raise --limit." in run("due", "--limit", "1")[1]
    assert [said("due", "--limit", str(most))["hasMore"] for most in (1, 2)] == [True, False]


def test_shops_without_a_country_are_listed_at_the_price_of_a_scan(
    run: Run, said: Callable[..., dict[str, Any]]
) -> None:
    run("add", "nowhere.com")
    assert said("due")["items"] == []
    found = said("due", "--no-country")
    assert [shop["domain"] for shop in found["items"]] == ["nowhere.com"]
    assert [line["verb"] for line in found["cost"]["lines"]] == ["without_country"]
    assert "1 due for a crawl.\n" in run("due", "--no-country")[1]
    assert run("due", "--no-country", "--cost")[2].startswith("Cost: 0.5 read units, $0.")


def test_what_is_stuck_is_listed_and_given_back(
    run: Run, said: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    run("add", "dead.de", "free.de", "--country", "DE")
    run("add", "nowhere.com")
    with long_ago(tmp_path) as store:
        for domain in ("dead.de", "nowhere.com"):
            Shop.crawl.claim(store, Registry(store).get(domain), owner="gone")
    code, out, _ = run("stuck")
    first, last = out.splitlines()
    assert code == ExitCode.OK
    assert first.startswith("2026-01-15 19:00 KST  crawl   dead.de  1 attempt  gone/")
    assert last == "1 stuck, 0 in progress."
    [countryless] = said("stuck", "--no-country")["items"]
    assert countryless["domain"] == "nowhere.com"
    assert said("stuck", "--no-country", "--older-than", "99999d")["items"] == []
    code, out, _ = run("release", "dead.de", "free.de", "nowhere.com", "nobody.de")
    assert code == ExitCode.FAILED
    assert "released  2026-01-15 19:00 KST  crawl   dead.de" in out
    assert "refused   No worker has claimed free.de." in out
    assert "refused   There is no shop nobody.de." in out
    assert "2 released, 2 refused.\n" in out
    assert said("stuck")["items"] == []


def test_a_worker_that_is_alive_keeps_its_shop(
    run: Run, said: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    run("add", "busy.de", "--country", "DE")
    with long_ago(tmp_path) as store:
        shop = Registry(store).get("busy.de")
        Shop.crawl.claim(store, shop, owner="kim", lease=timedelta(days=36_500))
    assert (said("stuck")["items"], said("stuck")["inProgress"]) == ([], 1)
    assert run("stuck")[1] == "0 stuck, 1 in progress.\n"
    report = said("release", "busy.de", "--stage", "crawl")
    assert (report["released"], report["refused"][0]["error"]["code"]) == ([], "conflict")
    assert "The claim is still valid: kim/" in report["refused"][0]["error"]["message"]


def test_a_shop_that_somebody_has_is_left_to_them_and_that_is_no_success(
    run: Run, said: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    run("add", "busy.de", "--country", "DE")
    with long_ago(tmp_path) as store:
        for lifecycle in (Shop.crawl, Shop.scrape):
            shop = Registry(store).get("busy.de")
            lifecycle.claim(store, shop, owner="kim", lease=timedelta(days=36_500))
    for verb in ("crawl", "scrape"):
        code, out, _ = run(verb, "busy.de")
        assert code == ExitCode.RETRY
        assert out.startswith("kim/")
        assert f"has claimed the {verb} of busy.de until 12-22 " in out
        assert out.endswith("if that worker is dead: gotgan shops release busy.de --force\n")
        code, out, _ = run(verb)
        assert code == ExitCode.OK
        assert out.startswith("Nothing to do; 1 in progress (gotgan shops stuck ")
    assert said("stuck", "--no-country")["inProgress"] == 0
    assert run("release", "busy.de", "--force")[1].count("released  2026-01-15 19:00 KST") == 2
    assert [shop["domain"] for shop in said("due")["items"]] == ["busy.de"]
    assert said("stuck")["inProgress"] == 0


def test_addresses_are_listed_by_their_type(
    run: Run, said: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    run("add", "a.de")
    item = "https://a.de/item-1"
    offer: dict[str, Any] = {"status": "SOLD", "price": 198_540, "currency": "GBP"}
    sold = ShopPage(domain="a.de", url=item, type="product", **offer)
    with long_ago(tmp_path) as store:
        store.put_all([sold, ShopPage(domain="a.de", url="https://a.de/", type="category")])
    known = {"url": item, "type": "product", **offer, "price_text": "1,985.40 GBP"}
    assert said("urls", "a.de", "--type", "product")["items"] == [
        {**dict.fromkeys(field_keys(ShopPage)), **known}
    ]
    head, row = run("urls", "a.de", "--type", "product")[1].splitlines()
    assert head.split() == ["type", "status", "price", "title", "url"]
    assert row.split() == ["product", "SOLD", "1,985.40", "GBP", item]
    code, _, err = run("urls", "a.de", "--type", "nonsense")
    assert code == ExitCode.USAGE
    assert "'product', 'category', 'listing', 'article', 'other'" in err
    first = said("urls", "a.de", "--limit", "1")
    rest = said("urls", "a.de", "--cursor", first["cursor"])
    assert [page["url"] for page in [*first["items"], *rest["items"]]] == ["https://a.de/", item]
    assert run("urls", "a.de", "--type", "article")[1].startswith("No pages.")
    assert run("urls", "b.de")[0] == ExitCode.FAILED


def test_related_domains_are_listed(run: Run, said: Callable[..., dict[str, Any]]) -> None:
    run("add", "example.de", "example.com", "www.example.co.uk", "other.de")
    report = said("related", "example.de")
    assert report["items"] == ["example.com", "www.example.co.uk"]
    assert run("related", "other.de")[1] == "0 related.\n"


def test_the_table_has_the_name_that_the_documents_variable_gives_it(
    run: Run, said: Callable[..., dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DYNAMODB_TABLE_NAME", "shops-prod")
    run("add", "a.de", "--country", "DE")
    assert {line["table"] for line in said("due")["cost"]["lines"]} == {"shops-prod"}


def test_a_shop_is_shown_with_where_it_stands(run: Run, said: Callable[..., Any]) -> None:
    run("add", "example.com", "--country", "DE", "--name", "Möbel")
    told = said("get", "https://www.example.com/a/page")
    assert (told["domain"], told["crawl_state"]) == ("example.com", "NEVER")
    lines = run("get", "example.com")[1].splitlines()
    assert "shop name           Möbel" in lines
    code, _, err = run("get", "other.com")
    assert code == ExitCode.FAILED
    assert "other.com" in err


# What other tools wrote


def test_shops_of_other_tools_are_adopted(
    run: Run, said: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    said("add", "example.org", "--country", "AT")
    with long_ago(tmp_path) as store:
        Table(store).put(META)
        Table(store).put(ITEM)
        Table(store).put(META, pk="SHOP#example.net", domain="example.net", shop_country="Germany")
    first, second = run("adopt", "--max-items", "2"), run("adopt")
    assert "Run it again to continue." in first[1]
    assert "Run it again" not in second[1]
    assert ExitCode.FAILED in {first[0], second[0]}
    assert "SHOP#example.net / META#" in first[1] + second[1]
    assert [line["domain"] for line in said("due")["items"]] == ["example.org", "example.com"]
    assert run("urls", "example.com", "--type", "product")[1].strip() != ""


def test_a_shop_of_another_tool_is_adopted_when_it_is_added(
    said: Callable[..., dict[str, Any]], tmp_path: Path
) -> None:
    said("add", "example.org")
    with long_ago(tmp_path) as store:
        Table(store).put(META)
    told = said("add", "example.com")
    [adopted] = told["adopted"]
    assert (adopted["domain"], adopted["shop_country"]) == ("example.com", "DE")
    assert said("add", "example.com")["adopted"] == []


@pytest.mark.parametrize("stored", [META, ITEM], ids=["a shop", "a page"])
def test_where_nothing_is_found_the_adoption_of_others_is_named(
    run: Run, said: Callable[..., dict[str, Any]], tmp_path: Path, stored: dict[str, Any]
) -> None:
    said("add", "example.org")  # it has no country, and is in no list of what is due
    assert said("due")["hint"] is None
    assert "gotgan shops adopt" not in run("due")[1]
    with long_ago(tmp_path) as store:
        Table(store).put(stored)
    assert said("due")["hint"] == "adopt_shops"
    for verb in ("due", "crawl", "scrape"):
        code, out, _ = run(verb)
        assert (code, "run gotgan shops adopt" in out) == (ExitCode.OK, True)
    run("adopt")
    assert said("due", "--country", "AT")["hint"] is None
