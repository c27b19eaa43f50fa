import gzip
import tracemalloc
import zlib
from collections.abc import Callable

import brotli
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from honeyguide.errors import ErrorKind, FetchError
from honeyguide.fetch.decode import decode

LIMIT = 5_000_000
PAGE = b"<html><title>Honeyguides</title>" + b"".join(
    b"<p>Line %d leads to <a href='/%d'>the hive</a></p>" % (n, n * n) for n in range(800)
)


def to_brotli(data: bytes) -> bytes:
    return bytes(brotli.compress(data, quality=5))


def raw_deflate(data: bytes) -> bytes:
    return zlib.compress(data)[2:-4]


CODINGS: list[tuple[str, Callable[[bytes], bytes]]] = [
    ("gzip", gzip.compress),
    ("x-gzip", gzip.compress),
    ("GZip", gzip.compress),
    ("deflate", zlib.compress),
    ("deflate", raw_deflate),
    ("br", to_brotli),
    ("identity", bytes),
    ("", bytes),
    ("identity, gzip", gzip.compress),
    ("br, gzip", lambda data: gzip.compress(to_brotli(data))),
]


@pytest.mark.parametrize(("encoding", "encode"), CODINGS)
def test_every_coding_is_undone(encoding: str, encode: Callable[[bytes], bytes]) -> None:
    assert decode(encode(PAGE), encoding, LIMIT) == (PAGE, "")


@given(data=st.binary(max_size=3000), which=st.sampled_from(CODINGS))
@settings(max_examples=150, deadline=None, derandomize=True)
def test_any_bytes_survive_any_coding(data: bytes, which: tuple[str, Callable[[bytes], bytes]]) -> None:
    encoding, encode = which
    assert decode(encode(data), encoding, LIMIT) == (data, "")


def read_or_refuse(data: bytes, encoding: str, limit: int) -> bytes:
    """The body, or nothing where it is refused as unreadable; any other error is the test's failure."""
    try:
        return decode(data, encoding, limit)[0]
    except FetchError as error:
        if error.kind is not ErrorKind.ENCODING or error.transient:
            raise
        return b""


@given(
    data=st.binary(max_size=2000),
    encoding=st.sampled_from(["gzip", "deflate", "br", "zstd", "gzip, br", "x"]),
    limit=st.integers(0, 500),
)
@settings(max_examples=200, deadline=None, derandomize=True)
def test_garbage_is_read_within_the_limit_or_refused(data: bytes, encoding: str, limit: int) -> None:
    assert len(read_or_refuse(data, encoding, limit)) <= limit


@given(where=st.integers(0, 10_000), value=st.integers(0, 255), which=st.sampled_from(CODINGS[:6]))
@settings(max_examples=200, deadline=None, derandomize=True)
def test_one_wrong_byte_never_raises_anything_but_a_fetch_error(
    where: int, value: int, which: tuple[str, Callable[[bytes], bytes]]
) -> None:
    encoding, encode = which
    broken = bytearray(encode(PAGE))
    broken[where % len(broken)] = value
    assert len(read_or_refuse(bytes(broken), encoding, LIMIT)) <= LIMIT


def bomb(make: str, size: int) -> bytes:
    zeros = bytes(1_000_000)
    if make == "br":
        return to_brotli(zeros * size)
    stream = zlib.compressobj(9, wbits=31 if make == "gzip" else 15)
    return b"".join(stream.compress(zeros) for _ in range(size)) + stream.flush()


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br"])
def test_a_bomb_is_cut_and_takes_no_more_memory_than_its_limit(encoding: str) -> None:
    packed = bomb(encoding, 100)
    tracemalloc.start()
    body, reason = decode(packed, encoding, 2_000_000)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (len(body), reason) == (2_000_000, "length")
    assert peak < 3 * 2_000_000 + 1_000_000


def test_a_bomb_within_a_bomb_is_cut() -> None:
    packed = gzip.compress(bomb("gzip", 100))
    body, reason = decode(packed, "gzip, gzip", 1_000_000)
    assert (len(body), reason) == (1_000_000, "length")


def test_a_body_of_exactly_the_limit_is_whole() -> None:
    assert decode(gzip.compress(PAGE), "gzip", len(PAGE)) == (PAGE, "")
    assert decode(gzip.compress(PAGE), "gzip", len(PAGE) - 1) == (PAGE[:-1], "length")
    assert decode(PAGE, "", 10) == (PAGE[:10], "length")


@pytest.mark.parametrize(("encoding", "encode"), CODINGS[:6])
def test_a_stream_that_ends_early_gives_what_came(encoding: str, encode: Callable[[bytes], bytes]) -> None:
    packed = encode(PAGE)
    body, reason = decode(packed[: len(packed) // 2], encoding, LIMIT)
    assert reason == "disconnect"
    assert len(body) > len(PAGE) // 4
    assert PAGE.startswith(body)


def test_a_stream_that_breaks_gives_what_came_before() -> None:
    packed = gzip.compress(PAGE)
    body, reason = decode(packed[:-8] + bytes(8), "gzip", LIMIT)
    assert reason == "unspecified"
    assert len(body) > len(PAGE) * 0.9
    assert PAGE.startswith(body)


def test_a_stream_that_breaks_is_still_cut_at_the_limit() -> None:
    packed = gzip.compress(PAGE)
    assert decode(packed[:-8] + bytes(8), "gzip", 1000) == (PAGE[:1000], "length")


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "utf-8", "none", "gzip, gzip"])
def test_a_plain_body_is_kept_whatever_its_header_says(encoding: str) -> None:
    assert decode(PAGE, encoding, LIMIT) == (PAGE, "")


def test_a_coding_said_twice_and_done_once_is_undone_once() -> None:
    assert decode(gzip.compress(PAGE), "gzip, gzip", LIMIT) == (PAGE, "")


def test_members_that_follow_each_other_are_one_body() -> None:
    assert decode(gzip.compress(b"one ") + gzip.compress(b"two"), "gzip", LIMIT) == (b"one two", "")


def test_bytes_after_the_end_are_ignored() -> None:
    assert decode(gzip.compress(PAGE) + b"\x00\x00junk", "gzip", LIMIT) == (PAGE, "")


def test_many_empty_members_are_not_walked_to_the_end() -> None:
    body, _ = decode(gzip.compress(b"") * 50_000 + gzip.compress(b"far"), "gzip", LIMIT)
    assert body == b""


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "zstd"])
def test_what_cannot_be_read_at_all_is_refused(encoding: str) -> None:
    with pytest.raises(FetchError) as caught:
        decode(b"\x28\xb5\x2f\xfd\x00\x01" + bytes(range(256)), encoding, LIMIT)
    assert caught.value.kind is ErrorKind.ENCODING


def test_a_tower_of_codings_is_refused() -> None:
    with pytest.raises(FetchError):
        decode(b"x", "gzip, gzip, gzip, gzip", LIMIT)


@pytest.mark.parametrize("encoding", ["gzip", "br", "deflate"])
def test_an_empty_body_is_empty(encoding: str) -> None:
    assert decode(b"", encoding, LIMIT) == (b"", "")
