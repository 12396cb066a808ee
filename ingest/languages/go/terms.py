"""The terms of Go code that users write: environment variables, keys of Viper and tags, flags and commands."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

#: Flags and settings whose names are constants.
_CONSTANTS: Final = TermRules(
    re.compile(
        r"\b\w{0,40}Flag\{\s*Name:\s*(?P<flag_of_constant>[A-Za-z_]\w*)\s*,"
        r"|\.(?:String|Bool|Int|Uint|Float|Duration|Count|Var)\w{0,20}\((?:\s*&?[\w.\[\]]{1,80}\s*,){0,1}\s*(?P<flag_of_call_of_constant>[A-Za-z_]\w*)\s*,"
        r"|\bos\.(?:Getenv|LookupEnv)\(\s*(?P<setting_of_constant>[A-Za-z_]\w*)\s*\)"
    ),
    (b"Flag{", b"lags", b"Getenv(", b"LookupEnv("),
)
#: The first other name of a flag of urfave/cli.
_ALIASES: Final = TermRules(
    re.compile(
        r"\b\w{0,40}Flag\{\s*Name:\s*[\w.\"-]{1,80},\s*Aliases:\s*\[\]string\{\s*(?:\"\w\",\s*)?\"(?P<flag_of_alias>[a-z][\w-]+)\""
    ),
    (b"Aliases:",),
)
#: Fields of structs that kong reads: a command is marked as such, and each other field with a help text is a flag.
_FIELDS: Final = TermRules(
    re.compile(
        r"\b(?P<subcommand>[A-Z]\w{0,60})[ \t]+[*\w.]{1,80}[ \t]+`(?![^`\n]{0,400}\bname:)[^`\n]{0,200}\bcmd:\"\""
        r"|`(?=[^`\n]{0,400}\bcmd:\"\")[^`\n]{0,400}?\bname:\"(?P<command>[\w:-]+)\""
        r"|`(?=[^`\n]{0,400}\bhelp:\")(?![^`\n]{0,400}\b(?:arg|cmd):)[^`\n]{0,400}?\bname:\"(?P<flag>[a-z][\w-]*)\""
        r"|\b(?P<member>[A-Z]\w{0,60})[ \t]+[*\w.\[\]]{1,80}[ \t]+`(?=[^`\n]{0,400}\bhelp:\")"
        r"(?![^`\n]{0,400}\b(?:arg|cmd|name|kong|long):)"
    ),
    (b' help:"', b'`help:"', b'cmd:""'),
)
#: Tags of fields with their names in data: `yaml:"page-size,omitempty"`.
_KEYS: Final = TermRules(
    re.compile(r"(?<=[` ])(?:yaml|json|toml|mapstructure|koanf|hcl|ini|hjson):\"(?P<key>[A-Za-z_][\w-]*)"),
    (b'yaml:"', b'json:"', b'toml:"', b'mapstructure:"', b'koanf:"', b'hcl:"', b'ini:"'),
)
TERMS: Final = TermRules(
    re.compile(
        r"\b(?:os\.(?:Getenv|LookupEnv)|syscall\.Getenv)\(\s*\"(?P<setting>\w+)\""
        r"|\b(?:viper|v|vip|config)\.(?:Get\w*|IsSet|SetDefault|BindEnv)\(\s*\"(?P<setting_of_viper>[\w.-]+)\""
        # `c.GetOrDefault("SHOP_PORT", "80")` of any configuration
        r"|\.Get\w{0,20}\(\s*\"(?P<setting_of_getter>[A-Z][A-Z0-9]*_[A-Z0-9_]+)\""
        # Tags of fields, and options of urfave/cli and kingpin
        r"|\b(?:env|envconfig):\"(?P<setting_of_field>[A-Z][A-Z0-9_]+)"
        r"|\b(?:EnvVars?:\s*(?:\[\]string\{)?|EnvVars\(|\.Envar\()\s*\"(?P<setting_of_option>[A-Z][A-Z0-9_]+)\""
        # `cmd.Flags().StringVarP(&port, "port", "p", …)`, `flag.Int("port", …)`, `app.Flag("port", …)`
        r"|\b(?:[A-Za-z]*[fF]lags?(?:Set)?(?:\(\))?|fs|pf)\.[A-Z]\w*\((?:\s*&?[\w.\[\]]+(?:\([^()\n]*\))?\s*,){0,2}\s*"
        r"\"(?P<flag>[a-z][\w.-]*)\""
        r"|\.Flag\(\s*\"(?P<flag_of_kingpin>[a-z][\w.-]*)\""
        r"|\b\w*Flag\{\s*Name:\s*\"(?P<flag_of_urfave>[a-z][\w.-]*)"
        r"|\blong:\"(?P<flag_of_field>[a-z][\w.-]*)\""
        r"|\bUse:\s*\"(?P<command>[\w:-]+)"
        r"|\bCommand\{\s*Name:\s*\"(?P<command_of_urfave>[\w:-]+)\""
    ),
    (b"Getenv", b"LookupEnv", b".Get", b"iper", b"env", b"Env", b"lag", b"fs.", b"long:", b"Use:", b"Command{"),
    (_CONSTANTS, _ALIASES, _FIELDS, _KEYS),
)
