"""How the site is read: each function is one access pattern."""

from __future__ import annotations

from gotgan.domains.site.models import Banner, Category, ContactInquiry, CorpInfo, Post, User
from gotgan.store import Query, Ref, collection, pattern

__all__ = [
    "all_banners",
    "all_categories",
    "all_inquiries",
    "all_posts",
    "all_users",
    "banner",
    "category",
    "category_with_posts",
    "company",
    "inquiry",
    "post",
    "posts_in",
    "user",
]


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
def banner(banner_id: str) -> Ref[Banner]:
    """One banner."""
    return Banner.key(id=banner_id)


@pattern
def company() -> Ref[CorpInfo]:
    """What there is to know about the company."""
    return CorpInfo.key()


@pattern
def inquiry(inquiry_id: str) -> Ref[ContactInquiry]:
    """One inquiry."""
    return ContactInquiry.key(id=inquiry_id)


@pattern
def all_users() -> Query[User]:
    """All users, newest first."""
    return User.by_type.query().newest_first()


@pattern
def all_categories() -> Query[Category]:
    """All categories, newest first."""
    return Category.by_type.query().newest_first()


@pattern
def all_posts() -> Query[Post]:
    """The posts of all categories, newest first."""
    return Post.by_type.query().newest_first()


@pattern
def all_banners() -> Query[Banner]:
    """All banners, newest first."""
    return Banner.by_type.query().newest_first()


@pattern
def all_inquiries() -> Query[ContactInquiry]:
    """All inquiries, newest first."""
    return ContactInquiry.by_type.query().newest_first()
