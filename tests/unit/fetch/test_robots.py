"""What robots.txt means, whatever stands in its place, and how seldom it is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from gotgan.errors import (
    AddressRefused,
    BadStatus,
    FetchError,
    FetchTimeout,
    NotRecorded,
    PageForbidden,
    PageMissing,
    RobotsUnavailable,
    ServerTrouble,
    TooLarge,
    TooManyRedirects,
    TooManyRequests,
    Truncated,
    Undecodable,
    Unreachable,
)
from gotgan.fetch.models import HopResponse
from gotgan.fetch.robots import FAILURE_TTL_S, MAX_ORIGINS, MAX_ROBOTS_BYTES, RULES_TTL_S, Robots
from tests.unit.fetch.fast_loop import run

PAGE = "https://news.test/private/page.html"
CLOSED = b"User-agent: *\nDisallow: /private/\n"


class Sites:
    """A web of nothing but robots.txt, which answers after a second and counts."""

    def __init__(self, *outcomes: bytes | FetchError) -> None:
        self.outcomes: Iterator[bytes | FetchError] = iter(outcomes)
        self.asked: list[str] = []
        self.now = 0.0

    async def fetch(self, url: str) -> HopResponse:
        self.asked.append(url)
        outcome = next(self.outcomes, CLOSED)
        await asyncio.sleep(1)
        if isinstance(outcome, FetchError):
            raise outcome
        return HopResponse(200, {"content-type": "text/plain"}, outcome)

    def robots(self, agent: str = "gotgan") -> Robots:
        return Robots(self.fetch, agent=agent, monotonic=lambda: self.now)


def allows(body: bytes | FetchError, url: str = PAGE, *, agent: str = "gotgan") -> bool:
    async def story() -> bool:
        return (await Sites(body).robots(agent).get(url)).allows(url)

    return run(story())


def test_what_is_closed_is_closed_and_the_rest_is_open() -> None:
    assert not allows(CLOSED)
    assert allows(CLOSED, "https://news.test/public/page.html")


def test_a_group_of_our_own_counts_instead_of_that_for_all() -> None:
    body = b"User-agent: *\nDisallow: /\n\nUser-agent: Gotgan\nDisallow: /private/$\n"
    assert allows(body)
    assert not allows(body, agent="other")


def test_the_longer_rule_wins() -> None:
    assert allows(CLOSED + b"Allow: /private/page\n")


def test_a_site_without_a_delay_asks_for_none() -> None:
    async def story() -> list[float | None]:
        sites = Sites(b"User-agent: *\nCrawl-delay: 7.5\n", CLOSED, PageMissing("gone", 404))
        robots = sites.robots()
        return [(await robots.get(f"https://{host}.test/")).delay for host in "abc"]

    assert run(story()) == [7.5, None, None]


@pytest.mark.parametrize(
    "error",
    [
        BadStatus("bad", 400),
        PageForbidden("unauthorised", 401),
        PageForbidden("forbidden", 403),
        PageMissing("missing", 404),
        PageMissing("gone", 410),
        PageForbidden("for legal reasons", 451),
        TooManyRedirects("round and round"),
    ],
    ids=str,
)
def test_a_site_without_rules_allows_everything(error: FetchError) -> None:
    assert allows(error)


@pytest.mark.parametrize(
    "error",
    [
        TooManyRequests("too many", 429),
        ServerTrouble("broken", 500),
        ServerTrouble("busy", 503, 10.0),
        BadStatus("odd", 599),
        Truncated("half"),
        TooLarge("a gigabyte"),
        Undecodable("not gzip"),
    ],
    ids=str,
)
def test_where_nobody_knows_the_rules_nothing_is_fetched(error: FetchError) -> None:
    status = isinstance(error, BadStatus) and error.status
    why = rf"Could not fetch https://news\.test/robots\.txt: status {status}\." if status else error
    sentence = rf"^{why} Nothing is fetched .* Try again "
    with pytest.raises(RobotsUnavailable, match=sentence):
        allows(error)


@pytest.mark.parametrize(
    "error",
    [
        AddressRefused("inside"),
        FetchTimeout("slow"),
        NotRecorded("not there"),
        Unreachable("no one there"),
    ],
    ids=str,
)
def test_a_failure_without_an_answer_stays_what_it_is(error: FetchError) -> None:
    with pytest.raises(type(error), match=str(error)):
        allows(error)


@pytest.mark.parametrize(
    "page",
    [
        b"<!DOCTYPE html><html><pre>\nUser-agent: *\nDisallow: /\n</pre></html>",
        b"\xef\xbb\xbf\r\n <html>\nUser-agent: *\nDisallow: /\n",
        b"",
        b"\x00\xff\xfe",
        b"Disallow: /\n",
    ],
    ids=["page", "page after a mark", "nothing", "rubbish", "for nobody"],
)
def test_a_page_or_nothing_in_its_place_allows_everything(page: bytes) -> None:
    assert allows(page)


@pytest.mark.parametrize(
    "body",
    [
        b"\xef\xbb\xbf" + CLOSED,
        b"# caf\xe9\n" + CLOSED,
        CLOSED.replace(b"\n", b"\r\n"),
        CLOSED.replace(b"\n", b"\r"),
        b"#" * (MAX_ROBOTS_BYTES - len(CLOSED) - 1) + b"\n" + CLOSED,
    ],
    ids=["mark", "Latin-1", "Windows", "old Mac", "just small enough"],
)
def test_rules_are_found_however_they_are_written(body: bytes) -> None:
    assert not allows(body)


def test_only_the_first_part_of_a_huge_file_counts() -> None:
    assert allows(b"#" * MAX_ROBOTS_BYTES + b"\n" + CLOSED)


def test_a_line_that_is_cut_in_two_does_not_count() -> None:
    start = b"User-agent: *\nDisallow: /other\n#"
    rule = b"\nDisallow: /private/and/no/more"
    filling = b"#" * (MAX_ROBOTS_BYTES - len(start) - len(b"\nDisallow: /private/"))
    body = start + filling + rule
    assert allows(body)
    assert not allows(body, "https://news.test/other")


def test_an_origin_is_a_scheme_a_host_and_a_port() -> None:
    async def story() -> list[str]:
        sites = Sites()
        robots = sites.robots()
        for url in (
            "https://News.test/a?b#c",
            "https://news.test:443/d",
            "http://news.test:80/",
            "https://news.test:8443/",
            "https://www.news.test",
            "http://[2001:db8::1]:8080/x",
        ):
            await robots.get(url)
        return sites.asked

    assert run(story()) == [
        "https://news.test/robots.txt",
        "http://news.test/robots.txt",
        "https://news.test:8443/robots.txt",
        "https://www.news.test/robots.txt",
        "http://[2001:db8::1]:8080/robots.txt",
    ]


def test_rules_hold_for_a_day_and_are_asked_for_again_then() -> None:
    async def story() -> list[bool]:
        sites = Sites(CLOSED, b"")
        robots = sites.robots()
        allowed = []
        for sites.now in (0, RULES_TTL_S - 1, RULES_TTL_S):
            allowed.append((await robots.get(PAGE)).allows(PAGE))
        return allowed

    assert run(story()) == [False, False, True]


def test_a_failure_holds_for_a_minute_and_is_raised_anew_each_time() -> None:
    async def story() -> int:
        sites = Sites(Unreachable("no one there"))
        robots = sites.robots()
        errors = []
        for sites.now in (0, FAILURE_TTL_S - 1):
            with pytest.raises(Unreachable, match="no one there") as caught:
                await robots.get(PAGE)
            errors.append(caught.value)
        assert errors[0] is not errors[1]
        sites.now = FAILURE_TTL_S
        await robots.get(PAGE)
        return len(sites.asked)

    assert run(story()) == 2


@pytest.mark.parametrize("outcome", [CLOSED, Unreachable("no one there")], ids=["rules", "failure"])
def test_many_who_ask_at_once_share_one_answer(outcome: bytes | FetchError) -> None:
    async def story() -> tuple[int, int]:
        sites = Sites(outcome)
        robots = sites.robots()
        found = await asyncio.gather(*(robots.get(PAGE) for _ in range(9)), return_exceptions=True)
        return len(sites.asked), len({type(each) for each in found})

    assert run(story()) == (1, 1)


def test_a_slow_site_keeps_nobody_from_another() -> None:
    async def story() -> float:
        sites = Sites()
        robots = sites.robots()
        await asyncio.gather(*(robots.get(f"https://{n}.test/") for n in range(9)))
        return asyncio.get_running_loop().time()

    assert run(story()) == 1


def test_when_the_one_who_asks_goes_away_the_next_one_asks() -> None:
    async def story() -> tuple[int, list[bool]]:
        sites = Sites()
        robots = sites.robots()
        askers = [asyncio.create_task(robots.get(PAGE)) for _ in range(4)]
        await asyncio.sleep(0.5)
        askers[0].cancel()
        rules = await asyncio.gather(*askers[1:])
        assert askers[0].cancelled()
        return len(sites.asked), [each.allows(PAGE) for each in rules]

    assert run(story()) == (2, [False] * 3)


def test_when_all_who_ask_go_away_nothing_goes_on_in_their_name() -> None:
    async def story() -> int:
        robots = Sites().robots()
        askers = [asyncio.create_task(robots.get(PAGE)) for _ in range(3)]
        await asyncio.sleep(0.5)
        for asker in askers:
            asker.cancel()
        await asyncio.gather(*askers, return_exceptions=True)
        return len(asyncio.all_tasks())

    assert run(story()) == 1


def test_the_site_that_nobody_asks_about_is_forgotten_first() -> None:
    async def story() -> list[str]:
        sites = Sites()
        robots = sites.robots()
        await robots.get("https://idle.test/")
        await robots.get("https://busy.test/")
        for number in range(MAX_ORIGINS):
            await robots.get(f"https://{number}.test/")
            await robots.get("https://busy.test/")
        await robots.get("https://idle.test/")
        return sites.asked

    asked = run(story())
    assert asked.count("https://busy.test/robots.txt") == 1
    assert asked.count("https://idle.test/robots.txt") == 2
