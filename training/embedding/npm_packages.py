"""Download the sources of npm packages."""

from __future__ import annotations

import json
import re
import subprocess
import tarfile
from pathlib import Path, PurePosixPath

from .packages import Package

_KEPT = re.compile(r"\.[cm]?[jt]sx?$|^package\.json$")
_MAX_BYTES = 600_000


def fetch_npm_package(package: Package, work: Path, target: Path) -> None:
    """Download a package into the folder `work`, and unpack its sources into the folder `target`.

    Raises ValueError if npm cannot download the package, or if the package declares another license than `packages.tsv`.
    """
    wanted = f"{package.name}@{package.version}"
    command = ["npm", "pack", "--silent", "--pack-destination", str(work), wanted]
    try:
        subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    except FileNotFoundError:
        raise ValueError("npm is not there: packages are downloaded by it; install Node.js") from None
    except subprocess.CalledProcessError as error:
        raise ValueError(f"npm does not give {wanted}: {error.stderr.strip() or error.stdout.strip()}") from None
    (archive,) = work.glob("*.tgz")
    unpack_npm_archive(archive, target)
    stated = json.loads((target / "package.json").read_text("utf-8")).get("license", "")
    stated = stated.get("type", "") if isinstance(stated, dict) else stated
    if str(stated).strip("()") != package.licence:
        raise ValueError(f"{package.name}: the list says {package.licence}, the package {stated}")


def unpack_npm_archive(archive: Path, target: Path) -> None:
    """Write the sources of an archive below a folder, without the sources of bundled packages."""
    with tarfile.open(archive) as members:
        for member in members:
            path = PurePosixPath(*PurePosixPath(member.name).parts[1:])
            if not member.isfile() or member.size > _MAX_BYTES or not _KEPT.search(str(path)):
                continue
            if ".." in path.parts or "node_modules" in path.parts:
                continue
            content = members.extractfile(member)
            if content is not None:
                (target / path).parent.mkdir(parents=True, exist_ok=True)
                (target / path).write_bytes(content.read())
