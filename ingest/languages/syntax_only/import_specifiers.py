"""What the import statements of outlined languages name: specifiers that `module_resolution/outlined_modules.py` resolves.

A specifier is what the language writes, one for each module that a statement may mean: of `from a import b` both `a` and `a.b`,
since either may be a file. Of a `use` of Rust each branch is a path of its own; `mod x;` is "mod x".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

_HASH_COMMENT: Final = re.compile(r"#[^\n]*")
_SLASH_COMMENT: Final = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_SPACES: Final = re.compile(r"\s+")
_PYTHON_FROM: Final = re.compile(r"from\s+(?P<module>[.\w]+)\s+import\b\s*\(?(?P<names>[^)]*)")
_PYTHON_IMPORT: Final = re.compile(r"import\s+(?P<names>.+)", re.DOTALL)
_GO: Final = re.compile(r"(?P<alias>[\w.]+[ \t]+)?\"(?P<path>[^\"]+)\"")
_VERSION: Final = re.compile(r"v\d+")
_DOTTED: Final = re.compile(r"import (?:static )?(?P<path>\w+(?:\.\w+)*)(?: as (?P<alias>\w+))?;?$")
_SELECTORS: Final = re.compile(r"import (?P<path>[\w.]+)\.\{(?P<names>[^}]*)\}")
_RUST_MOD: Final = re.compile(r"(?:pub(?:\([^)]*\))? )?mod (?P<name>\w+)")
_RUST_USE: Final = re.compile(r"\buse (?P<tree>.+)")
_INCLUDE: Final = re.compile(r"#\s*include\s*(?P<file>\"[^\"]+\"|<[^>]+>)")
_RUBY: Final = re.compile(r"(?P<form>require_relative|require|load|autoload)\b[^\"']*[\"'](?P<path>[^\"']+)[\"']")
_PHP: Final = re.compile(r"use (?:function |const )?(?P<items>.+)")
_PHP_GROUP: Final = re.compile(r"(?P<prefix>[\w\\]+)\\\{(?P<names>[^}]*)\}")
_CSHARP_ALIAS: Final = re.compile(r"(?:global )?using (?P<alias>\w+) =")
_ITEM: Final = re.compile(r"\s*(?P<path>[^\s,]+)(?:\s+(?:as|=>)\s+(?P<alias>\w+))?")
#: Branches of one `use`; a macro or a prelude may have hundreds.
_MAX_BRANCHES: Final = 200
#: Statements whose parts are remembered: each is asked for what it names, and for the names that it brings.
_MAX_STATEMENTS: Final = 4_096


class Specifier(NamedTuple):
    """A module that a statement may mean, the names that it takes from there, and what these are called in the file."""

    #: "" for a statement that names no file and yet brings names.
    text: str
    names: tuple[str, ...] = ()
    local: tuple[str, ...] = ()


@lru_cache(_MAX_STATEMENTS)
def specifiers(language: str, statement: str) -> tuple[Specifier, ...]:
    """The specifiers of an import statement; none for one of another form, and for languages whose imports name no files."""
    read = _READERS.get(language)
    return tuple(dict.fromkeys(read(statement))) if read is not None else ()


def local_names(language: str, statement: str) -> set[str]:
    """The names that an import statement brings into its file, as far as it says them."""
    return {name for specifier in specifiers(language, statement) for name in specifier.local if name.isidentifier()}


def _python(statement: str) -> Iterator[Specifier]:
    text = _HASH_COMMENT.sub("", statement).replace("\\\n", " ").strip()
    if found := _PYTHON_FROM.match(text):
        module, items = found["module"], [item for item in _items(found["names"]) if item[0] != "*"]
        yield Specifier(module, tuple(name for name, _ in items), tuple(local for _, local in items))
        separator = "" if module.endswith(".") else "."
        yield from (Specifier(f"{module}{separator}{name}") for name, _ in items)
    elif found := _PYTHON_IMPORT.match(text):
        for name, local in _items(found["names"]):
            yield Specifier(name, (), (local.partition(".")[0],))


def _items(names: str) -> list[tuple[str, str]]:
    """`a, b as c` -> (a, a), (b, c)."""
    return [(item["path"], item["alias"] or item["path"]) for item in map(_ITEM.match, names.split(",")) if item]


def _go(statement: str) -> Iterator[Specifier]:
    for spec in _GO.finditer(_SLASH_COMMENT.sub("", statement)):
        parts = [part for part in spec["path"].split("/") if not _VERSION.fullmatch(part)]
        alias = (spec["alias"] or "").strip()
        name = alias if alias not in ("", "import") else parts[-1].removeprefix("go-").partition(".")[0] if parts else ""
        yield Specifier(spec["path"], (), (name,) if name not in ("", "_", ".") else ())


def _dotted(statement: str) -> Iterator[Specifier]:
    text = _SPACES.sub(" ", _SLASH_COMMENT.sub("", statement)).strip()
    if found := _SELECTORS.match(text):
        for name, local in _items(found["names"]):
            if name not in ("_", "*"):
                yield Specifier(f"{found['path']}.{name}", (name,), (local,))
    elif found := _DOTTED.match(text):
        name = found["path"].rpartition(".")[2]
        if name != "_":
            yield Specifier(found["path"], (name,), (found["alias"] or name,))


def _rust(statement: str) -> Iterator[Specifier]:
    text = _SPACES.sub(" ", _SLASH_COMMENT.sub("", statement)).strip().rstrip(";")
    if found := _RUST_MOD.match(text):
        yield Specifier(f"mod {found['name']}", (), (found["name"],))
    elif found := _RUST_USE.search(text):
        for _, path in zip(range(_MAX_BRANCHES), _branches(found["tree"]), strict=False):
            module, _, alias = path.partition(" as ")
            name = module.rpartition("::")[2].strip()
            yield Specifier(module.replace(" ", ""), (name,), () if name == "*" else (alias.strip() or name,))


def _branches(tree: str) -> Iterator[str]:
    """`a::{b, c::{d}}` -> a::b, a::c::d."""
    prefix, brace, rest = tree.partition("{")
    if not brace:
        yield tree.strip()
        return
    depth, begun = 0, 0
    for place, sign in enumerate(rest):
        if sign == "{":
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
        elif sign in ",}" and not depth:
            branch = rest[begun:place].strip()
            if branch.partition(" as ")[0] == "self":
                yield prefix.strip().removesuffix("::") + branch.removeprefix("self")
            elif branch:
                yield from _branches(prefix.strip() + branch)
            begun = place + 1
            if sign == "}":
                return


def _include(statement: str) -> Iterator[Specifier]:
    if found := _INCLUDE.match(statement):
        yield Specifier(found["file"])


def _ruby(statement: str) -> Iterator[Specifier]:
    if found := _RUBY.match(statement):
        relative = found["form"] == "require_relative"
        yield Specifier(f"./{found['path']}" if relative else found["path"])


def _php(statement: str) -> Iterator[Specifier]:
    found = _PHP.match(_SPACES.sub(" ", _SLASH_COMMENT.sub("", statement)).strip().rstrip(";"))
    if found is None:
        return
    group = _PHP_GROUP.match(found["items"])
    prefix = f"{group['prefix']}\\" if group else ""
    for path, local in _items(group["names"] if group else found["items"]):
        name = path.rpartition("\\")[2]
        yield Specifier((prefix + path).lstrip("\\"), (name,), (name if local == path else local,))


def _csharp(statement: str) -> Iterator[Specifier]:
    if found := _CSHARP_ALIAS.match(_SPACES.sub(" ", statement)):
        yield Specifier("", (), (found["alias"],))


def _bash(statement: str) -> Iterator[Specifier]:
    path = statement.partition(" ")[2].strip().strip("\"'")
    if path:
        # Where the script lies is usually worked out: `"$(dirname "$0")/lib.sh"`.
        yield Specifier(f"./{path.rpartition('/')[2]}" if "$" in path else path)


_READERS: Final[dict[str, Callable[[str], Iterator[Specifier]]]] = {
    "python": _python,
    "go": _go,
    "java": _dotted,
    "kotlin": _dotted,
    "scala": _dotted,
    "rust": _rust,
    "c": _include,
    "cpp": _include,
    "csharp": _csharp,
    "ruby": _ruby,
    "php": _php,
    "bash": _bash,
}
