"""The terms of TypeScript code that users write: environment variables, and flags and commands of Commander, yargs and oclif."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

#: `process.env.X`, `import.meta.env["X"]`, `Deno.env.get("X")`
_ENVIRONMENT: Final = TermRules(
    re.compile(
        r"\.env(?:(?<=\bprocess\.env)|(?<=\bimport\.meta\.env)|(?<=\bBun\.env))(?:\.|\[[\"'`])(?P<setting>[A-Z]\w+)"
        r"|\.env(?<=\bDeno\.env)\.get\(\s*[\"'`](?P<setting_of_deno>[A-Z]\w+)"
    ),
    (b".env",),
)
#: `configService.get<string>("X")`
_CONFIGURATION: Final = TermRules(
    re.compile(
        r"onfig(?<=\b[cC]onfig)(?:Service)?\.get(?:OrThrow)?(?:<[^<>\n]{1,80}>)?\(\s*[\"'`](?P<setting_of_config>[A-Za-z][\w.]+)[\"'`]"
    ),
    (b"onfig.get", b"onfigService.get"),
)
#: `.option("-p, --port <number>")`, `new Option("--port")`; yargs writes the name without dashes: `.option("port", {`
_OPTIONS: Final = TermRules(
    re.compile(
        r"ption\((?:(?<=\.option\()|(?<=\.requiredOption\()|(?<=\bnew Option\())\s*[\"'`](?P<flags>-[^\"'`\n]{1,120})[\"'`]"
        r"|ption\((?<=\.option\()\s*[\"'`](?P<flag>[a-z][\w-]*)[\"'`]\s*,\s*\{"
    ),
    (b"ption(",),
)
#: oclif: `port: Flags.integer()`
_MEMBERS: Final = TermRules(re.compile(r"\b(?P<member>\w+)\s*:\s*Flags\.\w+\("), (b"Flags.",))
#: The flags of arg: `arg({ "--port": Number, "--name": [String], "-p": "--port" })`
_TYPED: Final = TermRules(
    re.compile(r"[\"'](?P<flags>--[A-Za-z][\w-]*)[\"']\s*:\s*(?:\[?\s*(?:String|Boolean|Number)\b|arg\.COUNT\b|[\"']--)"),
    (b"'--", b'"--'),
)
_COMMANDS: Final = TermRules(re.compile(r"\.command\(\s*[\"'`](?P<command>[a-z][\w:-]*)"), (b".command(",))
TERMS: Final = TermRules(_ENVIRONMENT.pattern, _ENVIRONMENT.hints, (_CONFIGURATION, _OPTIONS, _MEMBERS, _TYPED, _COMMANDS))
