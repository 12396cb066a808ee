"""The targets of paths in documents: links, and paths in spans of code."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final
from urllib.parse import unquote

from ...schema.paths import folders_above, parent_of, path_in
from ..documents.programs import PROGRAM, SCRIPT, Programs
from ..files.jsonc import parse_object, text_value
from ..files.workspace_files import join_path
from .import_targets import Resolution, SourceTarget
from .path_imports import PathImports

#: Beginning of the specifiers of links.
LINK: Final = "link:"
#: Beginning of the specifiers of paths in spans of code.
CODE: Final = "code:"
#: Beginning of the specifier of a file on a forge, before the repository and the path.
URL: Final = "url:"
#: Beginning of the specifier of the declarations of a package, before the path of the package's main module.
TYPES: Final = "types:"
#: The URL of a file at a branch, a tag or a commit.
_FORGE: Final = re.compile(
    r"https?://(?:www\.)?(?:raw\.githubusercontent\.com/(?P<raw>[\w.-]+/[\w.-]+)/(?:refs/heads/)?"
    r"|(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)/(?P<repository>[\w.-]+/[\w.-]+)/"
    r"(?:-/)?(?:blob|raw|src/branch|src|edit|tree)/)(?P<state>[\w.-]+)/(?P<path>[^?#\s]+)",
    re.IGNORECASE,
)
#: A commit, or a tag of a version.
_PINNED: Final = re.compile(r"(?:[0-9a-f]{7,40}|v?\d+\.\d[\w.-]*)$")
#: A target that is not a path: a URL with its scheme, or text in the syntax of a template or of a site.
_NO_PATH: Final = re.compile(r"[a-zA-Z][\w+.-]*:|//|.*[{}<>$|\s]")
#: Paths and names of files, perhaps with the number of a line.
_PATH: Final = re.compile(r"(?P<path>(?:\.{1,2}/)*[\w@.+-]+(?:/[\w@.+\[\]()-]+)*)/?(?::\d+(?:[-:]\d+)?)?")
_GO_MODULE: Final = re.compile(
    r"^module\s+\"?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)/([\w.-]+/[\w.-]+)", re.MULTILINE
)
#: Keys under which manifests name their repository. Other URLs do not count, because dependencies have such URLs, too.
_REPOSITORY: Final = re.compile(
    r"(?:repository|source|homepage|home-page|url|github|code)\w*[\"']?\s*[:=]\s*(?:\{[^{}]*?\"url\"\s*:\s*)?[\"']?(?:git\+)?"
    r"(?:(?:https?|ssh|git)://(?:\w+@)?|git@|github:)?(?:(?:www\.)?(?:github\.com|gitlab\.com|codeberg\.org|bitbucket\.org)[/:])"
    r"([\w.-]+/[\w.-]+)",
    re.IGNORECASE,
)
#: The URL of a module of a package: on servers that deliver packages of npm and JSR, and on Deno's registry of repositories.
_OF_PACKAGE: Final = re.compile(
    r"https?://(?:(?:esm\.sh|esm\.run|unpkg\.com|cdn\.skypack\.dev|jspm\.dev|cdn\.jsdelivr\.net/npm|esm\.sh/jsr|jsr\.io)/"
    r"(?P<package>(?:@[\w.-]+/)?[\w.-]+)(?:@[\w.^~*-]+)?(?P<inner>/[^?#\s]*)?"
    r"|deno\.land/x/(?P<name>[\w.-]+?)(?:@[\w.-]+)?/(?P<path>[^?#\s]+))",
    re.IGNORECASE,
)
#: Beginning of the specifier of a file on Deno's registry of repositories, before the name of the repository.
_DENO: Final = "deno.land/x/"
_NO_WORD: Final = re.compile(r"[\W_]+")
_NAME: Final = re.compile(r"\"name\"\s*:\s*\"(?:@[\w.-]+/)?([\w.-]+)\"")
#: Names of documents that each package may have.
_IN_EACH_FOLDER: Final = frozenset(("README", "CHANGELOG", "CHANGES"))
#: File with the navigation of a site of Docsify, at its root.
_DOCSIFY: Final = "_sidebar.md"
_HTML: Final = ".html"
#: Sign before a name of PHP that begins at the outermost namespace.
_ROOT: Final = "\\"
#: Endings that a site or a renderer of documents appends to a path without an extension.
_PAGES: Final = ("", ".md", ".mdx", ".rst", ".adoc", "/README.md", "/index.md", "/index.mdx", "/index.rst")


def repository_url(target: str) -> tuple[str, str] | None:
    """Return the repository and the path of the URL of a file on a forge: `https://github.com/acme/shop/blob/main/src/a.py#L3`."""
    found = _FORGE.match(target)
    return ((found["repository"] or found["raw"]).lower(), unquote(found["path"]).rstrip("/")) if found is not None else None


def is_pinned_url(target: str) -> bool:
    """Return whether the URL of a file on a forge names a commit or a version: its lines may differ from the current lines."""
    found = _FORGE.match(target)
    return found is not None and _PINNED.match(found["state"]) is not None


def specifier_of_link(target: str) -> str | None:
    """Return the specifier of the file that a link refers to; None for a link that is no path and no URL of a file."""
    path = path_of_link(target)
    if path is not None:
        return f"{LINK}{path}" if path else None
    url = repository_url(target)
    return f"{URL}{url[0]}:{url[1]}" if url is not None else None


def specifier_of_module(extension: str, module: str) -> str:
    """Return the specifier of a module that a block of code imports, by its name or by a URL."""
    found = _OF_PACKAGE.match(module) if module.startswith("http") else None
    if found is None:
        url = repository_url(module)
        return f"{URL}{url[0]}:{url[1]}" if url is not None else f"{extension}:{module.removeprefix(_ROOT)}"
    if found["name"] is not None:
        return f"{URL}{_DENO}{found['name'].lower()}:{found['path']}"
    # A file inside of a package is usually built, so that the package itself has the names.
    return f"{extension}:{found['package']}"


def path_of_link(target: str) -> str | None:
    """Return the path of a link without its query and fragment, "" for the document itself; None if the link has no path."""
    if _NO_PATH.match(target) is not None:
        return None
    return unquote(target.partition("#")[0].partition("?")[0])


def path_in_code(text: str) -> str | None:
    """Return the path that a span of code consists of; None for other code."""
    found = _PATH.fullmatch(text.strip()) if "/" in text or "." in text else None
    return found["path"] if found is not None else None


class DocumentPaths(PathImports):
    """Resolves the paths of documents to indexed files."""

    def own(self, specifier: str, from_path: str) -> Resolution:
        """Return the document itself, because a document may link to itself."""
        return SourceTarget(from_path)

    def find(self, specifier: str, from_path: str) -> str | None:
        """Return the indexed file to which a path resolves."""
        if specifier.startswith(URL):
            repository, _, path = specifier.removeprefix(URL).partition(":")
            is_own = (
                repository.removeprefix(_DENO) in self._names if repository.startswith(_DENO) else repository == self._repository
            )
            if is_own:
                return self.source(*(f"{path}{end}" for end in _PAGES))
            return self.source(path) if not self._repository and self._may_be_own(repository, path) else None
        if specifier.startswith(TYPES):
            return self._declarations_of(specifier.removeprefix(TYPES))
        if specifier.startswith(PROGRAM):
            return self._programs.program(specifier.removeprefix(PROGRAM))
        if specifier.startswith(SCRIPT):
            return self._programs.script(specifier.removeprefix(SCRIPT), from_path)
        form, path = specifier[: len(LINK)], specifier[len(LINK) :]
        beside = join_path(parent_of(from_path), path) if not path.startswith("/") else None
        at_root = join_path("", path.lstrip("/"))
        if form == LINK:
            bases = [beside, *self._sites(from_path, path)] if beside is not None else self._roots_above(from_path, path)
            found = self.source(*(f"{base.rstrip('/')}{end}" for base in bases for end in _PAGES))
            if found is None and path.endswith(_HTML):
                # The page that a generator of sites makes of a document.
                found = self.source(*(f"{base.removesuffix(_HTML)}{end}" for base in bases for end in _PAGES if base and end))
            return found
        is_of_folder = "/" not in path and path.partition(".")[0].upper() in _IN_EACH_FOLDER
        exact = self.source(beside) if is_of_folder else self.source(beside, at_root)
        return exact if exact is not None or "/" not in path else self._by_ending(path)

    def _declarations_of(self, main: str) -> str | None:
        """Return the declaration file in which the users of a package see the types of its main module in JavaScript."""
        for folder in folders_above(parent_of(main)):
            manifest = parse_object(self.files.read(path_in(folder, "package.json")) or b"")[0]
            if not manifest:
                continue
            entry = join_path(folder, text_value(manifest, "main") or "index")
            if entry is None or entry.removesuffix(".js") not in (main.removesuffix(".js"), main.removesuffix("/index.js")):
                return None
            typed = join_path(folder, text_value(manifest, "types") or text_value(manifest, "typings") or "")
            return self.source(typed, f"{typed}.d.ts") if typed else self.source(f"{main.removesuffix('.js')}.d.ts")
        return None

    def _may_be_own(self, repository: str, path: str) -> bool:
        """Return whether a URL may be one of the repository, although no manifest names the repository.

        Paths of the repository must have its name, and the path of the URL must have a folder.
        """
        name = _NO_WORD.sub("", repository.rpartition("/")[2].lower())
        return "/" in path and len(name) > 1 and name in self._plain_paths

    @cached_property
    def _plain_paths(self) -> str:
        """The letters and digits of the paths of all sources, one path per line."""
        return "\n".join(_NO_WORD.sub("", path.lower()) for path in self.files.sources)

    @cached_property
    def _programs(self) -> Programs:
        return Programs(self.files)

    @cached_property
    def _names(self) -> frozenset[str]:
        """The names by which registries may know the repository, without the scope of the package."""
        found = {self._repository.rpartition("/")[2]}
        for path in ("deno.json", "deno.jsonc", "jsr.json", "package.json"):
            named = _NAME.search((self.files.read(path) or b"").decode("utf-8", "replace"))
            found |= {named[1].lower()} if named is not None else set()
        return frozenset(found - {""})

    @cached_property
    def _repository(self) -> str:
        """The repository on a forge that a manifest at the root names; "" if no manifest names one."""
        for name in (
            "package.json",
            "pyproject.toml",
            "go.mod",
            "Cargo.toml",
            "composer.json",
            "setup.cfg",
            "setup.py",
            "pom.xml",
        ):
            text = (self.files.read(name) or b"").decode("utf-8", "replace")
            pattern = _GO_MODULE if name == "go.mod" else _REPOSITORY
            found = pattern.search(text)
            if found is not None:
                return next(each for each in found.groups() if each).lower().removesuffix(".git")
        return ""

    def _roots_above(self, from_path: str, path: str) -> list[str]:
        """Return the possible paths in the workspace for a path from the root of a site.

        Any folder around the document may be the root.
        """
        found = []
        folder = parent_of(from_path)
        while folder:
            found.append(f"{folder}{path}")
            folder = parent_of(folder)
        return [*found, path.lstrip("/")]

    def _sites(self, from_path: str, path: str) -> list[str]:
        """Return the possible paths in the workspace for a relative path in a site of Docsify, where it begins at the root."""
        roots = [path_in(folder, path) for folder in folders_above(parent_of(from_path)) if self._is_site(folder)]
        return roots if not path.startswith(".") else []

    def _is_site(self, folder: str) -> bool:
        return self.files.is_source(path_in(folder, _DOCSIFY))

    def _by_ending(self, path: str) -> str | None:
        """Return the only indexed file whose path ends with a path."""
        ending = f"/{path.removeprefix('./')}"
        found = [each for each in self.by_name.get(path.rpartition("/")[2], ()) if each.endswith(ending)]
        return found[0] if len(found) == 1 else None
