"""Dead code of Python: functions, classes, methods and variables that nothing uses, each with a confidence.

Python looks names up at run time. So confidence is high only if the declaration's name occurs nowhere else, including strings,
comments and unresolved calls. Symbols that frameworks run count as used. Other programs may use the public symbols of a package.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from ....graphdb.database import GraphDatabase
from ....graphdb.queries.unused import (
    Unused,
    class_bases,
    imported_paths,
    keeping_classes,
    overriding_ids,
    python_packages,
    unresolved_member_names,
    unused_in,
)
from ....graphdb.queries.wiring import wired_ids
from ....graphdb.symbols.symbol_table import SymbolTable, symbols_of
from ....graphdb.traversal.fitting_types import fitted_members
from ...text_search.indexed_text import IndexedTexts
from ..model.findings import DeadCode, NotKnown
from ..model.request import LintRequest
from .python_mentions import python_mentions, unread_words
from .python_modules import modules_as_values
from .reasons import MEMBER_OF_UNKNOWN

UNUSED = "nothing uses it, and its name stands nowhere else"
UNUSED_NAME = "nothing uses it, but its name stands elsewhere"

#: Decorators that do not affect the callers of the decorated function.
_NEUTRAL = re.compile(
    r"property|cached_property|staticmethod|classmethod|abstractmethod|abstractproperty|overload|final|override|wraps|lru_cache|cache"
    r"|contextmanager|asynccontextmanager|dataclass|define|frozen|attrs|s|total_ordering|setter|deleter|getter|no_type_check"
    r"|deprecated|unique|singledispatch|coroutine|runtime_checkable|profile|jit|njit|beartype|typechecked|skip|skipif|skipUnless"
    r"|skipIf|xfail"
)
#: Base classes outside of the repository that call no methods of derived classes except overrides.
_CLOSED = re.compile(
    r"python:(?:\w+\.)*(?:object|Generic|Protocol|ABC|Enum|IntEnum|StrEnum|Flag|IntFlag|NamedTuple|TypedDict|\w*Exception|\w*Error"
    r"|\w*Warning|dict|list|set|tuple|str|int|float|bytes|frozenset|UserDict|OrderedDict|Mapping|MutableMapping|Sequence)"
)
_BASES = re.compile(r"class\s+\w+\s*(?:\[[^\]]*\])?\s*\((.*)\)", re.DOTALL)
_METACLASS = re.compile(r"\bmetaclass\s*=\s*(?!(?:\w+\.)*(?:ABCMeta|EnumMeta|type)\b)")
_DECORATOR = re.compile(rb"^[ \t]*@[ \t]*([\w.]+)", re.MULTILINE)
#: `_SETTINGS`: files whose values other programs read. `_CONFIGURATION`: files whose functions other programs call, too.
_SETTINGS = re.compile(
    r"(?:^|/)\w*(?:settings|config|conf|constants|version)\w*\.py$|(?:^|/)(?:settings|config|migrations|versions)/"
)
_CONFIGURATION = re.compile(r"(?:^|/)(?:conf|conftest|setup|noxfile|tasks|fabfile|dodo|wscript|SConstruct|gunicorn\.conf)\.py$")
#: A line that no file has which only assigns values, such as the configuration of a server.
_STATEMENT = re.compile(rb"^(?!\w+[ \t]*(?::[^=\n]*)?=(?!=)|import |from |[#\"'\])}])\S", re.MULTILINE)
#: Folders of examples, which people run or read.
_FOR_PEOPLE = re.compile(r"(?:^|/)(?:examples?|demos?|samples?|tutorials?|docs_src|snippets?|playground)/")
_VALUES = frozenset(("variable", "const", "property"))
_MEMBERS = frozenset(("method", "getter", "setter"))


def python_dead_code(
    graph: GraphDatabase, texts: IndexedTexts, request: LintRequest, paths: Collection[str], tests: Collection[str]
) -> Iterator[DeadCode | NotKnown]:
    """Yield the dead declarations of some files of Python, and the declarations that may be dead; `tests` are the paths of test
    files.
    """
    check = _Check(graph, texts, request, tests)
    unused = [each for each in unused_in(graph, paths) if check.counts(each)]
    check.fit(symbols_of(graph), unused)
    dead_classes = {each.id for each in unused if each.kind == "class"}
    for each in unused:
        if each.owner not in dead_classes:
            yield from check.judged(each)


class _Check:
    """The data about all declarations."""

    def __init__(self, graph: GraphDatabase, texts: IndexedTexts, request: LintRequest, tests: Collection[str]) -> None:
        self._tests = tests
        self._texts = texts
        self._mentions = python_mentions(texts)
        self._unread = unread_words(request.unread)
        self._overriding = overriding_ids(graph)
        self._bases = class_bases(graph)
        self._packages = python_packages(graph)
        self._keeping = keeping_classes(graph)
        self._imported = imported_paths(graph)
        self._as_values = modules_as_values(graph, texts, tests)
        self._callable_by_frameworks = self._classes_for_frameworks(wired_ids(graph))
        self._unresolved = unresolved_member_names(graph)
        #: For methods, by id: a used method of a protocol that their class fits.
        self._fitted: dict[str, str] = {}
        #: Path and lines of the file that was read last; declarations are sorted by file.
        self._last_lines: tuple[str, list[bytes]] = ("", [])

    def fit(self, table: SymbolTable, unused: Collection[Unused]) -> None:
        """Find the protocols that the classes of unused methods fit."""
        methods = table.symbols(each.id for each in unused if each.owner)
        self._fitted = {id: found[0].qualified_name for id, found in fitted_members(table, list(methods.values())).items()}

    def counts(self, declaration: Unused) -> bool:
        """Return whether the check covers a declaration.

        Special names, attributes, settings, overriding members and re-exported symbols are not checked.
        """
        name = declaration.name
        if name.startswith("__") or not name.isidentifier() or not name.strip("_"):
            return False
        if declaration.owner and declaration.kind not in _MEMBERS:
            return False  # attributes have too many unknown uses
        if (declaration.kind in _VALUES or name.isupper()) and _SETTINGS.search(declaration.path):
            return False
        return declaration.id not in self._overriding and not self._is_offered(declaration)

    def judged(self, declaration: Unused) -> Iterator[DeadCode | NotKnown]:
        """Yield the finding for an unused declaration."""
        name, kind, path, line = declaration.name, declaration.kind, declaration.path, declaration.line
        if doubt := self._doubt(declaration):
            yield NotKnown(name, kind, path, line, doubt)
            return
        if self._is_api(declaration):
            reason = f"{UNUSED_NAME}, and" if self._is_elsewhere(declaration) else f"{UNUSED}, but"
            yield DeadCode(name, kind, path, line, f"{reason} others may import it from its package", "low")
        elif self._is_elsewhere(declaration):
            yield DeadCode(name, kind, path, line, UNUSED_NAME, "medium")
        elif declaration.kind in _MEMBERS and not name.startswith("_"):
            yield DeadCode(
                name, kind, path, line, f"{UNUSED}, but code outside may call it on an object that it is given", "medium"
            )
        elif path in self._tests and kind == "class":
            yield DeadCode(name, kind, path, line, f"{UNUSED}, but a test runner may collect it", "medium")
        elif _FOR_PEOPLE.search(path):
            yield DeadCode(name, kind, path, line, f"{UNUSED}, but people may run examples", "medium")
        elif self._is_loose(declaration):
            yield DeadCode(name, kind, path, line, f"{UNUSED}, but a program may load its file, which no other imports", "medium")
        else:
            yield DeadCode(name, kind, path, line, UNUSED, "high")

    def _doubt(self, declaration: Unused) -> str | None:
        """Return a possible use of a declaration that the graph does not contain; None if there is none."""
        name = declaration.name.encode()
        if decorators := self._registering(declaration):
            return f"its decorator may register it ({', '.join(decorators)})"
        base = self._open_base(declaration.owner or declaration.id)
        if base:
            return f"{base}, from which its class derives, may use it"
        if declaration.id in self._fitted:
            return f"code that uses {self._fitted[declaration.id]} may run it, because its class fits the protocol"
        if declaration.path in self._tests and name[:4].lower() == b"test":
            return "a test runner may collect it"
        if declaration.owner in self._callable_by_frameworks:
            return "a framework uses its class, or one that derives from it, and may use its methods"
        if declaration.kind == "class" and self._is_kept(declaration.id):
            return "a class that it derives from may keep the classes that do"
        if _CONFIGURATION.search(declaration.path) or not declaration.path.rpartition("/")[2].rpartition(".")[0].isidentifier():
            return "programs that load its file by path may use it"
        if declaration.kind in _VALUES and self._is_loose(declaration) and not self._has_statements(declaration.path):
            return "a program may read the values of its file, which no other imports"
        if name in self._mentions.in_strings:
            return "a string has its name"
        if declaration.name in self._unread:
            return "a file that is not read with resolution has its name"
        if declaration.owner and declaration.name in self._unresolved:
            return MEMBER_OF_UNKNOWN
        if any(name.startswith(begin) for begin in self._mentions.begins) or any(
            name.endswith(end) for end in self._mentions.ends
        ):
            return "code puts names like this one together"
        if declaration.path in self._mentions.listing:
            return "its file looks up what it declares"
        if declaration.path in self._as_values:
            return f"{self._as_values[declaration.path]} passes its module on, and may use it through the module"
        return None

    def _is_elsewhere(self, declaration: Unused) -> bool:
        """Return whether the name occurs anywhere outside of the declaration."""
        name = declaration.name.encode()
        own = len(
            re.findall(
                rb"(?<!\w)" + re.escape(name) + rb"(?!\w)",
                self._lines(declaration.path, declaration.first_line, declaration.last_line),
            )
        )
        return self._mentions.counts[name] > own

    def _lines(self, path: str, first: int, last: int) -> bytes:
        if self._last_lines[0] != path:
            self._last_lines = (path, self._texts[path].text.split(b"\n") if path in self._texts else [])
        return b"\n".join(self._last_lines[1][first - 1 : last])

    def _registering(self, declaration: Unused) -> list[str]:
        head = self._lines(declaration.path, declaration.declaration_line, declaration.line - 1)
        names = [found.decode("utf-8", "replace") for found in _DECORATOR.findall(head)]
        return [name for name in names if not _NEUTRAL.fullmatch(name.rpartition(".")[2])]

    def _is_loose(self, declaration: Unused) -> bool:
        """Return whether a declaration is public, and its file is outside of packages and imported by no other file."""
        folder = declaration.path.rpartition("/")[0]
        is_packaged = (f"{folder}/__init__.py" if folder else "__init__.py") in self._texts
        return not is_packaged and declaration.path not in self._imported and not declaration.name.startswith("_")

    def _has_statements(self, path: str) -> bool:
        """Return whether a file does more than assign values."""
        return path in self._texts and _STATEMENT.search(self._texts[path].text) is not None

    def _classes_for_frameworks(self, wired: Collection[str]) -> set[str]:
        """Return the classes whose methods frameworks may call: classes that frameworks use, classes with unknown bases, and
        all bases of these classes in the repository.
        """
        waiting = [id for id in self._bases if id in wired or self._open_base(id)]
        found: set[str] = set()
        while waiting:
            at = waiting.pop()
            if at not in found and at in self._bases:
                found.add(at)
                waiting += self._bases[at].inside
        return found

    def _is_kept(self, id: str) -> bool:
        """Return whether a class has a metaclass, or derives from a class that registers each of its subclasses."""
        waiting, seen = [id], set[str]()
        while waiting:
            at = waiting.pop()
            if at in self._bases and at not in seen:
                seen.add(at)
                if (at in self._keeping and at != id) or _METACLASS.search(self._bases[at].signature):
                    return True
                waiting += self._bases[at].inside
        return False

    def _open_base(self, id: str) -> str:
        """Return the name of a direct or indirect base class whose code is not known; "" if there is none."""
        waiting, seen = [id], set[str]()
        while waiting:
            at = waiting.pop()
            found = self._bases.get(at)
            if found is None or at in seen:
                continue
            seen.add(at)
            for outside in found.outside:
                if not _CLOSED.fullmatch(outside):
                    return outside.partition(":")[2] or outside
            written = _written_bases(found.signature)
            if len(written) > len(found.inside) + len(found.outside):
                return written[-1]
            waiting += found.inside
        return ""

    def _is_offered(self, declaration: Unused) -> bool:
        """Return whether another file of a package, such as `__init__.py`, re-exports the declaration."""
        others = [path for path in declaration.offered_by if path != declaration.path]
        return any(path in self._packages for path in others)

    def _is_api(self, declaration: Unused) -> bool:
        """Return whether other projects may import a declaration: it is public, and in a public module of a package with a
        manifest.
        """
        path = declaration.path
        if path not in self._packages or path in self._tests or declaration.name.startswith("_"):
            return False
        folder, _, file = path.rpartition("/")
        is_private = any(part.startswith("_") and not part.startswith("__") for part in path.split("/"))
        return not is_private and f"{folder}/__init__.py" in self._texts and file != "__main__.py"


def _written_bases(signature: str) -> list[str]:
    """Return the bases in the head of a class, without keyword arguments, `object`, `Generic` and `Protocol`."""
    found = _BASES.search(signature)
    if found is None:
        return []
    parts, depth, begin = [], 0, 0
    text = found[1]
    for place, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if character == "," and depth == 0:
            parts.append(text[begin:place])
            begin = place + 1
    parts.append(text[begin:])
    names = [part.partition("[")[0].strip() for part in parts if "=" not in part.partition("(")[0]]
    return [name for name in names if name and name.rpartition(".")[2] not in ("object", "Generic", "Protocol")]
