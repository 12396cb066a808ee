"""Read the settings: defaults, then `astrolabe.toml` at the workspace root, then `ASTROLABE_*` environment variables."""

from __future__ import annotations

import os
import re
import tomllib
from contextlib import suppress
from dataclasses import dataclass
from difflib import get_close_matches
from math import isfinite
from pathlib import Path
from typing import Any

from msgspec import inspect

from ...schema.errors import UsageError
from ...schema.settings import SQL_DIALECTS, Settings

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


def load_settings(root: Path) -> Settings:
    """Return the settings of the workspace at `root`. Raises UsageError with a sentence per unknown key or invalid value."""
    path = root / CONFIGURATION_FILE
    values = _read_toml(path)
    problems = [*_unknown_variables(), *_unknown_keys(path, values)]
    if problems:
        raise UsageError("\n".join(problems))
    types = _types()
    found: dict[str, object] = {}
    for name, value in values.items():
        if variable_name(name) not in os.environ:
            found[name], expectation = _checked(types[name], value)
            problems += [f"{path}: {name} {expectation}."] if expectation else []
    for name, kind in types.items():
        text = os.environ.get(variable_name(name))
        if text is not None:
            found[name], expectation = _checked(kind, _parsed(kind, text))
            problems += [f"{variable_name(name)} {expectation}."] if expectation else []
    if problems:
        raise UsageError("\n".join(problems))
    return Settings(**found)  # type: ignore[arg-type]  # each value was checked against the type of its field


def settings_table() -> list[SettingRow]:
    """Return the settings with their defaults and meanings, in the order of `schema/settings.py`."""
    meanings = _meanings()
    rows = []
    for name in Settings.__struct_fields__:
        default = getattr(Settings(), name)
        rows.append(SettingRow(name, _toml_value(default), meanings[name], variable_name(name)))
    return rows


def setting_values(root: Path) -> list[SettingValue]:
    """Return all settings of the workspace at `root` with their values and sources. Raises UsageError."""
    settings, in_file, types = load_settings(root), _read_toml(root / CONFIGURATION_FILE), _types()
    found = []
    for row in settings_table():
        kind = types[row.name]
        source = "environment" if row.variable in os.environ else "file" if row.name in in_file else "default"
        choices = tuple(map(str, kind.values)) if isinstance(kind, inspect.LiteralType) else ()
        found.append(SettingValue(row, getattr(settings, row.name), source, _FORMS[type(kind)], choices))
    return found


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


def _unknown_variables() -> list[str]:
    settings = {variable_name(name): name for name in Settings.__struct_fields__}
    unknown = [name for name in sorted(os.environ) if name.startswith(ENVIRONMENT_PREFIX) and name not in settings]
    sentences = []
    for name in unknown:
        # The common prefix of all names is ignored in the search for similar names.
        near = get_close_matches(name.removeprefix(ENVIRONMENT_PREFIX).lower(), Settings.__struct_fields__, n=1)
        meant = f"; did you mean {variable_name(near[0])}" if near else ""
        sentences.append(f"The environment variable {name} is no setting of Astrolabe{meant}.")
    return sentences


def _unknown_keys(path: Path, values: dict[str, Any]) -> list[str]:
    return [
        f"{path}: {key} is no setting of Astrolabe{_suggestion(key, Settings.__struct_fields__)}."
        for key in values
        if key not in Settings.__struct_fields__
    ]


def _read_toml(path: Path) -> dict[str, Any]:
    """Return the top-level table of the file; empty if there is no file. Raises UsageError."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}.") from error
    except UnicodeDecodeError as error:
        raise UsageError(f"{path} is not valid UTF-8; save it in that encoding.") from error
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{path} is not valid TOML: {error}.") from error


def _suggestion(name: str, known: list[str] | tuple[str, ...]) -> str:
    near = get_close_matches(name, known, n=1)
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
                wrong = [item for item in value if not isinstance(item, str)]
                return tuple(value), f"must be a text, not {wrong[0]!r}" if wrong else _misfit(kind.item_type, value)
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


def _misfit(kind: inspect.Type, items: list[str]) -> str:
    """Return the problem with the first invalid item of a list; "" if all items are valid."""
    pattern = kind.pattern if isinstance(kind, inspect.StrType) else None
    wrong = [item for item in items if pattern is not None and re.search(pattern, item) is None]
    allowed = ", ".join(SQL_DIALECTS)
    return f"must be a dialect ({allowed}) or a pattern and a dialect (reports/=bigquery), not {wrong[0]!r}" if wrong else ""


def _violated_limit(kind: inspect.IntType | inspect.FloatType, value: float) -> str:
    """Return the limit that a number violates; "" if none."""
    if kind.gt is not None and value <= kind.gt:
        return f"must be greater than {kind.gt:g}"
    if kind.ge is not None and value < kind.ge:
        return f"must be at least {kind.ge:g}"
    if kind.le is not None and value > kind.le:
        return f"must be at most {kind.le:g}"
    return ""
