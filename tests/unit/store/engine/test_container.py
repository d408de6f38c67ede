"""The recipe of the container: linted, and its command lines are ones that the program takes.

The rules are those of Docker's build checks and of hadolint that apply to a recipe this short.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from gotgan.store.engine.local import parse
from tests.house.repository import ROOT

RECIPE = ROOT / "deploy/dynamodb.Dockerfile"
IGNORED = RECIPE.with_name(f"{RECIPE.name}.dockerignore")
COMPOSE = ROOT / "deploy/compose.yaml"
KNOWN = {"ARG", "CMD", "COPY", "ENTRYPOINT", "EXPOSE", "FROM", "RUN", "USER", "WORKDIR"}


def instructions(path: Path = RECIPE) -> list[tuple[str, str]]:
    lines = path.read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    written = [line for line in lines if line.strip() and not line.startswith("#")]
    return [(name, rest.strip()) for name, _, rest in (line.partition(" ") for line in written)]


def values(name: str) -> list[str]:
    return [rest for each, rest in instructions() if each == name]


def test_every_instruction_is_known() -> None:
    assert {name for name, _ in instructions()} <= KNOWN


def test_an_image_has_a_version() -> None:
    for image in values("FROM"):
        assert re.match(r"[a-z]+:\d[\w.-]*( AS [a-z]+)?$", image)


def test_what_is_copied_is_there_and_is_sent_to_docker() -> None:
    sent = {line[1:] for line in IGNORED.read_text().splitlines() if line.startswith("!")}
    sources = {
        word
        for line in values("COPY")
        if not line.startswith("--from=")
        for word in line.split()[:-1]
    }
    assert sources == sent
    assert [source for source in sources if not (ROOT / source).exists()] == []


def test_the_build_has_every_file_of_the_package() -> None:
    package = (ROOT / "packages/dynamodb/pyproject.toml").read_text()
    outside = set(re.findall(r'"\.\./\.\./([\w/.]+)"', package))
    copied = {word for line in values("COPY") for word in line.split()[:-1]}
    assert [path for path in outside if not path.startswith(tuple(copied))] == []


def test_a_path_of_the_image_is_absolute() -> None:
    assert all(path.startswith("/") for path in values("WORKDIR"))


def test_the_program_does_not_run_as_root() -> None:
    assert (values("ARG"), values("USER")) == (["user=dynamodblocal"], ["${user}"])


def test_pip_keeps_no_cache() -> None:
    assert all("--no-cache-dir" in line for line in values("RUN") if line.startswith("pip "))


def command(arguments: list[str]) -> list[str]:
    (entry,) = values("ENTRYPOINT")
    program, *own = json.loads(entry)  # in Docker's other form, signals would end at a shell
    assert program == "gotgan-dynamodb"
    return [*own, *arguments]


def test_it_starts_as_dynamodb_local_does() -> None:
    (given,) = values("CMD")
    options = parse(command(json.loads(given)))
    assert (options.host, options.port, options.memory) == ("0.0.0.0", 8000, True)  # noqa: S104
    assert values("EXPOSE") == [str(options.port)]


@pytest.mark.parametrize(
    "words",
    [
        "-jar DynamoDBLocal.jar -sharedDb -dbPath ./data",
        "-jar DynamoDBLocal.jar -sharedDb -inMemory -port 8000",
        "-Djava.library.path=./DynamoDBLocal_lib -jar DynamoDBLocal.jar -inMemory",
    ],
)
def test_a_command_for_the_other_image_is_one_for_this(words: str) -> None:
    assert parse(command(words.split())).host == "0.0.0.0"  # noqa: S104


def test_compose_starts_it_with_a_folder() -> None:
    text = COMPOSE.read_text(encoding="utf-8")
    (given,) = re.findall(r"^    command: (\[.*\])$", text, re.MULTILINE)
    assert parse(command(json.loads(given))).data == Path("/data")
    assert RECIPE.relative_to(ROOT).as_posix() in text
