"""Train the query encoder to match each doc comment with the name of its declaration, and not with other names."""

from __future__ import annotations

import math
import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch
from astrolabe.retrieval.embedding.query_encoder import EPSILON, QueryEncoderModel, shapes
from astrolabe.retrieval.embedding.term_similarity import FILLERS
from astrolabe.retrieval.embedding.weights import Weights
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional

from .reading_examples import ReadingExamples, batches


@dataclass(frozen=True, slots=True)
class ReadingRecipe:
    """Hyperparameters of a training run."""

    epochs: int = 3
    batch: int = 128
    #: Number of symbols of the same project in a row of a batch, so that the model learns to distinguish similar symbols.
    group: int = 32
    learning_rate: float = 2e-3
    decay: float = 0.01
    #: Share of the comments that become questions.
    questions: float = 0.4
    #: Weight of the loss for whole declarations (parent, path and name), relative to the loss for names.
    wholes: float = 0.5
    width: int = 64
    heads: int = 4
    layers: int = 2
    seed: int = 0


class ReadingNet:
    """The transformer of `QueryEncoder`, with the same parameters."""

    def __init__(self, weights: Weights, recipe: ReadingRecipe) -> None:
        self._recipe = recipe
        count = len(weights.words)
        rows = weights.rows[:count].astype(np.float32)
        self._rows = torch.from_numpy(rows / np.linalg.norm(rows, axis=1, keepdims=True))
        self._query_weights = torch.from_numpy(np.log(weights.query_weights[:count]))
        self._chunk_weights = torch.from_numpy(np.log(weights.chunk_weights[:count]))
        self._filler = torch.tensor([word in FILLERS for word in weights.words])
        own_shapes = shapes(weights.dimensions, recipe.width, recipe.layers)
        self.of = nn.ParameterDict({_key(name): nn.Parameter(_initial(name, shape)) for name, shape in own_shapes})

    def losses(self, asked: Tensor, names: Tensor, wholes: Tensor, name_ids: Tensor) -> tuple[Tensor, Tensor]:
        """Return two cross entropies: of each question's name among all names, and of its whole declaration among all
        declarations.
        """
        is_content = (asked >= 0) & ~self._filler[asked.clamp(min=0)]
        for_name, for_whole, explains = self._read(asked, is_content)
        explained, unasked = self._explained(asked, is_content, for_name, explains, names)
        by_whole, _ = self._explained(asked, is_content, for_whole, None, wholes)
        same = name_ids[:, None] == name_ids[None, :]
        same.fill_diagonal_(False)
        own = torch.arange(len(asked))
        return (
            functional.cross_entropy((explained - unasked).masked_fill(same, -1e4), own),
            functional.cross_entropy(by_whole.masked_fill(same, -1e4), own),
        )

    def _read(self, words: Tensor, is_content: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return each word's weight for the name, its weight for the whole, and how much of a name it can explain.

        All three have the shape of `words`.
        """
        of = {name.replace("/", "."): value for name, value in self.of.items()}
        known = words >= 0
        place = words.clamp(min=0)
        width, heads = self._recipe.width, self._recipe.heads
        state = self._rows[place] @ of["rows"] + self._query_weights[place][..., None] * of["weight"]
        state = state + of["entry"] + of["positions"][: words.shape[1]]
        for layer in range(self._recipe.layers):
            normal = self._normal(state, of[f"{layer}.attention_scale"], of[f"{layer}.attention_shift"])
            parts = normal @ of[f"{layer}.attend"] + of[f"{layer}.attend_added"]
            asks, asked, says = parts.unflatten(-1, (3, heads, width // heads)).permute(2, 0, 3, 1, 4)
            heard = functional.scaled_dot_product_attention(asks, asked, says, known[:, None, None, :])
            state = state + heard.transpose(1, 2).flatten(2) @ of[f"{layer}.attended"] + of[f"{layer}.attended_added"]
            normal = self._normal(state, of[f"{layer}.inner_scale"], of[f"{layer}.inner_shift"])
            inner = functional.relu(normal @ of[f"{layer}.inner"] + of[f"{layer}.inner_added"])
            state = state + inner @ of[f"{layer}.outer"] + of[f"{layer}.outer_added"]
        found = self._normal(state, of["last_scale"], of["last_shift"]) @ of["heads"] + of["heads_added"]
        return (
            functional.softplus(found[..., 0]) * is_content,
            functional.softplus(found[..., 1]) * is_content,
            torch.sigmoid(found[..., 2]) * is_content,
        )

    def _explained(
        self, asked: Tensor, is_content: Tensor, counts: Tensor, explains: Tensor | None, names: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the weight of each question that each name explains, and the weight of each name that each question leaves open.

        Both have shape (questions, names).
        """
        steepness, middle, name_steepness, name_middle = self.of["explained"]
        distinct, places = torch.unique(names.clamp(min=0), return_inverse=True)
        known = names >= 0
        flat = torch.nonzero(is_content)
        with torch.no_grad():
            likeness = (self._rows[asked[is_content]] @ self._rows[distinct].T).clamp(min=0)
            of_names = likeness[:, places.flatten()].unflatten(1, tuple(names.shape)).masked_fill(~known, 0)
            nearest = of_names.amax(dim=2)
        shares = counts[is_content][:, None] * torch.sigmoid(steepness * (nearest - middle))
        said = torch.zeros(len(asked), len(names)).index_add(0, flat[:, 0], shares)
        if explains is None:
            return said, torch.zeros_like(said)
        weighed = explains[is_content][:, None] * likeness
        owners = flat[:, 0][:, None].expand(-1, len(distinct))
        best = torch.zeros(len(asked), len(distinct)).scatter_reduce(0, owners, weighed, "amax")
        best = torch.sigmoid(name_steepness * (best - name_middle))
        constant, by_weight = self.of["unasked"]
        weighs = self._rows[distinct] @ self.of["unasked_rows"] + constant + by_weight * self._chunk_weights[distinct]
        unasked = ((1 - best) * functional.softplus(weighs))[:, places.flatten()].unflatten(1, tuple(names.shape))
        return said, (unasked * known).sum(dim=2)

    def _normal(self, values: Tensor, scale: Tensor, shift: Tensor) -> Tensor:
        return functional.layer_norm(values, (self._recipe.width,), scale, shift, EPSILON)


def _key(name: str) -> str:
    return name.replace(".", "/")  # torch allows no dots in the names of parameters


def _initial(name: str, shape: tuple[int, ...]) -> Tensor:
    if name == "explained":
        return torch.tensor([8.0, 0.5, 8.0, 0.5])
    if name.endswith("scale"):
        return torch.ones(shape)
    if name == "rows":
        return torch.randn(shape) * 4 / math.sqrt(shape[0])
    if len(shape) == 2 and name != "positions":
        return torch.randn(shape) / math.sqrt(shape[0]) * (0.1 if name == "heads" else 0.5)
    if name == "positions":
        return torch.randn(shape) * 0.1
    return torch.zeros(shape)


def learn_reader(
    examples: ReadingExamples, weights: Weights, recipe: ReadingRecipe, report: Callable[[str], None]
) -> QueryEncoderModel:
    """Train the encoder, and return its parameters in the format of the file.

    Equal examples, seeds and library versions produce equal parameters.
    """
    torch.manual_seed(recipe.seed)
    net = ReadingNet(weights, recipe)
    optimiser = torch.optim.AdamW(net.of.parameters(), lr=recipe.learning_rate, weight_decay=recipe.decay)
    chance = np.random.default_rng(recipe.seed)
    steps = recipe.epochs * (len(examples.names) // recipe.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, recipe.learning_rate, total_steps=steps + 1, pct_start=0.05)
    recent: list[tuple[float, float]] = []
    for epoch in range(recipe.epochs):
        for batch in batches(examples.origins, recipe.batch, recipe.group, chance):
            as_question = chance.random(len(batch)) < recipe.questions
            asked = np.where(as_question[:, None], examples.questions[batch], examples.sentences[batch])
            asked = asked[:, : max(1, int((asked >= 0).sum(axis=1).max()))]
            by_name, by_whole = net.losses(
                _numbers(asked),
                _numbers(examples.names[batch]),
                _numbers(examples.wholes[batch]),
                _numbers(examples.name_ids[batch]),
            )
            optimiser.zero_grad()
            (by_name + recipe.wholes * by_whole).backward()
            nn.utils.clip_grad_norm_(net.of.parameters(), 1.0)
            optimiser.step()
            schedule.step()
            recent.append((by_name.item(), by_whole.item()))
            if len(recent) == 500:
                names, wholes = np.mean(recent, axis=0)
                report(f"epoch {epoch}: names {names:.4f}, wholes {wholes:.4f}")
                recent.clear()
    parameters = [net.of[_key(name)] for name, _ in shapes(weights.dimensions, recipe.width, recipe.layers)]
    packed = b"".join(parameter.detach().numpy().astype("<f2").tobytes() for parameter in parameters)
    return QueryEncoderModel(weights.model, recipe.width, recipe.heads, recipe.layers, packed, zlib.crc32(packed))


def _numbers(places: NDArray[np.int32] | NDArray[np.int64]) -> Tensor:
    return torch.from_numpy(places.astype(np.int64))
