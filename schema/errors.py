"""Every error that Astrolabe raises on purpose.

AstrolabeError
├── UsageError             the request itself is wrong: an empty query, an unknown option value
│   └── QueryRejected      a Cypher statement that is not read-only, or is outside the allow-list
├── WorkspaceError         the folder cannot be indexed
│   ├── NotAFolder
│   ├── NothingToIndex
│   └── DiskFull           no room for the index that is to be written
├── IndexUnusable          the stored index cannot serve
│   ├── IndexMissing       no index yet
│   ├── IndexTooNew        written by a newer version
│   ├── IndexCorrupt       files are missing or damaged
│   └── IndexLocked        another process holds the writer's lock
├── StoreError             a database refused: wraps the engines' own exceptions
│   └── QueryFailed        a Cypher statement failed or ran out of time
└── ProviderError          an embedding or re-ranking provider failed

Messages are sentences for people: what is wrong, where, and what to do. They are shown as they are at the edges.
"""

import re

#: What messages about a damaged index advise.
_ADVICE = re.compile(r"; index again with --full| Build the index again: astrolabe index --full\.?")


class AstrolabeError(Exception):
    """Base of all errors that carry a message for the user."""


class UsageError(AstrolabeError):
    """The request is wrong in itself."""


class QueryRejected(UsageError):
    """A statement outside the read-only allow-list."""


class WorkspaceError(AstrolabeError):
    """The folder cannot be indexed."""


class NotAFolder(WorkspaceError):
    """The path does not exist or is no folder."""


class NothingToIndex(WorkspaceError):
    """The folder holds no file of a supported language."""


class DiskFull(WorkspaceError):
    """The disk has no room for the index that is to be written."""


class IndexUnusable(AstrolabeError):
    """The stored index cannot serve."""


class IndexMissing(IndexUnusable):
    """No index has been built."""


class IndexTooNew(IndexUnusable):
    """The index was written by a newer version of Astrolabe."""


class IndexCorrupt(IndexUnusable):
    """Files of the index are missing or damaged."""

    def told_mended(self) -> str:
        """What to say once the index has been built anew: that it is to be is no news any more."""
        return f"The index was damaged and has been rebuilt: {_ADVICE.sub('', str(self))}"


class IndexLocked(IndexUnusable):
    """Another process is writing the index."""


class StoreError(AstrolabeError):
    """A database refused an operation."""


class QueryFailed(StoreError):
    """A Cypher statement failed or ran out of time."""


class ProviderError(AstrolabeError):
    """An embedding or re-ranking provider failed."""
