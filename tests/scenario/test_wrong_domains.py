"""A package that declares a wrong domain is named, with what to do about it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gotgan.domain import domains
from gotgan.errors import DeclarationError
from tests.scenario.rates_package import EXAMPLE, installed, write_metadata

JOB = (
    "from gotgan.domain import Domain, Job\n"
    "DOMAIN = Domain('gone', 'Gone.', 'gone:Gone', jobs=(Job('{}', '{}', 'gone.is_ready', '.'),))\n"
)
TWIN = "from gotgan.domain import Domain\nDOMAIN = Domain('rates', 'Others.', 'other:Rates')\n"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("gone", "", "The domain gone of the package gotgan-gone cannot be loaded"),
        ("gone", "raise RuntimeError('no key')", r"RuntimeError\('no key'\)"),
        ("gone", "DOMAIN = 7", "gotgan_gone:DOMAIN, which is not a Domain with that name"),
        ("news", "DOMAIN = 7", "news of the package gotgan-gone has a name that is taken"),
        ("posts", "DOMAIN = 7", "posts of the package gotgan-gone has a name that is taken"),
        ("rates", TWIN, "domain rates of the package .* has a name that is taken"),
        (
            "gone",
            JOB.format("gone.collect", "61 * * * *"),
            r"cannot run: gone\.collect at",
        ),
        (
            "gone",
            JOB.format("news.collect", "0 * * * *"),
            r"cannot run: news\.collect\. Use",
        ),
    ],
    ids=[
        *("nothing there", "fails", "another thing", "built in", "an address", "twice"),
        *("a wrong time", "a verb of another domain"),
    ],
)
def test_a_broken_package_is_named(tmp_path: Path, name: str, text: str, told: str) -> None:
    (tmp_path / "gotgan_gone.py").write_text(text)
    project = tmp_path / "pyproject.toml"
    project.write_text(
        '[project]\nname = "gotgan-gone"\nversion = "1"\n'
        f'[project.entry-points."gotgan.domains"]\n{name} = "gotgan_gone:DOMAIN"\n'
    )
    write_metadata(tmp_path, project)
    try:
        folder = write_metadata(tmp_path / "rates")
        with installed(tmp_path, EXAMPLE, folder), pytest.raises(DeclarationError, match=told):
            domains()
    finally:
        sys.modules.pop("gotgan_gone", None)
