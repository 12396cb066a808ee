"""Read the tree of paths in a `use` of Rust."""

from __future__ import annotations

from collections.abc import Iterator


def branches(tree: str) -> Iterator[str]:
    """Yield the path of each branch: `a::{b, c::{d}}` -> a::b, a::c::d."""
    prefix, brace, rest = tree.partition("{")
    if not brace:
        yield tree.strip()
        return
    depth, begun = 0, 0
    for place, sign in enumerate(rest):
        if sign == "{":
            depth += 1
        elif sign == "}" and depth:
            depth -= 1
        elif sign in ",}" and not depth:
            branch = rest[begun:place].strip()
            if branch.partition(" as ")[0] == "self":
                yield prefix.strip().removesuffix("::") + branch.removeprefix("self")
            elif branch:
                yield from branches(prefix.strip() + branch)
            begun = place + 1
            if sign == "}":
                return
