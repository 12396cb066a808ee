"""C and C++: declarators, macros, headers, and words that set the visibility of later members.

A header may be in either language: it has the extension of C, and its content may be C++.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from ....schema.paths import parent_of
from ...documents.doc_links import DocLinks
from ...files.workspace_files import join_path
from ..base import Language
from ..path_imports import PathImports, ends_with
from ..syntax_only.import_statements import Specifier
from ..syntax_only.reader import SyntaxOnlyReader
from ..syntax_only.rules import SyntaxRules
from ..syntax_only.visibility import Declaration
from .declarators import ANONYMOUS, declared_name, name_of
from .excerpt_syntax import SYNTAX
from .macros import parse_without_macros

if TYPE_CHECKING:
    from ...facts.model import FileFacts
    from ...files.source_text import SourceText

#: Text that occurs in headers of C++, but not of C.
_CPP: Final = re.compile(rb"^[ \t]*(?:class|namespace|template|using|public:|private:|protected:)\b|\w::\w", re.MULTILINE)
_INCLUDE: Final = re.compile(r"#\s*include\s*(?P<file>\"[^\"]+\"|<[^>]+>)")
#: Macros of googletest that begin a test. For the grammar, the macro is the name of a function without a type.
_TEST: Final = re.compile(r"(?:TYPED_)?TEST(?:_[FP])? ?\(")


def _read_specifiers(statement: str) -> Iterator[Specifier]:
    if found := _INCLUDE.match(statement):
        yield Specifier(found["file"])


class Includes(PathImports):
    """Resolves an included path to a header beside the file, or to the only header in the repository whose path ends with it."""

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the path of an included file; None for a system header (in angle brackets, without a folder)."""
        name = specifier[1:-1]
        if specifier[0] == '"' and (beside := self.source(join_path(parent_of(from_path), name))):
            return beside
        if specifier[0] == "<" and "/" not in name:
            return None
        known = [path for path in self.by_name.get(name.rpartition("/")[2], ()) if ends_with(path, name.lstrip("./"))]
        return known[0] if len(known) == 1 else None


def _is_visible(declaration: Declaration) -> bool:
    if declaration.name == ANONYMOUS or (declaration.outer is not None and declaration.outer.name == ANONYMOUS):
        return False
    is_member = declaration.outer_kind in ("class", "interface")
    return "private" not in declaration.modifiers and (is_member or "static" not in declaration.modifiers)


def _first_section(data: bytes, start: int) -> str:
    """Return `private` for a class, and "" for a struct, whose members are all public."""
    return "private" if data.startswith(b"class", start) else ""


def _is_test_name(name: str) -> bool:
    return _TEST.match(name) is not None


C_RULES = SyntaxRules(
    language="c",
    query="c.scm",
    parse=parse_without_macros,
    name_of=name_of,
    declarator=declared_name,
    is_visible=_is_visible,
    specifiers=_read_specifiers,
    is_test_name=_is_test_name,
)
CPP_RULES = SyntaxRules(
    language="cpp",
    query="cpp.scm",
    parse=parse_without_macros,
    name_of=name_of,
    declarator=declared_name,
    annotation=re.compile(r"(?=\[\[)"),
    is_visible=_is_visible,
    first_section=_first_section,
    specifiers=_read_specifiers,
    is_test_name=_is_test_name,
)


class _Reader(SyntaxOnlyReader):
    def rules_for(self, data: bytes, language: str) -> SyntaxRules:
        """Return the rules of C++, also for C++ headers with the extension of C headers."""
        return CPP_RULES if language == "cpp" or _CPP.search(data) else C_RULES


READER = _Reader(C_RULES)
_GRPC: Final = re.compile(rb"\b\w+::(?:Async|Callback)?Service\b")


def _read(source: SourceText, language: str) -> FileFacts:
    facts = READER.read(source, language)
    if _GRPC.search(source.data) is not None:
        from .grpc_services import add_grpc_services

        add_grpc_services(facts)
    return facts


#: Doxygen: "@ref Cart::add", "\\see Cart" and "@throws CartError".
_LINKS = DocLinks(
    re.compile(
        r"[@\\](?:ref|see|sa|copydoc|copybrief|link|throws?|exception)\s+(?!https?:)(?P<name>[A-Za-z_]\w*(?:(?:::|#)\w+)*)"
    )
)

LANGUAGE = Language(doc_links=_LINKS, read=_read, parse=READER.parse, excerpts=SYNTAX, import_rules=Includes)
