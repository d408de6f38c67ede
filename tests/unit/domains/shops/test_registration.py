"""Files of shops: read whole, or not at all."""

from __future__ import annotations

import pytest

from gotgan.domains.shops.registration import Registration, parse_country, parse_registrations
from gotgan.errors import BadUpload, UsageError


def test_a_file_has_a_domain_per_line() -> None:
    found = parse_registrations(b"example.com\r\n\n  https://antik.de/shop \n")
    assert found == [Registration("example.com"), Registration("https://antik.de/shop")]


def test_a_file_may_have_countries_and_names() -> None:
    document = '\ufeffDomain,Country,Name\nexample.com,de,"Krug, Kunst & Söhne"\nb.fr,,\n'.encode()
    assert parse_registrations(document, country="fr") == [
        Registration("example.com", "de", "Krug, Kunst & Söhne"),
        Registration("b.fr", "FR"),
    ]


def test_bad_lines_are_named_by_their_numbers() -> None:
    document = b"example.com\n\nnonsense\nb.de,Germany\nc.de,DE,name,more\n,DE\n"
    with pytest.raises(BadUpload) as refused:
        parse_registrations(document)
    said = refused.value.message
    assert said.startswith("Nothing was stored: line 3: 'nonsense' is not a domain")
    assert "line 4: 'Germany' is not a country code" in said
    assert "line 5: 4 columns (only domain, country, name are allowed)" in said
    assert "line 6: '' is not a domain" in said


def test_of_many_bad_lines_a_few_are_told() -> None:
    with pytest.raises(BadUpload, match=r"line 5: [^;]*; and 15 more$"):
        parse_registrations(b"bad\n" * 20)


def test_remarks_and_headings_are_passed_over() -> None:
    document = b'# ours, "all of them\n"domain","country"\na.de,DE\n  # more\nb.de\n'
    assert parse_registrations(document) == [Registration("a.de", "DE"), Registration("b.de")]


@pytest.mark.parametrize(
    ("document", "said"),
    [
        (b"a.de\n\xff.de\n", "Line 2 is not UTF-8. Save the file as UTF-8"),
        (b"\xef\xbb\xbfa.de\r\nb.de\r\nc.de,DE,B\xfccher\r\n", "Line 3 is not UTF-8"),
        (b"a.de\n" + b"x" * 200_000, "line 2: not CSV"),
        (b'a.de\nb.de,DE,"Krug\nc.de\nd.de\n', "stored: line 2: a quote is not closed [^;]*$"),
        (b"a.de;DE;Antik\n", r"line 1: the columns are separated by semicolons \(use commas\)"),
        (b"a.de\nb.de\tDE\n", r"line 2: the columns are separated by tabs \(use commas\)"),
        (b"co.uk\n", "line 1: co.uk is a public suffix, not a shop"),
    ],
)
def test_what_cannot_be_read_is_refused_by_its_line(document: bytes, said: str) -> None:
    with pytest.raises(BadUpload, match=said):
        parse_registrations(document)


@pytest.mark.parametrize(
    ("typed", "said"),
    [("uk", "'uk' is not a country code of ISO 3166 (did you mean GB?)"), ("ZZ", "DE")],
)
def test_a_country_is_one_of_the_world(typed: str, said: str) -> None:
    with pytest.raises(UsageError) as refused:
        parse_country(typed)
    assert said in refused.value.message
    assert parse_country(" gb ") == "GB"


def test_the_country_for_all_is_checked_too() -> None:
    with pytest.raises(UsageError, match="'Germany' is not a country code"):
        parse_registrations(b"", country="Germany")
