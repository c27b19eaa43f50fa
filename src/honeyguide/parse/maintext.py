"""The page's own text, apart from menus, headers and footers.

turbohtml finds the element that holds the content; `contexts` cuts its text out of the page's and leaves
out what `places` finds to be boilerplate. resiliparse is slower and often better, and reads the markup
again; hostile markup it would choke on is not given to it.
"""

import re

import turbohtml
from resiliparse.extract.html2text import extract_plain_text

_PLENTY = 2_000
_FAIR_SHARE = 0.5
"""A short main text that is less of a page than this is likely a mistake of the extractor."""

_SKIPPED = (
    ["nav", "aside", "body > header", "body > footer", "body > div > header", "body > div > footer"]
    + [f".{name}" for name in ("sidebar", "menu", "navbar", "breadcrumb", "breadcrumbs")]
    + [f"#{name}" for name in ("sidebar", "menu", "nav", "header", "footer")]
)
LAYOUT = turbohtml.PlainText(layout="strict", bullet="")
"""How documents are rendered."""
_CELLS = ("table", "td", "th", "caption")

MOST_TAME = 1_000_000
"""The most characters that a parser made of lexbor is given."""
_MOST_TAGS = 20_000
_MOST_ATTRIBUTES = 1_000
_DEEPEST = 400
_tags = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)").findall
_long_tags = re.compile(r"<[a-zA-Z][^<>]{8000,}").findall
_UNCLOSED_NAMES = (
    "area base br col embed hr img input link meta param source track wbr p li td th tr dt dd option tbody "
    "thead tfoot colgroup html head body"
)
_UNCLOSED = frozenset(_UNCLOSED_NAMES.split())


def best_text(main: str, visible: str, *, share: float) -> str:
    """The main text; or all that is visible outside menus, where the main text is short and but a small share."""
    return main if is_plenty(main) or share >= _FAIR_SHARE else visible


def is_plenty(main: str) -> bool:
    """Whether a main text is so long that no other can be better."""
    return len(main) >= _PLENTY


def flatten_tables(document: turbohtml.Document | turbohtml.Element) -> None:
    """Make blocks of tables, for the renderer pads columns: a page of 500 KB can ask for 4 GB of spaces."""
    for tag in _CELLS:
        for cell in document.find_all(tag):
            cell.tag = "div"


def render(document: turbohtml.Document | turbohtml.Element) -> str:
    """What a reader sees of a document whose tables are flat: no scripts, no styles, blocks on their own lines."""
    return document.to_text(LAYOUT)


def text_of(fragment: str) -> str:
    """The text of a piece of HTML."""
    if "<" not in fragment and "&" not in fragment:
        return fragment.strip()
    element = turbohtml.parse_fragment(fragment, positions=False)
    flatten_tables(element)
    return render(element)


def resiliparse_text(markup: str) -> str:
    """The main text as resiliparse sees it; "" for markup that is too dangerous to give it."""
    if not is_tame(markup):
        return ""
    text: str = extract_plain_text(
        markup,
        main_content=True,
        list_bullets=False,
        links=False,
        alt_texts=False,
        noscript=True,
        skip_elements=_SKIPPED,
    )
    return text.strip()


def is_tame(markup: str) -> bool:
    """Whether a parser made of lexbor, which takes minutes over some small pages, can read this in good time."""
    if len(markup) > MOST_TAME or markup.count("<") > _MOST_TAGS:
        return False
    if any(tag.count("=") > _MOST_ATTRIBUTES for tag in _long_tags(markup)):
        return False
    open_tags: dict[str, int] = {}
    for slash, name in _tags(markup):
        tag = name.lower()
        if slash:
            open_tags[tag] = max(0, open_tags.get(tag, 0) - 1)
        else:
            open_tags[tag] = open_tags.get(tag, 0) + 1
            if open_tags[tag] > _DEEPEST and tag not in _UNCLOSED:
                return False
    return True
