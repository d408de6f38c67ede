"""Whatever is sent to a route, its answer is one that the document tells of."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gotgan.app import App
from gotgan.world import ServedWorld
from tests.unit.api.calling import Api
from tests.unit.api.reaching import app_within
from tests.unit.api.test_roles import everything

ROOT = Path(__file__).parents[3]
CONFIG = """
seed = 1
hooks = "tests.unit.api.reasons"
warnings = false
continue-on-failure = true

[generation]
database = "none"
no-shrink = true

[phases.examples]
enabled = {thorough}

[phases.coverage]
enabled = {thorough}
unexpected-methods = ["delete", "patch", "trace"]

[phases.stateful]
enabled = false

[checks.positive_data_acceptance]
# What else becomes of a request in good form depends on what is there.
expected-statuses = ["2xx", "3xx", "400", "401", "403", "404", "409", "412", "428", "429"]

[[operations]]
# What a file must be no schema can say; it is told what is wrong with it.
include-operation-id = "import_videos"
checks.positive_data_acceptance.enabled = false

[[operations]]
# Where these words stand could be the id of a video, which can be deleted.
include-path-regex = "^/v1/videos/[a-z]+$"
checks.unsupported_method.enabled = false

[checks.negative_data_rejection]
expected-statuses = ["400", "401", "403", "404", "405", "409", "412", "415", "422", "428", "429"]
"""


@pytest.fixture
def app(served: ServedWorld) -> Iterator[App]:
    """Gotgan in memory, by the machine's clock, with a user of each role."""
    with app_within(served) as app:
        yield app


@pytest.mark.parametrize(
    ("role", "examples"),
    [(None, 1), ("viewer", 1), ("admin", 3)],
    ids=["public", "viewer", "admin"],
)
def test_every_answer_is_one_that_the_document_tells_of(
    api: Api, url: str, tmp_path: Path, role: str | None, examples: int
) -> None:
    everything(api)
    config = tmp_path / "schemathesis.toml"
    config.write_text(CONFIG.format(thorough=str(role == "admin").lower()), encoding="utf-8")
    who = [] if role is None else ["--header", f"Authorization: Bearer {api.tokens[role]}"]
    told = ["--no-color", f"--max-examples={examples}", f"{url}/v1/openapi.json"]
    start = [sys.executable, "-m", "schemathesis.cli", "--config-file", str(config)]
    result = subprocess.run(
        [*start, "run", *told, *who],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
