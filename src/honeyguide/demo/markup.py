"""HTML as three kinds of sites write it: with today's elements, with divs, and with tables."""

from collections.abc import Iterable, Mapping
from html import escape
from typing import NamedTuple

from honeyguide.demo.sites import Site

_STYLE = (
    "body{font:17px/1.55 Georgia,serif;margin:0 auto;max-width:44rem;padding:1rem;color:#222}"
    "nav ul,.menu{list-style:none;padding:0;display:flex;gap:1rem;flex-wrap:wrap}"
    "h1,h2{line-height:1.2}footer,.foot,.date{color:#666;font-size:.85em}"
)


class Reference(NamedTuple):
    """A link as a page writes it; `markup` stands for the whole link where it is not an ordinary one."""

    href: str
    text: str
    note: str = ""
    markup: str = ""


def anchor(reference: Reference) -> str:
    """The `a` element."""
    if reference.markup:
        return reference.markup
    return f'<a href="{escape(reference.href)}">{escape(reference.text)}</a>'


def listing(references: Iterable[Reference]) -> str:
    """A list of links, each with its note."""
    lines = (anchor(each) + (f" - {escape(each.note)}" if each.note else "") for each in references)
    return "<ul>\n" + "".join(f"<li>{line}</li>\n" for line in lines) + "</ul>"


def paragraph(text: str) -> str:
    """A paragraph of plain text."""
    return f"<p>{escape(text)}</p>"


def document(
    site: Site, title: str, main: str, *, head: str = "", language: str = "en", charset: str = "utf-8"
) -> str:
    """A whole page of a site: its header, its menu, the main part, its footer."""
    menu = [
        Reference("/index.html" if site.layout == "tables" and site.sections else "/", "Home"),
        *(Reference(href, text) for href, text in site.menu),
        *(Reference(f"/{section.folder}/", section.title) for section in site.sections),
    ]
    parts = {
        "lang": f' lang="{language}"' if language else "",
        "charset": f'<meta charset="{charset}">' if charset else "",
        "title": escape(f"{title} - {site.title}" if title != site.title else title),
        "head": head,
        "style": _STYLE,
        "name": escape(site.title),
        "tagline": escape(site.tagline),
        "heading": escape(title),
        "main": main,
        "menu": "".join(f"<li>{anchor(each)}</li>" for each in menu),
        "line": " | ".join(map(anchor, menu)),
        "foot": f"{escape(site.title)}. {escape(site.tagline)}. {anchor(menu[-1])}",
    }
    return _LAYOUTS[site.layout].format_map(parts)


_LAYOUTS: Mapping[str, str] = {
    "modern": """<!doctype html>
<html{lang}>
<head>{charset}<title>{title}</title>{head}<style>{style}</style></head>
<body>
<header><p><strong>{name}</strong><br>{tagline}</p></header>
<nav><ul>{menu}</ul></nav>
<main><article>
<h1>{heading}</h1>
{main}
</article></main>
<footer><p>{foot}</p></footer>
</body>
</html>
""",
    "divs": """<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN"
 "http://www.w3.org/TR/xhtml1/DTD/xhtml1-transitional.dtd">
<html xmlns="http://www.w3.org/1999/xhtml"{lang}>
<head>{charset}<title>{title}</title>{head}<style type="text/css">{style}</style></head>
<body>
<div id="header" class="header"><b>{name}</b> <span>{tagline}</span></div>
<div id="nav"><ul class="menu">{menu}</ul></div>
<div id="content">
<h1>{heading}</h1>
{main}
</div>
<div id="footer" class="foot"><p>{foot}</p></div>
</body>
</html>
""",
    "tables": """<HTML{lang}><HEAD>{charset}<TITLE>{title}</TITLE>{head}</HEAD>
<BODY BGCOLOR="#ffffee" TEXT="#222222">
<TABLE WIDTH="780" BORDER="0" CELLPADDING="8" ALIGN="center">
<TR><TD BGCOLOR="#ddddcc"><FONT SIZE="5">{name}</FONT><BR><FONT SIZE="2">{tagline}</FONT></TD></TR>
<TR><TD><FONT SIZE="2">[ {line} ]</FONT><HR></TD></TR>
<TR><TD>
<H1>{heading}</H1>
{main}
</TD></TR>
<TR><TD ALIGN="center"><HR><FONT SIZE="1">{foot}</FONT></TD></TR>
</TABLE>
</BODY></HTML>
""",
}
