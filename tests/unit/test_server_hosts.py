"""The names that a server answers to."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import httpx
import pytest

from gotgan.app import App
from gotgan.errors import SettingsError
from gotgan.listener import serve_in_thread
from gotgan.server import create_server, is_known_host, server_names
from gotgan.settings import Settings

NAMES = frozenset({"localhost", "*.localhost", "gotgan.example.com", "*.internal"})


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LocalHost:8080",
        "localhost.",
        "a.localhost",
        "127.0.0.1",
        "127.0.0.1:8080",
        "192.0.2.7:80",
        "[::1]:8080",
        "[2001:db8::7]",
        "gotgan.example.com:443",
        "a.internal",
        "a.b.internal",
    ],
)
def test_our_names_and_addresses_are_known(host: str) -> None:
    assert is_known_host(host, NAMES)


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "localhost.evil.example",
        "example.com",
        "www.gotgan.example.com",
        "internal",
        "127.0.0.1.evil.example",
        "127.0.0.1.evil.example:8080",
        "0x7f.1",
        ":8080",
        "a b",
    ],
)
def test_other_names_are_not(host: str) -> None:
    assert not is_known_host(host, NAMES)
    assert is_known_host(host, {"*"})


def test_the_setting_takes_names_without_scheme_and_port() -> None:
    said = "Gotgan.Example.com., *.internal,*"
    settings = Settings.from_env({"GOTGAN_HOSTS": said})
    assert settings.hosts == ("gotgan.example.com", "*.internal", "*")
    for wrong in ("https://a.example", "a.example:8080", "a*.example"):
        with pytest.raises(SettingsError, match="GOTGAN_HOSTS"):
            Settings.from_env({"GOTGAN_HOSTS": wrong})


def test_beyond_this_machine_a_server_has_the_name_of_the_machine() -> None:
    own = socket.gethostname().lower()
    assert own in server_names(Settings(), "0.0.0.0")  # noqa: S104 - it is what people write
    assert server_names(Settings(hosts=("*.internal",)), "127.0.0.1") == {
        "localhost",
        "*.localhost",
        "127.0.0.1",
        "*.internal",
    }
    assert "gotgan.lan" in server_names(Settings(), "gotgan.lan")


class Served:
    """A server that is asked under any name."""

    def __init__(self, url: str) -> None:
        self._url = url

    def ask(self, path: str, host: str, **headers: str) -> httpx.Response:
        return httpx.get(f"{self._url}{path}", headers={"Host": host, **headers})

    def status(self, path: str, host: str, **headers: str) -> int:
        return self.ask(path, host, **headers).status_code


@pytest.fixture
def settings() -> Settings:
    return Settings()


@pytest.fixture
def served(settings: Settings) -> Iterator[Served]:
    with App.in_memory(settings=settings) as app:
        server = create_server(app, hosts=server_names(settings, "127.0.0.1"))
        with serve_in_thread(server) as url:
            yield Served(url)


def test_a_page_under_another_name_reaches_nothing(served: Served) -> None:
    for path in ("/v1/posts", "/v1/openapi.json", "/sign-in", "/static/app.css", "/nothing"):
        answer = served.ask(path, "evil.example:8080")
        assert answer.status_code == 400, path
        assert "GOTGAN_HOSTS" in answer.text
        assert "'evil.example:8080'" in answer.text
        assert answer.headers["x-request-id"]
    error = served.ask("/v1/posts", "evil.example").json()["error"]
    assert (error["code"], bool(error["traceId"])) == ("unknown_host", True)
    assert served.status("/v1/posts", "localhost:1") == 200
    assert served.status("/v1/posts", "[::1]:1") == 200


def test_whoever_watches_a_server_may_call_it_as_they_like(served: Served) -> None:
    assert served.status("/v1/health", "10-0-0-7.probe.internal") == 200


@pytest.mark.parametrize(
    ("settings", "status"),
    [
        (Settings(hosts=("www.example.com",)), 200),
        (Settings(hosts=("*.example.com",)), 200),
        (Settings(hosts=("*",)), 200),
        (Settings(trusted_proxies=("127.0.0.0/8",)), 200),
        (Settings(trusted_proxies=("10.0.0.0/8",)), 400),
        (Settings(trusted_proxies=("127.0.0.0/8",), hosts=("other.example.com",)), 400),
    ],
    ids=["name", "star", "all", "proxy", "other proxy", "proxy and names"],
)
def test_settings_name_others(served: Served, status: int) -> None:
    assert served.status("/v1/posts", "www.example.com") == status


def test_a_server_that_was_given_no_names_answers_to_all() -> None:
    with App.in_memory() as app, serve_in_thread(create_server(app)) as url:
        assert Served(url).status("/v1/posts", "abc.execute-api.eu-west-1.amazonaws.com") == 200
