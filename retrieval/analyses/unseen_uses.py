"""Find possible uses of a symbol without an edge to it, because of which an answer may be incomplete."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ...graphdb.database import GraphDatabase
from ...graphdb.queries.members import ExternalBase, external_bases, outside_supertypes, outside_supertypes_below
from ...graphdb.queries.references import reference_sites, unresolved_uses_named
from ...graphdb.symbols.id_batches import rows_for_ids
from ...graphdb.symbols.symbol_table import symbols_of
from ...graphdb.traversal.fitting_types import fitted_members
from ...graphdb.traversal.overrides import overrides
from ...schema.records import Symbol
from .subject import Candidate, EmptyReason, Subject, counted

#: Kinds of members that code may access by name.
_MEMBERS = frozenset(("method", "property", "getter", "setter"))
#: Kinds of declarations whose uses as values may be calls, as in `f.apply(…)`, `list.map(f)` and `memo(Row)`.
_FUNCTIONS = frozenset(("function", "method", "component"))
#: The name of a statement that exports values of a CommonJS module.
_EXPORTED = re.compile(r"(?:module\.)?exports\b")
#: The namespace whose interfaces TypeScript uses to check the tags and attributes of elements.
_ELEMENTS = "JSX"
_DECLARATION_FILE = re.compile(r"\.d\.[cm]?ts$")
_JAVASCRIPT = re.compile(r"\.[cm]?jsx?$")
#: Roles in which a reference may pass a class on to code that constructs the class.
_AS_VALUE = frozenset(("read", "export"))
#: The head of a block whose declarations merge with other declarations.
_BLOCK = re.compile(r"""(?:declare\s+)?(?:module\s*['"]|global\b)""")
#: Methods that a runtime calls by their names, by language: for operators, loops, conversions, attributes and serialization.
_CALLED_BY_RUNTIME = (
    (re.compile(r"\.pyi?$"), re.compile(r"__\w+__"), "Python"),
    (
        re.compile(r"\.go$"),
        re.compile(
            r"(?:Unm|M)arshal(?:JSON|Text|Binary|XML|YAML|TOML)|Gob(?:En|De)code|(?:Go)?String|Error|Format|LogValue|Unwrap|Is|As"
        ),
        "the standard library",
    ),
    (
        re.compile(r"\.java$"),
        re.compile(r"toString|equals|hashCode|finalize|(?:read|write)(?:Object|External)|readResolve|writeReplace"),
        "Java",
    ),
    (
        re.compile(r"\.(?:[cm]?[jt]sx?|vue|svelte|astro|mdx)$"),
        re.compile(r"toString|toLocaleString|toJSON|valueOf|then|\[Symbol\.\w+\]"),
        "JavaScript",
    ),
)
#: Modifier of symbols in the strings of code, and the kinds of the parts of a schema of GraphQL.
_EMBEDDED = "embedded"
_OF_SCHEMAS = frozenset(("type", "interface", "enum", "enumMember", "property", "method", "extension", "function"))
#: Maximum number of related members that a reason lists.
_MAX_RELATED = 10
#: Maximum number of external members that a reason lists.
_MAX_LISTED = 5


def unseen_uses(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return why an empty answer about the uses of a symbol may be incomplete; None if it is complete."""
    return (
        _uses_of_related(graph, subject)
        or _uses_of_fitted(graph, subject)
        or _uses_of_twins(graph, subject)
        or _uses_of_holder(graph, subject)
        or _uses_of_runtime(graph, subject)
        or _class_as_value(graph, subject)
        or _part_of_schema(subject)
        or _addition(graph, subject)
        or _uses_outside(graph, subject)
        or _called_by_runtime(subject)
        or _unresolved(graph, subject)
    )


def _uses_of_related(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return a reason if members that are related by overriding have uses; else None."""
    table = symbols_of(graph)
    related = overrides(graph).related(table.offsets(subject.ids))
    used = _used(graph, table.ids_at(related)) if related else []
    if not used:
        return None
    message = (
        f"No use is bound to it, but {counted(len(used), 'member')} that it overrides, or that share a base with it, "
        f"{'has' if len(used) == 1 else 'have'} uses:"
    )
    listed = table.symbols(used[:_MAX_RELATED])
    candidates = tuple(Candidate(listed[id].ref, listed[id].breadcrumb) for id in used[:_MAX_RELATED])
    return EmptyReason("related", f"{message} {', '.join(each.symbol.qualified_name for each in candidates)}.", candidates)


def _uses_of_fitted(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return a reason if the class of a member fits interfaces or protocols whose members of its name have uses."""
    found = fitted_members(symbols_of(graph), subject.declarations)
    fitted = list({member.id: member for members in found.values() for member in members}.values())
    if not fitted:
        return None
    candidates = tuple(Candidate(each.ref, each.breadcrumb) for each in fitted[:_MAX_RELATED])
    listed = ", ".join(each.qualified_name for each in fitted[:_MAX_RELATED])
    message = f"No use is bound to it, but its class fits types whose members may lead to it, and which have uses: {listed}."
    return EmptyReason("related", message, candidates)


def _uses_of_twins(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return a reason if a declaration file may describe JavaScript, and symbols with the same qualified name have uses."""
    described = {symbol.qualified_name for symbol in subject.declarations if _DECLARATION_FILE.search(symbol.relative_path)}
    named = symbols_of(graph).named({name.rpartition(".")[2] for name in described}) if described else []
    twins = [each for each in named if each.qualified_name in described and _JAVASCRIPT.search(each.relative_path)]
    used = _used(graph, [each.id for each in twins])
    if not used:
        return None
    listed = [each for each in twins if each.id in used]
    places = ", ".join(f"{each.relative_path}:{each.declaration_line}" for each in listed[:_MAX_LISTED])
    candidates = tuple(Candidate(each.ref, each.breadcrumb) for each in listed[:_MAX_LISTED])
    return EmptyReason("related", f"No use is bound to the declaration, but what it may describe has uses: {places}.", candidates)


def _uses_of_holder(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return a reason if a function is in the value of a used declaration that gives it its name: `save = debounce(() => …)`."""
    functions = [symbol for symbol in subject.declarations if symbol.kind == "function" and symbol.parent_id is not None]
    around = symbols_of(graph).symbols(symbol.parent_id for symbol in functions if symbol.parent_id is not None)
    named = {(symbol.parent_id, symbol.name, symbol.name_line) for symbol in functions}
    holders = [holder for holder in around.values() if (holder.id, holder.name, holder.name_line) in named]
    used = _used(graph, [holder.id for holder in holders])
    if not used:
        return None
    candidates = tuple(Candidate(around[id].ref, around[id].breadcrumb) for id in used)
    holding = ", ".join(around[id].qualified_name for id in used)
    return EmptyReason("related", f"No use is bound to the function, but to {holding}, whose value has the function.", candidates)


def _uses_of_runtime(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return a reason if a declaration file adds a member to an interface of the runtime that has such a member, with uses."""
    added = [each for each in subject.declarations if each.depth == 1 and _DECLARATION_FILE.search(each.relative_path)]
    ids = [f"lib:{each.qualified_name.replace('.', '.prototype.')}" for each in added]
    statement = "MATCH (e:External) WHERE e.id IN $ids RETURN e.id"
    known = list(rows_for_ids(graph, statement, ids)) if ids else []
    if not known:
        return None
    return _unseen_reason("the runtime has a member of its name, to whose users it belongs as well")


def _class_as_value(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return a reason if the class of a constructor is used as a value. Such a use may run the constructor."""
    classes = [
        symbol.parent_id for symbol in subject.declarations if symbol.kind == "constructor" and symbol.parent_id is not None
    ]
    sites = sum(len(use.lines) for use in reference_sites(graph, classes) if use.role in _AS_VALUE) if classes else 0
    if not sites:
        return None
    where = f"its class is used as a value at {counted(sites, 'place')}, which may construct it"
    return EmptyReason("unresolved", f"Nothing is known to construct it, but {where}.")


def used_as_value(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return a reason why callers of a function may be unknown, if code uses the function as a value, as in `f.apply(…)`."""
    functions = [symbol.id for symbol in subject.declarations if symbol.kind in _FUNCTIONS]
    uses = reference_sites(graph, functions) if functions else []
    sites = sum(len(use.lines) for use in uses if use.role == "read" and not _EXPORTED.match(use.user.name))
    if not sites:
        return None
    where = f"it is used as a value at {counted(sites, 'place')}, from which it may be called; `references()` lists the uses"
    return EmptyReason("unresolved", f"No call of its name leads to it, but {where}.")


def _part_of_schema(subject: Subject) -> EmptyReason | None:
    """Return a reason if the subject is a part of a schema of GraphQL in a string of code."""
    if any(_EMBEDDED in symbol.modifiers and symbol.kind in _OF_SCHEMAS for symbol in subject.declarations):
        return EmptyReason("unresolved", "No use is known, but uses of the parts of a schema in a string are not resolved.")
    return None


def _called_by_runtime(subject: Subject) -> EmptyReason | None:
    """Return a reason if a runtime calls methods with the name of the subject: `__len__` for `len(order)`."""
    for symbol in subject.declarations:
        for path, name, caller in _CALLED_BY_RUNTIME:
            if symbol.kind in _MEMBERS and path.search(symbol.relative_path) and name.fullmatch(symbol.name):
                message = f"No use of its name is known, but {caller} calls methods of this name by itself."
                return EmptyReason("unresolved", message)
    return None


def taken_by_decorator(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return a reason why callers of a function may be unknown, if a decorator of the repository takes the function."""
    ids = [symbol.id for symbol in subject.declarations if symbol.kind in _FUNCTIONS]
    statement = """MATCH (o:Symbol)-[r:REFERENCES]->(d:Symbol) WHERE o.id IN $ids
        RETURN o.declarationLine, o.nameLine, r.role, r.lines, d.name"""
    for first, named, role, lines, decorator in rows_for_ids(graph, statement, ids) if ids else ():
        if role == "decorator" or any(first <= line < named for line in lines):
            return EmptyReason("unresolved", f"No call of its name leads to it, but its decorator {decorator} may call it.")
    return None


def _addition(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return a reason if the subject is in a `declare module` or `declare global` block, and may merge with a declaration
    elsewhere.
    """
    around = symbols_of(graph).symbols(symbol.parent_id for symbol in subject.declarations if symbol.parent_id is not None)
    for symbol in around.values():
        if symbol.kind == "namespace" and _BLOCK.match(symbol.signature):
            return _unseen_reason(f"{symbol.name} may have a declaration of its name, to whose users it belongs as well")
    return None


def _uses_outside(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    """Return a reason if the subject overrides external members, or if its type has external supertypes."""
    bases = implemented_outside(graph, subject)
    if bases:
        return _unseen_reason(f"it implements {listed_outside(bases)}, which others may use")
    types = outside_supertypes(graph, _classes(subject))
    if types:
        return _unseen_reason(f"its type is based on {listed_outside(types)}, which may use it")
    methods = [symbol for symbol in subject.declarations if symbol.kind == "method"]
    below = outside_supertypes_below(graph, [symbol.parent_id for symbol in methods if symbol.parent_id is not None])
    if below:
        return _unseen_reason(f"a class that derives from its type is also based on {listed_outside(below)}, which may use it")
    return None


def implemented_outside(graph: GraphDatabase, subject: Subject) -> list[ExternalBase]:
    """Return the external members that the subject overrides or implements, directly or through other members."""
    table = symbols_of(graph)
    known = overrides(graph)
    above = {base for offset in table.offsets(subject.ids) for base in known.above(offset)}
    return external_bases(graph, [*subject.ids, *table.ids_at(sorted(above))])


def _unseen_reason(reason: str) -> EmptyReason:
    return EmptyReason("related", f"Nothing in the repository uses it, but {reason}.")


def _classes(subject: Subject) -> list[str]:
    """Return the ids of the types that directly contain the declarations, except constructors."""
    return [symbol.parent_id for symbol in subject.declarations if symbol.kind in _MEMBERS and symbol.parent_id is not None]


def listed_outside(outside: Sequence[ExternalBase]) -> str:
    """Return the first external members or types as text."""
    return ", ".join(f"{each.name} of {each.package}" for each in outside[:_MAX_LISTED])


def _unresolved(graph: GraphDatabase, subject: Subject) -> EmptyReason | None:
    if not any(symbol.kind in _MEMBERS or (symbol.depth and symbol.kind == "function") for symbol in subject.declarations):
        return None
    if any(_is_of_elements(symbol) for symbol in subject.declarations):
        return EmptyReason(
            "unresolved", "No reference is known, but tags and attributes of elements may mean it: these are not resolved."
        )
    sites = unresolved_uses_named(graph, subject.name)
    if sites is None:
        return None
    where = f"{counted(sites.sites, 'use')} of a member of its name in {counted(sites.callers, 'symbol')}"
    return EmptyReason("unresolved", f"No use is known, but {where} could not be resolved.", unresolved=sites)


def _is_of_elements(symbol: Symbol) -> bool:
    """Return whether a member belongs to an interface of the namespace `JSX`."""
    return _ELEMENTS in symbol.qualified_name.split(".")[:-2]


def _used(graph: GraphDatabase, ids: Sequence[str]) -> list[str]:
    """Return the ids of the symbols that have references, in the same order."""
    statement = "MATCH (o:Symbol)<-[:REFERENCES]-(:Symbol) WHERE o.id IN $ids RETURN DISTINCT o.id"
    used = {row[0] for row in rows_for_ids(graph, statement, ids)}
    return [id for id in ids if id in used]
