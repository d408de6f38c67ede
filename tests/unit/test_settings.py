"""Settings, and the secret that is made on first need."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from gotgan.errors import SettingsError
from gotgan.settings import Secret, Settings, Ttl, hidden_variables

GOOD_SECRET = "k" * 32


def test_nothing_set_gives_the_defaults() -> None:
    settings = Settings.from_env({})
    assert settings == Settings()
    assert settings.data == Path("gotgan-data")
    assert settings.synchronous == "full"


def test_an_empty_variable_counts_as_not_set() -> None:
    assert Settings.from_env({"GOTGAN_DATA": "", "GOTGAN_LOG": ""}) == Settings()


def test_what_is_set_is_read() -> None:
    given = {
        "GOTGAN_DATA": "elsewhere",
        "GOTGAN_SYNCHRONOUS": "NORMAL",
        "GOTGAN_LOG": "debug",
        "GOTGAN_SECRET": GOOD_SECRET,
    }
    settings = Settings.from_env(given)
    assert settings.data == Path("elsewhere")
    assert settings.synchronous == "normal"
    assert settings.log == "debug"
    assert settings.secret().reveal() == GOOD_SECRET


def test_the_environment_is_read_when_nothing_else_is_given(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("GOTGAN_DATA", "from-outside")
    assert Settings.from_env().data == Path("from-outside")


def test_names_of_tables_and_indexes_are_pairs() -> None:
    text = "FMWebAppTable=site-prod, aura-historia-data:GSI2=CountryLastCrawledIndex,"
    assert Settings.from_env({"GOTGAN_TABLES": text}).tables == {
        "FMWebAppTable": "site-prod",
        "aura-historia-data:GSI2": "CountryLastCrawledIndex",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("site-prod", "Use pairs such as"),
        ("site=", "Use pairs such as"),
        ("=site", "Use pairs such as"),
        ("site=no", "Use pairs such as"),
        ("site=with space", "Use pairs such as"),
        ("site:a:bcd=name", "Use pairs such as"),
        ("site=one=two", "Use pairs such as"),
        ("site=one,site=two", "A name appears twice"),
        ("good=name,site=no", "Not a pair of names: site=no"),
    ],
)
def test_what_is_no_pair_of_names_is_refused(text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=f"GOTGAN_TABLES is not valid.*{said}"):
        Settings.from_env({"GOTGAN_TABLES": text})


def test_the_table_of_the_shops_has_the_name_of_its_documents_variable() -> None:
    assert Settings.from_env({}).names() == {}
    named = Settings.from_env({"DYNAMODB_TABLE_NAME": "shops-prod", "GOTGAN_TABLES": "news=other"})
    assert named.names() == {"aura-historia-data": "shops-prod", "news": "other"}
    both = {"DYNAMODB_TABLE_NAME": "shops-prod", "GOTGAN_TABLES": "aura-historia-data=shops-test"}
    assert Settings.from_env(both).names() == {"aura-historia-data": "shops-test"}
    with pytest.raises(SettingsError, match=r"DYNAMODB_TABLE_NAME is not valid\. Use 3 to 255"):
        Settings.from_env({"DYNAMODB_TABLE_NAME": "no good"})


def test_a_word_that_is_not_offered_is_refused_with_those_that_are() -> None:
    with pytest.raises(SettingsError, match=r"GOTGAN_SYNCHRONOUS.*full, normal"):
        Settings.from_env({"GOTGAN_SYNCHRONOUS": "off"})


def test_indices_are_chosen_apart_from_markets() -> None:
    given = Settings.from_env({"GOTGAN_MARKETS": "KOSPI"})
    assert (given.markets, given.indices) == (("KOSPI",), ("KOSPI", "KOSDAQ"))
    given = Settings.from_env({"GOTGAN_MARKETS": "konex", "GOTGAN_INDICES": "kosdaq"})
    assert (given.markets, given.indices) == (("KONEX",), ("KOSDAQ",))
    with pytest.raises(SettingsError, match=r"GOTGAN_INDICES.*KOSPI, KOSDAQ"):
        Settings.from_env({"GOTGAN_INDICES": "KONEX"})


@pytest.mark.parametrize(
    ("text", "ttl"),
    [
        ("24h", Ttl()),
        ("24h: as ever", Ttl()),
        ("6h: YouTube answers badly", Ttl(6, "YouTube answers badly")),
        ("1 h :  so\n many  words ", Ttl(1, "so many words")),
    ],
)
def test_a_shorter_time_to_live_comes_with_its_reason(text: str, ttl: Ttl) -> None:
    assert Settings.from_env({"GOTGAN_ANALYSIS_TTL": text}).analysis_ttl == ttl


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("6h", "Less than 24h needs a reason, such as 6h: "),
        ("6h:", "or 1h to 23h with a reason"),
        ("0h: never", "or 1h to 23h with a reason"),
        ("25h: for longer", "or 1h to 23h with a reason"),
        ("six hours", "or 1h to 23h with a reason"),
        (f"6h: {'x' * 201}", "to 200 characters"),
    ],
)
def test_a_time_to_live_that_cannot_be_is_refused(text: str, said: str) -> None:
    with pytest.raises(SettingsError, match=f"GOTGAN_ANALYSIS_TTL is not valid.*{said}"):
        Settings.from_env({"GOTGAN_ANALYSIS_TTL": text})


@pytest.mark.parametrize("text", ["0", "-1", "1.5", "many", "²", "9" * 99])
def test_a_number_of_units_is_whole_and_one_at_least(text: str) -> None:
    with pytest.raises(SettingsError, match="Use a whole number, 1 or more"):
        Settings.from_env({"GOTGAN_YOUTUBE_QUOTA": text})


def test_a_misspelt_name_is_refused_with_the_likely_one() -> None:
    with pytest.raises(SettingsError, match="Did you mean GOTGAN_SYNCHRONOUS"):
        Settings.from_env({"GOTGAN_SYNCRONOUS": "full"})


def test_a_strange_name_is_refused_with_all_that_there_are() -> None:
    with pytest.raises(SettingsError, match="Known settings: "):
        Settings.from_env({"GOTGAN_XYZZY": "1"})


def test_names_of_others_are_left_alone() -> None:
    assert Settings.from_env({"PATH": "/bin", "GOTGANISH": "1"}) == Settings()


def test_a_short_secret_is_refused_without_repeating_it() -> None:
    with pytest.raises(SettingsError, match="at least 32") as refused:
        Settings.from_env({"GOTGAN_SECRET": "hunter2"})
    assert "hunter2" not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize(
    ("variable", "text"),
    [
        ("GOTGAN_DATABASE", "postgresql://kim:[hunter2]@db.example.com/gotgan"),
        ("GOTGAN_DATABASE", "postgresql://kim:hunter2\u2100@db.example.com/gotgan"),
        ("GOTGAN_SMTP_URL", "smtp://kim:[hunter2]@mail.example.com"),
        ("GOTGAN_SMTP_URL", "smtp://kim:hunter2\u2100@mail.example.com"),
        ("GOTGAN_WEBHOOK", "https://kim:[hunter2]@hooks.example.com/"),
        ("GOTGAN_DYNAMODB", "http://[hunter2]:8000"),
        ("GOTGAN_DYNAMODB", "http://db.example.com:hunter2"),
        ("GOTGAN_ORIGINS", "https://[hunter2]"),
    ],
)
def test_a_url_that_cannot_be_read_is_refused_without_repeating_it(
    variable: str, text: str
) -> None:
    with pytest.raises(SettingsError, match=f"{variable} is not valid. (Use|Remove)") as refused:
        Settings.from_env({variable: text})
    assert "hunter2" not in str(refused.value)
    assert refused.value.__cause__ is None


@dataclass(frozen=True)
class _Careless(Settings):
    krx_password: Any = field(default=None, metadata={"variable": "KRX_PW", "parse": int})


def test_a_setting_that_cannot_be_read_is_not_repeated() -> None:
    with pytest.raises(SettingsError, match="describes it") as refused:
        _Careless.from_env({"KRX_PW": "hunter2"})
    assert "hunter2" not in str(refused.value)


def test_a_secret_is_hidden_wherever_it_is_shown() -> None:
    secret = Secret(GOOD_SECRET)
    settings = Settings(given_secret=secret)
    for shown in (str(secret), repr(secret), f"{secret}", repr(settings), "%s" % secret):  # noqa: UP031 - one more way to show it
        assert GOOD_SECRET not in shown


def test_secrets_are_equal_when_their_texts_are() -> None:
    assert Secret("a") == Secret("a")
    assert hash(Secret("a")) == hash(Secret("a"))
    assert Secret("a") != Secret("b")
    assert Secret("a") != "a"


def test_a_secret_is_made_once_and_then_kept(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path / "new")
    first = settings.secret()
    assert len(first.reveal()) >= 32
    assert settings.secret() == first
    assert [path.name for path in settings.data.iterdir()] == ["secret"]


def test_the_secret_file_belongs_to_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        Settings(data=tmp_path).secret()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "secret").stat().st_mode) == 0o600


def test_a_secret_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    Settings(data=tmp_path).secret()
    (tmp_path / "secret").chmod(0o640)
    with pytest.raises(SettingsError, match="permissions to 600"):
        Settings(data=tmp_path).secret()


@pytest.mark.parametrize("content", [b"", b"short\n", b"\xff" * 64])
def test_a_spoilt_secret_file_is_refused_and_left_as_it_is(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "secret"
    path.write_bytes(content)
    path.chmod(0o600)
    with pytest.raises(SettingsError, match="Restore it"):
        Settings(data=tmp_path).secret()
    assert path.read_bytes() == content


def test_processes_that_start_together_end_with_the_same_secret(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from gotgan.settings import Settings;"
        "print('ready', flush=True); sys.stdin.read();"
        "print(Settings(data=Path(sys.argv[1])).secret().reveal())"
    )
    racers = [
        subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path / "shared")],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for racer in racers:
        assert racer.stdout is not None
        assert racer.stdout.readline() == "ready\n"
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.close()
        racer.stdin = None
    made = {racer.communicate(timeout=30)[0] for racer in racers}
    assert len(made) == 1
    assert len(made.pop().strip()) >= 32


def test_of_two_makers_the_first_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The slower maker saw no file, and finds one when it wants to put its own in place."""
    first = Settings(data=tmp_path).secret()
    monkeypatch.setattr(Path, "exists", lambda _path: False)
    assert Settings(data=tmp_path).secret() == first
    assert [path.name for path in tmp_path.iterdir()] == ["secret"]


def test_a_data_folder_that_cannot_be_made_is_refused_with_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(SettingsError, match="Set GOTGAN_DATA"):
        Settings(data=tmp_path / "file" / "folder").folder()


def test_the_engines_file_lies_in_a_data_folder_that_is_there(tmp_path: Path) -> None:
    path = Settings(data=tmp_path / "deep" / "data").dynamodb_file()
    assert path == tmp_path / "deep" / "data" / "dynamodb.sqlite3"
    assert path.parent.is_dir()


def test_variables_can_be_hidden_for_a_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KRX_ID", "me")
    monkeypatch.delenv("KRX_PW", raising=False)
    with hidden_variables("KRX_ID", "KRX_PW"):
        assert "KRX_ID" not in os.environ
    assert os.environ["KRX_ID"] == "me"
    assert "KRX_PW" not in os.environ
