"""Compute features of candidates that are too costly for all rows: comparisons with other rows, and matches of the context."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..vectors.candidate_rows import CandidateRows
from .file_features import FileFeatures
from .graph_features import ALONE, GraphFeatures, Pairs

#: Share of the repository's mean vector that is subtracted from both vectors of a cosine. The mean contains properties of all
#: code, which do not distinguish candidates.
_SHARE = 0.6
#: Number of candidates with the highest blends whose mean vector describes the query in the words of the repository.
_TOP_COUNT = 8

Column = NDArray[np.float32]
Numbers = NDArray[np.int64]


class CandidateFeatures(NamedTuple):
    """Features of one candidate. A fit is the match of a file with the query; ALONE if there is no such file."""

    #: Cosine with the query after a share of the mean vector was subtracted from both.
    centred: float = 0.0
    #: Standard deviations by which the plain cosine is above the mean of all rows.
    deviations: float = 0.0
    #: Mean cosine with the other top candidates.
    agreed: float = 0.0
    #: Highest blend of the symbols that the candidate calls, candidates or not.
    any_called: float = ALONE
    #: Highest blend of the symbols that call the candidate, candidates or not.
    any_caller: float = ALONE
    #: Best fit of the tests that are named after the candidate's file.
    own_tests: float = ALONE
    #: Best fit of the tests that import the candidate's file.
    using_tests: float = ALONE
    #: Best fit of the other files in the folder of the candidate's file.
    folder: float = ALONE
    #: Best fit of the files that import the candidate's file or are imported by it.
    linked: float = ALONE
    #: Like `centred`, but for the mean vector of the candidate's file.
    file_centred: float = 0.0
    #: Share of the repository's files that have the language of the candidate's file.
    language_share: float = 1.0


def candidate_features(
    rows: CandidateRows, graph_features: GraphFeatures, chosen: Numbers, similarity: Column, blends: Column, files: FileFeatures
) -> list[CandidateFeatures]:
    """Return the features of each chosen row. `similarity` and `blends` have shape (rows.limit,)."""
    if not len(chosen):
        return []
    own = rows.files[chosen]
    fit = files.fit
    columns = (
        *_centred(rows, chosen, similarity),
        _agreed(rows, chosen, blends),
        *_calls(graph_features, chosen, blends),
        graph_features.own_tests.best_ends(fit)[own],
        graph_features.using_tests.best_ends(fit)[own],
        _best_other(rows.folders, fit)[own],
        np.maximum(*graph_features.imports.best_neighbors(fit))[own],
        _files_centred(rows, similarity, files.mean_similarity)[own],
        rows.language_shares[own],
    )
    return [CandidateFeatures(*values) for values in zip(*(column.tolist() for column in columns), strict=True)]


def _centred(rows: CandidateRows, chosen: Numbers, similarity: Column) -> tuple[Column, Column]:
    of_all = similarity[rows.by_file]
    mean, deviation = float(of_all.mean()), float(of_all.std()) or 1.0
    to_mean, squared = rows.nearness_to_mean
    plain, common = similarity[chosen], to_mean[chosen]
    product = plain - _SHARE * (mean + common) + _SHARE**2 * squared
    lengths, length = (np.maximum(1 - 2 * _SHARE * near + _SHARE**2 * squared, 1e-6) for near in (common, mean))
    return product / np.sqrt(lengths * length), (plain - mean) / deviation


def _files_centred(rows: CandidateRows, similarity: Column, means: Column) -> Column:
    mean = float(similarity[rows.by_file].mean())
    _, squared = rows.nearness_to_mean
    common, lengths = rows.file_means
    product = means - _SHARE * (mean + common) + _SHARE**2 * squared
    own, length = (
        np.maximum(whole - 2 * _SHARE * near + _SHARE**2 * squared, 1e-6) for whole, near in ((lengths, common), (1, mean))
    )
    return np.asarray(product / np.sqrt(own * length), np.float32)


def _agreed(rows: CandidateRows, chosen: Numbers, blends: Column) -> Column:
    vectors = rows.vectors(chosen)
    first = np.argsort(-blends[chosen], kind="stable")[:_TOP_COUNT]
    found = np.einsum("ij,j->i", vectors, vectors[first].sum(axis=0))
    others = np.full(len(chosen), len(first), np.float32)
    found[first] -= np.einsum("ij,ij->i", vectors[first], vectors[first])
    others[first] -= 1
    return np.asarray(found / np.maximum(others, 1), np.float32)


def _calls(graph_features: GraphFeatures, chosen: Numbers, blends: Column) -> tuple[Column, Column]:
    is_chosen = np.zeros(len(blends), np.bool_)
    is_chosen[chosen] = True
    starts, ends = graph_features.calls
    from_chosen, to_chosen = is_chosen[starts], is_chosen[ends]
    called = Pairs(starts[from_chosen], ends[from_chosen]).best_ends(blends)
    return called[chosen], Pairs(ends[to_chosen], starts[to_chosen]).best_ends(blends)[chosen]


def _best_other(groups: Numbers, values: Column) -> Column:
    """Return for each value the highest other value in its group; ALONE if there is no other value."""
    best, second = (np.full(int(groups.max(initial=-1)) + 1, ALONE, np.float32) for _ in range(2))
    np.maximum.at(best, groups, values)
    is_best = values == best[groups]
    np.maximum.at(second, groups[~is_best], values[~is_best])
    alone_best = np.bincount(groups[is_best], minlength=len(best)) == 1
    return np.where(is_best & alone_best[groups], second[groups], best[groups])
