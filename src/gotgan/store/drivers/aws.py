"""DynamoDB through boto3: AWS itself, or any endpoint that speaks its protocol.

boto3 is an extra and takes long to load: it is imported when a driver is made, and here alone.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Callable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from gotgan.errors import SettingsError
from gotgan.store.drivers.answers import flaw
from gotgan.store.drivers.failures import broken_answer, translated
from gotgan.store.drivers.shortcut import settle, shorten
from gotgan.store.engine.faults import UnknownOperationException

__all__ = ["Aws"]

_FEWEST_CONNECTIONS: Final = 50
_SUCCESS: Final = 200


class Aws:
    """Calls go over HTTP, each exactly once: botocore's own retries are off.

    Region and credentials come from AWS's own variables and files. An endpoint on this machine
    needs neither.
    """

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
        self._raised = _raised()
        timeouts = {"connect_timeout": connect_timeout, "read_timeout": read_timeout}
        try:
            self._client = _client(endpoint, region, parallel, timeouts)
        except self._raised as error:
            raise translated(error, "", self.name) from error
        except ValueError as error:
            raise SettingsError(f"{self.name} is no endpoint: {error}") from error
        self.endpoint: str = self._client.meta.endpoint_url
        self.shortened = shortcut and shorten(self._client)
        if self.shortened and endpoint is not None:
            settle(self._client)
        self._client.meta.events.register("response-received.dynamodb", self._refuse_broken)
        self._methods = _methods(self._client)

    def call(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        """Carry out one operation, such as ``PutItem``."""
        try:
            answer = self._method(operation)(**request)
        except self._raised as error:
            raise translated(error, operation, self.endpoint) from error
        answer.pop("ResponseMetadata", None)
        return answer

    def close(self) -> None:
        """Let go of the connections."""
        self._client.close()

    def _method(self, operation: str) -> Callable[..., dict[str, Any]]:
        method = self._methods.get(operation)
        if method is None:
            fault = UnknownOperationException(f"There is no operation {operation} here")
            fault.operation_name = operation
            raise fault
        return method

    def _refuse_broken(self, response_dict: Mapping[str, Any] | None, **_event: Any) -> None:
        """Hear of each answer from botocore, and stop one that did not come whole."""
        if response_dict is None or response_dict["status_code"] != _SUCCESS:
            return
        wrong = flaw(response_dict["headers"], response_dict["body"])
        if wrong:
            raise broken_answer(self.endpoint, wrong)


def _raised() -> tuple[type[Exception], ...]:
    """What botocore raises; asked first, so it is here that a missing boto3 is noticed."""
    try:
        import boto3  # noqa: F401, PLC0415 - an extra, and heavy
        from botocore.exceptions import BotoCoreError, ClientError  # noqa: PLC0415 - the same
        from botocore.parsers import ResponseParserError  # noqa: PLC0415 - the same
    except ImportError as error:
        raise SettingsError(
            "Tables in AWS or at an endpoint need boto3, which is not installed: "
            "pip install 'gotgan[aws]'"
        ) from error
    return BotoCoreError, ClientError, ResponseParserError


def _client(
    endpoint: str | None, region: str | None, parallel: int, timeouts: dict[str, float]
) -> Any:
    import boto3  # noqa: PLC0415 - an extra, and heavy

    local = endpoint is not None and _is_on_this_machine(endpoint)
    core = _core(local=local)
    session = boto3.Session(botocore_session=core)
    given: dict[str, str] = {}
    if local and session.get_credentials() is None:
        given = dict.fromkeys(("aws_access_key_id", "aws_secret_access_key"), "any")
    return session.client(
        "dynamodb",
        endpoint_url=endpoint,
        region_name=region or session.region_name or ("us-east-1" if local else None),
        config=_config(core.user_agent(), parallel, timeouts, local=local),
        **given,
    )


def _core(*, local: bool) -> Any:
    import botocore.session  # noqa: PLC0415 - an extra, and heavy

    core = botocore.session.Session()
    if local:
        # The role of an EC2 machine: to ask for it anywhere else takes seconds.
        core.get_component("credential_provider").remove("iam-role")
    return core


def _config(agent: str, parallel: int, timeouts: dict[str, float], *, local: bool) -> Any:
    from botocore.config import Config  # noqa: PLC0415 - an extra, and heavy

    return Config(
        **timeouts,
        max_pool_connections=max(parallel, _FEWEST_CONNECTIONS),
        parameter_validation=False,
        proxies={} if local else None,
        # Of botocore's modes only this one compares DynamoDB's checksums when it never retries.
        retries={"total_max_attempts": 1, "mode": "legacy"},
        tcp_keepalive=True,
        # One that is given is taken as it is; botocore would put its own together twice a call.
        user_agent=f"gotgan {agent}",
    )


def _methods(client: Any) -> dict[str, Callable[..., dict[str, Any]]]:
    names = client.meta.method_to_api_mapping
    return {operation: getattr(client, method) for method, operation in names.items()}


def _is_on_this_machine(endpoint: str) -> bool:
    host = urlsplit(endpoint).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
