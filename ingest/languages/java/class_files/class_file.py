"""Read the signatures in a class file, by chapter 4 of the Java Virtual Machine Specification."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final, NamedTuple

import msgspec

_MAGIC: Final = 0xCAFEBABE
#: Size of constants by their tag, in bytes, without the tag. The length of a text (tag 1) precedes the text.
_SIZES: Final = {3: 4, 4: 4, 5: 8, 6: 8, 7: 2, 8: 2, 9: 4, 10: 4, 11: 4, 12: 4, 15: 3, 16: 2, 17: 4, 18: 4, 19: 2, 20: 2}
#: Tags of constants that occupy two indexes of the table.
_WIDE: Final = (5, 6)


class Access:
    """Flags of classes, fields and methods."""

    PUBLIC: Final = 0x0001
    PRIVATE: Final = 0x0002
    STATIC: Final = 0x0008
    BRIDGE: Final = 0x0040
    VARIADIC: Final = 0x0080
    INTERFACE: Final = 0x0200
    ABSTRACT: Final = 0x0400
    SYNTHETIC: Final = 0x1000
    ANNOTATION: Final = 0x2000
    ENUM: Final = 0x4000


class NotAClassFile(ValueError):
    """Raised for bytes that are not a class file, or only a part of a class file."""


class ClassMember(msgspec.Struct, frozen=True):
    """A field or method."""

    access: int
    name: str
    descriptor: str
    #: The generic signature of the member; "" if there is none.
    signature: str


class InnerClass(NamedTuple):
    """An entry of the table of inner classes."""

    #: Names with slashes; `outer` is "" for a local class, and `simple` is "" for an anonymous class.
    inner: str
    outer: str
    simple: str
    access: int


class ClassFile(msgspec.Struct, frozen=True):
    """The declarations of a class file. Names are written as in the virtual machine: `java/util/Map$Entry`."""

    access: int
    name: str
    #: The base class; "" for `java/lang/Object`.
    base: str
    interfaces: list[str]
    signature: str
    fields: list[ClassMember]
    methods: list[ClassMember]
    inner: list[InnerClass]


def read_class(data: bytes) -> ClassFile:
    """Return the declarations of a class file. Raises `NotAClassFile`."""
    try:
        return _Reader(data).read()
    except (struct.error, IndexError, TypeError) as error:
        raise NotAClassFile("the class file is cut off, or a constant is not what it should be") from error


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0
        #: By index: a text, or for a class the index of the text with its name; None for other constants.
        self._constants: list[str | int | None] = [None]

    def _short(self) -> int:
        value: int = struct.unpack_from(">H", self._data, self._at)[0]
        self._at += 2
        return value

    def _long(self) -> int:
        value: int = struct.unpack_from(">I", self._data, self._at)[0]
        self._at += 4
        return value

    def _skip(self, size: int) -> None:
        self._at += size
        if self._at > len(self._data):
            raise NotAClassFile("the class file is cut off")

    def read(self) -> ClassFile:
        if len(self._data) < 10 or self._long() != _MAGIC:
            raise NotAClassFile("the file does not begin as a class file does")
        self._skip(4)  # the version, which does not affect declarations
        self._read_constants()
        access, name, base = self._short(), self._class(self._short()), self._class(self._short())
        interfaces = [self._class(self._short()) for _ in range(self._short())]
        fields, methods = list(self._members()), list(self._members())
        signature, inner = "", list[InnerClass]()
        for kind, end in self._attributes():
            if kind == "Signature":
                signature = self._text(self._short())
            elif kind == "InnerClasses":
                inner = [self._inner_class() for _ in range(self._short())]
            self._at = end
        return ClassFile(access, name, base, interfaces, signature, fields, methods, inner)

    def _read_constants(self) -> None:
        count = self._short()
        while len(self._constants) < count:
            tag = self._data[self._at]
            self._at += 1
            if tag == 1:
                size = self._short()
                start = self._at
                self._skip(size)
                # The encoding differs from UTF-8 only in characters that are rare in names.
                self._constants.append(self._data[start : start + size].decode("utf-8", "replace"))
            elif tag == 7:
                self._constants.append(self._short())
            elif tag in _SIZES:
                self._skip(_SIZES[tag])
                self._constants.append(None)
                if tag in _WIDE:
                    self._constants.append(None)
            else:
                raise NotAClassFile(f"a constant has the unknown tag {tag}")

    def _text(self, place: int) -> str:
        value = self._constants[place] if place else ""
        if not isinstance(value, str):
            raise NotAClassFile("a name is no text")
        return value

    def _class(self, place: int) -> str:
        """Return the name of a class; "" for none."""
        value = self._constants[place] if place else 0
        if not isinstance(value, int):
            raise NotAClassFile("the name of a class is none")
        return self._text(value)

    def _members(self) -> Iterator[ClassMember]:
        for _ in range(self._short()):
            access, name, descriptor = self._short(), self._text(self._short()), self._text(self._short())
            signature = ""
            for kind, end in self._attributes():
                if kind == "Signature":
                    signature = self._text(self._short())
                self._at = end
            yield ClassMember(access, name, descriptor, signature)

    def _attributes(self) -> Iterator[tuple[str, int]]:
        """Yield the name and the end offset of each attribute. After each step, the reader is at the content of the attribute."""
        for _ in range(self._short()):
            kind, size = self._text(self._short()), self._long()
            end = self._at + size
            if end > len(self._data):
                raise NotAClassFile("the class file is cut off")
            yield kind, end

    def _inner_class(self) -> InnerClass:
        inner, outer = self._class(self._short()), self._class(self._short())
        return InnerClass(inner, outer, self._text(self._short()), self._short())
