"""Types in class files as Java writes them: `Ljava/util/List<+TT;>;` is `List<? extends T>`."""

from __future__ import annotations

from typing import Final

from .class_file import NotAClassFile

_PRIMITIVES: Final = {
    "B": "byte",
    "C": "char",
    "D": "double",
    "F": "float",
    "I": "int",
    "J": "long",
    "S": "short",
    "Z": "boolean",
    "V": "void",
}
#: Maximum depth of nested types, and maximum number of dimensions of an array.
_MAX_DEPTH: Final = 60


class TypeNames:
    """Converts names of classes to Java for one file of declarations, and collects the necessary imports."""

    def __init__(self, own: str, nested: dict[str, str]) -> None:
        """`own` is the class that the file declares, and `nested` are its nested classes with dots: `Map.Entry`."""
        self._package = own.rpartition("/")[0]
        self._nested = nested
        #: The qualified name to which each simple name refers in the file.
        self._taken: dict[str, str] = {name.rpartition(".")[2]: "" for name in nested.values()}
        self.imports: dict[str, None] = {}

    def written(self, name: str) -> str:
        """Return the name of a class as the file writes it: simple if possible, else qualified."""
        if name in self._nested:
            return self._nested[name]
        package, _, rest = name.rpartition("/")
        parts = [part for part in rest.split("$") if part] or [rest]
        qualified = f"{package.replace('/', '.')}.{parts[0]}" if package else parts[0]
        if not all(part.isidentifier() for part in (*package.split("/"), *parts) if part):
            raise NotAClassFile(f"{name!r} is no name in Java")
        if package == "java/lang" and parts[0] not in self._taken:
            return ".".join(parts)
        if self._taken.setdefault(parts[0], qualified) != qualified:
            return ".".join((qualified, *parts[1:]))
        if package:
            self.imports[qualified] = None
        return ".".join(parts)


class Signature:
    """Reads one signature or descriptor from its start."""

    def __init__(self, text: str, names: TypeNames) -> None:
        self._text = text
        self._names = names
        self._at = 0
        self._depth = 0

    def _next(self) -> str:
        if self._at >= len(self._text):
            raise NotAClassFile("a signature is cut off")
        self._at += 1
        return self._text[self._at - 1]

    def peek(self) -> str:
        """Return the next character; "" at the end."""
        return self._text[self._at : self._at + 1]

    def _until(self, ends: str) -> str:
        start = self._at
        while self.peek() not in ends:  # because `"" in text` is always true
            self._at += 1
        if self._at >= len(self._text):
            raise NotAClassFile("a signature is cut off")
        return self._text[start : self._at]

    def type(self) -> str:
        """Return the next type."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise NotAClassFile("a signature nests too deeply")
        try:
            kind = self._next()
            if kind in _PRIMITIVES:
                return _PRIMITIVES[kind]
            if kind == "[":
                return f"{self.type()}[]"
            if kind == "T":
                name = self._until(";")
                self._at += 1
                return name
            if kind == "L":
                return self._class()
        finally:
            self._depth -= 1
        raise NotAClassFile("a signature has an unknown kind of type")

    def _class(self) -> str:
        name = self._until("<;.")
        arguments = self._arguments()
        while self.peek() == ".":
            self._at += 1
            name, arguments = f"{name}${self._until('<;.')}", self._arguments()
        self._at += 1
        return self._names.written(name) + arguments

    def _arguments(self) -> str:
        if self.peek() != "<":
            return ""
        self._at += 1
        found: list[str] = []
        while self.peek() != ">":
            kind = self.peek()
            if kind in "*+-":
                self._next()
            found.append({"*": "?", "+": "? extends ", "-": "? super "}.get(kind, "") + (self.type() if kind != "*" else ""))
        self._at += 1
        return f"<{', '.join(found)}>"

    def type_parameters(self) -> str:
        """Return the type parameters at the start, with their bounds: `<K, V extends Comparable<V>>`; "" if there are none."""
        if self.peek() != "<":
            return ""
        self._at += 1
        found: list[str] = []
        while self.peek() != ">":
            name = self._until(":")
            bounds: list[str] = []
            while self.peek() == ":":
                self._at += 1
                if self.peek() not in ":>" or not self.peek():  # the first bound may be empty
                    bounds.append(self.type())
            bounds = [each for each in bounds if each != "Object"]
            found.append(f"{name} extends {' & '.join(bounds)}" if bounds else name)
        self._at += 1
        return f"<{', '.join(found)}>"

    def parameters(self) -> list[str]:
        """Return the types between parentheses."""
        if self._next() != "(":
            raise NotAClassFile("a signature of a method has no parameters")
        found: list[str] = []
        while self.peek() != ")":
            found.append(self.type())
        self._at += 1
        return found

    def rest(self) -> list[str]:
        """Return all types up to the end, without thrown types."""
        found: list[str] = []
        while self.peek() not in ("", "^"):
            found.append(self.type())
        return found
