"""Blank the commands of SQL*Plus between statements: `PROMPT creating boats`, `SET DEFINE ON`, `@boats.sql`.

A line with a slash alone, which runs a statement, becomes a semicolon.

The commands end with their line, and not with a semicolon. See
https://docs.oracle.com/en/database/oracle/oracle-database/21/sqpug/SQL-Plus-command-reference.html.
"""

from __future__ import annotations

import re
from typing import Final

from ....schema.blank_text import blank, blanked

#: Number of characters in which a script shows its first command.
_HEAD: Final = 20_000
_SETTINGS: Final = (
    r"APPI(?:NFO)?|COLSEP|CON(?:CAT)?|DEF(?:INE)?|ECHO|ERRORL(?:OGGING)?|ESC(?:APE)?|EXITC(?:OMMIT)?|FEED(?:BACK)?"
    r"|HEA(?:DING)?|LIN(?:ESIZE)?|LONG|NEWP(?:AGE)?|NUM(?:WIDTH)?|PAGES(?:IZE)?|SCAN|SERVEROUT(?:PUT)?|SQLBL(?:ANKLINES)?|SQLP(?:ROMPT)?"
    r"|TAB|TERMOUT|TIMI(?:NG)?|TRIM(?:OUT|S(?:POOL)?)|VER(?:IFY)?|WRA(?:P)?"
)
#: Commands that no statement of SQL resembles.
_SURE: Final = (
    rf"PRO(?:MPT)?(?:[ \t]|$)|SPO(?:OL)?[ \t]+\S|WHENEVER[ \t]+(?:SQL|OS)ERROR\b|SET[ \t]+(?:{_SETTINGS})[ \t]+\S"
    r"|(?:UN)?DEF(?:INE)?[ \t]+\w+[ \t]*(?:=|$)|SHO(?:W)?[ \t]+ERR(?:ORS)?\b|REM(?:ARK)?(?:[ \t]|$)"
    r"|COL(?:UMN)?[ \t]+\w+[ \t]+FOR(?:MAT)?\b"
)
_SIGN: Final = re.compile(rf"^(?:/[ \t]*$|[ \t]*(?:{_SURE}))", re.IGNORECASE | re.MULTILINE)
_COMMAND: Final = re.compile(
    rf"[ \t]*(?:{_SURE}|@@?[ \t]*[\w./$&~-]"
    r"|(?:ACCEPT|CL(?:EAR)?|CONN(?:ECT)?|EXEC(?:UTE)?|HO(?:ST)?|PAU(?:SE)?|PRINT|TTI(?:TLE)?|VAR(?:IABLE)?)[ \t]"
    r"|(?:EXIT|QUIT|DISC(?:ONNECT)?)[ \t]*;?[ \t]*$|STA(?:RT)?[ \t]+\S+\.sql\b)",
    re.IGNORECASE,
)
#: A variable before the name of an object, with the point that ends the name of the variable: `&owner..boats`.
_OWNER: Final = re.compile(r"&&?\w{1,100}\.\.")


def without_commands(text: str) -> str:
    """Return a text of the same length without the commands of SQL*Plus, and without variables for the names of schemas."""
    if _SIGN.search(text, 0, _HEAD) is None:
        return text
    made: list[str] = []
    # Whether a statement may begin on the line, whether the line continues a command, and whether it is in a comment.
    begins, continues, in_comment = True, False, False
    for line in text.splitlines(keepends=True):
        code = line.strip()
        if continues or (begins and not in_comment and _COMMAND.match(line.rstrip()) is not None):
            continues = code.endswith("-")
            made.append(blank(line))
            continue
        made.append(line.replace("/", ";") if code == "/" and not in_comment else line)
        if in_comment or (begins and code.startswith("/*")):
            in_comment = "*/" not in code
        elif code and not code.startswith("--"):
            begins = code.endswith(";") or code == "/"
    return _OWNER.sub(blanked, "".join(made))
