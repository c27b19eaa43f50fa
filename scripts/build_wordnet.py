"""Builds the WordNet that ships with the package.

    python scripts/build_wordnet.py DICT

DICT is a folder with the database files of WordNet 3.0 (data.*, index.sense, *.exc), such as
/usr/share/wordnet once Debian's wordnet-base and wordnet-sense-index are installed; needed by this script only.

What is kept: every lemma, its senses in WordNet's order with how often each was met in tagged text, what each
synset is a kind of (hypernyms, and the classes of which it is an instance), and the irregular forms. Glosses
and all other relations are left out. The result is the same on every run: the licence as comments, then
nine lines (described in honeyguide/text/wordnet.py), gzipped without a time stamp.
"""

import argparse
import gzip
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

OUTPUT = Path(__file__).parent.parent / "src" / "honeyguide" / "text" / "wordnet-3.0.txt.gz"
PARTS = {"n": "noun", "v": "verb", "a": "adj", "r": "adv"}
PART_OF_NUMBER = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
IS_A = ("@", "@i")
HEADER = "WordNet 3.0 without glosses, put together by scripts/build_wordnet.py. Its licence:\n"


class Sense(NamedTuple):
    """One meaning of a lemma: where its synset stands, its rank among the lemma's, and how often it was met."""

    part: str
    rank: int
    offset: int
    times: int


def senses(folder: Path) -> dict[str, list[Sense]]:
    """The senses of every lemma: nouns, verbs, adjectives, adverbs, each in WordNet's order."""
    found: defaultdict[str, list[Sense]] = defaultdict(list)
    for line in lines(folder / "index.sense"):
        key, offset, rank, count = line.split()
        lemma, _, rest = key.partition("%")
        found[lemma].append(Sense(PART_OF_NUMBER[rest[0]], int(rank), int(offset), int(count)))
    order = list(PARTS)
    return {
        lemma: sorted(several, key=lambda sense: (order.index(sense.part), sense.rank))
        for lemma, several in sorted(found.items())
    }


def synsets(folder: Path) -> dict[tuple[str, int], list[tuple[str, int]]]:
    """Every synset and what it is a kind of, nouns first."""
    found: dict[tuple[str, int], list[tuple[str, int]]] = {}
    for part, name in PARTS.items():
        for line in lines(folder / f"data.{name}"):
            if line.startswith(" "):
                continue
            fields = line.partition("|")[0].split()
            pointers = fields[4 + 2 * int(fields[3], 16) :]
            found[part, int(fields[0])] = [
                (pointers[at + 2], int(pointers[at + 1]))
                for at in range(1, 1 + 4 * int(pointers[0]), 4)
                if pointers[at] in IS_A
            ]
    return found


def without_cycles(parents: list[list[int]]) -> list[list[int]]:
    """The same without the edges that close a cycle: two verbs of WordNet 3.0 are kinds of each other."""
    kept: list[list[int]] = [[] for _ in parents]
    for child, above in enumerate(parents):
        for parent in above:
            if child not in reached(parent, kept):
                kept[child].append(parent)
    return kept


def reached(start: int, parents: list[list[int]]) -> set[int]:
    """All that a synset is a kind of, itself included."""
    seen, waiting = {start}, [start]
    while waiting:
        fresh = set(parents[waiting.pop()]) - seen
        seen |= fresh
        waiting += fresh
    return seen


def irregular(folder: Path) -> list[str]:
    """Irregular forms as part:form:lemma, sorted."""
    return sorted(
        f"{part}:{line.split()[0]}:{lemma}"
        for part, name in PARTS.items()
        for line in lines(folder / f"{name}.exc")
        for lemma in line.split()[1:]
    )


def licence(folder: Path) -> str:
    """The licence at the head of every database file."""
    numbered = [line.strip().partition(" ") for line in lines(folder / "data.noun") if line.startswith("  ")]
    return "\n".join(text for _, _, text in numbered)


def lines(path: Path) -> list[str]:
    return path.read_text(encoding="ascii").splitlines()


def build(folder: Path) -> bytes:
    """The data file."""
    of_lemma, above = senses(folder), synsets(folder)
    number = {key: place for place, key in enumerate(above)}
    parents = without_cycles([[number[key] for key in several] for several in above.values()])
    every = [sense for several in of_lemma.values() for sense in several]
    rows: list[list[str] | list[int]] = [
        [sum(part == key[0] for key in number) for part in PARTS],
        list(of_lemma),
        [len(several) for several in of_lemma.values()],
        [number[sense.part, sense.offset] for sense in every],
        [place for place, sense in enumerate(every) if sense.times],
        [sense.times for sense in every if sense.times],
        [len(several) for several in parents],
        [parent for several in parents for parent in several],
        list(irregular(folder)),
    ]
    head = "".join(f"# {line}".rstrip() + "\n" for line in (HEADER + licence(folder)).splitlines())
    text = head + "".join(" ".join(map(str, row)) + "\n" for row in rows)
    return gzip.compress(text.encode("ascii"), 9, mtime=0)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Build the WordNet that ships with the package.")
    parser.add_argument("dict", type=Path, help="folder with the database files of WordNet 3.0")
    OUTPUT.write_bytes(build(parser.parse_args().dict))
    print(f"{OUTPUT.name}: {OUTPUT.stat().st_size} bytes")
