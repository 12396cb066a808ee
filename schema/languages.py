"""The languages that are read: their file extensions, what people call them, and how much is known of their code.

This table is the one place where a language is added: a line here, and a folder in `ingest/languages/` that reads its files.
All layers take what they know of languages from the table; `ingest/languages/registry.py` finds the folder by it.

TypeScript and JavaScript are resolved: their names lead to declarations, and edges join these. Of the others symbols are known:
declarations with their places, signatures and doc comments, to be searched, shown and looked up. They have no edges, so
nothing may be concluded from their absence.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Language(NamedTuple):
    """A language as the value of `File.language`."""

    name: str
    extensions: tuple[str, ...]
    #: What else people call it, in small letters.
    other_names: tuple[str, ...] = ()
    #: Whether names are resolved to declarations; else edges are not known.
    is_resolved: bool = False
    #: True where imports make names known and run nothing: files may import each other in whatever order.
    is_declarative: bool = False
    #: "braces": `{` and `}` hold bodies; "indented": indentation does; "ended": a word such as `end` closes them.
    layout: str = "braces"
    #: What begins a comment up to the end of the line.
    comment: str = "//"
    #: Distribution of its grammar; the module is named alike.
    grammar: str = "tree-sitter-typescript"
    #: Folder of `ingest/languages` that it shares with other languages; "" for one that has its own name.
    family: str = ""

    @property
    def folder(self) -> str:
        """The folder of `ingest/languages` that reads it."""
        return self.family or self.name


LANGUAGES = (
    Language("typescript", (".ts", ".mts", ".cts"), ("ts", "mts", "cts"), is_resolved=True, family="typescript"),
    Language("tsx", (".tsx",), ("typescript", "ts", "react"), is_resolved=True, family="typescript"),
    Language(
        "javascript",
        (".js", ".mjs", ".cjs"),
        ("js", "mjs", "cjs"),
        is_resolved=True,
        grammar="tree-sitter-javascript",
        family="typescript",
    ),
    Language(
        "jsx", (".jsx",), ("javascript", "js", "react"), is_resolved=True, grammar="tree-sitter-javascript", family="typescript"
    ),
    Language("python", (".py", ".pyi"), ("py",), layout="indented", comment="#", grammar="tree-sitter-python"),
    Language("go", (".go",), ("golang",), is_declarative=True, grammar="tree-sitter-go"),
    Language("rust", (".rs",), ("rs",), is_declarative=True, grammar="tree-sitter-rust"),
    Language("java", (".java",), is_declarative=True, grammar="tree-sitter-java"),
    Language("kotlin", (".kt", ".kts"), ("kt",), is_declarative=True, grammar="tree-sitter-kotlin"),
    Language("scala", (".scala", ".sc"), is_declarative=True, grammar="tree-sitter-scala"),
    Language("c", (".c", ".h"), (), grammar="tree-sitter-c", family="c_family"),
    Language(
        "cpp",
        (".cc", ".cpp", ".cxx", ".hh", ".hpp", ".hxx", ".h++", ".c++", ".ipp", ".inl"),
        ("c++",),
        grammar="tree-sitter-cpp",
        family="c_family",
    ),
    Language("csharp", (".cs",), ("c#", "cs"), is_declarative=True, grammar="tree-sitter-c-sharp"),
    Language("swift", (".swift",), is_declarative=True, grammar="tree-sitter-swift"),
    Language("php", (".php",), is_declarative=True, grammar="tree-sitter-php"),
    Language("ruby", (".rb", ".rake", ".gemspec"), ("rb",), layout="ended", comment="#", grammar="tree-sitter-ruby"),
    Language("lua", (".lua",), (), layout="ended", comment="--", grammar="tree-sitter-lua"),
    Language("bash", (".sh", ".bash"), ("sh", "shell"), comment="#", grammar="tree-sitter-bash"),
)

BY_NAME = {language.name: language for language in LANGUAGES}
#: Extension -> name of the language. The language also chooses the grammar.
LANGUAGE_BY_EXTENSION = {extension: language.name for language in LANGUAGES for extension in language.extensions}
#: The languages whose code is resolved.
RESOLVED = frozenset(language.name for language in LANGUAGES if language.is_resolved)
#: The languages whose imports run nothing.
DECLARATIVE = frozenset(language.name for language in LANGUAGES if language.is_declarative)

#: What the name of a source file ends with, as a pattern.
SOURCE_ENDING = r"\.(?:" + "|".join(re.escape(ending[1:]) for ending in sorted(LANGUAGE_BY_EXTENSION, reverse=True)) + ")"


def extension_of(path: str) -> str:
    """The last extension with its dot, `""` for none: `a/b.d.ts` -> `.ts`."""
    start, dot = path.rfind("/") + 1, path.rfind(".")
    return path[dot:] if dot > start else ""


def language_of(path: str) -> str | None:
    """The name of the language that a path tells; None for a file that is not source."""
    return LANGUAGE_BY_EXTENSION.get(extension_of(path))


def is_resolved_path(path: str) -> bool:
    """Whether the code of a file is resolved, so that edges lead from and to what it declares."""
    return language_of(path) in RESOLVED


def names_of(name: str) -> tuple[str, ...]:
    """The languages that a name stands for, as files have them: TypeScript with JSX is TypeScript. Other names stand for
    themselves."""
    lowered = name.strip().lower()
    return tuple(language.name for language in LANGUAGES if lowered in (language.name, *language.other_names)) or (lowered,)
