"""Files of shops: read whole, or not at all."""

from __future__ import annotations

import pytest

from gotgan.domains.shops.registrations import Registration, registrations_from
from gotgan.errors import BadUpload, UsageError


def test_a_file_has_a_domain_per_line() -> None:
    found = registrations_from(b"example.com\r\n\n  https://antik.de/shop \n")
    assert found == [Registration("example.com"), Registration("https://antik.de/shop")]


def test_a_file_may_have_countries_and_names() -> None:
    document = '\ufeffDomain,Country,Name\nexample.com,de,"Krug, Kunst & Söhne"\nb.fr,,\n'.encode()
    assert registrations_from(document, country="fr") == [
        Registration("example.com", "de", "Krug, Kunst & Söhne"),
        Registration("b.fr", "FR"),
    ]


def test_bad_lines_are_named_by_their_numbers() -> None:
    document = b"example.com\n\nnonsense\nb.de,Germany\nc.de,DE,name,more\n,DE\n"
    with pytest.raises(BadUpload) as refused:
        registrations_from(document)
    said = refused.value.message
    assert said.startswith("nothing was stored: line 3: 'nonsense' is no domain of a shop")
    assert "line 4: 'Germany' is no country" in said
    assert "line 5: it has 4 columns; there are only domain, country, name" in said
    assert "line 6: '' is no domain" in said


def test_of_many_bad_lines_a_few_are_told() -> None:
    with pytest.raises(BadUpload, match=r"line 5: [^;]*; [^;]*; and 15 more$"):
        registrations_from(b"bad\n" * 20)


@pytest.mark.parametrize(
    ("document", "said"),
    [(b"a.de\n\xff.de\n", "byte 5 is no UTF-8"), (b"a.de\n" + b"x" * 200_000, "line 2 is no CSV")],
)
def test_what_is_no_text_is_refused(document: bytes, said: str) -> None:
    with pytest.raises(BadUpload, match=said):
        registrations_from(document)


def test_the_country_for_all_is_checked_too() -> None:
    with pytest.raises(UsageError, match="'Germany' is no country"):
        registrations_from(b"", country="Germany")
