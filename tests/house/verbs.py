"""Every verb of daily work that is not declared once, and what each front calls it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from gotgan.day.service import Days
from gotgan.domains.market.service import Market
from gotgan.domains.news.service import News
from gotgan.domains.shops.service import Shops
from gotgan.domains.site.service import Site
from gotgan.domains.videos.service import Videos
from gotgan.operations.service import Operations
from gotgan.search.service import Search
from gotgan.verbs import Verb as Bound
from gotgan.verbs import verbs_of
from tests.house.verb import Names, Verb, Without

__all__ = ["BOUND", "BUTTONS", "HOUSE", "NEWS", "OPS", "SITE", "VIDEOS", "words_of"]

_FILES: Final = Without("the list gives the same, page by page")
_LOCAL: Final = Without("it reads or writes files of the machine")
_WATCHED: Final = Without("a command waits for the end of what it has begun")
_ITS_OWN: Final = Without("what a job does is a verb, and stands above under its own name")
_ONE_PROCESS: Final = Without("only the process that serves knows it")


BOUND: Final = {
    each.id: each
    for service in (Shops, News, Market, Videos, Operations, Days, Search, Site)
    for each in verbs_of(service).values()
}
"""Verbs whose command and operation are derived from one declaration."""


def words_of(verb: Bound) -> str:
    """The words of its command; those of operations are not in a group."""
    if verb.domain == "operations":
        return verb.command
    return " ".join(filter(None, (verb.domain, verb.place, verb.command)))


def _bound(service: type, pages: dict[str, Names]) -> tuple[Verb, ...]:
    """The verbs of a service; only their pages are written by hand."""
    return tuple(
        Verb(
            each.id,
            _ONE_PROCESS if each.mark.is_remote else words_of(each),
            _LOCAL if each.mark.is_local else each.id.replace(".", "_"),
            pages[name],
        )
        for name, each in verbs_of(service).items()
    )


NEWS: Final = (
    *_bound(
        News,
        {
            "collect": "POST /news/collect",
            "upload": "POST /news/upload",
            "bodies": ("POST /news/bodies", "POST /news/bodies/retry"),
            "retry": "POST /news/item/retry",
            "queue": "GET /news/bodies",
            "list": "GET /news",
            "get": "GET /news/item",
            "poll": "POST /news/poll",
            "sources.add": "POST /news/sources/add",
            "sources.list": "GET /news/sources",
            "sources.get": "GET /news/sources",
            "sources.remove": "POST /news/sources/remove",
        },
    ),
    Verb("news.every", _FILES, _FILES, "GET /news.csv"),
)
VIDEOS: Final = (
    Verb("videos.import_files", "videos import", "import_videos", "POST /videos/import"),
    Verb(
        "videos.every_comment",
        Without("videos comments lists the same, some at a time"),
        Without("videos comments lists the same, some at a time"),
        "GET /videos/{video_id}/comments.csv",
    ),
    Verb(
        "videos.work",
        "videos work",
        Without("a server has workers of its own"),
        Without("a server has workers of its own"),
    ),
)
"""What is not derived from verbs: files, streams and workers."""
SITE: Final = (
    Verb(
        "site.inquiries.receive",
        Without("the public writes it"),
        "leave_message",
        Without("the public writes it, on the site"),
    ),
    Verb(
        "site.users.set_preferences",
        Without("users set how pages look where they see them"),
        "set_preferences",
        "POST /preferences",
    ),
)
"""What visitors do, and what everybody does for themselves."""
_COMPANY: Final = ("POST /site/company",)
_PEOPLE: Final = "/site/people"
_TOKENS: Final = f"{_PEOPLE}/{{user_id}}/tokens"
BUTTONS: Final = {
    "day.publish": ("POST /day/{day}/publish",),
    "news.sources.get": ("GET /news/sources",),
    "videos.analyse": ("POST /videos", "POST /videos/{video_id}/analyse"),
    "videos.delete": ("POST /videos/{video_id}/delete",),
    "site.adopt": ("POST /schedule/run",),
    "site.banners.get": ("GET /site/banners/{record_id}/edit",),
    "site.categories.get": ("GET /site/categories/{record_id}/edit",),
    "site.company.get": ("GET /site/company",),
    "site.company.update": _COMPANY,
    "site.company.replace": _COMPANY,
    "site.users.list": (f"GET {_PEOPLE}",),
    "site.users.get": (f"GET {_PEOPLE}/{{user_id}}",),
    "site.users.create": (f"POST {_PEOPLE}/new",),
    "site.users.update": (f"POST {_PEOPLE}/{{user_id}}",),
    "site.users.replace": (f"POST {_PEOPLE}/{{user_id}}",),
    "site.users.delete": (f"POST {_PEOPLE}/{{user_id}}/delete",),
    "site.tokens.create": (f"POST {_TOKENS}",),
    "site.tokens.revoke": (f"POST {_TOKENS}/{{token_id}}/revoke",),
}
"""The pages and buttons of derived verbs that are not at the derived address."""
OPS: Final = (
    *_bound(
        Operations,
        {
            "schedule": "GET /schedule",
            "ticks": "GET /schedule",
            "setup": "GET /setup",
            "settings": "GET /ops/settings",
            "events": "GET /ops/events",
            "costs": "GET /ops/costs",
            "export": Without("it writes files; pages offer lists as CSV"),
        },
    ),
    *_bound(
        Search,
        {
            "find": "GET /search",
            "refresh": "POST /search/refresh",
            "rebuild": "POST /search/rebuild",
        },
    ),
    Verb("verb", _ITS_OWN, _ITS_OWN, "POST /schedule/run"),
    Verb(
        Without("gotgan.backup.back_up needs no open app"),
        "backup",
        Without("it writes a file on the server's own disk"),
        "POST /schedule/run",
    ),
    Verb("runs.get", _WATCHED, "read_run", ("GET /news/runs", "GET /shops/runs")),
    Verb("runs.log", _WATCHED, "read_log", ("GET /news/runs", "GET /shops/runs")),
)


@dataclass(frozen=True)
class _House:
    """What is no daily work, and why it stands in one place alone."""

    commands: dict[str, str]
    routes: dict[str, str]


HOUSE: Final = _House(
    commands={
        "demo": "it begins a server of its own",
        "dynamodb": "it begins a server of its own",
        "mcp": "it starts a server of its own, which offers all verbs",
        "up": "it begins the server that has all the rest",
        "world": "it begins a server of its own",
        "restore": "it fills the data folder before anything is served",
        "tables browse": "the console has it under /tables; DynamoDB's own API is its API",
        "tables create": "whoever sets up does it, before anything is served",
        "tables dump": "it writes files",
        "tables export": "it writes files",
        "tables follow": "it runs until it is stopped; DynamoDB Streams' own API is its API",
        "tables list": "the console has it under /tables; DynamoDB's own API is its API",
        "tables load": "it reads files",
        "tables verify": "whoever sets up does it, before anything is served",
        "market adopt": "starting a server does the same",
        "site migrate": "whoever moves in does it once",
        "site sign-in": "it lets somebody in who is not in yet",
        "site template": "it writes a file, for whoever deploys",
    },
    routes={
        "submit_job": "the contract has its own route for videos.analyse",
        "follow_job": "the contract has its own route for videos.job",
        "check_health": "balancers ask it",
        "who_am_i": "programs ask it; a page tells it at its top",
        "list_types": "programs find out by it what there is",
        "list_items": "programs read by it what has no route of its own",
    },
)
