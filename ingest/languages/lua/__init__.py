"""Lua: local functions, and functions in tables. Modules of `require` are not followed."""

from __future__ import annotations

from ..base import Language
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules
from .excerpt_syntax import SYNTAX

READER = SyntaxOnlyReader(SyntaxRules(language="lua"))
LANGUAGE = Language(read=READER.read, parse=READER.parse, excerpts=SYNTAX)
