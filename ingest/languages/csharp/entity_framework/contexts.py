"""Divides entities by database: contexts that share no entities may be for different databases."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from .....schema.paths import common_folders
from ....data.schemas.model_names import Declared


def parts_by_context(
    entities: Sequence[Declared], sets: Iterable[tuple[Declared, Declared]], links: Mapping[int, Iterable[int]]
) -> list[tuple[list[Declared], list[Declared]]]:
    """Return groups of entities that contexts and relations connect, each with its contexts before its entities.

    `sets` are pairs of a context and an entity, and `links` has the ids of the models to which the model with an id leads. An
    entity that nothing connects with a context belongs to the group of the nearest context.
    """
    groups: dict[int, int] = {}

    def root_of(key: int) -> int:
        while (above := groups.setdefault(key, key)) != key:
            groups[key] = groups[above]
            key = above
        return key

    contexts: dict[int, Declared] = {}
    for context, entity in sets:
        groups[root_of(id(entity.model))] = root_of(id(context.model))
        contexts[id(context.model)] = context
    for key, targets in links.items():
        for target in targets:
            groups[root_of(target)] = root_of(key)
    homes: dict[int, list[Declared]] = defaultdict(list)
    for key, context in contexts.items():
        homes[root_of(key)].append(context)
    parts: dict[int, list[Declared]] = defaultdict(list)
    for entity in entities:
        root = root_of(id(entity.model))
        if root not in homes and homes:
            root = max(homes, key=lambda home: max(common_folders(each.path, entity.path) for each in homes[home]))
        parts[root].append(entity)
    return [(homes.get(root, []), part) for root, part in parts.items()]
