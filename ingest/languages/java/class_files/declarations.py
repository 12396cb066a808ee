"""Write the declarations in class files as Java source without bodies, in the form of our own declarations of the JDK."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Final

from .class_file import Access, ClassFile, ClassMember, InnerClass, NotAClassFile
from .signatures import Signature, TypeNames

#: Maximum number of types in one file of declarations.
_MAX_TYPES: Final = 400
_HIDDEN: Final = Access.PRIVATE | Access.SYNTHETIC


def declarations(top: ClassFile, read: Callable[[str], ClassFile | None]) -> str:
    """Return the declarations of a class and of its nested types. `read` returns their class files by name.

    Raises `NotAClassFile` if the name of the class is not valid in Java.
    """
    inside: dict[str, list[tuple[InnerClass, ClassFile]]] = {}
    nested = {top.name: top.name.rpartition("/")[2]}
    waiting = [top]
    for at in waiting:
        for entry in at.inner:
            is_member = entry.outer == at.name and entry.simple.isidentifier() and not entry.access & _HIDDEN
            found = read(entry.inner) if is_member and entry.inner not in nested and len(nested) < _MAX_TYPES else None
            if found is not None and found.name == entry.inner:
                nested[entry.inner] = f"{nested[at.name]}.{entry.simple}"
                inside.setdefault(at.name, []).append((entry, found))
                waiting.append(found)
    if not nested[top.name].isidentifier():
        raise NotAClassFile(f"{top.name!r} is no name in Java")
    names = TypeNames(top.name, nested)
    lines = list(_type(top, nested[top.name], "", names, inside))
    package = top.name.rpartition("/")[0].replace("/", ".")
    head = [f"package {package};"] if package else []
    return "\n".join((*head, *(f"import {name};" for name in names.imports), *lines, ""))


def _type(
    read: ClassFile, name: str, modifiers: str, names: TypeNames, inside: dict[str, list[tuple[InnerClass, ClassFile]]]
) -> Iterator[str]:
    access = read.access
    is_interface = bool(access & Access.INTERFACE)
    heritage = Signature(read.signature, names)
    parameters = heritage.type_parameters()
    above = heritage.rest()
    if not read.signature:
        above = [names.written(each) for each in (read.base, *read.interfaces) if each]
    base, interfaces = (above[0] if above else ""), above[1:]
    if access & Access.ANNOTATION:
        head = f"@interface {name}"
    elif is_interface:
        head = f"interface {name}{parameters}" + (f" extends {', '.join(interfaces)}" if interfaces else "")
    elif access & Access.ENUM:
        head = f"enum {name}" + (f" implements {', '.join(interfaces)}" if interfaces else "")
    else:
        head = f"{'abstract ' if access & Access.ABSTRACT else ''}class {name}{parameters}"
        head += f" extends {base}" if base not in ("", "Object") else ""
        head += f" implements {', '.join(interfaces)}" if interfaces else ""
    yield f"{modifiers}{head} {{"
    if access & Access.ENUM:
        constants = [each.name for each in read.fields if each.access & Access.ENUM and each.name.isidentifier()]
        yield f"\t{', '.join(constants)};"
    yield from (f"\t{text}" for text in _members(read, name, bool(modifiers), names) if text)
    for entry, inner in inside.get(read.name, ()):
        is_static = entry.access & (Access.STATIC | Access.INTERFACE | Access.ENUM)
        yield from _type(inner, entry.simple, "static " if is_static else "", names, inside)
    yield "}"


def _members(read: ClassFile, name: str, is_static: bool, names: TypeNames) -> Iterator[str]:
    """Yield the members with valid names in Java. Compilers of other languages generate members with other names."""
    for member in read.fields:
        if not member.access & (_HIDDEN | Access.ENUM) and member.name.isidentifier():
            with suppress(NotAClassFile):
                yield _field(member, names)
    for member in read.methods:
        if not member.access & (_HIDDEN | Access.BRIDGE):
            with suppress(NotAClassFile):
                yield _method(read, member, name, is_static, names)


def _field(member: ClassMember, names: TypeNames) -> str:
    kind = Signature(member.signature or member.descriptor, names).type()
    return f"{'static ' if member.access & Access.STATIC else ''}{kind} {member.name};"


def _method(read: ClassFile, member: ClassMember, name: str, is_static: bool, names: TypeNames) -> str:
    access = member.access
    is_constructor = member.name == "<init>"
    is_enum = bool(read.access & Access.ENUM)
    if member.name == "<clinit>" or (is_enum and (is_constructor or member.name in ("values", "valueOf"))):
        return ""
    if not is_constructor and not member.name.isidentifier():
        return ""
    signature = Signature(member.signature or member.descriptor, names)
    type_parameters = signature.type_parameters()
    parameters = signature.parameters()
    result = "" if is_constructor else signature.type()
    is_inner = any(each.inner == read.name and each.outer for each in read.inner)
    if is_constructor and is_inner and not is_static and not member.signature:
        del parameters[:1]  # the first parameter of a constructor of an inner class is the enclosing instance
    if access & Access.VARIADIC and parameters and parameters[-1].endswith("[]"):
        parameters[-1] = f"{parameters[-1][:-2]}..."
    listed = ", ".join(f"{each} p{place}" for place, each in enumerate(parameters))
    if read.access & Access.ANNOTATION:
        return f"{result} {member.name}();"
    modifiers = ""
    if access & Access.STATIC:
        modifiers = "static "
    elif read.access & Access.INTERFACE and not access & Access.ABSTRACT:
        modifiers = "default "
    elif access & Access.ABSTRACT and not read.access & Access.INTERFACE:
        modifiers = "abstract "
    generic = f"{type_parameters} " if type_parameters else ""
    return f"{modifiers}{generic}{f'{result} {member.name}' if result else name}({listed});"
