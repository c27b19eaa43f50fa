"""What some texts say and others do not.

The strength of a word or phrase is m * log(s / u): s is the share of the texts that say it, u the share of the
others, or of English at large if that is more, and m the mean of n / (n + 1) over the texts, with n how often
each says it. What one text repeats counts more than what it says once, but never as much as what all say.
"""

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from honeyguide.model import Example, Term
from honeyguide.text.documents import Documents
from honeyguide.text.matching import Matcher
from honeyguide.text.terms import Recogniser

CANDIDATES = 400
"""Phrases that are looked at, the best by C-value."""


class Told(NamedTuple):
    """A word or phrase, and how strongly it tells texts from others."""

    text: str
    strength: float


class Telling:
    """Tells some texts from others by what they say."""

    def __init__(self, texts: Iterable[Example], others: Iterable[Example], documents: Documents) -> None:
        self._documents = documents
        self._texts = [text for text in texts if text.text.strip() or text.title.strip()]
        self._others = tuple(others)

    @cached_property
    def words(self) -> list[Told]:
        """The words of the texts, the most telling first; each as most of them spell it."""
        spelt: defaultdict[str, Counter[str]] = defaultdict(Counter)
        counts = []
        if not self._texts:
            return []
        tokeniser = self._documents.tokeniser
        for text in self._texts:
            bag = self._documents.read(text).bag()
            stems: Counter[str] = Counter()
            for number, times in zip(bag.numbers.tolist(), bag.counts.tolist(), strict=True):
                word = self._documents.book.words.list[number]
                if stem := tokeniser.stem(word):
                    spelt[stem][word] += round(times)
                    stems[stem] += round(times)
            counts.append(stems)
        elsewhere: Counter[str] = Counter()
        for other in self._others:
            found = self._documents.read(other).stems().numbers.tolist()
            elsewhere.update(self._documents.book.stems.list[number] for number in found)
        idf = self._documents.background.idf
        strengths = self._strengths(counts, elsewhere, {stem: math.exp(-idf(stem)) for stem in spelt})
        return [Told(_usual(spelt[stem]), strength) for stem, strength in strengths]

    @cached_property
    def phrases(self) -> list[Told]:
        """The noun phrases of the texts, the most telling first."""
        if not self._texts:
            return []
        terms = Recogniser(self._documents).terms_of(self._texts, most=CANDIDATES)
        phrases = [text for text in terms if " " in text]
        matcher = Matcher([Term(text) for text in phrases], self._documents)
        counts = [self._said(matcher, phrases, text) for text in self._texts]
        elsewhere: Counter[str] = Counter()
        for other in self._others:
            elsewhere.update(self._said(matcher, phrases, other).keys())
        return [Told(text, strength) for text, strength in self._strengths(counts, elsewhere, {})]

    def _said(self, matcher: Matcher, phrases: Sequence[str], text: Example) -> Counter[str]:
        found = matcher.find(self._documents.read(text))
        return Counter({phrases[term]: times for term, times in found})

    def _strengths(
        self, counts: Sequence[Counter[str]], elsewhere: Counter[str], at_large: dict[str, float]
    ) -> list[tuple[str, float]]:
        shares: Counter[str] = Counter()
        means: defaultdict[str, float] = defaultdict(float)
        for counted in counts:
            shares.update(counted.keys())
            for name, times in counted.items():
                means[name] += times / (times + 1) / len(counts)
        strengths = []
        for name, number in shares.items():
            usual = max((elsewhere[name] + 1) / (len(self._others) + 1), at_large.get(name, 0.0))
            strengths.append((name, means[name] * math.log(number / len(counts) / usual)))
        found = [entry for entry in strengths if entry[1] > 0]
        return sorted(found, key=lambda entry: (-entry[1], entry[0]))


def _usual(forms: Counter[str]) -> str:
    """The form that occurs most; of several, the first by the alphabet."""
    return min(forms, key=lambda form: (-forms[form], form))
