"""Settings: tables of plain values, where every table is a constructor call.

`[politeness] delay = 2.0` in a topic file, `--set politeness.delay=2` on the command line and
`crawl(..., settings={"politeness": {"delay": 2}})` in Python are the same. Defaults live in the
constructors' signatures only; an unknown key is an error that lists the valid ones.
"""

import inspect
import json
import tomllib
import types
import typing
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, get_args, get_origin

from honeyguide.errors import ConfigError

Tables = dict[str, dict[str, Any]]
Made = TypeVar("Made")


def merge(*layers: Mapping[str, Mapping[str, Any]]) -> Tables:
    """Later layers win, key by key; a table that names another `use` starts afresh."""
    tables: Tables = {}
    for layer in layers:
        for name, values in layer.items():
            table = tables.setdefault(name, {})
            if "use" in values and values["use"] != table.get("use", values["use"]):
                table.clear()
            table.update(values)
    return tables


def parse_assignment(text: str) -> Tables:
    """`table.key=value`, as given to --set."""
    left, equals, right = text.partition("=")
    table, dot, key = left.strip().partition(".")
    if not (equals and dot and table and key):
        raise ConfigError(f"--set {text}: write it as table.key=value, for example politeness.delay=2.")
    return {table: {key: parse_value(right.strip())}}


def parse_use(text: str) -> dict[str, Any]:
    """`name:key=value,key=value`: a name with parameters, as given to --strategy and --judge."""
    name, _, rest = text.partition(":")
    table: dict[str, Any] = {"use": name.strip()}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        if not equals:
            raise ConfigError(f"{text}: write parameters as name:key=value,key=value.")
        table[key.strip()] = parse_value(value.strip())
    return table


def parse_value(text: str) -> Any:
    """A value as TOML would read it; what TOML cannot read is text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def construct(
    make: Callable[..., Made], table: Mapping[str, Any], /, *given: Any, name: str, **injected: Any
) -> Made:
    """Call a constructor with a table of settings, after checking names and types."""
    values = checked(make, table, name=name, injected=injected)
    try:
        return make(*given, **injected, **values)
    except ValueError as error:
        raise ConfigError(f"[{name}]: {error}.") from error


def checked(
    make: Callable[..., Any], table: Mapping[str, Any], *, name: str, injected: Iterable[str] = ()
) -> dict[str, Any]:
    """A table's values as the types the constructor asks for, or a sentence that says what is wrong."""
    parameters = settable(make, injected)
    values = {key: value for key, value in table.items() if key != "use"}
    unknown = sorted(set(values) - set(parameters))
    if unknown:
        valid = ", ".join(parameters) or "none"
        raise ConfigError(f"[{name}] has no key {', '.join(unknown)}; the keys are: {valid}.")
    return {key: _fit(value, parameters[key].annotation, f"{name}.{key}") for key, value in values.items()}


def settable(make: Callable[..., Any], injected: Iterable[str] = ()) -> dict[str, inspect.Parameter]:
    """The keyword parameters of a constructor that a table may set, with resolved annotations."""
    target = make.__init__ if inspect.isclass(make) else make
    hints = typing.get_type_hints(target)
    signature = inspect.signature(make)
    return {
        key: parameter.replace(annotation=hints.get(key, Any))
        for key, parameter in signature.parameters.items()
        if parameter.kind in (parameter.KEYWORD_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        and parameter.default is not parameter.empty
        and key not in set(injected)
        and _is_plain(hints.get(key, Any))
    }


def resolved(
    make: Callable[..., Any], table: Mapping[str, Any], injected: Iterable[str] = ()
) -> dict[str, Any]:
    """A table with the defaults of the constructor's signature filled in, as stored with a crawl."""
    values = {key: parameter.default for key, parameter in settable(make, injected).items()}
    values.update({key: value for key, value in table.items() if key != "use"})
    head = {"use": table["use"]} if "use" in table else {}
    return head | {key: value for key, value in values.items() if value is not None}


def _is_plain(annotation: Any) -> bool:
    """Whether a value of this type can be written in a settings file."""
    origin = get_origin(annotation)
    if origin in (typing.Union, types.UnionType, tuple, list):
        return all(_is_plain(part) for part in get_args(annotation) if part is not Ellipsis)
    if origin is not None and origin is not typing.Literal:
        return issubclass(origin, Mapping | Iterable) and not issubclass(origin, Callable)  # type: ignore[arg-type]
    return annotation is Any or origin is typing.Literal or annotation in (str, int, float, bool, type(None))


def _fit(value: Any, annotation: Any, where: str) -> Any:
    """The value as the type the constructor asks for, or a sentence."""
    origin, options = get_origin(annotation), get_args(annotation)
    if annotation is Any:
        return value
    if origin in (typing.Union, types.UnionType):
        for option in options:
            try:
                return _fit(value, option, where)
            except ConfigError:
                continue
    elif origin is typing.Literal:
        if value in options:
            return value
        raise ConfigError(f"{where} must be one of {', '.join(map(str, options))}, not {value!r}.")
    elif annotation is float and isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    elif annotation is bool or annotation is int or annotation is str:
        if type(value) is annotation:
            return value
        if annotation is str and isinstance(value, int | float) and not isinstance(value, bool):
            return str(value)
    elif origin is not None and issubclass(origin, Mapping):
        if isinstance(value, Mapping):
            return dict(value)
    elif origin is not None and issubclass(origin, Iterable):
        if isinstance(value, str):
            value = [value]
        if isinstance(value, list | tuple):
            inner = options[0] if options else Any
            return tuple(_fit(item, inner, where) for item in value)
    elif annotation is type(None) and value is None:
        return None
    raise ConfigError(f"{where} must be {_words(annotation)}, not {value!r}.")


def _words(annotation: Any) -> str:
    names = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
    if annotation in names:
        return names[annotation]
    if get_origin(annotation) in (typing.Union, types.UnionType):
        return " or ".join(_words(option) for option in get_args(annotation) if option is not type(None))
    return "a table" if issubclass(get_origin(annotation) or str, Mapping) else "a list"


def to_toml(tables: Mapping[str, Mapping[str, Any]]) -> str:
    """Tables of plain values as TOML; JSON's spelling of texts, numbers and lists is TOML's too."""
    lines = []
    for name, values in tables.items():
        lines.append(f"[{name}]")
        lines += [f"{_key(key)} = {_literal(value)}" for key, value in values.items()]
        lines.append("")
    return "\n".join(lines)


def _literal(value: Any) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_literal(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple | set | frozenset):
        return "[" + ", ".join(_literal(item) for item in value) + "]"
    return repr(value) if isinstance(value, float) else quoted(value)


def quoted(value: Any) -> str:
    """A text, whole number or truth value as TOML writes it."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _key(key: str) -> str:
    return key if key.isidentifier() and key.isascii() else quoted(key)


def pick(make: Callable[..., Any], table: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a table that are this constructor's."""
    keys = settable(make)
    return {key: value for key, value in table.items() if key in keys}
