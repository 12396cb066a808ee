"""Notebooks that tests write."""

from __future__ import annotations

import json
from collections.abc import Sequence

#: What stands in the output of each code cell, and must never be read.
OUTPUT = "c3VtbWVyIHNhbGUgc2VjcmV0"


def notebook(cells: Sequence[tuple[str, str]], language: str = "python") -> str:
    """Return a notebook of format 4 with cells of some kinds and sources, as Jupyter writes it."""
    made = []
    for kind, source in cells:
        cell: dict[str, object] = {"cell_type": kind, "metadata": {}, "source": source.splitlines(keepends=True)}
        if kind == "code":
            cell |= {"execution_count": 1, "outputs": [{"data": {"image/png": OUTPUT}, "output_type": "display_data"}]}
        made.append(cell)
    kernel = {"kernelspec": {"display_name": language, "name": language}, "language_info": {"name": language}}
    return json.dumps({"cells": made, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"
