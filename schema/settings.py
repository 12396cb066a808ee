"""The settings: one table of names, allowed values, defaults and meanings.

`server/environment/configuration.py` fills it from files and environment.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

PositiveInt = Annotated[int, Meta(gt=0)]
Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(gt=0)]
#: A weight, score or probability.
Share = Annotated[float, Meta(ge=0, le=1)]


class Settings(msgspec.Struct, frozen=True):
    """Everything a user can tune. Read from `astrolabe.toml` at the workspace root and from `ASTROLABE_*` variables."""

    #: Largest file that is indexed, in bytes; larger ones are listed as excluded.
    max_file_size: PositiveInt = 2_000_000
    #: Extra ignore patterns, gitignore syntax, besides `.gitignore` and `.astrolabeignore`.
    exclude: tuple[str, ...] = ()
    #: Processes that parse, and on Linux up to four that resolve; 0 means one per core.
    workers: Count = 0
    #: Embedding provider: "local", or "voyage" (voyage-code-3 and rerank-2.5), which sends the code to that service and takes its
    #: key from VOYAGE_API_KEY.
    embedding_provider: Literal["local", "voyage"] = "local"
    #: Let a small transformer read the first 40 results of the local ranker again. Needs the extra `rerank`.
    rerank_transformer: bool = False
    #: Weight of the re-ranking score in the final score.
    rerank_weight: Share = 0.65
    #: Weight of the vector similarity in the final score.
    vector_weight: Share = 0.35
    #: Lowest final score of a result that is shown, 0 to 1.
    minimum_relevance_threshold: Share = 0.5
    #: Tokens (4 characters each) of the whole answer.
    max_token_budget: PositiveInt = 8000
    #: Candidates taken from each first-stage search.
    max_vector_candidates: PositiveInt = 40
    #: Hops of the call trees in an answer; -1 means all.
    call_depth: Annotated[int, Meta(ge=-1)] = 1
    #: Let the client's model judge weak answers and word the question anew, where an MCP client offers sampling.
    sampling: bool = False
    #: Most questions worded anew for one call.
    sampling_attempts: Count = 2
    #: Best score below which an answer counts as weak, 0 to 1.
    sampling_below: Share = 0.6
    #: Seconds that the client's model has for a verdict.
    sampling_timeout: Seconds = 20.0
    #: Seconds after which a Cypher query is stopped.
    query_timeout: Seconds = 10.0
    #: Most rows of a Cypher query in a printed table; `--json`, `--csv` and Python get all.
    query_max_rows: PositiveInt = 1000
    #: Whether `codebase_search` gives every answer as JSON too, with an output schema. Some clients show the model that JSON in
    #: place of the text, so that it reads source with every line break and quote escaped.
    structured_search: bool = False
    #: Whether `lint` asks the TypeScript compiler in the workspace's own node_modules.
    run_compiler: bool = True
    #: Seconds after which that compiler is stopped.
    compiler_timeout: Seconds = 60.0
    #: Seconds after which the search for duplicates is stopped.
    duplicates_timeout: Seconds = 20.0
