"""Builds the lexicon of the part-of-speech tagger that ships with the package.

    python scripts/build_tagging.py WORDNET

WORDNET is the folder of a WordNet 3.0 database (index.noun, noun.exc, cntlist.rev and so on; on Debian,
/usr/share/wordnet of the package wordnet-base). For every single word and every inflected form of it the
script adds up how often WordNet's tagged texts use it as noun, verb, adjective and adverb, decides what kind
of word it may be, and writes those whose ending alone would mislead the tagger.

The result is the same on every run: lines of a kind's letter and its words, sorted, gzipped without a time
stamp.
"""

import gzip
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from honeyguide.text.tagging import Kind, guessed

OUTPUT = Path(__file__).parent.parent / "src" / "honeyguide" / "text" / "tagging-en.txt.gz"
HEADER = """\
# What English words may be where their endings mislead: the letter of a kind, a tab, its words.
# Derived by scripts/build_tagging.py from WordNet 3.0, Copyright 2006 by Princeton University.
# Licence: see NOTICE.
"""
PARTS = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
PART_OF_NUMBER = {"1": "n", "2": "v", "3": "a", "4": "r", "5": "a"}
UNSEEN = 0.4
"""What a sense that the tagged texts do not hold counts for."""
USUAL = 3
"""Weight from which a short adjective is taken to have degrees."""


def lemmas(folder: Path) -> dict[tuple[str, str], float]:
    """How often each word is used as each part of speech."""
    seen: Counter[tuple[str, str]] = Counter()
    for line in (folder / "cntlist.rev").read_text().splitlines():
        key, _, count = line.split()
        word, _, rest = key.partition("%")
        seen[word, PART_OF_NUMBER[rest[0]]] += int(count)
    weights = {}
    for name, part in PARTS.items():
        for line in (folder / f"index.{name}").read_text().splitlines():
            word, _, senses, *_ = line.split() if not line.startswith(" ") else ("_", "", "0")
            if word.isalpha() and word.isascii() and len(word) > 1:
                weights[word, part] = seen[word, part] + UNSEEN * int(senses)
    return weights


def irregular(folder: Path) -> dict[str, dict[str, list[str]]]:
    """Inflected forms that follow no rule, by part of speech and word."""
    forms: dict[str, dict[str, list[str]]] = {}
    for name, part in PARTS.items():
        of_word: defaultdict[str, list[str]] = defaultdict(list)
        for line in (folder / f"{name}.exc").read_text().splitlines():
            form, *words = line.split()
            if form.isalpha():
                for word in words:
                    of_word[word].append(form)
        forms[part] = of_word
    return forms


def inflected(word: str, part: str, weight: float, exceptions: list[str]) -> Iterator[tuple[str, str]]:
    """The forms of a word, each with what it is: n v a r, d for past forms, g for those in -ing."""
    yield word, part
    hissing = word.endswith(("s", "x", "z", "ch", "sh"))
    soft = word.endswith("y") and word[-2] not in "aeiou"
    stem = word.removesuffix("e")
    if part in "nv":
        yield (word[:-1] + "ies" if soft else word + "es" if hissing else word + "s"), part
    if part == "v":
        gerund = [form for form in exceptions if form.endswith("ing")]
        yield from ((form, "g") for form in gerund or [stem + "ing"])
        past = [form for form in exceptions if not form.endswith(("ing", "s"))]
        yield from ((form, "d") for form in past or [word[:-1] + "ied" if soft else stem + "ed"])
    elif part == "n":
        yield from ((form, "n") for form in exceptions)
    elif part == "a":
        graded = [word[:-1] + "i" if soft else stem] if len(word) < 7 and weight >= USUAL else []
        yield from ((form + ending, "a") for form in graded for ending in ("er", "est"))
        yield from ((form, "a") for form in exceptions)


def kind_of(uses: dict[str, float]) -> Kind:
    """What kind of word it may be, by how often it is each part of speech."""
    noun, verb, adjective, adverb = uses["n"], uses["v"], uses["a"], uses["r"]
    past, gerund = uses["d"], uses["g"]
    nominal = noun + adjective
    if gerund and gerund + verb >= adjective:
        return Kind.GERUND if noun else Kind.OTHER
    if past > 3 * nominal or (past and past >= adjective and past > noun):
        return Kind.PARTICIPLE
    if adverb > 2 * (nominal + verb):
        return Kind.OTHER
    if adjective > noun and adjective >= verb:
        return Kind.ADJECTIVE_OR_NOUN if noun > 0.15 * adjective else Kind.ADJECTIVE
    if noun < 0.1 * verb and adjective < 0.3 * verb:
        return Kind.OTHER
    if adjective > 0.15 * noun and noun + adjective > verb:
        return Kind.ADJECTIVE_OR_NOUN
    if verb > noun:
        return Kind.VERB_OR_NOUN
    return Kind.NOUN_OR_VERB if verb > 0.1 * noun else Kind.NOUN


def lexicon(folder: Path) -> dict[str, Kind]:
    """Every form of every word, with what it may be."""
    uses: defaultdict[str, dict[str, float]] = defaultdict(lambda: dict.fromkeys("nvardg", 0.0))
    exceptions = irregular(folder)
    for (word, part), weight in lemmas(folder).items():
        for form, use in inflected(word, part, weight, exceptions[part].get(word, [])):
            uses[form][use] += weight
    return {form: kind_of(counts) for form, counts in uses.items()}


def build(folder: Path) -> bytes:
    """The data file."""
    words_of: defaultdict[str, list[str]] = defaultdict(list)
    for word, kind in lexicon(folder).items():
        if kind != guessed(word):
            words_of[chr(kind)].append(word)
    lines = [f"{letter}\t{' '.join(sorted(words))}\n" for letter, words in sorted(words_of.items())]
    return gzip.compress((HEADER + "".join(lines)).encode(), compresslevel=9, mtime=0)


if __name__ == "__main__":
    if len(sys.argv) != 2 or not (Path(sys.argv[1]) / "cntlist.rev").is_file():
        sys.exit("Say in which folder a WordNet 3.0 database is: python scripts/build_tagging.py WORDNET")
    OUTPUT.write_bytes(build(Path(sys.argv[1])))
    print(f"{OUTPUT.name}: {OUTPUT.stat().st_size} bytes")
