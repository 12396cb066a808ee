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
    "pom.xml": "java",
    "settings.gradle": "java",
    "settings.gradle.kts": "java",
    "build.gradle": "java",
    "build.gradle.kts": "java",
    "gradle.properties": "java",
    "go.mod": "go",
}
#: Endings of names that Gradle lets projects choose.
_GRADLE: Final = (".gradle", ".gradle.kts", ".versions.toml")


def manifest_language(name: str) -> str | None:
    """Return the language whose folder reads a file of a name as a manifest, or None for another file."""
    return MANIFEST_LANGUAGES.get(name) or ("java" if name.endswith(_GRADLE) else None)
