"""Reads the settings: defaults, then `astrolabe.toml` at the workspace root, then `ASTROLABE_*` environment variables.

`schema/settings.py` is the one table of names, defaults and meanings; this module adds which values are allowed and how
a wrong one is explained.
"""

from __future__ import annotations

import os
import re
import tomllib
from dataclasses import dataclass
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, get_type_hints

from ...schema.errors import UsageError
from ...schema.settings import Settings

if TYPE_CHECKING:
    from pydantic_core import ErrorDetails
    from pydantic_settings import BaseSettings

CONFIGURATION_FILE = "astrolabe.toml"
ENVIRONMENT_PREFIX = "ASTROLABE_"

#: Allowed values by setting, as keyword arguments of a pydantic field. Settings that take any value of their type are absent.
_LIMITS: dict[str, dict[str, Any]] = {
    "max_file_size": {"gt": 0},
    "workers": {"ge": 0},
    "embedding_provider": {"pattern": "^(local|voyage)$"},
    "rerank_weight": {"ge": 0, "le": 1},
    "vector_weight": {"ge": 0, "le": 1},
    "minimum_relevance_threshold": {"ge": 0, "le": 1},
    "max_token_budget": {"gt": 0},
    "max_vector_candidates": {"gt": 0},
    "call_depth": {"ge": -1},
    "sampling_attempts": {"ge": 0},
    "sampling_below": {"ge": 0, "le": 1},
    "sampling_timeout": {"gt": 0},
    "query_timeout": {"gt": 0},
    "query_max_rows": {"gt": 0},
    "compiler_timeout": {"gt": 0},
    "duplicates_timeout": {"gt": 0},
}

#: What a wrong value is told, by pydantic's error type. `{…}` are filled from the error's context.
_EXPECTATIONS = {
    "greater_than": "must be greater than {gt:g}",
    "greater_than_equal": "must be at least {ge:g}",
    "less_than_equal": "must be at most {le:g}",
    "string_pattern_mismatch": 'must be "local" or "voyage"',
    "string_type": "must be a text",
    "tuple_type": "must be a list of texts",
}
_EXPECTED_TYPES = {
    "bool": "must be true or false",
    "int": "must be a whole number",
    "float": "must be a number",
    "finite": "must be a finite number",
}


@dataclass(frozen=True, slots=True)
class SettingRow:
    """One row of the documented table."""

    name: str
    #: The default as it is written in `astrolabe.toml`.
    default: str
    meaning: str
    #: Name of the environment variable.
    variable: str


def load_settings(root: Path) -> Settings:
    """The settings of the workspace at `root`. Raises UsageError with one sentence for each unknown key or wrong value."""
    path = root / CONFIGURATION_FILE
    values = _read_toml(path)
    problems = [*_unknown_variables(), *_unknown_keys(path, values)]
    if problems:
        raise UsageError("\n".join(problems))
    if not values and not any(name.startswith(ENVIRONMENT_PREFIX) for name in os.environ):
        return Settings()  # Spares the 0.2 s that importing pydantic takes.
    from pydantic import ValidationError

    try:
        return Settings(**_settings_model(values)().model_dump())
    except ValidationError as error:
        raise UsageError("\n".join(_sentence(detail, path) for detail in error.errors())) from error


def settings_table() -> list[SettingRow]:
    """The settings with their defaults and meanings, in the order of `schema/settings.py`."""
    meanings = _meanings()
    rows = []
    for name in Settings.__struct_fields__:
        default = getattr(Settings(), name)
        rows.append(SettingRow(name, _toml_value(default), meanings[name], variable_name(name)))
    return rows


def variable_name(setting: str) -> str:
    """`max_file_size` -> `ASTROLABE_MAX_FILE_SIZE`."""
    return ENVIRONMENT_PREFIX + setting.upper()


def _meanings() -> dict[str, str]:
    """The `#:` comment before each field, read from the source of the record, which every distribution carries."""
    import inspect

    found: dict[str, str] = {}
    comment: list[str] = []
    for line in inspect.getsource(Settings).splitlines():
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
        # The prefix, which all share, says nothing about likeness.
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
    """The file's top-level table; empty when there is no file. Raises UsageError."""
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


def _settings_model(values: dict[str, Any]) -> type[BaseSettings]:
    """A pydantic-settings model of `Settings` that takes the environment first, then the file's `values`."""
    from pydantic import BeforeValidator, Field, create_model
    from pydantic_settings import BaseSettings, InitSettingsSource, NoDecode, PydanticBaseSettingsSource, SettingsConfigDict

    class FileAndEnvironment(BaseSettings):
        model_config = SettingsConfigDict(env_prefix=ENVIRONMENT_PREFIX, extra="forbid", allow_inf_nan=False)

        @classmethod
        def settings_customise_sources(
            cls,
            settings_cls: type[BaseSettings],
            init_settings: PydanticBaseSettingsSource,
            env_settings: PydanticBaseSettingsSource,
            dotenv_settings: PydanticBaseSettingsSource,
            file_secret_settings: PydanticBaseSettingsSource,
        ) -> tuple[PydanticBaseSettingsSource, ...]:
            return env_settings, InitSettingsSource(settings_cls, values)

    def field(name: str) -> tuple[Any, Any]:
        kind = get_type_hints(Settings)[name]
        if kind == tuple[str, ...]:
            kind = Annotated[kind, NoDecode, BeforeValidator(_split_list)]
        elif kind in (int, float):
            kind = Annotated[kind, BeforeValidator(partial(_refuse_boolean, kind.__name__))]
        return kind, Field(getattr(Settings(), name), **_LIMITS.get(name, {}))

    fields: dict[str, Any] = {name: field(name) for name in Settings.__struct_fields__}
    model: type[BaseSettings] = create_model("WorkspaceSettings", __base__=FileAndEnvironment, **fields)
    return model


def _split_list(value: object) -> object:
    """An environment variable holds a list as comma-separated items."""
    return tuple(item.strip() for item in value.split(",") if item.strip()) if isinstance(value, str) else value


def _refuse_boolean(kind: str, value: object) -> object:
    """To Python, `true` is the number 1; in a configuration file it is a mistake."""
    from pydantic_core import PydanticCustomError

    if isinstance(value, bool):
        raise PydanticCustomError(f"{kind}_type", "is no number")
    return value


def _sentence(detail: ErrorDetails, path: Path) -> str:
    name = str(detail["loc"][0])
    from_environment = variable_name(name) in os.environ
    place = variable_name(name) if from_environment else f"{path}: {name}"
    kind = detail["type"]
    expectation = _EXPECTATIONS.get(kind) or _EXPECTED_TYPES.get(kind.partition("_")[0]) or detail["msg"]
    return f"{place} {expectation.format(**detail.get('ctx', {}))}, not {detail['input']!r}."
