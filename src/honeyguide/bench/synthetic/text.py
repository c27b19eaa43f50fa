"""Words, sentences and markup for pages that nobody wrote.

A topic's words are invented, so that no two topics share a word by accident; what stands between them is
plain English, so that a page passes for English. Every vocabulary is Zipf's: the word of rank r comes up
in proportion to 1/r. Topics lie in a row and each is a window on the same long list of words, so what is
rare in one topic is common in the next.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from random import Random
from typing import NamedTuple

_CONSONANTS = "bdfghjklmnprstvz"
_VOWELS = "aiou"  # no e: English stemming would take it off and make one word of two
SYLLABLES = tuple(consonant + vowel for consonant in _CONSONANTS for vowel in _VOWELS)
_WORD_SYLLABLES = 3
MOST_WORDS = len(SYLLABLES) ** _WORD_SYLLABLES

_GENERAL = """time people year way day man thing woman life child world school state family student group country
problem hand part place case week company system program question work government number night point home water
room mother area money story fact month lot right study book eye job word business issue side kind head house
service friend father power hour game line end member law car city community name president team minute idea kid
body information back parent face others level office door health person art war history party result change
morning reason research girl guy moment air teacher force education foot boy age policy process music market sense
nation plan college interest death experience effect use class control field development role effort rate heart
drug show leader light voice wife police mind price report decision son view relationship town road arm difference
value building action season society tax director position player record paper space ground form event official
matter center couple site project activity star table need court oil situation cost industry figure street image
phone data picture practice piece land product doctor wall worker news test movie north love support technology"""
_CALENDAR = (
    "calendar events day month week today tomorrow schedule agenda evening meeting date time room open"
)
_JOINTS = (
    "the|of the|and the|a|in the|to the|with the|for a|is the|on the|and|from the|has a|of a|by the|its|"
    "this|that|every|such a|was the|which is a|but the|or the|no|some|another|between the|under the|without"
)
_JOINT_WORDS = tuple(_JOINTS.split("|"))
_VAGUE_ANCHORS = (
    "click here|read more|this page|more|details|next|home|full story|link|continue|see also|website"
)
_VAGUE = tuple(_VAGUE_ANCHORS.split("|"))
_POINTERS = ("See", "More:", "Compare", "Also", "From", "Related:")
_SENTENCE = 9
_PARAGRAPH = 4


class Vocabulary(NamedTuple):
    """Words, the most frequent first, with their running weights."""

    words: tuple[str, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, words: Iterable[str]) -> "Vocabulary":
        """Give words the weights of their ranks."""
        ranked = tuple(words)
        return cls(ranked, tuple(accumulate(1 / rank for rank in range(1, len(ranked) + 1))))

    def draw(self, rng: Random, count: int) -> list[str]:
        """As many words as asked for, by their frequencies."""
        return rng.choices(self.words, cum_weights=self.weights, k=count)


GENERAL = Vocabulary.of(_GENERAL.split())
CALENDAR = Vocabulary.of(_CALENDAR.split())


class Anchor(NamedTuple):
    """A link as a page shows it."""

    url: str
    text: str
    about: str = ""


def spell(number: int, syllables: int) -> str:
    """A number as syllables; no two numbers sound alike."""
    parts = []
    for _ in range(syllables):
        number, rest = divmod(number, len(SYLLABLES))
        parts.append(SYLLABLES[rest])
    return "".join(parts)


def vocabularies(rng: Random, *, count: int, size: int, overlap: float) -> tuple[Vocabulary, ...]:
    """A row of vocabularies; each shares this part of its words, its rarer ones, with the next."""
    step = max(1, round(size * (1 - overlap)))
    factor, offset = 2 * int(rng.random() * MOST_WORDS) + 1, int(rng.random() * MOST_WORDS)
    words = [
        spell((number * factor + offset) % MOST_WORDS, _WORD_SYLLABLES)
        for number in range((count - 1) * step + size)
    ]
    return tuple(Vocabulary.of(words[start * step : start * step + size]) for start in range(count))


def sentences(rng: Random, vocabulary: Vocabulary, focus: float, words: int) -> list[str]:
    """Sentences in which this share of the words that mean something is of the vocabulary."""
    chance = rng.random
    phrases = [
        f"{joint} {telling if chance() < focus else plain}"
        for joint, telling, plain in zip(
            rng.choices(_JOINT_WORDS, k=words),
            vocabulary.draw(rng, words),
            GENERAL.draw(rng, words),
            strict=True,
        )
    ]
    return [
        " ".join(phrases[start : start + _SENTENCE]).capitalize() + "."
        for start in range(0, words, _SENTENCE)
    ]


def vague_anchor(rng: Random) -> str:
    """A text that says nothing of where it leads."""
    return _VAGUE[int(rng.random() * len(_VAGUE))]


def document(
    *,
    title: str,
    site: str,
    menu: Sequence[Anchor],
    sentences: Sequence[str],
    links: Sequence[Anchor],
    listed: bool,
) -> str:
    """A page with a menu, its own text, and a footer; its links stand in the text, or in a list after it."""
    if listed:
        items = "\n".join(f"<li>{_markup(link)} {link.about}</li>" for link in links)
        body = f"<p>{' '.join(sentences)}</p>\n<ul>\n{items}\n</ul>"
    else:
        body = _paragraphs(sentences, links)
    entries = "".join(f"<li>{_markup(link)}</li>" for link in menu)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head><meta charset="utf-8">'
        f"<title>{title}</title></head>\n<body>\n<header><p>{site}</p><nav><ul>{entries}</ul></nav></header>\n"
        f"<main><article>\n<h1>{title}</h1>\n{body}\n</article></main>\n"
        f"<footer><p>All rights reserved by {site}, contact the office.</p></footer>\n</body>\n</html>\n"
    )


def _paragraphs(sentences: Sequence[str], links: Sequence[Anchor]) -> str:
    """Paragraphs with the links spread evenly over them."""
    pieces = list(sentences)
    for number, link in enumerate(links):
        pointer = _POINTERS[len(link.url + link.text) % len(_POINTERS)]
        pieces[number * len(sentences) // len(links)] += f" {pointer} {_markup(link)}."
    return "\n".join(
        f"<p>{' '.join(pieces[start : start + _PARAGRAPH])}</p>"
        for start in range(0, len(pieces), _PARAGRAPH)
    )


def _markup(link: Anchor) -> str:
    return f'<a href="{link.url}">{link.text}</a>'
