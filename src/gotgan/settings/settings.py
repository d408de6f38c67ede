"""What can be set: in ``gotgan.toml`` in the data folder, or by environment variables.

Every field of ``Settings`` says its variable and what it is for; ``docs/settings.md`` is made of
these sentences.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import Field, dataclass, field, fields
from pathlib import Path
from typing import Any, Final, Literal, Self, TypeVar

from gotgan.errors import SettingsError
from gotgan.messages import Message
from gotgan.messages import text as foreign
from gotgan.settings import messages, parsers
from gotgan.settings.file import CONFIG_FILE, PREFIX, file_key, key_place, read_config
from gotgan.settings.parsers import Ttl, parse_ttl
from gotgan.settings.secret import Secret, file_secret, parse_secret, refuse_open_to_others
from gotgan.texts import Language

DYNAMODB_FILE: Final = "dynamodb.sqlite3"
SQLITE_FILE: Final = "gotgan.sqlite3"
SECRET_FILE: Final = "secret"  # noqa: S105 - the name of a file
RESTORING_FOLDER: Final = ".restoring"
"""The working folder of a restore; while it is there, the files beside it may be incomplete."""
Synchronous = Literal["full", "normal"]
LogLevel = Literal["debug", "info", "warning", "error"]
Analyser = Literal["builtin", "gemini", "openai"]

T = TypeVar("T")
_SHOPS_TABLE: Final = "aura-historia-data"
"""What the table of the shops is declared as; its document has a variable for its name."""


def _setting(
    default: T,
    variable: str,
    sentence: str,
    parse: Callable[[str], Any],
    *,
    shown: str | None = None,
) -> T:
    """A field with its default, its variable, what it is for, and how its text is parsed.

    ``shown`` is the default as people read it, where that is not its text.
    """
    text = ",".join(default) if isinstance(default, tuple) else f"{default or ''}"
    about = {
        "variable": variable,
        "sentence": sentence,
        "parse": parse,
        "shown": shown or text or messages.NONE(),
    }
    is_mutable = isinstance(default, dict)
    made = {"default_factory": lambda: default} if is_mutable else {"default": default}
    setting: T = field(**made, metadata=about)
    return setting


@dataclass(frozen=True)
class Settings:
    """Everything that can be set, with its default."""

    data: Path = _setting(
        Path("gotgan-data"),
        "GOTGAN_DATA",
        "Folder for all local files. Created when first needed.",
        parsers.file_path,
        shown="./gotgan-data",
    )
    given_secret: Secret | None = _setting(
        None,
        "GOTGAN_SECRET",
        "Secret for signatures and keyed hashes, at least 32 characters. Without it, a secret is "
        "created when first needed and stored in the file `secret` of the data folder, readable "
        "only by its owner.",
        parse_secret,
        shown=messages.CREATED_WHEN_NEEDED(),
    )
    synchronous: Synchronous = _setting(
        "full",
        "GOTGAN_SYNCHRONOUS",
        "When the embedded engine confirms a write. `full` waits for the disk, so confirmed "
        "writes survive a power failure. `normal` is faster and survives a killed process, but a "
        "power failure can lose the last writes.",
        parsers.one_of("full", "normal"),
    )
    dynamodb: str = _setting(
        "embedded",
        "GOTGAN_DYNAMODB",
        "Database of the tables. `embedded` is the built-in engine, which stores them in "
        "`dynamodb.sqlite3` in the data folder. `aws` is DynamoDB, with the region and "
        "credentials from AWS's usual variables and files. A URL such as `http://127.0.0.1:8000` "
        "is a DynamoDB-compatible server. The last two need `pip install 'gotgan[aws]'`.",
        parsers.dynamodb,
    )
    tables: Mapping[str, str] = _setting(
        {},
        "GOTGAN_TABLES",
        "Names of tables and indexes in the database, if they differ from the declared ones: "
        "`FMWebAppTable=site-prod,aura-historia-data:GSI2=CountryLastCrawledIndex`.",
        parsers.names,
        shown=messages.AS_DECLARED(),
    )
    shops_table: str = _setting(
        _SHOPS_TABLE,
        "DYNAMODB_TABLE_NAME",
        "Name of the shops table in the database. A name in `GOTGAN_TABLES` takes precedence.",
        parsers.table,
        shown=_SHOPS_TABLE,
    )
    smtp: Secret | None = _setting(
        None,
        "GOTGAN_SMTP_URL",
        "Mail server: `smtp://user:password@host:587` (uses STARTTLS if the server offers it; "
        "required with a password) or `smtps://…:465`. Amazon SES works over SMTP. Without it, "
        "mails stay queued.",
        parsers.smtp,
    )
    mail_from: str = _setting(
        "",
        "GOTGAN_MAIL_FROM",
        "Sender address of mails. Default: the address of the company.",
        parsers.mailbox,
        shown=messages.COMPANY_ADDRESS(),
    )
    trusted_proxies: tuple[str, ...] = _setting(
        (),
        "GOTGAN_TRUSTED_PROXIES",
        "Addresses and networks of the proxies in front of the server, such as "
        "`10.0.0.0/8,127.0.0.1`. Only these proxies are trusted to report the visitor's address "
        "and whether the request used HTTPS. They must not change the Host header.",
        parsers.networks,
    )
    hosts: tuple[str, ...] = _setting(
        (),
        "GOTGAN_HOSTS",
        "Host names of the server besides `localhost`, IP addresses and the machine's name, such "
        "as `gotgan.example.com,*.internal`. `*` allows all. Requests for other names are "
        "refused, except through a trusted proxy while this is not set.",
        parsers.hosts,
    )
    origins: tuple[str, ...] = _setting(
        (),
        "GOTGAN_ORIGINS",
        "Origins whose pages may call the API from a browser (CORS), such as "
        "`https://www.example.com,https://example.com`.",
        parsers.origins,
    )
    mcp_token: Secret | None = _setting(
        None,
        "GOTGAN_MCP_TOKEN",
        "Token for `gotgan mcp` over standard input and output; its role applies. Without it, "
        "access is read-only (viewer).",
        Secret,
    )
    contact: str = _setting(
        "",
        "GOTGAN_CONTACT",
        "Contact address for the owners of the sites you fetch: a URL or an email address such as "
        "`bot@example.com`. It is sent in the user agent. Set it before you fetch from other "
        "people's sites.",
        parsers.contact,
    )
    delay: float = _setting(
        1.0,
        "GOTGAN_DELAY",
        "Minimum number of seconds between two requests to the same host. A robots.txt can ask "
        "for more.",
        parsers.seconds,
        shown="1",
    )
    resolve: Mapping[str, str] = _setting(
        {},
        "GOTGAN_RESOLVE",
        "Hosts to fetch from another address over plain HTTP: "
        "`finance.yahoo.com=127.0.0.1:8099,*.shop.test=127.0.0.1:8099`, or `*=127.0.0.1:8099` for "
        "all. Use it to fetch from `gotgan world`.",
        parsers.places,
    )
    record: Path | None = _setting(
        None,
        "GOTGAN_RECORD",
        "Folder in which every response from the web is recorded, for replay.",
        parsers.file_path,
    )
    replay: Path | None = _setting(
        None,
        "GOTGAN_REPLAY",
        "Folder of recorded responses to use instead of the web.",
        parsers.file_path,
    )
    news_list: str = _setting(
        "https://finance.yahoo.com/topic/latest-news/",
        "GOTGAN_NEWS_LIST",
        "List page that `gotgan news collect` reads.",
        parsers.page,
    )
    news_rss: str = _setting(
        "https://finance.yahoo.com/news/rssindex",
        "GOTGAN_NEWS_RSS",
        "RSS feed that `gotgan news collect --rss` reads.",
        parsers.page,
    )
    webhook: str = _setting(
        "", "GOTGAN_WEBHOOK", "URL of the webhook that receives changes of shops.", parsers.page
    )
    webhook_secret: Secret | None = _setting(
        None,
        "GOTGAN_WEBHOOK_SECRET",
        "Secret that signs webhook requests, at least 32 characters. The receiver needs it to "
        "verify them.",
        parse_secret,
    )
    database: Secret | None = _setting(
        None,
        "GOTGAN_DATABASE",
        "Database of prices, logs and leases. `sqlite` is the file `gotgan.sqlite3` in the data "
        "folder. `postgresql://user:password@host/name` needs `pip install 'gotgan[postgres]'`.",
        parsers.database,
        shown="sqlite",
    )
    timestamp_zone: str = _setting(
        "UTC",
        "GOTGAN_TIMESTAMP_ZONE",
        "Time zone of `TIMESTAMP` columns in the tables of market and videos, for tables that "
        "another program created and writes in local time, such as `Asia/Seoul`. Gotgan reads and "
        "writes these columns in this zone. Set it before the first start.",
        parsers.zone,
    )
    zone: str = _setting(
        "Asia/Seoul",
        "GOTGAN_ZONE",
        "Time zone of the schedule, the market's today, published days, days and times without a "
        "zone in commands and the API, times that commands print, and pages if neither the "
        "account nor the browser sets one. Days are in UTC, New York or Seoul; with any other "
        "zone, they are days in Seoul.",
        parsers.zone,
    )
    language: Language | None = _setting(
        None,
        "GOTGAN_LANGUAGE",
        "Language of commands: `ko` or `en`. Default: that of the locale (`LC_ALL`, `LC_MESSAGES` "
        "or `LANG`), which is Korean for `ko_KR.UTF-8` and English otherwise. JSON is the same in "
        "both.",
        parsers.one_of("ko", "en"),
        shown=messages.OF_THE_LOCALE(),
    )
    site_language: Language = _setting(
        "ko",
        "GOTGAN_SITE_LANGUAGE",
        "Language of published days and of mail notices of inquiries: `ko` or `en`.",
        parsers.one_of("ko", "en"),
    )
    markets: tuple[str, ...] = _setting(
        ("KOSPI", "KOSDAQ"),
        "GOTGAN_MARKETS",
        "Markets whose share prices are collected: KOSPI, KOSDAQ, KONEX, separated by commas.",
        parsers.some_of("KOSPI", "KOSDAQ", "KONEX"),
    )
    indices: tuple[str, ...] = _setting(
        ("KOSPI", "KOSDAQ"),
        "GOTGAN_INDICES",
        "Indices to collect, independent of the markets: KOSPI (1001), KOSDAQ (2001), separated "
        "by commas.",
        parsers.some_of("KOSPI", "KOSDAQ"),
    )
    market_providers: tuple[str, ...] = _setting(
        ("krx",),
        "GOTGAN_MARKET_PROVIDERS",
        "Price providers, in order of preference: the next one is used if the one before is "
        "blocked or fails. Available: `krx`, `pykrx` (needs `pip install 'gotgan[krx]'`) and "
        "`csv`.",
        parsers.some_of("krx", "pykrx", "csv"),
    )
    krx: str = _setting(
        "https://data.krx.co.kr",
        "GOTGAN_KRX",
        "URL of KRX.",
        parsers.page,
    )
    krx_id: str = _setting("", "KRX_ID", "User name at KRX. An account is free.", str)
    krx_password: Secret | None = _setting(
        None,
        "KRX_PW",
        "Password at KRX.",
        Secret,
    )
    market_csv: Path | None = _setting(
        None,
        "GOTGAN_MARKET_CSV",
        "Folder with the files of the provider `csv`: prices and indices by day.",
        parsers.file_path,
    )
    analyser: Analyser = _setting(
        "builtin",
        "GOTGAN_ANALYSER",
        "Default analyser of comments. `builtin` needs no setup, `gemini` needs `pip install "
        "'gotgan[gemini]'` and a key, `openai` is any OpenAI-compatible server, such as Ollama or "
        "llama.cpp.",
        parsers.one_of("builtin", "gemini", "openai"),
    )
    analysis_ttl: Ttl = _setting(
        Ttl(),
        "GOTGAN_ANALYSIS_TTL",
        "How long analyses are reused, if shorter than a day: hours and a reason, such as `6h: "
        "YouTube is unreliable this week`. The reason is stored with each analysis.",
        parse_ttl,
        shown="24h",
    )
    youtube: str = _setting(
        "https://www.googleapis.com/youtube/v3",
        "GOTGAN_YOUTUBE",
        "URL of the YouTube Data API.",
        parsers.page,
    )
    youtube_key: Secret | None = _setting(
        None,
        "YOUTUBE_API_KEY",
        "Key for the YouTube Data API. Without it, videos come from imported files.",
        Secret,
    )
    youtube_quota: int = _setting(
        10_000,
        "GOTGAN_YOUTUBE_QUOTA",
        "Units that this key may use per day.",
        parsers.whole_number,
    )
    gemini: str = _setting(
        "https://generativelanguage.googleapis.com",
        "GOTGAN_GEMINI",
        "URL of Gemini.",
        parsers.page,
    )
    gemini_key: Secret | None = _setting(
        None,
        "GEMINI_API_KEY",
        "Key for Gemini.",
        Secret,
    )
    gemini_model: str = _setting(
        "gemini-2.5-flash",
        "GOTGAN_GEMINI_MODEL",
        "Gemini model.",
        str,
    )
    openai: str = _setting(
        "http://127.0.0.1:11434/v1",
        "GOTGAN_OPENAI",
        "URL of an OpenAI-compatible server. The default is Ollama.",
        parsers.page,
    )
    openai_key: Secret | None = _setting(
        None, "OPENAI_API_KEY", "Key for that server, if it needs one.", Secret
    )
    openai_model: str = _setting(
        "llama3.1",
        "GOTGAN_OPENAI_MODEL",
        "Model on that server.",
        str,
    )
    backup: Path | None = _setting(
        None,
        "GOTGAN_BACKUP",
        "Folder for daily backups of the data folder. Use a separate folder for each data folder, "
        "on another disk. Without it, no backups are scheduled.",
        parsers.file_path,
    )
    backup_keep: int = _setting(
        7,
        "GOTGAN_BACKUP_KEEP",
        "Number of backups to keep in that folder. Older ones are deleted.",
        parsers.whole_number,
    )
    log: LogLevel = _setting(
        "warning",
        "GOTGAN_LOG",
        "Minimum level of events that are written to standard error: `debug`, `info`, `warning` "
        "or `error`.",
        parsers.one_of("debug", "info", "warning", "error"),
    )

    @classmethod
    def from_env(cls, environment: Mapping[str, str] | None = None) -> Self:
        """The settings of the environment and, where it has none, of the data folder's file.

        An empty variable counts as not set.
        """
        given = environment_variables(environment)
        known = {item.metadata["variable"]: item for item in fields(cls)}
        ours = {name: text for name, text in given.items() if name.startswith(PREFIX) and text}
        _refuse_unknown(ours, [name for name in known if name.startswith(PREFIX)])
        found = {name: given[name] for name in known if given.get(name)}
        path = data_folder(given) / CONFIG_FILE
        saved = {
            known[name].name: _read(known[name], text, path)
            for name, text in config_of(given).items()
        }
        if any(isinstance(each, Secret) for each in saved.values()):
            refuse_open_to_others(path)
        values = {known[name].name: _read(known[name], text) for name, text in found.items()}
        return cls(**{**saved, **values})

    def names(self) -> Mapping[str, str]:
        """What tables and indexes are called where they live, by their declared names."""
        is_other = self.shops_table != _SHOPS_TABLE
        return {**({_SHOPS_TABLE: self.shops_table} if is_other else {}), **self.tables}

    def dynamodb_file(self) -> Path:
        """The file of the embedded engine, in a data folder that is there."""
        return self.folder() / DYNAMODB_FILE

    def sqlite_file(self) -> Path:
        """The file of the relational side where no server is named, in a folder that is there."""
        return self.folder() / SQLITE_FILE

    def folder(self) -> Path:
        """The data folder, made if it is not there yet."""
        try:
            self.data.mkdir(mode=0o700, parents=True, exist_ok=True)  # it may hold what is private
        except OSError as error:
            raise SettingsError(
                messages.NO_DATA_FOLDER(path=self.data, cause=foreign(str(error.strerror)))
            ) from error
        if (self.data / RESTORING_FOLDER).exists():
            raise SettingsError(messages.RESTORING(path=self.data))
        return self.data

    def secret(self) -> Secret:
        """The secret that was given, or the data folder's own, made if it is not there yet."""
        return self.given_secret or file_secret(self.folder() / SECRET_FILE)


def environment_variables(given: Mapping[str, str] | None = None) -> Mapping[str, str]:
    """The variables that are given, or those of this process."""
    return os.environ if given is None else given


def data_folder(given: Mapping[str, str]) -> Path:
    """The data folder that the environment names."""
    return parsers.file_path(given.get("GOTGAN_DATA") or str(Settings.data))


def config_of(given: Mapping[str, str]) -> Mapping[str, str]:
    """The variables that the file in the data folder of an environment sets, with their texts."""
    return read_config(data_folder(given), [each.metadata["variable"] for each in fields(Settings)])


@contextmanager
def hidden_variables(*variables: str) -> Iterator[None]:
    """Take variables away for a moment: from a library that acts on them as soon as it loads."""
    kept = {name: os.environ.pop(name) for name in variables if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(kept)


def _refuse_unknown(found: Mapping[str, str], known: list[str]) -> None:
    for name in sorted(set(found) - set(known)):
        near = difflib.get_close_matches(name, known, n=1, cutoff=0.8)
        if near:
            raise SettingsError(messages.UNKNOWN_BUT_NEAR(variable=name, near=near[0]))
        raise SettingsError(messages.UNKNOWN(variable=name, known=sorted(known)))


def _read(item: Field[Any], text: str, path: Path | None = None) -> Any:
    """The value of a text, which is in the file if there is a path."""
    about = item.metadata
    try:
        return about["parse"](text)
    except ValueError as error:
        # Neither the value nor Python's own words, which can repeat it: it may be a secret.
        (advice,) = error.args[:1] or ("",)
        if not isinstance(advice, Message):
            advice = messages.SEE_DOCS()
        name = variable = about["variable"]
        if path is not None:
            key = file_key(variable)
            name = f"{key_place(path, key)}: {key}"
        raise SettingsError(messages.INVALID(variable=name, advice=advice)) from None
