"""Every error that Astrolabe raises on purpose.

AstrolabeError
├── UsageError             the request itself is wrong: an empty query, an unknown option value
│   └── QueryRejected      a Cypher statement that is not read-only, or is outside the allow-list
├── WorkspaceError         the folder cannot be indexed
│   ├── NotAFolder
│   ├── NothingToIndex
│   └── DiskFull           the disk has no room for the new index
├── IndexUnusable          the stored index cannot serve
│   ├── IndexMissing       no index yet
│   ├── IndexTooNew        written by a newer version
│   ├── IndexCorrupt       files are missing or damaged
│   └── IndexLocked        another process holds the writer's lock
├── StoreError             a database failed: wraps the exceptions of the engines
│   └── QueryFailed        a Cypher statement failed or ran out of time
└── ProviderError          an embedding or re-ranking provider failed

Messages are sentences for people: what is wrong, where, and what to do. Messages are shown unchanged.
"""


class AstrolabeError(Exception):
    """Base of all errors with a message for the user: `str(error)` is the message and the hint."""

    #: Advice for every error of this class; "" if each message has its own advice.
    hint = ""

    @property
    def message(self) -> str:
        """The problem, without the hint."""
        return super().__str__()

    def __str__(self) -> str:
        return f"{self.message} {self.hint}" if self.hint else self.message


class UsageError(AstrolabeError):
    """The request is wrong."""


class QueryRejected(UsageError):
    """A Cypher statement is not read-only, or is outside the allow-list."""

    def __init__(self, message: str, position: int | None = None) -> None:
        super().__init__(message)
        #: Offset of the error in the statement, in characters; None if the error has no position.
        self.position = position


class WorkspaceError(AstrolabeError):
    """The folder cannot be indexed."""


class NotAFolder(WorkspaceError):
    """The path does not exist or is not a folder."""


class NothingToIndex(WorkspaceError):
    """The folder contains no file of a supported language."""


class DiskFull(WorkspaceError):
    """The disk has no room for the new index."""


class IndexUnusable(AstrolabeError):
    """The stored index cannot be used."""


class IndexMissing(IndexUnusable):
    """No index has been built."""


class IndexTooNew(IndexUnusable):
    """The index was written by a newer version of Astrolabe."""


class IndexCorrupt(IndexUnusable):
    """Files of the index are missing or damaged."""

    hint = "Build the index again: astrolabe index --full"

    @property
    def rebuilt_notice(self) -> str:
        """The notice for an answer after the rebuild of a damaged index."""
        return f"The index was damaged and has been rebuilt: {self.message}"


class IndexLocked(IndexUnusable):
    """Another process is writing the index."""


class StoreError(AstrolabeError):
    """A database operation failed."""


class QueryFailed(StoreError):
    """A Cypher statement failed or ran out of time."""


class ProviderError(AstrolabeError):
    """An embedding or re-ranking provider failed."""
