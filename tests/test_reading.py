"""Reading in other processes: a page that hangs or kills its reader costs that page only."""

import asyncio
import os
import time
from collections.abc import AsyncIterator

import pytest

from honeyguide.errors import ConfigError, ErrorKind, ParseError
from honeyguide.model import Page, Response, Verdict
from honeyguide.reading import InlineReader, ReaderProcesses


class Moody:
    """A parser that does what the body says."""

    def parse(self, response: Response) -> Page:
        match response.body:
            case b"hang":
                while True:
                    time.sleep(3600)
            case b"die":
                os._exit(1)
            case b"bad":
                raise ParseError(ErrorKind.PARSE, "not a page")
            case b"bug":
                return Page(url=[][0])
        return Page(url=response.url, text=response.body.decode())


class Fair:
    """A judge with one opinion."""

    def assess(self, page: Page) -> Verdict:
        return Verdict(score=len(page.text) / 10, relevant=True)


def answer(body: bytes) -> Response:
    return Response(url="http://example.org/", status=200, body=body)


@pytest.fixture
async def readers(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[ReaderProcesses]:
    monkeypatch.setenv("PYTHONPATH", os.path.dirname(__file__))
    readers = ReaderProcesses(Moody(), Fair(), processes=2, patience=1.0)
    yield readers
    await readers.close()


async def test_pages_are_read_and_judged_elsewhere(readers: ReaderProcesses) -> None:
    results = await asyncio.gather(*(readers.read(answer(b"x" * n)) for n in range(10)))
    assert [verdict.score for _, verdict in results] == [n / 10 for n in range(10)]
    assert all(page.url == "http://example.org/" for page, _ in results)


async def test_a_page_error_comes_back_as_such(readers: ReaderProcesses) -> None:
    with pytest.raises(ParseError) as caught:
        await readers.read(answer(b"bad"))
    assert (caught.value.kind, caught.value.detail) == (ErrorKind.PARSE, "not a page")


@pytest.mark.parametrize(("body", "kind"), [(b"hang", ErrorKind.PARSE_TIMEOUT), (b"die", ErrorKind.WORKER)])
async def test_a_page_that_stops_its_reader_costs_only_itself(
    readers: ReaderProcesses, body: bytes, kind: ErrorKind
) -> None:
    bodies = [b"a", body, b"b", b"c", b"d", b"e"]
    results = await asyncio.gather(*(readers.read(answer(b)) for b in bodies), return_exceptions=True)
    failures = [result for result in results if isinstance(result, BaseException)]
    assert len(failures) == 1
    assert isinstance(failures[0], ParseError)
    assert failures[0].kind is kind
    page, _ = await readers.read(answer(b"after"))
    assert page.text == "after"


class Numbered:
    """A judge that says who it is."""

    def __init__(self, number: int) -> None:
        self.number = number

    def assess(self, page: Page) -> Verdict:
        return Verdict(score=1.0, relevant=True, judge=f"judge {self.number}")


async def test_every_page_is_judged_by_the_judge_published_last_before_it(readers: ReaderProcesses) -> None:
    await asyncio.gather(*(readers.read(answer(b"warm")) for _ in range(2)))
    asked = []
    for number in range(20):
        readers.publish(Numbered(number))
        asked += [asyncio.ensure_future(readers.read(answer(b"x"))) for _ in range(3)]
        await asyncio.sleep(0)  # lets them be asked before the next judge is published
    found = [verdict.judge for _, verdict in await asyncio.gather(*asked)]
    assert found == [f"judge {number}" for number in range(20) for _ in range(3)]


async def test_a_judge_published_while_readers_start_is_the_one_that_judges(readers: ReaderProcesses) -> None:
    first = asyncio.ensure_future(readers.read(answer(b"x")))
    await asyncio.sleep(0.05)
    readers.publish(Numbered(7))
    assert (await first)[1].judge == "judge 7"


async def test_a_reader_that_was_replaced_has_the_newest_judge(readers: ReaderProcesses) -> None:
    await readers.read(answer(b"warm"))
    readers.publish(Numbered(1))
    deaths = await asyncio.gather(*(readers.read(answer(b"die")) for _ in range(2)), return_exceptions=True)
    assert all(isinstance(death, ParseError) for death in deaths)
    found = await asyncio.gather(*(readers.read(answer(b"x")) for _ in range(4)))
    assert {verdict.judge for _, verdict in found} == {"judge 1"}


async def test_a_reader_that_cannot_start_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", "")
    readers = ReaderProcesses(Moody(), Fair())
    with pytest.raises(ConfigError, match=r"reading\.processes = 0"):
        await readers.read(answer(b"x"))
    await readers.close()


async def test_an_unexpected_error_in_a_parser_concerns_that_page_only() -> None:
    reader = InlineReader(Moody(), Fair())
    with pytest.raises(ParseError, match="IndexError"):
        await reader.read(answer(b"bug"))
