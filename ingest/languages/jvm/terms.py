"""The terms of code in Java and Kotlin that users write: properties, environment variables, and flags and commands of picocli."""

from __future__ import annotations

import re
from typing import Final

from ...documents.code_terms import TermRules

#: Settings whose names are constants, and types of Spring and Micronaut whose fields are settings.
_OTHERS: Final = TermRules(
    re.compile(
        r"\b(?:getenv|getProperty)\(\s*(?P<setting_of_constant>[A-Za-z_]\w*)\s*[,)]"
        r"|@ConfigurationProperties\(\s*(?:(?:prefix|value)\s*=\s*)?\"(?P<prefix>[a-z][\w.-]*)\""
    ),
    (b"getenv(", b"getProperty(", b"@ConfigurationProperties"),
)
#: The names of members in data by annotations of Jackson, Gson, Moshi, JSON-B and kotlinx.serialization.
_KEYS: Final = TermRules(
    re.compile(
        r"@(?:get:|field:|param:)?(?:Json(?:Property|Alias|Setter)?|SerializedName|SerialName|JsonbProperty)"
        r"\(\s*(?:(?:value|name)\s*=\s*)?\"(?P<key>[A-Za-z_][\w-]*)\""
    ),
    (b"Json", b"SerializedName", b"SerialName"),
)
TERMS: Final = TermRules(
    re.compile(
        r"\bgetenv\(\s*\"(?P<setting>\w+)\"|\bgetenv\(\)(?:\.get\(|\[)\s*\"(?P<setting_of_map>\w+)\""
        r"|\b(?:getProperty|getBoolean|getInteger|getLong|getString|getInt|getRequiredProperty)\(\s*\"(?P<setting_of_key>[\w-]+(?:\.[\w-]+)+)\""
        r"|@Value\(\s*(?:value\s*=\s*)?\"\\?[$#]\{(?P<setting_of_value>[\w.-]+)"
        r"|@ConfigProperty\([^()\n]{0,80}?\bname\s*=\s*\"(?P<setting_of_property>[\w.-]+)\""
        r"|@(?:CommandLine\.)?(?:Option|Parameter)\(\s*names\s*=\s*[\[{]?(?P<flags>(?:\s*\"[^\"\n]{1,80}\"\s*,?){1,6})"
        r"|@(?:CommandLine\.)?Command\(\s*name\s*=\s*\"(?P<command>[\w:-]+)\""
    ),
    (
        b"getenv",
        b"getProperty",
        b"getBoolean",
        b"getInt",
        b"getLong",
        b"getString",
        b"getRequired",
        b"@Value",
        b"@ConfigProperty",
        b"names",
        b"Command(",
    ),
    (_OTHERS, _KEYS),
)
