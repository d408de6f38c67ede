"""The door to mail servers: against real ones on loopback, good and bad."""

from __future__ import annotations

import socket
import traceback
from collections.abc import Iterator
from email.message import EmailMessage
from urllib.parse import quote

import pytest

from gotgan.domains.site.smtp import Postbox
from gotgan.errors import MailFailed, MailUnreachable
from gotgan.settings import Secret
from tests.unit.domains.site.mail_server import USER, MailServer, certified, serving, trusting

pytestmark = pytest.mark.filterwarnings("ignore:Requiring AUTH while not requiring TLS")
"""The server's concern, and right; but loopback is where a password may go without."""


@pytest.fixture
def server() -> Iterator[MailServer]:
    with serving() as running:
        yield running


def letter(to: str = "desk@example.com", text: str = "hello\n") -> EmailMessage:
    message = EmailMessage()
    message["From"] = "site@example.com"
    message["To"] = to
    message["Subject"] = "a letter"
    message.set_content(text)
    return message


def with_login(url: Secret, user: str = USER[0], password: str = USER[1]) -> Secret:
    scheme, _, rest = url.reveal().partition("://")
    return Secret(f"{scheme}://{quote(user, safe='')}:{quote(password, safe='')}@{rest}")


def free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def test_a_mail_is_handed_in_as_it_is(server: MailServer) -> None:
    Postbox(server.url).deliver(letter(text="one\n.\n..two\n"))
    (got,) = server.received
    assert (got.sender, got.to) == ("site@example.com", ["desk@example.com"])
    assert got.message["Subject"] == "a letter"
    assert got.message.get_content().replace("\r\n", "\n") == "one\n.\n..two\n"


def test_several_mails_go_over_one_connection(server: MailServer) -> None:
    with Postbox(server.url).session() as session:
        for number in range(3):
            session.deliver(letter(text=f"{number}\n"))
    assert (len(server.received), server.connections) == (3, 1)


def test_a_session_without_a_mail_does_not_connect() -> None:
    with Postbox(Secret(f"smtp://127.0.0.1:{free_port()}")).session():
        pass


def test_a_connection_that_the_server_ended_is_opened_anew(server: MailServer) -> None:
    server.leaves = True
    with Postbox(server.url).session() as session:
        session.deliver(letter())
        session.deliver(letter())
    assert (len(server.received), server.connections) == (2, 2)


@pytest.mark.parametrize("said", ["451 4.7.1 come back later", "550 5.1.1 nobody of that name"])
def test_a_refused_recipient_is_a_failure_of_that_mail_alone(server: MailServer, said: str) -> None:
    server.answer = lambda address: said if address.startswith("no") else None
    with Postbox(server.url).session() as session:
        with pytest.raises(MailFailed, match=said) as refusal:
            session.deliver(letter(to="nobody@example.com"))
        session.deliver(letter())
    assert not isinstance(refusal.value, MailUnreachable)
    assert [got.to for got in server.received] == [["desk@example.com"]]


def test_a_refused_content_is_a_failure_of_that_mail_alone(server: MailServer) -> None:
    server.verdict = "554 5.6.0 not this"
    with pytest.raises(MailFailed, match=r"554 5\.6\.0 not this") as refusal:
        Postbox(server.url).deliver(letter())
    assert not isinstance(refusal.value, MailUnreachable)


def test_what_a_server_says_is_told_on_one_line(server: MailServer) -> None:
    server.verdict = "554-first\r\n554 second \x1b[31m" + "x" * 400
    with pytest.raises(MailFailed) as refusal:
        Postbox(server.url).deliver(letter())
    assert refusal.value.message.isprintable()
    assert len(refusal.value.message) < 400


def test_a_server_that_closes_is_unreachable(server: MailServer) -> None:
    server.verdict = "421 4.3.2 going down"
    with pytest.raises(MailUnreachable, match=r"421 4\.3\.2 going down"):
        Postbox(server.url).deliver(letter())


def test_a_connection_that_breaks_in_the_middle_is_no_acceptance(server: MailServer) -> None:
    server.drops = True
    with Postbox(server.url).session() as session:
        with pytest.raises(MailUnreachable, match="closed the connection"):
            session.deliver(letter())
        server.drops = False
        session.deliver(letter())
    assert len(server.received) == 1


def test_nobody_listening_is_unreachable() -> None:
    with pytest.raises(MailUnreachable, match="GOTGAN_SMTP_URL"):
        Postbox(Secret(f"smtp://127.0.0.1:{free_port()}")).deliver(letter())


def test_a_server_that_never_answers_is_given_up() -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = Secret(f"smtp://127.0.0.1:{mute.getsockname()[1]}")
        with pytest.raises(MailUnreachable, match="Could not connect"):
            Postbox(url, patience=0.1).deliver(letter())


def test_a_user_and_a_password_are_decoded_and_used() -> None:
    with serving(needs_login=True) as server:
        Postbox(with_login(server.url)).deliver(letter())
        assert server.logins == [USER]
        assert len(server.received) == 1


def test_a_server_that_wants_a_login_refuses_a_mail_without_one() -> None:
    with serving(needs_login=True) as server, pytest.raises(MailFailed, match="530"):
        Postbox(server.url).deliver(letter())


@pytest.mark.parametrize("password", ["not-the-one", "비밀번호"])
def test_a_wrong_password_is_told_without_the_password(password: str) -> None:
    with serving(needs_login=True) as server:
        with pytest.raises(MailUnreachable, match="GOTGAN_SMTP_URL") as refusal:
            Postbox(with_login(server.url, password=password)).deliver(letter())
        assert password not in "".join(traceback.format_exception(refusal.value))
        assert server.received == []


def test_a_server_that_knows_no_login_is_told_apart(server: MailServer) -> None:
    with pytest.raises(MailUnreachable, match="does not accept a user name"):
        Postbox(with_login(server.url)).deliver(letter())


def test_a_password_leaves_the_machine_only_encrypted(server: MailServer) -> None:
    """The name is this machine's own, but nothing says so in the address."""
    elsewhere = Secret(with_login(server.url).reveal().replace("127.0.0.1", "0.0.0.0"))  # noqa: S104
    with pytest.raises(MailUnreachable, match="does not offer encryption"):
        Postbox(elsewhere).deliver(letter())
    assert server.logins == []


def test_starttls_is_used_where_it_is_offered() -> None:
    with serving(needs_login=True, starttls=certified()) as server:
        Postbox(with_login(server.url), tls=trusting()).deliver(letter())
        assert (server.logins, len(server.received)) == ([USER], 1)


def test_a_mail_goes_over_tls_from_the_first_byte() -> None:
    with serving(smtps=certified()) as server:
        Postbox(server.url, tls=trusting()).deliver(letter())
        assert len(server.received) == 1


def test_a_certificate_that_nobody_vouches_for_gets_neither_password_nor_mail() -> None:
    with serving(needs_login=True, starttls=certified()) as server:
        with pytest.raises(MailUnreachable, match="certificate"):
            Postbox(with_login(server.url)).deliver(letter())
        assert (server.logins, server.received) == ([], [])


def test_a_certificate_is_checked_from_the_first_byte_too() -> None:
    with serving(smtps=certified()) as server:
        with pytest.raises(MailUnreachable, match="certificate"):
            Postbox(server.url).deliver(letter())
        assert server.received == []


def test_a_url_without_a_port_has_the_usual_one() -> None:
    named = [str(Postbox(Secret(f"{scheme}://mail.test"))._server) for scheme in ("smtp", "smtps")]  # noqa: SLF001
    assert named == ["mail.test:587", "mail.test:465"]
