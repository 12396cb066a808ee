"""Resolves the settings, flags, commands and scripts that documents name to the code that reads or declares them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Final

from ...schema.records import Symbol
from ..documents.alternative_tools import is_of_other_tool
from ..documents.code_terms import COMMAND, FLAG, KEY, LITERAL, SETTING, term_key
from ..documents.command_lines import VALUE_OF_SETTING, CommandLine, declared_flag, flags_of, setting_of
from ..documents.literals import literal_of
from ..documents.programs import SCRIPT
from ..facts.document_facts import MentionFact
from ..facts.model import FileFacts
from ..languages.import_targets import Resolution, SourceTarget
from .mentioned import MAX_CANDIDATES, Target, commands_in, package_of, program_of
from .named_declarations import FIELDS, NamedDeclarations, example_in

#: Maximum number of places that read a setting; a setting with more readers is ambiguous.
_MAX_READERS: Final = 8
#: An undeclared flag counts as missing only if at least this many flags are declared. An undeclared setting counts only if at
#: least this many settings with the same first word are declared. A program with fewer may declare them in a way that is not
#: read.
_MIN_FLAGS: Final = 3
_MIN_SETTINGS: Final = 5
#: Code in folders of documents, such as the configuration of a generator, programs that measure the code, and scripts of builds.
_BESIDE_PROGRAM: Final = re.compile(
    r"(?:^|/)(?:(?:docs?|documentation|website|bench(?:es|marks?)?|snippets?)/|setup\.py$"
    r"|[\w.-]+\.(?:config\.\w+|gradle|gradle\.kts)$)",
    re.IGNORECASE,
)
#: The module of tests in a file of Rust.
_TESTS: Final = ("tests.", "test.")
#: Kinds of symbols whose value may be a string, or for which a string stands in data.
_HOLDERS: Final = FIELDS | {"const", "variable", "enumMember"}
_VALUES: Final = frozenset(("const", "variable"))
#: Maximum number of places of a string among which a document may mean one.
_MAX_PLACES: Final = 5
#: Flags that the libraries for command lines declare.
_BUILT_IN: Final = frozenset(("--help", "--version", "--install-completion", "--show-completion"))


class TermMentions:
    """Resolves the terms in spans of code and in lines for a shell."""

    def __init__(
        self,
        names: NamedDeclarations,
        facts_at: Callable[[str], FileFacts],
        symbols_at: Callable[[str], Sequence[Symbol]],
        resolve: Callable[[str, str], Resolution],
    ) -> None:
        self._names = names
        self._facts_at = facts_at
        self._symbols_at = symbols_at
        self._resolve = resolve
        #: The fields by the names that they have in data, and by the tools that the path of the document names.
        self._keyed: dict[tuple[str, frozenset[str]], list[Symbol]] = {}
        #: The symbols around the terms of each file that was searched, by the key of the term.
        self._terms: dict[str, dict[str, list[int]]] = {}

    def keyed(self, key: str) -> Sequence[Symbol]:
        """Return the fields of types that have a name in data: `PageSize` for `page_size` with the tag `yaml:"page-size"`."""
        wanted = (key, self._names.tools)
        if wanted not in self._keyed:
            known = self._names.known
            places = self._declared(KEY, key)
            self._keyed[wanted] = [known[place] for _, place in places if place in known and known[place].kind in FIELDS]
        return self._keyed[wanted]

    def targets(self, mention: MentionFact, path: str) -> Iterator[Target]:
        """Yield the targets of the terms in a mention."""
        if mention.form == VALUE_OF_SETTING:
            readers = self._declared(SETTING, mention.text)
            yield from (_target(each, SETTING) for each in readers if len(readers) <= _MAX_READERS)
            return
        if mention.form == "code":
            setting = setting_of(mention.text)
            if setting:
                yield from self._setting(setting)
                return
            for flag in flags_of(mention.text):
                yield from self._flag(flag, self._declared(FLAG, flag), [])
        for command in commands_in(mention):
            yield from self._command(command, path)

    def literal(self, mention: MentionFact) -> list[Target]:
        """Return the code that has the name in a mention as a string: the constant or field with this value, or else the only
        declaration around such a string.

        Of several tables of one file with the name as a key, the first one counts. Otherwise, a few places are ambiguous.
        """
        name = literal_of(mention.text) if not mention.extension else ""
        if not name or self._names.is_place(name):
            return []
        places = [place for place in self._declared(LITERAL, name) if self._is_of_program(place)]
        held = [place for place in places if place[1] in self._names.known and self._names.known[place[1]].kind in _HOLDERS]
        is_declared = bool(self._names.paths(name))
        if held or is_declared:
            places = held  # a declaration with the name may be meant as well
        if len(places) > 1 and self._are_tables(held):
            places = held[:1]
        if len(places) == 1:
            return [_target(places[0], LITERAL)]
        few = 0 < len(places) <= _MAX_PLACES and not is_declared and all(symbol for _, symbol in places)
        return [_ambiguous(name, LITERAL, places)] if few else []

    def _are_tables(self, places: Sequence[tuple[str, str]]) -> bool:
        """Return whether all places are variables of one file, such as tables of options."""
        kinds = {self._names.known[symbol].kind for _, symbol in places}
        return len({path for path, _ in places}) == 1 and kinds <= _VALUES

    def _is_of_program(self, place: tuple[str, str]) -> bool:
        """Return whether a place belongs to the program itself, and not to an example, a test or a configuration."""
        path, symbol = place
        if example_in(path) or _BESIDE_PROGRAM.search(path):
            return False
        return symbol not in self._names.known or not self._names.known[symbol].qualified_name.startswith(_TESTS)

    def readers(self, word: str) -> list[Target]:
        """Return the places that read the setting that a word of a sentence names; none for other words."""
        readers = self._declared(SETTING, word) if "_" in word and word == word.upper() else []
        return [_target(each, SETTING) for each in readers] if len(readers) <= _MAX_READERS else []

    def _command(self, command: CommandLine, path: str) -> Iterator[Target]:
        for setting in command.settings:
            yield from self._setting(setting)
        if command.script:
            script = self._file(f"{SCRIPT}{command.script}", path)
            if script is not None:
                yield Target(script, "file", "script")
            return
        if command.package:
            package = self._file(package_of(command), path)
            if package is not None:
                yield Target(package, "file", COMMAND)
            return
        program = self._file(program_of(command), path) if command.program else None
        if program is None:
            return
        named = [(word, found) for word in command.words if (found := self._declared(COMMAND, word))]
        if not named:
            yield Target(program, "file", "command")
        around = [place for _, found in named for place, _ in found]
        for word, found in named[-1:]:
            if len(found) == 1:
                yield _target(found[0], COMMAND)
            else:
                yield _ambiguous(f"{command.program} {word}", COMMAND, found)
        for number, flag in enumerate(command.flags):
            places = self._declared(FLAG, declared_flag(flag))
            if places:
                yield from self._flag(flag, places, around)
            elif not flag.startswith("--"):
                continue  # perhaps several flags of one letter
            elif number < command.leading_flags and len(named) == len(command.words) and self._may_lack(flag):
                yield Target(flag, "unresolved", FLAG, FLAG)

    def _setting(self, name: str) -> Iterator[Target]:
        readers = self._declared(SETTING, name)
        if len(readers) > _MAX_READERS:
            yield _ambiguous(name, SETTING, readers)
        elif readers:
            yield from (_target(each, SETTING) for each in readers)
        else:
            first, _, rest = name.partition("_")
            if rest and self._first_words[first] >= _MIN_SETTINGS:
                yield Target(name, "unresolved", SETTING, SETTING)

    def _flag(self, flag: str, places: Sequence[tuple[str, str]], around: Sequence[str]) -> Iterator[Target]:
        """Yield the declaration of a flag.

        Among several declarations, the declaration in a file that declares the flag's command counts.
        """
        near = [place for place in places if place[0] in around] or places
        if len(near) == 1:
            yield _target(near[0], FLAG)
        elif near:
            yield _ambiguous(flag, FLAG, near)

    def _may_lack(self, flag: str) -> bool:
        return flag not in _BUILT_IN and self._declares_flags

    @cached_property
    def _declares_flags(self) -> bool:
        """Whether the repository declares enough flags to recognize an undeclared flag."""
        return len(self._names.beginning_with(term_key(FLAG, "-"))) >= _MIN_FLAGS

    @cached_property
    def _first_words(self) -> Counter[str]:
        """The number of settings by their first word."""
        settings = self._names.beginning_with(term_key(SETTING))
        return Counter(name.removeprefix(term_key(SETTING)).partition("_")[0] for name in settings if "_" in name)

    def _declared(self, kind: str, name: str) -> list[tuple[str, str]]:
        """Return the file and the symbol id of each declaration of a term; the id is "" for a term at the root of the file."""
        found: dict[tuple[str, str], None] = {}
        key = term_key(kind, name)
        paths = (path for path in self._names.paths(key) if not is_of_other_tool(path, self._names.tools))
        for path in paths:
            for place in self._terms_in(path).get(key, ()):
                self._names.note_example(path)
                found[path, self._symbols_at(path)[place].id if place >= 0 else ""] = None
        return list(found)

    def _terms_in(self, path: str) -> Mapping[str, Sequence[int]]:
        """Return the symbols around each term of a file, by the key of the term."""
        if path not in self._terms:
            found: dict[str, list[int]] = {}
            for term in self._facts_at(path).terms:
                found.setdefault(term_key(term.kind, term.name), []).append(term.symbol)
            self._terms[path] = found
        return self._terms[path]

    def _file(self, specifier: str, path: str) -> str | None:
        found = self._resolve(specifier, path)
        return found.path if isinstance(found, SourceTarget) else None


def _ambiguous(written: str, evidence: str, places: Sequence[tuple[str, str]]) -> Target:
    """Return the target of a term with several declarations. Those at the root of a file have no symbol, so they are left out."""
    ids = tuple(sorted({symbol for _, symbol in places if symbol}))
    return Target(written, "unresolved", evidence, "ambiguous", ids if len(ids) <= MAX_CANDIDATES else ())


def _target(place: tuple[str, str], evidence: str) -> Target:
    path, symbol = place
    return Target(symbol, "symbol", evidence) if symbol else Target(path, "file", evidence)
