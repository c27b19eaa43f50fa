"""Languages by their codes: whether a page is in one that is wanted, and what to call it."""

from collections.abc import Iterable

NAMES = {
    "af": "Afrikaans",
    "ar": "Arabic",
    "az": "Azerbaijani",
    "be": "Belarusian",
    "bg": "Bulgarian",
    "bn": "Bengali",
    "bs": "Bosnian",
    "ca": "Catalan",
    "cs": "Czech",
    "cy": "Welsh",
    "da": "Danish",
    "de": "German",
    "el": "Greek",
    "en": "English",
    "eo": "Esperanto",
    "es": "Spanish",
    "et": "Estonian",
    "eu": "Basque",
    "fa": "Persian",
    "fi": "Finnish",
    "fr": "French",
    "ga": "Irish",
    "gl": "Galician",
    "he": "Hebrew",
    "hi": "Hindi",
    "hr": "Croatian",
    "hu": "Hungarian",
    "hy": "Armenian",
    "id": "Indonesian",
    "is": "Icelandic",
    "it": "Italian",
    "ja": "Japanese",
    "ka": "Georgian",
    "kk": "Kazakh",
    "ko": "Korean",
    "la": "Latin",
    "lt": "Lithuanian",
    "lv": "Latvian",
    "mk": "Macedonian",
    "mr": "Marathi",
    "ms": "Malay",
    "nl": "Dutch",
    "no": "Norwegian",
    "pa": "Punjabi",
    "pl": "Polish",
    "pt": "Portuguese",
    "ro": "Romanian",
    "ru": "Russian",
    "sh": "Serbo-Croatian",
    "sk": "Slovak",
    "sl": "Slovenian",
    "sq": "Albanian",
    "sr": "Serbian",
    "sv": "Swedish",
    "sw": "Swahili",
    "ta": "Tamil",
    "te": "Telugu",
    "th": "Thai",
    "tl": "Tagalog",
    "tr": "Turkish",
    "uk": "Ukrainian",
    "ur": "Urdu",
    "vi": "Vietnamese",
    "zh": "Chinese",
}

_CODES = {name.lower(): code for code, name in NAMES.items()}
_UNKNOWN = frozenset({"", "und", "mul"})


def primary(language: str) -> str:
    """The code of a language without its region or script: "en" of "en-GB", "en_US" and "English"."""
    code = language.strip().lower().replace("_", "-").partition("-")[0]
    return _CODES.get(code, code)


def name(language: str) -> str:
    """What a language is called in English; its code where it has no name here."""
    return NAMES.get(primary(language), language.strip())


def complaint(language: str, wanted: Iterable[str]) -> str:
    """Why a page in this language is not judged; empty if it may be, as when its language is unknown."""
    names = {primary(language): name(language) for language in wanted}
    code = primary(language)
    if code in _UNKNOWN or code in names:
        return ""
    return f"page is in {name(language)}; wanted: {', '.join(names.values())}"
