"""``gotgan-dynamodb``: the endpoint as a program, which takes DynamoDB Local's arguments too.

gotgan-dynamodb --memory
gotgan-dynamodb -jar DynamoDBLocal.jar -inMemory -sharedDb -port 8000
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Final

from gotgan.errors import GotganError, UsageError
from gotgan.events import emit, write_to
from gotgan.settings import Settings
from gotgan.sockets import is_loopback
from gotgan.store.engine.engine import Engine
from gotgan.store.engine.http import serve

_HIGHEST_PORT: Final = 65_535
_NO_EFFECT: Final = {
    "-sharedDb": "all credentials and regions see the same tables anyway",
    "-delayTransientStatuses": "a table can be used as soon as the call returns",
    "-optimizeDbBeforeStartup": "the file needs no such step",
    "-disableTelemetry": "there is no telemetry",
}
"""Arguments of DynamoDB Local that change nothing here, and why."""
_EXAMPLES: Final = """\
It also takes the command line of DynamoDB Local, with Java's own arguments in front:
  gotgan-dynamodb -jar DynamoDBLocal.jar -inMemory -sharedDb
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until Ctrl-C or SIGTERM, and return the exit code."""
    options = parse(sys.argv[1:] if arguments is None else arguments)
    try:
        _serve(options)
    except GotganError as error:
        print(error.message, file=sys.stderr)  # noqa: T201 - the program speaks by printing
        return 2 if isinstance(error, UsageError) else 1
    return 0


def parse(arguments: Sequence[str]) -> argparse.Namespace:
    """The options of a command line in either spelling; exits if it is wrong or asks for help."""
    parser = argparse.ArgumentParser(
        prog="gotgan-dynamodb",
        description="Serve DynamoDB's API from a local file.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
        add_help=False,
    )
    add = parser.add_argument
    add("-h", "--help", "-help", action="help", help="Show this message.")
    add("--version", "-version", action="store_true", help="Show the version.")
    add("--host", default="127.0.0.1", help="Address to listen on. Default: 127.0.0.1.")
    add("--port", "-port", type=_port, default=8000, help="Default: 8000. 0 picks a free port.")
    place = parser.add_mutually_exclusive_group()
    add_place = place.add_argument
    add_place("--memory", "-inMemory", action="store_true", help="Keep the tables in memory.")
    add_place(
        "--data",
        "-dbPath",
        type=Path,
        metavar="DIR",
        help="Folder for the tables. Default: GOTGAN_DATA.",
    )
    add(
        "--synchronous",
        choices=["full", "normal"],
        help="When writes reach the disk. Default: GOTGAN_SYNCHRONOUS.",
    )
    add(
        "--cors",
        "-cors",
        metavar="ORIGINS",
        default="",
        help="Web pages that may call, apart from those of this machine: https://a.example,… or *.",
    )
    for name, why in _NO_EFFECT.items():
        add(name, action="store_true", help=f"No effect: {why}.")
    options = parser.parse_args(list(_without_java(arguments)))
    if options.version:
        from gotgan import __version__  # noqa: PLC0415 - looks for the package's metadata

        print(f"gotgan-dynamodb {__version__}")  # noqa: T201 - as above
        parser.exit()
    return options


def _without_java(arguments: Sequence[str]) -> Iterator[str]:
    """The arguments without those that start DynamoDB Local's Java."""
    rest = iter(arguments)
    for word in rest:
        if word == "-jar":
            next(rest, None)
        elif not word.startswith(("-D", "-X")):
            yield word


def _port(text: str) -> int:
    if text.isdecimal() and int(text) <= _HIGHEST_PORT:
        return int(text)
    raise argparse.ArgumentTypeError(f"{text!r} is not a port: use 0 to {_HIGHEST_PORT}")


def _serve(options: argparse.Namespace) -> None:
    settings = Settings.from_env()
    write_to(sys.stderr, level=settings.log, as_json=False)
    if options.data is not None:
        settings = replace(settings, data=options.data)
    path = None if options.memory else settings.dynamodb_file()
    if not is_loopback(options.host):
        emit(
            "dynamodb.exposed",
            level="warning",
            host=options.host,
            reason="requests are not authenticated",
        )
    origins = frozenset(each.strip() for each in options.cors.split(",") if each.strip())

    def announce(url: str) -> None:
        place = "memory" if path is None else path
        line = f"DynamoDB's API listens at {url} and keeps its tables in {place}."
        print(line, flush=True)  # noqa: T201 - as above

    with (
        Engine(path, synchronous=options.synchronous or settings.synchronous) as engine,
        suppress(KeyboardInterrupt),  # Ctrl-C is the way to stop it
    ):
        serve(engine, options.host, options.port, origins=origins, on_listening=announce)


if __name__ == "__main__":
    sys.exit(main())
