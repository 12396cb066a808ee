"""Read the names in files that are not resolved: components, templates, settings, prose.

Such a file may use the files and declarations that its text mentions.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from ...schema.import_clauses import imported_names
from ...schema.unread_files import UnreadFile, UnreadImport

#: Kinds of files by extension, for files that are not sources of a resolved language.
_KINDS = {
    "code": "marko riot imba gjs gts coffee litcoffee ls civet res re elm ripple cljs kt php rb wxml",
    "page": "html htm xhtml ejs hbs handlebars mustache pug jade njk nunjucks liquid twig erb haml slim cshtml razor vbhtml jsp"
    " ftl tmpl tpl eta svg dust blade eex heex leex",
    "settings": "json json5 jsonc yaml yml toml ini cfg conf config properties env xml gradle kts plist podspec pbxproj sh bash"
    " zsh bat cmd ps1 py go rs java cs swift scala c cc cpp h hpp lua rake ex exs mk cmake tf nix graphql prisma webmanifest"
    " dockerfile service timer",
    "prose": "md markdown rst adoc txt",
}
_KIND_BY_EXTENSION = {f".{extension}": kind for kind, extensions in _KINDS.items() for extension in extensions.split()}
#: Files with commands that have no extension.
_COMMAND_FILES = re.compile(r"([dD]ocker|[mM]ake|[pP]roc|Jenkins|Vagrant|[jJ]ust|Brew|Pod|Fast)file(\..+)?|\.?[\w-]+rc|[a-z-]+")
#: Files with values for the environment of a program, also as an example: `.env`, `.env.test.local`.
_ENVIRONMENT_FILES = re.compile(r"\.env(?:\.[\w-]+)*")
#: Files that list names of other files, but do not load these files.
_LISTINGS = re.compile(
    r"(^|/)(package-lock|npm-shrinkwrap|composer\.lock|tsconfig[\w.-]*|jsconfig|\.?(eslint|prettier|stylelint|cspell|knip|codecov)[\w.-]*"
    r"|pnpm-lock|CHANGELOG|HISTORY|CODEOWNERS|LICENSE|\.all-contributorsrc|\.gitattributes|\.\w+ignore)(\.\w+)?$",
    re.IGNORECASE,
)
#: Listings of checkers and compilers that also load files: extensions, plugins and parsers.
_CHECKERS = re.compile(r"(^|/)\.?(eslint|prettier|stylelint|tslint|tsconfig)[^/]*$")
#: A setting of such a listing whose value names loaded files: one value, or a list in JSON or YAML.
_LOADED_BY_CHECKERS = re.compile(
    r"""\b(?:extends|plugins|jsPlugins|rulePaths|parser|processors?|resolver|formatter|transform)['"]?[ \t]{0,9}:\s{0,9}"""
    r"""(\[[^\]]{0,2000}\]|-[^\n]{0,200}(?:\n[ \t]{0,20}-[^\n]{0,200}){0,50}|[^\[\n]{1,200})"""
)
#: Maximum size of a file that is read, in bytes.
_MAX_SIZE = 1_000_000
#: Maximum number of files that are read.
_MAX_FILES = 20_000

#: A text that may be the path of a source: one segment with an extension, or several segments.
_PATH = re.compile(r"[\w@~#.$\[\]()-]{1,200}(?:/[\w@~#.$\[\]()-]{1,200}){0,30}")
#: A quoted glob of sources in settings, as in the list of entries of a bundler.
_GLOB = re.compile(r"""["']([\w@./{},-]{0,200}\*[\w@./{},*-]{0,200})["']""")
#: A glob of sources as the value of a variable of the environment: `ROUTES=src/routes/*.ts,src/hooks/*.ts`.
_ENVIRONMENT_GLOB = re.compile(r"[=,]([\w@./{}-]{0,200}\*[\w@./{}*-]{0,200}\.[cm]?[jt]sx?)\b")
#: A glob of sources among the words of a command: `for job in jobs/*.js`, `<rootDir>/checks/**/*.ts`.
_GLOB_IN_WORDS = re.compile(
    r"""(?<=[\s"'>])/?((?:[\w@.-]{1,100}/){0,20}[\w@./{},-]{0,100}\*[\w@./{}*,-]{0,100}\.[cm]?[jt]sx?)(?=[\s"';)\\])"""
)
#: Programs and options that check, remove or watch the files of a glob, and do not load them.
_NOT_LOADING = re.compile(
    r"\b(?:eslint|prettier|tslint|stylelint|standard|xo|biome|oxlint|jshint|cspell|tsc|rimraf|del|rm|cp|cpx|copyfiles|chokidar|onchange"
    r"|watch|ignore\w*|exclude\w*|include\w*|collectCoverageFrom|lint-staged|files)\b"
)
#: The function that a platform calls: `handler: src/orders.create`. The last part is the name of an export.
_HANDLER = re.compile(r"""\bhandler['"]?[ \t]{0,9}[:=][ \t]{0,9}['"]?([\w./-]{1,200})\.\w+""", re.IGNORECASE)
#: The folder of the code of such functions.
_CODE_FOLDER = re.compile(
    r"""\b(?:CodeUri|source_dir)['"]?[ \t]{0,9}[:=][ \t]{0,9}['"]?(?:\$\{[\w.]{1,50}\}/)?([\w./-]{1,200})"""
)
#: A setting or an option for a folder whose files a tool loads, such as `'models-path': path.resolve('db', 'models')`.
_FOLDER_SETTING = re.compile(
    r"""\b(?:migrations?|seed(?:er)?s?|models?|entities|subscribers|integration|component|rules?)[-_]?(?:dir|directory|folder|path)s?['"]?"""
    r"""(?:[ \t]{0,9}[:=][ \t]{0,9}|[ \t]{1,9})(?:path\.(?:resolve|join)\([ \t]{0,9}(?:__dirname[ \t]{0,9},[ \t]{0,9})?)?"""
    r"""((?:['"][\w./-]{1,100}['"][ \t]{0,9},?[ \t]{0,9}){1,8}|[\w./-]{1,200})""",
    re.IGNORECASE,
)
_PIECE = re.compile(r"[\w./-]+")
#: A program that a command starts in another folder, without the extension: `cd tools && node report`.
_STARTED_IN = re.compile(
    r"\bcd[ \t]{1,9}([\w./-]{1,200})[ \t]{0,9}&&[ \t]{0,9}(?:node|tsx|ts-node|bun|jiti)[ \t]{1,9}([\w./-]{1,200})"
)
_IMPORT = re.compile(
    r"\bimport\s{1,9}(?:type\s{1,9})?([\w$\s{},*]{0,1000}?)\s{0,9}from\s{0,9}['\"]([^'\"\n]{1,300})['\"]"
    r"|\b(?:import|require)\s{0,9}\(?\s{0,9}['\"]([^'\"\n]{1,300})['\"]"
)
#: A program that runs files, or a field for a layout, before a path. Any other path in prose is only a mention.
_COMMAND = re.compile(
    r"\b(?:node|tsx|ts-node|npx|bun|deno|zx|nodemon|esno|jiti|pm2|babel-node|electron|k6|bash|sh)[ \t]([^\n`]{1,200})"
    r"|^(?:layout|component):[ \t]{1,9}[\"']?([^\s\"']{1,200})",
    re.MULTILINE,
)
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
#: A name in a module, as in `shop.main:serve` and `shop.settings`.
_MEMBER = re.compile(r"(?<=\w[.:])([^\W\d]\w*)")
_TAG = re.compile(r"</?([a-z][\w]*(?:-[\w]+)+)")
#: A component in a page of documentation.
_COMPONENT = re.compile(r"<([A-Z]\w{1,60})(?=[\s/>])")
_SOURCE_NAME = re.compile(r"\.[cm]?[jt]sx?\b")


def kind_of_unread(name: str) -> str | None:
    """Return the kind of a file by its name: "code", "page", "settings" or "prose"; None for files that name no code."""
    dot = name.rfind(".")
    if _ENVIRONMENT_FILES.fullmatch(name):
        return "settings"
    if dot > 0 and (kind := _KIND_BY_EXTENSION.get(name[dot:].lower())) is not None:
        return kind
    return "settings" if _COMMAND_FILES.fullmatch(name) else None


def read_unread_files(root: Path, paths: Iterable[str]) -> list[UnreadFile]:
    """Return the names in files; an unreadable file has none. Paths are POSIX and relative to `root`."""
    found = []
    for path in sorted(paths)[:_MAX_FILES]:
        kind = kind_of_unread(path.rpartition("/")[2])
        is_checker = _CHECKERS.search(path) is not None
        if not is_checker and (kind is None or _LISTINGS.search(path)):
            continue
        try:
            file = root / path
            data = file.read_bytes() if file.stat().st_size <= _MAX_SIZE else b""
        except OSError:
            continue
        if b"\0" in data[:1024]:
            continue
        text = data.decode("utf-8", "replace")
        found.append(_settings_of_checker(path, text) if is_checker or kind is None else unread_file(path, kind, text))
    return found


def unread_file(path: str, kind: str, text: str) -> UnreadFile:
    """Return the names in the text of a file of a kind."""
    imports = (
        [UnreadImport(whole or bare, imported_names(clause)) for clause, whole, bare in _IMPORT.findall(text)]
        if kind != "settings"
        else []
    )
    searched = "\n".join((command or layout for command, layout in _COMMAND.findall(text))) if kind == "prose" else text
    specifiers = {each.specifier for each in imports}
    named = {_without_marks(token) for token in _PATH.findall(searched) if _may_be_source(token)} - specifiers
    if kind == "settings":
        named.update(_named_in_settings(text))
    words: set[str] = set()
    if kind == "prose":
        components = set(_COMPONENT.findall(text))
        named.update(f"{component}.vue" for component in components)
        words.update(components)
    if kind in ("code", "page"):
        words.update(_WORD.findall(text))
        words.update("".join(part.capitalize() for part in tag.split("-")) for tag in _TAG.findall(text))
    members = frozenset(_MEMBER.findall(text)) if kind == "settings" else frozenset[str]()
    return UnreadFile(path, kind, tuple(sorted(named)), tuple(imports), frozenset(words), members)


def _settings_of_checker(path: str, text: str) -> UnreadFile:
    """Return the relative paths of files that a checker or a compiler loads. Its other paths are those of checked files."""
    loaded = "\n".join(_LOADED_BY_CHECKERS.findall(text))
    named = {_without_marks(token) for token in _PATH.findall(loaded)}
    return UnreadFile(path, "settings", tuple(sorted(each for each in named if each.startswith(("./", "../")))))


def _named_in_settings(text: str) -> Iterator[str]:
    """Yield the globs, folders and functions that settings or commands name, as texts that may be paths."""
    yield from (glob for glob in _GLOB.findall(text) if _SOURCE_NAME.search(glob) or glob.endswith("}"))
    yield from _ENVIRONMENT_GLOB.findall(text)
    for glob in _GLOB_IN_WORDS.finditer(text):
        command = re.split(r"""[&;|\n]|"[,}]""", text[max(0, glob.start() - 300) : glob.start()])[-1]
        if not _NOT_LOADING.search(command):
            yield glob[1]
    folders = _CODE_FOLDER.findall(text)
    for handler in _HANDLER.findall(text):
        yield f"{handler}.js"
        yield from (f"{folder.strip('/')}/{handler}.js" for folder in folders)
    yield from ("/".join([*_PIECE.findall(folder), "**/*.*"]) for folder in _FOLDER_SETTING.findall(text))
    yield from (f"{folder.rstrip('/')}/{program}" for folder, program in _STARTED_IN.findall(text))


def _without_marks(token: str) -> str:
    """Return a path without the punctuation of the sentence or the list around it."""
    if token.count("[") != token.count("]") or (token.startswith("[") and token.endswith("]")):
        token = token.strip("[]")
    if token.count("(") > token.count(")"):  # a call, or a list of Elixir: `~w(js/app.js --bundle)`
        token = token.rpartition("(")[2]
    return token.lstrip("([").rstrip(".)]") if token.endswith((".", ")")) else token


def _may_be_source(token: str) -> bool:
    return "/" in token or _SOURCE_NAME.search(token) is not None
