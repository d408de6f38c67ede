"""Build the package and try its wheel as a user would: ``python -m scripts.release_check``.

The wheel is installed into a new environment outside the checkout, so that a file which is missing
from it cannot be found in the source tree.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
import venv
from collections.abc import Sequence
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent


def main() -> None:
    """Build, install, run the demo for a day, and look for the version's changes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    version = project["version"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run([sys.executable, "-m", "hatchling", "build", "-d", str(folder / "dist")], ROOT)
        (wheel,) = (folder / "dist").glob("*.whl")
        venv.create(folder / "env", with_pip=True)
        programs = folder / "env" / ("Scripts" if os.name == "nt" else "bin")
        _run([str(programs / "python"), "-m", "pip", "install", "--quiet", str(wheel)], folder)
        printed = _run([str(programs / "gotgan"), "--version"], folder).strip()
        if printed != f"gotgan {version}":
            sys.exit(f"The wheel's version is {printed!r}, pyproject.toml says {version}.")
        demo = [str(programs / "gotgan"), "demo", "--once", "--days", "1", "--json"]
        json.loads(_run(demo, folder).splitlines()[-1])
        print(f"{wheel.name} works outside the checkout.")
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if not re.search(rf"^## {re.escape(version)}\b", changes, re.MULTILINE):
        sys.exit(f"CHANGELOG.md has no section for {version}: rename its section 'Unreleased'.")


def _run(command: Sequence[str], folder: Path) -> str:
    """What a command prints; its failure ends the check."""
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    done = subprocess.run(  # noqa: S603 - our own commands, in a folder of ours
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        sys.exit(f"{' '.join(command)} failed with exit code {done.returncode}.")
    return done.stdout


if __name__ == "__main__":
    main()
