"""The driver that the settings ask for."""

from __future__ import annotations

from pathlib import Path

import pytest

from gotgan.errors import SettingsError, StoreClosed
from gotgan.settings import Settings
from gotgan.store.drivers.aws import Aws
from gotgan.store.drivers.embedded import Embedded, open_driver


def test_nothing_set_opens_the_engines_file_in_the_data_folder(tmp_path: Path) -> None:
    driver = open_driver(Settings(data=tmp_path))
    assert isinstance(driver, Embedded)
    assert driver.name == "embedded"
    assert driver.call("ListTables", {}) == {"TableNames": []}
    assert (tmp_path / "dynamodb.sqlite3").exists()
    driver.close()
    with pytest.raises(StoreClosed):
        driver.call("ListTables", {})


def test_a_url_opens_the_endpoint_there(url: str) -> None:
    driver = open_driver(Settings(dynamodb=url))
    assert isinstance(driver, Aws)
    assert driver.name == url
    assert "TableNames" in driver.call("ListTables", {})
    driver.close()


def test_aws_is_opened_with_awss_own_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "ap-northeast-2")
    driver = open_driver(Settings(dynamodb="aws"))
    assert isinstance(driver, Aws)
    assert driver.endpoint == "https://dynamodb.ap-northeast-2.amazonaws.com"
    driver.close()


@pytest.mark.parametrize(
    ("text", "database"),
    [
        ("AWS", "aws"),
        ("embedded", "embedded"),
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("https://tables.example/", "https://tables.example"),
        ("http://[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_a_database_is_a_word_or_an_address(text: str, database: str) -> None:
    assert Settings.from_env({"GOTGAN_DYNAMODB": text}).dynamodb == database


@pytest.mark.parametrize(
    "text",
    [
        "dynamodb",
        "127.0.0.1:8000",
        "ftp://tables.example",
        "http://",
        "http://tables.example:0",
        "http://tables.example:eight",
        "http://[::1",
        "http://tables.example/path",
        "http://tables.example?query",
        "http://name:hunter2@tables.example",
    ],
)
def test_what_is_neither_is_refused_without_repeating_a_password(text: str) -> None:
    with pytest.raises(SettingsError, match="GOTGAN_DYNAMODB") as refused:
        Settings.from_env({"GOTGAN_DYNAMODB": text})
    assert "hunter2" not in str(refused.value)
