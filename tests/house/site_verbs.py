"""The verbs of the site: each kind of record is read, and most are written."""

from __future__ import annotations

from typing import Final

from tests.house.verb import Verb, Without

__all__ = ["SITE"]

_WRITTEN: Final = Without("what the public sees is written where it is seen before it goes out")


def _read(kind: str, one: str, *, listed: str = "", page: str = "") -> tuple[Verb, ...]:
    """The list of a kind, and one of it."""
    path, get = f"/site/{page or kind}", "find" if kind == "categories" else "get"
    every = "all" if kind == "categories" else "page"
    return (
        Verb(f"site.{kind}.{every}", "site list", listed or f"list_{kind}", f"GET {path}"),
        Verb(f"site.{kind}.{get}", "site show", f"read_{one}", f"GET {path}/{{{one}_id}}"),
    )


def _write(kind: str, one: str) -> tuple[Verb, ...]:
    """What is written by forms."""
    path = f"/site/{kind}"
    return (
        Verb(f"site.{kind}.create", _WRITTEN, f"create_{one}", f"POST {path}/new"),
        Verb(
            f"site.{kind}.update",
            _WRITTEN,
            (f"change_{one}", f"replace_{one}"),
            f"POST {path}/{{{one}_id}}/edit",
        ),
        Verb(f"site.{kind}.delete", _WRITTEN, f"delete_{one}", f"POST {path}/{{{one}_id}}/delete"),
    )


def _of_form(kind: str, one: str) -> tuple[Verb, ...]:
    """The same of a kind whose records are shown in their form."""
    first, second = _read(kind, one)
    shown = Verb(second.library, second.command, second.route, f"{second.page}/edit")
    return (first, shown, *_write(kind, one))


_PEOPLE: Final = "/site/people"
SITE: Final = (
    Verb("site.adopt", "site adopt", "adopt_site", "POST /schedule/run"),
    *_read("posts", "post"),
    *_write("posts", "post"),
    *_read("drafts", "draft"),
    *_write("drafts", "draft"),
    Verb("site.drafts.publish", _WRITTEN, "publish_draft", "POST /site/drafts/{draft_id}/publish"),
    *_of_form("categories", "category"),
    *_of_form("banners", "banner"),
    *_read("inquiries", "inquiry"),
    Verb(
        "site.inquiries.receive",
        Without("the public writes it"),
        "leave_message",
        Without("the public writes it, on the site"),
    ),
    Verb(
        "site.inquiries.reply",
        _WRITTEN,
        "reply_to_inquiry",
        "POST /site/inquiries/{inquiry_id}/reply",
    ),
    Verb(
        "site.inquiries.set_status",
        _WRITTEN,
        "set_inquiry_status",
        "POST /site/inquiries/{inquiry_id}/status",
    ),
    *_read("mails", "mail"),
    Verb("site.mails.send_due", "site send-mails", "send_mails", "POST /site/send-mails"),
    Verb("site.mails.retry", "site send-mails", "retry_mail", "POST /site/mails/{mail_id}/retry"),
    Verb("site.company.get", "site show", "read_company", "GET /site/company"),
    Verb(
        "site.company.write",
        _WRITTEN,
        ("write_company", "change_company"),
        "POST /site/company",
    ),
    *_read("users", "user", page="people"),
    Verb("site.users.create", "site user create", "create_user", f"POST {_PEOPLE}/new"),
    Verb(
        "site.users.change",
        _WRITTEN,
        ("change_user", "replace_user"),
        f"POST {_PEOPLE}/{{user_id}}",
    ),
    Verb(
        "site.users.set_preferences",
        Without("users set how pages look where they see them"),
        "set_preferences",
        "POST /preferences",
    ),
    Verb("site.users.remove", _WRITTEN, "delete_user", f"POST {_PEOPLE}/{{user_id}}/delete"),
    Verb("site.tokens.page", "site list", "list_tokens", "GET /site/tokens"),
    Verb(
        "site.tokens.issue",
        "site token create",
        "create_token",
        f"POST {_PEOPLE}/{{user_id}}/tokens",
    ),
    Verb(
        "site.tokens.revoke",
        "site token revoke",
        "revoke_token",
        f"POST {_PEOPLE}/{{user_id}}/tokens/{{token_id}}/revoke",
    ),
)
