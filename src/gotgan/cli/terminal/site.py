"""Results of the site's verbs; records are shown as tables of some columns."""

from __future__ import annotations

from typing import Any, Final

from gotgan.cli.output import ExitCode, TextResult
from gotgan.cli.reader import rendered, tr
from gotgan.domains.site.adopt import SiteAdopted
from gotgan.domains.site.auth import IssuedToken
from gotgan.domains.site.mail import MailsSent
from gotgan.domains.site.models import Token, User
from gotgan.domains.site.resource import Resource
from gotgan.domains.site.service import Site
from gotgan.store.schema import schema_of

_MAX_FIELDS: Final = 4


def _columns(kind: type[Resource[Any, Any]]) -> tuple[str, ...]:
    """The columns of a type of another package: its first fields, and when it was created."""
    fields = [name for name in kind.fields if name != "id"][:_MAX_FIELDS]
    return ("id", *map(schema_of(kind.entity).attribute, fields), "CreatedAt")


COLUMNS: Final = {
    "banners": ("id", "title", "imgUri", "CreatedAt"),
    "categories": ("id", "slug", "order", "title", "CreatedAt"),
    "drafts": ("id", "categoryId", "title", "authorId", "UpdatedAt"),
    "inquiries": ("id", "status", "name", "subject", "notifiedEmail", "CreatedAt"),
    "mails": ("id", "status", "purpose", "to", "attempts", "dueAt", "lastError"),
    "posts": ("id", "categoryId", "title", "authorId", "CreatedAt"),
    "tokens": ("id", "userId", "role", "kind", "note", "lastUsedAt", "revokedAt"),
    "users": ("id", "displayName", "role", "CreatedAt"),
    **{name: _columns(kind) for name, kind in Site.extensions().items()},
}
"""What a list shows of each kind; ``--json`` shows all."""
CREATE: Final = {
    "banners": "gotgan site banners create --help",
    "categories": "gotgan site categories create --title TITLE",
    "drafts": "gotgan site drafts create --help",
    "posts": "gotgan site posts create --help",
    "tokens": "gotgan site tokens create --user-id ID --role ROLE",
    "users": "gotgan site users create --display-name NAME --role ROLE",
}
"""The command that creates a record of a kind; inquiries and mails come from visitors."""


def adopt(report: SiteAdopted) -> TextResult:
    """Counts, and what failed."""
    counts = tr(
        "read {count} records · added {pointers} pointers, {slugs} slugs",
        count=report.read,
        pointers=report.pointers,
        slugs=report.slugs,
    )
    lines = [counts]
    lines += [f"  {tr('failed')}  {rendered(each.message)}" for each in report.failed]
    if not report.is_complete:
        lines.append(tr("Not all records were read. Run it again to continue."))
    return "\n".join(lines), ExitCode.FAILED if report.failed else ExitCode.OK


def send_mails(report: MailsSent) -> TextResult:
    """Counts, and what keeps mails from being sent."""
    text = tr(
        "{sent} sent, {failed} failed and queued again.", sent=report.sent, failed=report.failed
    )
    if report.waiting:
        text += f" {rendered(report.waiting)}"
    return text, ExitCode.RETRY if report.failed or report.waiting else ExitCode.OK


def tokens_create(issued: IssuedToken) -> str:
    """The token alone, so that it can be piped."""
    return issued.text


def tokens_revoke(token: Token) -> str:
    """Which one it was."""
    return tr("The token {id} of {user} is revoked.", id=token.id, user=token.user_id)


def users_create(user: User) -> str:
    """Who it is now."""
    named = {"name": user.display_name, "role": user.role, "id": user.id}
    return tr("{name} is {role}, with the id {id}.", **named)
