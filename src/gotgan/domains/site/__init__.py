"""A company site's data behind an API."""

from __future__ import annotations

from typing import Final

from gotgan.domain import Command, Domain, Job

__all__ = ["DOMAIN"]

DOMAIN: Final = Domain(
    name="site",
    line="Manage the company site: content, users, tokens and mails.",
    service="gotgan.domains.site.service:Site",
    exports="gotgan.domains.site.exports",
    tables="gotgan.domains.site.patterns",
    section="gotgan.console.site",
    terminal="gotgan.cli.terminal.site",
    routes="gotgan.api.site",
    commands={
        "migrate": Command(
            "gotgan.cli.site",
            "Migrate old tables (one-off or incremental).",
            "migrate",
        ),
        "sign-in": Command("gotgan.cli.site", "Print a link that signs a user in.", "sign_in"),
        "template": Command(
            "gotgan.cli.site", "Write a deployment template for the site.", "template"
        ),
    },
    jobs=(
        Job(
            "site.adopt",
            "40 3 * * *",
            gate="site.is_to_adopt",
            words="Makes posts written by other tools findable by ID; reads up to 10,000 records "
            "a day.",
            at_start=True,
        ),
        Job(
            "site.send_mails",
            "* * * * *",
            gate="site.has_mails",
            words="Sends the mails that are due.",
            at_start=True,
        ),
    ),
)
