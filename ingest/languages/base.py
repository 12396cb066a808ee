"""The record that describes a language. The folder of the language defines the record, and `registry.py` finds it.

Languages with and without a resolver differ only in the fields of their records. A new language needs a folder beside this
module, whose package has the record as `LANGUAGE`, and one line in `schema/languages.py`. Similar languages, such as TypeScript
and JavaScript, share a folder. Every function of a record therefore receives the name of the language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple, Protocol

from .change_rules import ChangeRules
from .excerpt_rules import SHOWN_WHOLE, ExcerptSyntax

if TYPE_CHECKING:
    import re
    from pathlib import Path

    from tree_sitter import Node

    from ...schema.signatures import SignatureParts
    from ..data.schemas.mapped import MappedSchema
    from ..documents.code_terms import TermRules
    from ..documents.doc_links import DocLinks
    from ..facts.cache import FactReader
    from ..facts.data import DataFacts
    from ..facts.model import FileFacts
    from ..files.source_text import SourceText
    from ..files.workspace_files import WorkspaceFiles
    from .conversions import Conversion
    from .framework_rules.queries import QueryRules
    from .framework_rules.wiring import WiringRules
    from .import_targets import Resolution
    from .installed_files import InstalledFiles
    from .module_manifests import FoundManifests, ManifestGap


class SyntaxTree(NamedTuple):
    """The syntax tree of a text, whether it is a whole file or an excerpt."""

    root: Node
    #: False if the text has a syntax error.
    is_valid: bool


class ImportRules(Protocol):
    """Resolves the import specifiers in one state of a workspace by the rules of one language."""

    def resolve(self, specifier: str, from_path: str) -> Resolution:
        """Return the target of a specifier in a file; `MissingTarget` for an unknown specifier."""


class InstalledModules(Protocol):
    """The modules of packages that are installed for a workspace. Modules are read when a type needs them, and never indexed."""

    def file(self, module: str, from_path: str) -> str | None:
        """Return the file that declares a module that a file imports; None if there is none.

        The importing file may itself belong to an installed package.
        """

    def beside(self, path: str) -> Sequence[str]:
        """Return the paths of the files that share a scope with a file of a package, including the file itself."""

    def facts(self, path: str, cache: FactReader | None) -> FileFacts | None:
        """Return the facts of a file of a package, or None if the file is not read. Raises `StoreError`."""


class GeneratedNames(Protocol):
    """Settings of a workspace that change the names of members that a tool generates, such as the getters of Lombok."""

    def default_names(self, path: str, name: str) -> Sequence[str]:
        """Return the names that members called `name` have in the facts of a file, where settings have no effect."""

    def returns_object(self, path: str) -> bool:
        """Return whether generated setters of a file return the object."""


class NominalRules(Protocol):
    """The rules of a language for the nominal engine."""

    #: Whether a declaration fixes the type of its name, by an annotation or a value: no assignment or condition changes the type.
    #: In such a language, a type may embed other types. A type has the members of embedded types, except for names that a nearer
    #: type declares. Methods are declared outside of types.
    is_static: bool

    #: The literal for no value: `None`, `nil`, `null`.
    null_literal: str

    #: The specifier that resolves from a file to its stub, and from the stub to the file; "" in languages without stubs.
    beside: str

    #: Whether declarations state their types, and parameters distinguish methods with the same name; see `nominal/overloading`.
    has_overloads: bool

    def is_package(self, name: str) -> bool:
        """Return whether an undeclared name may be the first part of a package's name."""

    def runtime_name(self, module: str) -> str:
        """Return the module that declares the contents of a module of the runtime; usually the module itself."""

    def runtime(self, module: str, cache: FactReader | None = None) -> FileFacts | None:
        """Return the facts of our own declarations of a module of the runtime, or None. Raises `StoreError`."""

    def is_library(self, module: str) -> bool:
        """Return whether a module belongs to a library that we declare: its descriptors and generic bases are followed."""

    def external(self, name: str) -> str:
        """Return the id of an external declaration by its dotted name, which begins with its module.

        The id is "" for a declaration in another language.
        """

    def split_outside(self, name: str) -> tuple[str, str]:
        """Split the dotted name of an external declaration into the imported package and the rest."""

    def is_left_out(self, path: str, constraint: str) -> bool:
        """Return whether the name or the build constraint of a file excludes the file from the program on the platform of the
        host.
        """

    def variant(self, path: str, constraint: str) -> str:
        """Return the platforms on which a file is part of the program, as a text; "" for all platforms."""

    def fits(self, path: str, constraint: str, other_path: str, other_constraint: str) -> bool:
        """Return whether two files may be parts of one program."""

    def generated_names(self, files: WorkspaceFiles) -> GeneratedNames | None:
        """Return the settings of a workspace for the names of generated members; None if the language has none."""

    def packages(self, files: WorkspaceFiles, installed: InstalledFiles) -> InstalledModules | None:
        """Return the modules of installed packages, whose files `installed` reads; None if their types are not read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """The record of a language for ingest."""

    #: Makes the facts of a source file; the name is the name of the language. Faults in the content of a file are in
    #: `FileFacts.problems`, and raise no exception. Raises RecursionError for source that nests too deeply.
    read: Callable[[SourceText, str], FileFacts]
    #: Parses a text in UTF-8 as a language; None for a language without a grammar, whose excerpts consist of paragraphs.
    parse: Callable[[bytes, str], SyntaxTree] | None = None
    #: Makes the indexed text, if it differs from the text of the file; else None. Never raises because of the content.
    decode: Callable[[bytes], SourceText] | None = None
    #: Makes a shorter file with the same lines from the blocks of a large file; None for a language whose files are read whole.
    condense: Callable[[Iterable[bytes]], bytes] | None = None
    #: Roles of the nodes of its syntax trees in excerpts; without roles, excerpts show complete statements.
    excerpts: ExcerptSyntax = SHOWN_WHOLE
    #: Makes the rules for import specifiers over a workspace; None if imports name no files.
    import_rules: Callable[[WorkspaceFiles], ImportRules] | None = None
    #: Name of another language whose import rules apply; "" if the language has its own rules.
    imports_like: str = ""
    #: Reads the manifests of packages among the configuration files of a workspace; `ingest/files/manifest_names.py` names them.
    #: None for a language without manifests, and for a language whose manifests are read by the record of another language.
    manifests: Callable[[WorkspaceFiles], FoundManifests] | None = None
    #: Yields the manifests that require packages which are not on this machine. None for a language without this check.
    missing_packages: Callable[[WorkspaceFiles], Iterable[ManifestGap]] | None = None
    #: Writes the facts of our own declarations of the language's library below a folder that stands for the language's folder.
    #: None for a language without such declarations.
    build_declarations: Callable[[Path], None] | None = None
    #: Rules for the engine of nominal languages; None for a language with another engine or without an engine.
    nominal: NominalRules | None = None
    #: Reads the signature of a callable, field or variable (`Symbol.signature`); None for the syntax of TypeScript, and for
    #: languages whose types are not resolved.
    signature_parts: Callable[[str], SignatureParts] | None = None
    #: Whether a node of a syntax tree is documentation without being a comment; None if only comments are documentation.
    is_documentation: Callable[[Node], bool] | None = None
    #: Maps types of syntax nodes to the type of a node that means the same, such as a tuple with and without parentheses.
    equivalent_nodes: Mapping[str, str] = field(default_factory=dict)
    #: Rules of the frameworks of a nominal language; None for a language without such rules.
    wiring: WiringRules | None = None
    #: The syntax of links in doc comments; None for a language without links, or with another way to resolve them.
    doc_links: DocLinks | None = None
    #: The notation of settings, flags and commands; None for a language without rules for them.
    terms: TermRules | None = None
    #: Adds the facts of a file about APIs: routes, mounts and services. None for a language without rules for them.
    add_api: Callable[[FileFacts], None] | None = None
    #: Names the statements in the strings of a file that other code runs by name, and adds the files of SQL that the code runs.
    #: None for a language without rules for them.
    name_statements: Callable[[FileFacts], None] | None = None
    #: Patterns for assignments that export a value, by the first word of the assignment. A pattern matches the code after this
    #: word, up to the `=`, and its group `member` is the name in the code that stands for the exported value. If the value stands
    #: for the whole module, the pattern also has a group `module`.
    exporting: Mapping[str, re.Pattern[str]] = field(default_factory=dict)
    #: Yields the places at which a value becomes a value of another type, in a nominal language in which a type implements an
    #: interface by having its methods. None for other languages.
    conversions: Callable[[bytes], Iterator[Conversion]] | None = None
    #: Returns the number of results that the code of a file uses from each call, by the position of the called name. None for a
    #: language in which a function has at most one result.
    used_results: Callable[[bytes], Mapping[int, int]] | None = None
    #: The demands of compilers on code that uses a changed declaration, by the name of the language.
    changes: Mapping[str, ChangeRules] = field(default_factory=dict)
    #: Rules of the object mappers of a nominal language; None for a language without such rules.
    queries: QueryRules | None = None
    #: Makes databases of the models in all files of the language, by their paths; None for a language without models.
    mapped_schemas: Callable[[Mapping[str, DataFacts]], Sequence[MappedSchema]] | None = None
