"""Check that the tests notice defects: ``python -m scripts.mutants``.

A mutant is a small defect, described in ``tests/mutants.toml``. Each one is applied to a copy of
the source tree, and the tests that should notice it run against that copy. The checkout is never
changed, even if the script is killed.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path
from typing import Final, Literal

from scripts.mutant_plugin import KILLED, MODULES, SOURCE

__all__ = ["Mutant", "file_of", "main", "places_of", "read_mutants", "read_source"]

ROOT: Final = Path(__file__).parent.parent
TREE: Final = ROOT / "src"
LIST: Final = ROOT / "tests" / "mutants.toml"
PROCESSES: Final = 2
"""How many test runs are in progress at once, unless ``--processes`` says otherwise."""
TIMEOUT_S: Final = 240
_SUFFIXES: Final = frozenset({".py", ".html", ".js"})
_SHOWN_LINES: Final = 25

Verdict = Literal["killed", "survived", "error"]


@dataclass(frozen=True)
class Mutant:
    """A defect: a text of the source tree, what replaces it, and the tests that must fail then."""

    name: str
    find: str
    replace: str
    tests: tuple[str, ...]
    file: str = "*"
    """Which files are searched, as a glob below ``src/gotgan``."""


@dataclass(frozen=True)
class Outcome:
    """How the tests of a mutant ended."""

    mutant: Mutant
    verdict: Verdict
    seconds: float
    output: str = ""


def read_mutants(path: Path = LIST) -> list[Mutant]:
    """The mutants of a list."""
    entries = tomllib.loads(path.read_text(encoding="utf-8"))["mutant"]
    return [Mutant(**{**entry, "tests": tuple(entry["tests"])}) for entry in entries]


def read_source(tree: Path = TREE) -> dict[Path, str]:
    """The texts of a source tree, by their paths below it."""
    paths = (path for path in sorted((tree / "gotgan").rglob("*")) if path.suffix in _SUFFIXES)
    return {path.relative_to(tree): path.read_text(encoding="utf-8") for path in paths}


def places_of(mutant: Mutant, source: Mapping[Path, str]) -> list[Path]:
    """The files that have the text of a mutant; each as often as it has it."""
    return [
        path
        for path, text in source.items()
        if fnmatch(str(path), f"gotgan/{mutant.file}")
        for _ in range(text.count(mutant.find))
    ]


def file_of(selection: str) -> Path:
    """The file or the folder that a selection of tests is in."""
    return ROOT / selection.partition("::")[0]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the mutants; 0 if all were killed."""
    asked = _arguments(arguments)
    mutants = [each for each in read_mutants() if _is_chosen(each, asked.names, asked.keyword)]
    if not mutants:
        print("No mutant has such a name.")
        return 2
    with tempfile.TemporaryDirectory(prefix="gotgan-mutants-") as folder:
        unchanged = Path(folder) / "unchanged"
        shutil.copytree(TREE, unchanged)
        source = read_source(unchanged)
        places = {mutant: places_of(mutant, source) for mutant in mutants}
        misplaced = {mutant: len(found) for mutant, found in places.items() if len(found) != 1}
        for mutant, count in misplaced.items():
            print(f"error: {mutant.name}: its text occurs {count} times in src/gotgan, not once")
        if misplaced or not _passes(unchanged, mutants, asked.processes):
            return 2
        jobs = [(mutant, found[0]) for mutant, found in places.items()]
        return _run_all(jobs, unchanged, asked.processes)


def _arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m scripts.mutants", description=__doc__)
    parser.add_argument("names", nargs="*", help="exact names; without any, all mutants run")
    parser.add_argument("-k", dest="keyword", default="", help="only names that contain this text")
    parser.add_argument(
        "--processes", type=int, default=PROCESSES, help="test runs at once (default: %(default)s)"
    )
    return parser.parse_args(arguments)


def _is_chosen(mutant: Mutant, names: Sequence[str], keyword: str) -> bool:
    return (not names or mutant.name in names) and keyword.lower() in mutant.name.lower()


def _passes(unchanged: Path, mutants: Sequence[Mutant], processes: int) -> bool:
    """Whether all selected tests pass without a mutant: otherwise a failure means nothing."""
    started = time.monotonic()
    selected = sorted({test for mutant in mutants for test in mutant.tests})
    options = [f"--numprocesses={processes}", "--dist=worksteal", *selected]
    code, output = _tested(unchanged, [], options, timeout_s=None)
    seconds = time.monotonic() - started
    if code == 0:
        print(f"unchanged code passes ({seconds:.0f} s)", flush=True)
        return True
    print(f"The selected tests fail without any mutant. Fix them first.\n{_tail(output)}")
    return False


def _run_all(jobs: Sequence[tuple[Mutant, Path]], unchanged: Path, processes: int) -> int:
    started, count = time.monotonic(), Counter[Verdict]()
    with ThreadPoolExecutor(processes) as pool:
        running = [pool.submit(_run, mutant, place, unchanged) for mutant, place in jobs]
        try:
            for number, future in enumerate(as_completed(running), start=1):
                outcome = future.result()
                count[outcome.verdict] += 1
                print(f"{number:>3}/{len(jobs)} {_line(outcome)}", flush=True)
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    told = f"{count['killed']} killed, {count['survived']} survived, {count['error']} errors"
    print(f"{told}, in {time.monotonic() - started:.0f} s")
    return 0 if count["killed"] == len(jobs) else 1


def _run(mutant: Mutant, place: Path, unchanged: Path) -> Outcome:
    started = time.monotonic()
    with tempfile.TemporaryDirectory(dir=unchanged.parent) as folder:
        tree = Path(folder) / "src"
        shutil.copytree(unchanged, tree)
        _apply(mutant, tree / place)
        options = ["-x", *mutant.tests]
        code, output = _tested(tree, _modules(place), options, timeout_s=TIMEOUT_S)
        is_killed = _killed_file(tree).exists()
    verdict: Verdict = "killed" if is_killed else "survived" if code == 0 else "error"
    shown = _tail(output) if verdict == "error" else ""
    return Outcome(mutant, verdict, time.monotonic() - started, shown)


def _apply(mutant: Mutant, path: Path) -> None:
    """Write the defect into a copy of a file."""
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(mutant.find, mutant.replace), encoding="utf-8")
    for compiled in (path.parent / "__pycache__").glob(f"{path.stem}.*.pyc"):
        compiled.unlink()  # Python compares seconds and sizes, which may be the same


def _modules(place: Path) -> list[str]:
    """The modules that must be importable with a defect in this file."""
    if place.suffix != ".py" or place.stem == "__main__":
        return []
    words = place.parent.parts if place.stem == "__init__" else place.with_suffix("").parts
    return [".".join(words)]


def _tested(
    tree: Path, modules: Sequence[str], options: Sequence[str], *, timeout_s: float | None
) -> tuple[int, str]:
    """The exit code and output of pytest, with ``gotgan`` imported from another source tree."""
    plugins = ["-p", "scripts.mutant_plugin", "-p", "no:randomly", "-p", "no:cacheprovider"]
    environment = {
        **os.environ,
        "PYTHONPATH": str(tree),
        SOURCE: str(tree),
        MODULES: " ".join(modules),
        KILLED: str(_killed_file(tree)),
        "HYPOTHESIS_STORAGE_DIRECTORY": str(tree.parent / "hypothesis"),
    }
    command = [sys.executable, "-m", "pytest", "-q", "--tb=short", *plugins, *options]
    try:
        done = subprocess.run(  # noqa: S603 - our own tests
            command,
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            timeout=timeout_s,
            check=False,
        )
    except subprocess.TimeoutExpired as late:
        said = late.stdout.decode(errors="replace") if isinstance(late.stdout, bytes) else ""
        return -1, f"{said}\nThe tests took more than {timeout_s:g} seconds."
    return done.returncode, done.stdout


def _killed_file(tree: Path) -> Path:
    return tree.parent / "killed"


def _tail(output: str) -> str:
    return "\n".join(output.splitlines()[-_SHOWN_LINES:])


def _line(outcome: Outcome) -> str:
    line = f"{outcome.verdict:<8} {outcome.seconds:5.1f} s  {outcome.mutant.name}"
    return f"{line}\n{outcome.output}" if outcome.output else line


if __name__ == "__main__":
    sys.exit(main())
