"""Text from the web that is about to be shown in a terminal."""


def plain(text: str) -> str:
    """The text without any character that would steer a terminal or turn the writing around."""
    return "".join(character if character.isprintable() else " " for character in text)
