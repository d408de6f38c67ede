"""The entities of the site."""

from __future__ import annotations

from typing import Annotated, Literal

from gotgan.domains.site.keys import BY_TYPE, FEW_TYPES, SITE
from gotgan.store import Attribute, Entity, Epoch, Id, IndexKey, Key, Timestamp, camel_case

__all__ = ["Banner", "Category", "ContactInquiry", "CorpInfo", "Post", "SiteEntity", "User"]


class SiteEntity(Entity):
    """What all of them have: when they were made and changed."""

    created_at: Annotated[Timestamp, Attribute("CreatedAt")]
    updated_at: Annotated[Timestamp | None, Attribute("UpdatedAt")] = None


class User(SiteEntity, table=SITE, names=camel_case):
    """Somebody who works on the site."""

    key = Key("USER#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "User", "{created_at}", acknowledge=[FEW_TYPES])

    id: Id
    display_name: str
    role: Literal["admin", "editor", "viewer"]


class Category(SiteEntity, table=SITE, names=camel_case):
    """What posts are sorted under; its posts share its partition."""

    key = Key("CATEGORY#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "Category", "{created_at}", acknowledge=[FEW_TYPES])

    id: Id
    title: str
    desc: str | None = None


class Post(SiteEntity, table=SITE, names=camel_case):
    """An article of the site, in the partition of its category."""

    key = Key("CATEGORY#{category_id}", "POST#{id}")
    by_type = IndexKey(BY_TYPE, "Post", "{created_at}", acknowledge=[FEW_TYPES])

    id: Id
    category_id: Id
    author_id: Id
    title: str
    contents: str


class Banner(SiteEntity, table=SITE, names=camel_case):
    """A picture with words and two buttons."""

    key = Key("BANNER#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "Banner", "{created_at}", acknowledge=[FEW_TYPES])

    id: Id
    title: str
    desc: str | None = None
    img_uri: str
    btn1_text: str | None = None
    btn2_text: str | None = None
    expires_at: Epoch | None = None


class CorpInfo(SiteEntity, table=SITE, names=camel_case):
    """What there is to know about the company; there is one of it."""

    key = Key("CORP#INFO", "METADATA")
    by_type = IndexKey(BY_TYPE, "CorpInfo", "{created_at}", acknowledge=[FEW_TYPES])

    id: Literal["corp-info"] = "corp-info"
    name: str
    address: str | None = None
    email: str | None = None
    fax: str | None = None
    corp_num: str | None = None


class ContactInquiry(SiteEntity, table=SITE, names=camel_case):
    """A message that a visitor left."""

    key = Key("CONTACT#{id}", "METADATA")
    by_type = IndexKey(BY_TYPE, "ContactInquiry", "{created_at}", acknowledge=[FEW_TYPES])

    id: Id
    name: str
    email: str
    company: str | None = None
    title: str | None = None
    referral: str | None = None
    subject: str
    message: str
    status: Literal["new", "in_progress", "done"] = "new"
    notified_email: str | None = None
    """Where the notice of it was sent, at the time."""
