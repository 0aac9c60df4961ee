"""The formats that are checked: RFC 3339, addresses, identifiers, expressions."""

from __future__ import annotations

import ipaddress
import uuid
from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blockargs.formats import FORMATS, has_format
from blockargs.types import arg_string
from blockargs.validate import problems_in

GOOD = {
    "date": ["2024-01-31", "2024-02-29", "2000-02-29", "0000-01-01", "0000-02-29", "9999-12-31"],
    "time": ["12:30:00Z", "12:30:00z", "00:00:00+00:00", "23:59:59.123456789-23:59", "23:59:60Z", "15:59:60-08:00", "00:29:60+00:30"],
    "date-time": ["2024-01-31T12:30:00Z", "2024-01-31t12:30:00.5z", "1998-12-31T23:59:60Z", "1990-12-31T15:59:60-08:00"],
    "duration": ["P1Y", "P1M", "P1D", "P1W", "PT1H", "PT1M", "PT1S", "P4DT12H30M5S", "P1Y2M3DT4H5M6S", "PT0S", "P0D", "PT36H"],
    "email": [
        "joe@example.com", "joe.bloggs+tag@sub.example.co", "x@localhost", "te~st@example.com", '"joe bloggs"@example.com',
        '"a\\"b"@example.com', "joe@[127.0.0.1]", "joe@[IPv6:::1]", "1@2.3",
    ],
    "uuid": ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000", "00000000-0000-0000-0000-000000000000"],
    "uri": [
        "https://example.com", "https://example.com:8080/a/b?c=d&e#f", "http://user:pass@example.com/", "urn:isbn:0451450523",
        "mailto:joe@example.com", "file:///etc/hosts", "tel:+1-816-555-1212", "http://[2001:db8::1]:80/", "http://[v1.x]/",
        "a:", "a:b", "a:/b", "https://example.com/%C3%A9", "http://", "ldap://[::1]/c=GB?one", "x://a//b",
    ],
    "ipv4": ["0.0.0.0", "127.0.0.1", "255.255.255.255"],
    "ipv6": ["::", "::1", "2001:db8::1", "1:2:3:4:5:6:7:8", "::ffff:192.0.2.1"],
    "regex": ["", "^a+$", "(?P<n>a)", "\\d", "[a-z&&[aeiou]]"],
}  # fmt: skip
BAD = {
    "date": ["2024-1-31", "2024-01-32", "2023-02-29", "1900-02-29", "2024-13-01", "2024-00-10", "2024-01-00", "20240131", "2024-W05-3", "2024-031", "24-01-31", "2024/01/31", "2024-01-31 ", "2024-01-31\n", "٢٠٢٤-٠١-٣١", ""],
    "time": ["12:30:00", "12:30Z", "24:00:00Z", "12:60:00Z", "12:30:61Z", "12:30:60Z", "23:59:60+01:00", "123000Z", "12:30:00 Z", "12:30:00+0100", "12:30:00+24:00", "12:30:00+00:60", "12:30:00.Z", "12:30:00,5Z", "1:30:00Z", "12:30:00Z\n"],
    "date-time": ["2024-01-31", "2024-01-31T12:30:00", "2024-01-31 12:30:00Z", "2024-02-30T12:30:00Z", "2024-01-31T25:00:00Z", "1998-12-31T23:58:60Z", "20240131T123000Z", "2024-01-31T12:30:00Z\n"],
    "duration": ["", "P", "PT", "P1", "1D", "P1H", "PT1D", "P1Y2D", "PT1H5S", "P1W2D", "P1.5D", "PT1.5S", "-P1D", "P-1D", "p1d", "P1D ", "P1DT", "P²D", "P2S"],
    "email": ["", "joe", "@example.com", "joe@", "joe@@example.com", "joe@example..com", "joe@-example.com", "joe@example-.com", ".joe@example.com", "joe.@example.com", "jo..e@example.com", "joe bloggs@example.com", "joe@exam ple.com", "Joe <joe@example.com>", "joe@exämple.com", "jöe@example.com", "joe@[127.0.0.300]", "joe@[IPv6:x]", "a" * 65 + "@example.com", "joe@" + "a" * 64 + ".com", "joe@" + ".".join(["a" * 60] * 5), "joe@example.com\n", 'a"b@example.com'],
    "uuid": ["", "123e4567e89b12d3a456426614174000", "{123e4567-e89b-12d3-a456-426614174000}", "123e4567-e89b-12d3-a456-42661417400", "123e4567-e89b-12d3-a456-42661417400g", "123e4567-e89b-12d3-a4564-26614174000", "urn:uuid:123e4567-e89b-12d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000\n"],
    "uri": ["", "example.com", "/a/b", "//example.com/a", "#a", "1http://example.com", ":a", "http://exa mple.com", "http://example.com/a b", " http://example.com", "http://example.com/é", "http://example.com/%", "http://example.com/%zz", "http://[::1", "http://[x]/", "http://example.com:80a/", "http://a\\b", "http://<a>", 'http://"a"', "http://a[b]/", "http://example.com\n", "a:b[", "http://a@b@c"],
    "ipv4": ["", "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.4 ", "1.2.3.x", "1.2.3.", "0x7f.0.0.1", "١.2.3.4", "1.2.3.4\n", "127.1", "2130706433"],
    "ipv6": ["", ":", ":::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "12345::", "::1%eth0", "::1/64", "::g", "127.0.0.1", "::1 ", "::1\n"],
    "regex": ["(", "[", "*", "a{2,1}", "(?P<n", "\\", "(" * 2000],
}  # fmt: skip
offsets = st.integers(-1439, 1439).map(lambda m: timezone(timedelta(minutes=m)))


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in GOOD.items() for t in texts])
def test_what_has_a_format(name, text):
    """
    Texts that are written as the format asks fit.
    """
    assert has_format(text, name)
    assert problems_in(text, arg_string(format=name)) == []


@pytest.mark.parametrize(("name", "text"), [(n, t) for n, texts in BAD.items() for t in texts], ids=lambda v: v[:30])
def test_what_has_not(name, text):
    """
    Texts that only look like it do not.
    """
    assert not has_format(text, name)
    assert [p.code for p in problems_in(text, arg_string(format=name))] == ["wrong_format"]


@pytest.mark.parametrize("name", FORMATS)
def test_the_hint_of_a_format_is_an_example_of_it(name):
    """
    What a hint shows as an example has the format.
    """
    _, words, example = FORMATS[name]
    (problem,) = problems_in("(", arg_string(format=name))

    assert has_format(example, name)
    assert (problem.message, problem.hint) == (f"'(' is not {words}", f"write it like '{example}'")


def test_other_formats_are_remarks():
    """
    A format that nobody checks asks nothing.
    """
    assert problems_in("anything", arg_string(format="hostname")) == []
    assert has_format("anything", "colour")


@pytest.mark.parametrize("name", FORMATS)
def test_texts_of_any_length_end(name):
    """
    A megabyte of anything is no date and no address, and is told so at once.
    """
    assert not has_format("1" * 1_000_000, name)
    assert not has_format("a" * 9_999 + "(", name)


@given(st.dates())
def test_every_date_is_one(day):
    """
    What Python writes as a date fits.
    """
    assert has_format(day.isoformat(), "date")


@given(st.datetimes(timezones=offsets | st.just(UTC)))
def test_every_moment_is_one(moment):
    """
    What Python writes as a moment with its offset fits, as a date-time and as a time.
    """
    assert has_format(moment.isoformat(), "date-time")
    assert has_format(moment.isoformat().partition("T")[2], "time")
    assert not has_format(moment.replace(tzinfo=None).isoformat(), "date-time")


@given(st.from_regex(r"\A[0-9]{4}-[0-9]{2}-[0-9]{2}\Z"))
def test_dates_agree_with_the_calendar(text):
    """
    Ten characters are a date exactly when the calendar has that day (and year 0, which Python lacks).
    """
    if not text.isascii() or text.startswith("0000"):
        return
    try:
        date.fromisoformat(text)
    except ValueError:
        assert not has_format(text, "date")
    else:
        assert has_format(text, "date")


@given(st.from_regex(r"\A[0-2][0-9]:[0-6][0-9]:[0-5][0-9]\Z"))
def test_times_agree_with_the_clock(text):
    """
    A time before the leap second is one exactly when the clock shows it.
    """
    if not text.isascii():
        return
    try:
        time.fromisoformat(text)
    except ValueError:
        assert not has_format(f"{text}Z", "time")
    else:
        assert has_format(f"{text}Z", "time")


@given(st.uuids(), st.ip_addresses(v=4), st.ip_addresses(v=6), st.emails())
def test_what_libraries_write_fits(key, four, six, email):
    """
    UUIDs, addresses of the net and of people, as libraries write them, fit.
    """
    assert has_format(str(key), "uuid")
    assert uuid.UUID(str(key)) == key
    assert has_format(str(four), "ipv4")
    assert has_format(str(six), "ipv6")
    assert has_format(email, "email") is email.isascii()
    assert ipaddress.ip_address(str(six)) == six


@given(st.datetimes(timezones=offsets))
def test_moments_agree_with_the_calendar(moment):
    """
    A moment that the calendar reads back is the same moment.
    """
    text = moment.isoformat()

    assert datetime.fromisoformat(text) == moment
    assert has_format(text.replace("T", "t"), "date-time")
