"""Find possible uses of files and declarations that have no edge: unresolved imports, paths in string literals, unread files.

Code with a possible use is not reported as dead. Each possible use has a reason that names the using file.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ....graphdb.queries.map import ImportLink
from ....schema.import_clauses import imported_names
from ....schema.languages import has_calls, language_of
from ....schema.unread_files import UnreadFile
from ...text_search.indexed_text import IndexedTexts
from .file_names import OUTER, FileNames, specific_pattern, without_extension
from .folder_loaders import QUOTED, loaders, pieces
from .loaded_files import OF_CHECKERS

#: The beginning of a line of comments.
_COMMENTED = re.compile(rb"[ \t]{0,200}//")
_LINE_ROOM = 500
#: The path of a source file among other words, as in a command.
_IN_WORDS = re.compile(rb"""(?<=[\s'"`=])[\w@~./$#-]{1,200}\.[cm]?[jt]sx?(?=['"`\s,;)])""")
#: A glob of sources among other words, as in an option: `--require features/**/*.ts`.
_GLOB_IN_WORDS = re.compile(
    rb"""(?<=[\s=])(?:[\w@.-]{1,100}/){0,20}[\w@./{},-]{0,100}\*[\w@./{}*,-]{0,100}\.[cm]?[jt]sx?(?=['"`\s,;)])"""
)
#: A program that a command of a checker starts, such as a command for changed files.
_STARTED = re.compile(rb"""\b(?:node|tsx|ts-node|bun|jiti)[ \t]{1,9}([\w@~./-]{1,200})""")
#: The function that a platform calls: `handler: "functions/mail.send"`. The last part is the name of an export.
_HANDLER = re.compile(rb"""\bhandler['"]?\s{0,9}[:=]\s{0,9}['"`]([\w./-]{1,200})\.\w+['"`]""")
#: The path of a script that a program puts together: `'texts/words_' + language + '.js'`.
_PUT_TOGETHER = re.compile(
    rb"""['"]([\w@~./-]{1,200})['"]\s{0,9}\+\s{0,9}[\w$.]{1,100}(?:\([\w$., ]{0,100}\))?"""
    rb"""\s{0,9}\+\s{0,9}['"]([\w./-]{0,100}\.[cm]?jsx?)['"]"""
)
#: The parts of a path behind a variable: `path.join(docs, 'parts', 'logo')`.
_PARTS = re.compile(
    rb"""\b(?:join|resolve)\(\s{0,9}[\w$.]{1,100}\s{0,9},\s{0,9}"""
    rb"""(['"`][\w./@-]{1,100}['"`](?:\s{0,9},\s{0,9}['"`][\w./@-]{1,100}['"`]){1,9})\s{0,9},?\s{0,9}\)"""
)
#: A sign of a glob, or of a part of a path that a program fills in.
_PATTERN_SIGN = re.compile(r"[*{%<]")
#: A variable at the start of a path, such as the address of a server.
_BASE = re.compile(r"\$\{[^{}]*\}/")
#: A glob that begins with an alias. The group is the text after alias characters such as `@`.
_ALIASED_PATTERN = re.compile(r"[@~#$]+/?([\w./-]+/[\w./*{},-]*\*[\w./*{},-]*)")
#: A call that copies files or folders.
_COPYING = re.compile(rb"\b(?:copy\w{0,20}|cp|cpSync|ncp|cpy)\(")
#: A package whose functions copy files.
_FILE_PACKAGES = re.compile(
    rb"""['"](?:node:)?(?:fs|fs/promises|fs-extra|shelljs|cpy|ncp|copyfiles|copy-dir|recursive-copy|mem-fs-editor|zx|yeoman-generator)['"]"""
)
#: A folder whose files are copied into other projects.
_TEMPLATES = re.compile(r"(?:^|/)(?:[\w-]*templates?|boilerplates?|starters?|scaffolds?|skeletons?|blueprints?)(?=/)")
_FOLDER_NAME = re.compile(rb"[A-Za-z][A-Za-z0-9_-]{2,60}")
#: A text that may be the path of a folder. Single words and absolute paths are excluded.
_FOLDER = re.compile(r"(?:\.{1,2}/)*[\w@-]+(?:/[\w@-]+)+/?|(?:\.{1,2}/)+[\w@-]+/?")
#: The URL of a folder: a library appends the name of a script.
_SERVED_FOLDER = re.compile(r"/[\w.@-]+(?:/[\w.@-]+)*/")
_CLAUSE = re.compile(rb"\b(?:import|export)\s+(?:type\s+)?([\w$\s{},*]*)\bfrom\s*$")
_CLAUSE_ROOM = 1_000
#: Fields of linter and test configurations whose values name files that are loaded.
_LOADED_BY_CHECKERS = re.compile(
    rb"""\b(?:extends|plugins|jsPlugins|rulePaths|rulesDirectory|parser|processor|resolver|reporters?|formatter)['"]?\s{0,9}:[^:{}\]]{0,150}$"""
)
#: The start of a list of files that a tool reads or leaves out, and does not load.
_ONLY_READ = re.compile(rb"""\b(?:content|collectCoverageFrom|exclude\w{0,20}|ignore\w{0,20})['"]?\s{0,9}:\s{0,9}\[[^\]]*$""")
_SETTING_ROOM = 500
#: A setting for a folder whose files a tool loads: the tests of Playwright, the migrations of Knex. The folder may be below the
#: folder of the module.
_OF_LOADED_FOLDER = re.compile(
    rb"""\b(?:testDir|directory|(?:\w{0,20}[mM]igrations?|seed(?:er)?s?|models?|entities|tasks|rules)(?:[dD]ir|Directory|Folder|Path|s)?)"""
    rb"""['"]?\s{0,9}:\s{0,9}(?:__dirname\s{0,9}\+\s{0,9})?$"""
)
#: The folder of the sources that unbuild or a bundler reads one by one.
_OF_INPUT_FOLDER = re.compile(rb"""\binput['"]?\s{0,9}:\s{0,9}$""")
#: A folder below an alias of the source folder.
_ALIASED_FOLDER = re.compile(r"(?:~~?|@@?)/([\w@-]+(?:/[\w@-]+)*)/?")
#: Folders for which an alias of the source folder may stand.
_SOURCE_FOLDERS = ("", "app", "src")
#: Name for all exports of a file.
WHOLE = "*"


class Mention(NamedTuple):
    """A text that may name a file."""

    path: str
    text: str
    #: Whether the text is an import specifier.
    is_import: bool
    #: Offset in the file, from 0.
    position: int
    #: Whether the text is a whole string literal.
    is_quoted: bool


class Use(NamedTuple):
    """A possible use of a file."""

    reason: str
    #: Names of exports that may be used; "*" for all exports, and none for a use of only the file.
    names: frozenset[str] = frozenset()
    #: Whether code computes the path of the file. Such a use is possible even if other files import the file.
    loads: bool = False


def mentions(texts: IndexedTexts) -> list[Mention]:
    """Return the texts that may name files, in the order of the files that contain them. All callers share the list."""
    return texts.once(_mentions)


def _mentions(texts: IndexedTexts) -> list[Mention]:
    found: list[Mention] = []
    for path in texts:
        text = texts[path].text
        is_checker = OF_CHECKERS.search(path) is not None
        for match in QUOTED.finditer(text):
            before, named = match[1], match[2].decode("utf-8", "replace")
            if before and _is_commented(text, match.start()):
                continue
            if is_checker and not before and not _LOADED_BY_CHECKERS.search(text, max(0, match.start() - 200), match.start()):
                continue
            if before or "/" in named or "." in named:
                found.append(Mention(path, named, bool(before), match.start(2) - 1, True))
        for match in _PUT_TOGETHER.finditer(text):
            named = b"*".join(match.groups()).decode()
            found.append(Mention(path, named, False, match.start(1) - 1, True))
        for match in _PARTS.finditer(text):
            found.append(Mention(path, "/".join(pieces(match[1])), False, match.start(1), True))
        for match in _HANDLER.finditer(text):
            found.append(Mention(path, match[1].decode() + ".js", False, match.start(1) - 1, True))
        words = set((_STARTED if is_checker else _IN_WORDS).findall(text))
        globs = () if is_checker else set(_GLOB_IN_WORDS.findall(text))
        found += [Mention(path, glob.decode(), False, 0, True) for glob in globs]
        found += [Mention(path, named.decode("utf-8", "replace"), False, 0, False) for named in words]
    return found


def _is_commented(text: bytes, position: int) -> bool:
    """Return whether an import is in a comment to the end of a line that has no code before it."""
    first = max(0, position - _LINE_ROOM)
    end_of_last = text.rfind(b"\n", first, position)
    return (end_of_last >= 0 or first == 0) and _COMMENTED.match(text, end_of_last + 1, position) is not None


def _quoted_words(texts: IndexedTexts) -> dict[str, list[str]]:
    """Return the quoted single words that may be names of folders, by the path of their file."""
    found: dict[str, list[str]] = {}
    for path in texts:
        quoted = {match[2] for match in QUOTED.finditer(texts[path].text) if not match[1]}
        found[path] = sorted(word.decode() for word in quoted if _FOLDER_NAME.fullmatch(word))
    return found


def _copying(texts: IndexedTexts) -> dict[str, list[str]]:
    """Return the files that copy files, by path, each with its quoted texts."""
    found: dict[str, list[str]] = {}
    for path in texts:
        text = texts[path].text
        if _COPYING.search(text) and _FILE_PACKAGES.search(text):
            quoted = {match[2].decode("utf-8", "replace") for match in QUOTED.finditer(text) if not match[1]}
            found[path] = sorted(quoted)
    return found


def _names_before(text: bytes, end: int) -> tuple[str, ...]:
    """Return the names that an import statement imports, from the text before its specifier; "*" for the whole module."""
    clause = _CLAUSE.search(text, max(0, end - _CLAUSE_ROOM), end)
    return (imported_names(clause[1].decode("utf-8", "replace")) if clause is not None else ()) or (WHOLE,)


class PossibleUses:
    """Possible uses of some files."""

    def __init__(
        self,
        texts: IndexedTexts,
        names: FileNames,
        resolved: Mapping[str, Collection[str]],
        unread: Sequence[UnreadFile],
        configurations: Collection[str],
    ) -> None:
        """`resolved` maps paths to import specifiers whose target is known.

        `configurations` are files that name folders to check, not to load.
        """
        self._configurations = configurations
        self._texts = texts
        self._names = names
        self._resolved = resolved
        #: For each loading file, by path: the files that it may load, each with the possible use.
        self.by_file: dict[str, list[tuple[str, Use]]] = {}
        #: Links to files whose exact paths occur in string literals.
        self.loads: list[ImportLink] = []
        #: Possible uses that count even if the using file is dead: uses by files whose names are not resolved, and copies.
        self.unread: list[tuple[str, Use]] = [pair for file in unread for pair in self._of_unread(file)]
        self._read_code()
        self._read_folders()
        self._read_copies()

    def _read_code(self) -> None:
        for mention in mentions(self._texts):
            text = _BASE.sub("", mention.text, count=1) if mention.text.startswith("${") else mention.text
            text = text.partition("?")[0].rpartition("!")[2]
            if mention.is_quoted and not mention.is_import:
                if substitutes := self._names.substitutes(text):
                    use = Use(
                        f"{mention.path} has its suffix in a text, and it may substitute the file beside it", frozenset((WHOLE,))
                    )
                    self._add(mention.path, substitutes, use)
                if mention.path not in self._configurations:
                    self._named_folder(mention.path, text)
                else:
                    self._configured_folder(mention, text)
                if _PATTERN_SIGN.search(text):
                    self._named_pattern(mention, text)
            if not self._names.may_concern(text.lstrip("@~#$")) and not self._names.may_concern(text):
                continue
            if mention.is_import:
                if mention.text not in self._resolved.get(mention.path, ()):
                    self._unresolved(mention, text)
            else:
                self._named(mention, text)

    def _unresolved(self, mention: Mention, text: str) -> None:
        relative = text.startswith(("./", "../")) or text in (".", "..")
        exact = self._names.exactly(text, posixpath.dirname(mention.path)) if relative else None
        names = _names_before(self._texts[mention.path].text, mention.position)
        use = Use(f'"{mention.text}" in {mention.path} is not resolved and could mean it', frozenset(names))
        targets: Iterable[str] = self._names.variants_of(exact) if exact else self._names.aliased(text)
        if relative and exact is None:
            # A server or a bundler may resolve relative paths from another root.
            targets = [*self._names.loosely(text, least=2), *self._names.sources_of(text, posixpath.dirname(mention.path))]
        self._add(mention.path, targets, use)

    def _named(self, mention: Mention, text: str) -> None:
        folder = posixpath.dirname(mention.path)
        has_extension = without_extension(text) != text
        exact = self._names.exactly(text, folder) if "/" in text or has_extension else None
        if exact and exact != mention.path and has_extension and mention.is_quoted:
            self.loads.append(ImportLink(mention.path, exact))
            return
        relative = text.startswith(("./", "../"))
        if exact:
            targets: Iterable[str] = [exact]
        elif relative:
            # A bundler resolves a path from its context, and a program a path of a built file from its own root.
            targets = self._names.nearby(text, folder) if has_extension else []
        else:
            targets = self._names.loosely(text, least=1 if has_extension else 2)
        self._add(mention.path, targets, Use(f"{mention.path} has its path in a text"))

    def _named_folder(self, path: str, text: str) -> None:
        """Record possible uses of all files in a folder whose path a text contains."""
        if _FOLDER.fullmatch(text):
            use = Use(f"{path} names its folder in a text")
            self._add(path, self._in_folder(text, posixpath.dirname(path)), use)
        elif _SERVED_FOLDER.fullmatch(text) and (served := self._names.served_folder(text, posixpath.dirname(path))):
            use = Use(f"{path} has the URL of its folder in a text", frozenset((WHOLE,)))
            self._add(path, self._names.all_below(served), use)

    def _configured_folder(self, mention: Mention, text: str) -> None:
        """Record possible uses of all files below a folder that a configuration sets.

        The folder contains files that a tool loads, such as tests, or it begins with an alias of the source folder, as in
        `components: ["~/widgets"]`.
        """
        start, aliased = max(0, mention.position - _SETTING_ROOM), _ALIASED_FOLDER.fullmatch(text)
        whole = self._texts[mention.path].text
        is_input = text.endswith("/") and _OF_INPUT_FOLDER.search(whole, start, mention.position) is not None
        if aliased or is_input or _OF_LOADED_FOLDER.search(whole, start, mention.position):
            home, named = posixpath.dirname(mention.path), aliased[1] if aliased else text.lstrip("/")
            folders = (self._names.folder_named(posixpath.join(each, named), home) for each in _SOURCE_FOLDERS)
            if folder := next(filter(None, folders), None):
                use = Use(f"{mention.path} names a folder around it")
                self._add(mention.path, self._names.all_below(folder), use)

    def _named_pattern(self, mention: Mention, text: str) -> None:
        """Record possible uses of the files that match a glob, or a path with parts that a program fills in.

        The glob may begin with an alias, as in `import.meta.glob("@modules/*.ts")`, or with any folder, as in the list of
        entities `[__dirname + "/**/*.entity{.ts,.js}"]`. Globs that nearly every source matches are ignored, because tools that
        check or format sources have such globs.
        """
        path, position = mention.path, mention.position
        pattern = match[1] if (match := _ALIASED_PATTERN.fullmatch(text)) else specific_pattern(text)
        if pattern is None and "${" in text and path in self._configurations:
            self._filled_in(path, text)
        elif pattern and not _ONLY_READ.search(self._texts[path].text, max(0, position - _SETTING_ROOM), position):
            self._add(path, self._names.fitting(pattern), Use(f"{path} has a pattern of its path in a text"))

    def _filled_in(self, path: str, text: str) -> None:
        """Record possible uses of the files that a template of a configuration names with one of the configuration's words.

        An example is `["main", "worker"].map((name) => ({ input: `src/${name}.ts` }))`.
        """
        begin, _, end = text.partition("${")
        words = self._texts.once(_quoted_words).get(path, ())
        named = (f"{begin}{word}{end.rpartition('}')[2]}" for word in words)
        found = (self._names.exactly(each, posixpath.dirname(path)) for each in named)
        self._add(path, filter(None, found), Use(f"{path} puts its path together"))

    def _loaded_in(self, text: str, folder: str, is_deep: bool) -> Iterable[str]:
        """Return the files in a folder that a text names, also those in its subfolders if code lists these."""
        loaded = self._names.folder_named(text, folder) if is_deep else None
        return self._names.all_below(loaded) if loaded else self._in_folder(text, folder)

    def _in_folder(self, text: str, folder: str) -> Sequence[str]:
        named = self._names.folder_named(text, folder)
        return self._names.below(named) if named else ()

    def _read_folders(self) -> None:
        """Record possible uses by files that compute paths. Such files may load all files in the folders that they name."""
        found = loaders(self._texts)
        for path, begins, lists, named, lists_own, is_deep, _ in found:
            folder = posixpath.dirname(path)
            reason = f"{path} loads files of its folder by names that it puts together"
            loading = Use(reason, loads=True)
            for begin in begins:
                self._add(path, self._loaded_in(begin, folder, is_deep and lists), loading)
            if lists_own:
                self._add(path, self._names.below(folder), loading)
            use = Use(reason, loads=lists)
            for each in named:
                self._add(path, self._loaded_in(each, folder, is_deep), use)
        if any(loader.lists and loader.runs for loader in found):
            self._read_folder_names()

    def _read_copies(self) -> None:
        """Record possible uses by files that copy files: they may copy all files in the folders that they name.

        If such a file exists, the files in folders of templates may be copied, too.
        """
        copying = self._texts.once(_copying)
        for path, named in copying.items():
            folder = posixpath.dirname(path)
            use = Use(f"{path} copies files and names a folder around it in a text")
            for each in named:
                copied = self._names.folder_named(each, folder) if _FOLDER.fullmatch(each) else None
                self._add(path, self._names.all_below(copied) if copied else (), use)
        self._read_copied_names({posixpath.dirname(path): path for path in sorted(copying, reverse=True)})
        if copying:
            reason = f"it is in a folder of templates, and {min(copying)} copies files"
            self.unread += [(path, Use(reason)) for path in self._names.matching(_TEMPLATES)]

    def _read_copied_names(self, programs: Mapping[str, str]) -> None:
        """Record possible uses of folders whose bare names are quoted beside a program that copies files.

        `programs` are the programs that copy, by their folders. The name of a folder of sources is too common to be one.
        """
        for path, words in self._texts.once(_quoted_words).items() if programs else ():
            program = programs.get(posixpath.dirname(path))
            for name in words if program is not None else ():
                use = Use(f"{path} has the name of its folder in a text, and {program} copies files")
                self._add(path, () if name in OUTER else self._names.in_folders_named(name), use)

    def _read_folder_names(self) -> None:
        """Record possible uses of folders whose bare names are quoted.

        Call it only if some code lists folders and loads computed paths.
        """
        for path, words in self._texts.once(_quoted_words).items():
            for name in words if path not in self._configurations else ():
                use = Use(f"{path} has the name of its folder in a text, and some code loads what a folder holds")
                self._add(path, self._names.in_folders_named(name), use)

    def _of_unread(self, file: UnreadFile) -> Iterator[tuple[str, Use]]:
        folder = posixpath.dirname(file.path)
        is_code = has_calls(language_of(file.path) or "")  # code of another language, which loads the file by its path
        reason = f"{file.path} has its path in a text" if is_code else f"{file.path} names it, which is not read as code"
        for imported in file.imports:
            use = Use(reason, frozenset(imported.names or (WHOLE,)))
            yield from ((target, use) for target in self._candidate_paths(imported.specifier, folder))
        for text in file.named:
            if pattern := specific_pattern(text):
                yield from ((each, Use(reason)) for each in self._names.fitting(pattern))
            if not self._names.may_concern(text):
                continue
            has_extension = without_extension(text) != text
            use = Use(reason)
            relative = text.startswith(("./", "../"))
            exact = self._names.exactly(text, folder) if (relative or has_extension) and text.strip("./") else None
            if exact:
                yield exact, use
            else:  # a template is served at another place, so its relative paths may begin in any folder
                # A path may leave the folder of its settings only from another base, such as `rootDir` of a test runner.
                least = 1 if has_extension and (not relative or text.startswith("../")) else 2
                yield from ((each, use) for each in self._names.loosely(text, least=least))

    def _candidate_paths(self, specifier: str, folder: str) -> Iterator[str]:
        text = specifier.partition("?")[0].rpartition("!")[2]
        if text.startswith((".", "/")):
            if exact := self._names.exactly(text, folder):
                yield exact
        elif self._names.may_concern(text) or self._names.may_concern(text.lstrip("@~#$")):
            yield from self._names.aliased(text)

    def _add(self, path: str, targets: Iterable[str], use: Use) -> None:
        self.by_file.setdefault(path, []).extend((target, use) for target in targets if target != path)
