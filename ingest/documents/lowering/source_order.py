"""Sorts the symbols of a document by their place in the source, because readers find the symbols of one kind after another."""

from __future__ import annotations

import msgspec

from ...facts.model import FileFacts


def in_source_order(facts: FileFacts) -> FileFacts:
    """Return the facts of a document with its symbols sorted by first line, an outer symbol before its inner symbols."""
    symbols = facts.symbols
    order = sorted(range(len(symbols)), key=lambda place: (symbols[place].start_line, symbols[place].depth))
    if order == list(range(len(symbols))):
        return facts
    #: The new indices of symbols by their old indices; -1 maps to itself.
    new = [0] * len(order)
    for place, old in enumerate(order):
        new[old] = place
    new.append(-1)
    replace = msgspec.structs.replace
    return replace(
        facts,
        symbols=[replace(symbols[old], parent=new[symbols[old].parent]) for old in order],
        chunks=[replace(each, symbol=new[each.symbol], parent=new[each.parent]) for each in facts.chunks],
        mentions=[replace(each, symbol=new[each.symbol]) for each in facts.mentions],
        anchors={anchor: new[place] for anchor, place in facts.anchors.items()},
        messages=[replace(each, source=new[each.source], target=new[each.target]) for each in facts.messages],
        next_steps=[replace(each, source=new[each.source], target=new[each.target]) for each in facts.next_steps],
        structures=[replace(each, symbol=new[each.symbol]) for each in facts.structures],
        blocks=[replace(each, symbol=new[each.symbol]) for each in facts.blocks],
        api=facts.api
        and replace(facts.api, operations=[replace(each, symbol=new[each.symbol]) for each in facts.api.operations]),
    )
