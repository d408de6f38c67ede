"""pykrx against the world, in a process of its own: as a provider of ours, then as it is.

It is run as a program, for pykrx brings pandas and matplotlib, and logs in when it is loaded. What
became of everything is printed as JSON.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import requests
from requests.adapters import HTTPAdapter

from gotgan.domains.market.providers.pykrx import Pykrx
from gotgan.errors import GotganError
from gotgan.settings import Secret
from gotgan.world import FaultKind, ServedWorld
from tests.unit.domains.market.providers.places import (
    DAY,
    FRIDAY,
    HOST,
    LOGIN,
    LOOK_UP,
    MARKETS,
    SATURDAY,
    asking,
    forgetful,
    knowing,
    served_world,
)

FAULTS = (
    FaultKind.HOLIDAY,
    FaultKind.EMPTY,
    FaultKind.GARBAGE,
    FaultKind.WRONG_TYPE,
    FaultKind.LOGOUT,
    FaultKind.BLOCK,
    FaultKind.FORBIDDEN,
    FaultKind.BROKEN,
    FaultKind.RESET,
)


def main() -> None:
    """Try everything; what pykrx prints meanwhile is told apart from what we do."""
    with served_world() as served:
        with redirect_stdout(StringIO()) as heard:
            results = {"provided": _provided(served), "faults": _faults(served)}
            results |= {"wrong": _wrong(served)}
        for name in [each for each in sys.modules if each.partition(".")[0] == "pykrx"]:
            del sys.modules[name]
        with redirect_stdout(StringIO()) as printed:
            results |= {"as it is": _as_it_is(served)}
    results |= {"heard": heard.getvalue(), "printed": printed.getvalue()}
    sys.stdout.write(json.dumps(results))


def _as_it_is(served: ServedWorld) -> Any:
    """Load it as anybody would, with every connection to KRX led to the world."""

    class Led(HTTPAdapter):
        def send(self, request: Any, *args: Any, **options: Any) -> Any:
            led = request.copy()
            led.headers["Host"] = HOST
            led.url = f"http://{served.place}{request.path_url}"
            return super().send(led, *args, **options)

    class LedSession(requests.Session):
        def __init__(self) -> None:
            super().__init__()
            self.mount(f"https://{HOST}", Led())

    everybodys, requests.Session = requests.Session, LedSession  # type: ignore[misc]
    try:
        from pykrx import stock  # noqa: PLC0415

        frame = stock.get_market_ohlcv(f"{DAY:%Y%m%d}", market="KOSPI")
        index = stock.get_index_ohlcv("20251103", f"{DAY:%Y%m%d}", "1001")
        return {
            "shares": len(frame),
            "close": int(frame["종가"].iloc[0]),
            "name": stock.get_market_ticker_name(frame.index[0]),
            "days": [f"{day:%Y-%m-%d}" for day in index.index],
            "index": index.columns.name,
        }
    finally:
        requests.Session = everybodys  # type: ignore[misc]


def _provided(served: ServedWorld) -> Any:
    with forgetful() as leases, asking(served) as krx:
        provider = Pykrx(knowing(served), leases)
        provider.indices(DAY, ["KOSPI"])
        return {
            "logins": _logins(served),
            "prices": provider.prices(FRIDAY, MARKETS) == krx.prices(FRIDAY, MARKETS),
            "indices": provider.indices(DAY, MARKETS) == krx.indices(DAY, MARKETS),
            "closed": _outcome(lambda: provider.prices(SATURDAY, MARKETS)),
            "no index": _outcome(lambda: provider.indices(SATURDAY, MARKETS)),
        }


def _faults(served: ServedWorld) -> Any:
    found = {}
    for fault in FAULTS:
        found[fault.value] = _under(served, LOOK_UP, fault)
    for fault in (FaultKind.CD010, FaultKind.CD011, FaultKind.BLOCK):
        found[f"login {fault.value}"] = _under(served, LOGIN, fault)
    with forgetful() as leases:
        known = Pykrx(knowing(served), leases)
        known.prices(DAY, ["KONEX"])
        served.world.fail(HOST, LOOK_UP, FaultKind.LOGOUT, times=1)
        found["logout once"] = _outcome(lambda: known.prices(DAY, ["KONEX"]))
    return found


def _wrong(served: ServedWorld) -> Any:
    """Twice a password that is not taken."""
    before = _logins(served)
    with forgetful() as leases:
        wrong = Pykrx(knowing(served, krx_password=Secret("wrong")), leases)
        outcomes = [_outcome(lambda: wrong.prices(DAY, ["KONEX"])) for _ in range(2)]
    return {"outcomes": outcomes, "logins": _logins(served) - before}


def _under(served: ServedWorld, path: str, fault: FaultKind) -> str:
    served.world.fail(HOST, path, fault)
    try:
        with forgetful() as leases:
            provider = Pykrx(knowing(served), leases)
            return _outcome(lambda: provider.prices(DAY, ["KONEX"]))
    finally:
        served.world.heal()


def _logins(served: ServedWorld) -> int:
    return sum(seen.path == LOGIN for seen in served.world.requests)


def _outcome(ask: Callable[[], Any]) -> str:
    try:
        return f"{len(ask())} rows"
    except GotganError as error:
        return type(error).__name__


if __name__ == "__main__":
    main()
