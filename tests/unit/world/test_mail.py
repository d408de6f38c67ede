"""The world's mail server, asked by the client that sends the mails of sites, and by a bare one."""

from __future__ import annotations

import smtplib
import socket
from collections.abc import Iterator
from email.message import EmailMessage
from urllib.parse import urlsplit

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.site.smtp import Postbox
from gotgan.errors import MailFailed, MailUnreachable, UsageError
from gotgan.settings import Secret
from gotgan.world import MAIL_HOST, FaultKind, World, mail_server, world_server
from tests.patience import PATIENCE
from tests.unit.world.asking import ask
from tests.unit.world.conftest import NOON


@pytest.fixture
def world() -> World:
    return World(clock=FixedClock(NOON), padding=0)


@pytest.fixture
def url(world: World) -> Iterator[str]:
    with mail_server(world) as url:
        yield url


@pytest.fixture
def client(url: str) -> Iterator[smtplib.SMTP]:
    where = urlsplit(url)
    with smtplib.SMTP(where.hostname or "", where.port or 0, timeout=PATIENCE) as client:
        yield client


def letter(to: str = "desk@example.com", text: str = "hello\n") -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "site@example.com", to, "인사"
    message.set_content(text)
    return message


def test_a_mail_is_kept_as_it_was_handed_in(world: World, url: str) -> None:
    Postbox(Secret(url)).deliver(letter(text="하나\n.\n..둘\n"))
    [kept] = world.mails
    assert (kept.at, kept.sender, kept.to) == (NOON, "site@example.com", ("desk@example.com",))
    assert kept.message["Subject"] == "인사"
    assert kept.message.get_content().replace("\r\n", "\n") == "하나\n.\n..둘\n"


def test_several_mails_come_over_one_connection(world: World, url: str) -> None:
    with Postbox(Secret(url)).session() as session:
        for name in ("a", "b"):
            session.deliver(letter(f"{name}@example.com"))
    assert [kept.to for kept in world.mails] == [("a@example.com",), ("b@example.com",)]


def test_a_mail_that_is_to_come_again_is_taken_the_next_time(world: World, url: str) -> None:
    world.fail(MAIL_HOST, "/desk@*", FaultKind.GREYLISTED, times=1)
    with Postbox(Secret(url)).session() as session:
        with pytest.raises(MailFailed, match=r"451 4\.7\.1 greylisted") as refusal:
            session.deliver(letter())
        assert not isinstance(refusal.value, MailUnreachable)
        session.deliver(letter("visitor@example.net"))
        session.deliver(letter())
    assert [kept.to[0] for kept in world.mails] == ["visitor@example.net", "desk@example.com"]
    assert [(seen.method, seen.path, seen.fault) for seen in world.requests][:2] == [
        ("RCPT", "/desk@example.com", FaultKind.GREYLISTED),
        ("RCPT", "/visitor@example.net", None),
    ]


def test_a_mailbox_that_nobody_has_is_refused(world: World, url: str) -> None:
    world.fail(MAIL_HOST, "/nobody@*", FaultKind.NO_MAILBOX)
    with pytest.raises(MailFailed, match="550"):
        Postbox(Secret(url)).deliver(letter("nobody@example.com"))
    assert world.mails == ()


def test_a_fault_of_all_hosts_closes_the_door_and_later_it_is_open(world: World, url: str) -> None:
    world.fail("*", "*", FaultKind.UNAVAILABLE, times=1)
    with Postbox(Secret(url)).session() as session:
        with pytest.raises(MailUnreachable, match="421"):
            session.deliver(letter())
        session.deliver(letter())
    assert len(world.mails) == 1


def test_faults_of_the_mail_server_are_planned_nowhere_else(world: World) -> None:
    with pytest.raises(UsageError, match=r"Plan it at mail\.test"):
        world.fail("finance.yahoo.com", "*", FaultKind.GREYLISTED)


def test_a_client_that_goes_away_in_the_middle_has_handed_in_nothing(
    world: World, client: smtplib.SMTP
) -> None:
    client.ehlo()
    client.mail("site@example.com")
    client.rcpt("desk@example.com")
    client.putcmd("data")
    client.getreply()
    client.send(b"Subject: half\r\n")
    assert client.sock is not None
    client.sock.shutdown(socket.SHUT_WR)
    assert client.sock.recv(1) == b""
    assert world.mails == ()


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("RCPT TO:<a@example.com>", 503),
        ("DATA", 503),
        ("MAIL FROM:nobody", 501),
        ("MAIL FROM:<>", 250),
        ("HELO there", 250),
        ("rset", 250),
        ("NOOP", 250),
        ("VRFY desk", 500),
        ("", 500),
    ],
)
def test_a_command_at_the_wrong_time_or_an_unknown_one_is_told(
    client: smtplib.SMTP, line: str, code: int
) -> None:
    assert client.docmd(line)[0] == code


def test_a_mail_that_is_too_large_is_refused_and_the_next_one_taken(
    world: World, client: smtplib.SMTP
) -> None:
    large = b"x" * 900 + b"\r\n"
    with pytest.raises(smtplib.SMTPDataError, match="too large"):
        client.sendmail("a@example.com", "b@example.com", large * 12_000)
    client.sendmail("a@example.com", "b@example.com", large)
    assert [kept.raw for kept in world.mails] == [large]


def test_only_the_last_mails_are_kept(world: World, client: smtplib.SMTP) -> None:
    for number in range(201):
        client.sendmail("a@example.com", "b@example.com", f"{number}\r\n".encode())
    assert (len(world.mails), world.mails[0].raw) == (200, b"1\r\n")


def test_the_worlds_own_pages_show_what_was_handed_in(world: World, url: str) -> None:
    Postbox(Secret(url)).deliver(letter())
    with world_server(world) as served:
        [shown] = ask(served, "/_world/mails", "world.test").json["mails"]
        assert "handed in by SMTP" in ask(served, "/", MAIL_HOST).text
    assert (shown["from"], shown["to"]) == ("site@example.com", ["desk@example.com"])
    assert "hello" in shown["raw"]
