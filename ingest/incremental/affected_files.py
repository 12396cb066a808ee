"""Find the files that a change affects: the files whose edges may differ from before."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set

from ..resolution.mentioned import AMBIENT, is_shown_import, meanings, seen_name
from ..resolution.module_names import DEFAULT
from .affected import EVERYTHING, AmbientChange, Spread, changed_globals, changed_names
from .file_links import Links, all_literals
from .file_states import FileStates
from .global_names import GlobalNames
from .package_changes import documents_of_changed_packages, files_of_changed_packages
from .package_names import shares_packages
from .refusals import TooMuchForUpdate


class AffectedFiles:
    """Finds the files that a change affects, and refuses an update that affects too many."""

    def __init__(
        self,
        states: FileStates,
        before: Links,
        rewritten: Collection[str],
        removed: Collection[str],
        rules_changed: bool,
        limit: int,
    ) -> None:
        """`rewritten` are the new and changed files. At most `limit` files may be affected."""
        self._states = states
        self._links = states.links
        self._before = before
        self._rewritten = set(rewritten)
        self._removed = removed
        self._rules_changed = rules_changed
        self._limit = limit
        #: Files whose visible names differ from before.
        self.changed_files: set[str] = set()

    def find(self, globals_: GlobalNames, members: Set[str]) -> set[str]:
        """Return the paths of all affected files, including the new and changed files.

        `members` are the names of members in all files after the change.
        """
        spread = Spread(self._links, self._states.after, self._states.imports, self.refuse_many, globals_.spread)
        for path in sorted({*self._rewritten, *self._removed}):
            before, after = self._states.old_surface(path), self._states.after(path).surface if path in self._links else None
            if (before.ambient if before else None) != (after.ambient if after else None):
                globals_.spread(spread, path, changed_globals(before, after), before)
            spread.from_names(path, changed_names(before, after))
        relinked: dict[str, frozenset[str]] = {}
        for path, links in self._links.items():
            known = self._before.files.get(path)
            if known is None or links is known:
                continue  # rewritten files are handled above, because equal exports may have another origin
            differing = links.differing(known)
            if links.linked != known.linked:
                spread.affected.add(path)
            if not differing:
                continue
            augmented = {scope.ambient for scope in self._states.outline(path).scopes.values()} if links.ambient else set()
            if augmented & differing & known.resolved.keys():
                raise AmbientChange(path)
            spread.from_imports(path, differing)
            relinked[path] = differing
        self.changed_files = spread.changed_files
        found = spread.affected | self._rewritten | self._comparing() | self._of_packages(relinked)
        found |= self._reading(members)
        return found | self._of_data() | self._of_apis() | self._mentioning(spread)

    def _of_data(self) -> set[str]:
        """Return the files whose edges of data a change affects: any table may be used or altered anywhere."""
        if not self._states.changes_data(sorted({*self._rewritten, *self._removed})):
            return set()
        found = self._states.differing_in_data()
        self.refuse_many(len(found))
        return found

    def _of_apis(self) -> set[str]:
        """Return the contracts and clients whose edges differ: any file may declare a handler that another file registers."""
        if not self._states.changes_apis(sorted({*self._rewritten, *self._removed})):
            return set()
        before = self._states.apis_before()
        after = self._states.apis
        found = {path for path in after.keys() | before.keys() if after.get(path) != before.get(path) and path in self._links}
        self.refuse_many(len(found))
        return found

    def _of_packages(self, relinked: Mapping[str, Collection[str]]) -> set[str]:
        """Return the affected files in languages in which the files of a package share one scope."""
        changed = []
        for path in sorted({*self._rewritten, *self._removed}):
            links = self._links.get(path) or self._before.files.get(path)
            if links is None or not shares_packages(links.language):
                continue
            before = self._states.before(path)
            after = self._states.after(path) if path in self._links else None
            changed.append((path, before.facts if before is not None else None, after.facts if after is not None else None))
        found = files_of_changed_packages(changed, relinked, self._before.files, self._links, self._rules_changed)
        found |= documents_of_changed_packages(changed, relinked, self._links)
        self.refuse_many(len(found))
        return found

    def _seen(self, spread: Spread) -> Iterator[str]:
        """Yield the keys of the names that show something else than before, also through the code that they use."""
        for path in {*spread.changed_files, *self._rewritten, *self._removed}:
            if any(links is not None and links.ambient for links in (self._links.get(path), self._before.files.get(path))):
                yield AMBIENT
        for path in spread.changed_files:
            names = spread.changed_names_of(path)
            if names == EVERYTHING:
                files = (self._links.get(path), self._before.files.get(path))
                names = frozenset(name for each in files if each is not None for name in each.declared.split("\n"))
            yield from (seen_name(name) for name in (*names, DEFAULT))

    def _mentioning(self, spread: Spread) -> set[str]:
        """Return the documents that mention a name or an anchor with changed declarations, or whose blocks use such a name."""
        mentioned = {path: entry.mentioned.split("\n") for path, entry in self._links.items() if entry.mentioned}
        if not mentioned:
            return set()
        changed = set(self._seen(spread))
        for path in {*self._rewritten, *self._removed}:
            before = self._states.before(path)
            after = self._states.after(path) if path in self._links else None
            old, new = (meanings(file.symbols, file.facts) if file is not None else {} for file in (before, after))
            changed |= {name for name in {*old, *new} if old.get(name) != new.get(name)}
        found = {path for path, names in mentioned.items() if not changed.isdisjoint(names)}
        # A page may use what another page imports, which now shows something else.
        given = {
            name
            for path in found | (spread.affected & mentioned.keys())
            for name in self._links[path].declared.split("\n")
            if is_shown_import(name)
        }
        found |= {path for path, names in mentioned.items() if not given.isdisjoint(names)} if given else set()
        self.refuse_many(len(found))
        return found

    def _comparing(self) -> set[str]:
        """Return the files that compare a member whose declared literals changed, because the checks may narrow types."""
        old, new = all_literals(self._before.files.values()), all_literals(self._links.values())
        differing = {name for name in {*old, *new} if old.get(name) != new.get(name)}
        found = {path for path, links in self._links.items() if not differing.isdisjoint(links.compared)} if differing else set()
        self.refuse_many(len(found))
        return found

    def _reading(self, members: Set[str]) -> set[str]:
        """Return the files that read members with a name that has come to the program or has left it.

        A use of a member of an unknown value is only stored if the program has a member of that name.
        """
        differing = members ^ self._before.members.keys()
        reading = ((path, links.read_members) for path, links in self._links.items() if links.read_members)
        found = {path for path, names in reading if not differing.isdisjoint(names.split("\n"))} if differing else set()
        self.refuse_many(len(found))
        return found

    def refuse_many(self, affected: int) -> None:
        """Raise TooMuchForUpdate if more files are affected than an update may resolve."""
        if affected > self._limit:
            raise TooMuchForUpdate(f"more than {self._limit:,} files are affected")
