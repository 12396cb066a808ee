"""Our own declarations of Python's standard library, for functions and classes through which values flow."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..platforms import OnEveryPlatform
from ..runtime_declarations import RuntimeDeclarations
from .installed_modules import InstalledModules
from .modules.standard_library import is_standard
from .modules.stub_files import BESIDE

if TYPE_CHECKING:
    from pathlib import Path

    from ...facts.cache import FactReader
    from ...facts.model import FileFacts
    from ...files.workspace_files import WorkspaceFiles
    from ..installed_files import InstalledFiles

#: Modules whose contents another module declares: `typing_extensions` has the names of `typing`.
_SAME = {
    "typing_extensions": "typing",
    **dict.fromkeys(
        ("django.db.models.base", "django.db.models.manager", "django.db.models.query", "django.db.models.fields.related"),
        "django.db.models",
    ),
    "django.contrib.auth.base_user": "django.contrib.auth.models",
    **dict.fromkeys(("sqlalchemy.future", "sqlalchemy.sql", "sqlalchemy.sql.expression"), "sqlalchemy"),
    **dict.fromkeys(("sqlalchemy.engine", "sqlalchemy.engine.result", "sqlalchemy.sql.selectable"), "sqlalchemy.orm"),
    **dict.fromkeys(("sqlalchemy.orm.query", "sqlalchemy.orm.scoping", "sqlalchemy.orm.session"), "sqlalchemy.orm"),
    **dict.fromkeys(("sqlalchemy.ext.asyncio.session", "sqlmodel.ext.asyncio.session"), "sqlalchemy.ext.asyncio"),
    **dict.fromkeys(("sqlmodel.orm.session",), "sqlmodel"),
    "collections.abc": "typing",
    "_typeshed": "typing",
    "posixpath": "os.path",
    "ntpath": "os.path",
    "json.decoder": "json",
    "json.encoder": "json",
    "unittest.case": "unittest",
    "unittest.async_case": "unittest",
    "unittest.suite": "unittest",
    "mock": "unittest.mock",
    "multiprocessing.context": "multiprocessing",
    "multiprocessing.process": "multiprocessing",
    **dict.fromkeys((f"concurrent.futures.{part}" for part in ("_base", "process", "thread")), "concurrent.futures"),
    **dict.fromkeys(
        (
            f"asyncio.{part}"
            for part in (
                "base_events",
                "events",
                "exceptions",
                "futures",
                "locks",
                "protocols",
                "queues",
                "runners",
                "streams",
                "taskgroups",
                "tasks",
                "timeouts",
                "transports",
            )
        ),
        "asyncio",
    ),
}


#: The declarations in `runtime/`.
RUNTIME = RuntimeDeclarations(f"{__package__}.runtime", "python")
#: The declarations in `libraries/`.
LIBRARIES = RuntimeDeclarations(f"{__package__}.libraries", "python")
#: The names of the packages that `libraries/` declares.
_LIBRARIES = frozenset(("django", "flask_sqlalchemy", "pydantic", "sqlalchemy", "sqlmodel"))


def build_declarations(folder: Path) -> None:
    """Write the facts of all declarations below `folder`, the folder of the language."""
    RUNTIME.build(folder)
    LIBRARIES.build(folder)


class PythonRules(OnEveryPlatform):
    """The rules of Python for the nominal engine."""

    is_static = False
    null_literal = "None"
    beside = BESIDE
    has_overloads = False

    def is_package(self, name: str) -> bool:
        """Return False, because a name denotes a package only after an import."""
        return False

    def runtime_name(self, module: str) -> str:
        """Return the module that declares the contents of a module of the runtime: usually the module itself."""
        return _SAME.get(module, module)

    def runtime(self, module: str, cache: FactReader | None = None) -> FileFacts | None:
        """Return the facts of our own declarations of a module of the runtime, or None. Raises `StoreError`."""
        return LIBRARIES.facts(module, cache) if self.is_library(module) else RUNTIME.facts(module, cache)

    def is_library(self, module: str) -> bool:
        """Return whether a module belongs to a library that we declare."""
        return module.partition(".")[0] in _LIBRARIES

    def external(self, name: str) -> str:
        """Return the id of an external declaration by its dotted name, which begins with its module."""
        top, _, rest = name.partition(".")
        if top == "builtins":
            return f"python:{rest}"
        return f"python:{name}" if is_standard(top) else f"pypi:{top}#{rest}"

    def split_outside(self, name: str) -> tuple[str, str]:
        """Split the dotted name of an external declaration after its first part, which identifies the package."""
        package, _, rest = name.partition(".")
        return package, rest

    def generated_names(self, files: WorkspaceFiles) -> None:
        """Return None, because no setting of Python lists generated members of classes."""

    def packages(self, files: WorkspaceFiles, installed: InstalledFiles) -> InstalledModules:
        """Return the modules of installed packages, whose files `installed` reads."""
        return InstalledModules(files, installed)
