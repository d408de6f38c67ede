"""Settings in ``gotgan.toml``: read, overridden, refused, and saved."""

from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gotgan.errors import SettingsError
from gotgan.settings import (
    CONFIG_FILE,
    Settings,
    file_key,
    reader_language,
    settings_with_origin,
    write_config,
)

SECRET = "k" * 32


def write(folder: Path, text: str, mode: int = 0o600) -> dict[str, str]:
    """Write the file, and return the environment of its folder."""
    path = folder / CONFIG_FILE
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return {"GOTGAN_DATA": str(folder)}


def test_a_file_sets_what_variables_set(tmp_path: Path) -> None:
    text = f"""
    contact = "bot@example.com"
    webhook_secret = "{SECRET}"
    backup_keep = 3
    delay = 0.5
    indices = ["KOSPI"]
    krx_id = "kim"
    dynamodb_table_name = "shops-prod"
    [tables]
    FMWebAppTable = "site-prod"
    """
    settings = Settings.from_env(write(tmp_path, text))
    assert settings.contact == "bot@example.com"
    assert settings.webhook_secret is not None
    assert settings.webhook_secret.reveal() == SECRET
    assert (settings.backup_keep, settings.delay, settings.indices) == (3, 0.5, ("KOSPI",))
    assert (settings.krx_id, settings.shops_table) == ("kim", "shops-prod")
    assert settings.tables == {"FMWebAppTable": "site-prod"}


def test_the_environment_overrides_the_file(tmp_path: Path) -> None:
    given = write(tmp_path, 'log = "debug"\ncontact = "file@example.com"')
    settings = Settings.from_env({**given, "GOTGAN_CONTACT": "env@example.com"})
    assert (settings.log, settings.contact) == ("debug", "env@example.com")
    assert Settings.from_env({**given, "GOTGAN_CONTACT": ""}).contact == "file@example.com"


def test_each_value_has_its_origin(tmp_path: Path) -> None:
    given = write(tmp_path, 'log = "debug"\ncontact = "file@example.com"\nkrx_pw = "hidden"')
    given |= {"GOTGAN_CONTACT": "env@example.com"}
    listed = settings_with_origin(Settings.from_env(given), given)
    found = {each.variable: each for each in listed}
    assert found["GOTGAN_LOG"].origin == "file"
    assert (found["KRX_PW"].origin, found["KRX_PW"].value) == ("file", None)
    assert found["GOTGAN_CONTACT"].origin == "environment"
    assert found["GOTGAN_ZONE"].origin == "default"


def test_commands_speak_the_language_of_the_file(tmp_path: Path) -> None:
    given = write(tmp_path, 'language = "ko"')
    assert reader_language(given) == "ko"
    assert reader_language({**given, "GOTGAN_LANGUAGE": "en"}) == "en"
    assert reader_language({**write(tmp_path, "language ="), "LANG": "ko_KR.UTF-8"}) == "ko"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("contact", "is not valid TOML: "),
        ("kontact = 1", "kontact is not a setting. Did you mean contact?"),
        ("something = 1", "something is not a setting. Known settings: "),
        ('data = "elsewhere"', "the data folder cannot be set in this file"),
        ("contact = true", "contact must be a text, a number or a list of texts."),
        ("contact = [1]", "contact must be a text"),
        ("[contact]\na = 1", "contact must be a text"),
        ("log = 'loud'", f"{CONFIG_FILE}: log is not valid. Use one of debug"),
        ("contact = '\udce9'", "is not valid TOML: "),
    ],
)
def test_a_bad_file_is_named_with_what_to_do(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / CONFIG_FILE).write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(SettingsError) as error:
        Settings.from_env({"GOTGAN_DATA": str(tmp_path)})
    assert said in str(error.value)
    assert str(tmp_path / CONFIG_FILE) in str(error.value)


@pytest.mark.skipif(os.name != "posix", reason="permissions are of POSIX")
def test_a_file_with_a_secret_is_private(tmp_path: Path) -> None:
    assert Settings.from_env(write(tmp_path, 'contact = "a@b.c"', 0o644)).contact == "a@b.c"
    with pytest.raises(SettingsError, match=r"Other users can read .* Set its permissions to 600"):
        Settings.from_env(write(tmp_path, 'krx_pw = "hidden"', 0o644))


@pytest.mark.parametrize(
    "value", ["kim", 'a"b\\c', "한글 é", "tab\tand\x7f", "# not a comment", "'"]
)
def test_what_is_saved_is_read(value: str, tmp_path: Path) -> None:
    path = write_config(tmp_path, {"KRX_ID": value})
    assert Settings.from_env({"GOTGAN_DATA": str(tmp_path)}).krx_id == value
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == [CONFIG_FILE]


def test_saving_keeps_everything_else(tmp_path: Path) -> None:
    given = write(tmp_path, '# mine\nlog = "info"\nkrx_id = "lee"  # old\n\n[tables]\na11 = "b11"')
    write_config(tmp_path, {"KRX_ID": "kim", "GOTGAN_CONTACT": "a@b.c"})
    text = (tmp_path / CONFIG_FILE).read_text()
    assert text == (
        '# mine\nlog = "info"\nkrx_id = "kim"\n\ncontact = "a@b.c"\n[tables]\na11 = "b11"\n'
    )
    assert Settings.from_env(given).tables == {"a11": "b11"}


def test_a_value_over_several_lines_is_left_to_a_person(tmp_path: Path) -> None:
    text = 'indices = [\n  "KOSPI",\n]\n'
    write(tmp_path, text)
    with pytest.raises(SettingsError, match="indices could not be changed here"):
        write_config(tmp_path, {"GOTGAN_INDICES": "KOSDAQ"})
    assert (tmp_path / CONFIG_FILE).read_text() == text


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="Could not write"):
        write_config(tmp_path / "absent", {"KRX_ID": "kim"})


def test_a_reader_sees_a_whole_file_at_any_moment(tmp_path: Path) -> None:
    write_config(tmp_path, {"KRX_ID": "0" * 1000})

    def save(number: int) -> None:
        write_config(tmp_path, {"KRX_ID": str(number) * 1000})

    with ThreadPoolExecutor(4) as pool:
        saving = [pool.submit(save, number) for number in range(10)]
        while not all(each.done() for each in saving):
            found = Settings.from_env({"GOTGAN_DATA": str(tmp_path)}).krx_id
            assert (len(found), len(set(found))) == (1000, 1)
        for each in saving:
            each.result()


def test_keys_are_unique() -> None:
    variables = [each.variable for each in settings_with_origin(Settings())]
    assert len({file_key(each) for each in variables}) == len(variables)
