"""Files of commands that run statements of SQL: Makefiles, Dockerfiles, and workflows of continuous integration in YAML.

Their symbols are targets, stages and jobs. The statements are found as in the strings of any code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ...files.source_text import SourceText
from ..base import Language

if TYPE_CHECKING:
    from ...facts.model import FileFacts


def _read(source: SourceText, language: str) -> FileFacts:
    from .file_facts import command_facts

    return command_facts(source, language)


LANGUAGE = Language(read=_read)
