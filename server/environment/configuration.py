"""Read the settings: defaults, then `astrolabe.toml` at the workspace root, then `ASTROLABE_*` environment variables."""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import inspect

from ...schema.errors import UsageError
from ...schema.settings import GROUPS, SQL_DIALECTS, Settings

CONFIGURATION_FILE = "astrolabe.toml"
ENVIRONMENT_PREFIX = "ASTROLABE_"

#: Names of the forms for editing values, by the type of the setting.
_FORMS: dict[type, str] = {
    inspect.BoolType: "flag",
    inspect.IntType: "number",
    inspect.FloatType: "decimal",
    inspect.LiteralType: "choice",
    inspect.VarTupleType: "list",
    inspect.StrType: "text",
}

#: Values of an environment variable that mean true and false.
_BOOLEANS = {"true": True, "1": True, "yes": True, "on": True, "false": False, "0": False, "no": False, "off": False}


@dataclass(frozen=True, slots=True)
class SettingRow:
    """A row of the table of settings in the docs."""

    name: str
    #: The default in the syntax of `astrolabe.toml`.
    default: str
    meaning: str
    #: Name of the environment variable.
    variable: str
    #: Title of the group.
    group: str


@dataclass(frozen=True, slots=True)
class SettingValue:
    """The value of a setting in a workspace, and its origin."""

    row: SettingRow
    value: object
    #: default, file or environment; the environment has priority over the file.
    source: str
    #: flag, number, decimal, choice, list or text.
    form: str
    #: The values of a choice.
    choices: tuple[str, ...] = ()
    #: Why the value is not allowed; "" if it is.
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in the settings, and its place."""

    #: A sentence with the place, for the output of commands.
    message: str
    #: The setting, or the unknown key; "" if the file cannot be read.
    name: str = ""
    #: Line of the file from 1; 0 for a mistake in the environment, and if the file has no lines.
    line: int = 0


@dataclass(frozen=True, slots=True)
class SettingsState:
    """All settings of a workspace with their values, sources and mistakes."""

    values: tuple[SettingValue, ...]
    problems: tuple[Problem, ...]


def load_settings(root: Path) -> Settings:
    """Return the settings of the workspace at `root`. Raises UsageError with a sentence per unknown key or invalid value."""
    found, problems = _read(root)
    _refuse(problems)
    return Settings(**{name: each.value for name, each in found.items()})  # type: ignore[arg-type]  # checked values


def settings_table() -> list[SettingRow]:
    """Return the settings with their defaults and meanings, in the order of `schema/settings.py`."""
    meanings = _meanings()
    groups = {name: group.title for group in GROUPS for name in group.settings}
    rows = []
    for name in Settings.__struct_fields__:
        default = getattr(Settings(), name)
        rows.append(SettingRow(name, _toml_value(default), meanings[name], variable_name(name), groups[name]))
    return rows


def setting_values(root: Path) -> tuple[SettingValue, ...]:
    """Return all settings of the workspace at `root` with their values and sources. Raises UsageError."""
    state = settings_state(root)
    _refuse(state.problems)
    return state.values


def _refuse(problems: Sequence[Problem]) -> None:
    if problems:
        raise UsageError("\n".join(problem.message for problem in problems))


def settings_state(root: Path) -> SettingsState:
    """Return all settings of the workspace at `root`, and every mistake in the file and in the environment with its place.

    A setting with a mistake has the value as it is written. If the file cannot be read, there are no values.
    """
    found, problems = _read(root)
    types = _types()
    values = []
    for row in settings_table() if found else ():
        kind, (value, source, problem) = types[row.name], found[row.name]
        choices = tuple(map(str, kind.values)) if isinstance(kind, inspect.LiteralType) else ()
        values.append(SettingValue(row, value, source, _FORMS[type(kind)], choices, problem))
    return SettingsState(tuple(values), tuple(problems))


def checked_value(name: str, value: object) -> object:
    """Return the checked value of a setting from JSON or TOML. Raises UsageError for an unknown setting or an invalid value."""
    if name not in Settings.__struct_fields__:
        raise UsageError(f"{name} is no setting of Astrolabe{_suggestion(name, Settings.__struct_fields__)}.")
    _, expectation = _checked(_types()[name], value)
    if expectation:
        raise UsageError(f"{name} {expectation}.")
    return value


def value_of_text(name: str, text: str) -> object:
    """Return the value of a setting from a text in the form of an environment variable. Raises UsageError."""
    known = _types().get(name)
    return checked_value(name, text if known is None else _parsed(known, text))


def variable_name(setting: str) -> str:
    """Return the environment variable of a setting: `max_file_size` -> `ASTROLABE_MAX_FILE_SIZE`."""
    return ENVIRONMENT_PREFIX + setting.upper()


def _meanings() -> dict[str, str]:
    """Return the `#:` comment above each setting, from the source of the record."""
    from inspect import getsource

    found: dict[str, str] = {}
    comment: list[str] = []
    for line in getsource(Settings).splitlines():
        stripped = line.strip()
        if stripped.startswith("#:"):
            comment.append(stripped.removeprefix("#:").strip())
        elif match := re.match(r"(\w+):", stripped):
            found[match[1]] = " ".join(comment)
            comment = []
    return found


def _toml_value(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return "[" + ", ".join(f'"{item}"' for item in value) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


class _Found(NamedTuple):
    """The value of a setting, its source, and why it is not allowed."""

    value: object
    source: str
    problem: str


def _read(root: Path) -> tuple[dict[str, _Found], list[Problem]]:
    """Return the value of each setting from the environment, the file or the defaults; no values if the file cannot be read."""
    path = root / CONFIGURATION_FILE
    try:
        text = _read_text(path)
        in_file = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        return {}, [_syntax_problem(path, text, error)]
    except UsageError as error:
        return {}, [Problem(str(error))]
    problems = [*_unknown_variables(), *_unknown_keys(in_file)]
    found = {name: _found(name, kind, in_file) for name, kind in _types().items()}
    for name, each in found.items():
        if each.problem and each.source == "environment":
            problems.append(Problem(f"{variable_name(name)} {each.problem}."))
        elif each.problem:
            problems.append(Problem(f"{name} {each.problem}.", name))
    lines = _lines_of_keys(text) if any(problem.name for problem in problems) else {}
    return found, [_placed(problem, path, lines) for problem in problems]


def _found(name: str, kind: inspect.Type, in_file: Mapping[str, object]) -> _Found:
    text = os.environ.get(variable_name(name))
    if text is not None:
        value, problem = _checked(kind, _parsed(kind, text))
        return _Found(value, "environment", problem)
    if name in in_file:
        value, problem = _checked(kind, in_file[name])
        return _Found(value, "file", problem)
    return _Found(getattr(Settings(), name), "default", "")


def _unknown_variables() -> list[Problem]:
    settings = {variable_name(name): name for name in Settings.__struct_fields__}
    unknown = [name for name in sorted(os.environ) if name.startswith(ENVIRONMENT_PREFIX) and name not in settings]
    problems = []
    for name in unknown:
        # The common prefix of all names is ignored in the search for similar names.
        near = _near(name.removeprefix(ENVIRONMENT_PREFIX).lower(), Settings.__struct_fields__)
        meant = f"; did you mean {variable_name(near[0])}" if near else ""
        problems.append(Problem(f"The environment variable {name} is no setting of Astrolabe{meant}."))
    return problems


def _unknown_keys(values: dict[str, Any]) -> list[Problem]:
    return [
        Problem(f"{key} is no setting of Astrolabe{_suggestion(key, Settings.__struct_fields__)}.", key)
        for key in values
        if key not in Settings.__struct_fields__
    ]


def _placed(problem: Problem, path: Path, lines: Mapping[str, int]) -> Problem:
    """Return a problem of a key of the file with its line; other problems are returned unchanged."""
    if not problem.name:
        return problem
    line = lines[problem.name]
    return Problem(f"{path}:{line}: {problem.message}", problem.name, line)


def _lines_of_keys(text: str) -> dict[str, int]:
    """Return the line of each key at the top level of a valid file; a key of several tables has the line of the first table."""
    import tomlkit  # only a mistake needs the library

    lines: dict[str, int] = {}
    line = 1
    for key, item in tomlkit.parse(text).body:
        part = tomlkit.document()
        part.append(key, item)
        if key is not None:
            lines.setdefault(key.key, line)
        line += part.as_string().count("\n")
    return lines


def _syntax_problem(path: Path, text: str, error: tomllib.TOMLDecodeError) -> Problem:
    """Return the problem of a file that is not valid TOML. The message of the library ends with the place."""
    found = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
    reason = str(error).removesuffix(" (at end of document)")
    if found:
        return Problem(
            f"{path}:{found[1]}:{found[2]}: The file is not valid TOML: {reason[: found.start()]}.", line=int(found[1])
        )
    line = text.count("\n") + 1
    return Problem(f"{path}:{line}: The file is not valid TOML: {reason}, at its end.", line=line)


def _read_text(path: Path) -> str:
    """Return the text of the file; empty if there is no file. Raises UsageError."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return ""
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not valid UTF-8; save it in that encoding.") from error


def _near(name: str, known: list[str] | tuple[str, ...]) -> list[str]:
    """Return the most similar known name, if any is similar."""
    from difflib import get_close_matches  # only a misspelt setting needs it

    return get_close_matches(name, known, n=1)


def _suggestion(name: str, known: list[str] | tuple[str, ...]) -> str:
    near = _near(name, known)
    return f"; did you mean {near[0]}" if near else ""


def _types() -> dict[str, inspect.Type]:
    """Return the type of each setting, with its limits."""
    described = inspect.type_info(Settings)
    assert isinstance(described, inspect.StructType)
    return {field.name: field.type for field in described.fields}


def _parsed(kind: inspect.Type, text: str) -> object:
    """Return the value of an environment variable, or its text if the text does not fit the type.

    Commas separate the items of a list.
    """
    if isinstance(kind, inspect.VarTupleType):
        return [item.strip() for item in text.split(",") if item.strip()]
    if isinstance(kind, inspect.BoolType):
        return _BOOLEANS.get(text.strip().lower(), text)
    if isinstance(kind, inspect.IntType | inspect.FloatType):
        with suppress(ValueError):
            return int(text) if isinstance(kind, inspect.IntType) else float(text)
    return text


def _checked(kind: inspect.Type, value: object) -> tuple[object, str]:
    """Return the value for the field of a setting, and the problem with it: "" for an allowed value."""
    expectation = ""
    match kind:
        case inspect.BoolType() if not isinstance(value, bool):
            expectation = "must be true or false"
        case inspect.LiteralType() if value not in kind.values:
            expectation = "must be " + " or ".join(f'"{allowed}"' for allowed in kind.values)
        case inspect.VarTupleType():
            if isinstance(value, list):
                return tuple(value), _misfit(kind.item_type, value)
            expectation = "must be a list of texts"
        case inspect.IntType() if not isinstance(value, int) or isinstance(value, bool):
            expectation = "must be a whole number"
        case inspect.FloatType() if not isinstance(value, int | float) or isinstance(value, bool):
            expectation = "must be a number"
        case inspect.FloatType() if isinstance(value, float) and not isfinite(value):
            expectation = "must be a finite number"
        case inspect.IntType() | inspect.FloatType() if isinstance(value, int | float):
            expectation = _violated_limit(kind, value)
            value = float(value) if isinstance(kind, inspect.FloatType) else value
    return value, f"{expectation}, not {value!r}" if expectation else ""


def _misfit(kind: inspect.Type, items: list[object]) -> str:
    """Return the problem with the first invalid item of a list, with its place; "" if all items are valid."""
    pattern = kind.pattern if isinstance(kind, inspect.StrType) else None
    for number, item in enumerate(items, 1):
        expectation = ""
        if not isinstance(item, str):
            expectation = "a text"
        elif pattern is not None and re.search(pattern, item) is None:
            expectation = f"a dialect ({', '.join(SQL_DIALECTS)}) or a pattern and a dialect (reports/=bigquery)"
        if expectation:
            return f"must be {expectation}, not {item!r}" + (f", which is item {number}" if len(items) > 1 else "")
    return ""


def _violated_limit(kind: inspect.IntType | inspect.FloatType, value: float) -> str:
    """Return the limit that a number violates; "" if none."""
    if kind.gt is not None and value <= kind.gt:
        return f"must be greater than {kind.gt:g}"
    if kind.ge is not None and value < kind.ge:
        return f"must be at least {kind.ge:g}"
    if kind.le is not None and value > kind.le:
        return f"must be at most {kind.le:g}"
    return ""
