"""Names and passwords that were not taken: written down where all processes see it, for a while.

An account is locked after too many wrong tries, so nobody tries the same ones again before that
while is over. What is written down is a keyed hash, of which no password can be had.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Final

from gotgan.errors import LoginRefused, PasswordExpired
from gotgan.settings import Secret, Settings
from gotgan.sql import Lease, Leases

__all__ = ["REFUSED", "RefusedLogins"]

REFUSED: Final = timedelta(hours=6)
"""How long a name and a password are not tried again."""

_DIGITS: Final = 32


class RefusedLogins:
    """Those of one host."""

    def __init__(self, leases: Leases, host: str, settings: Settings) -> None:
        self._leases = leases
        self._settings = settings
        self._prefix = f"breaker:login:{host}:"

    @contextmanager
    def remembered(self, name: str, password: Secret) -> Iterator[None]:
        """Log in within this: it refuses what was refused before, and remembers a refusal."""
        known = self._known(name, password)
        if known is not None:
            raise _told_again(known)
        try:
            yield
        except LoginRefused as refusal:
            owner = f"{refusal.code} {refusal.message}"
            self._leases.take(self._key(name, password), REFUSED, owner=owner)
            raise

    def _known(self, name: str, password: Secret) -> Lease | None:
        """The refusal; the secret is needed only where there is any."""
        refusals = self._leases.all_held(self._prefix)
        return next((each for each in refusals if each.key == self._key(name, password)), None)

    def _key(self, name: str, password: Secret) -> str:
        secret = self._settings.secret().reveal().encode()
        said = f"{self._prefix}\0{name}\0{password.reveal()}".encode()
        return self._prefix + hmac.new(secret, said, hashlib.sha256).hexdigest()[:_DIGITS]


def _told_again(refusal: Lease) -> LoginRefused:
    code, _, words = refusal.owner.partition(" ")
    kind = PasswordExpired if code == PasswordExpired.code else LoginRefused
    return kind(
        f"{words}; the same name and password are not tried again before "
        f"{refusal.until:%Y-%m-%d %H:%M} UTC"
    )
