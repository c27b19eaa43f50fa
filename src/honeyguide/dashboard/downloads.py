"""Downloads get names that no file system and no browser can misread."""

import re
import unicodedata
from urllib.parse import quote

LONGEST = 120


def attachment(name: str) -> dict[str, str]:
    """The header that makes an answer a download of this name, in plain letters and in all of them."""
    safe = safe_name(name)
    plain = unicodedata.normalize("NFKD", safe).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9._ -]", "_", plain).strip(" .") or "download"
    return {
        "content-disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(safe, safe='')}"
    }


def safe_name(name: str) -> str:
    """A file's name without paths, control characters, directions of writing, or a leading dot."""
    kept = "".join(
        "_" if character in '/\\:*?"<>|' else character
        for character in unicodedata.normalize("NFC", name)
        if unicodedata.category(character)[0] not in "CZ" or character == " "
    )
    stem, dot, ending = kept.strip(" .").rpartition(".")
    if not dot:
        return ending[:LONGEST].strip(" .") or "download"
    return f"{stem[:LONGEST].strip(' .') or 'download'}.{ending[:16]}"
