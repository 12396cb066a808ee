"""Tell which files are manifests of packages, and which language reads them."""

from __future__ import annotations

from typing import Final

#: The language that reads a manifest, by name of the file. The code is in the folder of the language in `ingest/languages/`. A
#: folder with manifests of several languages is a package of the first language.
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
    "lombok.config": "java",
    "go.mod": "go",
}
#: Endings of manifests whose names a Gradle project may choose freely.
_GRADLE: Final = (".gradle", ".gradle.kts", ".versions.toml")


def manifest_language(name: str) -> str | None:
    """Return the language whose folder of `ingest/languages/` reads a file with this name as a manifest, else None."""
    return MANIFEST_LANGUAGES.get(name) or ("java" if name.endswith(_GRADLE) else None)
