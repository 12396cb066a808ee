"""Dependencies of the mentions in a document: paths and modules to resolve, and names and anchors that other files declare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from typing import Final, NamedTuple

from ...schema.paths import parent_of
from ...schema.records import Symbol
from ...schema.symbol_kinds import DOCUMENT_KINDS, STATEMENTS, TYPE_KINDS
from ..documents.blocks.code import INHERITED, INHERITED_CHAIN, INSTANCE_CALL
from ..documents.blocks.imports import ALIAS
from ..documents.blocks.programs import ENGINES, OF_PACKAGES
from ..documents.blocks.used_names import capitalized_names, fixtures_of, free_names, names_in_block
from ..documents.code_terms import COMMAND, FLAG, KEY, LITERAL, SETTING, term_key
from ..documents.command_lines import VALUE_OF_SETTING, CommandLine, command_lines, declared_flag, flags_of, setting_of
from ..documents.data_keys import FIELD
from ..documents.literals import literal_of
from ..documents.names import CodeName, constructors_in, read_name, read_title, set_name, title_key, title_name
from ..documents.plain_names import WORD
from ..documents.programs import PROGRAM, SCRIPT
from ..documents.published_api import LINKED, published_name
from ..documents.shown_declarations import DERIVED, OVERRIDING, SHOWN
from ..documents.titles import TITLE
from ..facts.document_facts import MentionFact, TermFact
from ..facts.model import FileFacts
from ..languages.document_paths import CODE, path_in_code, path_of_link, repository_url, specifier_of_link, specifier_of_module
from .module_names import DEFAULT, module_names
from .named_declarations import C_FAMILY

#: Sign before an anchor in the list of names that a file declares.
ANCHOR: Final = "#"
#: The last part of a link that is a name with dots.
_LAST_NAME: Final = re.compile(r"^[A-Za-z_][\w.]*\.([A-Za-z_]\w*)$")
#: A name of a module in a package.
_MODULE: Final = re.compile(r"[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)+", re.ASCII)
#: A name with capitals in a module of Python.
_NAME_IN_MODULE: Final = re.compile(r"(?P<module>[a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)\.[A-Z]\w*", re.ASCII)
#: A class of PHP with its namespaces, perhaps with a member.
_NAMESPACED: Final = re.compile(r"\\?(?P<path>[A-Z]\w*(?:\\[A-Z]\w*)+)(?=$|::|->|\()", re.ASCII)
#: Beginning of a key that stands for the files and folders with a name. A plain word may denote such a file.
_FILE: Final = "/"
#: Stands for the types of all files: a path in a block of code may lead through types that the block does not name.
_TYPES: Final = "^"
#: Beginning of a key that stands for a class which documents show.
_SHOWN_CLASS: Final = "<"
#: Beginning of a key that stands for a name under which documents import something.
_SHOWN_IMPORT: Final = "}"
#: Beginning of a key that stands for all that a name shows to other files, such as the results of its methods. The engines
#: read this for the blocks of a document.
_SEEN: Final = "{"
#: Stands for what code declares for files that do not import it, which any block of TypeScript may use.
AMBIENT: Final = "{declare"
_SCRIPT: Final = ".ts"
_KOTLIN: Final = ".kt"
#: Languages in whose comments a tag states the type of a result.
_DOCUMENTED: Final = (".rb", ".php")
_RESULT: Final = "@return"
#: The tag by which a comment of PHP tells that a class passes unknown calls on to another one.
MIXIN: Final = "@mixin"
#: Beginning of the value of a parameter of a type in Python. Its bound is a type that a path may lead through.
_TYPE_PARAMETER: Final = "= TypeVar("
#: Forms of mentions in blocks of code. The text of such a mention is a module.
BLOCK_FORMS: Final = (
    "import", "call", INSTANCE_CALL, "package call", "use", "chain", "value", "free value", INHERITED, INHERITED_CHAIN
)  # fmt: skip
#: Forms of paths from values. If the module of the value is not known, the names of the path may tell.
PATH_FORMS: Final = ("chain", INSTANCE_CALL, INHERITED, INHERITED_CHAIN)


class Target(NamedTuple):
    """The target of a mention: a symbol, a file, or the reason why it is unresolved."""

    key: str
    #: "symbol", "file" or "unresolved".
    form: str
    evidence: str
    reason: str = ""
    #: Ids of the symbols among which an ambiguous name does not choose; empty if they are too many.
    candidates: tuple[str, ...] = ()


#: Maximum number of candidates of an ambiguous name that are kept.
MAX_CANDIDATES: Final = 8


def ambiguous(written: str, evidence: str, found: Sequence[Symbol] | None) -> Target:
    """Return the target of a name that several symbols have. `found` is None if they are too many to look at."""
    ids = tuple(sorted({symbol.id for symbol in found or ()}))
    return Target(written, "unresolved", evidence, "ambiguous", ids if len(ids) <= MAX_CANDIDATES else ())


def specifier_of(mention: MentionFact) -> str | None:
    """Return the specifier of the file that a mention names; None if it names no other file."""
    if mention.form in BLOCK_FORMS:
        return specifier_of_module(mention.extension, mention.text) if mention.text else None
    if mention.form == "link":
        return specifier_of_link(mention.text)
    if (namespaced := namespaced_class(mention)) is not None:
        return f".php:{namespaced}"
    if mention.form in ("code", "diagram", WORD):
        path = path_in_code(mention.text)
        return f"{CODE}{path}" if path else None
    return None


def namespaced_class(mention: MentionFact) -> str | None:
    """Return the class of PHP with its namespaces that a name in the text consists of, or to which the name adds a member."""
    found = _NAMESPACED.match(mention.text) if "\\" in mention.text and mention.form in ("code", WORD) else None
    return found["path"] if found is not None else None


def module_in(mention: MentionFact) -> str:
    """Return the specifier of the Python module that a span of code may name, or a function of it: `shop.cart`, `shop.open()`.

    Return "" for other code.
    """
    written = mention.text.removesuffix("()")
    return f".py:{written}" if mention.form == "code" and _MODULE.fullmatch(written) is not None else ""


def module_of_name(mention: MentionFact) -> str:
    """Return the specifier of the Python module before the last part of a name in a span of code: `shop.cart` of
    `shop.cart.Cart`; "" for other code.
    """
    found = _NAME_IN_MODULE.fullmatch(mention.text) if mention.form == "code" and not mention.extension else None
    return f".py:{found['module']}" if found is not None else ""


def submodule(mention: MentionFact, name: str) -> str:
    """Return the specifier of the submodule that a name in a Python block may import from a package; "" in other languages."""
    return f"{mention.extension}:{mention.text.rstrip('.')}.{name}" if mention.extension == ".py" else ""


def anchor_of(mention: MentionFact) -> str:
    """Return the anchor in a link; "" for none, and for a link that is not a path."""
    if mention.form != "link" or (path_of_link(mention.text) is None and repository_url(mention.text) is None):
        return ""
    return mention.text.partition("#")[2]


def specifiers(facts: FileFacts) -> set[str]:
    """Return the paths and modules that a document names."""
    found = {named for mention in facts.mentions if (named := specifier_of(mention)) is not None}
    modules = [module for mention in facts.mentions if (module := module_in(mention))]
    found.update(modules)
    found.update(module.rpartition(".")[0] for module in modules)
    found.update(module for mention in facts.mentions if (module := module_of_name(mention)))
    for mention in facts.mentions:
        published = published_name(mention.text) if mention.form == "link" else None
        if published is not None and published.module:
            found.update(f"{published.extension}:{module}" for module in published.modules)
        if mention.form in BLOCK_FORMS and mention.extension == ".py" and mention.text:
            # Each name in an import may be a submodule. In a call, only the first name may be one.
            names = mention.names if mention.form == "import" else mention.names[:1]
            found.update(submodule(mention, name) for name in names)
        for command in commands_in(mention):
            found.add(program_of(command))
            if command.script:
                found.add(f"{SCRIPT}{command.script}")
            if command.package:
                found.add(package_of(command))
    return found


def commands_in(mention: MentionFact) -> list[CommandLine]:
    """Return the commands in a line for a shell, or in a span of code of several words."""
    if mention.form == "shell" or (mention.form == "code" and " " in mention.text.strip() and not flags_of(mention.text)):
        return list(command_lines(mention.text))
    return []


def program_of(command: CommandLine) -> str:
    """Return the specifier of the program that a command runs: a name, or the path of a source file."""
    return f"{PROGRAM}{command.program}" if "." not in command.program else f"{CODE}{command.program}"


def package_of(command: CommandLine) -> str:
    """Return the specifier of the package of Go that a command installs or runs. A relative path is the folder of a program."""
    is_relative = command.package.startswith(".")
    return f"{PROGRAM}{command.package.rpartition('/')[2]}" if is_relative else f".go:{command.package}"


def settings_like(name: str) -> str:
    """Return the key of all settings that begin with the same word."""
    return term_key(f"{SETTING}s", name.partition("_")[0])


def _wanted_terms(mention: MentionFact) -> Iterator[str]:
    """Yield the keys of the settings, flags and commands that a mention may name."""
    if mention.form == VALUE_OF_SETTING:
        yield term_key(SETTING, mention.text)
        return
    if mention.form == WORD:
        yield term_key(SETTING, mention.text)
        return
    if mention.form == FIELD:
        yield term_key(KEY, mention.text.rpartition(".")[2])
        return
    if mention.form == "code" and (literal := literal_of(mention.text)):
        yield from (term_key(LITERAL, literal), literal, f"{_FILE}{literal}")
    commands = commands_in(mention)
    settings = [name for command in commands for name in command.settings]
    if mention.form == "code" and (name := setting_of(mention.text)):
        settings.append(name)
    for setting in settings:
        yield term_key(SETTING, setting)
        yield settings_like(setting)
    flags = [flag for command in commands for flag in command.flags]
    for flag in flags or (flags_of(mention.text) if mention.form == "code" else ()):
        yield term_key(FLAG, declared_flag(flag))
    if flags:
        yield term_key(FLAG)
    for command in commands:
        yield from (term_key(COMMAND, word) for word in command.words)


def name_in(mention: MentionFact) -> CodeName | None:
    """Return the name that a span of code or a title is, or to which the span gives a value; None for other text."""
    if mention.form == TITLE:
        return read_title(mention.text)
    name = read_name(mention.text)
    return set_name(mention.text) if name is None and mention.form == "code" and not mention.extension else name


def attribute_class(name: str) -> str:
    """Return the name of the class of an attribute of C#: `PriceAttribute` for `Price`. "" for a name in small letters."""
    return f"{name}Attribute" if name[:1].isupper() and name != name.upper() else ""


def wanted_names(facts: FileFacts) -> set[str]:
    """Return the names and anchors whose declarations decide the edges of a document."""
    found: set[str] = set()
    for mention in facts.mentions:
        if mention.form == "link":
            if anchor := anchor_of(mention):
                found.add(f"{ANCHOR}{anchor}")
            if (published := published_name(mention.text)) is not None:
                found.update(published.names)
            if (named := _LAST_NAME.search(mention.text)) is not None:
                found.add(named[1])
        elif mention.form in BLOCK_FORMS or mention.form in (SHOWN, OVERRIDING):
            found.update(mention.names)
            if mention.form == "package call":
                found.add(mention.text)  # the value before a member, as in `app.run()`
            found.update(shown_import(name) for name in (mention.text or mention.names[0], *mention.names[:1]) if name)
            found.add("*")
            found.add(_TYPES)
            found.update(shown_class(name) for name in mention.names[:1] if name[:1].isupper())
        elif mention.form not in ("image", "shell", VALUE_OF_SETTING, ALIAS, LINKED) and (name := name_in(mention)) is not None:
            found.update(name.parts)
            found.add(name.parts[-1].removesuffix("?"))
            if mention.text.endswith("!"):
                found.add(f"{name.parts[-1]}!")
            found.add("*")
            if mention.form == FIELD:
                found.add(_TYPES)
            elif len(name.parts) == 1:
                found.add(f"{_FILE}{name.parts[0]}")
                found.add(attribute_class(name.parts[0]))
            else:
                found.add(_TYPES)
                found.add(shown_class(name.parts[0]))
        if mention.form in ("code", "shell", VALUE_OF_SETTING, FIELD, WORD):
            found.update(_wanted_terms(mention))
        if mention.form == "code":
            found.update(constructors_in(mention.text))
    found.update(_seen_by_engines(facts))
    found.update(_wanted_titles(facts))
    return found


def _wanted_titles(facts: FileFacts) -> Iterator[str]:
    """Yield the names that are titles, and the keys of fields in data that are titles."""
    for symbol in facts.symbols:
        if symbol.kind == "section" and (title := title_name(symbol.name) or title_key(symbol.name)) is not None:
            yield from (title, term_key(KEY, title))


def _seen_by_engines(facts: FileFacts) -> Iterator[str]:
    """Yield the keys of what the engines read for the blocks of a document."""
    extensions = {block.extension for block in facts.blocks}
    if _SCRIPT in extensions:
        yield AMBIENT
    for block in facts.blocks:
        if block.extension in OF_PACKAGES:
            yield from capitalized_names(block)
        elif block.extension == _KOTLIN:
            yield from names_in_block(block)
            yield _TYPES
    for extension in extensions.intersection(ENGINES).difference(OF_PACKAGES):
        for name in free_names(facts.blocks, extension):
            yield name
            yield seen_name(name)
            yield shown_import(name)
            if name[:1].isupper():
                yield shown_class(name)
    for name in {name for block in facts.blocks for name, _, _ in fixtures_of(block)}:
        yield name
        yield seen_name(name)
    for mention in facts.mentions:
        if mention.extension in extensions and mention.extension not in OF_PACKAGES and mention.form in BLOCK_FORMS:
            yield from (seen_name(name) for name in (mention.names or [DEFAULT]))


def seen_name(name: str) -> str:
    """Return the key of all that a name shows to other files."""
    return f"{_SEEN}{name}"


def declared_names(facts: FileFacts) -> set[str]:
    """Return the names by which documents may mention the symbols of a file, and the anchors of the file."""
    names = {symbol.name for symbol in facts.symbols if symbol.kind not in STATEMENTS and symbol.kind not in DOCUMENT_KINDS}
    names |= {shown_class(mention.names[0]) for mention in facts.mentions if mention.form == DERIVED}
    names |= {shown_import(name) for mention in facts.mentions for name, _ in imported_names(mention)}
    return names | {f"{ANCHOR}{anchor}" for anchor in facts.anchors} | {key for term in facts.terms for key in _term_keys(term)}


def shown_class(name: str) -> str:
    """Return the key of the classes with a name that documents show."""
    return f"{_SHOWN_CLASS}{name}"


def shown_import(name: str) -> str:
    """Return the key of the imports in documents that give a name to something."""
    return f"{_SHOWN_IMPORT}{name}"


def is_shown_import(key: str) -> bool:
    """Return whether a key stands for imports in documents."""
    return key.startswith(_SHOWN_IMPORT)


def imported_names(mention: MentionFact) -> list[tuple[str, str]]:
    """Return the names that an import in a document gives to what it imports, each with the imported name."""
    if mention.form == ALIAS:
        return [(mention.names[0], mention.names[1])]
    return [(name, name) for name in mention.names] if mention.form == "import" else []


def _term_keys(term: TermFact) -> Iterator[str]:
    yield term_key(term.kind, term.name)
    if term.kind == FLAG:
        yield term_key(FLAG)
    elif term.kind == SETTING:
        yield settings_like(term.name)


def _declared_together(symbols: Sequence[Symbol]) -> str:
    """Return a digest of the names that a file of C or C++ declares, which decide whether it repeats another file; else ""."""
    if not symbols or C_FAMILY.search(symbols[0].relative_path) is None:
        return ""
    names = "\n".join(sorted({symbol.qualified_name for symbol in symbols}))
    return blake2b(names.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def meanings(symbols: Sequence[Symbol], facts: FileFacts) -> dict[str, list[object]]:
    """Map each name and anchor of a file to the facts that decide the edges from documents to that name or anchor."""
    found: dict[str, list[object]] = {}
    beside = _declared_together(symbols)
    for symbol in symbols:
        if symbol.kind not in STATEMENTS and symbol.kind not in DOCUMENT_KINDS:
            stated = (
                symbol.doc if symbol.relative_path.endswith(_DOCUMENTED) and _RESULT in symbol.doc else beside or facts.package
            )
            found.setdefault(symbol.name, []).append((symbol.id, symbol.exported, symbol.parent_id, symbol.signature, stated))
    for anchor, place in facts.anchors.items():
        found.setdefault(f"{ANCHOR}{anchor}", []).append(symbols[place].id if place >= 0 else "")
    for term in facts.terms:
        owner = symbols[term.symbol].id if term.symbol >= 0 else ""
        for key in _term_keys(term):
            found.setdefault(key, []).append((term.name, owner))
    if symbols:
        path = symbols[0].relative_path
        for part in {*parent_of(path).split("/"), path.rpartition("/")[2].partition(".")[0]}:
            found[f"{_FILE}{part}"] = [path]
    if types := [
        (symbol.id, symbol.exported, symbol.signature, symbol.doc if MIXIN in symbol.doc else "")
        for symbol in symbols
        if symbol.kind in TYPE_KINDS or symbol.kind == "constructor" or _TYPE_PARAMETER in symbol.signature
    ]:
        found[_TYPES] = list(types)
    modules_of: dict[str, set[str]] = {}
    for mention in facts.mentions:
        for name in mention.names if mention.form == "import" else ():
            modules_of.setdefault(name, set()).add(mention.text)
    for mention in facts.mentions:
        if mention.form == DERIVED:
            # The page says from which module the class takes its bases.
            modules = sorted({module for base in mention.names[1:] for module in modules_of.get(base, ())})
            found.setdefault(shown_class(mention.names[0]), []).append((mention.extension, mention.names[1:], modules))
        for name, imported in imported_names(mention):
            found.setdefault(shown_import(name), []).append((mention.extension, mention.text, imported))
    names = module_names(facts)
    imports: dict[str, list[object]] = {}
    for name, specifier, imported in names.imports:
        imports.setdefault(name, []).append((specifier, imported))
    for name in {*imports, *names.exports}:
        found.setdefault(name, []).extend((local, imports.get(local)) for local in sorted(names.local_names(name)))
    for name, place in names.members.items():
        found.setdefault(name, []).append(symbols[place].id if place >= 0 else "")
    if names.is_complete:
        found.setdefault("*", []).append("complete")  # a name that the module lacks is not looked for elsewhere
    return found
