"""The supported languages: their file extensions, their names, and how far their code is resolved.

To add a language, add a line to this table, and a folder in `ingest/languages/` that reads its files. All layers use this table.

TypeScript, JavaScript and their components are resolved: names are resolved to declarations, and edges connect the declarations.
Python, Go and Java are resolved in part: members of values without known types are not resolved, so a missing edge means nothing.
Unresolved calls are stored separately. A notebook is one module, which consists of its code cells in the language of its kernel.
The other languages, including contracts, are syntax-only: their declarations have positions, signatures and doc comments, but no
edges of calls and references. Documents have sections instead of declarations, and edges to the files and symbols that they name.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from .paths import parent_of


class Language(NamedTuple):
    """A language; its name is the value of `File.language`."""

    name: str
    extensions: tuple[str, ...]
    #: Other names that people use, in lower case.
    other_names: tuple[str, ...] = ()
    #: Whether names are resolved to declarations.
    is_resolved: bool = False
    #: Whether names are resolved only where types are known, so that a missing edge means nothing.
    is_partly_resolved: bool = False
    #: Whether a symbol without known and possible uses is unused. At most one in a hundred such symbols may have a use.
    has_known_uses: bool = False
    #: Whether imports run no code, so that files may import each other in any order.
    is_declarative: bool = False
    #: Delimiters of bodies: "braces" for `{` and `}`, "indented" for indentation, "ended" for a word such as `end`.
    layout: str = "braces"
    #: Characters that begin a comment to the end of the line.
    comment: str = "//"
    #: Name of the distribution with the tree-sitter grammar or another parser, which is also the name of its module; "" for a
    #: parser of Astrolabe.
    grammar: str = "tree-sitter-typescript"
    #: Factor by which files may exceed the size limit, because most of their content is data that is not read.
    size_factor: int = 1
    #: Folder in `ingest/languages` if several languages share it; "" if the folder has the name of the language.
    family: str = ""
    #: Folders of `ingest/languages` whose code the language uses, in addition to its own folder and the shared code.
    builds_on: tuple[str, ...] = ()
    #: Whether files of the language are documents for people, with sections instead of declarations.
    is_document: bool = False
    #: Folders whose files are in the language, each with the end of the file names; "" for all files in the folder.
    places: tuple[tuple[str, str], ...] = ()
    #: Extensions of files whose content decides whether they are in the language (`ingest/files/api_descriptions.py`).
    recognized_extensions: tuple[str, ...] = ()
    #: Pattern of other names of such files, which have no extension of their own; "" if there are none.
    recognized_names: str = ""

    @property
    def folder(self) -> str:
        """The folder in `ingest/languages` with the code for the language."""
        return self.family or self.name


#: Folders of the languages of notebooks, except Python.
_KERNELS = ("bash", "c_family", "csharp", "go", "java", "kotlin", "lua", "ruby", "rust", "scala", "swift", "typescript")

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
    Language("vue", (".vue",), is_resolved=True, builds_on=("components", "typescript")),
    Language("svelte", (".svelte",), is_resolved=True, builds_on=("components", "typescript")),
    Language("astro", (".astro",), is_resolved=True, builds_on=("components", "typescript")),
    Language("mdx", (".mdx",), is_resolved=True, builds_on=("components", "typescript", "markdown")),
    Language(
        "python",
        (".py", ".pyi"),
        ("py",),
        is_partly_resolved=True,
        has_known_uses=True,
        layout="indented",
        comment="#",
        grammar="tree-sitter-python",
    ),
    Language(
        "notebook",
        (".ipynb",),
        ("ipynb", "jupyter", "python", "py"),
        is_partly_resolved=True,
        layout="indented",
        comment="#",
        grammar="tree-sitter-python",
        size_factor=64,
        builds_on=("python", *_KERNELS),
    ),
    Language(
        "go",
        (".go",),
        ("golang",),
        is_partly_resolved=True,
        has_known_uses=True,
        is_declarative=True,
        grammar="tree-sitter-go",
    ),
    Language("rust", (".rs",), ("rs",), is_declarative=True, grammar="tree-sitter-rust"),
    Language(
        "java",
        (".java",),
        is_partly_resolved=True,
        has_known_uses=True,
        is_declarative=True,
        grammar="tree-sitter-java",
        places=(("META-INF/services", ""), ("META-INF/spring", ".imports")),
    ),
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
    Language("sql", (".sql", ".sq"), is_declarative=True, comment="--", grammar="", size_factor=64),
    Language("prisma", (".prisma",), is_declarative=True, grammar=""),
    Language("protobuf", (".proto",), ("proto", "protocol buffers", "grpc"), is_declarative=True, grammar=""),
    Language("graphql", (".graphql", ".graphqls", ".gql"), ("gql",), is_declarative=True, comment="#", grammar=""),
    Language(
        "openapi",
        (),
        ("swagger", "asyncapi"),
        is_declarative=True,
        comment="#",
        layout="indented",
        grammar="",
        size_factor=4,
        recognized_extensions=(".yaml", ".yml", ".json"),
    ),
    Language(
        "makefile",
        (),
        ("make",),
        comment="#",
        layout="indented",
        grammar="",
        family="command_files",
        recognized_extensions=(".mk",),
        recognized_names=r"(?:GNU)?[Mm]akefile(?:\.\w+)?",
    ),
    Language(
        "dockerfile",
        (),
        ("docker",),
        comment="#",
        layout="indented",
        grammar="",
        family="command_files",
        recognized_extensions=(".dockerfile",),
        recognized_names=r"(?:[\w-]+\.)?(?:Dockerfile|Containerfile)(?:\.[\w.-]+)?",
    ),
    Language(
        "workflow",
        (),
        ("ci",),
        comment="#",
        layout="indented",
        grammar="",
        family="command_files",
        recognized_extensions=(".yml", ".yaml"),
    ),
    Language(
        "dbt",
        (),
        is_declarative=True,
        comment="#",
        layout="indented",
        grammar="",
        recognized_extensions=(".yml", ".yaml"),
    ),
    Language("csv", (), is_declarative=True, comment="#", layout="indented", grammar="", recognized_extensions=(".csv",)),
    Language(
        "mybatis",
        (),
        is_declarative=True,
        grammar="",
        recognized_extensions=(".xml",),
    ),
    Language(
        "liquibase",
        (),
        is_declarative=True,
        grammar="",
        recognized_extensions=(".xml", ".yaml", ".yml", ".json"),
    ),
    Language("bash", (".sh", ".bash"), ("sh", "shell"), comment="#", grammar="tree-sitter-bash"),
    Language("markdown", (".md", ".markdown"), ("md", "documents"), grammar="markdown-it-py", is_document=True),
    Language("restructuredtext", (".rst",), ("rst", "documents"), comment="..", grammar="", is_document=True),
    Language("asciidoc", (".adoc", ".asciidoc"), ("adoc", "documents"), grammar="", is_document=True),
    Language(
        "mermaid", (".mmd", ".mermaid"), ("diagrams", "documents"), comment="%%", grammar="", family="diagrams", is_document=True
    ),
    Language(
        "plantuml",
        (".puml", ".plantuml"),
        ("diagrams", "documents"),
        comment="'",
        layout="ended",
        grammar="",
        family="diagrams",
        is_document=True,
    ),
    Language("dot", (".dot", ".gv"), ("graphviz", "diagrams", "documents"), grammar="", family="diagrams", is_document=True),
)

BY_NAME = {language.name: language for language in LANGUAGES}
#: Extension -> name of the language. The language also chooses the grammar.
LANGUAGE_BY_EXTENSION = {extension: language.name for language in LANGUAGES for extension in language.extensions}
#: Folder, end of the name, and language of files whose folder and name decide the language.
_BY_PLACE = tuple((f"/{folder}/", ending, language.name) for language in LANGUAGES for folder, ending in language.places)
#: Extensions of files whose content decides the language.
RECOGNIZED_EXTENSIONS = tuple(dict.fromkeys(each for language in LANGUAGES for each in language.recognized_extensions))
#: Names of the languages whose code is resolved.
RESOLVED = frozenset(language.name for language in LANGUAGES if language.is_resolved)
#: Names of the languages whose code is resolved in part.
PARTLY_RESOLVED = frozenset(language.name for language in LANGUAGES if language.is_partly_resolved)
#: Names of the languages in which a symbol without known and possible uses is unused.
WITH_KNOWN_USES = RESOLVED | {language.name for language in LANGUAGES if language.has_known_uses}
#: Names of the languages of documents.
DOCUMENTS = frozenset(language.name for language in LANGUAGES if language.is_document)
#: Names of the languages of data, whose symbols code reads and modifies.
DATA = frozenset(("sql", "prisma", "dbt", "csv", "mybatis", "liquibase"))
#: Names of the languages of contracts, whose operations code implements.
CONTRACTS = frozenset(("protobuf", "graphql", "openapi"))
#: Packages with the declarations of a language's runtime.
RUNTIMES = frozenset(("lib", "python", "go", "java"))
#: Names of the languages whose imports run no code.
DECLARATIVE = frozenset(language.name for language in LANGUAGES if language.is_declarative)

#: Languages whose imports name folders: an edge leads to one file of a folder and means all of its files, except those whose
#: names have this ending.
FOLDER_IMPORTS = {"go": "_test.go"}

#: Pattern of the extensions of source files.
SOURCE_ENDING = r"\.(?:" + "|".join(re.escape(ending[1:]) for ending in sorted(LANGUAGE_BY_EXTENSION, reverse=True)) + ")"

#: Pattern of the names of files whose content decides the language, and which need no extension.
_RECOGNIZED_NAME = "|".join(language.recognized_names for language in LANGUAGES if language.recognized_names)

#: Pattern of the extensions of source files, and of extensions and names of files whose content decides the language.
INDEXED_ENDING = (
    rf"(?:{SOURCE_ENDING}|\.(?:" + "|".join(each[1:] for each in RECOGNIZED_EXTENSIONS) + rf")|(?<![\w.-])(?:{_RECOGNIZED_NAME}))"
)


def extension_of(path: str) -> str:
    """Return the last extension with its dot, or `""`: `a/b.d.ts` -> `.ts`."""
    start, dot = path.rfind("/") + 1, path.rfind(".")
    return path[dot:] if dot > start else ""


def language_of(path: str) -> str | None:
    """Return the name of the language of a path; None for a file that is not source."""
    return LANGUAGE_BY_EXTENSION.get(extension_of(path)) or _language_by_place(path)


def _language_by_place(path: str) -> str | None:
    folder, slash, name = path.rpartition("/")
    if not slash:
        return None
    place = f"/{folder}/"
    return next((language for each, ending, language in _BY_PLACE if place.endswith(each) and name.endswith(ending)), None)


def languages_of_indexed(path: str) -> tuple[str, ...]:
    """Return the names of the possible languages of an indexed file: several names if the content decides the language."""
    extension = extension_of(path)
    known = language_of(path)
    if known is not None:
        return (known,)
    name = path.rpartition("/")[2]
    return tuple(language.name for language in LANGUAGES if _may_be_in(language, extension, name))


def _may_be_in(language: Language, extension: str, name: str) -> bool:
    if extension in language.recognized_extensions:
        return True
    return language.recognized_names != "" and re.fullmatch(language.recognized_names, name) is not None


def language_of_indexed(path: str) -> str | None:
    """Return the first possible language of an indexed file.

    Callers treat all possible languages alike.
    """
    return next(iter(languages_of_indexed(path)), None)


def has_calls(language: str) -> bool:
    """Return whether calls in a language are resolved to declarations."""
    entry = BY_NAME.get(language)
    return entry is not None and (entry.is_resolved or entry.is_partly_resolved)


def is_resolved_path(path: str) -> bool:
    """Return whether the code of a file is resolved."""
    return language_of(path) in RESOLVED


def is_partly_resolved_path(path: str) -> bool:
    """Return whether the code of a file is resolved in part."""
    return language_of(path) in PARTLY_RESOLVED


def is_document_path(path: str) -> bool:
    """Return whether a file is a document for people."""
    return language_of(path) in DOCUMENTS


def names_of(name: str) -> tuple[str, ...]:
    """Return the values of `File.language` for a name: "ts" -> ("typescript", "tsx"). An unknown name is returned unchanged."""
    lowered = name.strip().lower()
    return tuple(language.name for language in LANGUAGES if lowered in (language.name, *language.other_names)) or (lowered,)


def imported_folder(path: str) -> tuple[str, str] | None:
    """Return the language and the folder of a file if imports name its folder; None if imports name the file."""
    language = language_of(path)
    ending = FOLDER_IMPORTS.get(language or "")
    return None if language is None or ending is None or path.endswith(ending) else (language, parent_of(path))
