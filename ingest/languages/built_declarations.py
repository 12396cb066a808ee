"""Write the facts of our own declarations of all languages, as a build of the package does:
`python -m astrolabe.ingest.languages.built_declarations FOLDER`.

The folder stands for `ingest/languages`; each language writes into its own folder there.
"""

from __future__ import annotations

import sys
from pathlib import Path

from ...schema.languages import LANGUAGES
from .registry import language


def build_declarations(target: Path) -> None:
    """Write the facts of all declarations below `target`."""
    for record in {each.folder: each for each in LANGUAGES}.values():
        build = language(record.name).build_declarations
        if build is not None:
            build(target / record.folder)


if __name__ == "__main__":
    build_declarations(Path(sys.argv[1]))
