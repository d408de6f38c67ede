"""What the site can do: one place for all of its verbs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Annotated, Any, ClassVar, Final, Self, TypeVar
from zoneinfo import ZoneInfo

from pydantic import Field

from gotgan.clock import Clock, Zone, day_span
from gotgan.domain import ADOPTED, GO, Core, GateDecision, Service, SetupStep, skip
from gotgan.domains.site import messages, patterns
from gotgan.domains.site.adopt import ADOPT_EVERY, DEFAULT_ADOPT_RECORDS, SiteAdopted, adopt
from gotgan.domains.site.auth import Tokens, Users
from gotgan.domains.site.inquiries import Inquiries
from gotgan.domains.site.keys import SITE
from gotgan.domains.site.mail import Mails, MailsSent
from gotgan.domains.site.mail_text import parse_mailbox
from gotgan.domains.site.posts import Drafts, KeptPost, Posts, ensure_post
from gotgan.domains.site.resource import Resource, skip_bad_item
from gotgan.domains.site.resources import Banners, Categories, Company
from gotgan.domains.site.summary import SiteDay, site_day
from gotgan.domains.site.types import ENTRY_POINT_GROUP, Types, load_extensions
from gotgan.errors import BadItem, DeclarationError, UsageError
from gotgan.settings import Settings
from gotgan.store import Store
from gotgan.verbs import Progress, silent, verb

R = TypeVar("R", bound=Resource[Any, Any])

MAX_MAILS: Final = 10_000
MaxRecords = Annotated[int, Field(ge=1, le=1_000_000, description="Records to read in this run.")]
MailLimit = Annotated[int, Field(ge=1, le=100_000, description="Maximum number of mails to send.")]
_NO_MAILS: Final = skip("no_mails", messages.NO_MAILS())
_NO_MAIL_SERVER: Final = skip("no_mail_server", messages.NO_MAIL_SERVER())
_NO_COMPANY: Final = skip("no_company", messages.NO_COMPANY())
_NO_CATEGORY: Final = skip("no_category", messages.NO_CATEGORY())


class Site(Service):
    """The data of a company site: posts, banners, inquiries, users and tokens."""

    domain: ClassVar = "site"
    posts: Posts
    drafts: Drafts
    categories: Categories
    banners: Banners
    company: Company
    inquiries: Inquiries
    mails: Mails
    users: Users
    tokens: Tokens

    def __init__(self, store: Store, settings: Settings, *, real: Clock | None = None) -> None:
        """``real`` is what tokens expire by, where the store's clock is not the time of people."""
        from gotgan.domains.site.smtp import Postbox  # noqa: PLC0415 - it loads ssl

        self._store = store
        self._settings = settings
        postbox = None if settings.smtp is None else Postbox(settings.smtp, settings.mail_from)
        self.users = Users(store)
        self.tokens = Tokens(store if real is None else store.by(real))
        self.categories = Categories(store)
        self.posts = Posts(store, self.categories, self.users)
        self.drafts = Drafts(store, self.posts, self.users)
        self.banners = Banners(store)
        self.company = Company(store)
        self.mails = Mails(store, postbox)
        self.inquiries = Inquiries(
            store,
            self.mails,
            self.users,
            settings.secret(),
            language=settings.site_language,
            zone=ZoneInfo(settings.zone),
        )
        self.types = Types(store)
        vars(self).update({name: kind(store) for name, kind in self.extensions().items()})

    @classmethod
    def extensions(cls) -> Mapping[str, type[Resource[Any, Any]]]:
        """Types of other packages, by the names of their resources."""
        return load_extensions()

    def resource(self, kind: type[R]) -> R:
        """The resource of that class: ``site.resource(Events)`` is ``site.events``, typed."""
        for each in vars(self).values():
            if type(each) is kind:
                found: R = each
                return found
        raise DeclarationError(
            f"The site has no resource {kind.__name__}. Name it in the entry points of its "
            f'package, in the group "{ENTRY_POINT_GROUP}", and install the package.'
        )

    @classmethod
    def open(cls, core: Core) -> Self:
        """The service of an app."""
        return cls(core.store, core.settings, real=core.real)

    def is_to_adopt(self) -> GateDecision:
        """Whether records of other tools were not looked for lately."""
        return GO if self.is_adoption_due() else ADOPTED

    def has_mails(self) -> GateDecision:
        """Whether mails wait that can be sent."""
        if self._settings.smtp is None:
            return _NO_MAIL_SERVER
        return GO if self.mails.count_waiting(at_most=1) else _NO_MAILS

    def setup(self) -> Sequence[SetupStep]:
        """The setup steps."""
        try:
            company = self.company.look()
        except BadItem as bad:
            skip_bad_item(bad)
            company = None
        has_mailbox = company is not None and parse_mailbox(company.email or "") is not None
        return (
            SetupStep.of("site", "company", None if has_mailbox else _NO_COMPANY),
            SetupStep.of("site", "category", None if self.categories.list() else _NO_CATEGORY),
            SetupStep.of(
                "site",
                "mail_server",
                _NO_MAIL_SERVER if self._settings.smtp is None else None,
                is_needed=False,
                variables=("GOTGAN_SMTP_URL",),
            ),
        )

    def try_setup(self, step: str) -> bool:
        """Connect to the mail server, and log in there."""
        return step == "mail_server" and self.mails.try_server()

    def prepare(self) -> None:
        """Make the table where it is missing."""
        self._store.create(SITE)

    @verb(role="editor", kind="run")
    def adopt(
        self, *, max_records: MaxRecords = DEFAULT_ADOPT_RECORDS, progress: Progress = silent
    ) -> SiteAdopted:
        """Adopt records that other tools wrote.

        Afterwards posts and drafts can be found by ID, and slugs are kept unique. Missing
        attributes are added; nothing else changes. The next run continues where this one ended.
        """
        if max_records < 1:
            raise UsageError(messages.BAD_MAX_RECORDS(count=max_records))
        return adopt(self._store, at_most=max_records, on_step=lambda read: progress(read, 0, ""))

    @verb(role="editor", kind="run", path="mails/send")
    def send_mails(self, *, limit: MailLimit = MAX_MAILS, progress: Progress = silent) -> MailsSent:
        """Send the mails that are due.

        A mail that fails stays queued and is retried later.
        """
        return self.mails.send_due(limit=limit, progress=progress)

    def is_adoption_due(self) -> bool:
        """Whether ``adopt`` has not read all records within the last 20 hours."""
        place = self._store.get(patterns.adoption())
        if place is None or place.cursor is not None or place.finished_at is None:
            return True
        return self._store.clock.now() - place.finished_at >= ADOPT_EVERY

    def keep_post(self, post_id: str, **fields: Any) -> KeptPost:
        """Have a post of that id with these fields, written once and changed only where it must."""
        return ensure_post(self._store, post_id, **fields)

    def summary(self, day: date, zone: Zone) -> SiteDay:
        """What was published on a day, and how many wrote in."""
        return site_day(self._store, day_span(day, zone), self.mails.count_waiting())
