"""What a robots.txt says: its lines read and its rules matched as RFC 9309, section 2.2, has them.

The reader and matcher are our own. The libraries let other records end a group, take "$" for an
ordinary sign too, or keep the two spellings of a slash in a query apart, and none of that can be
mended from outside.

Text is handled as octets, one character each, because rules and URLs compare octet by octet.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from honeyguide.urls import canonical

_BLANKS = " \t"
_KEYS = {
    **dict.fromkeys(("user-agent", "useragent", "user agent"), "user-agent"),
    **dict.fromkeys(("disallow", "dissallow", "dissalow", "disalow", "diasllow", "disallaw"), "disallow"),
    **dict.fromkeys(("crawl-delay", "crawldelay", "crawl delay"), "crawl-delay"),
    **dict.fromkeys(("sitemap", "sitemaps", "site-map"), "sitemap"),
    "allow": "allow",
}
"""What a line may begin with; the misspellings are those that large crawlers accept."""

_agent = re.compile(r"\*(?![^ \t])|[A-Za-z_-]+(?![A-Za-z0-9_-])").match

_BARE = r"A-Za-z0-9._~:@!&'()+,;=\[\]\-"
_is_bare = re.compile(f"[{_BARE}]").match
_to_respell = re.compile(f"%[0-9A-Fa-f]{{2}}|[^{_BARE}/?]")


class Rule(NamedTuple):
    """One line of a robots.txt, as it was written and as it is compared."""

    allow: bool
    text: str
    octets: int
    anchored: bool
    pieces: tuple[str, ...]
    """The path, cut at its wildcards."""
    in_query: tuple[str, ...]
    """The same pieces as they are spelt in a query, where a wildcard may have led."""
    key: str
    """What every path that the rule speaks of contains; most others do not, and that is told quickly."""


@dataclass(slots=True, eq=False)
class _Group:
    lines: list[tuple[bool, str]] = field(default_factory=list)
    delay: float = 0.0


class Rules:
    """What one robots.txt says to one crawler: by default, that everything is allowed."""

    __slots__ = ("_plain", "_rules", "_wild", "delay", "sitemaps", "weight")

    def __init__(
        self, lines: Iterable[tuple[bool, str]] = (), delay: float = 0.0, sitemaps: tuple[str, ...] = ()
    ) -> None:
        rules = [_rule(allow, pattern) for allow, pattern in lines]
        # The first match decides: the longest rule, and of two that are as long the one that allows.
        rules.sort(key=lambda rule: (-rule.octets, not rule.allow))
        self._rules = rules
        self._wild = [rule for rule in rules if _is_wild(rule)]
        self._plain = tuple(rule.pieces[0] for rule in rules if not _is_wild(rule))
        self.delay = delay
        self.sitemaps = sitemaps
        self.weight = 500 + sum(400 + 4 * rule.octets for rule in rules) + sum(map(len, sitemaps))

    @classmethod
    def read(cls, body: bytes, product: str, *, base: str = "", complete: bool = True) -> "Rules":
        """All that can be read as a rule for `product`; of a body that was cut, its whole lines only."""
        groups: dict[str, _Group] = {}
        current: list[_Group] = []
        in_heading = False
        sitemaps: list[str] = []
        for line in _lines(body, complete):
            key, colon, value = line.partition("#")[0].partition(":")
            name = _KEYS.get(key.strip(_BLANKS).lower()) if colon else None
            value = value.strip(_BLANKS)
            if name == "user-agent":
                if not in_heading:
                    current, in_heading = [], True
                token = _agent(value)
                agent = token[0].lower() if token else ""
                if agent in ("*", product):
                    group = groups.setdefault(agent, _Group())
                    if group not in current:
                        current.append(group)
            elif name in ("allow", "disallow"):
                in_heading = False
                if value[:1] in ("/", "*"):
                    for group in current:
                        group.lines.append((name == "allow", value))
            elif name == "crawl-delay":
                for group in current:
                    group.delay = max(group.delay, _seconds(value))
            elif name == "sitemap" and value:
                sitemaps.append(value)
        chosen = groups.get(product) or groups.get("*") or _Group()
        return cls(chosen.lines, chosen.delay, _urls(sitemaps, base))

    def match(self, target: str) -> Rule | None:
        """The rule that decides about a path with its query; None when no rule speaks of it."""
        if not target.isascii():
            target = target.encode("utf-8", "surrogatepass").decode("latin-1")
        path, sign, query = _respelt(target).partition("?")
        mark = len(path)
        path += sign + _bare(query)
        # One look at all prefixes at once spares most URLs the walk through the rules.
        for rule in self._rules if path.startswith(self._plain) else self._wild:
            if rule.key in path and _fits(rule, path, mark):
                return rule
        return None


def _lines(body: bytes, complete: bool) -> list[str]:
    if body.startswith((b"\xff\xfe", b"\xfe\xff")):
        body = body.decode("utf-16", "replace").encode()
    lines = body.removeprefix(b"\xef\xbb\xbf").replace(b"\r", b"\n").decode("latin-1").split("\n")
    return lines if complete else lines[:-1]


def _seconds(value: str) -> float:
    try:
        seconds = float(value)
    except ValueError:
        return 0.0
    return seconds if 0.0 < seconds < math.inf else 0.0


def _readable(octets: str) -> str:
    return octets.encode("latin-1").decode("utf-8", "replace")


def _urls(values: Iterable[str], base: str) -> tuple[str, ...]:
    found = (canonical(_readable(value), base) for value in values)
    return tuple(dict.fromkeys(url for url in found if url))


def _rule(allow: bool, line: str) -> Rule:
    anchored = line.endswith("$")
    pattern = line[:-1] if anchored else line
    path, sign, query = "*".join([_respelt(piece) for piece in pattern.split("*")]).partition("?")
    text = path + sign + _bare(query)
    pieces = tuple(text.split("*"))
    in_query = tuple(_bare(text).split("*"))
    return Rule(
        allow,
        f"{'Allow' if allow else 'Disallow'}: {_readable(line[:200])}",
        len(text) + anchored,
        anchored,
        pieces,
        pieces if in_query == pieces else in_query,
        max(pieces, key=len) if in_query == pieces else "",
    )


def _is_wild(rule: Rule) -> bool:
    return rule.anchored or len(rule.pieces) > 1


def _respelt(text: str) -> str:
    """One spelling for what compares equal: escaped is only what cannot stand bare or would mean more."""
    return _to_respell.sub(_respell, text)


def _respell(match: re.Match[str]) -> str:
    found = match[0]
    if len(found) == 1:
        return f"%{ord(found):02X}"
    char = chr(int(found[1:], 16))
    return char if _is_bare(char) else found.upper()


def _bare(query: str) -> str:
    """A slash or question mark has no meaning in a query, so there its escape is the same."""
    return query.replace("%2F", "/").replace("%3F", "?")


def _fits(rule: Rule, path: str, mark: int) -> bool:
    """Whether a path, with the question mark of its query at `mark`, is one that a rule speaks of."""
    first = rule.pieces[0]
    if not path.startswith(first):
        return False
    at = len(first)
    if len(rule.pieces) == 1:
        return not rule.anchored or at == len(path)
    floating = slice(1, -1) if rule.anchored else slice(1, None)
    for piece, in_query in zip(rule.pieces[floating], rule.in_query[floating], strict=True):
        found = path.find(piece, at)
        if found < 0:
            piece, found = in_query, path.find(in_query, max(at, mark + 1))
            if found < 0:
                return False
        at = found + len(piece)
    if not rule.anchored:
        return True
    return path.endswith(rule.pieces[-1], at) or path.endswith(rule.in_query[-1], max(at, mark + 1))
