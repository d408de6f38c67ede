"""mypy and pyright infer the types that the cases state, and refuse what the cases call wrong.

A line of ``cases/refused.py`` says with an ignore which complaint it must get: both checkers are
told to complain of an ignore that nothing needs.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

from tests.docs.blocks import blocks_of
from tests.fronts.npm import node_program

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
CASES = sorted((HERE / "cases").glob("*.py"))
PYRIGHT = ("pyright", "1.1.414", "index.js")


def _run(command: list[str]) -> str:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert not done.stderr, done.stderr
    return done.stdout


def test_mypy_agrees_with_every_line_of_the_cases() -> None:
    said = _run([sys.executable, "-m", "mypy", str(HERE / "cases")])
    assert said == f"Success: no issues found in {len(CASES)} source files\n"


def test_pyright_agrees_with_every_line_of_the_cases() -> None:
    command = [*node_program(*PYRIGHT), "--project", str(HERE / "pyrightconfig.json")]
    said = json.loads(_run([*command, "--pythonpath", sys.executable, "--outputjson"]))
    complaints = [
        f"{Path(each['file']).name}:{each['range']['start']['line'] + 1}: {each['message']}"
        for each in said["generalDiagnostics"]
    ]
    assert complaints == []
    assert said["summary"]["filesAnalyzed"] == len(CASES)


def test_a_line_that_is_refused_is_refused_by_both() -> None:
    refused = (HERE / "cases" / "refused.py").read_text(encoding="utf-8")
    for line in refused.splitlines():
        assert bool(re.search(r"# type: ignore\[", line)) is ("# pyright: ignore[" in line), line


def test_the_program_of_the_readme_passes_mypy_and_prints_sentences(tmp_path: Path) -> None:
    [block] = [each for each in blocks_of(ROOT / "README.md") if each.language == "python"]
    program = tmp_path / "program.py"
    program.write_text(block.text, encoding="utf-8")
    said = _run([sys.executable, "-m", "mypy", "--strict", str(program)])
    assert said == "Success: no issues found in 1 source file\n"
    *counts, tickers = _run([sys.executable, str(program)]).splitlines()
    assert len(counts) == 4
    for line in counts:
        assert re.fullmatch(r"[1-9]\d* [a-z ,;]+", line), line
    assert re.fullmatch(r"Most mentioned today: [\w.-]+, [\w.-]+, [\w.-]+", tickers)
