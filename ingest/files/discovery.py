"""Find the source files of a workspace, and report which entries were excluded and why.

These rules decide about a file or folder, strongest first:

1. `.astrolabeignore` files (nearest folder first), then `Settings.exclude`. A match decides, and `!` re-includes entries that
rules 2 and 3 exclude.
2. `.gitignore` files (nearest folder first), then `.git/info/exclude`. `!` cancels only other Git patterns. As in Git, these
patterns do not apply to tracked files.
3. The built-in rules (`default_excludes.py`).

After these rules, limits apply: size, symbolic links, names that are not UTF-8, unreadable entries.

Ignore files above the root of the workspace and the user's global Git excludes are not read, so that a folder has the same index
on every machine. Symbolic links are never followed: a target inside the workspace is indexed at its own path, and a target
outside does not belong to the workspace.
"""

from __future__ import annotations

import os
import stat
import time
from pathlib import Path

import msgspec

from ...schema.errors import NotAFolder
from ...schema.languages import BY_NAME, language_of
from ...schema.manifest import Exclusion
from ...schema.settings import Settings
from .api_descriptions import describes_api, may_describe_api
from .command_files import command_language, runs_sql
from .configuration_digest import digest_configuration, is_configuration_name
from .dbt_files import PROJECT, describes_models, may_be_seed, may_describe_models
from .default_excludes import COMMITTED_OUTPUT_NAMES, DEFAULT_RULES, OUTPUT_NAMES, PRIVATE_FOLDERS, output_folder_reason
from .git_index import TrackedPaths, tracked_paths
from .ignore_rules import IgnoreRule, RuleSet, parse_patterns
from .known_folders import FolderContent, KnownFolders, Source, state_of
from .manifest_names import manifest_language
from .path_roles import is_imported_data
from .recognized_content import is_changelog, is_mapper, may_be_changelog, may_be_mapper
from .tool_configurations import tool_of
from .unread_files import kind_of_unread

GIT_IGNORE = ".gitignore"
OWN_IGNORE = ".astrolabeignore"
GIT_EXCLUDE = ".git/info/exclude"
#: The file in the folder of every Python virtual environment.
VIRTUAL_ENVIRONMENT = "pyvenv.cfg"
#: Entries whose content decides about other entries.
_UNSTABLE = frozenset((GIT_IGNORE, OWN_IGNORE, ".git", VIRTUAL_ENVIRONMENT, PROJECT))


class SourceFile(msgspec.Struct, frozen=True, gc=False):
    """A file to index."""

    relative_path: str
    #: One of the names in `schema/languages.py`.
    language: str
    #: Size in bytes.
    size: int
    #: Modification time in nanoseconds since the epoch.
    mtime: int
    #: `mtime` or the time when the directory entry changed, whichever is later. Programs can preserve `mtime`, but not this time.
    changed: int = 0


class Discovery(msgspec.Struct, frozen=True):
    """The content of a workspace at one moment."""

    #: Sorted by path.
    files: list[SourceFile]
    #: Paths of the read folders, sorted; "" is the root.
    folders: list[str]
    #: Sorted by path. There is one row for a folder that was not read, and no row for files that are not sources.
    excluded: list[Exclusion]
    #: SHA-256 of the settings and installations that shape the index.
    configuration_digest: str
    #: SHA-256 of the ignore files, manifests, tsconfigs and symbolic links that shape the index.
    rules_digest: str
    #: Sorted paths of the files in `rules_digest`.
    configuration_files: list[str]
    #: Sorted paths at which a file would be in `rules_digest`, but there is none.
    missing_configuration: list[str]
    #: Sorted paths of the other files that code may import, such as JSON files, styles and pictures.
    data_files: list[str]
    #: True if there was a file of a supported language, even if all such files were excluded.
    supported_seen: bool
    #: Paths of the files that are not sources, in no order.
    other_files: list[str] = []

    @property
    def naming_files(self) -> list[str]:
        """Return the paths of files that are not sources but may name sources, such as templates and settings, in no order."""
        return [path for path in self.other_files if kind_of_unread(path[path.rfind("/") + 1 :]) is not None and _is_utf8(path)]


def discover(root: Path, settings: Settings, known: KnownFolders[FolderRules] | None = None) -> Discovery:
    """Find the source files below `root`.

    `known` are the folders of an earlier scan with the same settings, on a file system that only this machine writes.

    Files and folders that cannot be read become exclusions. Raises `NotAFolder` if `root` is not a folder.
    """
    if not root.is_dir():
        raise NotAFolder(f"{root} is not a folder." if root.exists() else f"The folder {root} does not exist.")
    walk = _Walk(os.path.realpath(root), settings, known)
    walk.run()
    if known is not None:
        known.end_scan()
    digests = digest_configuration(walk.root, settings, walk.configuration, walk.links, walk.data_files, walk.exclude)
    return Discovery(
        files=sorted(walk.files, key=lambda file: file.relative_path),
        folders=sorted(walk.folders),
        excluded=sorted(walk.excluded, key=lambda exclusion: exclusion.path),
        configuration_digest=digests.settings,
        rules_digest=digests.rules,
        configuration_files=digests.paths,
        missing_configuration=sorted((*digests.missing, *walk.missing_configuration)),
        data_files=sorted(walk.data_files),
        supported_seen=walk.supported_seen,
        other_files=walk.other_files,
    )


class FolderRules(msgspec.Struct, frozen=True):
    """The ignore files that apply in a folder, nearest first."""

    own: tuple[RuleSet, ...]
    git: tuple[RuleSet, ...]
    #: The rule sets of `git` that may decide about sources.
    git_sources: tuple[RuleSet, ...]
    tracked: TrackedPaths
    #: The Git pattern that excludes the folder. The folder is read because it contains tracked files.
    outer: IgnoreRule | None = None

    def equals(self, other: FolderRules) -> bool:
        """Return whether the rules are those of the same ignore files with the same content."""
        if self is other:
            return True
        # The rules of an ignore file are compared by identity.
        is_same = self.own == other.own and self.git == other.git
        return is_same and self.outer is other.outer and self.tracked is other.tracked

    def own_folder_rule(self, name: str, path: str) -> IgnoreRule | None:
        """Return the rule of Astrolabe, not of Git, that excludes or re-includes a folder, if any."""
        for rules in self.own:
            if rule := rules.match_folder(name, path):
                return rule
        return None

    def git_folder_rule(self, name: str, path: str) -> IgnoreRule | None:
        """Return the Git pattern that excludes a folder except for the tracked files in it."""
        if self.tracked.is_submodule(path):
            return None
        if self.outer is not None:
            return self.outer
        for rules in self.git:
            if rule := rules.match_folder(name, path):
                return None if rule.negated else rule
        return None

    def source_rule(self, name: str, path: str) -> IgnoreRule | None:
        """Return the rule that excludes or re-includes a source file, if any."""
        for rules in self.own:
            if rule := rules.match_source(name, path):
                return rule
        rule = self._git_source_rule(name, path)
        return rule if rule is not None and not self.tracked.has_file(path) else DEFAULT_RULES.match_source(name, path)

    def _git_source_rule(self, name: str, path: str) -> IgnoreRule | None:
        if self.outer is not None:
            return self.outer
        for rules in self.git_sources:
            if rule := rules.match_source(name, path):
                return None if rule.negated else rule
        return None


class _Walk:
    """One pass over the tree, without recursion.

    The prefix of a folder is "" for the root, else it ends with a slash.
    """

    def __init__(self, root: str, settings: Settings, known: KnownFolders[FolderRules] | None) -> None:
        self.root = root
        self._known = known
        self._started = time.time_ns()
        #: Of the folder that is being read: the sources that the rules admit, the paths of configuration files, and whether the
        #: next scan would find the same as long as the folder has the same state.
        self._sources: list[Source] = []
        self._configuration: list[str] = []
        self._is_stable = True
        self.files: list[SourceFile] = []
        self.folders: list[str] = []
        self.excluded: list[Exclusion] = []
        self.data_files: list[str] = []
        self.other_files: list[str] = []
        #: Contents of the configuration files by path; None until they are read.
        self.configuration: dict[str, bytes | None] = {}
        self.missing_configuration: list[str] = []
        #: Targets of the symbolic links, as they are written, by path.
        self.links: dict[str, str] = {}
        self.supported_seen = False
        #: Prefixes of the folders of dbt projects.
        self._projects: tuple[str, ...] = ()
        self._max_size = settings.max_file_size
        self._pending: list[tuple[str, FolderRules]] = [("", self._outer_rules(settings))]

    def run(self) -> None:
        while self._pending:
            prefix, rules = self._pending.pop()
            if self._known is None:
                self._scan_folder(prefix, rules)
            else:
                self._renew_folder(prefix, rules, self._known)

    def _renew_folder(self, prefix: str, rules: FolderRules, known: KnownFolders[FolderRules]) -> None:
        """Read a folder, or only its sources if the folder is as the last scan found it."""
        state = state_of(f"{self.root}/{prefix}")
        is_in_project = bool(self._projects) and prefix.startswith(self._projects)
        content = known.content(prefix, state, rules, is_in_project) if state is not None else None
        if content is None:
            content = self._read_folder(prefix, rules)
            if state is not None and self._is_stable and state.is_settled(self._started):
                known.keep(prefix, state, rules, is_in_project, content)
            return
        self.folders.append(prefix.removesuffix("/"))
        for source in content.sources:
            self._add_source(source)
        self._pending += content.folders
        self.excluded += content.excluded
        self.data_files += content.data_files
        self.other_files += content.other_files
        for path in content.configuration:
            self.configuration.setdefault(path, None)
        self.supported_seen |= content.has_supported

    def _read_folder(self, prefix: str, rules: FolderRules) -> FolderContent[FolderRules]:
        """Read a folder, and return what its entries contributed."""
        lists = self._pending, self.excluded, self.data_files, self.other_files
        before = [len(each) for each in lists]
        was_seen, self.supported_seen = self.supported_seen, False
        self._sources, self._configuration, self._is_stable = [], [], True
        self._scan_folder(prefix, rules)
        content = FolderContent(
            self._sources,
            self._pending[before[0] :],
            self.excluded[before[1] :],
            self.data_files[before[2] :],
            self.other_files[before[3] :],
            self._configuration,
            self.supported_seen,
        )
        self.supported_seen |= was_seen
        return content

    def exclude(self, path: str, reason: str) -> None:
        """Record an exclusion. Bytes of the path that are not UTF-8 are escaped, because stores require UTF-8."""
        self.excluded.append(Exclusion(_printable(path), reason))

    def _outer_rules(self, settings: Settings) -> FolderRules:
        own = self._own_rules(settings)
        git_exclude = os.path.isfile(f"{self.root}/{GIT_EXCLUDE}")
        git = (self._ignore_file(GIT_EXCLUDE, ""),) if git_exclude else ()
        if not git_exclude:
            self.missing_configuration.append(GIT_EXCLUDE)
        return FolderRules(own, git, _with_source_rules(git), tracked_paths(self.root))

    def _own_rules(self, settings: Settings) -> tuple[RuleSet, ...]:
        def make() -> tuple[RuleSet, ...]:
            return (RuleSet("", parse_patterns(settings.exclude, "setting exclude")),) if settings.exclude else ()

        return make() if self._known is None else self._known.of_settings(make)

    def _ignore_file(self, path: str, base: str) -> RuleSet:
        try:
            with open(f"{self.root}/{path}", "rb") as handle:
                content = handle.read()
        except OSError as error:
            self.exclude(path, f"cannot be read: {error.strerror}")
            content = b""
        self.configuration[path] = content
        if self._known is not None:
            return self._known.rules_of(content, path, base)
        return RuleSet.of_file(content, path, base)

    def _scan_folder(self, prefix: str, rules: FolderRules) -> None:
        try:
            with os.scandir(f"{self.root}/{prefix}") as listing:
                entries = {entry.name: entry for entry in listing}
        except (FileNotFoundError, NotADirectoryError):
            # The folder was removed after its parent was listed, so it does not count.
            self._is_stable = False
            return
        except OSError as error:
            self._is_stable = False
            self.exclude(prefix.removesuffix("/") or ".", f"cannot be read: {error.strerror}")
            return
        self._is_stable = False  # unless the folder is read to its end
        if prefix and ".git" in entries and self._is_linked_worktree(prefix):
            self.exclude(prefix.removesuffix("/"), "another Git worktree, with sources of its own")
            return
        if prefix and VIRTUAL_ENVIRONMENT in entries:
            self.exclude(prefix.removesuffix("/"), "a virtual environment of Python")
            return
        self.folders.append(prefix.removesuffix("/"))
        self._is_stable = _UNSTABLE.isdisjoint(entries)
        rules = self._inner_rules(prefix, rules, entries)
        if PROJECT in entries:
            self._projects = (*self._projects, prefix)
        for name, entry in entries.items():
            if entry.is_dir(follow_symlinks=False):
                self._visit_folder(prefix, name, rules, entries)
            elif entry.is_symlink():
                self._is_stable = False
                self._visit_link(prefix + name, entry)
            elif language := language_of(prefix + name):
                self._visit_source(prefix + name, entry, language, rules)
            else:
                self._visit_other(prefix + name, name, rules)
                if may_describe_api(prefix + name):
                    self._visit_recognized(prefix + name, entry, "openapi", rules)
                if self._projects and prefix.startswith(self._projects):
                    if may_describe_models(name):
                        self._visit_recognized(prefix + name, entry, "dbt", rules)
                    elif may_be_seed(prefix + name):
                        self._visit_recognized(prefix + name, entry, "csv", rules)
                if may_be_mapper(name):
                    self._visit_recognized(prefix + name, entry, "mybatis", rules)
                if may_be_changelog(prefix + name):
                    self._visit_recognized(prefix + name, entry, "liquibase", rules)
                if commands := command_language(prefix + name):
                    self._visit_recognized(prefix + name, entry, commands, rules)

    def _inner_rules(self, prefix: str, rules: FolderRules, entries: dict[str, os.DirEntry[str]]) -> FolderRules:
        if GIT_IGNORE in entries and entries[GIT_IGNORE].is_file(follow_symlinks=False):
            git = (self._ignore_file(prefix + GIT_IGNORE, prefix), *rules.git)
            rules = msgspec.structs.replace(rules, git=git, git_sources=_with_source_rules(git))
        if OWN_IGNORE in entries and entries[OWN_IGNORE].is_file(follow_symlinks=False):
            rules = msgspec.structs.replace(rules, own=(self._ignore_file(prefix + OWN_IGNORE, prefix), *rules.own))
        return rules

    def _is_linked_worktree(self, prefix: str) -> bool:
        """Return whether a folder is a linked worktree.

        Its `.git` file points into `worktrees/`; the `.git` file of a submodule points into `modules/`.
        """
        try:
            with open(f"{self.root}/{prefix}.git", "rb") as handle:
                return b"/worktrees/" in handle.read(4096)
        except OSError:
            # `.git` is a folder, so this is a separate repository, which is read like other folders.
            return False

    def _visit_folder(self, prefix: str, name: str, rules: FolderRules, siblings: dict[str, os.DirEntry[str]]) -> None:
        if name in PRIVATE_FOLDERS:
            return
        path = prefix + name
        if not _is_utf8(name):
            self.exclude(path, "the name is not UTF-8")
            return
        outer = None
        rule = rules.own_folder_rule(name, path)
        if rule is None:
            rule = outer = rules.git_folder_rule(name, path)
            if outer is None or rules.tracked.has_below(path):
                rule = DEFAULT_RULES.match_folder(name, path)
        if rule is not None:
            reason = None if rule.negated else rule.reason
        elif name in (COMMITTED_OUTPUT_NAMES if rules.git else OUTPUT_NAMES):
            self._is_stable = False
            reason = output_folder_reason(siblings[name].path, name, siblings)
        else:
            reason = None
        if reason is None:
            inner = rules if outer is rules.outer else msgspec.structs.replace(rules, outer=outer)
            self._pending.append((path + "/", inner))
        else:
            self.exclude(path, reason)

    def _visit_source(self, path: str, entry: os.DirEntry[str], language: str, rules: FolderRules) -> None:
        self.supported_seen = True
        rule = rules.source_rule(entry.name, path)
        if rule is not None and not rule.negated:
            self.exclude(path, rule.reason)
            return
        source = Source(path, entry.name, language)
        if not self._add_source(source):
            self._is_stable = False
            return
        self._sources.append(source)
        if tool_of(path) is not None or manifest_language(entry.name) is not None:
            self._add_configuration(path)

    def _add_source(self, source: Source) -> bool:
        """Add a source file as it is now. Returns False if the file is excluded or does not exist any more."""
        path, _, language = source
        try:
            status = os.lstat(f"{self.root}/{path}")
        except FileNotFoundError:
            return False
        except OSError as error:
            self.exclude(path, f"cannot be read: {error.strerror}")
            return False
        if reason := self._unfit_reason(source, status, self._max_size * BY_NAME[language].size_factor):
            self.exclude(path, reason)
            return False
        changed = max(status.st_mtime_ns, status.st_ctime_ns)
        self.files.append(SourceFile(path, language, status.st_size, status.st_mtime_ns, changed))
        return True

    def _add_configuration(self, path: str) -> None:
        self.configuration.setdefault(path, None)
        self._configuration.append(path)

    def _visit_recognized(self, path: str, entry: os.DirEntry[str], language: str, rules: FolderRules) -> None:
        """Also add a data file to the sources if its content is in a language. Code may still import its values."""
        self._is_stable = False
        rule = rules.source_rule(entry.name, path)
        if rule is not None and not rule.negated:
            return
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError:
            return
        if not stat.S_ISREG(status.st_mode) or (self.files and self.files[-1].relative_path == path):
            return
        max_size = self._max_size * BY_NAME[language].size_factor
        if language == "dbt":
            is_source = describes_models(entry.name, entry.path, status, max_size)
        elif language == "csv":
            is_source = status.st_size > 0
        elif language == "mybatis":
            is_source = is_mapper(entry.path, status)
        elif language == "liquibase":
            is_source = is_changelog(entry.path, status)
        elif BY_NAME[language].folder == "command_files":
            is_source = runs_sql(entry.path, status, max_size)
        else:
            is_source = describes_api(path, entry.path, status, max_size)
        if is_source:
            self._visit_source(path, entry, language, rules)

    def _visit_other(self, path: str, name: str, rules: FolderRules) -> None:
        if is_configuration_name(name):
            self._add_configuration(path)
        self.other_files.append(path)
        if is_imported_data(name) and _is_utf8(name):
            rule = rules.source_rule(name, path)
            if rule is None or rule.negated:
                self.data_files.append(path)

    def _unfit_reason(self, source: Source, status: os.stat_result, max_size: int) -> str | None:
        if not _is_utf8(source.name):
            return "the name is not UTF-8"
        if not stat.S_ISREG(status.st_mode):
            return "not a regular file"
        if status.st_size > max_size:
            return f"larger than {max_size:,} bytes"
        # A system call for each file is slow, so the call is made only for unusual permission bits.
        if status.st_mode & 0o444 != 0o444 and not os.access(f"{self.root}/{source.path}", os.R_OK, effective_ids=True):
            return "cannot be read: Permission denied"
        return None

    def _visit_link(self, path: str, entry: os.DirEntry[str]) -> None:
        name = entry.name
        is_source = language_of(path) is not None
        try:
            is_folder = stat.S_ISDIR(entry.stat().st_mode)
            self.links[path] = os.readlink(entry.path)
        except OSError:
            if is_source:
                self.exclude(path, "a symbolic link that leads nowhere")
            return
        target = os.path.realpath(entry.path)
        inside = target.startswith(self.root + os.sep) or target == self.root
        if is_folder or is_source:
            self.supported_seen |= is_source
            where = f"to {_printable(os.path.relpath(target, self.root))}" if inside else "that leaves the workspace"
            self.exclude(path, f"a symbolic link {where}")
        elif inside and is_configuration_name(name):
            self.configuration.setdefault(path, None)


def _with_source_rules(rules: tuple[RuleSet, ...]) -> tuple[RuleSet, ...]:
    return tuple(each for each in rules if each.concerns_sources)


def _is_utf8(name: str) -> bool:
    if name.isascii():
        return True
    try:
        name.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _printable(path: str) -> str:
    return path if path.isascii() else path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
