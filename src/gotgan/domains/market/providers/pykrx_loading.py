"""pykrx, loaded and put right: quiet, with room for large volumes, and by a session of ours.

Loading it logs in over the network and prints the user's name, where the environment has one; so
the environment is hidden from it meanwhile. Nothing here changes what other code sees: only names
within its own modules are given other meanings.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import warnings
from typing import Any, Final

import numpy as np

from gotgan.domains.market.providers.pykrx_wire import session_of
from gotgan.errors import ProviderError
from gotgan.settings import Secret, Settings, hidden

__all__ = ["loaded_pykrx", "logged_in"]

_AUTH: Final = "pykrx.website.comm.auth"
_TALKING: Final = (_AUTH, "pykrx.website.comm.util")
_COUNTING: Final = "pykrx.website.krx.market.wrap"


def loaded_pykrx() -> Any:
    """The part of pykrx that is about shares."""
    try:
        with hidden("KRX_ID", "KRX_PW"), contextlib.redirect_stdout(io.StringIO()):
            stock = _imported("pykrx.stock")
    except ImportError as error:
        raise ProviderError(
            "the provider pykrx needs one more package; run pip install 'gotgan[krx]', or take "
            "pykrx out of GOTGAN_MARKET_PROVIDERS"
        ) from error
    for name in _TALKING:
        vars(_imported(name))["print"] = _unheard
    vars(_imported(_COUNTING))["np"] = _WideNumpy()
    return stock


def logged_in(name: str, password: Secret, settings: Settings) -> Any:
    """A session of pykrx that has logged in, and that it uses from now on; load it first."""
    auth, session = _imported(_AUTH), session_of(settings)
    auth.login_krx(name, password.reveal(), session)
    cookies = {cookie.name: {"value": cookie.value} for cookie in session.cookies}
    known = auth.KRXSession(session=session, is_authenticated=True, cookies=cookies)
    auth.set_auth_session(known)
    return known


def _imported(name: str) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of things that are its own business
        return importlib.import_module(name)


def _unheard(*_words: object, **_how: object) -> None:
    """Print nothing: what it says is a user's name, or an error that is told by us."""


class _WideNumpy:
    """numpy, in which 32 bits are 64: pykrx would keep volumes in them, which are larger."""

    int32 = np.int64

    def __getattr__(self, name: str) -> Any:
        return getattr(np, name)
