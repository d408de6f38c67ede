"""What can be set from outside, read from the environment once and nowhere else.

Every field of ``Settings`` says its variable and what it is for; ``docs/settings.md`` is made of
these sentences.
"""

from __future__ import annotations

import contextlib
import difflib
import hmac
import os
import re
import secrets
import stat
from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from ipaddress import ip_network
from pathlib import Path
from typing import Any, Final, Literal, Self, TypeVar
from urllib.parse import urlsplit

from gotgan.errors import SettingsError

__all__ = ["PREFIX", "LogLevel", "Secret", "Settings", "Synchronous"]

PREFIX: Final = "GOTGAN_"
Synchronous = Literal["full", "normal"]
LogLevel = Literal["debug", "info", "warning", "error"]

_SHOPS_TABLE: Final = "aura-historia-data"
"""What the table of the shops is declared as; its document has a variable for its name."""
_SHORTEST_SECRET: Final = 32
_NAME: Final = re.compile(r"[A-Za-z0-9_.-]{3,255}")
_NAMED: Final = re.compile(rf"{_NAME.pattern}(:{_NAME.pattern})?")
_MAILBOX: Final = re.compile(r"[^@\s<>\"]+@[^@\s<>\"]+")
_CONTACT: Final = re.compile(r"(?=[!-~]{3,200}$)(https?://[^()<>\"]+|[^@()<>\"]+@[^@()<>\"]+)")
_HOST: Final = re.compile(r"\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*")
_PLACE: Final = re.compile(r"[a-z0-9._-]+|\[[0-9a-f:.]+\]")
_LONGEST_DELAY: Final = 3600
_HIGHEST_PORT: Final = 65535
_Word = TypeVar("_Word", bound=str)


class Secret:
    """A text that is shown only to those who ask for it by name."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """The text itself."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(hidden)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(self._text.encode(), other._text.encode())

    def __hash__(self) -> int:
        return hash((Secret, self._text))


def _one_of(*words: _Word) -> Callable[[str], _Word]:
    def parse(text: str) -> _Word:
        for word in words:
            if word == text.lower():
                return word
        raise ValueError(f"use one of {', '.join(words)}")

    return parse


def _database(text: str) -> str:
    """``embedded``, ``aws``, or the address of an endpoint and nothing more."""
    if text.lower() in {"embedded", "aws"}:
        return text.lower()
    address = urlsplit(text)
    if address.scheme not in {"http", "https"} or not address.hostname or address.port == 0:
        raise ValueError("use embedded, aws, or an endpoint such as http://127.0.0.1:8000")
    if address.path not in {"", "/"} or address.query or address.fragment or "@" in address.netloc:
        raise ValueError("an endpoint is a scheme, a host and a port; leave out the rest")
    return f"{address.scheme}://{address.netloc}"


def _names(text: str) -> Mapping[str, str]:
    """``declared=name`` pairs; an index is declared as ``table:index``."""
    pairs = [pair.strip().partition("=") for pair in text.split(",") if pair.strip()]
    for word, sign, name in pairs:
        if not (_NAMED.fullmatch(word) and _NAME.fullmatch(name)):
            raise ValueError(
                f"{word}{sign}{name} names nothing; use pairs such as FMWebAppTable=site-prod, or "
                "table:index=name, with names of 3 to 255 letters, digits, dots, hyphens and "
                "underscores"
            )
    names = {word: name for word, _, name in pairs}
    if len(names) < len(pairs):
        raise ValueError("something is named twice")
    return names


def _table(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("use 3 to 255 letters, digits, dots, hyphens and underscores")
    return text


def _smtp(text: str) -> Secret:
    """A mail server's address; secret as a whole, because a password may be in it."""
    address = urlsplit(text)
    try:
        port = address.port
    except ValueError:
        port = 0
    if address.scheme not in {"smtp", "smtps"} or not address.hostname or port == 0:
        raise ValueError("use smtp://user:password@host:587 or smtps://user:password@host:465")
    if address.path not in {"", "/"} or address.query or address.fragment:
        raise ValueError("leave out what follows the host and the port")
    return Secret(text)


def _address(text: str) -> str:
    if not _MAILBOX.fullmatch(text):
        raise ValueError("use an address such as site@example.com")
    return text


def _networks(text: str) -> tuple[str, ...]:
    given = [each.strip() for each in text.split(",") if each.strip()]
    return tuple(str(ip_network(each, strict=False)) for each in given)


def _origins(text: str) -> tuple[str, ...]:
    given = [each.strip().rstrip("/").lower() for each in text.split(",") if each.strip()]
    for each in given:
        address = urlsplit(each)
        if (
            address.scheme not in {"http", "https"}
            or each != f"{address.scheme}://{address.netloc}"
        ):
            raise ValueError("use origins such as https://www.example.com, separated by commas")
    return tuple(given)


def _contact(text: str) -> str:
    if not _CONTACT.fullmatch(text):
        raise ValueError(
            "use an address such as https://example.com/bot or bot@example.com, in plain letters"
        )
    return text


def _seconds(text: str) -> float:
    wrong = ValueError(f"use a number of seconds from 0 to {_LONGEST_DELAY}")
    try:
        seconds = float(text)
    except ValueError:
        raise wrong from None
    if not 0 <= seconds <= _LONGEST_DELAY:
        raise wrong
    return seconds


def _places(text: str) -> Mapping[str, str]:
    """``name=host:port`` pairs; a name may begin with ``*.``, and ``*`` is every name."""
    pairs = [pair.strip().lower().partition("=") for pair in text.split(",") if pair.strip()]
    for name, sign, place in pairs:
        host, _, port = place.rpartition(":")
        is_place = _PLACE.fullmatch(host) and port.isascii() and port.isdigit()
        if not (_HOST.fullmatch(name) and is_place):
            raise ValueError(
                f"{name}{sign}{place} leads nowhere; use pairs such as shop.test=127.0.0.1:8099"
            )
        if not 0 < int(port) <= _HIGHEST_PORT:
            raise ValueError(f"{port} is no port; use 1 to {_HIGHEST_PORT}")
    places = {name: place for name, _, place in pairs}
    if len(places) < len(pairs):
        raise ValueError("a host is named twice")
    return places


def _page(text: str) -> str:
    address = urlsplit(text)
    if address.scheme not in {"http", "https"} or not address.hostname or "@" in address.netloc:
        raise ValueError("use the address of a page, such as https://example.com/list")
    return text


def _secret(text: str) -> Secret:
    if len(text) < _SHORTEST_SECRET:
        raise ValueError(f"use at least {_SHORTEST_SECRET} characters")
    return Secret(text)


def _about(
    variable: str, sentence: str, parse: Callable[[str], Any], *, shown: str
) -> dict[str, Any]:
    return {"variable": variable, "sentence": sentence, "parse": parse, "shown": shown}


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, with its default."""

    data: Path = field(
        default=Path("gotgan-data"),
        metadata=_about(
            "GOTGAN_DATA",
            "The folder of all local files; made on first need.",
            Path,
            shown="./gotgan-data",
        ),
    )
    given_secret: Secret | None = field(
        default=None,
        metadata=_about(
            "GOTGAN_SECRET",
            "What signs and keys hashes, at least 32 characters. Without it one is made on first "
            "need and kept in the file `secret` of the data folder, which only its owner may read.",
            _secret,
            shown="made on first need",
        ),
    )
    synchronous: Synchronous = field(
        default="full",
        metadata=_about(
            "GOTGAN_SYNCHRONOUS",
            "How the embedded engine writes. `full` waits for the disk before it answers: an "
            "answered write survives a power cut. `normal` is faster and survives a killed "
            "process, but a power cut may take the last writes.",
            _one_of("full", "normal"),
            shown="full",
        ),
    )
    dynamodb: str = field(
        default="embedded",
        metadata=_about(
            "GOTGAN_DYNAMODB",
            "Where the tables are. `embedded` is the engine in this process, on the file "
            "`dynamodb.sqlite3` of the data folder. `aws` is DynamoDB, with region and credentials "
            "by AWS's own variables and files. A URL such as `http://127.0.0.1:8000` is whatever "
            "speaks DynamoDB's protocol there. The last two need `pip install 'gotgan[aws]'`.",
            _database,
            shown="embedded",
        ),
    )
    tables: Mapping[str, str] = field(
        default_factory=dict,
        metadata=_about(
            "GOTGAN_TABLES",
            "What tables and indexes are called where they live, when not as they are declared: "
            "`FMWebAppTable=site-prod,aura-historia-data:GSI2=CountryLastCrawledIndex`.",
            _names,
            shown="as declared",
        ),
    )
    shops_table: str = field(
        default=_SHOPS_TABLE,
        metadata=_about(
            "DYNAMODB_TABLE_NAME",
            "What the table of the shops is called where it lives; where `GOTGAN_TABLES` names it "
            "too, that holds.",
            _table,
            shown=_SHOPS_TABLE,
        ),
    )
    smtp: Secret | None = field(
        default=None,
        metadata=_about(
            "GOTGAN_SMTP_URL",
            "The server that takes mails: `smtp://user:password@host:587` (encrypted by STARTTLS "
            "where the server offers it, and always with a password) or `smtps://…:465`; SES is "
            "SMTP too. Without it mails stay queued.",
            _smtp,
            shown="none",
        ),
    )
    mail_from: str = field(
        default="",
        metadata=_about(
            "GOTGAN_MAIL_FROM",
            "The address that mails are sent from; unless it is set, the company's own.",
            _address,
            shown="the company's own",
        ),
    )
    trusted_proxies: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            "GOTGAN_TRUSTED_PROXIES",
            "Addresses and networks of the proxies in front of the server, such as "
            "`10.0.0.0/8,127.0.0.1`. A visitor's address and whether it came by https are believed "
            "from them alone; they must leave the header Host as it was.",
            _networks,
            shown="none",
        ),
    )
    origins: tuple[str, ...] = field(
        default=(),
        metadata=_about(
            "GOTGAN_ORIGINS",
            "The sites whose pages may call the API from a browser, such as "
            "`https://www.example.com,https://example.com`.",
            _origins,
            shown="none",
        ),
    )
    contact: str = field(
        default="",
        metadata=_about(
            "GOTGAN_CONTACT",
            "Where the owners of the sites that are fetched can reach you, an address of a page or "
            "a mailbox such as `bot@example.com`; it stands in the user agent. Set it before you "
            "fetch from anybody else's site.",
            _contact,
            shown="none",
        ),
    )
    delay: float = field(
        default=1.0,
        metadata=_about(
            "GOTGAN_DELAY",
            "How many seconds lie at least between two requests to the same host; a robots.txt can "
            "ask for more.",
            _seconds,
            shown="1",
        ),
    )
    resolve: Mapping[str, str] = field(
        default_factory=dict,
        metadata=_about(
            "GOTGAN_RESOLVE",
            "Names of hosts that are served from another place, by plain HTTP: "
            "`finance.yahoo.com=127.0.0.1:8099,*.shop.test=127.0.0.1:8099`, or `*=127.0.0.1:8099` "
            "for all of them. This is how `gotgan world` is reached.",
            _places,
            shown="none",
        ),
    )
    record: Path | None = field(
        default=None,
        metadata=_about(
            "GOTGAN_RECORD",
            "A folder in which every answer of the web is kept, to be replayed later.",
            Path,
            shown="none",
        ),
    )
    replay: Path | None = field(
        default=None,
        metadata=_about(
            "GOTGAN_REPLAY",
            "A folder of recorded answers that is asked instead of the web.",
            Path,
            shown="none",
        ),
    )
    news_list: str = field(
        default="https://finance.yahoo.com/topic/latest-news/",
        metadata=_about(
            "GOTGAN_NEWS_LIST",
            "The page that `gotgan news collect` reads.",
            _page,
            shown="https://finance.yahoo.com/topic/latest-news/",
        ),
    )
    news_rss: str = field(
        default="https://finance.yahoo.com/news/rssindex",
        metadata=_about(
            "GOTGAN_NEWS_RSS",
            "The feed that `gotgan news collect --rss` reads instead.",
            _page,
            shown="https://finance.yahoo.com/news/rssindex",
        ),
    )
    webhook: str = field(
        default="",
        metadata=_about(
            "GOTGAN_WEBHOOK", "Where changes of shops are posted to.", _page, shown="none"
        ),
    )
    webhook_secret: Secret | None = field(
        default=None,
        metadata=_about(
            "GOTGAN_WEBHOOK_SECRET",
            "What signs those posts, at least 32 characters; whoever listens must know it.",
            _secret,
            shown="none",
        ),
    )
    log: LogLevel = field(
        default="warning",
        metadata=_about(
            "GOTGAN_LOG",
            "From which level on events are written to standard error: `debug`, `info`, "
            "`warning` or `error`.",
            _one_of("debug", "info", "warning", "error"),
            shown="warning",
        ),
    )

    @classmethod
    def from_env(cls, environment: Mapping[str, str] | None = None) -> Self:
        """The settings that the environment gives; an empty variable counts as not set."""
        given = os.environ if environment is None else environment
        known = {item.metadata["variable"]: item for item in fields(cls)}
        ours = {name: text for name, text in given.items() if name.startswith(PREFIX) and text}
        _refuse_unknown(ours, [name for name in known if name.startswith(PREFIX)])
        found = {name: given[name] for name in known if given.get(name)}
        return cls(**{known[name].name: _read(known[name], text) for name, text in found.items()})

    def names(self) -> Mapping[str, str]:
        """What tables and indexes are called where they live, by their declared names."""
        is_other = self.shops_table != _SHOPS_TABLE
        return {**({_SHOPS_TABLE: self.shops_table} if is_other else {}), **self.tables}

    def dynamodb_file(self) -> Path:
        """The file of the embedded engine, in a data folder that is there."""
        return self.folder() / "dynamodb.sqlite3"

    def folder(self) -> Path:
        """The data folder, made if it is not there yet."""
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)  # it may hold what is private
        except OSError as error:
            raise SettingsError(
                f"the data folder {self.data} cannot be made ({error.strerror}); "
                "set GOTGAN_DATA to a folder that you can write"
            ) from error
        return self.data

    def secret(self) -> Secret:
        """The secret that was given, or the data folder's own, made if it is not there yet."""
        return self.given_secret or _kept_secret(self.folder() / "secret")


def _refuse_unknown(found: Mapping[str, str], known: list[str]) -> None:
    for name in sorted(set(found) - set(known)):
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
        hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(sorted(known))}"
        raise SettingsError(f"{name} is not a setting; {hint}")


def _read(item: Field[Any], text: str) -> Any:
    try:
        return item.metadata["parse"](text)
    except ValueError as error:
        # The value is not repeated: it may be a secret.
        raise SettingsError(f"{item.metadata['variable']} cannot be used: {error}") from None


def _kept_secret(path: Path) -> Secret:
    try:
        if not path.exists():
            _make_secret(path)
        _refuse_open_to_others(path)
        return _secret(path.read_text(encoding="ascii").strip())
    except OSError as error:
        raise SettingsError(
            f"the secret in {path} cannot be made or read ({error.strerror}); "
            "make its folder writable, or set GOTGAN_SECRET"
        ) from error
    except ValueError:
        raise SettingsError(
            f"{path} does not hold a usable secret; restore it, or remove it to have a new one made"
        ) from None


def _make_secret(path: Path) -> None:
    """Write a draft in full and link it into place: of two makers one wins, both read the same."""
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(32) + "\n")
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(draft, path)
    finally:
        draft.unlink()


def _refuse_open_to_others(path: Path) -> None:
    if os.name == "posix" and stat.S_IMODE(path.stat().st_mode) & 0o077:
        raise SettingsError(f"{path} can be read by others; run chmod 600 on it")
