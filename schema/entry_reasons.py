"""Reasons why a file is an entry point, which analyses tell apart."""

from __future__ import annotations

from typing import Final

#: A file that the compiler checks and nothing runs. Its declarations need no uses.
TYPE_TEST: Final = "type test"
#: A script whose functions a host calls by their names.
HOSTED_SCRIPT: Final = "host of scripts"
#: Beginning of the reason for a file that a framework runs, followed by the name of the framework.
RUN_BY: Final = "run by "
