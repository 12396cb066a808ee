"""Tell which files are manifests of packages, and which language reads them."""

from __future__ import annotations

from typing import Final

#: Language whose folder of `ingest/languages/` reads the manifests, by file name. Where a folder has manifests of several
#: languages, it is a package of the first one.
MANIFEST_LANGUAGES: Final = {
    "package.json": "typescript",
    "pyproject.toml": "python",
    "setup.cfg": "python",
    "setup.py": "python",
    "requirements.txt": "python",
}
