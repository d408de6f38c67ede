"""``POST /api/analysis/jobs`` of a video that was analysed, beside a bare FastAPI route.

``python -m bench.videos.cache``

Each answer of ours looks at the token, at the cache and at the job, counts the hit and writes the
result anew. The bare ``def`` route returns the same bytes and does nothing for them.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import Final

import httpx
import orjson

from bench.site.load import Sent, requests_per_second
from bench.videos.servers import PATH, VIDEO, fill

__all__ = ["main"]

_CONNECTIONS: Final = 8
_ROUNDS: Final = 5
_SECONDS: Final = 2.0
_NAMES: Final = {
    "bare": "bare def route, same bytes",
    "contract": "POST /api/analysis/jobs, a hit",
}


@contextmanager
def _running(kind: str, place: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "bench.videos.servers", kind, str(place)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None  # noqa: S101 - it is a pipe
            yield process.stdout.readline().strip()
        finally:
            process.terminate()


def main() -> None:
    """Measure, in rounds that take turns, and print the medians and their ratio."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        place = Path(folder)
        sent = _sent(fill(place))
        contract = stack.enter_context(_running("contract", place))
        body = place / "body.json"
        body.write_bytes(_hit(contract, sent))
        bare = stack.enter_context(_running("bare", body))
        rates = _rates({"bare": bare, "contract": contract}, sent)
        _report(rates, body.stat().st_size)


def _sent(token: str) -> Sent:
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    return Sent("POST", headers, orjson.dumps({"videoId": VIDEO}))


def _hit(url: str, sent: Sent) -> bytes:
    """What is answered; it must be what shall be measured."""
    answer = httpx.post(url + PATH, headers=dict(sent.headers), content=sent.body)
    data = answer.raise_for_status().json()["data"]
    if not data["result"]["meta"]["cacheHit"]:
        raise RuntimeError("the cache gave nothing")
    return answer.content


def _rates(urls: dict[str, str], sent: Sent) -> dict[str, float]:
    found: dict[str, list[float]] = {kind: [] for kind in urls}
    for number in range(_ROUNDS + 1):
        for kind, url in urls.items():
            rate = requests_per_second(
                url, PATH, connections=_CONNECTIONS, seconds=_SECONDS, sent=sent
            )
            if number:  # the first round only warms up
                found[kind].append(rate)
    return {kind: median(rates) for kind, rates in found.items()}


def _report(rates: dict[str, float], size: int) -> None:
    print(f"{size:,} bytes an answer, {_CONNECTIONS} connections, median of {_ROUNDS} rounds")
    for kind, rate in rates.items():
        print(f"{_NAMES[kind]:<32} {rate:>9,.0f} requests/s {rate / rates['bare']:>7.0%} of bare")


if __name__ == "__main__":
    main()
