"""Guide: Honeyguide's own strategy, which weighs all that is known of a link and learns as the crawl goes on."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import compress
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from honeyguide.errors import ConfigError, ErrorKind
from honeyguide.graph.waiting import GROWTH
from honeyguide.model import Candidate, Example, Link, Origin, Topic, Verdict, Visit
from honeyguide.roles import Strategy, VisitLog
from honeyguide.strategies.expectation import Expectation
from honeyguide.strategies.link_reader import WIDTH, LinkReader, example_links
from honeyguide.strategies.patience import Patience
from honeyguide.strategies.places import Places
from honeyguide.strategies.promises import BARREN, FEATURES, FIRST, SPREAD, TRIED, Weights, weights_in
from honeyguide.strategies.prospects import (
    COLUMN,
    COLUMNS,
    LINKS,
    PLACES,
    SUMS,
    Prospects,
    Rows,
    first_of_each,
    host_number,
    unpacked,
)
from honeyguide.strategies.siblings import block_of
from honeyguide.strategies.signs import COUNT, GROUPS, SIGNS, signs_of_addresses, signs_of_links
from honeyguide.strategies.tunnels import KEYWORDS, OFF_TOPIC, Tunnels, Way
from honeyguide.strategies.yields import Arrival, Floats, Reviewed, Yields, with_room
from honeyguide.text.compass import Compass
from honeyguide.text.documents import Documents
from honeyguide.text.embeddings import Embeddings
from honeyguide.text.kinds import ABOVE, SENSES, above, meanings
from honeyguide.text.soft_bayes import SoftBayes
from honeyguide.urls import name_in

SAVED = 7
"""The version of what is saved of it."""

EAGER, KEEN = 30, 100
"""Pages up to which what waits is scored anew after every page, and after every third."""

PRIOR = {1.0: 10.0, 0.0: 100.0}
"""As how many links the topic's examples count together, and the texts that are off topic."""

LEARN_EVERY = 25
"""Pages after which what was learned from links takes effect."""

TOP = 1000
"""URLs that are scored anew between two occasions on which all are: what can come near the top."""

AT_ONCE = 2048
"""URLs that are scored in one go: what is worked out of a million at once would take a gigabyte."""

MOVED = 0.05
"""A change of score that matters."""

FRONT = 500
"""URLs in front that are moved when they are scored anew, or as many as may be taken until the next time; where hosts
have to be waited for, as many of each host are, however far behind it is.
"""

LATEST = 20_000
"""URLs among which ways off the topic are chosen: those heard of last."""

IN_VAIN = (ErrorKind.TYPE, ErrorKind.KNOWN)
"""Answers, besides that there is no page, by which a host gave nothing: nothing to read, or what was read before."""

GIVEN_UP = 10
"""Times `every` pages after which a way off the topic that was chosen is counted on no longer: nobody knows when its
host may be asked.
"""

READ = 32
"""Pages with links to a URL of which the words are read; of more only how relevant they are, and a better one's."""

BLOCKS = 256
"""Blocks of a page that are told apart; links in further ones count as in the last. They are remembered for good."""

LED_WORDS = 24
"""Words of the link that led to a page that are remembered, in case the page turns out to be worth more."""

INDEPENDENT = 8.0
"""Words of a link that count as if they were independent."""

TELLING = np.array([{"names": 8.0, "form": 4.0, "beside": 4.0, "place": 6.0}[name] for name in GROUPS])[
    :, None
]
"""Signs of each group that count as if they were independent, a row for each group."""

BEST, LEAST_LEVEL, HIGHEST = 0.2, 0.1, 1.5
"""Relevance is measured by that of the best pages so far: so large a share of all, and taken to be so much at
least. Nothing counts for more than so many times as much.
"""

WAIT = 5.0
"""What a host's links lose each time that patience with it is lost."""

GOOD = 0.5
"""How relevant a page must be, beside the best pages so far, for its host to have given something."""

FEATURE = {name: number for number, name in enumerate(FEATURES)}
RELATIVE = [
    FEATURE[name]
    for name in ("relevance", "best", "second", "expected", "siblings", "company", "places", "inherited")
]
"""Where the features are that are made of how relevant pages were."""

OF_COLUMNS = [FEATURE[name] for name in COLUMNS]
OF_SIGNS = [FEATURE[name] for name in GROUPS]
FIRST_SIGNS = [group.start for group in GROUPS.values()]
"""Where the features are that the table's columns hold, and those that signs tell; where each group of signs begins."""


class Guide(Strategy):
    """Scores a URL by everything that the pages linking to it and the crawl so far say of it.

    score = sum of w_f * (x_f - m_f) / s_f over some features x: how relevant the pages are that link there and
    how many; what the links' own words and those around them mean, compared with the topic's examples and
    words; what links with such words have led to (a ridge regression on their meaning and naive Bayes on the
    words, both taught during the crawl); how links that led to good pages are written and addressed, and what
    kinds of things they name; what the links beside it, its host and its folder have yielded; and how relevant the
    way there was. No feature counts for more than four deviations. A page off topic that led to relevant ones
    counts as worth up to `gamma`, so that the crawl learns which links lead through a page off topic to the topic.
    A host that gives nothing for long has to wait for others, whatever its links promise. When links that promise
    something run out, part of the budget goes into links of pages off topic, and more of it if that pays. With
    `diverse`, each doubling of the pages that a host gave costs its links so much.

    The weights come with the package, or from the file `weights`. The URLs in front are scored anew after every
    page at first, then every `every` pages, and all that wait whenever the crawl has grown by 5 %.
    """

    needs = ("background",)

    def __init__(
        self,
        *,
        every: int = 10,
        gamma: float = 0.9,
        delta: float = 0.5,
        penalty: float = 5.0,
        diverse: float = 0.0,
        weights: str = "",
    ) -> None:
        if every < 1:
            raise ConfigError("Guide's every must be at least 1.")
        for name, value in (("gamma", gamma), ("delta", delta)):
            if not 0 <= value <= 1:
                raise ConfigError(f"Guide's {name} must lie between 0 and 1, not at {value}.")
        if penalty <= 0:
            raise ConfigError("Guide's penalty must be above 0.")
        if diverse < 0:
            raise ConfigError("Guide's diverse must not be below 0.")
        self.every = every
        self.gamma = gamma
        self.delta = delta
        self.penalty = penalty
        self.diverse = diverse
        self.weights = weights
        self._prospects = Prospects(width=WIDTH)
        self._yields = Yields(links=LINKS, gamma=gamma, delta=delta)
        self._places = Places(places=PLACES)
        self._patience = Patience(places=PLACES)
        self._expectation = Expectation(width=WIDTH, penalty=penalty)
        self._bayes = SoftBayes()
        self._signs = SoftBayes(numbers=SIGNS)
        self._kinds = SoftBayes()
        self._tunnels = Tunnels()
        self._led_by = np.zeros((0, WIDTH), np.int8)
        self._led_words = np.zeros((0, LED_WORDS), np.int32)
        self._led_signs = np.zeros((0, COUNT), np.uint16)
        self._led_kinds = np.zeros((0, 2 * SENSES), np.int32)
        self._missed = 0
        self._due = 0
        self._all_at = 0
        self._parked = np.zeros(PLACES, np.int32)
        self._level = 1.0
        self._reader: LinkReader | None = None

    def fit(self, topic: Topic, log: VisitLog | None) -> Self:
        """Take up the topic; all else is learned on the way."""
        _ = self._weights  # a file that cannot be read is told of now
        documents = Documents.of(topic)
        embeddings = Embeddings(documents.book)
        compass = Compass.of(topic, documents, embeddings)
        self._reader = LinkReader(compass, documents, embeddings)
        for worth, vectors in example_links(compass).items():
            self._expectation.learn(vectors, worth, PRIOR[worth] / len(vectors))
        self._expectation.settle()
        others = (*topic.background, *topic.off_topic)
        for worth, examples in ((1.0, topic.examples), (0.0, others)):
            self._show([example for example in examples if example.url], worth)
        titles = [example.title for example in topic.examples]
        self._name([topic.name, *topic.keywords, *titles], 1.0)
        self._name([example.title for example in others], 0.0)
        seeds = self._prospects.rows(topic.seeds)
        self._prospects.waits[seeds] = False  # their turn comes whatever they promise
        return self

    def expand(self, visit: Visit) -> Iterable[Candidate]:
        table, page = self._prospects, visit.page
        row = int(table.rows([visit.url])[0])
        table.waits[row] = False
        if page is None or visit.error is not None:
            if visit.status >= 400 or visit.error in IN_VAIN:
                self._patience.miss(int(table.hosts[row]))
                self._missed += 1
            return []
        number = self._arrive(visit, row)
        if page.url != visit.url:
            self._know(page.url, number)
        first: dict[str, Link] = {}
        for link in page.links:
            first.setdefault(link.url, link)
        links = list(first.values())
        if not links:
            return []
        rows = table.rows(list(first))
        blocks = self._meet(number, links, rows)
        waits = table.waits[rows]
        if not waits.any():
            return []
        links, rows = list(compress(links, waits)), rows[waits]
        self._hear(number, visit, links, rows, blocks[waits])
        scores = self._weights.scores(self._features(rows), self._more(rows))
        table.scores[rows] = table.queued[rows] = scores
        depth = visit.candidate.depth + 1
        return [Candidate(link, score, depth) for link, score in zip(links, scores.tolist(), strict=True)]

    def combine(self, waiting: Candidate, found: Candidate) -> Candidate:
        """The later one: its score was made of all that is known. Seeds keep their place."""
        for one in (waiting, found):
            if one.link.origin == Origin.SEED:
                self.refused(one.url)  # nothing that is learned shall move it
                return one
        return found

    def refused(self, url: str) -> None:
        row = self._prospects.find(url)
        if row is not None:
            self._prospects.waits[row] = False

    def parked(self, host: str, is_parked: bool) -> None:
        self._parked[host_number(host)] += 1 if is_parked else -1
        if not is_parked:
            self._due = self._all_at = 0  # scores of its links are old

    def changes(self) -> Iterable[tuple[str, float]]:
        pages = len(self._yields)
        answers = pages + self._missed
        if answers < self._due:
            return ()
        self._due = answers + (1 if pages < EAGER else min(self.every, 3) if pages < KEEN else self.every)
        self._measure()
        table = self._prospects
        rows = table.waiting()
        if self._parked.any():
            rows = rows.compress(self._parked.take(table.hosts.take(rows)) <= 0)
        tried = self._try(rows) if self._tunnels.is_dry else rows[:0]
        if pages - self._all_at < GROWTH * pages and len(rows) > TOP:
            rows = np.union1d(table.best(rows, TOP), tried)
        else:
            self._all_at = pages
            self._places.settle()
        if not len(rows):
            return ()
        parts = np.split(rows, range(AT_ONCE, len(rows), AT_ONCE))
        scores = np.concatenate(
            [self._weights.scores(self._features(part), self._more(part)) for part in parts]
        )
        table.scores[rows] = scores
        moved = np.abs(scores - table.queued[rows]) > MOVED
        front = max(FRONT, self.every)
        if len(rows) > front:
            highest = np.maximum(scores, table.queued[rows])
            moved &= self._is_ahead(table.hosts[rows], highest, np.partition(scores, -front)[-front], front)
        rows, scores = rows[moved], scores[moved]
        table.queued[rows] = scores
        return zip(table.urls(rows), scores.tolist(), strict=True)

    def explain(self, candidate: Candidate) -> Mapping[str, float] | None:
        row = self._prospects.find(candidate.url)
        if row is None or self._prospects.columns[row, 0] == 0:
            return None
        rows = np.array([row])
        return self._weights.parts(self._features(rows), self._more(rows))

    def rejudged(self, verdicts: Iterable[tuple[str, Verdict]]) -> None:
        table = self._prospects
        changes = np.zeros(len(self._yields) + 1)
        anew: dict[int, float] = {}
        for url, verdict in verdicts:
            row = table.find(url)
            if row is None or (number := int(table.numbers[row])) < 0:
                continue
            before = self._yields.relevance(number)
            changes[number] += verdict.score - before
            anew[number] = verdict.score
            self._places.change(int(table.hosts[row]), int(table.folders[row]), before, verdict.score)
            self._review(self._yields.rejudge(number, verdict.score))
        self._measure()
        self._patience.rejudge({number: score >= GOOD * self._level for number, score in anew.items()})
        self._tunnels.rejudge(self._yields.relevances()[:-1])
        self._expectation.settle()
        table.rejudge(self._yields.pages_of_blocks(), self._yields.relevances(), changes)
        self._due = self._all_at = 0

    def waiting(self) -> list[str]:
        """The URLs that wait, as far as it knows."""
        return list(self._prospects.urls(self._prospects.waiting()))

    def features(self, urls: Sequence[str]) -> Floats:
        """What is known of some URLs it has heard of, in the order of FEATURES."""
        return self._features(self._prospects.rows(urls))

    def state(self) -> Mapping[str, Any]:
        return {
            "version": SAVED,
            "prospects": self._prospects.state(),
            "yields": self._yields.state(),
            "places": self._places.state(),
            "patience": self._patience.state(),
            "expectation": self._expectation.state(),
            "bayes": self._bayes.state(),
            "signs": self._signs.state(),
            "kinds": self._kinds.state(),
            "tunnels": self._tunnels.state(),
            "led_by": self._led_by[: len(self._yields)].copy(),
            "led_words": self._led_words[: len(self._yields)].copy(),
            "led_signs": self._led_signs[: len(self._yields)].copy(),
            "led_kinds": self._led_kinds[: len(self._yields)].copy(),
            "missed": self._missed,
            "due": self._due,
            "all_at": self._all_at,
            "level": self._level,
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        if state.get("version") != SAVED:
            raise ConfigError("What guide had learned was saved by another version of Honeyguide.")
        self._prospects.restore(state["prospects"])
        self._yields.restore(state["yields"])
        self._places.restore(state["places"])
        self._patience.restore(state["patience"])
        self._expectation.restore(state["expectation"])
        self._bayes.restore(state["bayes"])
        self._signs.restore(state["signs"])
        self._kinds.restore(state["kinds"])
        self._tunnels.restore(state["tunnels"])
        self._led_by = state["led_by"].astype(np.int8)
        self._led_words = state["led_words"].astype(np.int32)
        self._led_signs = state["led_signs"].astype(np.uint16)
        self._led_kinds = state["led_kinds"].astype(np.int32)
        self._missed, self._due, self._all_at = state["missed"], state["due"], state["all_at"]
        self._level = state["level"]

    def _show(self, examples: Sequence[Example], worth: float) -> None:
        """Learn how pages are titled and addressed, as if links with such titles had led there; not their words, of
        which the meaning is known.
        """
        if not examples:
            return
        links = [Link(example.url, anchor=example.title) for example in examples]
        count, urls = len(examples), [example.url for example in examples]
        of_links = signs_of_links(links, np.zeros((count, 1), np.int32), [-1] * count)
        signs = np.concatenate((of_links, signs_of_addresses(urls)), axis=1)
        rows, places = signs.nonzero()
        self._signs.learn(
            rows, signs[rows, places].astype(np.int64), np.full(count, worth), PRIOR[worth] / count
        )

    def _name(self, names: Sequence[str], worth: float) -> None:
        """Learn what kinds of things pages are about, as if links with such names had led there."""
        for name in names:
            self._learn_kinds(np.array(meanings(name)), worth, PRIOR[worth] / len(names))

    def _learn_kinds(self, kinds: NDArray[np.int32], worth: float, times: float = 1.0) -> None:
        every = _all_above(kinds)
        self._kinds.learn(np.zeros(len(every), np.int64), every, np.array([worth]), times)

    def _arrive(self, visit: Visit, row: int) -> int:
        """Take in that a page turned out as it did, and learn from the links that led there; its number."""
        table = self._prospects
        relevance = visit.verdict.score if visit.verdict else 0.0
        is_led = table.columns[row, 0] > 0
        way = Arrival(int(table.pages[row]), table.blocks[row])
        self._places.add(int(table.hosts[row]), int(table.folders[row]), relevance)
        number, reviewed = self._yields.arrive(relevance, float(table.columns[row, COLUMN["inherited"]]), way)
        is_good = relevance >= GOOD * self._level
        self._patience.arrive(int(table.hosts[row]), is_good=is_good, way=self._yields.way(number))
        self._led_by = with_room(self._led_by, number + 1)
        self._led_words = with_room(self._led_words, number + 1)
        self._led_signs = with_room(self._led_signs, number + 1)
        self._led_kinds = with_room(self._led_kinds, number + 1)
        self._tunnels.arrive(number, relevance, is_tried=bool(table.tried_at[row] > 0))
        if visit.page and relevance < OFF_TOPIC:
            self._tunnels.name(number, self._links.keywords(visit.page, KEYWORDS))
        if self._is_off_topic(way.page):
            self._tunnels.follow(way.page, number, relevance)
        if is_led:
            vector = table.vectors(np.array([row]))
            self._led_by[number] = table.packed(row)
            self._expectation.learn(vector.astype(np.float64), min(1.0, relevance / self._level))
            words = self._links.words(visit.candidate.link)
            self._bayes.learn(np.zeros(len(words), np.int64), words, np.array([relevance]))
            self._led_words[number, : len(words)] = words[:LED_WORDS]
            signs = self._led_signs[number] = table.signs[row]
            signs = signs[signs > 0].astype(np.int64)
            self._signs.learn(np.zeros(len(signs), np.int64), signs, np.array([relevance]))
            self._led_kinds[number] = table.kinds[row]
            self._learn_kinds(table.kinds[row], relevance)
        table.numbers[row] = number
        self._review(reviewed)
        if len(self._yields) % LEARN_EVERY == 0:
            self._expectation.settle()
        return number

    def _measure(self) -> None:
        """Find out how relevant the best pages so far were."""
        self._level = min(1.0, max(LEAST_LEVEL, self._yields.level(BEST)))

    def _know(self, url: str, number: int) -> None:
        """An address is another name of a page that has come."""
        row = int(self._prospects.rows([url])[0])
        self._prospects.waits[row] = False
        if self._prospects.numbers[row] < 0:
            self._prospects.numbers[row] = number

    def _review(self, reviewed: Iterable[Reviewed]) -> None:
        """Learn that pages turned out to be worth more or less than was thought."""
        for page, change in reviewed:
            self._tunnels.correct(page, change)
            if self._yields.parent(page) < 0:  # no link led there, so none was learned from
                continue
            words = self._led_words[page]
            self._bayes.correct(words[words > 0].astype(np.int64), change)
            signs = self._led_signs[page]
            self._signs.correct(np.unique(signs[signs > 0]).astype(np.int64), change)
            self._kinds.correct(_all_above(self._led_kinds[page]), change)
            self._expectation.correct(unpacked(self._led_by[page]).astype(np.float64), change)

    def _is_ahead(
        self, hosts: NDArray[np.int32], scores: Floats, floor: float, most: int
    ) -> NDArray[np.bool_]:
        """Which URLs may be taken soon: those that score so much, and the first ones of hosts that have too few such,
        no more of these than `most`.
        """
        is_ahead = scores >= floor
        is_provided = np.bincount(hosts[is_ahead], minlength=PLACES) >= self.every
        behind = np.flatnonzero(~is_ahead & ~is_provided[hosts])
        is_ahead[behind[first_of_each(hosts[behind], scores[behind], self.every)[:most]]] = True
        return is_ahead

    def _is_off_topic(self, page: int) -> bool:
        return page >= 0 and self._yields.relevance(page) < OFF_TOPIC

    def _try(self, waiting: Rows) -> Rows:
        """Choose ways off the topic to go next, as many as the budget allows; those that are new."""
        table = self._prospects
        tried_at = table.tried_at.take(waiting)
        is_tried = tried_at > 0
        going = int((tried_at > max(0, len(self._yields) - GIVEN_UP * self.every)).sum())
        is_off_topic = (table.columns[waiting, COLUMN["best"]] < OFF_TOPIC) & (table.pages[waiting] >= 0)
        latest: Rows = waiting[is_off_topic & ~is_tried][-LATEST:]
        if going >= self.every or not len(latest):
            return latest[:0]
        way = Way(
            table.pages[latest],
            table.signs[latest, GROUPS["names"]],
            table.columns[latest, COLUMN["inherited"]].astype(np.float64),
        )
        odds = self._tunnels.odds(way, self._signs) - self._patience.lost(table.hosts[latest])
        wanted = max(0, self._tunnels.wanted(odds, self.every, going))
        chosen: Rows = latest[np.argsort(-odds, kind="stable")[:wanted]]
        table.tried_at[chosen] = len(self._yields)
        return chosen

    def _meet(self, page: int, links: Sequence[Link], rows: Rows) -> NDArray[np.int64]:
        """Note which pages that came before a page links to; the numbers of the blocks that its links stand in."""
        paths = [block_of(link.path) for link in links]
        opened = dict.fromkeys(paths)
        count = min(len(opened), BLOCKS)
        first = self._yields.open_blocks(page, count)
        numbers = {path: first + min(number, count - 1) for number, path in enumerate(opened)}
        blocks = np.array([numbers[path] for path in paths], np.int64)
        come = self._prospects.numbers[rows]
        is_known = (come >= 0) & (come != page)
        self._yields.meet(page, come[is_known], blocks[is_known])
        return blocks

    def _hear(
        self, page: int, visit: Visit, links: Sequence[Link], rows: Rows, blocks: NDArray[np.int64]
    ) -> None:
        """Note what a page's links say of the pages behind them, which wait."""
        count, table = len(links), self._prospects
        relevance = np.full(count, visit.verdict.score if visit.verdict else 0.0)
        heard = table.columns[rows, 0]
        new, better = heard == 0, table.is_better(rows, relevance)
        is_read = better | (heard < READ)
        read, best = list(compress(links, is_read)), list(compress(links, better))
        urls = [link.url for link in compress(links, new)]
        told, addresses = self._links.read(read, urls)
        table.name(
            rows[new],
            *addresses,
            signs=signs_of_addresses(urls),
            kinds=_kinds_of([name_in(url) for url in urls]),
        )
        is_best = better[is_read]
        figures = {
            "context": told.context,
            "anchor": told.anchor,
            "near": told.near,
            "anchor_words": told.words,
            "rarity": told.rarity,
            "learned": self._bayes.odds(told.rows, told.stems, len(read), INDEPENDENT),
        }
        said = table.completed(rows, is_read, figures, told.vectors)
        table.hear(
            rows,
            {
                "links": np.ones(count),
                "relevance": relevance,
                "inherited": np.full(count, self._yields.inherited(page)),
                **said.figures,
            },
            said.vectors,
            page=page,
            blocks=blocks,
            better=better,
            signs=signs_of_links(best, told.own[is_best], compress(told.begins, is_best)),
            kinds=_kinds_of([link.anchor for link in best]),
        )

    def _features(self, rows: Rows) -> Floats:
        """What is known of some URLs, in the order of FEATURES."""
        table = self._prospects
        columns = table.columns.take(rows, 0).T.astype(np.float64, order="C")
        sums = columns[: len(SUMS)]
        sums[0] = np.maximum(sums[0], 1.0)
        sums[1:] /= sums[0]
        sums[0] = np.log(sums[0])
        features = np.empty((len(FEATURES), len(rows)))
        features[OF_COLUMNS] = columns
        features[OF_SIGNS] = self._signs_say(rows)
        features[FEATURE["kind"]] = self._kinds_say(rows)
        siblings, company = self._yields.of_blocks(table.blocks.take(rows, 0))
        features[FEATURE["siblings"]], features[FEATURE["company"]] = siblings, company
        hosts, folders = table.hosts.take(rows), table.folders.take(rows)
        features[FEATURE["places"]] = self._places.of(hosts, folders, self._yields.mean)
        features[FEATURE["expected"]] = self._expectation.of(table.vectors(rows))
        relative = features.take(RELATIVE, 0)
        relative /= self._level
        features[RELATIVE] = np.minimum(relative, HIGHEST, out=relative)
        return features.T

    def _signs_say(self, rows: Rows) -> Floats:
        """What links with the signs of the best link to each of some URLs led to, a row for each group of signs; what
        is no sign was never taught, and says nothing.
        """
        signs = self._prospects.signs.take(rows, 0).T.astype(np.int64, order="C")
        sums = np.add.reduceat(self._signs.says(signs), FIRST_SIGNS, axis=0)
        sums *= TELLING / np.maximum(np.add.reduceat(np.sign(signs), FIRST_SIGNS, axis=0), TELLING)
        return np.asarray(sums)

    def _kinds_say(self, rows: Rows) -> Floats:
        """What links led to that name such things as the best links to some URLs and their addresses do: the mean over
        their kinds.
        """
        kinds = self._prospects.kinds.take(rows, 0)
        named = np.flatnonzero(kinds.any(axis=1))
        every = above(kinds.take(named, 0)).reshape(-1, kinds.shape[1] * ABOVE)
        said = np.zeros(len(rows))
        said[named] = self._kinds.says(every).sum(axis=1) / np.count_nonzero(every, axis=1)
        return said

    def _more(self, rows: Rows) -> Mapping[str, Floats]:
        """What counts beside the features, by name."""
        is_tried, hosts = self._prospects.tried_at[rows] > 0, self._prospects.hosts[rows]
        more: dict[str, Floats] = {
            TRIED: np.where(is_tried, FIRST, 0.0),
            BARREN: np.where(is_tried, 0.0, -WAIT * self._patience.lost(hosts)),
        }
        if self.diverse:
            more[SPREAD] = -self.diverse * np.log2(1 + self._places.pages_of(hosts))
        return more

    @cached_property
    def _weights(self) -> Weights:
        return weights_in(self.weights)

    @property
    def _links(self) -> LinkReader:
        if self._reader is None:
            raise ConfigError("Guide does not know the topic yet; fit it first.")
        return self._reader


def _kinds_of(names: Sequence[str]) -> NDArray[np.int32]:
    """What names stand for, a row each."""
    return np.array([meanings(name) for name in names], np.int32).reshape(-1, SENSES)


def _all_above(kinds: NDArray[np.integer]) -> NDArray[np.int64]:
    """Some kinds and those above them, each once."""
    every = np.unique(above(kinds))
    return every[every > 0]
