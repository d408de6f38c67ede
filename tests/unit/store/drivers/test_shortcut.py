"""The way round botocore is taken only where botocore is as we know it."""

# ruff: noqa: SLF001 - botocore's private parts are what this is about

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ParamValidationError
from botocore.validate import ParamValidationDecorator, ParamValidator

from gotgan.store.drivers.botocore_json import install_fast_json, pin_endpoint
from gotgan.store.engine import Engine


@pytest.fixture
def client(url: str) -> Iterator[Any]:
    client = boto3.client(
        "dynamodb",
        endpoint_url=url,
        region_name="us-east-1",
        aws_access_key_id="any",
        aws_secret_access_key="any",
        config=Config(parameter_validation=False),
    )
    yield client
    client.close()


class Serializer:
    """A serializer of a later botocore, which writes something else."""

    def __init__(self, theirs: Any) -> None:
        self.theirs = theirs

    def serialize_to_request(self, parameters: Any, model: Any) -> Any:
        return {**self.theirs.serialize_to_request(parameters, model), "body": b"\xa0"}


class Parsers:
    """A factory of a later botocore, whose answers have members that ours would lack."""

    def __init__(self, theirs: Any) -> None:
        self.theirs = theirs

    def create_parser(self, protocol: str) -> Any:
        parser = self.theirs.create_parser(protocol)
        before = parser.parse
        parser.parse = lambda response, shape: {**before(response, shape), "More": 1}
        return parser


def without_serializer(client: Any) -> None:
    del client._serializer


def without_endpoint(client: Any) -> None:
    client._endpoint = object()


def with_another_serializer(client: Any) -> None:
    client._serializer = Serializer(client._serializer)


def with_validation(client: Any) -> None:
    model = client.meta.service_model.operation_model("GetItem")
    client._serializer = ParamValidationDecorator(ParamValidator(), client._serializer)
    with pytest.raises(ParamValidationError):
        client._serializer.serialize_to_request({}, model)


def with_a_bare_function(client: Any) -> None:
    client._serializer = lambda parameters, model: (parameters, model)


def with_other_parsers(client: Any) -> None:
    endpoint = client._endpoint
    endpoint._response_parser_factory = Parsers(endpoint._response_parser_factory)


@pytest.mark.parametrize(
    "change",
    [
        without_serializer,
        without_endpoint,
        with_another_serializer,
        with_validation,
        with_a_bare_function,
        with_other_parsers,
    ],
)
def test_a_client_that_is_not_as_we_know_it_is_left_as_it_was(
    client: Any, change: Callable[[Any], None]
) -> None:
    theirs = client._endpoint
    change(client)
    before = {**vars(client)}, {**vars(theirs)}
    assert not install_fast_json(client)
    assert ({**vars(client)}, {**vars(theirs)}) == before
    client._endpoint = theirs  # to be closed


def test_a_client_that_is_as_we_know_it_is_shortened(client: Any, table: str) -> None:
    assert install_fast_json(client)
    found = client.get_item(TableName=table, Key={"pk": {"S": "p"}, "sk": {"S": "s"}})
    assert found["ResponseMetadata"]["HTTPStatusCode"] == 200
    assert found["ResponseMetadata"]["RequestId"]


def test_handlers_of_botocores_events_still_see_each_call(
    client: Any, table: str, engine: Engine
) -> None:
    seen: list[str] = []
    for event in ("provide-client-params", "before-call", "before-send", "after-call"):
        client.meta.events.register(
            f"{event}.dynamodb", lambda event_name, **_: seen.append(event_name.split(".")[0])
        )
    install_fast_json(client)
    client.put_item(TableName=table, Item={"pk": {"S": "p"}, "sk": {"S": "s"}})
    assert seen == ["provide-client-params", "before-call", "before-send", "after-call"]
    assert engine.execute("Scan", {"TableName": table})["Count"] == 1


def test_a_transaction_still_gets_botocores_token(client: Any, table: str) -> None:
    bodies: list[bytes] = []
    client.meta.events.register(
        "before-send.dynamodb", lambda request, **_: bodies.append(request.body)
    )
    install_fast_json(client)
    put = {"Put": {"TableName": table, "Item": {"pk": {"S": "p"}, "sk": {"S": "s"}}}}
    client.transact_write_items(TransactItems=[put])
    assert b'"ClientRequestToken":"' in bodies[0]


def test_a_settled_endpoint_gets_the_same_requests(client: Any, table: str) -> None:
    sent: list[tuple[str, str]] = []

    def note(request: Any, **_: Any) -> None:
        scope = request.headers["Authorization"].decode().partition("Signature=")[0]
        sent.append((request.url, scope))

    client.meta.events.register("before-send.dynamodb", note)
    client.describe_table(TableName=table)
    pin_endpoint(client)
    client.describe_table(TableName=table)
    assert sent[0] == sent[1]
