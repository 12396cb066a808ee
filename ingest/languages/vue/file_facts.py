"""Read a Vue file to its facts."""

from __future__ import annotations

from ...facts.model import Export, FileFacts
from ...facts.operations import Op, Use
from ...files.source_text import SourceText
from ..base import SyntaxTree
from ..components.lowering import ComponentLowering
from ..components.placed_text import parse_only
from ..deep_stack import call_deeply
from ..typescript.libraries.component_properties import INSTANCE
from ..typescript.lowering.imports import add_import
from .blocks import Blocks, find_blocks
from .emitted_events import read_emitted_events
from .macros import read_macros
from .nuxt_names import read_page_names
from .options import ALL_OPTIONS, extend_with, read_options
from .template import Template


def read_file(source: SourceText) -> FileFacts:
    """Return the facts of a Vue file. Raises `RecursionError` if its code nests too deeply."""
    blocks = find_blocks(source.data)

    def lowered() -> FileFacts:
        return _lowered(source, blocks)

    return call_deeply(lowered)


def parse_scripts(data: bytes) -> SyntaxTree:
    """Return the syntax tree of the scripts of a file."""
    blocks = find_blocks(data)
    return parse_only(data, [content for _, content in blocks.scripts], blocks.dialect)


def _lowered(source: SourceText, blocks: Blocks) -> FileFacts:
    outer = [content for tag, content in blocks.scripts if tag.attribute("setup") is None]
    generics = [at.value for tag, _ in blocks.scripts if (at := tag.attribute("generic")) is not None and at.value is not None]
    component = ComponentLowering(source, blocks.dialect, [content for _, content in blocks.scripts], outer, generics)
    is_setup = any(tag.attribute("setup") is not None for tag, _ in blocks.scripts)
    template = Template(component, blocks.template[1] if blocks.template is not None else [], blocks.styled)
    component.unwraps = True
    read_page_names(component)
    borrowed = _export_from_script_file(component, source, blocks)
    has_class = False
    if is_setup or not component.cx.exports:
        read_macros(component, template)
    else:
        has_class = not read_options(component, template)
    _extend_all_instances(component, template)
    template.lower()
    read_emitted_events(component)
    if not borrowed and not has_class:
        component.export_component()
    return component.facts(template.texts)


def _extend_all_instances(component: ComponentLowering, template: Template) -> None:
    """Give the component the properties that programs add to all components. Its own members come first."""
    cx, start = component.cx, component.state.start
    name = cx.emit(Op.T_NAME, -1, cx.string(INSTANCE.encode()), Use.TYPE, start)
    added = cx.emit(Op.T_REFERENCE, name, -1, -1, start)
    component.members.extends.append(added)
    if template.member_type >= 0:
        template.member_type = cx.emit(Op.T_INTERSECTION, cx.list_of([template.member_type, added]), -1, -1, start)


def _export_from_script_file(component: ComponentLowering, source: SourceText, blocks: Blocks) -> bool:
    """Re-export the exports of the separate file that contains the script. Return whether there is such a file."""
    cx = component.cx
    for tag, _ in blocks.scripts:
        specifier = tag.text("src", source.data)
        at = tag.attribute("src")
        if specifier and at is not None and at.value is not None:
            index = add_import(cx, specifier, "export", ["default"], at.value.start)
            cx.exports.append(Export("default", index, "default", -1, -1, False, at.value.start, component.symbol))
            script = component.bound_name("default", component.imported_default("default", index, at.value.start), at.value.start)
            extend_with(component, script, ALL_OPTIONS)
            return True
    return False
