"""The terms of Go code that users write: environment variables, keys of Viper, and flags and commands of Cobra and others."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

TERMS: Final = TermRules(
    re.compile(
        r"\b(?:os\.(?:Getenv|LookupEnv)|syscall\.Getenv)\(\s*\"(?P<setting>\w+)\""
        r"|\b(?:viper|v|vip|config)\.(?:Get\w*|IsSet|SetDefault|BindEnv)\(\s*\"(?P<setting_of_viper>[\w.-]+)\""
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
    (b"Getenv", b"LookupEnv", b"iper", b"env", b"Env", b"lag", b"fs.", b"long:", b"Use:", b"Command{"),
)
