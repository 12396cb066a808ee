"""A planned change of one file, which can be shown before it is written."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from dataclasses import dataclass
from difflib import unified_diff
from pathlib import Path
from tempfile import NamedTemporaryFile

from ...schema.errors import WorkspaceError


@dataclass(frozen=True, slots=True)
class FileChange:
    """The bytes of a file before and after a change; None for no file."""

    #: The file, which is the target if a link was named.
    path: Path
    before: bytes | None
    after: bytes | None
    #: Whether a new file is executable.
    is_program: bool = False
    #: Whether the removal of the file also removes a folder that is then empty.
    has_own_folder: bool = False

    @property
    def verb(self) -> str:
        """Verb for the change: "create", "change" or "remove"."""
        if self.after is None:
            return "remove"
        return "create" if self.before is None else "change"

    def apply(self) -> None:
        """Write or remove the file. A reader sees either all old bytes or all new bytes. Raises WorkspaceError."""
        try:
            if self.after is None:
                self._remove()
                return
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._write(self.after)
        except OSError as error:
            raise WorkspaceError(f"{self.path} cannot be written: {error.strerror}.") from error

    def diff(self, root: Path) -> str:
        """Return the change as a unified diff whose paths are relative to `root`."""
        name = os.path.relpath(self.path, root)
        old = name if self.before is not None else os.devnull
        new = name if self.after is not None else os.devnull
        lines = unified_diff(_lines(self.before), _lines(self.after), old, new)
        return "".join(line if line.endswith("\n") else line + "\n" for line in lines)

    def _remove(self) -> None:
        self.path.unlink(missing_ok=True)
        if self.has_own_folder:
            with suppress(OSError):  # the folder has other files
                self.path.parent.rmdir()

    def _write(self, content: bytes) -> None:
        mode = stat.S_IMODE(self.path.stat().st_mode) if self.before is not None else _new_mode(self.is_program)
        with NamedTemporaryFile(dir=self.path.parent, prefix=f".{self.path.name}.", delete=False) as draft:
            draft.write(content)
        try:
            os.chmod(draft.name, mode)
            os.replace(draft.name, self.path)
        except OSError:
            with suppress(OSError):
                os.unlink(draft.name)
            raise


def read_if_file(path: Path) -> bytes | None:
    """Return the bytes of a file; None if there is none. Raises WorkspaceError if it cannot be read."""
    try:
        return path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise WorkspaceError(f"{path} cannot be read: {error.strerror}.") from error


def _new_mode(is_program: bool) -> int:
    """Return the mode of a new file under the umask of the process."""
    mask = os.umask(0o077)
    os.umask(mask)
    return (0o777 if is_program else 0o666) & ~mask


def _lines(content: bytes | None) -> list[str]:
    return [] if content is None else content.decode("utf-8", "backslashreplace").splitlines(keepends=True)
