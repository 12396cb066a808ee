"""The settings: one table of names, allowed values, defaults and meanings.

`server/environment/configuration.py` fills it from files and environment.
"""

from __future__ import annotations

from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec import Meta

PositiveInt = Annotated[int, Meta(gt=0)]
Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0)]
#: A weight, score or probability.
Share = Annotated[float, Meta(ge=0, le=1)]
GraphEngine = Literal["kuzu", "ladybug"]
#: The dialects of SQL that the parser knows.
SQL_DIALECTS = (
    "bigquery", "clickhouse", "databricks", "duckdb", "hive", "mysql", "oracle", "postgres", "presto", "redshift", "snowflake",
    "spark", "sqlite", "teradata", "trino", "tsql",
)  # fmt: skip
#: A dialect, or a pattern of paths and a dialect: `reports/=bigquery`.
DialectOfFiles = Annotated[str, Meta(pattern=rf"^(?:.+=)?(?:{'|'.join(SQL_DIALECTS)})$")]


class Group(NamedTuple):
    """A group of related settings."""

    title: str
    meaning: str
    #: Names of the settings, in the order of `Settings`.
    settings: tuple[str, ...]


#: The groups in the order of pages; each setting is in one group.
GROUPS = (
    Group(
        "Files",
        "Which files are read, and how they are understood.",
        ("max_file_size", "exclude", "sql_dialect", "python_environment", "history_depth"),
    ),
    Group("Indexing", "How an index is built and stored.", ("workers", "graph_engine", "index_on_start", "first_index_wait")),
    Group(
        "Search",
        "How results are found, scored and ranked.",
        (
            "embedding_provider",
            "rerank_transformer",
            "rerank_weight",
            "vector_weight",
            "minimum_relevance_threshold",
            "max_vector_candidates",
        ),
    ),
    Group(
        "Answers",
        "How much an answer or a query returns.",
        ("max_token_budget", "call_depth", "query_timeout", "query_max_rows"),
    ),
    Group(
        "Agents",
        "What the MCP server does for its clients.",
        ("structured_search", "call_log", "sampling", "sampling_attempts", "sampling_below", "sampling_timeout"),
    ),
    Group(
        "Checks",
        "What `lint` and the pre-commit hook run.",
        ("run_compiler", "compiler_timeout", "duplicates_timeout", "pre_commit"),
    ),
)


class Settings(msgspec.Struct, frozen=True):
    """The settings of a user, from `astrolabe.toml` at the workspace root and from `ASTROLABE_*` variables."""

    #: Size of the largest file that is indexed, in bytes. Larger files are listed as excluded.
    max_file_size: PositiveInt = 2_000_000
    #: Ignore patterns in addition to `.gitignore` and `.astrolabeignore`, in the same syntax.
    exclude: tuple[str, ...] = ()
    #: Dialect of SQL in files and in strings of code, such as "mysql" or "tsql". A pattern as in `.gitignore` limits a dialect
    #: to some paths: `["postgres", "reports/=bigquery"]`. The last pattern that matches a path decides. Without a dialect, the
    #: syntax of a file decides, or else the first dialect that can parse a statement.
    sql_dialect: tuple[DialectOfFiles, ...] = ()
    #: Python environment, interpreter or folder of packages. The types of its installed packages are used. "" means the
    #: environment beside the manifest: `.venv`, `venv`, `env` or `.conda`.
    python_environment: str = ""
    #: Number of commits that are read for the history, the newest first; `--all` reads all commits.
    history_depth: PositiveInt = 1000
    #: Number of processes that parse; on Linux, up to four of them also resolve. 0 means one for each core.
    workers: Count = 0
    #: Graph engine: "kuzu", or its maintained fork "ladybug", which needs the extra `ladybug`.
    graph_engine: GraphEngine = "kuzu"
    #: Whether a server builds the first index of a Git repository in the background, before the first question.
    index_on_start: bool = True
    #: Seconds that a question to a server waits for the first index. After that, the answer says how much of the index is
    #: built.
    first_index_wait: Seconds = 45.0
    #: Embedding provider: "local" or "voyage". "voyage" sends the code to that service (voyage-code-3 and rerank-2.5), and reads
    #: its key from VOYAGE_API_KEY.
    embedding_provider: Literal["local", "voyage"] = "local"
    #: Whether a small local transformer scores the first 40 results again. Needs the extra `rerank`.
    rerank_transformer: bool = False
    #: Weight of the re-ranking score in the final score.
    rerank_weight: Share = 0.65
    #: Weight of the vector similarity in the final score.
    vector_weight: Share = 0.35
    #: Lowest score of a result that is shown, 0 to 1.
    minimum_relevance_threshold: Share = 0.5
    #: Number of candidates from each first-stage search.
    max_vector_candidates: PositiveInt = 40
    #: Maximum number of tokens of an answer; a token is 4 characters.
    max_token_budget: PositiveInt = 8000
    #: Depth of the call trees in an answer; -1 means no limit.
    call_depth: Annotated[int, Meta(ge=-1)] = 1
    #: Seconds after which a Cypher query is stopped.
    query_timeout: Seconds = 10.0
    #: Maximum number of rows in a printed table of a Cypher query. `--json`, `--csv` and Python return all rows.
    query_max_rows: PositiveInt = 1000
    #: Whether `codebase_search` also returns every answer as JSON. Some clients then show the model the JSON instead of the
    #: text, with escaped line breaks and quotes.
    structured_search: bool = False
    #: Whether the MCP server keeps a log of the tools that agents call, with arguments, in the data folder of the index.
    call_log: bool = True
    #: Whether the model of an MCP client judges weak answers and rewords the question, if the client offers sampling.
    sampling: bool = False
    #: Maximum number of rewordings of a question in one call.
    sampling_attempts: Count = 2
    #: An answer is weak if its best score is below this value, 0 to 1.
    sampling_below: Share = 0.6
    #: Seconds that the client's model has to reply.
    sampling_timeout: Seconds = 20.0
    #: Whether `lint` runs the TypeScript compiler in the workspace's node_modules.
    run_compiler: bool = True
    #: Seconds after which the TypeScript compiler is stopped.
    compiler_timeout: Seconds = 60.0
    #: Seconds after which the search for duplicates is stopped.
    duplicates_timeout: Seconds = 20.0
    #: What the pre-commit hook does if a commit breaks code: "warn" prints the findings, "block" also forbids the commit,
    #: "off" checks nothing.
    pre_commit: Literal["warn", "block", "off"] = "warn"
