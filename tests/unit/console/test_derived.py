"""Pages that are derived from verbs: who sees them, what they ask for and how results are shown."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gotgan.app import App
from gotgan.console.verb_pages import verb_section
from tests.scenario.rates_package import installed, write_metadata
from tests.unit.console.conftest import Enter
from tests.unit.console.vault import DOMAIN

PROJECT = """
[project]
name = "gotgan-vault"
version = "1"
[project.entry-points."gotgan.domains"]
vault = "tests.unit.console.vault:DOMAIN"
"""


@pytest.fixture(autouse=True)
def _package(tmp_path: Path) -> Iterator[None]:
    project = tmp_path / "pyproject.toml"
    project.write_text(PROJECT)
    with installed(write_metadata(tmp_path / "site-packages", project)):
        yield


def test_the_navigation_has_what_somebody_may_read() -> None:
    section, _ = verb_section(DOMAIN)
    assert [(each.path, each.needed) for each in section.pages] == [
        ("/vault", "admin"),
        ("/vault/door", "viewer"),
    ]


def test_a_page_is_for_the_role_of_its_verb(enter: Enter) -> None:
    viewer, admin = enter("v"), enter("a")
    assert viewer.client.get("/vault").status_code == 403
    assert viewer.client.get("/vault/door").status_code == 200
    assert 'href="/vault"' not in viewer.open("/")
    page = admin.open("/vault")
    assert "<td>&lt;b&gt;</td><td>–</td><td>{&#34;a&#34;: [1]}</td>" in page
    assert ">First name</th>" in page
    assert 'action="/vault/load"' not in page
    assert "<dd>open</dd>" in admin.open("/vault/door")


def test_a_form_asks_for_each_parameter_by_its_kind(app: App, enter: Enter) -> None:
    admin = enter("a")
    page = admin.open("/vault")
    assert 'name="count" type="number"' in page
    assert 'name="day" type="date"' in page
    assert 'type="checkbox" name="isOpen"' in page
    assert "Names of things." in page
    vault: Any = app.domain("vault")
    sent = {"names": "a\nb", "kind": "bag", "day": "2025-11-14", "count": "2", "isOpen": "true"}
    assert "Done." in admin.send("/vault/put", **sent)
    expected = {"names": ["a", "b"], "kind": "bag", "day": date(2025, 11, 14)}
    assert vault.written == [{**expected, "count": 2, "is_open": True}]
    admin.open("/vault")
    assert "count: Input should be greater than or equal to 1" in admin.send(
        "/vault/put", names="a", count="0"
    )
    assert len(vault.written) == 1


def test_a_run_that_returns_a_value_shows_it(app: App, enter: Enter) -> None:
    admin = enter("a")
    admin.open("/vault")
    admin.send("/vault/close-all")
    app.runs.join()
    assert "<dd>2025-11-14</dd>" in admin.open("/vault")


def test_a_job_is_for_the_role_of_its_verb_and_a_step_needs_no_text(enter: Enter) -> None:
    page = enter("a").open("/schedule")
    assert "Vault: close all" in page
    editor = enter("e")
    csrf = editor.sheet("/preferences") if editor.open("/schedule") else None
    assert csrf is not None
    answer = editor.client.post(
        "/schedule/run", data={**csrf.fields, "job": "vault.close_all"}, follow_redirects=True
    )
    assert answer.status_code == 403
    page = editor.open("/setup")
    assert "<h3>Master key</h3>" in page
    assert "There is no key." in page
