"""Plan the changes of the clients' configuration files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from ..environment.file_change import FileChange, read_if_file
from .clients import CLIENTS, ENTRY, Client, Place
from .json_entry import added_entry, entry_of, removed_entry
from .json_text import InvalidJson
from .toml_entry import InvalidToml, added_table, removed_table, table_of

#: Characters of files without content: white space, and a byte order mark.
_BLANK = " \t\r\n\ufeff"


@dataclass(frozen=True, slots=True)
class EntryPlan:
    """The planned change for a client."""

    client: Client
    change: FileChange | None
    #: Why there is no change; "" for a change.
    reason: str = ""
    #: Whether the reason is a failure, such as an invalid file.
    has_failed: bool = False


def printed_entry(client: Client, root: Path) -> str:
    """Return a file that contains only the entry."""
    return _new_text(client.place(root))


def planned_entries(root: Path, clients: Iterable[Client]) -> list[EntryPlan]:
    """Return the plans for adding the entries of the clients."""
    return [_planned(root, client, client.place(root), _added) for client in clients]


def planned_removals(root: Path) -> list[EntryPlan]:
    """Return the plans for removing all entries."""
    places = [(client, place) for client in CLIENTS if not client.elsewhere for place in client.places]
    plans = [_planned(root, client, place, _removed) for client, place in places if (root / place.path).is_file()]
    return [plan for plan in plans if plan.change is not None or plan.has_failed]


def has_entry(root: Path, client: Client) -> bool:
    """Return whether a file of the project has the entry of a client; False for an invalid file."""
    for place in client.places:
        content = read_if_file(root / place.path) if not client.elsewhere else None
        try:
            text = content.decode() if content is not None else ""
            if text.lstrip(_BLANK) and _entry(text, place) is not None:
                return True
        except (InvalidJson, InvalidToml, UnicodeDecodeError):
            continue
    return False


class _Unchanged(Exception):
    """Raised if there is nothing to change; the message is the reason."""


def _planned(root: Path, client: Client, place: Place, edited: Callable[[str | None, Place], str | None]) -> EntryPlan:
    if client.elsewhere:
        return EntryPlan(client, None, f"{client.elsewhere}.")
    path = (root / place.path).resolve()
    if not path.is_relative_to(root.resolve()):
        return EntryPlan(client, None, f"{place.path} leads out of the project, to {path}, and was left alone.", True)
    if path.exists() and not path.is_file():
        return EntryPlan(client, None, f"{place.path} is not a file, and was left alone.", True)
    before = read_if_file(path)
    try:
        after = edited(before.decode() if before is not None else None, place)
    except _Unchanged as unchanged:
        return EntryPlan(client, None, str(unchanged))
    except UnicodeDecodeError:
        return EntryPlan(client, None, f"{place.path} is not valid UTF-8, and was left alone.", True)
    except (InvalidJson, InvalidToml) as error:
        kind = "TOML" if place.is_toml else "JSON"
        return EntryPlan(client, None, f"{place.path} was left alone. As {kind}: {error}.", True)
    content = after.encode() if after is not None else None
    return EntryPlan(client, FileChange(path, before, content, has_own_folder="/" in place.path))


def _added(text: str | None, place: Place) -> str:
    if text is None:
        return _new_text(place)
    if not text.lstrip(_BLANK):
        return text + _text_in_blank_file(place)
    existing = _entry(text, place)
    if existing == place.entry:
        raise _Unchanged(f"{place.path} has the entry already.")
    if existing is not None:
        raise _Unchanged(f"{place.path} has another entry with the name {ENTRY}, which was left alone.")
    if place.is_toml:
        return added_table(text, place.section, ENTRY, place.entry)
    return added_entry(text, place.section, ENTRY, place.entry)


def _removed(text: str | None, place: Place) -> str | None:
    """Return the text without the entry; None if `init` created the file."""
    if text is None or not text.lstrip(_BLANK) or _entry(text, place) is None:
        raise _Unchanged(f"{place.path} has no entry.")
    if text == _new_text(place):
        return None
    if text.lstrip(_BLANK) == _text_in_blank_file(place):
        return text.removesuffix(_text_in_blank_file(place))
    if place.is_toml:
        return removed_table(text, place.section, ENTRY)
    return removed_entry(text, place.section, ENTRY)


def _entry(text: str, place: Place) -> object:
    return table_of(text, place.section, ENTRY) if place.is_toml else entry_of(text, place.section, ENTRY)


def _text_in_blank_file(place: Place) -> str:
    """Return the entry for a file without content. Unlike a new file, it has no final line end, so that a removal keeps the
    file.
    """
    return _new_text(place).rstrip("\n")


def _new_text(place: Place) -> str:
    if place.is_toml:
        return added_table("", place.section, ENTRY, place.entry)
    return json.dumps({**place.preamble, place.section: {ENTRY: place.entry}}, indent=2) + "\n"
