"""What is looked at of the candidates alone, once they are chosen: how they stand out, and what fits around them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..vectors.candidate_rows import CandidateRows
from .file_features import FileSignals
from .graph_features import ALONE, GraphFeatures, Pairs

#: How much of the mean vector of the repository is taken away from both sides of a cosine: what all its code is about tells
#: none of it apart.
_COMMON = 0.6
#: The best candidates, by their blend, whose mean vector says what the question is about in the words of the repository.
_FIRST = 8

Column = NDArray[np.float32]
Numbers = NDArray[np.int64]


class CloserLook(NamedTuple):
    """What a closer look says of one candidate."""

    #: Cosine without what is common to all of the repository; by how many standard deviations the plain one is above its mean.
    centred: float = 0.0
    deviations: float = 0.0
    #: Mean cosine with the first candidates besides itself.
    agreed: float = 0.0
    #: The best blend of what it calls and of what calls it, candidates or not.
    any_called: float = ALONE
    any_caller: float = ALONE
    #: How well the best of the tests fits that are named as its file is, and of those that import it.
    own_tests: float = ALONE
    using_tests: float = ALONE
    #: The same of the other files of its folder, and of those that its own imports or is imported by.
    folder: float = ALONE
    linked: float = ALONE
    #: Cosine of the mean vector of its file, without what is common; the share of files that are of its file's language.
    file_centred: float = 0.0
    language_share: float = 1.0


def look_closer(
    rows: CandidateRows, graph_features: GraphFeatures, chosen: Numbers, similarity: Column, blends: Column, files: FileSignals
) -> list[CloserLook]:
    """A look at each chosen row; `similarity` and `blends` are those of all rows."""
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
        np.maximum(*graph_features.imports.best_neighbours(fit))[own],
        _files_centred(rows, similarity, files.mean_similarity)[own],
        rows.language_shares[own],
    )
    return [CloserLook(*look) for look in zip(*(column.tolist() for column in columns), strict=True)]


def _centred(rows: CandidateRows, chosen: Numbers, similarity: Column) -> tuple[Column, Column]:
    of_all = similarity[rows.by_file]
    mean, deviation = float(of_all.mean()), float(of_all.std()) or 1.0
    to_mean, squared = rows.nearness_to_mean
    plain, common = similarity[chosen], to_mean[chosen]
    product = plain - _COMMON * (mean + common) + _COMMON**2 * squared
    lengths, length = (np.maximum(1 - 2 * _COMMON * near + _COMMON**2 * squared, 1e-6) for near in (common, mean))
    return product / np.sqrt(lengths * length), (plain - mean) / deviation


def _files_centred(rows: CandidateRows, similarity: Column, means: Column) -> Column:
    mean = float(similarity[rows.by_file].mean())
    _, squared = rows.nearness_to_mean
    common, lengths = rows.file_means
    product = means - _COMMON * (mean + common) + _COMMON**2 * squared
    own, length = (
        np.maximum(whole - 2 * _COMMON * near + _COMMON**2 * squared, 1e-6) for whole, near in ((lengths, common), (1, mean))
    )
    return np.asarray(product / np.sqrt(own * length), np.float32)


def _agreed(rows: CandidateRows, chosen: Numbers, blends: Column) -> Column:
    vectors = rows.vectors(chosen)
    first = np.argsort(-blends[chosen], kind="stable")[:_FIRST]
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
    """For each number the best value of the others of its group; ALONE where there are none."""
    best, second = (np.full(int(groups.max(initial=-1)) + 1, ALONE, np.float32) for _ in range(2))
    np.maximum.at(best, groups, values)
    is_best = values == best[groups]
    np.maximum.at(second, groups[~is_best], values[~is_best])
    alone_best = np.bincount(groups[is_best], minlength=len(best)) == 1
    return np.where(is_best & alone_best[groups], second[groups], best[groups])
