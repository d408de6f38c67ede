"""What botocore raises becomes an error of ours that says what to do."""

from __future__ import annotations

import ssl
from typing import Any

import pytest
from botocore import exceptions as raised
from botocore.parsers import ResponseParserError

from gotgan.errors import GotganError, SettingsError, StoreUnreachable
from gotgan.store.drivers.errors import fault_from_response, translated_error
from gotgan.store.engine.faults import (
    BY_CODE,
    AccessDeniedException,
    DynamoDBError,
    InternalServerError,
    ThrottlingException,
    UnrecognizedClientException,
)

URL = "https://dynamodb.eu-west-1.amazonaws.com"
HOW = {"endpoint_url": URL, "error": "connection refused"}


def response(code: str, status: int = 400, **members: Any) -> dict[str, Any]:
    return {
        "Error": {"Code": code, "Message": "as AWS says it"},
        "ResponseMetadata": {"HTTPStatusCode": status, "RetryAttempts": 0},
        "message": "as AWS says it",
        **members,
    }


@pytest.mark.parametrize(
    ("error", "kind", "maybe_done", "word"),
    [
        (raised.EndpointConnectionError(**HOW), StoreUnreachable, False, "GOTGAN_DYNAMODB"),
        (raised.ConnectTimeoutError(**HOW), StoreUnreachable, False, "GOTGAN_DYNAMODB"),
        (
            raised.ProxyConnectionError(proxy_url="p"),
            StoreUnreachable,
            False,
            "that it is running",
        ),
        (raised.ReadTimeoutError(**HOW), StoreUnreachable, True, "may have been carried out"),
        (raised.ConnectionClosedError(**HOW), StoreUnreachable, True, "may have been carried out"),
        (raised.HTTPClientError(error="?"), StoreUnreachable, True, "may have been carried out"),
        (raised.SSLError(**HOW), StoreUnreachable, True, "may have been carried out"),
        (ResponseParserError("no JSON"), StoreUnreachable, True, "no JSON"),
    ],
)
def test_an_unreachable_database_is_named_with_what_may_have_happened(
    error: Exception, kind: type[GotganError], maybe_done: bool, word: str
) -> None:
    ours = translated_error(error, "PutItem", URL)
    assert type(ours) is kind
    assert isinstance(ours, StoreUnreachable)
    assert ours.maybe_done is maybe_done
    assert URL in ours.message
    assert word in ours.message


def test_a_broken_checksum_is_a_lost_answer() -> None:
    error = raised.ChecksumError(checksum_type="crc32", expected_checksum=1, actual_checksum=2)
    ours = translated_error(error, "PutItem", URL)
    assert isinstance(ours, StoreUnreachable)
    assert ours.maybe_done


@pytest.mark.parametrize(
    ("error", "word"),
    [
        (raised.NoCredentialsError(), "aws configure"),
        (raised.PartialCredentialsError(provider="env", cred_var="x"), "AWS_SECRET_ACCESS_KEY"),
        (raised.CredentialRetrievalError(provider="sso", error_msg="?"), "AWS_PROFILE"),
        (raised.UnauthorizedSSOTokenError(), "AWS_PROFILE"),
        (raised.NoRegionError(), "AWS_REGION"),
        (raised.ProfileNotFound(profile="work"), "profile (work)"),
        (
            raised.SSLError(endpoint_url=URL, error=ssl.SSLCertVerificationError("self-signed")),
            "AWS_CA_BUNDLE",
        ),
    ],
)
def test_what_is_not_set_up_is_said_with_what_to_set(error: Exception, word: str) -> None:
    ours = translated_error(error, "PutItem", URL)
    assert isinstance(ours, SettingsError)
    assert word in ours.message


@pytest.mark.parametrize("code", BY_CODE)
def test_every_code_becomes_its_class(code: str) -> None:
    fault = fault_from_response(response(code), "PutItem")
    assert type(fault) is BY_CODE[code]
    assert fault.operation_name == "PutItem"
    assert fault.message == "as AWS says it"


@pytest.mark.parametrize(
    "kind", [AccessDeniedException, UnrecognizedClientException], ids=lambda kind: kind.code
)
def test_credentials_that_may_not_are_no_reason_to_try_again(kind: type[DynamoDBError]) -> None:
    assert not fault_from_response(response(kind.code), "PutItem").retry


def test_the_members_of_a_fault_are_kept_and_its_envelope_is_not() -> None:
    reasons = [{"reason": "TableReadKeyRangeThroughputExceeded"}]
    fault = fault_from_response(
        response("ThrottlingException", throttlingReasons=reasons), "GetItem"
    )
    assert isinstance(fault, ThrottlingException)
    assert fault.members == {"throttlingReasons": reasons}


def test_a_code_that_has_no_class_stays_on_the_fault() -> None:
    fault = fault_from_response(response("BackupNotFoundException", 418), "DescribeBackup")
    assert type(fault) is DynamoDBError
    assert (fault.code, fault.status) == ("BackupNotFoundException", 418)
    assert fault.response["Error"]["Code"] == "BackupNotFoundException"
    assert "(BackupNotFoundException)" in str(fault)
    assert DynamoDBError.code == "DynamoDBError"


@pytest.mark.parametrize(("code", "status"), [("503", 503), ("ServiceUnavailable", 503)])
def test_a_server_that_fails_leaves_the_outcome_open(code: str, status: int) -> None:
    fault = fault_from_response(response(code, status), "PutItem")
    assert type(fault) is InternalServerError
    assert fault.maybe_done
    assert fault.retry


def test_an_answer_that_is_not_dynamodbs_asks_for_the_endpoint() -> None:
    fault = fault_from_response(response("404", 404), "PutItem")
    assert fault.code == "404"
    assert "HTTP 404 Not Found" in fault.message
    assert "endpoint" in fault.message


def test_a_long_web_page_is_cut_short() -> None:
    ours = translated_error(ResponseParserError("page " * 1000), "PutItem", URL)
    assert len(ours.message) < 700
