"""The parameters of the shops' verbs: what each accepts, and its help."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BeforeValidator, Field

from gotgan.domains.shops import messages
from gotgan.domains.shops.models import ChangeKind, PageType, SelectorField, Stage
from gotgan.domains.shops.products import ProductSort, ProductStatus
from gotgan.domains.shops.registration import Registration
from gotgan.params import Moment, TimeSpan
from gotgan.validation import invalid
from gotgan.verbs import Local, Remote

_TWO_LETTERS: Final = re.compile("^[A-Za-z]{2}$")

Domain = Annotated[
    str,
    Field(
        min_length=1,
        max_length=2_000,
        description="Domain of the shop, or any URL of it.",
        examples=["example.com"],
    ),
]
Domains = Annotated[
    Sequence[Domain],
    Field(max_length=1_000, description="Shops by domain or URL.", examples=[["example.com"]]),
]

OfShops = Annotated[
    Sequence[Annotated[str, Field(min_length=1, max_length=300, examples=["example.com"])]],
    Field(max_length=20, description="Only of these shops, by domain or URL."),
]


def _country(value: Any) -> Any:
    if isinstance(value, str) and not _TWO_LETTERS.fullmatch(value):
        raise invalid(messages.USE_A_COUNTRY())
    return value


Country = Annotated[
    str,
    Field(
        pattern=_TWO_LETTERS.pattern,
        description="Two-letter country code such as DE.",
        examples=["DE"],
    ),
    BeforeValidator(_country),  # behind the pattern, or the schema would not have that
]
NoCountry = Annotated[
    bool, Field(description="Only shops without a country. Reads the whole table.")
]
DueStage = Annotated[Stage, Field(description="Kind of work.")]
OnlyStage = Annotated[Stage, Field(description="Only this kind of work. Default: both.")]
UrlType = Annotated[PageType, Field(description="Only pages of this type.")]
Workers = Annotated[int, Field(ge=1, le=64, description="Shops processed in parallel.")]
MaxPages = Annotated[
    int, Field(ge=1, le=1_000_000, description="Maximum number of pages to visit per shop.")
]
MaxItems = Annotated[
    int,
    Field(
        ge=1,
        le=10_000_000,
        description="Maximum number of items to read. The next run continues from there.",
    ),
]
MaxDeleted = Annotated[
    int,
    Field(ge=1, le=1_000_000, description="Maximum number of items to delete in one call."),
]
ProductText = Annotated[
    str,
    Field(max_length=200, description="Words of the title, or parts of them.", examples=["chair"]),
]
OfStatus = Annotated[ProductStatus, Field(description="Only products with this availability.")]
Currency = Annotated[
    str,
    Field(
        pattern="^[A-Za-z]{3}$",
        description="Only prices in this currency, by its code.",
        examples=["EUR"],
    ),
]
MinPrice = Annotated[
    float, Field(ge=0, description="Lowest price, in whole units such as euros: 19.90.")
]
MaxPrice = Annotated[
    float, Field(ge=0, description="Highest price, in whole units such as euros: 19.90.")
]
ProductOrder = Annotated[
    ProductSort,
    Field(description="Order; with - in front the highest, newest or last comes first."),
]
ProductUrl = Annotated[
    str,
    Field(
        min_length=1,
        max_length=8_000,
        description="URL of the product page.",
        examples=["https://example.com/products/item-123"],
    ),
]
Kind = Annotated[ChangeKind, Field(description="Only changes of this kind.")]
CheckOnly = Annotated[
    bool,
    Field(description="Check the known products of all crawled shops, even if they are not due."),
]
Lease = Annotated[
    TimeSpan,
    Local(),
    Field(description="How long a claim is valid after the worker dies. Renewed while it works."),
]
OlderThan = Annotated[TimeSpan, Field(description="Only claims at least this old: 45m, 2h or 3d.")]
Before = Annotated[
    Moment,
    Field(description="Last run at or before. Default: two days ago (crawl) or now (scrape)."),
]
After = Annotated[Moment, Field(description="Last run at or after. Excludes shops that never ran.")]
Since = Annotated[Moment, Field(description="Only changes seen at or after.")]
OfField = Annotated[
    SelectorField,
    Field(
        description="Fact that the selector is for. product marks pages with one product.",
        examples=["price"],
    ),
]
Selector = Annotated[
    str,
    Field(
        min_length=1,
        max_length=300,
        description="CSS selector of the element, such as .price-now.",
        examples=[".price-now"],
    ),
]
TrialUrl = Annotated[
    str,
    Field(max_length=2_000, description="Page of the shop to try it on. Default: a product."),
]
Force = Annotated[
    bool,
    Field(
        description="Also release valid claims. Make sure that the worker is dead: a live one "
        "loses its latest work."
    ),
]
AddName = Annotated[str, Field(max_length=200, description="Name of the shop, for one domain.")]
AddFile = Annotated[
    bytes,
    Local(),
    Field(description="File with one domain per line, or CSV: domain,country,name. - is stdin."),
]
AddEntries = Annotated[
    Sequence[Registration],
    Remote(),
    Field(
        max_length=1_000,
        description="Shops with their own country and name.",
        examples=[[{"domain": "example.de", "country": "DE", "name": "Example"}]],
    ),
]
DeliverFile = Annotated[
    Path,
    Local(),
    Field(description="Append changes to this JSON Lines file. Default: send to GOTGAN_WEBHOOK."),
]
