"""Redirects: followed as far as it goes, each with a look at where it leads."""

from __future__ import annotations

import socket

import pytest

from gotgan.errors import BadStatus, RobotsDisallowed, TooManyRedirects
from gotgan.fetch import Validators, Web
from tests.unit.fetch.serving import SITE, Server, opened, redirect, reply


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_is_followed(server: Server, web: Web, status: int) -> None:
    server.says("/a", redirect("/b?c#d", status))
    server.says("/b", reply(b"there"))
    answer = web.get(f"{SITE}/a#x")
    assert (answer.asked, answer.url) == (f"{SITE}/a#x", f"{SITE}/b?c")
    assert (answer.status, answer.body) == (200, b"there")


def test_a_redirect_keeps_the_name_and_the_scheme_that_were_asked_for(
    server: Server, web: Web
) -> None:
    server.says("/a", redirect("//www.site.test/b"))
    server.says("/b", reply(b"there"))
    assert web.get("https://site.test/a").url == "https://www.site.test/b"
    assert server.requests[-1].address == "www.site.test/b"


def test_the_body_of_a_redirect_is_not_waited_for(server: Server, web: Web) -> None:
    head = b"HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 1000000\r\n\r\n"

    def unfinished(connection: socket.socket) -> None:
        connection.sendall(head)
        server.hangs(connection)

    server.says("/a", unfinished)
    server.says("/b", reply(b"there"))
    assert web.get(f"{SITE}/a").body == b"there"


def test_a_circle_is_left_where_it_closes(server: Server, web: Web) -> None:
    server.says("/a", redirect("/b"))
    server.says("/b", redirect("/a#again"))
    with pytest.raises(TooManyRedirects, match="Too many redirects"):
        web.get(f"{SITE}/a")
    assert server.targets == ["/a", "/b"]


def test_a_redirect_to_itself_is_a_circle(server: Server, web: Web) -> None:
    server.says("/a", redirect(""))
    with pytest.raises(TooManyRedirects):
        web.get(f"{SITE}/a")
    assert server.targets == ["/a"]


def test_as_many_redirects_as_allowed_are_followed_and_not_one_more(server: Server) -> None:
    for number in range(4):
        server.says(f"/{number}", redirect(f"/{number + 1}"))
    server.says("/4", reply(b"there"))
    with opened(server, redirects=3) as web:
        with pytest.raises(TooManyRedirects, match=r"last to https://site\.test/4"):
            web.get(f"{SITE}/0")
        assert server.targets == ["/0", "/1", "/2", "/3"]
        assert web.get(f"{SITE}/1").body == b"there"


def test_a_redirect_that_leads_nowhere_is_no_answer(server: Server, web: Web) -> None:
    server.says("/a", reply(b"", 302))
    with pytest.raises(BadStatus) as caught:
        web.get(f"{SITE}/a")
    assert caught.value.status == 302


def test_each_host_on_the_way_is_asked_for_its_rules(server: Server, web: Web) -> None:
    server.says("/robots.txt", reply(b"User-agent: *\nDisallow: /closed\n"))
    server.says("/a", redirect("https://other.site.test/closed"))
    with pytest.raises(RobotsDisallowed, match=r"other\.site\.test"):
        web.get(f"{SITE}/a")
    asked = [request.address for request in server.requests]
    assert asked == ["site.test/robots.txt", "site.test/a", "other.site.test/robots.txt"]


def test_a_redirected_robots_txt_counts_for_the_site_that_redirects(
    server: Server, web: Web
) -> None:
    server.says("/robots.txt", redirect("https://other.site.test/rules"))
    server.says("/rules", reply(b"User-agent: *\nDisallow: /closed\n"))
    with pytest.raises(RobotsDisallowed):
        web.get(f"{SITE}/closed")
    assert server.targets == ["/rules"]


def test_our_version_is_told_to_the_asked_address_alone(server: Server, web: Web) -> None:
    server.says("/a", redirect("https://other.site.test/b"))
    server.says("/b", reply(b"there"))
    web.get(f"{SITE}/a", validators=Validators('"v1"', "Thu, 06 Nov 2025 00:35:12 GMT"))
    first, last = (each for each in server.requests if each.target != "/robots.txt")
    assert first.headers["if-none-match"] == '"v1"'
    assert first.headers["if-modified-since"] == "Thu, 06 Nov 2025 00:35:12 GMT"
    assert not {"if-none-match", "if-modified-since"} & set(last.headers)
