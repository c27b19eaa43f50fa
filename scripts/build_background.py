"""Builds the background of English word weights that ships with the package.

    python scripts/build_background.py

Reads the word frequencies of the `wordfreq` package (needed by this script only) and writes, for every
stem, idf = ln(1/p), where p = 1 - exp(-f * L) is the chance that a document of L = 500 words holds it and
f is the summed frequency of the words that share the stem. That takes words to fall independently of each
other. They come in bursts: a word that occurs once in a document likely occurs again, so fewer documents
hold a content word than p says, and its true idf is somewhat larger. For common words the difference is
small; among rare ones it shifts all alike.

The result is the same on every run: lines of a weight and the stems that have it, sorted, gzipped without
a time stamp.
"""

import gzip
import math
from collections import defaultdict
from pathlib import Path

import wordfreq

from honeyguide.text.tokens import Tokeniser

OUTPUT = Path(__file__).parent.parent / "src" / "honeyguide" / "text" / "background-en.txt.gz"
DOCUMENT_WORDS = 500
LEAST_FREQUENCY = 5e-8
STEP = 0.05
HEADER = """\
# Inverse document frequencies of English stems: a weight, a tab, the stems that have it.
# Derived by scripts/build_background.py from wordfreq 3.1.1 by Robyn Speer, https://github.com/rspeer/wordfreq
# Licence of this file: Creative Commons Attribution-ShareAlike 4.0, https://creativecommons.org/licenses/by-sa/4.0/
# Attribution to wordfreq's sources: see NOTICE.
"""


def stem_frequencies() -> dict[str, float]:
    """How often each stem occurs per word of English; stop words are stems like any other here."""
    tokeniser = Tokeniser(stop_words=frozenset())
    frequencies: defaultdict[str, float] = defaultdict(float)
    for word, frequency in wordfreq.get_frequency_dict("en", wordlist="large").items():
        stems = tokeniser.stems(word)
        # wordfreq writes every number of two digits or more as zeros: "a380" is there as "a000".
        if len(stems) == 1 and "00" not in word:
            frequencies[stems[0]] += frequency
    return frequencies


def weights(frequencies: dict[str, float]) -> dict[str, list[str]]:
    """The stems of each weight, rounded to steps so that few weights serve all."""
    stems_of: defaultdict[float, list[str]] = defaultdict(list)
    for stem, frequency in frequencies.items():
        if frequency >= LEAST_FREQUENCY:
            idf = -math.log(-math.expm1(-frequency * DOCUMENT_WORDS))
            stems_of[round(idf / STEP) * STEP].append(stem)
    return {f"{idf:.2f}": sorted(stems) for idf, stems in sorted(stems_of.items())}


def build() -> bytes:
    """The data file."""
    lines = [f"{idf}\t{' '.join(stems)}\n" for idf, stems in weights(stem_frequencies()).items()]
    return gzip.compress((HEADER + "".join(lines)).encode(), compresslevel=9, mtime=0)


if __name__ == "__main__":
    OUTPUT.write_bytes(build())
    print(f"{OUTPUT.name}: {OUTPUT.stat().st_size} bytes")
