"""The endpoint at the level of HTTP: what AWS's clients rely on, and what none would send."""

from __future__ import annotations

import gzip
import socket
import sqlite3
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from gotgan.errors import StoreLocked, UsageError
from gotgan.store.engine import Engine
from gotgan.store.engine.http import background_server
from gotgan.store.engine.protocol import MAX_BODY_BYTES

from .rawhttp import SIGNED, ask, call, table_request

TARGET = {"X-Amz-Target": "DynamoDB_20120810.ListTables"}
JSON = {"Content-Type": "application/x-amz-json-1.0"}
GZIPPED = {"Content-Encoding": "gzip"}
PREFLIGHT = {
    "Access-Control-Request-Method": "POST",
    "Access-Control-Request-Headers": "authorization,content-type,x-amz-date,x-amz-target",
}
PRESIGNED = (
    "X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=any&X-Amz-Date=20260101T000000Z"
    "&X-Amz-SignedHeaders=host&X-Amz-Signature=0"
)


@pytest.fixture(scope="module")
def endpoint() -> Iterator[str]:
    with Engine(None) as engine, background_server(engine) as url:
        call(url, "CreateTable", table_request("things"))
        yield url


def put(endpoint: str, **attributes: Any) -> Any:
    return call(endpoint, "PutItem", {"TableName": "things", "Item": attributes})


def get(endpoint: str, key: str) -> Any:
    request = {"TableName": "things", "Key": {"pk": {"S": key}}}
    return call(endpoint, "GetItem", request).json


def when_closed(endpoint: str, act: Callable[[], None]) -> None:
    """Act as soon as the endpoint takes no new connections."""
    address = urlsplit(endpoint)
    while True:
        try:
            socket.create_connection((address.hostname, address.port)).close()
        except ConnectionRefusedError:
            return act()
        time.sleep(0.01)  # a socket that is closed elsewhere gives no event to wait for


class Stub:
    """An engine that does one thing, whatever is asked of it."""

    def __init__(self, execute: Callable[[], dict[str, Any]]) -> None:
        self._execute = execute

    def execute(self, operation: str, request: Any, *, raw: bool = False) -> dict[str, Any]:  # noqa: ARG002
        return self._execute()


def test_an_answer_carries_its_type_length_checksum_and_a_request_id(endpoint: str) -> None:
    reply = call(endpoint, "ListTables", {})
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/x-amz-json-1.0"
    assert int(reply.headers["content-length"]) == len(reply.body)
    assert int(reply.headers["x-amz-crc32"]) == zlib.crc32(reply.body)
    assert len(reply.headers["x-amzn-requestid"]) == 52


def test_request_ids_differ(endpoint: str) -> None:
    ids = {call(endpoint, "ListTables", {}).headers["x-amzn-requestid"] for _ in range(3)}
    assert len(ids) == 3


def test_the_answer_has_the_content_type_that_was_asked_in(endpoint: str) -> None:
    reply = call(endpoint, "ListTables", {}, **{"Content-Type": "application/json; charset=utf-8"})
    assert reply.headers["content-type"] == "application/json"


def test_values_of_every_type_come_back_as_they_were_sent(endpoint: str) -> None:
    item = {
        "pk": {"S": "every type"},
        "n": {"N": "1.5"},
        "b": {"B": "AP8="},
        "none": {"B": ""},
        "ss": {"SS": ["가", "b"]},
        "ns": {"NS": ["1", "2"]},
        "bs": {"BS": ["AA==", "/w=="]},
        "m": {"M": {"B": {"B": "AQ=="}, "deep": {"L": [{"BS": ["Ag=="]}]}}},
        "l": {"L": [{"BOOL": True}, {"NULL": True}]},
    }
    assert put(endpoint, **item).status == 200
    assert get(endpoint, "every type")["Item"] == item


def test_moments_are_seconds_since_1970(endpoint: str) -> None:
    described = call(endpoint, "DescribeTable", {"TableName": "things"}).json["Table"]
    assert described["CreationDateTime"] > 1_700_000_000


def test_a_failed_condition_brings_the_item_with_it(endpoint: str) -> None:
    put(endpoint, pk={"S": "taken"}, b={"B": "AP8="})
    reply = call(
        endpoint,
        "PutItem",
        {
            "TableName": "things",
            "Item": {"pk": {"S": "taken"}},
            "ConditionExpression": "attribute_not_exists(pk)",
            "ReturnValuesOnConditionCheckFailure": "ALL_OLD",
        },
    )
    assert reply.status == 400
    assert reply.json == {
        "__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
        "message": "The conditional request failed",
        "Item": {"pk": {"S": "taken"}, "b": {"B": "AP8="}},
    }
    assert int(reply.headers["x-amz-crc32"]) == zlib.crc32(reply.body)


def test_a_cancelled_transaction_says_why_under_the_names_that_aws_uses(endpoint: str) -> None:
    put(endpoint, pk={"S": "there"})
    write = {
        "Put": {
            "TableName": "things",
            "Item": {"pk": {"S": "there"}},
            "ConditionExpression": "attribute_not_exists(pk)",
        },
    }
    refused = call(endpoint, "TransactWriteItems", {"TransactItems": [write]}).json
    assert refused["Message"].startswith("Transaction cancelled")
    assert [reason["Code"] for reason in refused["CancellationReasons"]] == [
        "ConditionalCheckFailed",
    ]


def test_null_and_members_that_aws_does_not_know_count_as_not_there(endpoint: str) -> None:
    assert call(endpoint, "ListTables", {"Limit": None, "Colour": 1}).json == {
        "TableNames": ["things"],
    }


@pytest.mark.parametrize("body", [b"", b"{", b"\xff{}", b'{"Limit": NaN}'])
def test_what_is_not_json_is_refused(endpoint: str, body: bytes) -> None:
    reply = call(endpoint, "ListTables", body)
    assert (reply.status, reply.fault) == (400, "SerializationException")


@pytest.mark.parametrize("body", [[], "x", 1, None])
def test_json_that_is_no_object_is_refused(endpoint: str, body: Any) -> None:
    assert call(endpoint, "ListTables", body).fault == "SerializationException"


@pytest.mark.parametrize(
    "target",
    [
        "DynamoDB_20120810.Paint",
        "DynamoDB_20111205.ListTables",
        "DynamoDB_20120810.ListStreams",
        "DynamoDBStreams_20120810.ListTables",
        "",
    ],
)
def test_an_unknown_operation_is_refused(endpoint: str, target: str) -> None:
    reply = call(endpoint, "", {}, **{"X-Amz-Target": target})
    assert (reply.status, reply.fault) == (400, "UnknownOperationException")


def test_an_unknown_operation_is_refused_with_a_message(endpoint: str) -> None:
    message = call(endpoint, "Paint", {}).json["message"]
    assert message == "The requested operation is not recognized by the service."


def test_a_request_may_be_compressed(endpoint: str) -> None:
    body = gzip.compress(b'{"Limit": 1}')
    assert call(endpoint, "ListTables", body, **GZIPPED).json == {"TableNames": ["things"]}


@pytest.mark.parametrize(
    "body",
    [b'{"Limit": 1}', b"", gzip.compress(b'{"Limit": 1}')[:-9], gzip.compress(b"{")],
    ids=["not compressed", "nothing", "cut off", "not JSON"],
)
def test_what_is_not_compressed_as_it_says_is_refused(endpoint: str, body: bytes) -> None:
    reply = call(endpoint, "ListTables", body, **GZIPPED)
    assert (reply.status, reply.fault) == (400, "SerializationException")


def test_another_encoding_is_refused(endpoint: str) -> None:
    reply = call(endpoint, "ListTables", {}, **{"Content-Encoding": "br"})
    assert (reply.status, reply.fault) == (400, "SerializationException")


def test_a_compressed_request_has_the_same_limit(endpoint: str) -> None:
    fits = gzip.compress(b" " * (MAX_BODY_BYTES - 2) + b"{}")
    assert call(endpoint, "ListTables", fits, **GZIPPED).status == 200
    over = gzip.compress(b" " * (MAX_BODY_BYTES - 1) + b"{}")
    assert call(endpoint, "ListTables", over, **GZIPPED).status == 413


def test_a_long_answer_is_compressed_for_those_who_ask(endpoint: str) -> None:
    put(endpoint, pk={"S": "long"}, v={"S": "x" * 10_000})
    request = {"TableName": "things", "Key": {"pk": {"S": "long"}}}
    plain = call(endpoint, "GetItem", request)
    assert "content-encoding" not in plain.headers
    for accepted in ("gzip", "br, gzip;q=0.8, *;q=0.1"):
        reply = call(endpoint, "GetItem", request, **{"Accept-Encoding": accepted})
        assert reply.headers["content-encoding"] == "gzip"
        assert len(reply.body) < len(plain.body)
        assert gzip.decompress(reply.body) == plain.body
        # AWS's clients check what came over the wire, before they unpack it.
        assert int(reply.headers["x-amz-crc32"]) == zlib.crc32(reply.body)
        assert int(reply.headers["content-length"]) == len(reply.body)
    for refused in ("identity", "gzip;q=0", "br"):
        reply = call(endpoint, "GetItem", request, **{"Accept-Encoding": refused})
        assert reply.body == plain.body


def test_a_short_answer_is_never_compressed(endpoint: str) -> None:
    reply = call(endpoint, "ListTables", {}, **{"Accept-Encoding": "gzip"})
    assert "content-encoding" not in reply.headers


def test_a_post_of_another_content_type_is_not_taken_for_a_call(endpoint: str) -> None:
    reply = call(endpoint, "ListTables", {}, **{"Content-Type": "text/plain"})
    assert (reply.status, reply.body) == (404, b"<UnknownOperationException/>\n")


@pytest.mark.parametrize("method", ["PUT", "DELETE", "PATCH"])
def test_other_methods_are_not_taken(endpoint: str, method: str) -> None:
    assert ask(endpoint, method, body=b"{}").status == 404


def test_a_call_without_a_signature_is_refused_as_on_aws(endpoint: str) -> None:
    reply = ask(endpoint, "POST", headers=JSON | TARGET, body=b"{}")
    assert (reply.status, reply.fault) == (400, "MissingAuthenticationTokenException")


def test_half_a_signature_is_refused(endpoint: str) -> None:
    headers = JSON | TARGET | {"Authorization": "AWS4-HMAC-SHA256 Credential=any"}
    reply = ask(endpoint, "POST", headers=headers, body=b"{}")
    assert reply.fault == "IncompleteSignatureException"
    assert "'Signature'" in reply.json["message"]
    assert "'Credential'" not in reply.json["message"]


def test_a_presigned_call_is_taken(endpoint: str) -> None:
    reply = ask(endpoint, "POST", f"/?{PRESIGNED}", headers=JSON | TARGET, body=b"{}")
    assert reply.status == 200


def test_half_a_presigned_call_is_refused(endpoint: str) -> None:
    path = "/?X-Amz-Algorithm=AWS4-HMAC-SHA256"
    reply = ask(endpoint, "POST", path, headers=JSON | TARGET, body=b"{}")
    assert reply.fault == "IncompleteSignatureException"


def test_two_signatures_are_one_too_many(endpoint: str) -> None:
    reply = ask(endpoint, "POST", f"/?{PRESIGNED}", headers=JSON | TARGET | SIGNED, body=b"{}")
    assert reply.fault == "InvalidSignatureException"


def test_a_body_over_16_mb_is_refused_and_the_next_call_goes_through(endpoint: str) -> None:
    assert call(endpoint, "ListTables", b" " * (MAX_BODY_BYTES + 1)).status == 413
    assert call(endpoint, "ListTables", b" " * (MAX_BODY_BYTES - 2) + b"{}").status == 200


def test_half_a_request_is_not_carried_out(endpoint: str) -> None:
    address = urlsplit(endpoint)
    item = b'{"TableName":"things","Item":{"pk":{"S":"half"}}}'
    head = {
        **SIGNED,
        **JSON,
        "X-Amz-Target": "DynamoDB_20120810.PutItem",
        "Content-Length": str(len(item) + 1),
    }
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    with socket.create_connection((address.hostname, address.port)) as connection:
        connection.sendall(f"POST / HTTP/1.1\r\n{lines}\r\n".encode() + item)
        connection.shutdown(socket.SHUT_WR)
        assert b" 200 " not in connection.recv(1000)
    assert get(endpoint, "half") == {}


def test_a_health_check_hears_what_it_hears_from_aws(endpoint: str) -> None:
    reply = ask(endpoint)
    assert (reply.status, reply.body) == (200, b"healthy: dynamodb.us-east-1.amazonaws.com ")


def test_a_person_with_a_browser_is_told_how_to_connect(endpoint: str) -> None:
    reply = ask(endpoint, headers={"Accept": "text/html,*/*"})
    assert f"--endpoint-url {endpoint}" in reply.body.decode()


@pytest.mark.parametrize(
    "origin",
    [
        "http://localhost:3000",
        "http://127.0.0.1:8001",
        "http://[::1]",
        "file://",
        "app://workbench",
    ],
)
def test_pages_of_this_machine_and_desktop_programs_may_call(endpoint: str, origin: str) -> None:
    reply = ask(endpoint, "OPTIONS", headers=PREFLIGHT | {"Origin": origin})
    assert reply.status == 200
    assert reply.headers["access-control-allow-origin"] == origin
    assert reply.headers["access-control-allow-methods"] == "POST"
    assert "x-amz-target" in reply.headers["access-control-allow-headers"]
    listed = call(endpoint, "ListTables", {}, Origin=origin)
    assert listed.status == 200
    assert listed.headers["access-control-allow-origin"] == origin


@pytest.mark.parametrize(
    "origin",
    ["https://example.com", "http://localhost.example.com", "chrome-extension://abc", "null"],
)
def test_pages_of_other_sites_may_not_call(endpoint: str, origin: str) -> None:
    preflight = ask(endpoint, "OPTIONS", headers=PREFLIGHT | {"Origin": origin})
    assert "access-control-allow-origin" not in preflight.headers
    assert call(endpoint, "DeleteTable", {"TableName": "things"}, Origin=origin).status == 403
    assert call(endpoint, "ListTables", {}).json == {"TableNames": ["things"]}


def test_nesting_beyond_all_measure_is_refused_not_crashed_on(endpoint: str) -> None:
    value = b'{"L":[' * 450 + b'{"S":""}' + b"]}" * 450
    body = b'{"TableName":"things","Item":{"pk":{"S":"deep"},"v":' + value + b"}}"
    assert call(endpoint, "PutItem", body).fault == "ValidationException"


def test_many_clients_at_once_each_get_their_own_answer(endpoint: str) -> None:
    def there_and_back(number: int) -> str:
        key = f"client {number}"
        put(endpoint, pk={"S": key}, n={"N": str(number)})
        value: str = get(endpoint, key)["Item"]["n"]["N"]
        return value

    with ThreadPoolExecutor(12) as pool:
        assert list(pool.map(there_and_back, range(60))) == [str(n) for n in range(60)]


def test_writers_that_wait_for_another_program_keep_no_reader_waiting(tmp_path: Path) -> None:
    path = tmp_path / "goods.sqlite3"
    with Engine(path) as engine, background_server(engine) as endpoint:
        assert call(endpoint, "CreateTable", table_request("things")).status == 200
        put(endpoint, pk={"S": "a"})
        key = {":k": {"S": "a"}}
        query = {"KeyConditionExpression": "pk = :k", "ExpressionAttributeValues": key}
        with closing(sqlite3.connect(path)) as other, ThreadPoolExecutor(20) as pool:
            other.execute("BEGIN IMMEDIATE")
            writes = [pool.submit(put, endpoint, pk={"S": str(n)}) for n in range(20)]
            assert get(endpoint, "a")["Item"] == {"pk": {"S": "a"}}
            assert call(endpoint, "Query", {"TableName": "things", **query}).json["Count"] == 1
            assert ask(endpoint).status == 200
            assert not any(write.done() for write in writes)
            other.execute("ROLLBACK")
            for write in writes:
                write.result(timeout=30)


def test_a_number_wider_than_any_counter_is_refused(endpoint: str) -> None:
    reply = call(endpoint, "Scan", b'{"TableName":"things","Limit":1e30}')
    assert reply.fault == "SerializationException"


def test_one_slow_call_keeps_no_other_client_waiting() -> None:
    let_go = threading.Event()
    first_is_in = threading.Event()
    turns = iter([True])

    def slow_once() -> dict[str, Any]:
        if next(turns, False):
            first_is_in.set()
            assert let_go.wait(30)
        return {}

    with background_server(Stub(slow_once)) as url, ThreadPoolExecutor(1) as pool:
        slow = pool.submit(call, url, "Scan", {"TableName": "things"})
        assert first_is_in.wait(30)
        assert call(url, "Scan", {"TableName": "things"}).status == 200
        assert not slow.done()
        let_go.set()
        assert slow.result().status == 200


def test_a_request_that_is_under_way_is_finished_before_the_server_stops() -> None:
    let_go = threading.Event()
    is_in = threading.Event()

    def slow() -> dict[str, Any]:
        is_in.set()
        assert let_go.wait(30)
        return {"TableNames": []}

    with ThreadPoolExecutor(1) as pool:
        with background_server(Stub(slow)) as url:
            reply = pool.submit(call, url, "ListTables", {})
            assert is_in.wait(30)
            watcher = threading.Thread(target=when_closed, args=(url, let_go.set))
            watcher.start()
        watcher.join()
        assert reply.result().json == {"TableNames": []}


def test_a_store_that_cannot_answer_is_a_server_error_that_says_why() -> None:
    def locked() -> dict[str, Any]:
        raise StoreLocked("another program holds the file")

    with background_server(Stub(locked)) as url:
        reply = call(url, "ListTables", {})
    assert (reply.status, reply.fault) == (500, "InternalServerError")
    assert reply.json["message"] == "another program holds the file"


def test_a_failure_that_nobody_foresaw_is_logged_and_kept_from_the_client(
    caplog: pytest.LogCaptureFixture,
) -> None:
    def broken() -> dict[str, Any]:
        raise ZeroDivisionError("a secret detail")

    with background_server(Stub(broken)) as url:
        reply = call(url, "ListTables", {})
    assert (reply.status, reply.fault) == (500, "InternalServerError")
    assert b"secret" not in reply.body
    assert "a secret detail" in caplog.text


def test_a_port_in_use_is_a_usage_error_that_names_it() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with (
            pytest.raises(UsageError, match=f"127.0.0.1:{port}"),
            background_server(Stub(dict), port=port),
        ):
            pass


def test_the_port_is_free_again_when_the_server_has_stopped() -> None:
    with background_server(Stub(dict)) as url:
        port = int(url.rpartition(":")[2])
    with background_server(Stub(dict), port=port) as again:
        assert again == url
