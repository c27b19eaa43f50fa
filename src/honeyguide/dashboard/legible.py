"""Text of the web made fit for a line of a page; escaping is left to whoever writes the page."""

JOINERS = "\u200c\u200d"
"""Not printable by themselves, but Persian and emoji are not written without them."""


def legible(text: str, length: int = 200) -> str:
    """One line without control characters or any that turn the writing around, cut to a length."""
    clean = "".join(
        character if character.isprintable() or character in JOINERS else " "
        for character in text[: 4 * length]
    )
    line = " ".join(clean.split())
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def legible_text(text: str, length: int) -> str:
    """The same for a text of many lines, whose lines are kept."""
    return "".join(
        character if character.isprintable() or character in JOINERS or character == "\n" else " "
        for character in text[:length]
    )
