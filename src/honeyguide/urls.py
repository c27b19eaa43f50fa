"""URLs: one spelling for each address, and what can be read off it.

`canonical` resolves and parses as browsers do (WHATWG, through ada), then goes on where the standard
stops: two spellings that every server treats alike become one, and what only names a visitor
(session ids, campaign tags) is dropped. The other functions take canonical URLs and slice them.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from urllib.parse import unquote

from ada_url import join_url, normalize_url
from publicsuffixlist import PublicSuffixList
from xxhash import xxh3_64_intdigest

MAX_URL_LENGTH = 2083
"""Longer URLs are no addresses; the figure is the longest that any browser had as its limit."""

_MAX_HREF_LENGTH = 4 * MAX_URL_LENGTH
"""An href may shrink by resolving it, but not a book of `data:` to an address."""

WEB_SCHEMES = ("http", "https")
"""The schemes of addresses that a crawl can go to; archives know others."""

_TRACKING = (
    "gclid gclsrc dclid gbraid wbraid gad_source srsltid _ga _gl fbclid fb_source fb_ref msclkid yclid "
    "ysclid _openstat twclid ttclid igshid igsh li_fat_id mc_cid mc_eid mkt_tok epik s_kwcid ef_id zanpid "
    "rb_clickid wickedid vero_id vero_conv oly_anon_id oly_enc_id _hsenc _hsmi __hssc __hstc __hsfp "
    "hsctatracking pk_campaign pk_kwd pk_keyword pk_source pk_medium pk_content wt_mc wt.mc_id wt.mc_ev "
    "xtor ns_campaign ns_source ns_mchannel ns_linkname ns_fee spm"
)
_SESSIONS = (
    "phpsessid jsessionid jsessionidsso asp.net_sessionid sessid oscsid xtcsid zenid cfid cftoken cfsessionid"
)
_DROPPED_NAMES = frozenset(f"{_TRACKING} {_SESSIONS}".split())
_DROPPED_PREFIXES = ("utm_", "mtm_", "hsa_", "piwik_", "matomo_", "fb_action_", "aspsessionid")
_PERHAPS_SESSIONS = frozenset(("sid", "sessionid", "session_id"))

# `sid` is a visitor's token on one site and the number of a story on the next: only the value tells.
_is_token = re.compile(
    r"(?=[a-z]*\d)(?=\d*[a-z])[0-9a-z]{6,}|\d{20,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|",
    re.IGNORECASE,
).fullmatch

_drop_session_parameter = re.compile(
    r";(?:jsessionid|phpsessid|sessionid|sid|cfid|cftoken)=[^/;]*", re.IGNORECASE
).sub
_drop_session_segment = re.compile(r"/\((?:[A-Z]\([\w-]+\))+\)(?=/)").sub  # ASP.NET: /(S(token))/page.aspx

_UNRESERVED = "-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
_KEPT_ESCAPE = "%(?!2[DE]|3[0-9]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])[0-9A-F]{2}"
_SPELLINGS = {
    "%": "%25",
    **{char: f"%{ord(char):02X}" for char in '|[]^`{}"<>\\'},
    **{
        f"%{high}{low}": char
        if (char := chr(int(high + low, 16))) in _UNRESERVED
        else f"%{high}{low}".upper()
        for high in "0123456789abcdefABCDEF"
        for low in "0123456789abcdefABCDEF"
    },
}
_to_respell = re.compile(r'%(?:[0-9A-Fa-f]{2})?|[|\[\]^`{}"<>\\]')

# What needs no parser: a plain host name, no dot segments, no session ids, every escape spelt our way.
_is_plain = re.compile(
    r"https?://(?=[^/]{1,253}/)(?:[a-z0-9-]{1,63}\.)+[a-z]{2,63}(?::(?!80/|443/)(?:[1-9]\d{1,3}|[1-5]\d{4}))?(?=/)"
    rf"(?:[A-Za-z0-9_~!$&'()*+,=:@.-]++|/(?![.(])|{_KEPT_ESCAPE})*+"
    rf"(?:\?((?:[A-Za-z0-9_~!$&()*+,=:@./?;-]++|{_KEPT_ESCAPE})*+))?"
).fullmatch
_parts_of = re.compile(
    r"([a-z][a-z0-9+.-]*)://(?:[^/@]*@)?(\[[^]]*\]|[^:/]*)(:\d+)?([^?]*)\??(.*)", re.DOTALL
).fullmatch
_is_host = re.compile(r"(?=.{1,253}$)(?:[^.]{1,63}\.)*[^.]{1,63}").fullmatch
_is_foreign = re.compile(r"(?!https?:)([a-z][a-z0-9+.-]*):", re.IGNORECASE).match

_is_address = re.compile(r"\[.*|[\d.]+").fullmatch
_between_words = re.compile(r"[\x00-@\[-`{-\xbf\u2000-\u206f\u3000-\u303f\ufffd]+").split
_NO_WORDS = "index default home html htm xhtml shtml php asp aspx jsp cgi bin www"
_DULL_WORDS = frozenset(_NO_WORDS.split())
_NO_NAMES = _DULL_WORDS | {"main", "page", "welcome"}
_namespace = re.compile(r"[^:]+:(?=[^\s:])").match


def canonical(url: str, base: str | None = None, schemes: Sequence[str] = WEB_SCHEMES) -> str | None:
    """The one spelling of an address of one of these schemes, resolved against `base`; None if it is none."""
    address = _resolve(url, *_frame(base), schemes) if base else _resolve(url, "", "", "", schemes)
    return address if address is None or address.partition(":")[0] in schemes else None


def canonical_all(hrefs: Sequence[str], base: str, schemes: Sequence[str] = WEB_SCHEMES) -> list[str | None]:
    """`canonical` for all links of a page."""
    base, origin, folder = _frame(base)
    urls = [_resolve(href, base, origin, folder, schemes) for href in hrefs]
    if all(scheme in schemes for scheme in WEB_SCHEMES):
        return urls
    return [url if url and url.partition(":")[0] in schemes else None for url in urls]


def host_of(url: str) -> str:
    """The host name of a canonical URL, without the port; an IPv6 address keeps its brackets."""
    start = url.find("//") + 2
    end = url.find("/", start)
    host = url[start:end] if end > 0 else url[start:]
    if ":" not in host:
        return host
    return host[: host.find("]") + 1] or host[: host.find(":")]


def origin_of(url: str) -> str:
    """The scheme, host and port of a canonical URL, as in "https://example.org:8080"."""
    end = url.find("/", url.find("//") + 2)
    return url[:end] if end > 0 else url


@lru_cache(maxsize=65_536)
def domain_of(host: str) -> str:
    """The registered domain a host belongs to; addresses and single labels stand for themselves."""
    if _is_address(host):
        return host
    return _suffixes().privatesuffix(host) or host


def url_hash(url: str) -> int:
    """A signed 64-bit hash, the same on every machine and fit for an SQLite integer."""
    unsigned = xxh3_64_intdigest(url.encode("utf-8", "surrogatepass"))
    return unsigned - (1 << 64) if unsigned >> 63 else unsigned


def words_of(url: str) -> str:
    """The readable words of a URL's path, for links that have no words of their own."""
    folder, _, last = _path_of(url).rpartition("/")
    of_folder, of_last = _words_of_folder(folder), _words_in(_readable(last))
    return f"{of_folder} {of_last}" if of_folder and of_last else of_folder or of_last


def name_in(url: str) -> str:
    """The name that a URL's last part spells if it starts with a capital, as in /people/Marie_Curie.html or
    /wiki/Category:Birds; else "".
    """
    last = _path_of(url).rpartition("/")[2]
    if not last[:1].isupper() and last[:1] != "%":
        return ""
    last = _readable(last)
    if not last[:1].isupper():
        return ""
    name = last.replace("_", " ").strip()
    if kind := _namespace(name):
        name = name[kind.end() :]
    return "" if _NO_NAMES.issuperset(name.lower().split()) else name


def _path_of(url: str) -> str:
    return url[len(origin_of(url)) :].partition("?")[0]


@lru_cache(maxsize=1 << 14)
def _words_of_folder(folder: str) -> str:
    return _words_in(_unescaped(folder))


def _words_in(path: str) -> str:
    words = _between_words(path)
    return " ".join(
        [word for word in words if (word.lower() not in _DULL_WORDS if len(word) > 1 else word > "\x7f")]
    )


def _readable(part: str) -> str:
    """The last part of a path without its ending, its escapes resolved."""
    stem, dot, ending = part.rpartition(".")
    return _unescaped(stem if dot and ending.isalnum() and len(ending) <= 5 else part)


def _unescaped(path: str) -> str:
    """A path, its escapes resolved: twice, because sites that escape what is escaped already are not rare."""
    return unquote(unquote(path)) if "%" in path else path


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()


def _frame(base: str) -> tuple[str, str, str]:
    """A base as the standard spells it, with its origin and its folder; all empty when it is none."""
    href = _parse(base) if len(base) <= _MAX_HREF_LENGTH else None
    if href is None:
        return "", "", ""
    path = href.partition("#")[0].partition("?")[0]
    return href, origin_of(path), path[: path.rfind("/") + 1]


def _resolve(href: str, base: str, origin: str, folder: str, schemes: Sequence[str]) -> str | None:
    """Guess by gluing strings; only where the guess is not provably right ask the parser."""
    if len(href) > _MAX_HREF_LENGTH:
        return None
    rest = href[: href.index("#")] if "#" in href else href
    first = rest[:1]
    if first == "/" and rest[:2] != "//":
        guess = origin + rest
    elif rest[:4] == "http" and ":" in rest:
        guess = rest
    elif not first or first == "?" or ":" in rest:
        guess = ""
    else:
        while rest[:3] == "../":
            rest = rest[3:]
            if len(folder) > len(origin) + 1:
                folder = folder[: folder.rfind("/", 0, -1) + 1]
        guess = "" if rest[:1] in "./" else folder + rest
    plain = _is_plain(guess)
    if plain is None:
        return _resolve_by_parser(href, base, schemes)
    query = plain[1]
    if query is not None:
        guess = guess[: plain.start(1) - 1] + _tidy(query)
    return guess if len(guess) <= MAX_URL_LENGTH else None


def _resolve_by_parser(href: str, base: str, schemes: Sequence[str]) -> str | None:
    foreign = _is_foreign(href)
    if foreign is not None and foreign[1].lower() not in schemes:
        return None
    url = _parse(href, base)
    parts = _parts_of(url.partition("#")[0]) if url else None
    if parts is None:
        return None
    scheme, host, port, path, query = parts.groups("")
    host = host.removesuffix(".")
    if scheme not in schemes or not (_is_host(host) or (scheme == "file" and not host)):
        return None
    path = _to_respell.sub(_respell, path)
    lasting = _drop_session_segment("", _drop_session_parameter("", path))
    url = f"{scheme}://{host}{port}{lasting}{_tidy(_to_respell.sub(_respell, query))}"
    if lasting != path:
        return _resolve_by_parser(url, "", schemes)  # what was dropped may have hidden a dot segment
    return url if len(url) <= MAX_URL_LENGTH else None


def _parse(href: str, base: str = "") -> str | None:
    """What the standard says an href means, or None where it says failure."""
    try:
        return join_url(base, href) if base else normalize_url(href)
    except ValueError:
        whole = href.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        return _parse(whole, base) if whole != href else None


def _respell(match: re.Match[str]) -> str:
    return _SPELLINGS[match[0]]


def _tidy(query: str) -> str:
    """A query with its "?", without visitors' marks and with its names in order; "" when nothing is left."""
    kept = [pair for pair in query.split("&") if pair and not _names_a_visitor(pair)]
    if len(kept) > 1:
        kept.sort(key=_name_of)
    return "?" + "&".join(kept) if kept else ""


def _name_of(pair: str) -> str:
    return pair.partition("=")[0]


def _names_a_visitor(pair: str) -> bool:
    name, _, value = pair.partition("=")
    name = name.lower()
    return (
        name in _DROPPED_NAMES
        or name.startswith(_DROPPED_PREFIXES)
        or (name in _PERHAPS_SESSIONS and _is_token(value) is not None)
    )
