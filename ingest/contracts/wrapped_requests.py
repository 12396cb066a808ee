"""Requests that functions of the repository send for their callers: each call that states the URL is a request.

Texts have marks (`MARK`, a place, `MARK`) for the parts that other code states:

- "0", "1.method": a parameter of the function, or a member of one
- "this.base", "this.item()": a field, or the result of a method, of the object whose method the function is
- "super.0": an argument of the call that makes the object
- "=./routes|ROUTES.users": a constant of another file
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from ..facts.api import ANY_METHOD, MARK, UNKNOWN, ApiFacts, ImportedName, Request, RequestWrapper, WrapperCall
from .route_paths import has_literal, segments_of
from .routing import Sources, places_of
from .wrapped_routes import Function

#: Maximum number of wrappers around wrappers, and of base classes.
_MAX_DEPTH: Final = 6
#: Maximum number of requests in one wrapper.
_MAX_REQUESTS: Final = 12
#: Maximum length of a URL.
_MAX_TEXT: Final = 500
_METHODS: Final = frozenset(("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "CONNECT"))
_MARKED: Final = re.compile(rf"{MARK}([^{MARK}]*){MARK}")
_CONSTANT: Final = re.compile(rf"{MARK}=([^{MARK}|]*)\|([^{MARK}]*){MARK}")
#: A mark of an object: `this.base` or `super.0`.
_OF_OBJECT: Final = re.compile(rf"{MARK}(this|super)\.([^{MARK}]*){MARK}")
#: A mark that is a whole segment of a path, or in the query of a URL.
_WHOLE: Final = re.compile(rf"(?<=/){MARK}[^{MARK}]*{MARK}(?=/|\?|$)|\?.*")
#: A mark at the end of a segment, such as a query or a path with its slash.
_END: Final = re.compile(rf"(?<=[\w-]){MARK}[^{MARK}]*{MARK}$")
_URL: Final = re.compile(r"(?:\{\}|https?://|/)\S*")


class SentRequest(NamedTuple):
    """A request, and the id of the symbol that sends it."""

    from_id: str
    request: Request


#: The classes of an object, the most derived first. The variable that keeps the object goes before its class.
_Chain = tuple[Function, ...]


class WrappedRequests:
    """Finds the requests that the wrappers of a repository send."""

    def __init__(self, facts: Mapping[str, ApiFacts], sources: Sources) -> None:
        self._facts = facts
        self._sources = sources
        self._wrappers: dict[Function, list[RequestWrapper]] = {}
        for path, api in facts.items():
            for each in api.wrappers:
                self._wrappers.setdefault(Function(path, each.function), []).append(each)
        #: Classes and objects of each file that may send requests or state parts of them.
        self._owners: dict[str, set[str]] = {}
        #: Texts with constants, by file and text.
        self._constants: dict[tuple[str, str], str] = {}
        self._called: dict[tuple[str, ImportedName], tuple[Function, _Chain] | None] = {}

    def stated(self, path: str, text: str) -> str:
        """Return a text of a file with the texts of constants of other files, and `{}` for all other marks."""
        return _MARKED.sub(UNKNOWN, self._with_constants(path, text))

    def requests(self) -> dict[str, list[SentRequest]]:
        """Return the requests of calls of wrappers, and of classes whose base classes send requests, by path."""
        found: dict[str, list[SentRequest]] = {}
        for path, sent in (*self._of_calls(), *self._of_classes()):
            found.setdefault(path, []).append(sent)
        return found

    def _of_calls(self) -> Iterator[tuple[str, SentRequest]]:
        calls = [(path, call) for path, api in self._facts.items() for call in api.wrapper_calls]
        pending = dict(self._wrappers)
        for _ in range(_MAX_DEPTH):
            made: dict[Function, list[RequestWrapper]] = {}
            for path, call in calls if pending else ():
                target = self._wrapper(path, call.callee)
                for wrapper in pending.get(target[0], ())[:_MAX_REQUESTS] if target is not None else ():
                    filled = self._filled(wrapper, path, call, *target) if target is not None else None
                    if filled is None:
                        continue
                    around = Function(path, call.function)
                    sent = filled._replace(url=_END.sub(UNKNOWN, filled.url))
                    request = _request(sent, call.symbol, call.line, call.column)
                    if request is not None:
                        yield path, SentRequest(self._sources.symbol_id(path, call.symbol), request)
                    if filled.is_open and call.function and around not in self._wrappers:
                        made.setdefault(around, []).append(filled.wrapper(call.function))
            self._wrappers |= made
            self._called.clear()
            pending = made

    def _of_classes(self) -> Iterator[tuple[str, SentRequest]]:
        """Yield the requests of methods that a class inherits, if the class states a part of their URLs."""
        by_class: dict[Function, list[RequestWrapper]] = {}
        for function, wrappers in self._wrappers.items():
            owner = Function(function.path, function.name.rpartition(".")[0])
            by_class.setdefault(owner, []).extend(each for each in wrappers if _OF_OBJECT.search(each.url))
        for path, api in self._facts.items():
            for name, made in api.kinds.items():
                chain = self._chain(Function(path, name))
                for base in chain[1:]:
                    for wrapper in by_class.get(base, ())[:_MAX_REQUESTS]:
                        url = self._of_object(wrapper.url, chain, base)
                        line = self._sources.line(path, made.symbol)
                        request = _request(_Filled(url, wrapper.method, wrapper), made.symbol, line, 1)
                        if request is not None and not _OF_OBJECT.search(url):
                            yield path, SentRequest(self._sources.symbol_id(path, made.symbol), request)

    # ------------------------------------------------------------------ called functions

    def _wrapper(self, path: str, callee: ImportedName) -> tuple[Function, _Chain] | None:
        key = (path, callee)
        if key not in self._called:
            self._called[key] = next(self._wrappers_of(path, callee), None)
        return self._called[key]

    def _wrappers_of(self, path: str, callee: ImportedName) -> Iterator[tuple[Function, _Chain]]:
        for target, name in self._places(path, callee):
            owner, _, method = name.rpartition(".")
            if Function(target, name) in self._wrappers:
                yield Function(target, name), self._chain(Function(target, owner)) if owner else ()
            elif owner:
                chain = self._chain(Function(target, owner))
                for each in chain[1:]:
                    function = Function(each.path, f"{each.name}.{method}")
                    if function in self._wrappers:
                        yield function, chain

    def _places(self, path: str, name: ImportedName) -> Iterator[tuple[str, str]]:
        if not name.module:
            yield path, name.name
            return
        for target, found in places_of(name, path, self._sources):
            if target in self._facts:
                yield target, found.removeprefix("default.")

    def _chain(self, first: Function) -> _Chain:
        """Return an object or class, and the classes above it."""
        found = [first]
        while len(found) <= _MAX_DEPTH:
            api = self._facts.get(found[-1].path)
            made = api.kinds.get(found[-1].name) if api is not None else None
            if made is None:
                break
            places = [Function(*place) for place in self._places(found[-1].path, made.base)]
            above = next((each for each in places if self._is_known(each)), None)
            if above is None or above in found:
                break
            found.append(above)
        return tuple(found)

    def _is_known(self, kind: Function) -> bool:
        known = self._owners.get(kind.path)
        if known is None:
            api = self._facts[kind.path]
            members = (*api.texts, *(each.function for each in api.wrappers), *(each.function for each in api.wrapper_calls))
            known = self._owners[kind.path] = {*api.kinds, *(name.rpartition(".")[0] for name in members)}
        return kind.name in known

    # ------------------------------------------------------------------ texts

    def _filled(self, wrapper: RequestWrapper, path: str, call: WrapperCall, function: Function, chain: _Chain) -> _Filled | None:
        """Return a request with the arguments of a call in place of parameters; None if the call states no part of it."""
        owner = Function(function.path, function.name.rpartition(".")[0])
        method = _given(wrapper.method, call.values) or wrapper.default_method
        if "{" in method:
            return None
        url = self._with_constants(function.path, wrapper.url)
        url = self._of_object(url, chain, owner) if chain else url
        is_own = not call.callee.module and "." in call.callee.name  # `this.send(path)`: the object of the caller
        url = url if is_own else _OF_OBJECT.sub(UNKNOWN, url)
        states = False
        for place in dict.fromkeys(each for each in _MARKED.findall(url) if each[:1].isdigit()):
            text = _given(f"{MARK}{place}{MARK}", call.values)
            states = states or text not in ("", UNKNOWN)
            url = url.replace(f"{MARK}{place}{MARK}", self._with_constants(path, text) or UNKNOWN)
        if len(url) > _MAX_TEXT or (not states and not _OF_OBJECT.search(wrapper.url)):
            return None
        return _Filled(url, method, wrapper)

    def _of_object(self, text: str, chain: _Chain, owner: Function) -> str:
        """Return a text of a method of a class with the fields of the object, as far as its classes state them."""
        at = chain.index(owner) if owner in chain else len(chain) - 1
        for _ in range(_MAX_DEPTH):
            found = _OF_OBJECT.search(text)
            if found is None:
                break
            stated = self._stated(found[1], found[2], chain, at)
            if stated is None:
                break
            text = text.replace(found[0], stated)
            if len(text) > _MAX_TEXT:
                break
        return text

    def _stated(self, kind: str, name: str, chain: _Chain, at: int) -> str | None:
        """Return the text of a field, or of an argument of the constructor, for an object of the first class of a chain."""
        if kind == "super":
            if at == 0:
                return None
            given = chain[at - 1]
            text = self._facts[given.path].texts.get(f"{given.name}.super.{name}")
            return self._with_constants(given.path, text) if text is not None else None
        for number, each in enumerate(chain):
            api = self._facts.get(each.path)
            text = api.texts.get(f"{each.name}.{name}") if api is not None else None
            if text is None:
                continue
            for mark, inner_kind, inner in [(found[0], found[1], found[2]) for found in _OF_OBJECT.finditer(text)]:
                if inner_kind == "super":
                    text = text.replace(mark, self._stated(inner_kind, inner, chain, number) or UNKNOWN)
            return self._with_constants(each.path, text)
        return None

    def _with_constants(self, path: str, text: str) -> str:
        """Return a text of a file with the texts of the constants of other files that it names."""
        if f"{MARK}=" not in text:
            return text
        key = (path, text)
        if key not in self._constants:
            self._constants[key] = UNKNOWN  # of constants that name each other
            found = _CONSTANT.sub(lambda mark: self._constant(path, mark[1], mark[2]), text)
            self._constants[key] = found if len(found) <= _MAX_TEXT else UNKNOWN
        return self._constants[key]

    def _constant(self, path: str, module: str, name: str) -> str:
        for target, local in self._places(path, ImportedName(name.removesuffix("()"), module)):
            own = self._facts[target].texts.get(f"{local}()" if name.endswith("()") else local)
            if own is not None:
                return self._with_constants(target, own)
        return UNKNOWN


class _Filled(NamedTuple):
    """The request of a wrapper with the parts that a call states."""

    url: str
    method: str
    wrapper_of: RequestWrapper

    @property
    def is_open(self) -> bool:
        """Whether callers of the function around the call state a part of the request."""
        return MARK in self.url or MARK in self.method

    def wrapper(self, function: str) -> RequestWrapper:
        own = self.wrapper_of
        return RequestWrapper(function, self.method, own.default_method, self.url, own.framework, own.is_of_page)


def _given(text: str, values: Mapping[str, str]) -> str:
    """Return a part of a request with the arguments of a call; "" if the call does not state it."""
    found = _MARKED.fullmatch(text)
    if found is None:
        return text
    place = found[1]
    if place in values:
        return values[place]
    outer, _, member = place.partition(".")
    given = values.get(outer, "") if member else ""
    if given == UNKNOWN:
        return UNKNOWN
    is_passed = given.startswith(MARK) and given.endswith(MARK) and given.count(MARK) == 2
    return f"{given[:-1]}.{member}{MARK}" if is_passed else ""


def _request(filled: _Filled, symbol: int, line: int, column: int) -> Request | None:
    """Return a request whose path has at most whole segments that are not known; None for others."""
    own = filled.wrapper_of
    method = ANY_METHOD if MARK in filled.method else filled.method.upper()
    url = _MARKED.sub(UNKNOWN, filled.url)
    if MARK in _WHOLE.sub("", filled.url):
        return None
    url = url if _URL.match(url) else f"/{url}"
    if (method not in _METHODS and method != ANY_METHOD) or not _URL.fullmatch(url) or not has_literal(segments_of(url)):
        return None
    return Request(method, url, symbol, line, column, own.framework, "wrapper", is_of_page=own.is_of_page)


def completed(requests: Sequence[Request], path: str, wrapped: WrappedRequests) -> list[Request]:
    """Return requests with the constants of other files in their URLs."""
    return [msgspec.structs.replace(each, url=wrapped.stated(path, each.url)) if MARK in each.url else each for each in requests]
