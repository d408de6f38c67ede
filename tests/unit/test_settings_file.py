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
from tests.durability.rights import open_folder, without_rights

__all__ = ["open_folder"]

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


def test_settings_are_listed_where_the_file_was_broken_since(tmp_path: Path) -> None:
    given = write(tmp_path, 'log = "debug"')
    settings = Settings.from_env(given)
    write(tmp_path, "log =")
    listed = settings_with_origin(settings, given)
    assert {each.variable: each.value for each in listed}["GOTGAN_LOG"] == "debug"


def test_commands_speak_the_language_of_the_file(tmp_path: Path) -> None:
    given = write(tmp_path, 'language = "ko"')
    assert reader_language(given) == "ko"
    assert reader_language({**given, "GOTGAN_LANGUAGE": "en"}) == "en"
    assert reader_language({**write(tmp_path, "language ="), "LANG": "ko_KR.UTF-8"}) == "ko"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("contact", "(at line 1, column 8). Write a setting on each line, with texts in quotes"),
        ("kontact = 1", "kontact is not a setting. Did you mean contact?"),
        ("GOTGAN_CONTACT = 'a@b.c'", "GOTGAN_CONTACT is not a setting. Did you mean contact?"),
        ("log = 'info'\n\nkontact = 1\ndelai = 1", f"{CONFIG_FILE}:3: kontact is not a setting."),
        ("log = 'info'\n[tabels]\na = 'b'", f"{CONFIG_FILE}:2: tabels is not a setting."),
        ("something = 1", "something is not a setting. Known settings: "),
        ('data = "elsewhere"', "the data folder cannot be set in this file"),
        ("contact = true", "contact must be a text, a number or a list of texts."),
        ("contact = [1]", "contact must be a text"),
        ("[contact]\na = 1", "contact must be a text"),
        ("# mine\r\nlog = 'loud'\r\n", f"{CONFIG_FILE}:2: log is not valid. Use one of debug"),
        ("log = 'info'\ncontact = '\udce9'", f"{CONFIG_FILE}:2: the file is not UTF-8 text. Save"),
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


def test_an_empty_text_counts_as_not_set(tmp_path: Path) -> None:
    given = write(tmp_path, 'contact = ""\nkrx_pw = ""\nbackup = ""\nmarkets = []')
    assert Settings.from_env(given) == Settings(data=tmp_path)


def test_a_file_of_windows_is_read_and_stays_one(tmp_path: Path) -> None:
    path = tmp_path / CONFIG_FILE
    path.write_bytes(b'\xef\xbb\xbf# mine\r\nkrx_id = "lee"\r\nlog = "info"')
    given = {"GOTGAN_DATA": str(tmp_path)}
    assert Settings.from_env(given).krx_id == "lee"
    write_config(tmp_path, {"KRX_ID": "kim", "GOTGAN_CONTACT": "a@b.c"})
    text = b'# mine\r\nkrx_id = "kim"\r\nlog = "info"\r\ncontact = "a@b.c"\r\n'
    assert path.read_bytes() == text


def test_the_home_folder_can_be_written_as_in_a_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    write(tmp_path, 'backup = "~/copies"')
    settings = Settings.from_env({"GOTGAN_DATA": "~"})
    assert (settings.data, settings.backup) == (tmp_path, tmp_path / "copies")


def test_saving_keeps_everything_else(tmp_path: Path) -> None:
    given = write(tmp_path, '# mine\nlog = "info"\nkrx_id = "lee"  # old\n\n[tables]\na11 = "b11"')
    write_config(tmp_path, {"KRX_ID": "kim # 1", "GOTGAN_CONTACT": "a@b.c"})
    head = '# mine\nlog = "info"\nkrx_id = "kim # 1"  # old\n\n'
    text = f'{head}contact = "a@b.c"\n[tables]\na11 = "b11"'
    assert (tmp_path / CONFIG_FILE).read_text() == text
    assert Settings.from_env(given).tables == {"a11": "b11"}
    write_config(tmp_path, {"KRX_ID": "lee"})
    assert (tmp_path / CONFIG_FILE).read_text() == text.replace("kim # 1", "lee")


def test_a_name_in_a_table_is_not_taken_for_the_setting(tmp_path: Path) -> None:
    given = write(tmp_path, '  [tables]\nkrx_id = "name"\n')
    write_config(tmp_path, {"KRX_ID": "kim"})
    assert (tmp_path / CONFIG_FILE).read_text() == 'krx_id = "kim"\n  [tables]\nkrx_id = "name"\n'
    assert Settings.from_env(given).tables == {"krx_id": "name"}


def test_a_link_to_a_file_stays_one(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("# mine\n", encoding="utf-8")
    (tmp_path / CONFIG_FILE).symlink_to("mine.toml")
    write_config(tmp_path, {"KRX_ID": "kim"})
    assert (tmp_path / "mine.toml").read_text() == '# mine\nkrx_id = "kim"\n'
    assert (tmp_path / CONFIG_FILE).is_symlink()


def test_of_two_who_save_at_once_both_do(tmp_path: Path) -> None:
    names = ["KRX_ID", "KRX_PW", "GOTGAN_CONTACT", "GOTGAN_GEMINI_MODEL", "GOTGAN_OPENAI_MODEL"]
    for number in range(10):
        with ThreadPoolExecutor(len(names)) as pool:
            values = [{name: f"a{number}@b.c"} for name in names]
            list(pool.map(lambda each: write_config(tmp_path, each), values))
        text = (tmp_path / CONFIG_FILE).read_text()
        assert text.count(f"a{number}@b.c") == len(names)


def test_what_a_killed_process_left_is_replaced(tmp_path: Path) -> None:
    (tmp_path / f"{CONFIG_FILE}.new").write_text("half", encoding="utf-8")
    write_config(tmp_path, {"KRX_ID": "kim"})
    assert [each.name for each in tmp_path.iterdir()] == [CONFIG_FILE]
    assert stat.S_IMODE((tmp_path / CONFIG_FILE).stat().st_mode) == 0o600


def test_a_value_over_several_lines_is_left_to_a_person(tmp_path: Path) -> None:
    text = 'indices = [\n  "KOSPI",\n]\n'
    write(tmp_path, text)
    with pytest.raises(SettingsError, match="indices could not be changed here"):
        write_config(tmp_path, {"GOTGAN_INDICES": "KOSDAQ"})
    assert (tmp_path / CONFIG_FILE).read_text() == text


def test_a_folder_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match="Could not write"):
        write_config(tmp_path / "absent", {"KRX_ID": "kim"})


@pytest.mark.skipif(os.name != "posix", reason="permissions are of POSIX")
def test_a_file_that_is_read_only_is_not_replaced(open_folder: Path) -> None:
    path = open_folder / CONFIG_FILE
    path.write_text("# mine\n", encoding="utf-8")
    path.chmod(0o444)
    open_folder.chmod(0o777)
    with without_rights(), pytest.raises(SettingsError, match="write access to it"):
        write_config(open_folder, {"KRX_ID": "kim"})
    assert path.read_text() == "# mine\n"


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
