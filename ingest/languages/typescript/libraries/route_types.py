"""Write the declarations that SvelteKit generates as `./$types` for each folder with routes: the types of `data` and its kin.

The type of `data` follows from the functions `load` of the page and of the layouts above it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

#: Name of the module that is generated.
MODULE: Final = "$types.d.ts"
#: The package that generates the module.
PACKAGE: Final = "npm:@sveltejs/kit"
#: Names in the types of components, for which an identifier has no place. Their meaning follows from the path of the component.
ROUTE_DATA: Final = "{data}"
ROUTE_FORM: Final = "{form}"
#: Files with functions `load`. The first of a kind that exists decides.
LOADING: Final = tuple(
    f"+{kind}{part}{ending}" for kind in ("page", "layout") for part in ("", ".server") for ending in (".ts", ".js")
)

_SPECIFIER: Final = re.compile(r"\.{1,2}/(?:[^/]+/)*\$types(?:\.js|\.ts|\.d\.ts)?")
_COMPONENT: Final = re.compile(r"\+(page|layout)(?:@[^/]*)?\.svelte")
_EXPORTS: Final = {
    name: re.compile(
        rb"^[ \t]*export[ \t]+(?:(?:async[ \t]+)?function|const|let|var)[ \t]+" + name.encode() + rb"\b|"
        rb"^[ \t]*export[ \t]*\{[^}]{0,2000}\b" + name.encode() + rb"\b",
        re.MULTILINE,
    )
    for name in ("load", "actions")
}
_BEGINNING: Final = """import type * as Kit from '@sveltejs/kit';
import type { Snippet } from 'svelte';
type Loaded<L> = L extends (...given: any[]) => infer R ? Awaited<R> : never;
type Acted<A> = { [K in keyof A]: A[K] extends (...given: any[]) => infer R ? Awaited<R> : never }[keyof A];
type Over<P, O> = Omit<P, keyof O> & O;
type Params = Record<string, string>;
"""
_END: Final = """export type PageProps = { data: PageData; form: ActionData; params: Params };
export type LayoutProps = { data: LayoutData; children: Snippet; params: Params };
export type PageLoad = Kit.Load<Params, PageServerData, PageParentData>;
export type PageServerLoad = Kit.ServerLoad<Params>;
export type LayoutLoad = Kit.Load<Params, LayoutServerData, LayoutParentData>;
export type LayoutServerLoad = Kit.ServerLoad<Params>;
export type PageLoadEvent = Parameters<PageLoad>[0];
export type PageServerLoadEvent = Parameters<PageServerLoad>[0];
export type LayoutLoadEvent = Parameters<LayoutLoad>[0];
export type LayoutServerLoadEvent = Parameters<LayoutServerLoad>[0];
export type Action = Kit.Action<Params>;
export type Actions = Kit.Actions<Params>;
export type EntryGenerator = () => Promise<Params[]> | Params[];
export type RequestHandler = Kit.RequestHandler<Params>;
export type RequestEvent = Kit.RequestEvent<Params>;
"""


def names_route_types(specifier: str) -> bool:
    """Return whether a specifier names the module that SvelteKit generates."""
    return _SPECIFIER.fullmatch(specifier) is not None


def route_type(path: str, name: str) -> str:
    """Return the exported type that a name in a component of a route means; "" for other components."""
    found = _COMPONENT.fullmatch(path.rpartition("/")[2])
    if found is None:
        return ""
    if name == ROUTE_FORM:
        return "ActionData" if found[1] == "page" else ""
    return "PageData" if found[1] == "page" else "LayoutData"


def loading_specifiers(path: str) -> list[str]:
    """Return the specifiers of all files that may decide the types of the routes in the folder of a file."""
    above = ["./", *("../" * depth for depth in range(1, path.count("/") + 1))]
    return [f"{up}{name}" for up in above for name in LOADING if up == "./" or name.startswith("+layout")]


def route_declarations(folder: str, read: Callable[[str], bytes | None]) -> str:
    """Return the declarations for a folder; `read` returns the content of a file, or None if there is none."""
    lines = [_BEGINNING]
    above = [("../" * depth, folder.split("/")[: len(folder.split("/")) - depth]) for depth in range(folder.count("/"), -1, -1)]
    parent, data = "{}", "{}"
    server = "{}"
    for depth, (up, parts) in enumerate(above):
        loaded, server = _loaded("+layout", up or "./", "/".join(parts), read)
        parent = data
        if loaded:
            lines.append(f"type Layout{depth} = {loaded if data == '{}' else f'Over<{data}, {loaded}>'};\n")
            data = f"Layout{depth}"
    page, page_server = _loaded("+page", "./", folder, read)
    whole = page if data == "{}" else f"Over<{data}, {page}>"
    lines.append(f"export type LayoutParentData = {parent};\nexport type LayoutData = {data};\n")
    lines.append(f"export type LayoutServerData = {server or 'null'};\nexport type PageParentData = {data};\n")
    lines.append(f"export type PageServerData = {page_server or 'null'};\nexport type PageData = {whole if page else data};\n")
    acting = next((name for name in LOADING if name.startswith("+page.server") and _has(folder, name, "actions", read)), "")
    acted = f"Acted<typeof import('./{acting}').actions>" if acting else "unknown"
    lines.append(f"export type ActionData = {acted};\n")
    return "".join([*lines, _END])


def _loaded(kind: str, up: str, folder: str, read: Callable[[str], bytes | None]) -> tuple[str, str]:
    """Return the type of the data that a page or layout loads, and the type of the part from the server; "" for nothing."""
    found = [name for name in LOADING if name.startswith(f"{kind}.") and _has(folder, name, "load", read)]
    types = {name: f"Loaded<typeof import('{up}{name}').load>" for name in found}
    server = next((types[name] for name in found if ".server." in name), "")
    return next(iter(types.values()), ""), server


def _has(folder: str, name: str, export: str, read: Callable[[str], bytes | None]) -> bool:
    data = read(f"{folder}/{name}")
    return data is not None and _EXPORTS[export].search(data) is not None
