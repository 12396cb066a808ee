"""Find the layouts and the route middleware of Nuxt that a component names by strings: `definePageMeta({ layout: "shop" })`.

`setPageLayout("shop")` and `<NuxtLayout name="shop">` name a layout as well. The names are resolved like components that Nuxt
imports.
"""

from __future__ import annotations

from typing import Final

from ...facts.operations import Op
from ..components.lowering import ComponentLowering
from ..components.markup import Open
from ..components.names import pascal

#: Tags of the component that shows a layout.
_LAYOUT_TAGS: Final = ("NuxtLayout", "nuxt-layout")
_LAYOUT, _MIDDLEWARE = "layouts", "middleware"


def read_page_names(component: ComponentLowering) -> None:
    """Add the uses of layouts and middleware that the calls in the scripts of a component name."""
    cx = component.cx
    for node in list(cx.calls):
        code = cx.code
        callee, given = code[node + 1], cx.items(code[node + 2])
        if code[node] != Op.CALL or code[callee] != Op.NAME or not given:
            continue
        called = cx.strings[code[callee + 2]]
        if called not in ("definePageMeta", "setPageLayout") or component.lookup(called) >= 0:
            continue
        if called == "setPageLayout":
            _use(component, _LAYOUT, given[0])
        elif code[given[0]] == Op.OBJECT:
            for member in cx.shapes[code[given[0] + 1]].members:
                if member.name == "layout":
                    _use(component, _LAYOUT, member.value)
                elif member.name == "middleware" and member.value >= 0:
                    is_list = cx.code[member.value] == Op.ARRAY
                    for value in cx.items(cx.code[member.value + 1]) if is_list else (member.value,):
                        _use(component, _MIDDLEWARE, value)


def use_layout(component: ComponentLowering, event: Open) -> None:
    """Add the use of the layout that `<NuxtLayout name="shop">` shows; without a name, it is the layout `default`."""
    if event.name not in _LAYOUT_TAGS:
        return
    named = event.attribute("name")
    if named is not None and named.value is not None:
        component.bound_name(_tag(_LAYOUT, event.text("name", component.source.data) or ""), -1, named.value.start)
    elif not any(each.name in (":name", "v-bind:name", "v-bind") for each in event.attributes):
        component.bound_name(_tag(_LAYOUT, "default"), -1, event.name_start)


def _use(component: ComponentLowering, folder: str, value: int) -> None:
    cx = component.cx
    if value >= 0 and cx.code[value] == Op.STRING:
        component.bound_name(_tag(folder, cx.strings[cx.code[value + 2]]), -1, cx.code[value + 4] + 1)


def _tag(folder: str, name: str) -> str:
    return f"<{folder}/{pascal(name)}>"
