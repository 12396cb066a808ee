"""Find files that load other files by computed names, and the folders that bound which files these are."""

from __future__ import annotations

import posixpath
import re
from typing import NamedTuple

from ...text_search.indexed_text import IndexedTexts

#: A quoted text without white space. If it is an import specifier, the match includes the keyword or function before it.
QUOTED = re.compile(
    rb"""(\bfrom\s{0,9}|\bimport\s{0,9}\(?\s{0,9}|\brequire(?:\.\w{1,30})?\(\s{0,9}|\bmock\w{0,20}\(\s{0,9})?['"`]([^\s'"`]{1,200})['"`]"""
)
#: The folder of the module, as the beginning of a path.
_HERE = rb"(?:__dirname|import\.meta\.dirname)"
_JOIN_HERE = rb"(?:\w{1,20}\.)?(?:join|resolve)\(\s{0,9}" + _HERE + rb"\s{0,9}"
#: An import whose path the program computes at run time, from its beginning. A comment may be before the path.
_DYNAMIC = re.compile(
    rb"""\b(?:require|import)\(\s{0,9}(?:/\*[^*]{0,200}\*/\s{0,9}){0,3}"""
    rb"""(?![\s'"`)/]|""" + _HERE + rb"""\s{0,9}\+\s{0,9}['"]/\w|""" + _JOIN_HERE + rb""",\s{0,9}['"][\w./@-]{1,100}['"])"""
    rb"""|\brequire\(\s{0,9}`(?!\.{0,2}/|\$\{__dirname\}/\w)[^`\n]{0,200}\$\{|\b(?:fork|spawn|Worker)\(\s{0,9}(?![\s'"`)])"""
)
#: A function that lists folders; `global` is none.
_LISTING = re.compile(rb"\b(?:readdir\w*|opendir\w*|glob(?!al)\w*|walk\w*|requireAll|require-?dir\w*|scandir\w*)\b")
#: A package or a function that loads all files in the folders that a program names.
_AUTO_LOADING = re.compile(
    rb"""['"/](?:@fastify/|fastify-)?autoload['"]|['"](?:consign|include-all|express-load)['"]|\bloadServices\("""
)
_OWN_FOLDER = re.compile(
    rb"""\b(?:readdir|opendir|scandir|glob|walk|requireAll)\w{0,20}\(\s{0,9}"""
    rb"""(?:(?:__dirname|['"]\.['"])\s{0,9}[,)]|path\.\w{1,20}\(\s{0,9}__dirname\s{0,9}\))"""
)
#: Names of folders that code joins to the folder of the module or the process.
_JOINED = re.compile(rb"""(?:dirname|import\.meta\.url|cwd\(\))\s{0,9}((?:,\s{0,9}['"`][\w./@-]{1,100}['"`]\s{0,9})+)""")
#: The beginning of a path whose rest is computed at run time. The rest does not end like the name of a file without code.
_BEGIN = re.compile(
    rb"""\b(?:require|import)\(\s{0,9}(?:['"](\.{0,2}/[^'"\n]{0,100})['"]\s{0,9}\+|`(\.{0,2}/[^`$\n]{0,100})\$\{"""
    rb"""(?![^`\n]{0,200}\.(?:json5?|css|s[ac]ss|less|svg|png|jpe?g|webp|txt|ya?ml|wasm)(?:\?\w{1,20})?`))"""
)
#: The same behind the folder of the module: `__dirname + '/parts/' + name`, or a list of its parts.
_BEGIN_HERE = re.compile(
    rb"""\b(?:require|import)\(\s{0,9}(?:"""
    + (_HERE + rb"""\s{0,9}\+\s{0,9}['"](/[^'"\n]{0,100})['"]\s{0,9}\+|`\$\{__dirname\}(/[^`$\n]{0,100})\$\{""")
    + (rb"|" + _JOIN_HERE + rb"""((?:,\s{0,9}['"][\w./@-]{1,100}['"]\s{0,9}){1,9}),)""")
)
#: The folder that a call such as `readdir` lists.
_LISTED = re.compile(
    rb"""\b(?:readdir|opendir|scandir|glob|walk|require-?(?:[dD]ir|[aA]ll))\w{0,20}(?:['"]\))?\(\s{0,9}['"`]((?:\.{1,2}/)?[\w@-]+(?:/[\w@.-]+)*)/?(?=['"`]|/?\$\{|/\*)"""
)
#: The start of a path in a template literal, whose end may come from a folder listing.
_TEMPLATE = re.compile(rb"""`(\.{1,2}/[^`$\n]{1,100}/)\$\{""")
#: A call that lists a folder with its subfolders.
_DEEP = re.compile(
    rb"\bwalk\w*\(|\b(?:readdir|opendir|scandir)\w*\([^;]{0,200}\brecursive\b|\brecursive-|-recursive\b"
    rb"|\brequire-?(?:all|dir)\b|\breaddirp\b|\bklaw\w*\b"
)
#: A sign of a glob, which may reach subfolders.
_GLOB = re.compile(rb"\bglob(?!al)\w*\b|\*\*/")
#: The beginning of globs that are written where they are used, and the arguments of a call that lists the matches of globs.
_FLAT = re.compile(rb"['\"`\[]")
_GLOB_CALL = re.compile(rb"\bglob(?!al)\w{0,20}(?:\.\w{1,20})?\(\s{0,9}([^)]{0,200})")
#: A text that leads only to folders above, such as the root of a package, from which a program reaches other folders.
_UPWARD = re.compile(r"\.{1,2}(?:/\.{1,2}){0,20}/?")
#: Such a text as the folder that a program lists.
_LISTED_UPWARD = re.compile(
    rb"""(?:\b(?:readdir|opendir|scandir|glob|walk)\w{0,20}\(|\bcwd['"]?:)\s{0,9}['"`](\.{1,2}(?:/\.{1,2}){0,20}/?)['"`]"""
)
#: Average length of the lines of a minified script. Such a script is built, and what it loads is built as well.
_MINIFIED_LINE = 5_000


class Loader(NamedTuple):
    """A file that computes the paths of files that it loads."""

    path: str
    #: Folders with which the computed paths begin.
    begins: tuple[str, ...]
    #: Whether the file lists folders.
    lists: bool = False
    #: Texts that may name the listed folders.
    folders: tuple[str, ...] = ()
    #: Whether the file lists the folder that contains it.
    lists_own: bool = False
    #: Whether the file also lists subfolders.
    is_deep: bool = False
    #: Whether the file imports or starts a module with a computed path, and does not only read files.
    runs: bool = True


def loaders(texts: IndexedTexts) -> list[Loader]:
    """Return the files that load others by computed names. All callers share the list."""
    return texts.once(_loaders)


def _loaders(texts: IndexedTexts) -> list[Loader]:
    found: list[Loader] = []
    for path in texts:
        text = texts[path].text
        if len(text) > _MINIFIED_LINE * (text.count(b"\n") + 1):
            continue
        loads_folders = _AUTO_LOADING.search(text) is not None
        lists = loads_folders or _LISTING.search(text) is not None
        begun = [quoted or template for quoted, template in _BEGIN.findall(text)]
        begun += _TEMPLATE.findall(text) if lists else ()
        whole = (begin.decode("utf-8", "replace") for begin in begun if b"?" not in begin)  # a query names one file
        begun_here = map(_begin_here, _BEGIN_HERE.finditer(text))
        begins = tuple(dict.fromkeys(posixpath.dirname(begin) for begin in (*whole, *begun_here)))
        runs = loads_folders or _DYNAMIC.search(text) is not None
        if not (runs or begins or lists):
            continue
        is_deep = loads_folders or _is_deep(text)
        if runs:
            quoted = {match[2].decode("utf-8", "replace") for match in QUOTED.finditer(text) if not match[1]}
            named = {each for each in quoted if re.fullmatch(r"[\w@./-]+", each) and (lists or "/" in each)}
            named = {each for each in named if not _UPWARD.fullmatch(each)}
            named |= {each.decode() for each in _LISTED_UPWARD.findall(text)}
            named |= {"./" + "/".join(pieces(each)) for each in _JOINED.findall(text)}
            own = _OWN_FOLDER.search(text) is not None
            found.append(Loader(path, begins, lists, tuple(sorted(named)), own, is_deep))
        else:
            # The file may only read the listed files, as a website reads its content.
            listed = {name.decode("utf-8", "replace") for name in _LISTED.findall(text)}
            found.append(Loader(path, begins, lists, tuple(sorted(listed)), is_deep=is_deep, runs=False))
    return found


def _is_deep(text: bytes) -> bool:
    """Return whether code lists folders with their subfolders. Globs without `**` do not reach subfolders."""
    calls = _GLOB_CALL.findall(text)
    is_flat = bool(calls) and all(_FLAT.match(call) is not None and b"**" not in call and b"${" not in call for call in calls)
    return _DEEP.search(text) is not None or (not is_flat and _GLOB.search(text) is not None)


def _begin_here(match: re.Match[bytes]) -> str:
    """Return the relative path with which a match of `_BEGIN_HERE` begins, up to the computed part."""
    parts = match[3]
    return "./" + "/".join(pieces(parts)) + "/" if parts else "." + (match[1] or match[2]).decode("utf-8", "replace")


def pieces(arguments: bytes) -> list[str]:
    """Return the quoted texts among the arguments of a call."""
    return re.findall(r"""['"`]([^'"`]+)['"`]""", arguments.decode("utf-8", "replace"))
