"""Compute the features of a query and its candidates for the learned ranker.

The features are the scores, also relative to the best candidate, and the shares of the query's words in the name, the path and
the chunk. Further features are the kind, the place and the enclosing symbols of the candidate, and the kind of query. If a query
is about tests, examples, declaration files or imports, the feature for this trait is not set, so it cannot lower the score.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ....schema.languages import is_resolved_path
from ....schema.symbol_kinds import CALLABLE_KINDS
from ...candidates.candidate_features import CandidateFeatures
from ...candidates.file_features import FileFeatures, FileFit
from ...candidates.graph_features import NAMELESS_FILES
from ...candidates.recall import Candidate, GraphFit
from ...embedding.query_encoder import ReadMatches
from ...embedding.static_embedder import NameMatches
from ...embedding.term_similarity import WordMatches
from ...query.query import Query, identifiers
from ...text.words import humps, split_text
from .kind_words import class_of
from .trees import Features

Column = NDArray[np.float32]

KINDS = (
    "function", "method", "class", "interface", "type", "const", "variable", "enum", "constructor", "getter", "setter",
    "component", "property", "namespace", "import", "re-export", "export", "expression", "comment",
)  # fmt: skip
#: The number of each kind in training. An extension has the number of a class, because it adds members to a class.
_KIND_NUMBERS = {**{kind: number for number, kind in enumerate(KINDS)}, "extension": KINDS.index("class")}
_PASSING_ON = frozenset(("import", "re-export", "export", "comment"))
_CALLBACK = re.compile(r" |^returned function$|^IIFE$")

_EXAMPLE_PATH = re.compile(
    r"(?:^|/)_*(?:examples?|(?:versioned[-_])?docs?|demos?|benchmarks?|bench|benches|fuzz|regress|scripts|playgrounds?|samples?"
    r"|legacy|compat|deprecated)_*/"
    r"|\.(?:bench|stories|story|example)\.[cm]?[jt]sx?$",
    re.IGNORECASE,
)
#: Paths of generated source. Users rarely search for generated source.
_GENERATED_PATH = re.compile(
    r"(?:^|/)(?:__generated__|generated|codegen-output)/"
    r"|(?:[._-](?:generated|gen|g)|_pb|_pb\.d|\.pb|_connect)\.[cm]?[jt]sx?$"
    r"|(?:[._]generated|\.pb|\.pb\.gw|_pb2|_pb2_grpc|\.[Dd]esigner|\.g)\.(?:go|pyi?|cs|java|kt|rs|cc|h|rb|swift)$"
)
_HEADER_PATH = re.compile(r"\.(?:h|hh|hpp|hxx|pyi|d\.[cm]?ts)$")
_DECLARATION_PATH = re.compile(r"\.d\.(?:[^./]+\.)?[cm]?ts$")

_DESCRIBING = re.compile(r"^(?!this|its|as|class|process|access|address|canvas|alias|props|options|always|whether)[a-z]{2,}s\b")
_SCOPED = re.compile(r"^[\w ]{1,30}: ")
_ASKS = re.compile(r"^(?:how|what|where|why|when|who|which|is|does|can)\b|\?$")
_CHANGE = re.compile(
    r"^(?:[\w ]{1,30}: )?(?:add|fix|support|allow|handle|make|use|avoid|prevent|ensure|don?|improve|remove|update|skip|should"
    r"|correct|correctly|preserve|respect|only|properly|pass|expose|include)\b"
)
#: Words in descriptions that indicate the kind of the declaration.
_KIND_WORDS: dict[str, frozenset[str]] = {
    "question_type": frozenset(
        [
            "interface",
            "type",
            "types",
            "shape",
            "represents",
            "represent",
            "describes",
            "options",
            "option",
            "props",
            "parameters",
            "config",
            "configuration",
            "settings",
        ]
    ),
    "question_class": frozenset(["class", "instance", "error", "exception", "raised", "thrown"]),
    "question_function": frozenset(
        ["function", "method", "hook", "helper", "returns", "return", "creates", "create", "checks", "whether", "get", "gets"]
    ),
    "question_value": frozenset(["constant", "default", "list", "map", "record", "symbol", "regex", "regexp", "all"]),
}


#: Fields of `WordMatches` for names, except `query_coverage` and `name_coverage`.
_NAME_FIELDS = WordMatches._fields[2:]


def feature_table(
    candidates: Sequence[Candidate], query: Query, likeness: Likeness, rarity: Callable[[str], float], chunks: int
) -> dict[str, Column]:
    """Return the features by name, each of shape (candidates,).

    `rarity` returns the rarity of a term in the index, and `chunks` is the number of chunks in the repository.
    """
    table = {
        **_signals(candidates),
        **_words(candidates, query, rarity),
        **_names(candidates, query, likeness.names),
        **likeness.read._asdict(),
        **_place(candidates),
        **_file(candidates, likeness.paths),
        **_path(candidates, query, rarity),
        **_graph(candidates),
        **_kinds(candidates, likeness.kinds),
        **_traits(candidates, query),
        **_costly(candidates, likeness.wholes),
        **_wider(candidates, query, rarity),
    }
    table |= _below_best(table)
    count = len(candidates)
    query_traits = {**_question_traits(query), "question_decades": float(np.log10(max(chunks, 1)))}
    table |= {name: np.full(count, value, np.float32) for name, value in query_traits.items()}
    return {name: np.asarray(column, np.float32) for name, column in table.items()}


class Likeness(NamedTuple):
    """The comparison of a query and its candidates by models of words."""

    #: Matches of the name of each candidate.
    names: NameMatches
    #: Matches of the end of the path of each candidate's file.
    paths: WordMatches
    #: Matches of parent, path and name together.
    wholes: WordMatches
    #: Matches of names, and of parent, path and name together, by the query encoder.
    read: ReadMatches
    #: Log-probability of each class of kinds, from `KindWords.fits`.
    kinds: Column


def path_end(path: str) -> str:
    """Return the last folder and the name of a file, without its extension."""
    return "/".join(path.rpartition(".")[0].split("/")[-2:])


def matrix(table: Mapping[str, Column], features: Sequence[str]) -> Features:
    """Return the chosen features as one array of shape (candidates, features)."""
    return np.stack([table[name] for name in features], axis=1)


def is_example(path: str) -> bool:
    """Return whether a path belongs to examples, documentation, benchmarks, scripts, generated or legacy code."""
    return _path_traits(path).example


def _signals(candidates: Sequence[Candidate]) -> dict[str, Any]:
    lexical = np.array([candidate.lexical for candidate in candidates])
    similarity = np.array([candidate.similarity for candidate in candidates])
    blend = np.array([candidate.blend for candidate in candidates])
    found = {"lexical": lexical, "similarity": similarity, "blend": blend}
    below = {f"{name}_below_best": values - values.max() for name, values in found.items()}
    ranks = {f"{name}_rank": _ranks(values) for name, values in found.items()}
    return {**found, **below, **ranks}


def _words(candidates: Sequence[Candidate], query: Query, rarity: Callable[[str], float]) -> dict[str, Any]:
    weights = {term: rarity(term) for term in query.terms}
    total = sum(weights.values()) or 1.0
    names = [candidate.chunk.name for candidate in candidates]
    terms_of = {name: _terms(name) for name in names}
    held = {name: sum(weights[term] for term in weights.keys() & terms) for name, terms in terms_of.items()}
    whole = {name: sum(map(rarity, terms)) for name, terms in terms_of.items()}
    in_name = np.array([held[name] for name in names])
    all_name = np.array([whole[name] for name in names])
    paths = [candidate.chunk.relative_path for candidate in candidates]
    in_path = {path: sum(weights[term] for term in weights.keys() & _path_traits(path).terms) / total for path in set(paths)}
    return {
        "coverage": [candidate.coverage for candidate in candidates],
        "matched_share": [candidate.matched / max(len(query.terms), 1) for candidate in candidates],
        "query_in_name": in_name / total,
        "name_in_query": in_name / np.maximum(all_name, 1e-9),
        "query_in_path": [in_path[path] for path in paths],
        "name_terms": [len(terms_of[name]) for name in names],
    }


def _names(candidates: Sequence[Candidate], query: Query, names: NameMatches) -> dict[str, Any]:
    written = set(re.findall(r"[^\W\d][\w$]*", query.text))
    lowered = {word.lower() for word in written}
    chunks, words = [candidate.chunk for candidate in candidates], names.words
    shared = Counter(chunk.name for chunk in chunks)
    return {
        "name_cosine": names.cosine,
        "name_says": words.query_coverage,
        "name_asked": words.name_coverage,
        **{f"name_{field}": getattr(words, field) for field in _NAME_FIELDS},
        "name_cosine_below_best": names.cosine - names.cosine.max(),
        "name_says_below_best": words.query_coverage - words.query_coverage.max(),
        "written_identifier": [chunk.name in written and len(humps(chunk.name)) > 1 for chunk in chunks],
        "written_word": [chunk.name.lower() in lowered for chunk in chunks],
        "written_parent": [chunk.parent_name in written for chunk in chunks],
        "namesakes": np.log([shared[chunk.name] for chunk in chunks]),
    }


def _place(candidates: Sequence[Candidate]) -> dict[str, Any]:
    """Compare each candidate with the candidates of its file, its parent and its parts."""
    by_row = {candidate.chunk.row: candidate for candidate in candidates}
    best = max(candidate.blend for candidate in candidates)
    best_part: dict[int, float] = defaultdict(lambda: -1.0)
    by_file: dict[str, list[Candidate]] = defaultdict(list)
    siblings: dict[tuple[str, int | None], list[float]] = defaultdict(list)
    for candidate in candidates:
        chunk = candidate.chunk
        by_file[chunk.relative_path].append(candidate)
        siblings[chunk.relative_path, chunk.parent_row].append(candidate.blend)
        if chunk.parent_row is not None:
            best_part[chunk.parent_row] = max(best_part[chunk.parent_row], candidate.blend)
    ordered = {path: sorted((one.blend for one in members), reverse=True) for path, members in by_file.items()}
    file_best = {path: blends[0] for path, blends in ordered.items()}
    file_three = {path: sum(blends[:3]) / len(blends[:3]) for path, blends in ordered.items()}
    best_three = max(file_three.values())
    parents = [by_row.get(-1 if candidate.chunk.parent_row is None else candidate.chunk.parent_row) for candidate in candidates]
    for blends in siblings.values():
        blends.sort()
    better = [
        len(blends) - bisect_right(blends, candidate.blend)
        for candidate in candidates
        for blends in (siblings[candidate.chunk.relative_path, candidate.chunk.parent_row],)
    ]
    return {
        "parent_lexical": [parent.lexical if parent else 0.0 for parent in parents],
        "parent_similarity": [parent.similarity if parent else 0.0 for parent in parents],
        "parent_blend": [parent.blend if parent else -1.0 for parent in parents],
        "part_blend": [best_part[candidate.chunk.row] for candidate in candidates],
        "better_siblings": better,
        "file_below_best": [file_best[candidate.chunk.relative_path] - best for candidate in candidates],
        "file_three_below_best": [file_three[candidate.chunk.relative_path] - best_three for candidate in candidates],
        "below_best_of_file": [candidate.blend - file_best[candidate.chunk.relative_path] for candidate in candidates],
        "found_in_file": np.log1p([len(by_file[candidate.chunk.relative_path]) for candidate in candidates]),
        "in_callable": _in_callable(by_row, candidates),
    }


def _file(candidates: Sequence[Candidate], ends: WordMatches) -> dict[str, Any]:
    """Compare the file of each candidate with the files of other candidates."""
    fits = np.array([candidate.file for candidate in candidates]).T
    signals = {f"file_{name}": column for name, column in zip(FileFit._fields, fits, strict=True)}
    fit = FileFeatures(*fits).fit
    paths = [candidate.chunk.relative_path for candidate in candidates]
    by_fit = sorted(set(zip(-fit, paths, strict=True)))
    ranks: dict[str, int] = {}
    for _, path in by_fit:
        ranks.setdefault(path, len(ranks))
    return {
        **signals,
        "file_lexical_below_best": signals["file_lexical"] - signals["file_lexical"].max(),
        "file_coverage_below_best": signals["file_coverage"] - signals["file_coverage"].max(),
        "file_fit_below_best": fit - fit.max(),
        "file_rank": np.log1p([ranks[path] for path in paths]),
        "path_says": ends.query_coverage,
        "path_asked": ends.name_coverage,
        "path_says_below_best": ends.query_coverage - ends.query_coverage.max(),
    }


def _path(candidates: Sequence[Candidate], query: Query, rarity: Callable[[str], float]) -> dict[str, Any]:
    weights = {term: rarity(term) for term in query.terms}
    total = sum(weights.values()) or 1.0
    traits = [_path_traits(candidate.chunk.relative_path) for candidate in candidates]
    stems = {trait.stem for trait in traits}
    in_stem = {stem: sum(weights[term] for term in weights.keys() & stem) for stem in stems}
    all_stem = {stem: sum(map(rarity, stem)) for stem in stems}
    return {
        "query_in_stem": [in_stem[trait.stem] / total for trait in traits],
        "stem_in_query": [in_stem[trait.stem] / max(all_stem[trait.stem], 1e-9) for trait in traits],
        "in_scope": [candidate.in_scope for candidate in candidates],
        "any_in_scope": np.full(len(candidates), any(candidate.in_scope for candidate in candidates)),
        "named_as_file": [
            _terms(candidate.chunk.name) == trait.stem for candidate, trait in zip(candidates, traits, strict=True)
        ],
    }


def _graph(candidates: Sequence[Candidate]) -> dict[str, Any]:
    return dict(zip(GraphFit._fields, np.array([candidate.graph for candidate in candidates]).T, strict=True))


def _kinds(candidates: Sequence[Candidate], fits: Column) -> dict[str, Any]:
    fit = fits[[class_of(candidate.chunk.node_kind) for candidate in candidates]]
    callable_, typed = (
        np.exp(fits[list(map(class_of, kinds))]).sum() for kinds in (("function", "method"), ("interface", "type"))
    )
    count = len(candidates)
    return {
        "kind_fits": fit,
        "kind_fits_below_best": fit - fits.max(),
        "question_callable": np.full(count, callable_),
        "question_typed": np.full(count, typed),
    }


def _costly(candidates: Sequence[Candidate], wholes: WordMatches) -> dict[str, Any]:
    columns = np.array([candidate.features for candidate in candidates]).T
    together = {
        "together_says": wholes.query_coverage,
        "together_asked": wholes.name_coverage,
        "together_early": wholes.early,
        "together_two_best": wholes.two_best,
    }
    return {**dict(zip(CandidateFeatures._fields, columns, strict=True)), **together}


def _wider(candidates: Sequence[Candidate], query: Query, rarity: Callable[[str], float]) -> dict[str, Any]:
    """Describe the file of each candidate, and the words of the query in the names of all candidates of the file."""
    weights = {term: rarity(term) for term in query.terms}
    total = sum(weights.values()) or 1.0
    paths = [candidate.chunk.relative_path for candidate in candidates]
    query_terms = frozenset(weights)
    traits = {path: _path_traits(path) for path in set(paths)}
    matched = {path: set(query_terms & trait.terms) for path, trait in traits.items()}
    for path, name in {(candidate.chunk.relative_path, candidate.chunk.name) for candidate in candidates}:
        matched[path] |= query_terms & _terms(name)
    by_names = {path: sum(weights[term] for term in terms) / total for path, terms in matched.items()}
    by_folders = {path: sum(weights[term] for term in query_terms & trait.folders) / total for path, trait in traits.items()}
    return {
        "file_names": [by_names[path] for path in paths],
        "query_in_folders": [by_folders[path] for path in paths],
        "path_depth": [min(path.count("/"), 12) for path in paths],
        "outlined": [traits[path].outlined for path in paths],
        "header": [traits[path].header for path in paths],
    }


#: Features whose distance to the best candidate is another feature.
_COMPARED = (
    "coverage", "name_asked", "name_two_best", "query_in_name", "query_in_path", "path_asked", "file_similarity",
    "file_mean_similarity", "part_blend", "centred", "agreed", "together_says", "folder", "linked", "own_tests", "using_tests",
    "any_caller", "file_centred", "file_names", "name_read", "name_odds", "whole_read", "whole_odds",
)  # fmt: skip
#: Features whose rank among the candidates is another feature.
_RANKED = ("name_says", "together_says", "centred", "file_similarity", "coverage", "name_cosine", "name_odds", "whole_odds")


def _below_best(table: Mapping[str, Any]) -> dict[str, Any]:
    columns = {name: np.asarray(table[name], np.float32) for name in {*_COMPARED, *_RANKED}}
    below = {f"{name}_below_best": columns[name] - columns[name].max() for name in _COMPARED}
    return below | {f"{name}_rank": _ranks(columns[name]) for name in _RANKED}


def _ranks(values: Column) -> Column:
    """Return ln(1 + number of better values) for each value."""
    return np.asarray(np.log1p(np.argsort(np.argsort(-values, kind="stable"))), np.float32)


def _in_callable(by_row: Mapping[int, Candidate], candidates: Sequence[Candidate]) -> list[bool]:
    found = []
    for candidate in candidates:
        outer = candidate.chunk.parent_row
        while outer is not None and by_row[outer].chunk.node_kind not in CALLABLE_KINDS:
            outer = by_row[outer].chunk.parent_row
        found.append(outer is not None)
    return found


def _traits(candidates: Sequence[Candidate], query: Query) -> dict[str, Any]:
    chunks = [candidate.chunk for candidate in candidates]
    paths = [_path_traits(chunk.relative_path) for chunk in chunks]
    plain = _KIND_NUMBERS["const"]
    kinds = [_KIND_NUMBERS.get(chunk.node_kind, len(KINDS)) for chunk in chunks]
    if query.asks_for_imports:
        kinds = [plain if chunk.node_kind in _PASSING_ON else kind for chunk, kind in zip(chunks, kinds, strict=True)]
    return {
        "kind": kinds,
        "exported": [chunk.exported for chunk in chunks],
        "depth": [chunk.depth for chunk in chunks],
        "test": [chunk.is_test and not query.asks_for_tests for chunk in chunks],
        "example": [path.example and not query.asks_for_examples for path in paths],
        "declaration_file": [path.declaration and not query.asks_for_declarations for path in paths],
        "lines": np.log1p([chunk.end_line - chunk.start_line for chunk in chunks]),
        "unnamed": [_CALLBACK.search(chunk.name) is not None for chunk in chunks],
        "private_name": [chunk.name.startswith(("_", "#")) for chunk in chunks],
        "parts": np.log1p([candidate.parts for candidate in candidates]),
        "file_size": np.log1p([candidate.file_size for candidate in candidates]),
    }


def _question_traits(query: Query) -> dict[str, float]:
    text = query.text.strip().lower()
    first = text.partition(" ")[0]
    words = set(re.findall(r"[a-z]+", text))
    return {
        "question_terms": min(len(query.terms), 30),
        "question_words": min(len(text.split()), 40),
        "question_describes": float(_DESCRIBING.match(text) is not None),
        "question_article": float(first in ("a", "an", "the", "this")),
        **{name: float(not wanted.isdisjoint(words)) for name, wanted in _KIND_WORDS.items()},
        "question_is_name": float(query.wanted is not None),
        "question_has_identifier": float(bool(identifiers(query.text))),
        "question_scoped": float(_SCOPED.match(text) is not None),
        "question_asks": float(_ASKS.search(text) is not None),
        "question_change": float(_CHANGE.match(text) is not None),
    }


class _Path(NamedTuple):
    """Traits of the path of a file."""

    #: Search terms of the path.
    terms: frozenset[str]
    #: Search terms of the stem of the file, or of its folder if the file represents the folder, such as "index".
    stem: frozenset[str]
    example: bool
    declaration: bool
    #: Search terms of its folders.
    folders: frozenset[str]
    #: Whether the language is syntax-only.
    outlined: bool
    #: Whether the file only declares symbols that other files define.
    header: bool


@lru_cache(maxsize=20_000)
def _path_traits(path: str) -> _Path:
    terms = frozenset(split_text(path.rpartition(".")[0]))
    folder, _, stem = path.rpartition("/")
    stem = stem.partition(".")[0]
    named = folder.rpartition("/")[2] if stem in NAMELESS_FILES and folder else stem
    return _Path(
        terms,
        frozenset(split_text(named)),
        _EXAMPLE_PATH.search(path) is not None or _GENERATED_PATH.search(path) is not None,
        _DECLARATION_PATH.search(path) is not None,
        frozenset(split_text(folder)),
        not is_resolved_path(path),
        _HEADER_PATH.search(path) is not None,
    )


@lru_cache(maxsize=50_000)
def _terms(name: str) -> frozenset[str]:
    return frozenset(split_text(name))
