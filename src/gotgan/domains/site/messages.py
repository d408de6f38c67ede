"""Messages of the site; their Korean is in ``texts/ko/site.toml``."""

from __future__ import annotations

from typing import Final

from gotgan.messages import Template

NO_MAILS: Final = Template("site.no_mails", "no mail waits to be sent")
NO_MAIL_SERVER: Final = Template("site.no_mail_server", "mails stay queued; set GOTGAN_SMTP_URL")
NO_COMPANY: Final = Template(
    "site.no_company",
    "the company has no e-mail, so notices of inquiries go nowhere; write one in the console: "
    "/site/company",
)
NO_CATEGORY: Final = Template(
    "site.no_category", "posts need a category; make one in the console: /site/categories"
)
