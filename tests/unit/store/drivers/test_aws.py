"""The driver for AWS: what it needs, and what it does without."""

from __future__ import annotations

import socket
import sys
from typing import Any

import pytest

from gotgan.errors import SettingsError, StoreUnreachable
from gotgan.store.drivers.aws import Aws

from .aws_environment import KEYS

ELSEWHERE = "http://dynamodb.invalid:8000"


def listed(driver: Aws) -> dict[str, Any]:
    """An answer, and the driver closed."""
    try:
        return driver.call("ListTables", {})
    finally:
        driver.close()


def test_an_endpoint_on_this_machine_needs_neither_region_nor_credentials(url: str) -> None:
    driver = Aws(url)
    assert driver.name == driver.endpoint == url
    assert driver.shortened
    assert "TableNames" in listed(driver)


def test_localhost_is_this_machine(url: str) -> None:
    assert "TableNames" in listed(Aws(url.replace("127.0.0.1", "localhost")))


def test_an_endpoint_on_this_machine_is_not_asked_through_a_proxy(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.delenv("no_proxy", raising=False)
    assert "TableNames" in listed(Aws(url))


def sent_by(driver: Aws) -> dict[str, str]:
    """The headers of one call, and the driver closed."""
    sent: dict[str, str] = {}
    driver._client.meta.events.register(  # noqa: SLF001 - to see what is sent
        "before-send.dynamodb",
        lambda request, **_: sent.update((k, str(v)) for k, v in request.headers.items()),
    )
    listed(driver)
    return sent


def test_credentials_that_are_set_are_used(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "from-outside")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "from-outside")
    sent = sent_by(Aws(url))
    assert "Credential=from-outside/" in sent["Authorization"]
    assert "/us-east-1/dynamodb/" in sent["Authorization"]


def test_calls_say_who_makes_them(url: str) -> None:
    agent = sent_by(Aws(url))["User-Agent"]
    assert "gotgan " in agent
    assert "Boto" in agent


def test_aws_without_a_region_is_refused_with_what_to_set() -> None:
    with pytest.raises(SettingsError, match="AWS_REGION"):
        Aws()


def test_aws_without_credentials_is_refused_with_what_to_set() -> None:
    driver = Aws(region="eu-west-1")
    assert driver.name == "aws"
    assert driver.endpoint == "https://dynamodb.eu-west-1.amazonaws.com"
    with pytest.raises(SettingsError, match="AWS_ACCESS_KEY_ID"):
        listed(driver)


def test_an_endpoint_elsewhere_without_credentials_is_refused_too() -> None:
    with pytest.raises(SettingsError, match="AWS_ACCESS_KEY_ID"):
        listed(Aws(ELSEWHERE, "eu-west-1"))


def test_a_profile_that_is_not_there_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_PROFILE", "nobody")
    with pytest.raises(SettingsError, match="nobody"):
        Aws()


def test_what_is_no_endpoint_is_refused() -> None:
    with pytest.raises(SettingsError, match="Not an endpoint"):
        Aws("http://-", "eu-west-1")


def test_a_name_that_leads_nowhere_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in KEYS.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(StoreUnreachable, match=ELSEWHERE) as caught:
        listed(Aws(ELSEWHERE, "eu-west-1"))
    assert not caught.value.maybe_done


def test_nobody_listening_means_that_nothing_was_done() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    with pytest.raises(StoreUnreachable, match="Check that it is running") as caught:
        listed(Aws(f"http://127.0.0.1:{port}"))
    assert not caught.value.maybe_done
    assert caught.value.retry


def test_without_boto3_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "boto3", None)
    with pytest.raises(SettingsError, match=r"pip install 'gotgan\[aws\]'"):
        Aws("http://127.0.0.1:1")
