"""Find the terms that the code of a document names: names, flags, settings, scripts and endpoints."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator
from typing import Final

from ..model.term_history import ENDPOINT, FLAG, SCRIPT, SETTING, SYMBOL, WORD, Term
from .code_in_documents import CodeInDocument

#: A name, perhaps with its owner, and perhaps called.
NAME: Final = re.compile(r"(?P<owner>(?:[A-Za-z_$][\w$]*(?:\.|::|#|->))*)(?P<last>[A-Za-z_$][\w$]*)(?:\([^()\n]*\))?;?", re.ASCII)
#: A name of several words.
COMPOUND: Final = re.compile(r"[a-z]+[a-z0-9]*[A-Z]\w*|[A-Z][a-z0-9]+[A-Z]\w*|[a-z][a-z0-9]*_[a-z0-9_]+")
_FLAG: Final = re.compile(r"(?<![\w-])--(?P<name>[a-z][a-z0-9]*(?:-[a-z0-9]+)+)(?![\w-])")
#: A flag of one word, which begins a span, because such words are in many commands.
_LONE_FLAG: Final = re.compile(r"--(?P<name>[a-z][a-z0-9]{3,})(?:[= ].*)?")
_SETTING: Final = re.compile(r"(?<![\w.])\$?\{?(?P<name>[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)\}?(?![\w*])")
#: A setting that a line of code exports or reads: `export SHOP_MODE=open` in a comment, `os.environ["SHOP_MODE"]`.
_SETTING_IN_CODE: Final = re.compile(
    r"(?:\bexport[ \t]+|\benv(?:iron)?(?:\.|\[[\"']|\.get\([\"'])|\b(?i:[gs]et_?env)\([\"'])"
    r"(?P<name>[A-Z][A-Z0-9]+(?:_[A-Z0-9]+)+)\b"
)
#: A line of the shell that only sets a variable, and does not export it, and the use of a variable.
_ASSIGNED: Final = re.compile(r"[ \t]*(?:\$ )?(?P<name>[A-Z][A-Z0-9_]*)=(?:[^\s;&|\"']*|\"[^\"]*\"|'[^']*')[ \t]*;?[ \t]*$")
_EXPANDED: Final = re.compile(r"\$\{?([A-Z][A-Z0-9_]*)\b")
_SCRIPT: Final = re.compile(r"(?:^|[\s;&|(])(?:npm|pnpm|yarn|bun) run (?P<name>[a-zA-Z][\w:.-]*)")
_ENDPOINT: Final = re.compile(r"(?:GET|POST|PUT|PATCH|DELETE) (?P<name>/[\w{}:<>/.-]{4,})(?:\s|$)")
#: A member, a function, a type or a decorator that a line of a block uses.
_USED: Final = re.compile(
    r"(?:(?<=[.@])|(?<=::)|(?<=->)|(?<=\bnew ))(?P<member>[A-Za-z_]\w*)|(?<![\w.])(?P<called>[A-Za-z_]\w*)\("
)
#: Maximum number of characters of a name before a member, with the marks between both.
_MAX_OWNER: Final = 60
#: The name before a member.
_OWNER: Final = re.compile(r"(?P<name>[A-Za-z_$][\w$]*)(?:\(\))?(?:\.|::|->)$")
#: Tools that pass the words after ` -- ` to the program of the repository.
_RUNNER: Final = re.compile(r"\b(?:npm|npx|pnpm|yarn|bun|cargo|dotnet|mix|lein|sbt)\b")
_WORD: Final = re.compile(r"[A-Za-z_]\w*")
#: A name that a line of code may bind: a parameter, a variable, or a declaration of the reader.
_BOUND: Final = re.compile(
    r"(?:[(,]|\b(?:const|let|var|val|def|function|func|fn|fun|class|struct|interface|type|enum|trait|object)\b)"
    r"[ \t]*([A-Za-z_]\w*)[ \t]*(?=[,)=:({<]|$)"
)
#: Languages of code blocks with commands and settings.
_SHELLS: Final = ("", "sh", "bash", "shell", "console", "zsh", "text", "txt", "env", "dotenv", "ini")
#: Languages of code blocks without names of code.
_DATA: Final = frozenset(
    ("json", "json5", "jsonc", "yaml", "yml", "toml", "xml", "html", "css", "scss", "diff", "sql", "mermaid", "csv", "graphql")
)
#: Languages of code blocks that set environment variables of containers.
_DEPLOYMENTS: Final = frozenset(("yaml", "yml", "dockerfile"))
#: Minimum number of characters of a name that is searched in the history. Shorter names have many meanings.
_MIN_LENGTH: Final = 7
#: Minimum number of characters of a name that is one word.
_MIN_WORD: Final = 4


def name_term(name: str) -> Term | None:
    """Return the term of a name that is known to be code; None if the name is too short to be searched."""
    if COMPOUND.fullmatch(name):
        return Term(SYMBOL, name) if len(name) >= _MIN_LENGTH else None
    return Term(WORD, name) if len(name) >= _MIN_WORD and name.isidentifier() else None


def terms_of(code: CodeInDocument) -> Iterator[Term]:
    """Yield the terms that a span of code names, and the flags, settings and scripts of a line of commands."""
    if code.language is None:
        named = NAME.fullmatch(code.text)
        if named is not None:
            last = named["last"]
            if COMPOUND.fullmatch(last):
                if len(last) >= _MIN_LENGTH:
                    yield Term(SYMBOL, last)
            elif _is_word_of_code(last, named["owner"], code.text):
                yield Term(WORD, last)
        if (flag := _LONE_FLAG.fullmatch(code.text)) is not None:
            yield Term(FLAG, flag["name"])
        for found in _ENDPOINT.finditer(code.text):
            yield Term(ENDPOINT, found["name"].rstrip("/."))
    if code.language is None or code.language in _SHELLS:
        for kind, pattern in ((FLAG, _FLAG), (SETTING, _SETTING), (SCRIPT, _SCRIPT)):
            for found in pattern.finditer(_own_words(code.text) if kind == FLAG else code.text):
                if len(found["name"]) >= _MIN_LENGTH or kind == SCRIPT:
                    yield Term(kind, found["name"])
    else:
        pattern = _SETTING if code.language in _DEPLOYMENTS else _SETTING_IN_CODE
        yield from (Term(SETTING, found["name"]) for found in pattern.finditer(code.text) if len(found["name"]) >= _MIN_LENGTH)


def shell_variables(written: Iterable[CodeInDocument]) -> set[tuple[str, str]]:
    """Return the variables of the shell that the lines of a document both set and use, each with the document: `ROOT=$PWD`, and
    then `$ROOT/build`. They belong to the document, also if a file of the repository had one of the same name.
    """
    assigned: set[tuple[str, str]] = set()
    used: set[tuple[str, str]] = set()
    for code in written:
        if code.language is not None and code.language in _SHELLS:
            if (found := _ASSIGNED.match(code.text)) is not None:
                assigned.add((code.path, found["name"]))
            used.update((code.path, name) for name in _EXPANDED.findall(code.text))
    return assigned & used


def _own_words(command: str) -> str:
    """Return the words of a command that its own program reads. `shop run -- --fast` passes the flag to another program, unless a
    tool such as Cargo runs the program of the repository.
    """
    return command if _RUNNER.search(command) is not None else command.partition(" -- ")[0]


def _is_word_of_code(name: str, owner: str, text: str) -> bool:
    """Return whether a name of one word has the form of a type, a call or a member.

    With several owners, as in `java.util.Date`, it may belong to any package.
    """
    if len(name) < _MIN_WORD or name.isupper() or len(_WORD.findall(owner)) > 1:
        return False
    return name[0].isupper() or bool(owner) or text.endswith(")")


def used_names(code: CodeInDocument, foreign: Container[str], *, is_own_import: bool) -> Iterator[Term]:
    """Yield the names of several words that a line of a block uses: members, functions, types and decorators.

    Of an import of the repository's own code, these are all names. Members of `foreign` names are left out, and in blocks without
    a language those that are not called, because the text may be no code.
    """
    if code.language is None or code.language in _DATA or (code.language and code.language in _SHELLS):
        return
    for name in _WORD.findall(code.text) if is_own_import else _used(code.text, foreign, is_code=code.language != ""):
        if len(name) >= _MIN_LENGTH and COMPOUND.fullmatch(name):
            yield Term(SYMBOL, name)


def _used(line: str, foreign: Container[str], *, is_code: bool) -> Iterator[str]:
    for found in _USED.finditer(line):
        owner = _OWNER.search(line[max(found.start() - _MAX_OWNER, 0) : found.start()]) if found["member"] else None
        if owner is not None and (owner["name"] in foreign or (not is_code and not line.startswith("(", found.end()))):
            continue
        yield found["member"] or found["called"]


def bound_names(written: Iterable[CodeInDocument]) -> dict[str, set[str]]:
    """Return the names that the blocks of each document bind."""
    found: dict[str, set[str]] = {}
    for code in written:
        if code.language is not None:
            found.setdefault(code.path, set()).update(_BOUND.findall(code.text))
    return found
