"""The language of the reader: which one it is, and what is printed in it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gotgan.cli import main
from gotgan.cli.commands import root
from gotgan.cli.output import ExitCode, Output
from gotgan.cli.reader import language, reader, remember, rendered, tr
from gotgan.cli.table import result_table
from gotgan.cli.terminal import shops as terminal
from gotgan.domains.market import messages as market
from gotgan.domains.shops import messages as shops
from gotgan.domains.shops.models import Shop
from gotgan.messages import Template
from gotgan.settings import Settings, reader_language
from gotgan.texts import Language

Capture = pytest.CaptureFixture[str]
CLOSING = datetime(2025, 10, 20, 8, tzinfo=UTC)


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, "en"),
        ({"LANG": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "ko"}, "ko"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "ko_KR.UTF-8"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "LC_ALL": ""}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "GOTGAN_LANGUAGE": "en"}, "en"),
        ({"LANG": "en_US.UTF-8", "GOTGAN_LANGUAGE": "KO"}, "ko"),
        ({"LANG": "ko_KR.UTF-8", "GOTGAN_LANGUAGE": "klingon"}, "ko"),
    ],
)
def test_the_setting_comes_before_the_locale(
    environment: dict[str, str], expected: Language
) -> None:
    assert reader_language(environment) == expected


def test_a_wrong_setting_stops_commands_but_not_the_help(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: Capture
) -> None:
    monkeypatch.setenv("GOTGAN_LANGUAGE", "klingon")
    monkeypatch.setenv("GOTGAN_DATA", str(tmp_path))
    assert main(["settings", "--help"]) == ExitCode.OK
    capsys.readouterr()
    assert main(["settings"]) == ExitCode.FAILED
    assert "GOTGAN_LANGUAGE" in capsys.readouterr().err


def test_help_and_errors_of_click_are_in_korean(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("GOTGAN_LANGUAGE", "ko")
    assert main(["shops", "crawl", "--help"]) == ExitCode.OK
    shown = capsys.readouterr().out
    assert shown.startswith("사용법: gotgan shops crawl")
    for words in ("인자:", "옵션:", "동시에 처리할 상점 수.  [기본값: 8", "이 도움말을"):
        assert words in shown
    assert main(["news", "list", "--limt", "3"]) == ExitCode.USAGE
    said = capsys.readouterr().err
    assert said == (
        "gotgan: '--limt' 옵션이 없습니다. 혹시 '--limit'인가요? (도움말: gotgan news list --help) "
        "[usage]\n"
    )


def test_english_comes_back_after_korean(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    main(["world", "--help"])
    monkeypatch.setenv("LANG", "en_US.UTF-8")
    capsys.readouterr()
    assert main(["world", "--help"]) == ExitCode.OK
    shown = capsys.readouterr().out
    assert "Usage: gotgan world" in shown
    assert "Show this message and exit." in shown
    assert language() == "en"


def test_korean_lines_are_wrapped_by_the_columns_they_take(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    for words, _, _ in root.every_command():
        main([*words.split(), "--help"])
    lines = capsys.readouterr().out.splitlines()
    wide = [each for each in lines if len(each.encode("euc-kr", "replace")) > 80]
    assert [each for each in wide if not each.startswith("사용법")] == []


def test_json_stays_english(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setenv("LANG", "ko_KR.UTF-8")
    assert main(["news", "list", "--limit", "0", "--json"]) == ExitCode.USAGE
    error = json.loads(capsys.readouterr().err)["error"]
    assert error["message"].startswith("Invalid value for '--limit': 0 is not in the range")
    assert (error["reason"], error["values"]) == (None, {})


def test_an_error_is_rendered_with_its_hint(capsys: Capture) -> None:
    message = market.COLLECTED_ELSEWHERE(day="2025-10-20")
    with reader("ko"):
        Output(as_json=False).write_error("conflict", message)
    said = capsys.readouterr().err
    assert said.startswith("gotgan: 2025-10-20 자료는 다른 프로그램이 수집했습니다")
    assert said.endswith("[conflict]\n힌트: gotgan market recover 2025-10-20\n")
    Output(as_json=False).write_error("conflict", message)
    assert capsys.readouterr().err.endswith("Hint: gotgan market recover 2025-10-20\n")
    Output(as_json=True).write_error("conflict", message)
    assert json.loads(capsys.readouterr().err)["error"] == {
        "code": "conflict",
        "message": message,
        "retry": False,
        "reason": "market.collected_elsewhere",
        "values": {"day": "2025-10-20"},
    }


def test_messages_of_records_are_in_the_language_of_the_reader() -> None:
    shop = Shop(domain="shop.test", core_domain_name="shop", crawl_reason=shops.ALL_VISITED())
    mails = [{"id": "m1", "lastError": market.WEEKEND()}]
    with reader("ko"):
        assert "크롤링 이유         모든 페이지를 방문했습니다" in terminal.get(shop)
        assert result_table(mails, ["id", "lastError"]).splitlines()[-1] == "m1  주말"
    assert "all pages were visited" in terminal.get(shop)


def test_moments_are_in_the_zone_of_the_settings() -> None:
    message = Template("test.moment", "from {at:time} on")(at=CLOSING)
    with reader("en"):
        remember(Settings(zone="Asia/Seoul"))
        assert rendered(message) == "from 17:00 KST on"
    assert rendered(message) == "from 08:00 UTC on"


def test_a_text_without_korean_is_english_with_its_values() -> None:
    with reader("ko"):
        assert tr("{count:thing|things} of {who}", count=1, who="곳간") == "1 thing of 곳간"
        assert tr("and {count} more", count=1200) == "외 1,200건"
        assert tr("not set up: {why}", why=market.WEEKEND()) == "설정 안 됨: 주말"
