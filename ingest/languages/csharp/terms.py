"""The terms of C# code that users write: environment variables, keys of configurations, and flags of System.CommandLine."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

#: The names of members in data by attributes of System.Text.Json, Json.NET, YamlDotNet and others.
_KEYS: Final = TermRules(
    re.compile(
        r"\[(?:[\w\s,]{0,60},\s*)?(?:JsonPropertyName|JsonProperty|YamlMember|DataMember|ConfigurationKeyName)"
        r"\(\s*(?:(?:PropertyName|Alias|Name)\s*=\s*)?\"(?P<key>[A-Za-z_][\w-]*)\""
    ),
    (b"JsonProperty", b"YamlMember", b"DataMember", b"ConfigurationKeyName"),
)
TERMS: Final = TermRules(
    re.compile(
        r"\bGetEnvironmentVariable\(\s*\"(?P<setting>\w+)\""
        r"|\b_?[cC]onfig\w*\[\"(?P<setting_of_key>[\w:.]+)\"\]"
        r"|\b(?:GetValue<[^<>\n]{1,60}>|GetSection)\(\s*\"(?P<setting_of_section>[\w:.]+)\""
        r"|\bnew Option(?:<[^\n()]{1,60}>)?\((?:\s*new\s*\[\]\s*\{|\s*\[|\s*\w+:)?(?P<flags>(?:\s*\"[^\"\n]{1,80}\"\s*,?){1,6})"
        r"|\[Option\((?:'.',\s*)?\"(?P<flag>[a-z][\w-]*)\""
        r"|\bnew (?:Command|Verb)\(\s*\"(?P<command>[a-z][\w:-]*)\"|\[Verb\(\s*\"(?P<command_of_verb>[a-z][\w:-]*)\""
    ),
    (b"GetEnvironmentVariable", b"onfig", b"GetValue", b"GetSection", b"Option", b"Command(", b"Verb("),
    (_KEYS,),
)
