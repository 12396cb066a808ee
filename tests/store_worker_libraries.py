"""The libraries that the template process of `store_worker_template.py` imports before it forks workers.

LanceDB itself is missing, because it starts threads, which a forked copy would not have.
"""

from __future__ import annotations

import os
from importlib import import_module

# A thread of the linear algebra library would be missing in a forked copy.
os.environ["OPENBLAS_NUM_THREADS"] = "1"

from astrolabe.schema.process.import_blocker import be_lean

be_lean()
for _library in ("kuzu", "lance_namespace", "numpy", "pyarrow.dataset", "pydantic"):
    import_module(_library)
