"""Who sits at the keyboard."""

from honeyguide.display import printable
from honeyguide.errors import ConfigError


def person(name: str | None, option: str) -> str:
    """The name that was given with an option, else the user's."""
    if name is None:
        import getpass

        try:
            name = getpass.getuser()
        except (OSError, KeyError):
            name = "me"
    known = printable(name).strip()[:100]
    if not known:
        raise ConfigError(f"{option} must name somebody.")
    return known
