"""Every setting is told with where it came from, and no secret is."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from gotgan.app import App
from gotgan.settings import Settings
from tests.unit.console.ops.conftest import HIDDEN
from tests.unit.console.sheets import Browser


def _row(page: str, variable: str) -> str:
    return page.partition(f'<tr id="{variable}">')[2].partition("</tr>")[0]


def test_every_setting_has_a_row(admin: Browser) -> None:
    page = admin.open("/ops/settings")
    variables = [item.metadata["variable"] for item in fields(Settings)]
    assert [each for each in variables if f'<tr id="{each}">' not in page] == []


def test_a_korean_page_explains_settings_in_korean(admin: Browser) -> None:
    admin.client.headers["accept-language"] = "ko"
    page = admin.open("/ops/settings")
    assert "메일을 보내는 주소입니다." in _row(page, "GOTGAN_MAIL_FROM")
    assert "회사의 주소" in _row(page, "GOTGAN_MAIL_FROM")
    assert "<code>gotgan news collect</code>가 읽는 페이지입니다." in _row(page, "GOTGAN_NEWS_LIST")


def test_of_a_secret_only_that_it_is_set_is_told(admin: Browser) -> None:
    page = admin.open("/ops/settings")
    assert "Set, not shown" in _row(page, "KRX_PW")
    assert "Program" in _row(page, "KRX_PW")
    assert "https://hooks.example.com/…" in _row(page, "GOTGAN_WEBHOOK")
    assert HIDDEN not in page


def test_what_is_not_set_is_told_with_what_happens_without_it(admin: Browser) -> None:
    row = _row(admin.open("/ops/settings"), "GOTGAN_MAIL_FROM")
    assert "the company&#39;s address" in row
    assert "Default" in row


def test_a_value_from_the_environment_says_so(
    admin: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KRX_ID", "kim")
    page = admin.open("/ops/settings?origin=environment")
    assert "kim" in _row(page, "KRX_ID")
    assert "Environment" in _row(page, "KRX_ID")
    assert _row(page, "KRX_PW") == ""


def test_where_nothing_came_from_there_the_page_says_so(admin: Browser) -> None:
    page = admin.open("/ops/settings?origin=environment")
    assert "None" in page
    assert "<tbody>" not in page
    assert admin.client.get("/ops/settings?origin=moon").status_code == 422


def test_the_same_settings_are_there_for_programs(admin: Browser) -> None:
    page = admin.open("/ops/settings?origin=program")
    assert 'href="/v1/settings?origin=program"' in page
    assert 'href="/ops/settings.csv?origin=program"' in page
    assert "gotgan settings --origin program" in page
    file = admin.client.get("/ops/settings.csv?origin=program").text
    assert file.splitlines()[0].endswith("variable,value,isSecret,origin,default,sentence")
    assert "KRX_PW,,true,program" in file
    assert HIDDEN not in file


def test_settings_are_told_in_korean_too(admin: Browser) -> None:
    admin.client.headers["accept-language"] = "ko"
    page = admin.open("/ops/settings")
    assert "설정됨(표시 안 함)" in page
    assert "기본값" in page


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin"])
def test_a_zone_without_days_is_told_whose_days_are_counted(
    admin: Browser, app: App, zone: str
) -> None:
    app.settings = replace(app.settings, zone=zone)
    row = _row(admin.open("/ops/settings"), "GOTGAN_ZONE")
    assert ("Days are counted in Seoul" in row) == (zone == "Europe/Berlin")
