"""A recorded web instead of the real one: the same crawl over it, again and again, and nobody is asked.

Archives are indexed once. Small ones are kept in memory; of large ones only the places are, and a page
is read when it is fetched.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from http import HTTPStatus
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from honeyguide.errors import ConfigError, ErrorKind, FetchError
from honeyguide.fetch.archives import Recorded, address_of, read_answer, read_answers
from honeyguide.fetch.decode import decode
from honeyguide.model import Conditions, Hop, Response

SMALL = 16_000_000
"""Archives of fewer bytes altogether are kept in memory unless told otherwise."""

_MAX_BODY = 1 << 26
_MAGIC = 3


class Place(NamedTuple):
    """Where an answer lies, and its status, which is often all that is asked."""

    file: int
    offset: int
    status: int


class OfflineWeb:
    """What archives hold, by address; of several answers the first stands, unless it leads nowhere.

    `redirects` says where each redirect leads, `recorded` how many pages, redirects and errors were
    found before the spellings of one address became one.
    """

    def __init__(
        self,
        files: Sequence[Path],
        answers: Mapping[str, Place | Recorded],
        redirects: Mapping[str, str],
        recorded: Mapping[str, int],
    ) -> None:
        self._files = files
        self._answers = answers
        self.redirects = redirects
        self.recorded = recorded

    @classmethod
    def open(cls, paths: Sequence[Path], *, in_memory: bool | None = None) -> "OfflineWeb":
        """Index archives; raises ConfigError when one is damaged or there is no page in them."""
        files = tuple(path.absolute() for path in paths)
        answers: dict[str, Place | Recorded] = {}
        futile: dict[str, Place | Recorded] = {}
        redirects: dict[str, str] = {}
        recorded: Counter[str] = Counter()
        repeats: dict[str, tuple[Place | Recorded, str]] = {}
        if in_memory is None:
            in_memory = sum(path.stat().st_size for path in files if path.is_file()) < SMALL
        for number, path in enumerate(files):
            for offset, answer in read_answers(path) if in_memory else _reachable_answers(path):
                address, target = address_of(answer.url), answer.target
                kind = "redirects" if target else "pages" if 200 <= answer.status < 300 else "errors"
                kept = answer if in_memory else Place(number, offset, answer.status)
                if kind == "pages" and answer.same_as:
                    repeats.setdefault(address, (kept, address_of(answer.same_as)))
                    continue
                recorded[kind] += 1
                known = answers if kind == "pages" or (target and target != address) else futile
                if address not in known:
                    known[address] = kept
                    if target and known is answers:
                        redirects[address] = target
        there = {
            address: kept
            for address, (kept, original) in repeats.items()
            if address not in answers and original in answers and original not in redirects
        }
        answers |= there
        recorded["pages"] += len(there)
        if not answers:
            raise ConfigError(
                f"{', '.join(str(path) for path in files) or 'No file'}: there is no page in it."
            )
        return cls(files, {**futile, **answers}, redirects, recorded)

    def __len__(self) -> int:
        return len(self._answers)

    def urls(self) -> Iterable[str]:
        """Every address of which there is an answer."""
        return self._answers.keys()

    def status(self, url: str) -> int:
        """The status an address was answered with, 0 when it was never asked."""
        answer = self._answers.get(url)
        return answer.status if answer is not None else 0

    def record(self, url: str) -> Recorded | None:
        """The answer that was recorded for an address."""
        answer = self._answers.get(url)
        if isinstance(answer, Place):
            answer = read_answer(self._files[answer.file], answer.offset)
        original = self.record(address_of(answer.same_as)) if answer and answer.same_as else None
        if answer is None or original is None:
            return answer
        return answer._replace(raw=original.raw, truncated=original.truncated)

    def response(self, url: str) -> Response:
        """The answer that was recorded for an address, as it came and decoded; without a body if there is none."""
        record = self.record(url)
        if record is None:
            return Response(url, self.status(url))
        body, cut = decode(record.raw, record.header("content-encoding"), _MAX_BODY)
        return Response(
            url,
            record.status,
            record.headers,
            body,
            record.raw,
            truncated=record.truncated or cut,
            fetched_at=record.at,
        )

    def final(self, url: str) -> str:
        """The page that an address leads to after all redirects, "" when it leads to none."""
        asked: set[str] = set()
        while url in self.redirects and url not in asked:
            asked.add(url)
            url = self.redirects[url]
        return url if 200 <= self.status(url) < 300 else ""


class OfflineFetcher:
    """Answers from a recorded web (role Fetcher).

    `within` limits it to some of its pages; a redirect from elsewhere to one of them is followed.
    `check_hop` is shown the address asked for and every redirect's target before it is followed, and raises
    Refusal to stop.
    """

    def __init__(
        self,
        web: OfflineWeb,
        *,
        within: Collection[str] | None = None,
        check_hop: Callable[[str, str], None] | None = None,
        bodies: bool = True,
        max_redirects: int = 10,
    ) -> None:
        self._web = web
        self._within = within
        self._check_hop = check_hop
        self._bodies = bodies
        self._max_redirects = max_redirects

    async def fetch(self, url: str, conditions: Conditions | None = None) -> Response:
        """The recorded page an address leads to."""
        hops: list[Hop] = []
        while target := self._web.redirects.get(url):
            if len(hops) >= self._max_redirects:
                raise FetchError(ErrorKind.REDIRECTS, f"more than {self._max_redirects} redirects")
            if any(hop.url == target for hop in hops):
                raise FetchError(ErrorKind.REDIRECTS, f"a loop at {target}")
            hops.append(Hop(url, self._web.status(url), target))
            if not self._web.status(target):
                raise FetchError(ErrorKind.MISS, f"redirected to {target}, which is not in the snapshot")
            if self._check_hop is not None:
                self._check_hop(hops[0].url, target)
            url = target
        return self._answer(url, tuple(hops))

    async def close(self) -> None:
        """Nothing is open."""

    def _answer(self, url: str, hops: tuple[Hop, ...]) -> Response:
        status = self._web.status(url)
        if not status or (self._within is not None and url not in self._within):
            raise FetchError(ErrorKind.MISS, "not in the snapshot")
        if not 200 <= status < 300:
            raise FetchError(ErrorKind.STATUS, _title(status), status=status)
        response = self._web.response(url) if self._bodies else Response(url, status)
        return replace(response, hops=hops) if hops else response


def _reachable_answers(path: Path) -> Iterator[tuple[int, Recorded]]:
    """The answers of a file whose records all start where they are said to, as the file itself starts."""
    answers = read_answers(path)
    first = next(answers, None)
    if first is None:
        return
    with path.open("rb") as file:
        magic, last = file.read(_MAGIC), -1
        for offset, answer in chain((first,), answers):
            file.seek(offset)
            if offset <= last or file.read(_MAGIC) != magic:
                raise ConfigError(
                    f"{path} is not compressed record by record, so no page in it can be reached alone; "
                    "rewrite it, for example with: warcio recompress."
                )
            yield offset, answer
            last = offset


def _title(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)
