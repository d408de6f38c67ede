"""What keeps mails from being sent at this moment, and what else needs somebody's attention."""

from __future__ import annotations

from dataclasses import dataclass

from gotgan.app import App
from gotgan.console.needs import Need
from gotgan.domains.site.letters import mailbox
from gotgan.domains.site.models import CorpInfo, Mail
from gotgan.domains.site.records import pass_over
from gotgan.errors import BadItem

__all__ = ["MailDelivery", "needs"]


@dataclass(frozen=True)
class MailDelivery:
    """Whether mails can go out as things are set; a server may still refuse them."""

    has_server: bool
    has_address: bool
    """Whether the company has an e-mail, where notices go."""
    has_sender: bool

    @classmethod
    def of(cls, app: App) -> MailDelivery:
        """How things are set now."""
        return cls.to(app, _company(app))

    @classmethod
    def to(cls, app: App, company: CorpInfo | None) -> MailDelivery:
        """How things are set for a company that was read already."""
        has_address = company is not None and mailbox(company.email or "") is not None
        settings = app.settings
        return cls(settings.smtp is not None, has_address, has_address or bool(settings.mail_from))

    def hindrance(self, mail: Mail | None) -> str | None:
        """The text that says what keeps a mail from being sent, where something does."""
        if mail is None or mail.status == "sent":
            return None
        if not self.has_server:
            return "site.hindrance.server"
        if mail.purpose == "notice" and not self.has_address:
            return "site.hindrance.address"
        return None if self.has_sender else "site.hindrance.sender"


def needs(app: App) -> list[Need]:
    """What needs attention, the cause before what follows from it."""
    delivery, waiting = MailDelivery.of(app), app.site.mails.count_waiting()
    told = [
        (waiting and not delivery.has_server, _need("server", "/site/company")),
        (not delivery.has_address, _need("address", "/site/company")),
        (waiting, _need("waiting", "/site/mails?show=waiting", waiting)),
    ]
    return [need for is_needed, need in told if is_needed]


def _need(word: str, path: str, count: int = 0) -> Need:
    return Need(f"site.need.{word}", f"site.need.{word}_link", path, count)


def _company(app: App) -> CorpInfo | None:
    try:
        return app.site.company.look(consistent=True)
    except BadItem as misfit:
        pass_over(misfit)
        return None
