"""How the site is read: each function is one access pattern."""

from __future__ import annotations

from datetime import datetime

from gotgan.domains.site.models import (
    Adoption,
    Banner,
    Category,
    CategoryGuard,
    ContactInquiry,
    CorpInfo,
    Draft,
    Mail,
    OutboxEntry,
    Post,
    PostPointer,
    SignInCode,
    SlugGuard,
    Token,
    User,
)
from gotgan.store import Query, Ref, attr, collection, pattern


@pattern
def user(user_id: str) -> Ref[User]:
    """One user."""
    return User.key(id=user_id)


@pattern
def category(category_id: str) -> Ref[Category]:
    """One category."""
    return Category.key(id=category_id)


@pattern
def posts_in(category_id: str) -> Query[Post]:
    """The posts of a category, newest first."""
    return Post.key.query(category_id=category_id).newest_first()


@pattern
def category_with_posts(category_id: str) -> Query[Category | Post]:
    """A category and its posts, from one partition."""
    return collection(Post, Category, category_id=category_id)


@pattern
def post(category_id: str, post_id: str) -> Ref[Post]:
    """One post of a category."""
    return Post.key(category_id=category_id, id=post_id)


@pattern
def post_pointer(asked: str) -> Ref[PostPointer]:
    """Location of a post or draft, by its current ID or any former one."""
    return PostPointer.key(asked=asked)


@pattern
def adoption() -> Ref[Adoption]:
    """Position of the adoption of records of other tools."""
    return Adoption.key()


@pattern
def draft(category_id: str, draft_id: str) -> Ref[Draft]:
    """One draft of a category."""
    return Draft.key(category_id=category_id, id=draft_id)


@pattern
def drafts_in(category_id: str) -> Query[Draft]:
    """The drafts of a category, newest first."""
    return Draft.key.query(category_id=category_id).newest_first()


@pattern
def banner(banner_id: str) -> Ref[Banner]:
    """One banner."""
    return Banner.key(id=banner_id)


@pattern
def company() -> Ref[CorpInfo]:
    """The company record."""
    return CorpInfo.key()


@pattern
def inquiry(inquiry_id: str) -> Ref[ContactInquiry]:
    """One inquiry."""
    return ContactInquiry.key(id=inquiry_id)


@pattern
def mail(mail_id: str) -> Ref[Mail]:
    """One mail."""
    return Mail.key(id=mail_id)


@pattern
def due_mails(now: datetime) -> Query[OutboxEntry]:
    """The mails that are due, longest waiting first."""
    return OutboxEntry.key.query().before(now)


@pattern
def waiting_mails() -> Query[OutboxEntry]:
    """All mails waiting to be sent, those due first."""
    return OutboxEntry.key.query()


@pattern
def token(user_id: str, token_id: str) -> Ref[Token]:
    """One token of a user."""
    return Token.key(user_id=user_id, id=token_id)


@pattern
def tokens_of(user_id: str) -> Query[Token]:
    """The tokens of a user, newest first."""
    return Token.key.query(user_id=user_id).newest_first()


@pattern
def slug_guard(slug: str) -> Ref[SlugGuard]:
    """The category of a slug."""
    return SlugGuard.key(slug=slug)


@pattern
def category_guard(category_id: str) -> Ref[CategoryGuard]:
    """Counter of additions to a category."""
    return CategoryGuard.key(category_id=category_id)


@pattern
def sign_in_code(digest: str) -> Ref[SignInCode]:
    """The user that a code signs in."""
    return SignInCode.key(digest=digest)


@pattern
def all_users() -> Query[User]:
    """All users, newest first."""
    return User.by_type.query().newest_first()


@pattern
def admins() -> Query[User]:
    """All admins, oldest first."""
    return User.by_type.query().filtered(attr("role") == "admin")


@pattern
def all_categories() -> Query[Category]:
    """All categories, newest first."""
    return Category.by_type.query().newest_first()


@pattern
def all_posts() -> Query[Post]:
    """The posts of all categories, newest first."""
    return Post.by_type.query().newest_first()


@pattern
def all_drafts() -> Query[Draft]:
    """The drafts of all categories, newest first."""
    return Draft.by_type.query().newest_first()


@pattern
def all_banners() -> Query[Banner]:
    """All banners, newest first."""
    return Banner.by_type.query().newest_first()


@pattern
def all_inquiries() -> Query[ContactInquiry]:
    """All inquiries, newest first."""
    return ContactInquiry.by_type.query().newest_first()


@pattern
def all_mails() -> Query[Mail]:
    """All mails, newest first."""
    return Mail.by_type.query().newest_first()


@pattern
def all_tokens() -> Query[Token]:
    """The tokens of all users, newest first."""
    return Token.by_type.query().newest_first()


@pattern
def posts_within(first: datetime, last: datetime) -> Query[Post]:
    """The posts published between two times, newest first."""
    return Post.by_type.query().between(first, last).newest_first()


@pattern
def inquiries_within(first: datetime, last: datetime) -> Query[ContactInquiry]:
    """The inquiries that visitors sent between two times."""
    return ContactInquiry.by_type.query().between(first, last)
