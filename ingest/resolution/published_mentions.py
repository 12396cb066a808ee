"""Resolves links to published documentation of the repository: Javadoc, Dokka, Doxygen, TypeDoc, pkg.go.dev and docs.rs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import CALLABLE_KINDS, TYPE_KINDS
from ..documents.names import CodeName
from ..documents.published_api import PublishedName, published_name
from ..facts.document_facts import MentionFact
from ..languages.import_targets import Resolution, SourceTarget
from .block_mentions import BlockMentions
from .member_types import MemberTypes
from .mentioned import Target, ambiguous
from .named_declarations import NamedDeclarations
from .value_members import is_member, is_of_language

#: The folders of a package of the JVM, below the folder of the sources.
_PACKAGE: Final = re.compile(r"(?:^|/)src/(?:\w+/)?(?:java|kotlin|scala)/(?P<folders>.+)$")
#: Languages in whose links the module is a specifier.
_WITH_MODULES: Final = frozenset((".go", ".rs"))
_SCRIPT: Final = ".ts"


class PublishedMentions:
    """Finds the declarations that pages of published documentation describe, in one state of a repository."""

    def __init__(
        self, names: NamedDeclarations, types: MemberTypes, blocks: BlockMentions, resolve: Callable[[str, str], Resolution]
    ) -> None:
        self._names = names
        self._types = types
        self._blocks = blocks
        self._resolve = resolve

    def of_span(self, mention: MentionFact, path: str) -> list[Target] | None:
        """Return the target of a span of code that is the text of a link; None if the link does not decide what the span denotes.

        The page of another package says that the span denotes nothing of the repository. A page of a known module whose
        declaration is not found does not decide.
        """
        name = published_name(mention.text)
        found = list(self.targets(mention, path))
        if name is None or (not found and name.extension == _SCRIPT):
            return None
        return None if any(target.form != "symbol" for target in found) and name.names else found

    def targets(self, mention: MentionFact, path: str) -> Iterator[Target]:
        """Yield the declaration that a link describes, or its module. A link to the page of another package yields nothing."""
        name = published_name(mention.text)
        if name is None:
            return
        if name.extension == _SCRIPT:
            yield from self._in_package_of_scripts(name, path)
            return
        if name.extension in _WITH_MODULES:
            yield from self._in_module(name, path)
            return
        found = self._in_package(name)
        if len({symbol.qualified_name for symbol in found}) == 1:
            yield Target(found[0].id, "symbol", "link")
        elif found:
            yield ambiguous(".".join(name.names), "link", found)

    def _in_module(self, name: PublishedName, path: str) -> Iterator[Target]:
        found = (self._resolve(f"{name.extension}:{module}", path) for module in name.modules)
        modules = [each.path for each in found if isinstance(each, SourceTarget)]
        for module in modules if name.names else ():
            start = self._blocks.declared_in(module, name.names[0])
            member = self._types.follow(start, name.names[1:]) if start is not None else None
            found_symbol = member or start
            if found_symbol is not None:
                yield Target(found_symbol.id, "symbol", "link")
                return
        if modules:
            yield Target(modules[0], "file", "link")

    def _in_package_of_scripts(self, name: PublishedName, path: str) -> Iterator[Target]:
        """Yield the declaration of a page of TypeDoc if the repository has the package. Old pages write members in lower case."""
        module = self._resolve(f"{name.extension}:{name.module}", path)
        if not isinstance(module, SourceTarget):
            return
        every = self._names.candidates(CodeName(name.names[:1], False)) or ()
        every = [each for each in every if is_of_language(each, name.extension) and each.exported and not is_member(each)]
        start = self._blocks.declared_in(module.path, name.names[0]) or (every[0] if len(every) == 1 else None)
        if start is not None:
            member = self._types.inherited(start, name.names[-1]) if len(name.names) > 1 else None
            yield Target((member or start).id, "symbol", "link")

    def _in_package(self, name: PublishedName) -> list[Symbol]:
        """Return the declarations with the names of a page. In the JVM, the folders of the file are the package of the page."""
        *around, last = name.names
        every = self._names.declarations(CodeName(name.names, True)) or []
        found = [each for each in every if is_of_language(each, name.extension) and _is_in_package(each, name)]
        if name.extension == ".kt" and not around:
            # The page of an extension does not name the type to which the extension belongs.
            return [each for each in found if each.depth == 0 and (each.kind in CALLABLE_KINDS or each.qualified_name == last)]
        whole = [each for each in found if each.qualified_name == ".".join(name.names) or not name.module]
        if whole or not around:
            return [each for each in whole if each.kind in TYPE_KINDS or around]
        outer = self._names.declarations(CodeName(tuple(around), True)) or ()
        types = [each for each in outer if each.kind in TYPE_KINDS and _is_in_package(each, name)]
        types = [each for each in types if each.qualified_name == ".".join(around)]
        member = self._types.inherited(types[0], last) if len(types) == 1 else None
        return [member] if member is not None else []


def _is_in_package(symbol: Symbol, name: PublishedName) -> bool:
    """Return whether the folders around a symbol are the package of a page."""
    if not name.module:
        return True
    package = _PACKAGE.search(parent_of(symbol.relative_path))
    if package is None:
        return False
    return f"/{name.module}".endswith(f"/{package['folders']}") if name.is_end else package["folders"] == name.module
