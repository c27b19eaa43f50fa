"""What the links between pages say of them: how others call a page, and how much they think of it.

Authority is topic-sensitive PageRank (Haveliwala 2002) over the links between the pages of the index: whoever tires
of following links jumps to a page on topic. It is brought to [0, 1] by its logarithm,
authority(p) = ln(1 + PR(p)) / ln(1 + max PR).
"""

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from zipfile import BadZipFile
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from honeyguide.graph.links import LinkGraph
from honeyguide.graph.pagerank import pagerank

MOST_ANCHORS = 10
LONGEST_ANCHOR = 100
ITERATIONS = 30
AT_ONCE = 10_000

Keys = NDArray[np.int64]
Link = tuple[int, int, str]
"""The keys of the page a link is on and of the page it leads to, and its words."""


@dataclass
class Linkage:
    """The links between pages, gathered in their order."""

    sources: "array[int]" = field(default_factory=lambda: array("q"))
    targets: "array[int]" = field(default_factory=lambda: array("q"))
    anchors: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The first different words that links to a page say."""

    _named: set[int] = field(default_factory=set)

    def gather(self, links: Iterable[Link]) -> "Linkage":
        """Take in links; only the first anchors of a page are kept, so that most pages soon change no more."""
        links, anchors = iter(links), self.anchors
        while several := list(islice(links, AT_ONCE)):
            self.sources.extend([source for source, _, _ in several])
            self.targets.extend([target for _, target, _ in several])
            for source, target, words in several:
                if not words or target in self._named or source == target:
                    continue
                if words not in anchors.get(target, ()):
                    self._name(target, words[:LONGEST_ANCHOR])
        return self

    def _name(self, target: int, words: str) -> None:
        anchor = words if words.isascii() else words.encode("utf-8", "replace").decode()
        known = self.anchors.get(target, ())
        if anchor not in known:
            known = self.anchors[target] = (*known, anchor)
            if len(known) == MOST_ANCHORS:
                self._named.add(target)

    def authority(self, keys: Keys, relevant: NDArray[np.bool_]) -> NDArray[np.float64]:
        """How much the pages with these sorted keys are thought of, in [0, 1]."""
        if not len(keys):
            return np.zeros(0)
        sources, in_sources = _places(keys, np.array(self.sources, np.int64))
        targets, in_targets = _places(keys, np.array(self.targets, np.int64))
        inside = in_sources & in_targets & (sources != targets)
        pairs = np.unique(sources[inside] * len(keys) + targets[inside])
        graph = LinkGraph()
        graph.restore(
            {
                "hashes": keys.view(np.uint64),
                "told": np.ones(len(keys), np.uint8),
                "sources": pairs // len(keys),
                "targets": pairs % len(keys),
            }
        )
        home = relevant if relevant.any() else np.ones(len(keys), np.bool_)
        ranks = pagerank(graph, iterations=ITERATIONS, jump=home * (len(keys) / home.sum()))
        grown: NDArray[np.float64] = np.log1p(ranks)
        grown /= grown.max()
        return grown


@dataclass(frozen=True)
class Standing:
    """What was last worked out of the links: by sorted key, a page's authority and a digest of its anchors."""

    keys: Keys
    authority: NDArray[np.float64]
    digests: NDArray[np.uint32]

    @classmethod
    def nothing(cls) -> "Standing":
        """Of no page at all."""
        return cls(np.zeros(0, np.int64), np.zeros(0), np.zeros(0, np.uint32))

    @classmethod
    def load(cls, file: Path) -> "Standing":
        """What `save` wrote; nothing if it cannot be read, for it can be worked out again."""
        try:
            with np.load(file, allow_pickle=False) as arrays:
                return cls(arrays["keys"], arrays["authority"], arrays["digests"])
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return cls.nothing()

    def save(self, file: Path) -> None:
        """Write it down, all or nothing."""
        draft = file.with_suffix(".draft")
        with draft.open("wb") as stream:
            np.savez(stream, keys=self.keys, authority=self.authority, digests=self.digests)
        draft.replace(file)

    def authorities(self, keys: Keys) -> NDArray[np.float64]:
        """The authority of pages; 0 for those it does not know yet."""
        if not len(self.keys):
            return np.zeros(len(keys))
        places, known = _places(self.keys, keys)
        return np.where(known, self.authority[places], 0.0)

    def renamed(self, anchors: Mapping[int, tuple[str, ...]]) -> list[int]:
        """The pages whose anchors are others by now."""
        known = dict(zip(self.keys.tolist(), self.digests.tolist(), strict=True))
        return sorted(key for key, words in anchors.items() if known.get(key, 0) != digest(words))


def digest(anchors: tuple[str, ...]) -> int:
    """A number for some anchors; 0 for none."""
    return crc32("\n".join(anchors).encode()) if anchors else 0


def _places(keys: Keys, wanted: Keys) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
    """Where in the sorted keys the wanted ones are, and whether they are there."""
    places = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1).astype(np.int64)
    return places, keys[places] == wanted
