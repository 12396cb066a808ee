"""The terms of Rust code that users write: environment variables, keys of serde, flags and commands of clap and structopt."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

#: The names of fields in data: `#[serde(rename = "page-size")]`, also for all fields of a type.
_KEYS: Final = TermRules(
    re.compile(
        r"serde\((?<=\bserde\()[^()\]]{0,300}?\b(?:(?:rename|alias)\s*=\s*\"(?P<key>[A-Za-z_][\w-]*)\""
        r"|rename_all\s*=\s*\"(?P<case>[\w-]+)\")"
    ),
    (b"serde(",),
)
#: The notation of the names of enum members: `#[strum(serialize_all = "kebab-case")]`, and `#[derive(ValueEnum)]` of clap.
_MEMBERS: Final = TermRules(
    re.compile(
        r"serialize_all\s*=\s*\"(?P<case>[\w-]+)\""
        r"|derive\((?<=#\[derive\()(?=[\w\s:,]{0,300}\)\])[\w\s:,]{0,300}?\b(?P<case_of_values>ValueEnum)\b"
    ),
    (b"serialize_all", b"ValueEnum"),
)
#: Flags that a program compares itself: `"-g" | "--grammar" => …`.
_COMPARED: Final = TermRules(
    re.compile(r"\"(?P<flags>--[a-z][\w-]*)\"\s*(?:\|\s*\"[^\"\n]{1,40}\"\s*){0,3}=>"),
    (b'"--',),
)
TERMS: Final = TermRules(
    re.compile(
        r"\b(?:env::(?:var|var_os|remove_var)|(?:option_)?env!)\(\s*\"(?P<setting>[A-Z]\w+)\""
        r"|\benv\s*=\s*\"(?P<setting_of_option>[A-Z]\w+)\""
        r"|\blong\s*(?:=\s*|\(\s*)\"(?P<flag>[a-z][\w-]*)\""
        # `#[arg(long, env = "SHOP_PORT")] port: u16`; the other parts of the attribute are also read
        r"|#\[(?:arg|clap|structopt)\((?=(?:[^\]]{0,400},)?\s*long\s*[,)][^\]]{0,400}\]\s*(?:(?:///[^\n]*|#\[[^\]\n]*\])\s*)*"
        r"(?:pub(?:\([^()\n]*\))?\s+)?(?P<member>\w+)\s*:)"
        r"|\b(?:Command::new|SubCommand::with_name|App::new)\(\s*\"(?P<command>[a-z][\w:-]*)\""
    ),
    (b"env", b"long", b"Command::new", b"SubCommand", b"App::new"),
    (_KEYS, _MEMBERS, _COMPARED),
)
