"""DynamoDB through boto3, an extra that is imported when a driver is made, and here alone."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any, Final
from urllib.parse import urlsplit

from gotgan.errors import SettingsError
from gotgan.messages import text
from gotgan.store import messages
from gotgan.store.drivers.botocore_json import body_defect, install_fast_json, pin_endpoint
from gotgan.store.drivers.errors import broken_response, translated_error
from gotgan.store.engine.faults import UnknownOperationException
from gotgan.store.engine.shapes import STREAM_OPERATIONS

_MIN_CONNECTIONS: Final = 50
_SUCCESS: Final = 200


class Aws:
    """Calls over HTTP, each made once; AWS's variables and files give region and credentials."""

    def __init__(
        self,
        endpoint: str | None = None,
        region: str | None = None,
        *,
        parallel: int = 16,
        connect_timeout: float = 3.0,
        read_timeout: float = 20.0,
        shortcut: bool = True,
    ) -> None:
        """Make a client; ``shortcut=False`` leaves all reading and writing to botocore."""
        self.name = endpoint or "aws"
        self.parallel = parallel
        self._raised = _botocore_errors()
        timeouts = {"connect_timeout": connect_timeout, "read_timeout": read_timeout}
        self._make_client = partial(_client, endpoint, region, parallel, timeouts)
        try:
            self._client = self._make_client("dynamodb")
        except self._raised as error:
            raise translated_error(error, "", self.name) from error
        except ValueError as error:
            raise SettingsError(
                messages.BAD_ENDPOINT(endpoint=self.name, cause=text(str(error)))
            ) from error
        self.endpoint: str = self._client.meta.endpoint_url
        self.shortened = shortcut and install_fast_json(self._client)
        if self.shortened and endpoint is not None:
            pin_endpoint(self._client)
        self._client.meta.events.register("response-received.dynamodb", self._refuse_broken)
        self._methods = _methods(self._client)

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out one operation, such as ``PutItem``."""
        of_streams = operation in STREAM_OPERATIONS
        method = (self._stream_methods if of_streams else self._methods).get(operation)
        if method is None:
            fault = UnknownOperationException(f"There is no operation {operation} here")
            fault.operation_name = operation
            raise fault
        try:
            answer: dict[str, Any] = method(**request)
        except self._raised as error:
            raise translated_error(error, operation, self.endpoint) from error
        answer.pop("ResponseMetadata", None)
        return answer

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()
        if "_streams_client" in vars(self):
            self._streams_client.close()

    @cached_property
    def _streams_client(self) -> Any:
        """The client of DynamoDB Streams, which few programs need."""
        return self._make_client("dynamodbstreams")

    @cached_property
    def _stream_methods(self) -> dict[str, Callable[..., Any]]:
        events = self._streams_client.meta.events
        events.register("response-received.dynamodb-streams", self._refuse_broken)
        return _methods(self._streams_client)

    def _refuse_broken(self, response_dict: Mapping[str, Any] | None, **_event: Any) -> None:
        """Hear of each answer from botocore, and stop one that did not come whole."""
        if response_dict is None or response_dict["status_code"] != _SUCCESS:
            return
        wrong = body_defect(response_dict["headers"], response_dict["body"])
        if wrong:
            raise broken_response(self.endpoint, wrong)


def _methods(client: Any) -> dict[str, Callable[..., Any]]:
    names = client.meta.method_to_api_mapping.items()
    return {operation: getattr(client, name) for name, operation in names}


def _botocore_errors() -> tuple[type[Exception], ...]:
    """What botocore raises; asked first, so it is here that a missing boto3 is noticed."""
    try:
        import boto3  # noqa: F401, PLC0415 - an extra, and heavy
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - the same
        from botocore.parsers import ResponseParserError  # noqa: PLC0415 - the same
    except ImportError as error:
        raise SettingsError(messages.NO_BOTO3()) from error
    return BotoCoreError, ClientError, ResponseParserError


def _client(
    endpoint: str | None,
    region: str | None,
    parallel: int,
    timeouts: dict[str, float],
    service: str,
) -> Any:
    import boto3  # noqa: PLC0415 - an extra, and heavy
    import botocore.session  # noqa: PLC0415 - the same
    from botocore.config import Config  # noqa: PLC0415 - the same

    local = endpoint is not None and _is_on_this_machine(endpoint)
    core = botocore.session.Session()
    if local:
        # The role of an EC2 machine: to ask for it anywhere else takes seconds.
        core.get_component("credential_provider").remove("iam-role")
    config = Config(
        **timeouts,
        max_pool_connections=max(parallel, _MIN_CONNECTIONS),
        parameter_validation=False,
        proxies={} if local else None,
        # Of botocore's modes only this one compares DynamoDB's checksums when it never retries.
        retries={"total_max_attempts": 1, "mode": "legacy"},
        tcp_keepalive=True,
        # Use it unchanged; botocore would build its own twice per call.
        user_agent=f"gotgan {core.user_agent()}",
    )
    session = boto3.Session(botocore_session=core)
    given: dict[str, str] = {}
    if local and session.get_credentials() is None:
        given = dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "any")
    return session.client(
        service,
        endpoint_url=endpoint,
        region_name=region or session.region_name or ("us-east-1" if local else None),
        config=config,
        **given,
    )


def _is_on_this_machine(endpoint: str) -> bool:
    host = urlsplit(endpoint).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
