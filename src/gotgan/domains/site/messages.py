"""Messages of the site; their Korean is in ``texts/ko/site.toml``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from gotgan.messages import Message, Template, text

# Words inside other messages

_ROLES: Final[Mapping[str, Template]] = {
    role: Template(f"site.role_{role}", role) for role in ("viewer", "editor", "admin")
}
_KINDS: Final[Mapping[str, Template]] = {
    "Banner": Template("site.kind_banner", "banner"),
    "Category": Template("site.kind_category", "category"),
    "ContactInquiry": Template("site.kind_inquiry", "inquiry"),
    "CorpInfo": Template("site.kind_company", "company"),
    "Draft": Template("site.kind_draft", "draft"),
    "Mail": Template("site.kind_mail", "mail"),
    "Post": Template("site.kind_post", "post"),
    "Token": Template("site.kind_token", "token"),
    "User": Template("site.kind_user", "user"),
}


def role_word(role: str) -> Message:
    """A role, to be named inside another message."""
    return _ROLES[role]()


def kind_word(entity: type) -> Message:
    """What a record of an entity is called inside another message."""
    template = _KINDS.get(entity.__name__)
    return text(entity.__name__) if template is None else template()


# What there is to do

NO_MAILS: Final = Template("site.no_mails", "No mail is waiting to be sent.")
NO_MAIL_SERVER: Final = Template(
    "site.no_mail_server", "Mails stay queued until you set GOTGAN_SMTP_URL."
)
NO_COMPANY: Final = Template(
    "site.no_company",
    "The company has no email address, so notices of inquiries cannot be sent. Enter one in the "
    "console: /site/company",
)
NO_CATEGORY: Final = Template(
    "site.no_category", "Posts need a category. Create one in the console: /site/categories"
)

# Records

NOT_FOUND: Final = Template("site.not_found", "There is no {what} with this ID.")
NOT_ADOPTED: Final = Template(
    "site.not_adopted",
    "There is no {what} with this ID. If another tool wrote it, adopt its records first.",
)
DATABASE_BUSY: Final = Template(
    "site.database_busy", "The database is too busy to read all of this. Try again."
)
CHANGED: Final = Template(
    "site.changed",
    "This {what} has version {current}, but the change is for version {expected}. Read it again "
    "and repeat the change.",
)
EXPIRED: Final = Template(
    "site.expired",
    "This expiry time has already passed. Choose a later time, or delete the record.",
)
ID_TAKEN: Final = Template(
    "site.id_taken", "The ID {id} is taken by another {what}. Choose another ID."
)
UNKNOWN_FIELD: Final = Template(
    "site.unknown_field", "The {what} has no field {field}. Use {known:list}."
)
MISSING_FIELDS: Final = Template("site.missing_fields", "The {what} needs {fields}.")
BAD_FIELDS: Final = Template(
    "site.bad_fields", "The {what} cannot be created: {problems:sentences}."
)
BAD_FIELD: Final = Template("site.bad_field", "{field}: {cause}")
NO_TYPE: Final = Template("site.no_type", "There is no type {type}. Types: {known:list}.")
BAD_MAX_RECORDS: Final = Template(
    "site.bad_max_records", "max_records is {count}. Use a number of records, 1 or more."
)

# Articles and categories

CONSISTENT_NEEDS_CATEGORY: Final = Template(
    "site.consistent_needs_category",
    "Only the posts of one category can be read consistently. Name a category.",
)
OTHER_AUTHOR: Final = Template(
    "site.other_author",
    "Only an admin can name another author ({author}). Leave the author out to write as {user}.",
)
CATEGORY_MISSING: Final = Template(
    "site.category_missing", "There is no category with this ID. Create it first."
)
NO_SUCH_CATEGORY: Final = Template(
    "site.no_such_category", "There is no category with this ID or slug."
)
CATEGORY_HAS_POSTS: Final = Template(
    "site.category_has_posts", "This category has posts or drafts. Move or delete them first."
)
SLUG_FIXED: Final = Template(
    "site.slug_fixed",
    "The slug of this category stays {slug}, because addresses contain it. Create another "
    "category and move the posts.",
)
SLUG_TAKEN: Final = Template(
    "site.slug_taken", "Another category has the slug or ID {slug}. Choose another slug."
)
ID_IS_SLUG: Final = Template(
    "site.id_is_slug", "Another category has the slug {id}. Choose another ID."
)

# The company

COMPANY_MISSING: Final = Template(
    "site.company_missing",
    "The company has not been entered yet. An admin must enter it first.",
)
COMPANY_IS_NEW: Final = Template(
    "site.company_is_new", "The company has not been entered yet. Leave out the version."
)
COMPANY_EXISTS: Final = Template(
    "site.company_exists",
    "The company has already been entered. Read it again and repeat the change.",
)
COMPANY_NEEDS_VERSION: Final = Template(
    "site.company_needs_version",
    "The company has already been entered. Say which version you replace.",
)
BAD_ATTRIBUTE: Final = Template("site.bad_attribute", "Additional attribute {name}: {problem}.")
TOO_MANY_ATTRIBUTES: Final = Template(
    "site.too_many_attributes",
    "The company has at most {count:additional attribute|additional attributes}. Remove some "
    "first.",
)

# Users and tokens

NO_ADMIN: Final = Template("site.no_admin", "There is no admin. Create one first.")
OWN_ROLE: Final = Template("site.own_role", "You cannot lower your own role. Ask another admin.")
OWN_ACCOUNT: Final = Template(
    "site.own_account", "You cannot delete your own account. Ask another admin."
)
UNKNOWN_PREFERENCE: Final = Template(
    "site.unknown_preference", "There is no preference {name}. Use zone or language."
)
UNKNOWN_ZONE: Final = Template("site.unknown_zone", "Unknown time zone {zone}: {cause}.")
UNKNOWN_LANGUAGE: Final = Template(
    "site.unknown_language", "Unknown language {language}. Use en or ko."
)
TOKEN_ROLE: Final = Template(
    "site.token_role",
    "A token's role cannot exceed its user's. The role of {user} is {role}; choose it or a "
    "lower one.",
)
BAD_TOKEN: Final = Template(
    "site.bad_token", "This token is wrong, expired or revoked. Ask for a new one."
)
TOKEN_NOT_READ: Final = Template(
    "site.token_not_read", "The database is too busy to check this token. Try again."
)
LINK_USED: Final = Template(
    "site.link_used", "This sign-in link was already used or has expired. Ask for a new one."
)

# Inquiries

TOO_MANY_MESSAGES: Final = Template(
    "site.too_many_messages",
    "Too many messages came from this address. Try again in {seconds:second|seconds}.",
)
NOT_AN_EMAIL: Final = Template(
    "site.not_an_email", "This is not an email address. Use one such as name@example.com."
)
NO_VISITOR_ADDRESS: Final = Template(
    "site.no_visitor_address",
    "The visitor left no address that a mail can be sent to. Reply in another way.",
)
INQUIRY_FULL: Final = Template(
    "site.inquiry_full", "This inquiry cannot hold more replies. Continue by mail."
)

# Notices of inquiries, in the language of the site

NOTICE_TITLE: Final = Template("site.notice_title", "[Inquiry] {subject}")
NOTICE_FIELDS: Final[Mapping[str, Template]] = {
    field: Template(f"site.inquiry_{field}", f"{label}: {{value}}")
    for field, label in {
        "name": "Name",
        "email": "Email",
        "company": "Company",
        "title": "Title",
        "referral": "Referral",
        "subject": "Subject",
        "id": "ID",
    }.items()
}
"""By the field of the inquiry."""
NOTICE_RECEIVED: Final = Template("site.inquiry_received", "Received: {at:datetime}")

# Mails

NO_SERVER: Final = Template(
    "site.no_server", "No mail server is configured, so all mails wait. Set GOTGAN_SMTP_URL."
)
MAIL_SENT: Final = Template("site.mail_sent", "This mail was already sent. Write a new one.")
MAIL_SENDING: Final = Template(
    "site.mail_sending",
    "This mail is being sent at this moment. If that fails, it is retried automatically.",
)
COMPANY_UNREADABLE: Final = Template(
    "site.company_unreadable", "Could not read the company's email address: {cause}"
)
NO_COMPANY_ADDRESS: Final = Template(
    "site.no_company_address",
    "The company has no email address, or more than one. An admin must enter one first.",
)
NO_SENDER: Final = Template(
    "site.no_sender",
    "There is no address to send from. Set GOTGAN_MAIL_FROM, or enter the company's email address.",
)
SERVER_CLOSED: Final = Template(
    "site.server_closed",
    "The mail server {server} closed the connection before it had the mail ({cause}). The mail "
    "is sent again automatically.",
)
SERVER_LOGIN: Final = Template(
    "site.server_login",
    "The mail server {server} rejected the user name or password ({status}). Check "
    "GOTGAN_SMTP_URL.",
)
SERVER_CERTIFICATE: Final = Template(
    "site.server_certificate",
    "The certificate of the mail server {server} cannot be trusted ({cause}). Use the host name "
    "in the certificate, or replace the certificate.",
)
SERVER_UNREACHABLE: Final = Template(
    "site.server_unreachable",
    "Could not connect to the mail server {server} ({cause}). Check GOTGAN_SMTP_URL and whether "
    "the server is running.",
)
SERVER_UNENCRYPTED: Final = Template(
    "site.server_unencrypted",
    "The mail server {server} does not offer encryption, and a password is not sent without it. "
    "Use smtps:// or another port in GOTGAN_SMTP_URL.",
)
SERVER_WITHOUT_LOGIN: Final = Template(
    "site.server_without_login",
    "The mail server {server} does not accept a user name and password. Remove them from "
    "GOTGAN_SMTP_URL.",
)
BAD_PASSWORD: Final = Template(
    "site.bad_password",
    "The user name or password in GOTGAN_SMTP_URL has characters that SMTP cannot send. Use "
    "another password.",
)
SERVER_REFUSED: Final = Template(
    "site.server_refused", "The mail server {server} refused the mail: {status} {cause}"
)

# Values of fields

TOO_DEEP: Final = Template("site.too_deep", "nest contents less deeply")
BAD_NUMBER: Final = Template(
    "site.bad_number", "use whole numbers of less than 2^53, and fractions"
)
MEMBER_WITHOUT_NAME: Final = Template(
    "site.member_without_name", "give every member of contents a name"
)
TOO_LONG: Final = Template(
    "site.too_long", "contents have at most {most} bytes; keep pictures elsewhere"
)
BAD_ATTRIBUTE_NAME: Final = Template(
    "site.bad_attribute_name",
    "use a letter, then letters, digits and underscores, at most 50 characters",
)
ATTRIBUTE_RESERVED: Final = Template(
    "site.attribute_reserved", "this name is reserved for {attribute}"
)
BAD_ATTRIBUTE_VALUE: Final = Template(
    "site.bad_attribute_value", "use a text of 1 to {most} characters, or null to remove it"
)
ONE_LINE: Final = Template("site.one_line", "use one line, without control characters")
PLAIN_TEXT: Final = Template("site.plain_text", "leave out control characters")
MAILBOX: Final = Template("site.mailbox", "use one address such as name@example.com")
MOMENT: Final = Template(
    "site.moment", "use a time such as 2026-01-13T12:00:00Z, or seconds since 1970"
)
LINK: Final = Template("site.link", "use an address that begins with https:// or with one /")
