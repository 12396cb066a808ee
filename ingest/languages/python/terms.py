"""The terms of Python code that users write: environment variables, and flags and commands of argparse, Click and Typer."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

_QUOTED: Final = r"[rbfu]?[\"'][^\"'\n]{1,120}[\"']"
TERMS: Final = TermRules(
    re.compile(
        # `os.environ["X"]`, `os.getenv("X")`, `env.bool("X")`, `config("X")`, `"X" in os.environ`
        r"\b(?:environb?(?:\.(?:get|setdefault|pop))?|getenvb?|env(?:\.\w+)?|config)[\[(]\s*b?[\"'](?P<setting>[A-Z][A-Z0-9_]+)[\"']"
        r"|[\"'](?P<setting_in>[A-Z][A-Z0-9_]+)[\"'] (?:not )?in (?:os\.)?environ\b"
        # `click.option(envvar="X")`, `Field(env="X")`
        r"|\b(?:envvar|env_var|env|validation_alias)[ ]?=[ ]?[\"'](?P<setting_of_option>[A-Z][A-Z0-9_]+)[\"']"
        # `add_argument("-p", "--port")`, `@click.option("--port")`, `typer.Option(80, "--port")`, and functions of the repository
        # around them: `make_flag_pair("verbose", ("-v", "--verbose"), ("--no-verbose",))`
        r"|(?:argument|[oO]ption|[fF]lag)\w{0,24}\((?:\s*(?:\.\.\.|[\w.\[\]]+)\s*,)?"
        rf"(?P<flags>(?:[\s,(]*{_QUOTED}[\s,)]*){{1,8}})"
        # `subparsers.add_parser("serve")`, `@cli.command("serve")`
        r"|(?:\badd_parser|^[ \t]*@[\w.]+\.(?:command|group))\(\s*(?:name\s*=\s*)?[\"'](?P<command>[\w:-]+)[\"']"
        # A command without a group is a whole program.
        r"|^[ \t]*@(?!click\.)[\w.]+\.(?P<decorator>command|group)\b(?!\(\s*(?:name\s*=\s*)?[\"'])",
        re.MULTILINE,
    ),
    (b"environ", b"getenv", b"env", b"config(", b"argument", b"ption", b"lag", b"add_parser", b".command", b".group"),
)
