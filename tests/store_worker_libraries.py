"""What the template process of `store_worker_template.py` imports before it forks workers.

LanceDB starts a thread, and its hook starts the thread again in a forked copy. The hook warns of threads that are in the middle
of an operation, but the template has none.
"""

from __future__ import annotations

import os
import warnings
from importlib import import_module

# A thread of the linear algebra library would be missing in a forked copy.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from astrolabe.retrieval.vectors.lance_engine import load_lancedb
from astrolabe.schema.process.import_blocker import be_lean

be_lean()
warnings.filterwarnings("ignore", "lancedb fork support", RuntimeWarning)
load_lancedb()
for _library in ("kuzu", "lance_namespace", "numpy", "pyarrow.dataset", "pydantic"):
    import_module(_library)
for _module in (
    "graphdb.centrality.pagerank",
    "graphdb.writing.bulk_load",
    "graphdb.writing.rewrite",
    "retrieval.embedding.static_embedder",
    "retrieval.lexical.index",
    "retrieval.vectors.chunk_table",
    "retrieval.vectors.chunk_update",
):
    import_module(f"astrolabe.{_module}")
