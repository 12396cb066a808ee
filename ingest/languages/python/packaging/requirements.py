"""Read requirements in manifests: "requests[socks] >=2,<3; python_version < '3.9'".

Their syntax is in the specification of dependency specifiers (PEP 508), and the normal form of names in PEP 503.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from ...module_manifests import DeclaredDependency

_REQUIREMENT: Final = re.compile(r"\s*(?P<name>[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?)\s*(?:\[[^\]]*\])?\s*(?P<range>[^;#]*)")
_SEPARATORS: Final = re.compile(r"[-_.]+")
#: Names of extras for the developers of a package.
_FOR_DEVELOPERS: Final = re.compile(
    r"(?:all[-_])?(?:dev|develop|development|tests?|testing|docs?|lint|linting|typing|mypy|qa|ci)\d*"
)

DEPENDENCIES: Final = "dependencies"
DEVELOPMENT: Final = "devDependencies"
OPTIONAL: Final = "optionalDependencies"


def normalized(name: str) -> str:
    """Return the normal form of a distribution's name: "Flask_SQLAlchemy" -> "flask-sqlalchemy"."""
    return _SEPARATORS.sub("-", name).lower()


def section_of_extra(name: str) -> str:
    """Return the section for the requirements of an extra."""
    return DEVELOPMENT if _FOR_DEVELOPERS.fullmatch(name.lower()) else OPTIONAL


def requirements(texts: Iterable[str], section: str) -> Iterator[DeclaredDependency]:
    """Read requirements. Leave out requirements without a name."""
    for text in texts:
        found = _REQUIREMENT.match(text)
        if found is not None and "://" not in text.partition("@")[0]:
            written = found["range"].strip().removeprefix("@").strip()
            if written.startswith("(") and written.endswith(")"):
                written = written[1:-1].strip()
            yield DeclaredDependency(normalized(found["name"]), written, section)


def requirements_in_file(content: bytes) -> Iterator[DeclaredDependency]:
    """Read the requirements in a requirements.txt. Options, and the contents of other files, are left out."""
    lines = content.decode("utf-8-sig", "replace").replace("\\\n", " ").splitlines()
    plain = (re.sub(r"(?:^|\s)#.*|\s--\w.*", "", line).strip() for line in lines)
    yield from requirements((line for line in plain if line and line[0] not in "-./"), DEPENDENCIES)
