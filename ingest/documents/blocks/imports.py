"""Read the imports in a block of code of a document."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final, NamedTuple

from ..sections import Reference
from ..use_trees import branches

#: Maximum number of branches that are read of one `use` of Rust.
_MAX_BRANCHES: Final = 100
#: Maximum number of characters that are read in a clause of an import.
_MAX_CLAUSE: Final = 2_000
_PYTHON_FROM: Final = re.compile(
    rf"^[ \t]*from[ \t]+(?P<module>\.*[\w.]*)[ \t]+import[ \t]+(?:\((?P<inner>[^()]{{0,{_MAX_CLAUSE}}})\)?|(?P<names>[^\n#;(]*))",
    re.MULTILINE,
)
_PYTHON_IMPORT: Final = re.compile(r"^[ \t]*import[ \t]+(?P<modules>\w[\w. \t,]*?)[ \t]*(?:#[^\n]*)?(?:;|$)", re.MULTILINE)
_SCRIPT_IMPORT: Final = re.compile(
    rf"^[ \t]*(?:import|export)\b[ \t]*(?:type[ \t]+)?(?P<names>[\w$\s,{{}}*]{{0,{_MAX_CLAUSE}}}?)\s*(?:\bfrom\b)?[ \t]*"
    r"['\"](?P<module>[^'\"\n]+)['\"]",
    re.MULTILINE,
)
_REQUIRE: Final = re.compile(
    r"^[^\n=]{0,200}?\b(?:const|let|var)[ \t]+(?P<names>[\w$ \t,{}:]{1,400}?)"
    r"=[ \t]*require\([ \t]*['\"](?P<module>[^'\"\n]+)['\"]",
    re.MULTILINE,
)
_GO_IMPORT: Final = re.compile(
    r"^[ \t]*(?:import[ \t]+)?(?:(?P<alias>[\w.]+)[ \t]+)?\"(?P<module>[\w./~-]+)\"[ \t]*$",
    re.MULTILINE,
)
_JAVA_IMPORT: Final = re.compile(
    r"^[ \t]*import[ \t]+(?P<static>static[ \t]+)?(?P<module>\w[\w.]*\w)(?P<all>\.\*)?"
    r"(?:[ \t]+as[ \t]+(?P<alias>\w+))?[ \t]*;?[ \t]*$",
    re.MULTILINE,
)
_RUST_USE: Final = re.compile(rf"^[ \t]*(?:pub[ \t]+)?use[ \t]+(?P<names>[^;]{{1,{_MAX_CLAUSE}}});", re.MULTILINE)
_PHP_USE: Final = re.compile(
    r"^[ \t]*use[ \t]+(?:(?:function|const)[ \t]+)?\\?(?P<module>[A-Za-z_]\w*(?:\\[A-Za-z_]\w*){0,20})"
    r"(?:\\\{(?P<names>[^{}\n]{1,400})\}|[ \t]+as[ \t]+(?P<alias>\w+))?[ \t]*;",
    re.MULTILINE,
)
#: A name of PHP with its namespaces: `new \Shop\Cart()`, `Shop\Cart::open()`.
_PHP_NAMESPACED: Final = re.compile(
    r"(?<![\w\\$>'\"])(?<!namespace )(?P<root>\\?)(?P<space>[A-Za-z_]\w{0,80}(?:\\[A-Za-z_]\w{0,80}){0,12})"
    r"\\(?P<name>[A-Z]\w{0,80}(?![\w\\])|[a-z]\w{0,80}(?=\())"
)
#: Another name of a type of C#: `using Basket = Shop.Cart;`.
_CSHARP_ALIAS: Final = re.compile(r"^[ \t]*using[ \t]+(?P<alias>\w+)[ \t]*=", re.MULTILINE)


#: Form of a reference that is an import under another name. The names are the new name, and the imported one: "default" for what
#: the module exports as such, and "*" for the module itself.
ALIAS: Final = "alias"
WHOLE: Final = "*"


class Origin(NamedTuple):
    """The origin of a name in a block: a module, and the path of names in the module to the declaration."""

    #: "" for an unknown name: a value of the block, or a name of another package.
    module: str
    names: tuple[str, ...] = ()
    #: Whether the name denotes an instance of the class at the end of `names`.
    is_value: bool = False
    #: Whether the class at the end of `names` is only an ancestor of the class of the instance.
    is_ancestor: bool = False
    #: Whether the name is a member itself, which the block takes out of its object.
    is_taken_apart: bool = False
    #: Whether the path may begin at its second name instead, because the first name is only an ancestor of the type around it.
    is_inherited: bool = False


UNKNOWN: Final = Origin("")


class BlockImports:
    """Reads the imports of one block. `known` has the names of earlier blocks. The imported names of this block are added."""

    def __init__(self, text: str, extension: str, known: dict[str, Origin], number: Callable[[int], int]) -> None:
        """`number` returns the line at an offset."""
        self._text = text
        self._extension = extension
        self._known = known
        self._number = number
        #: Start and end of each import, in order.
        self.clauses: deque[tuple[int, int]] = deque()
        #: The classes of PHP that the block names with their namespaces, by the place of the name.
        self.namespaced: dict[int, Origin] = {}
        #: The classes of which the block imports all static members.
        self.stars: list[str] = []

    def references(self) -> Iterator[Reference]:
        """Yield the imports in the order of the block."""
        read = {".py": self._python_imports, ".ts": self._script_imports, ".go": self._go_imports}.get(self._extension)
        if read is not None:
            yield from read()
        elif self._extension in (".java", ".kt", ".scala"):
            yield from self._java_imports()
        elif self._extension == ".php":
            yield from self._php_imports()
        elif self._extension == ".cs":
            # Other directives import whole namespaces, which may be those of the repository.
            self._known.update((found["alias"], UNKNOWN) for found in _CSHARP_ALIAS.finditer(self._text))
        elif self._extension == ".rs":
            yield from self._rust_imports()

    def _python_imports(self) -> Iterator[Reference]:
        found = [*_PYTHON_FROM.finditer(self._text), *_PYTHON_IMPORT.finditer(self._text)]
        for each in sorted(found, key=lambda match: match.start()):
            self.clauses.append(each.span())
            line = self._number(each.start())
            if "module" in each.groupdict():
                clause = each["inner"] if each["inner"] is not None else each["names"]
                pairs = [(part.split() or [""]) for part in re.sub(r"#[^\n]*", "", clause).split(",")]
                names = tuple(words[0] for words in pairs if words[0].isidentifier())
                for words in pairs:
                    if words[0].isidentifier():
                        self._known[words[-1]] = Origin(each["module"], (words[0],))
                        if words[-1] != words[0]:
                            yield Reference(ALIAS, each["module"], line, 1, (words[-1], words[0]), self._extension)
                yield Reference("import", each["module"], line, 1, names, self._extension)
                continue
            for part in each["modules"].split(","):
                words = part.split()
                if not words:
                    continue
                if len(words) == 3 and words[1] == "as":
                    self._known[words[2]] = Origin(words[0])
                    yield Reference(ALIAS, words[0], line, 1, (words[2], WHOLE), self._extension)
                else:
                    top = words[0].partition(".")[0]
                    self._known[top] = Origin(top)
                yield Reference("import", words[0], line, 1, (), self._extension)

    def _script_imports(self) -> Iterator[Reference]:
        found = [*_SCRIPT_IMPORT.finditer(self._text), *_REQUIRE.finditer(self._text)]
        for each in sorted(found, key=lambda match: match.start()):
            self.clauses.append(each.span())
            line = self._number(each.start())
            module = each["module"]
            outer, _, braced = each["names"].partition("{")
            names = []
            for part in braced.partition("}")[0].split(","):
                words = part.replace(":", " ").split()
                words = words[1:] if words[:1] == ["type"] and len(words) > 1 else words
                if words:
                    names.append(words[0])
                    self._known[words[-1]] = Origin(module, (words[0],))
                    if words[-1] != words[0]:
                        yield Reference(ALIAS, module, line, 1, (words[-1], words[0]), self._extension)
            for part in outer.split(","):
                words = part.split()
                if words:
                    is_whole = words[0] == "*" or each.re is _REQUIRE
                    self._known[words[-1]] = Origin(module, () if is_whole else ("default",))
                    yield Reference(ALIAS, module, line, 1, (words[-1], WHOLE if is_whole else "default"), self._extension)
            yield Reference("import", module, line, 1, tuple(names), self._extension)

    def _go_imports(self) -> Iterator[Reference]:
        if "import" not in self._text:
            return
        imported: dict[str, str] = {}
        for found in _GO_IMPORT.finditer(self._text):
            module = found["module"]
            last = re.sub(r"/v\d+$", "", module).rpartition("/")[2]
            for name in {found["alias"] or last, last.removeprefix("go-").removesuffix("-go").replace("-", "")}:
                # A fragment may show two packages with one name, of which a program would import one.
                is_single = imported.setdefault(name, module) == module
                self._known[name] = Origin(module) if is_single else UNKNOWN
            yield Reference("import", module, self._number(found.start()), 1, (), self._extension)

    def _php_imports(self) -> Iterator[Reference]:
        """Yield the imports. What the block names with namespaces is also recorded."""
        found = [*_PHP_USE.finditer(self._text), *_PHP_NAMESPACED.finditer(self._text)]
        end = 0
        for each in sorted(found, key=lambda match: match.start()):
            if each.start() < end:
                continue  # inside of an import
            if each.re is _PHP_NAMESPACED:
                self._add_namespaced(each)
                continue
            line = self._number(each.start())
            end = each.end()
            self.clauses.append(each.span())
            for part in (each["names"] or "").split(","):
                written, _, alias = part.strip().partition(" as ")
                module = f"{each['module']}\\{written.strip()}" if written.strip() else each["module"]
                last = module.rpartition("\\")[2]
                local = alias.strip() or each["alias"] or last
                self._known[local] = Origin(module, (last,))
                if local != last:
                    yield Reference(ALIAS, module, line, 1, (local, last), self._extension)
                yield Reference("import", module, line, 1, (last,), self._extension)

    def _add_namespaced(self, found: re.Match[str]) -> None:
        """Record a class that the block names with its namespaces, of which an import may have named the first."""
        first, _, rest = found["space"].partition("\\")
        outer = self._known.get(first) if not found["root"] else None
        begin = outer.module if outer is not None and outer.module and not outer.is_value else first
        if found["name"][:1].islower():  # a function of a namespace, which no file has as its name
            self.namespaced[found.start("name")] = Origin("", (found["name"],))
            return
        module = found["root"] + "\\".join(part for part in (begin, rest, found["name"]) if part)
        self.namespaced[found.start("name")] = Origin(module, (found["name"],))

    def _rust_imports(self) -> Iterator[Reference]:
        for found in _RUST_USE.finditer(self._text):
            self.clauses.append(found.span())
            at = found.start("names")
            for branch in islice(branches(" ".join(found["names"].split())), _MAX_BRANCHES):
                module, _, alias = branch.partition(" as ")
                last = module.rpartition("::")[2]
                if last.isidentifier():
                    self._known[alias.strip() or last] = Origin(module, (last,))
                    # A clause may have many lines, of which each imports a name.
                    written = re.compile(rf"\b{last}\b").search(self._text, at, found.end())
                    at = written.start() if written is not None else at
                    yield Reference("import", module, self._number(at), 1, (last,), self._extension)

    def _java_imports(self) -> Iterator[Reference]:
        for found in _JAVA_IMPORT.finditer(self._text):
            self.clauses.append(found.span())
            module = found["module"]
            last = module.rpartition(".")[2]
            line = self._number(found.start())
            if found["all"]:
                if found["static"]:
                    self.stars.append(module)
                continue
            if found["static"]:
                owner = module.rpartition(".")[0]
                self._known[last] = Origin(owner, (owner.rpartition(".")[2], last))
            else:
                self._known[found["alias"] or last] = Origin(module, (last,))
                yield Reference("import", module, line, 1, (last,), self._extension)
