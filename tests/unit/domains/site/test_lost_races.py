"""Who comes too late is allowed what it takes to find that out, by the roles of the template.

A refused write tells the item that was in its way. Where there is none it tells nothing, and the
store asks for the item: that is one more read, which only those see who lose a race.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from gotgan.domains.site import outbox, patterns
from gotgan.domains.site.deployment import template
from gotgan.functions import Container

from . import mail_server
from .deployed import ADMIN, Data, Deployed, Visit, deployed
from .mail_server import MailServer
from .permissions import Guarded
from .stack import Stack, stack_of

Act = Callable[[Deployed], object]


@pytest.fixture(scope="module")
def stack() -> Stack:
    return stack_of(template())


@pytest.fixture
def site(stack: Stack) -> Iterator[Deployed]:
    with deployed(stack) as site:
        site.operator.site.company.replace({"name": "곳간", "email": "d@example.com"})
        yield site


@pytest.fixture
def server() -> Iterator[MailServer]:
    with mail_server.serving() as server:
        yield server


def _worker(site: Deployed, server: MailServer) -> tuple[Container, Guarded]:
    return site.function("MailFunction", GOTGAN_SMTP_URL=server.url.reveal())


def _told(site: Deployed, worker: Container) -> tuple[int, int, int]:
    """What a round did that was allowed all it asked for: how many were sent, failed, lost."""
    round_ = worker.send_mails()
    assert site.refused() == []
    return round_["sent"], round_["failed"], round_["lost"]


def _take_over(site: Deployed) -> None:
    """Be another worker, at whose clock every lease has ended."""
    site.clock.advance(2 * outbox.MAIL_LEASE)
    [entry] = outbox.due_entries(site.operator.store, 10)
    assert outbox.claim_mail(site.operator.store, entry) is not None


def test_of_two_workers_who_claim_a_mail_the_second_passes_it_over(
    site: Deployed, server: MailServer
) -> None:
    site.receive()
    (slow, guard), (quick, _) = (_worker(site, server) for _ in range(2))
    guard.before("TransactWriteItems", quick.send_mails)
    assert _told(site, slow) == (0, 0, 0)
    assert len(server.received) == 1


@pytest.mark.parametrize("verdict", [None, "550 no such mailbox"])
def test_a_worker_sees_that_a_mail_was_taken_over_while_it_was_sent(
    site: Deployed, server: MailServer, verdict: str | None
) -> None:
    site.receive()
    worker, _ = _worker(site, server)

    def answer(_: str) -> str | None:
        _take_over(site)
        return verdict

    server.answer = answer
    assert _told(site, worker) == (0, 0, 1)
    assert len(server.received) == (verdict is None)


def test_a_worker_sends_the_mail_of_an_inquiry_that_is_gone(
    site: Deployed, server: MailServer
) -> None:
    site.operator.store.delete(patterns.inquiry(site.receive()))
    worker, _ = _worker(site, server)
    assert _told(site, worker) == (1, 0, 0)
    [mail] = site.operator.site.mails.list()
    assert mail.status == "sent"


def test_a_worker_sends_a_mail_that_goes_away_meanwhile(site: Deployed, server: MailServer) -> None:
    site.receive()
    [mail] = site.operator.site.mails.list()
    worker, _ = _worker(site, server)

    def answer(_: str) -> None:
        site.operator.store.delete(mail.key)

    server.answer = answer
    assert _told(site, worker) == (1, 0, 0)
    assert outbox.due_entries(site.operator.store, 10) == []


@pytest.fixture
def visit(site: Deployed) -> Visit:
    """An admin whose token was used just now, and is not noted again."""
    visit = site.admin()
    visit.call("GET", "/me")
    return visit


@pytest.fixture
def post(site: Deployed) -> str:
    """A post in the first of two categories."""
    for name in ("c001", "c002"):
        site.operator.site.categories.create(id=name, title=name, slug=f"of-{name}")
    return _written(site)


def _written(site: Deployed) -> str:
    posts = site.operator.site.posts
    return posts.create(category_id="c001", title="하나", contents="# 하나", author_id=ADMIN).id


def _delete_category(site: Deployed) -> None:
    site.operator.site.categories.delete("c001")


def _take_slug(site: Deployed) -> None:
    site.operator.site.categories.create(id="c003", title="셋", slug="third")


def _refusal(
    site: Deployed,
    visit: Visit,
    request: tuple[str, str, Data | None],
    meanwhile: tuple[str, Act],
) -> tuple[int, str]:
    """What a request is answered with before whose write somebody else is quicker."""
    operation, act = meanwhile
    visit.guard.before(operation, lambda: act(site))
    refusal = visit.refusal(*request)
    assert site.refused() == []
    return refusal


@pytest.mark.parametrize(
    ("act", "refusal"),
    [(_written, (409, "category_has_posts")), (_delete_category, (404, "store.missing"))],
)
def test_who_deletes_a_category_sees_what_somebody_else_did_with_it(
    site: Deployed, visit: Visit, post: str, act: Act, refusal: tuple[int, str]
) -> None:
    site.operator.site.posts.delete(post)  # which leaves a guard that counted it
    request = ("DELETE", "/categories/c001", None)
    assert _refusal(site, visit, request, ("TransactWriteItems", act)) == refusal


def test_who_makes_a_category_sees_that_its_slug_was_taken(site: Deployed, visit: Visit) -> None:
    request = ("POST", "/categories", {"id": "c004", "title": "넷", "slug": "third"})
    taken = _refusal(site, visit, request, ("TransactWriteItems", _take_slug))
    assert taken == (409, "slug_taken")


def test_who_writes_a_post_sees_that_its_category_is_gone(
    site: Deployed, visit: Visit, post: str
) -> None:
    site.operator.site.posts.delete(post)
    request = ("POST", "/posts", {"categoryId": "c001", "title": "둘", "contents": "둘"})
    gone = _refusal(site, visit, request, ("TransactWriteItems", _delete_category))
    assert gone == (404, "not_found")


@pytest.mark.parametrize(
    ("method", "body", "operation"),
    [
        ("PATCH", {"title": "둘"}, "UpdateItem"),
        ("PATCH", {"categoryId": "c002"}, "TransactWriteItems"),
        ("DELETE", None, "TransactWriteItems"),
    ],
)
def test_who_changes_a_post_sees_that_it_was_moved(
    site: Deployed, visit: Visit, post: str, method: str, body: Data | None, operation: str
) -> None:
    def move(site: Deployed) -> None:
        site.operator.site.posts.update(post, {"category_id": "c002"}, version=None)

    moved = _refusal(site, visit, (method, f"/posts/{post}", body), (operation, move))
    assert moved == (409, "store.version")
