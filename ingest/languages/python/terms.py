"""The terms of Python code that users write: environment variables, and flags and commands of argparse, Click and Typer."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

_QUOTED: Final = r"[rbfu]?[\"'][^\"'\n]{1,120}[\"']"
#: The quoted name of an environment variable, up to its end.
_NAME: Final = r"[A-Z][A-Z0-9_]+)[\"']"
#: What follows an object with environment variables: `["X"]`, `("X")`.
_ACCESS: Final = r"[\[(]\s*b?[\"']"
#: Environment variables: each alternative begins with a letter or a quote, which the search finds fast.
_SETTINGS: Final = TermRules(
    re.compile(
        # `os.environ["X"]`, `os.getenv("X")`, `env.bool("X")`, `config("X")`
        rf"env(?<=\benv)(?:ironb?(?:\.(?:get|setdefault|pop))?|(?:\.\w+)?){_ACCESS}(?P<setting>{_NAME}"
        rf"|getenv(?<=\bgetenv)b?{_ACCESS}(?P<setting_of_getenv>{_NAME}"
        rf"|config(?<=\bconfig){_ACCESS}(?P<setting_of_config>{_NAME}"
        # `"X" in os.environ`
        rf"|\"(?P<setting_in>{_NAME} (?:not )?in (?:os\.)?environ\b"
        rf"|'(?P<setting_in_quotes>{_NAME} (?:not )?in (?:os\.)?environ\b"
        # `click.option(envvar="X")`, `Field(env="X")`
        rf"|env(?<=\benv)(?:_?var)?[ ]?=[ ]?[\"'](?P<setting_of_option>{_NAME}"
        rf"|validation_alias(?<=\bvalidation_alias)[ ]?=[ ]?[\"'](?P<setting_of_alias>{_NAME}"
    ),
    (b"env", b"config(", b"config[", b"validation_alias"),
)
#: `add_argument("-p", "--port")`, `@click.option("--port")`, `typer.Option(80, "--port")`, and functions of the repository around
#: them: `opt("--report")`, `make_flag_pair("verbose", ("-v", "--verbose"), ("--no-verbose",))`.
_FLAGS: Final = TermRules(
    re.compile(
        r"[aoOfF](?:rgument(?<=argument)|pt(?:ion(?<=[oO]ption)|(?<=\bopt)(?!\w))|lag(?<=[fF]lag))\w{0,24}\((?:\s*(?:\.\.\.|[\w.\[\]]+)\s*,)?"
        rf"(?P<flags>(?:[\s,(]*{_QUOTED}[\s,)]*){{1,8}})"
    ),
    (b"argument", b"ption", b"lag", b"opt("),
)
#: Keys of a table, each in a line: `OPTIONS = dict(` before `MAX_ITEMS=int,`.
_KEYWORDS: Final = TermRules(
    re.compile(r"^[ \t]+(?P<literal>[A-Z][A-Z0-9]{1,40}(?:_[A-Z0-9]{1,40}){1,8})=(?!=)", re.MULTILINE), (b"dict(",)
)
#: `subparsers.add_parser("serve")`
_PARSERS: Final = TermRules(
    re.compile(r"add_parser(?<=\badd_parser)\(\s*(?:name\s*=\s*)?[\"'](?P<command>[\w:-]+)[\"']"), (b"add_parser",)
)
#: `@cli.command("serve")`. A command without a group is a whole program.
_DECORATORS: Final = TermRules(
    re.compile(
        r"^[ \t]*@[\w.]+\.(?:command|group)\(\s*(?:name\s*=\s*)?[\"'](?P<command>[\w:-]+)[\"']"
        r"|^[ \t]*@(?!click\.)[\w.]+\.(?P<decorator>command|group)\b(?!\(\s*(?:name\s*=\s*)?[\"'])",
        re.MULTILINE,
    ),
    (b".command", b".group"),
)
#: The names of fields in data: aliases of Pydantic, names of msgspec, keys of marshmallow.
_KEYS: Final = TermRules(
    re.compile(
        r"(?:Field(?<=\bField)|field(?<=\bfield))\((?=[^()]{0,300}?\b(?:validation_alias|serialization_alias|alias|name)[ ]?=[ ]?"
        r"[\"'](?P<key>[A-Za-z_][\w-]*)[\"'])"
        r"|data_key(?<=\bdata_key)[ ]?=[ ]?[\"'](?P<key_of_marshmallow>[A-Za-z_][\w-]*)[\"']"
    ),
    (b"alias", b"field(", b"data_key"),
)
TERMS: Final = TermRules(_SETTINGS.pattern, _SETTINGS.hints, (_FLAGS, _PARSERS, _DECORATORS, _KEYS, _KEYWORDS))
