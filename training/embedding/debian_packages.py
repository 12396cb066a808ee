"""Download the sources of Debian packages with apt: the sources in a binary package, or the source package itself."""

from __future__ import annotations

import io
import re
import subprocess
import tarfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from .copyright_files import CopyrightFile
from .debian_files import in_main_languages, installed_path, is_read
from .packages import Package

#: Names of the main source archive, and of archives with additions such as packaging files.
_SOURCES = re.compile(r"[^/]+?(?:\.orig)?\.tar\.(?:gz|xz|bz2)")
_ADDITION = re.compile(r"\.orig-[^/]*\.tar\.|\.debian\.tar\.")
#: Magic bytes of an `ar` archive, and the size in bytes of the header of each member.
_AR, _AR_HEADER = b"!<arch>\n", 60


def fetch_debian_package(package: Package, work: Path, target: Path) -> None:
    """Download a package into the folder `work`, and write its sources in the main languages below the folder `target`.

    Raises ValueError if apt cannot download the package, or if its copyright file declares another license than `packages.tsv`.
    """
    if package.registry == "debian":
        _apt_get(package, work, "download")
        (archive,) = work.glob("*.deb")
        written, files = read_binary(archive)
    else:
        # `--tar-only` skips the archive of packaging files, because mirrors lack it for many versions.
        _apt_get(package, work, "source", "--download-only", "--tar-only")
        written = _copyright_of_binaries(package, work)
        files = {
            path: content
            for archive in sorted(work.iterdir())
            if _SOURCES.fullmatch(archive.name) and not _ADDITION.search(archive.name)
            for path, content in read_source(archive)
        }
    said = CopyrightFile(written)
    if said.licence != package.licence:
        raise ValueError(f"{package.name}: the list says {package.licence}, the package {said.licence or 'nothing'}")
    target.mkdir(parents=True, exist_ok=True)
    permitted = [path for path in files if not said.is_restricted(path)]
    for path in in_main_languages(package.registry, permitted):
        (target / path).parent.mkdir(parents=True, exist_ok=True)
        (target / path).write_bytes(files[path])


def read_binary(archive: Path) -> tuple[str, dict[str, bytes]]:
    """Return the copyright file of a binary package ("" if there is none), and its sources by their paths in a checkout."""
    said, files = "", {}
    with tarfile.open(fileobj=io.BytesIO(_installed(archive.read_bytes()))) as members:
        for inside, member in _regular(members):
            if re.fullmatch(r"usr/share/doc/[^/]+/copyright", inside):
                said = _content(members, member).decode("utf-8", "replace")
            path = installed_path(inside)
            if path and is_read(inside, member.size):
                files[path] = _content(members, member)
    return said, files


def _installed(package: bytes) -> bytes:
    """Return the archive of installed files in a binary package, which is an `ar` archive (deb(5)).

    Raises ValueError if the bytes are no such package.
    """
    position = len(_AR)
    while package.startswith(_AR) and position < len(package):
        name, size = package[position : position + 16], int(package[position + 48 : position + 58])
        position += _AR_HEADER
        if name.startswith(b"data.tar"):
            return package[position : position + size]
        position += size + size % 2
    raise ValueError("not a Debian package")


def read_source(archive: Path) -> Iterator[tuple[str, bytes]]:
    """Yield path and content of each source file in a project's own archive; paths omit the outermost folder."""
    with tarfile.open(archive) as members:
        for inside, member in _regular(members):
            path = inside.partition("/")[2] or inside
            if is_read(inside, member.size):
                yield path, _content(members, member)


def _regular(members: tarfile.TarFile) -> Iterator[tuple[str, tarfile.TarInfo]]:
    return ((member.name.removeprefix("./"), member) for member in members if member.isfile())


def _content(members: tarfile.TarFile, member: tarfile.TarInfo) -> bytes:
    file = members.extractfile(member)
    return file.read() if file is not None else b""


def _copyright_of_binaries(package: Package, work: Path) -> str:
    """Return the copyright file of the smallest binary package with such a file among those built from a source package."""
    described = _run(package, work, ["apt-cache", "showsrc", "--only-source", package.name])
    names = re.findall(r"^ (\S+) deb ", described, re.MULTILINE)
    shown = _run(package, work, ["apt-cache", "--no-all-versions", "show", *dict.fromkeys(names)])
    for name in _by_size(shown.split("\n\n")):
        _run(package, work, ["apt-get", "--quiet", "--quiet", "download", name])
        (archive,) = work.glob("*.deb")
        said, _ = read_binary(archive)
        archive.unlink()
        if said:
            return said
    return ""


def _by_size(descriptions: Iterable[str]) -> list[str]:
    facts = [dict(re.findall(r"^(Package|Size): (\S+)", each, re.MULTILINE)) for each in descriptions]
    return [fact["Package"] for fact in sorted((fact for fact in facts if len(fact) == 2), key=lambda fact: int(fact["Size"]))]


def _apt_get(package: Package, work: Path, *command: str) -> None:
    _run(package, work, ["apt-get", "--quiet", "--quiet", *command, f"{package.name}={package.version}"])


def _run(package: Package, work: Path, command: list[str]) -> str:
    try:
        done = subprocess.run(command, cwd=work, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        return done.stdout
    except FileNotFoundError:
        raise ValueError(f"{command[0]} is not there: Debian packages are downloaded by apt; train on Debian 12") from None
    except subprocess.CalledProcessError as error:
        said = " ".join(line for line in error.stderr.splitlines() if line.startswith("E:"))
        raise ValueError(
            f"apt does not give {package.name} {package.version} ({said}); let it know Debian 12 and its sources "
            "(`Types: deb deb-src`) or a snapshot of them that has this version, and run `apt-get update`"
        ) from None
