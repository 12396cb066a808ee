"""The terms of TypeScript code that users write: environment variables, and flags and commands of Commander, yargs and oclif."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

TERMS: Final = TermRules(
    re.compile(
        r"\b(?:process\.env|import\.meta\.env|Bun\.env)(?:\.|\[[\"'`])(?P<setting>[A-Z]\w+)"
        r"|\bDeno\.env\.get\(\s*[\"'`](?P<setting_of_deno>[A-Z]\w+)"
        # Destructuring: `const { SHOP_PORT = "80" } = process.env`
        r"|\b[cC]onfig(?:Service)?\.get(?:OrThrow)?(?:<[^<>\n]{1,80}>)?\(\s*[\"'`](?P<setting_of_config>[A-Za-z][\w.]+)[\"'`]"
        # `.option("-p, --port <number>")`, `new Option("--port")`; yargs writes the name without dashes: `.option("port", {`
        r"|(?:\.(?:option|requiredOption)|\bnew Option)\(\s*[\"'`](?P<flags>-[^\"'`\n]{1,120})[\"'`]"
        r"|\.option\(\s*[\"'`](?P<flag>[a-z][\w-]*)[\"'`]\s*,\s*\{"
        r"|\b(?P<member>\w+)\s*:\s*Flags\.\w+\("
        r"|\.command\(\s*[\"'`](?P<command>[a-z][\w:-]*)"
    ),
    (b".env", b"onfig", b"ption(", b"Flags.", b".command("),
)
