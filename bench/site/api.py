"""``GET /v1/posts?category=…&limit=20`` beside bare FastAPI routes that return the same bytes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Final
from urllib.request import urlopen

from bench.site.load import requests_per_second
from bench.site.servers import PATH, fill

__all__ = ["main"]

_CONNECTIONS: Final = 8
_ROUNDS: Final = 7
_SECONDS: Final = 2.0
_NAMES: Final = {
    "bare": "bare def route, same bytes",
    "json": "def route, JSONResponse of the same values",
    "site": "GET /v1/posts?category=…&limit=20",
}


@contextmanager
def _running(kind: str, place: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.site.servers", kind, str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def main() -> None:
    """Measure, in rounds that take turns, and print the medians and their ratios."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        place = Path(folder)
        fill(place)
        site = stack.enter_context(_running("site", place))
        body = place / "body.json"
        body.write_bytes(urlopen(site + PATH).read())  # noqa: S310 - our own server
        urls = {kind: stack.enter_context(_running(kind, body)) for kind in ("bare", "json")}
        rates = _rates({**urls, "site": site})
        _report(rates, body.stat().st_size)


def _rates(urls: dict[str, str]) -> dict[str, float]:
    found: dict[str, list[float]] = {kind: [] for kind in urls}
    for number in range(_ROUNDS + 1):
        for kind, url in urls.items():
            rate = requests_per_second(url, PATH, connections=_CONNECTIONS, seconds=_SECONDS)
            if number:  # the first round only warms up
                found[kind].append(rate)
    return {kind: median(rates) for kind, rates in found.items()}


def _report(rates: dict[str, float], size: int) -> None:
    print(f"{size:,} bytes an answer, {_CONNECTIONS} connections, median of {_ROUNDS} rounds")
    for kind, rate in rates.items():
        print(f"{_NAMES[kind]:<45} {rate:>9,.0f} requests/s {rate / rates['bare']:>7.0%} of bare")


if __name__ == "__main__":
    main()
