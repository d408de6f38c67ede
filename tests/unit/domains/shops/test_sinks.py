"""Where changes go: lines that are on the disk, and requests that can be trusted."""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gotgan.clock import FixedClock
from gotgan.domains.shops.deliver import JsonLinesFile, Webhook, signature
from gotgan.domains.shops.models import Change, Offer
from gotgan.encoding import encode
from gotgan.errors import SinkFailed
from gotgan.fetch import FetchRules, Web
from gotgan.retry import Policy
from gotgan.settings import Secret
from tests.unit.fetch.serving import Server, reply, server

NOON = datetime(2026, 1, 15, 12, tzinfo=UTC)
SECRET = Secret("what both sides know, and nobody else")
ONE, TWO = (
    Change(
        domain="example.com",
        seen_at=NOON,
        url=f"https://example.com/products/{number}",
        title="Stühle",
        before=Offer(status="AVAILABLE", price=1, currency="EUR", hash="a"),
        after=Offer(status="SOLD", hash="b"),
    )
    for number in (1, 2)
)
AS_JSON = {
    "id": f"example.com/2026-01-15T12:00:00Z/{ONE.digest}",
    "domain": "example.com",
    "url": "https://example.com/products/1",
    "title": "Stühle",
    "seen_at": "2026-01-15T12:00:00Z",
    "kind": "sold",
    "before": {
        "status": "AVAILABLE",
        "price": 1,
        "currency": "EUR",
        "price_text": "0.01 EUR",
        "hash": "a",
    },
    "after": {"status": "SOLD", "price": None, "currency": None, "price_text": None, "hash": "b"},
}


def test_a_change_is_told_with_what_was_and_what_is() -> None:
    assert encode(ONE) == AS_JSON
    first = ONE.model_copy(update={"before": None})
    assert encode(first) == {**AS_JSON, "kind": "new", "before": None}


# A file


def test_every_change_is_a_line_of_json(tmp_path: Path) -> None:
    file = tmp_path / "changes.jsonl"
    JsonLinesFile(file).deliver([ONE])
    JsonLinesFile(file).deliver([TWO, ONE])
    told = [json.loads(line) for line in file.read_text().splitlines()]
    assert told == [AS_JSON, encode(TWO), AS_JSON]


def test_a_line_that_a_crash_cut_short_stands_alone(tmp_path: Path) -> None:
    file = tmp_path / "changes.jsonl"
    JsonLinesFile(file).deliver([ONE])
    file.write_bytes(file.read_bytes()[:-9])
    JsonLinesFile(file).deliver([ONE, TWO])
    cut, *whole = file.read_text().splitlines()
    with pytest.raises(json.JSONDecodeError):
        json.loads(cut)
    assert [json.loads(line) for line in whole] == [AS_JSON, encode(TWO)]


def test_a_file_that_cannot_be_written_takes_nothing(tmp_path: Path) -> None:
    with pytest.raises(SinkFailed, match="They are kept"):
        JsonLinesFile(tmp_path / "nowhere" / "changes.jsonl").deliver([ONE])


def test_a_file_is_known_by_where_it_lies_or_by_its_name(tmp_path: Path) -> None:
    one, other = (JsonLinesFile(tmp_path / name) for name in "ab")
    assert one.name != other.name
    assert one.name == JsonLinesFile(tmp_path / "a").name
    assert JsonLinesFile(tmp_path / "a", name="mine").name == "mine"
    assert str(tmp_path) not in one.name


# A webhook


@contextmanager
def hook(served: Server, query: str = "") -> Iterator[Webhook]:
    rules = FetchRules(delay=0, retry=Policy(attempts=1))
    clock = FixedClock(NOON)
    with Web(rules, clock=clock) as web:
        yield Webhook(f"http://{served.place}/hook{query}", SECRET, web, clock)


def test_a_webhook_is_sent_json_that_is_signed_with_its_moment() -> None:
    with server() as served, hook(served) as sink:
        served.says("/hook", reply(status=204))
        sink.deliver([ONE, TWO])
    [request] = served.requests
    assert request.headers["content-type"] == "application/json"
    assert json.loads(request.body) == {"changes": [AS_JSON, encode(TWO)]}
    moment = request.headers["gotgan-timestamp"]
    assert int(moment) == NOON.timestamp()
    signed = moment.encode() + b"." + request.body
    mine = hmac.new(SECRET.reveal().encode(), signed, hashlib.sha256).hexdigest()
    assert request.headers["gotgan-signature"] == f"sha256={mine}"


def test_another_secret_moment_or_body_has_another_signature() -> None:
    mine = signature(SECRET, 1, b"{}")
    others = [(Secret("another"), 1, b"{}"), (SECRET, 2, b"{}"), (SECRET, 1, b"[]")]
    assert mine not in [signature(*other) for other in others]


@pytest.mark.parametrize("status", [302, 400, 403, 404, 429, 500])
def test_a_webhook_that_does_not_say_yes_takes_nothing(status: int) -> None:
    with server() as served, hook(served, "?key=private") as sink:
        served.says("/hook", reply(status=status, Location="/elsewhere"))
        served.says("/elsewhere", reply())
        with pytest.raises(SinkFailed) as failure:
            sink.deliver([ONE])
    assert served.targets == ["/hook?key=private"]
    assert "private" not in failure.value.message
    assert failure.value.retry


def test_a_webhook_is_known_by_its_address_without_telling_it() -> None:
    with server() as served, hook(served, "?key=private") as one, hook(served) as other:
        assert one.name != other.name
        assert "private" not in one.name
