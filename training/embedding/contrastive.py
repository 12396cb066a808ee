"""Train the word vectors and weights so that a query is nearer to its symbol than to the other symbols of the batch."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from astrolabe.retrieval.embedding.chunk_fields import FIELDS
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from .examples import Examples, Integers, RaggedBags, joined

_NAME, _SCOPE, _PATH, _DOC = (FIELDS.index(field) for field in ("name", "scope", "path", "doc"))


@dataclass(frozen=True, slots=True)
class Recipe:
    """Hyperparameters of a training run."""

    epochs: int = 4
    batch: int = 2048
    #: Number of symbols of one project in a group of a batch, so that the model learns to distinguish them.
    group: int = 512
    #: Share of the symbols that are grouped with their neighbors in the source, which are hard to distinguish.
    adjacent: float = 0.25
    #: Undocumented symbols of the same projects that a batch adds as wrong answers, for each of its symbols.
    bystanders: float = 0.5
    learning_rate: float = 3e-3
    weight_learning_rate: float = 1e-2
    #: Strength of the regularization that pulls vectors towards the pretrained ones.
    anchor: float = 0.3
    #: Probability that a word is left out, and that a word of a query is replaced by a word of similar meaning.
    dropout: float = 0.25
    synonyms: float = 0.15
    #: Probabilities that a chunk has no name, no path or no scope, and that it has the rest of its doc comment.
    hide_name: float = 0.25
    hide_path: float = 0.12
    hide_scope: float = 0.2
    show_doc: float = 0.3
    #: Shares of documented symbols whose query is a question or a whole comment; the query of the others is a sentence.
    questions: float = 0.3
    comments: float = 0.2
    #: Number of symbols, documented or not, whose query is their name, for each documented symbol.
    names: float = 0.33
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Learnt:
    """Parameters of a trained model, with the names of `Weights`; the vectors are not quantized yet."""

    vectors: NDArray[np.float32]
    chunk_weights: NDArray[np.float32]
    query_weights: NDArray[np.float32]
    field_weights: NDArray[np.float32]
    field_powers: NDArray[np.float32]


class StaticModel:
    """Sums weighted word vectors to vectors of unit length. Each field is scaled by a power of the total weight of its words."""

    def __init__(self, vectors: NDArray[np.float32], word_weights: NDArray[np.float32]) -> None:
        self.vectors = nn.Parameter(torch.tensor(vectors))
        #: Logarithms of the weights; the last weight is for all unknown words.
        self.chunk_weights = nn.Parameter(torch.tensor(word_weights))
        self.query_weights = nn.Parameter(torch.tensor(word_weights))
        self.field_weights = nn.Parameter(torch.tensor([float(field == "name") for field in FIELDS]))
        #: Logits of an exponent: at exponent 0 a field is the sum of its words, at 1 their mean.
        self.field_lengths = nn.Parameter(torch.zeros(len(FIELDS)))
        self.temperature = nn.Parameter(torch.tensor(math.log(1 / 0.07)))

    def chunks(self, bags: RaggedBags) -> Tensor:
        """Return vectors of chunks, of unit length."""
        amounts = torch.from_numpy(bags.factors) * self.chunk_weights.exp()[torch.from_numpy(bags.weights)]
        fields = torch.from_numpy(bags.fields)
        count = len(bags.offsets) - 1
        segments = torch.from_numpy(bags.owners()) * len(FIELDS) + fields
        totals = torch.zeros(count * len(FIELDS)).index_add(0, segments, amounts)
        powers = -torch.sigmoid(self.field_lengths).repeat(count)
        scales = self.field_weights.exp().repeat(count) * (totals + 1e-3) ** powers
        return self._sum(bags, amounts * scales[segments])

    def queries(self, bags: RaggedBags) -> Tensor:
        """Return vectors of queries, of unit length."""
        return self._sum(bags, torch.from_numpy(bags.factors) * self.query_weights.exp()[torch.from_numpy(bags.weights)])

    def learnt(self) -> Learnt:
        """Return the parameters as arrays, with weights instead of their logarithms."""
        return Learnt(
            self.vectors.detach().numpy(),
            self.chunk_weights.detach().exp().numpy(),
            self.query_weights.detach().exp().numpy(),
            self.field_weights.detach().exp().numpy(),
            torch.sigmoid(self.field_lengths).detach().numpy(),
        )

    def _sum(self, bags: RaggedBags, amounts: Tensor) -> Tensor:
        rows, offsets = torch.from_numpy(bags.rows), torch.from_numpy(bags.offsets[:-1])
        summed = functional.embedding_bag(rows, self.vectors, offsets, mode="sum", per_sample_weights=amounts)
        return functional.normalize(summed, dim=-1)


class Trainer:
    """Trains a model on examples with the hyperparameters of a recipe."""

    def __init__(self, model: StaticModel, examples: Examples, recipe: Recipe, neighbours: NDArray[np.int64]) -> None:
        self._model, self._examples, self._recipe = model, examples, recipe
        self._neighbours = neighbours
        self._chance = np.random.default_rng(recipe.seed)
        self._start = model.vectors.detach().clone()
        others = np.flatnonzero(~examples.documented)
        self._undocumented = [others[examples.origins[others] == origin] for origin in range(examples.origins.max() + 1)]
        groups: list[dict[str, Any]] = [
            {"params": [model.vectors], "lr": recipe.learning_rate},
            {"params": [model.chunk_weights, model.query_weights], "lr": recipe.weight_learning_rate},
            {"params": [model.field_weights, model.field_lengths, model.temperature], "lr": recipe.weight_learning_rate},
        ]
        self._optimiser = torch.optim.Adam(groups, fused=True)
        self._rates = [float(group["lr"]) for group in groups]

    def run(self, report: Callable[[str], None]) -> None:
        """Train for all epochs with a linearly decreasing learning rate."""
        started = time.monotonic()
        for epoch in range(self._recipe.epochs):
            steps = self._schedule()
            losses = []
            for position, (chosen, named) in enumerate(steps):
                progress = (epoch + position / len(steps)) / self._recipe.epochs
                for group, rate in zip(self._optimiser.param_groups, self._rates, strict=True):
                    group["lr"] = rate * max(0.03, 1 - progress)
                losses.append(self._step(chosen, named))
            report(f"epoch {epoch}: loss {np.mean(losses):.4f}, {time.monotonic() - started:.0f} s")

    def _schedule(self) -> list[tuple[Integers, bool]]:
        documented = np.flatnonzero(self._examples.documented)
        everyone = self._chance.permutation(len(self._examples.documented))
        named = everyone[: int(len(documented) * self._recipe.names)]
        steps = [(batch, False) for batch in self._batches(documented)] + [(batch, True) for batch in self._batches(named)]
        return [steps[index] for index in self._chance.permutation(len(steps))]

    def _batches(self, members: Integers) -> Iterator[Integers]:
        """Yield batches that consist of groups; the symbols of a group are of one project."""
        origins = self._examples.origins[members]
        shuffled = self._chance.random(len(members))
        nearby = np.floor(np.arange(len(members)) / self._recipe.group) + self._chance.random()
        scattered = self._chance.random(len(members)) >= self._recipe.adjacent
        order = np.lexsort((np.where(scattered, shuffled, nearby), scattered, origins))
        groups = []
        for origin in np.unique(origins):
            own = members[order[origins[order] == origin]]
            groups += [own[start : start + self._recipe.group] for start in range(0, len(own), self._recipe.group)]
        pending = np.zeros(0, np.int64)
        for index in self._chance.permutation(len(groups)):
            pending = np.concatenate((pending, groups[index]))
            if len(pending) >= self._recipe.batch:
                yield pending[: self._recipe.batch]
                pending = pending[self._recipe.batch :]

    def _step(self, chosen: Integers, named: bool) -> float:
        shown = np.concatenate((chosen, self._bystanders(chosen)))
        chunks = self._model.chunks(self._shown_chunks(shown, named))
        queries = self._model.queries(self._asked_queries(chosen, named))
        scores = (queries @ chunks.T) * self._model.temperature.exp().clamp(max=60)
        scores = scores.masked_fill(self._also_right(chosen, shown), -1e4)
        target = torch.arange(len(chosen))
        to_query = functional.cross_entropy(scores[:, : len(chosen)].T, target)
        loss = 0.5 * functional.cross_entropy(scores, target) + 0.5 * to_query
        self._optimiser.zero_grad()
        loss.backward()
        self._pull_to_start()
        self._optimiser.step()
        return float(loss.detach())

    def _pull_to_start(self) -> None:
        """Add the gradient of `anchor` times the mean squared distance of the vectors from their initial values."""
        vectors = self._model.vectors
        strength = 2 * self._recipe.anchor / len(vectors)
        if vectors.grad is not None:
            vectors.grad.add_(vectors.detach(), alpha=strength).sub_(self._start, alpha=strength)

    def _bystanders(self, chosen: Integers) -> Integers:
        """Return random undocumented symbols from the projects of the chosen symbols, in proportion."""
        found = []
        for origin, count in zip(*np.unique(self._examples.origins[chosen], return_counts=True), strict=True):
            others = self._undocumented[origin]
            found.append(self._chance.choice(others, min(len(others), int(count * self._recipe.bystanders)), replace=False))
        return np.setdiff1d(np.concatenate(found), chosen)

    def _also_right(self, chosen: Integers, shown: Integers) -> Tensor:
        sentences, names = (torch.from_numpy(ids) for ids in (self._examples.sentence_ids, self._examples.name_ids))
        same = (sentences[chosen][:, None] == sentences[shown][None]) | (names[chosen][:, None] == names[shown][None])
        return same & ~torch.eye(len(chosen), len(shown), dtype=torch.bool)

    def _shown_chunks(self, chosen: Integers, named: bool) -> RaggedBags:
        recipe, chance = self._recipe, self._chance
        bags = self._examples.chunks.take(chosen)
        hidden = np.zeros((len(chosen), len(FIELDS)), np.bool_)
        hidden[:, _NAME] = named or (chance.random(len(chosen)) < recipe.hide_name)
        hidden[:, _PATH] = chance.random(len(chosen)) < recipe.hide_path
        hidden[:, _SCOPE] = chance.random(len(chosen)) < recipe.hide_scope
        hidden[:, _DOC] = named or (chance.random(len(chosen)) >= recipe.show_doc)
        shown = ~hidden[bags.owners(), bags.fields] & (chance.random(len(bags.rows)) >= recipe.dropout)
        return bags.keep(shown)

    def _asked_queries(self, chosen: Integers, named: bool) -> RaggedBags:
        queries, chance = self._examples.queries, self._chance
        if named:
            return self._blurred(queries["name"].take(chosen))
        draw = chance.random(len(chosen))
        forms = np.where(draw < self._recipe.questions, 1, np.where(draw < self._recipe.questions + self._recipe.comments, 2, 0))
        parts = [queries[form].take(chosen[forms == index]) for index, form in enumerate(("sentence", "question", "comment"))]
        order = np.argsort(np.concatenate([np.flatnonzero(forms == index) for index in range(3)]))
        return self._blurred(joined(parts).take(order))

    def _blurred(self, bags: RaggedBags) -> RaggedBags:
        """Drop some words, and replace others by words of similar meaning. Queries of up to three words keep their words."""
        lengths = np.repeat(np.diff(bags.offsets), np.diff(bags.offsets))
        bags = bags.keep((lengths <= 3) | (self._chance.random(len(bags.rows)) >= self._recipe.dropout))
        pick = self._chance.integers(0, self._neighbours.shape[1], len(bags.rows))
        other = self._neighbours[np.minimum(bags.rows, len(self._neighbours) - 1), pick]
        swapped = (
            (other >= 0) & (bags.rows < len(self._neighbours)) & (self._chance.random(len(bags.rows)) < self._recipe.synonyms)
        )
        rows, weights = (np.where(swapped, other, places).astype(np.int32) for places in (bags.rows, bags.weights))
        return RaggedBags(bags.offsets, rows, weights, bags.factors, bags.fields)
