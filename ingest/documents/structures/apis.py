"""Endpoints that documents describe: method and path, parameters, and responses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from ..sections import Table
from .parts import TEXT, Entry, Part, as_written, cell, columns, plain, short, split_lead
from .structured_forms import Api, Endpoint, Parameter, Response, Structure

_METHODS: Final = "GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|CONNECT|TRACE"
#: A heading or a line that consists of a method and a path.
ENDPOINT: Final = re.compile(rf"(?P<method>{_METHODS})[ ]+(?P<path>(?:https?://\S+)?/\S*)", re.ASCII)
#: A word before the method and the path of a title: "Endpoint: POST /carts".
_LABEL: Final = re.compile(r"(?:endpoint|request|route)[ ]*:[ ]*", re.IGNORECASE)
#: A line that has only a method and a path.
_ONLY: Final = re.compile(
    rf"[`*_]*(?P<method>{_METHODS})[`*_]*[ ]+[`*_]*(?P<path>(?:https?://[^\s`*]+)?/[^\s`*]*)[`*_]*(?:[ ]+HTTP/[\d.]+)?", re.ASCII
)
#: Lines before the first line of the text of a section: fences of blocks, and anchors.
_NO_TEXT: Final = ("```", "~~~", "<a ", "</a>")
_LINE: Final = re.compile(
    rf"[ \t]*(?:[-*+][ \t]+|\d+[.)][ \t]+)?[`*_]*(?P<method>{_METHODS})[`*_]*[ \t:]+[`*_]*(?P<path>(?:https?://[^\s`*]+)?/[^\s`*]*)",
    re.ASCII,
)
_LIST: Final = re.compile(r"[ \t]*(?:[-*+]|\d+[.)])[ \t]+")
_SPAN: Final = re.compile(rf"`(?P<method>{_METHODS})[ ]+(?P<path>/[^\s`]*)`", re.ASCII)
_TABLE: Final = {
    "method": re.compile(r"(?:http )?(?:method|verb)\b", re.IGNORECASE),
    "path": re.compile(r"(?:path|route|url|uri|endpoint|resource|http request)\b", re.IGNORECASE),
    "description": re.compile(r"(?:description|purpose|action|what|meaning|summary|notes?)\b", re.IGNORECASE),
}
_PARAMETERS: Final = {
    "name": re.compile(
        r"(?:(?:object|json|request|body) )?"
        r"(?:parameters?|names?|fields?|key|argument|header|query|property|attribute|variable)\b",
        re.IGNORECASE,
    ),
    "place": re.compile(r"(?:in|location|located|sent in|parameter type)$", re.IGNORECASE),
    "type": re.compile(r"(?:data ?)?(?:type|schema|format)\b", re.IGNORECASE),
    "required": re.compile(r"(?:required|mandatory|optional)\b\??", re.IGNORECASE),
    "default": re.compile(r"default", re.IGNORECASE),
    "description": re.compile(r"(?:description|meaning|notes?|details)\b", re.IGNORECASE),
}
_RESPONSES: Final = {
    "status": re.compile(r"(?:(?:http )?(?:status|code)|status code|response code|http code)\b", re.IGNORECASE),
    "description": re.compile(r"(?:description|meaning|reason|when|body|response|message|schema|notes?)\b", re.IGNORECASE),
}
_PARAMETER_TITLE: Final = re.compile(r"\b(?:parameters?|params|arguments|headers|body|fields|attributes|query)\b", re.IGNORECASE)
_RESPONSE_TITLE: Final = re.compile(r"\b(?:response|responses|returns?|errors?|status codes|error codes)\b", re.IGNORECASE)
_REQUEST_TITLE: Final = re.compile(r"\b(?:request|body|payload|example request)\b", re.IGNORECASE)
#: A call of an endpoint in a block, which the block after it answers.
_CALL: Final = re.compile(r"[$>\u276f%][ ]*\w|(?:curl|http|https|wget)[ ]")
_STATUS: Final = re.compile(
    r"(?:HTTP(?:/[\d.]+)?[ ])?(?P<status>[1-5]\d\d|[1-5]xx)\b[ :\u2013\u2014-]*(?P<text>.*)", re.IGNORECASE
)
_DETAILS: Final = re.compile(r"[\[(](?P<details>[^()\[\]]{1,80})[\])]")
_PLACES: Final = ("path", "query", "header", "cookie", "body")
#: Maximum length of an example, in characters.
_MAX_EXAMPLE: Final = 1_000
#: Maximum depth of nested sections that describe one endpoint.
_MAX_DEPTH: Final = 3
_NOTHING: Final = "The section names no method with a path."


def read_endpoint(part: Part) -> Structure:
    """Return the endpoint that a section describes."""
    named = described_endpoint(part)
    if named is None:
        return as_written(part, "api", _NOTHING)
    return Structure("api", "endpoint", Api([_endpoint(part, named)]))


def described_endpoint(part: Part) -> re.Match[str] | None:
    """Return the method and the path of a section that describes one endpoint: they are its title, or its first line if tables or
    subsections for parameters or responses follow.
    """
    titled = ENDPOINT.match(_LABEL.sub("", part.section.title))
    if titled is not None:
        return titled
    texts = (text.strip() for _, text in part.numbered_texts())
    first = next((text for text in texts if text and not text.startswith(_NO_TEXT)), "")
    named = _ONLY.fullmatch(first)
    return named if named is not None and _describes_endpoint(part) else None


def _describes_endpoint(part: Part) -> bool:
    titles = [inner.section.title for inner in part.inner]
    if any(_PARAMETER_TITLE.search(title) or _RESPONSE_TITLE.search(title) for title in titles):
        return True
    return any("status" in columns(table, _RESPONSES) or len(columns(table, _PARAMETERS)) > 1 for table in part.tables)


def has_endpoints(part: Part) -> bool:
    """Return whether a section or one of its inner sections has a method with a path."""
    return read_api(part).form != TEXT


def read_api(part: Part) -> Structure:
    """Return the endpoints of a section: from its tables and lines, and from its inner sections."""
    rows = [endpoint for table in part.tables for endpoint in _rows(table)]
    lines = _lines(part)
    inner = [endpoint for each in part.inner for endpoint in _inner(each, _MAX_DEPTH)]
    if inner:
        return Structure("api", "sections", Api([*(rows or lines), *inner]))
    if rows:
        return Structure("api", "table", Api(rows))
    if len(lines) == 1 and (named := _method_and_path(part)) is not None:
        return Structure("api", "endpoint", Api([_endpoint(part, named)]))
    if lines:
        return Structure("api", "list", Api(lines))
    return as_written(part, "api", _NOTHING)


def _inner(part: Part, depth: int) -> Iterator[Endpoint]:
    """Yield the endpoints of an inner section: the one that it describes, or those that it lists, and those of its sections."""
    named = _method_and_path(part)
    if named is not None:
        yield _endpoint(part, named)
        return
    yield from [endpoint for table in part.tables for endpoint in _rows(table)] or _lines(part)
    if depth > 1:
        for each in part.inner:
            yield from _inner(each, depth - 1)


def _lines(part: Part) -> list[Endpoint]:
    """Return the endpoints in the lines of a section, and in spans of code of its lists: "Search: `GET /items`"."""
    found: list[Endpoint] = []
    for number, text in part.numbered_texts():
        if (line := _LINE.match(text)) is not None:
            found.append(
                Endpoint(line["method"], line["path"], short(text[line.end() :].strip("`*_ :\u2013\u2014-")), line=number)
            )
        elif "`" in text and (item := _LIST.match(text)) is not None:
            named = text[item.end() :].partition("`")[0].strip(" *_:")
            found += [Endpoint(each["method"], each["path"], short(named), line=number) for each in _SPAN.finditer(text)]
    return found


def _method_and_path(part: Part) -> re.Match[str] | None:
    """Return the method and the path of a section: in its title, or on its only line with a method and a path."""
    titled = described_endpoint(part)
    if titled is not None:
        return titled
    found = [match for _, text in part.numbered_texts() if (match := _LINE.match(text)) is not None]
    return found[0] if len(found) == 1 else None


def _endpoint(part: Part, named: re.Match[str]) -> Endpoint:
    texts = (short(text) for text in part.paragraphs() if _LINE.match(text) is None)
    endpoint = Endpoint(named["method"], named["path"].rstrip("`*_"), next(texts, ""), line=part.section.title_line)
    _describe(endpoint, part, "", _MAX_DEPTH)
    return endpoint


def _describe(endpoint: Endpoint, part: Part, title: str, depth: int) -> None:
    """Add the description of an endpoint from a section. `title` is "" for the section of the endpoint itself."""
    is_response = _RESPONSE_TITLE.search(title) is not None
    for table in part.tables:
        if "status" in (found := columns(table, _RESPONSES)):
            endpoint.responses += [
                Response(cell(row, found["status"]), cell(row, found.get("description"))) for row in table.rows
            ]
        elif not is_response:
            endpoint.parameters += _parameter_rows(table, _place(title))
    if is_response:
        endpoint.responses += _listed_responses(part.entries())
    elif _PARAMETER_TITLE.search(title) is not None:
        endpoint.parameters += [_listed_parameter(entry, _place(title)) for entry in part.entries()]
    earlier = ""  # the previous block
    for block in part.code:
        text = block.text.strip()[:_MAX_EXAMPLE]
        is_output = is_response or (not title and block.language.lower() == "json" and _CALL.match(earlier) is not None)
        earlier = text
        if is_output:
            endpoint.responses.append(Response(_status_of(title), example=text))
        elif _REQUEST_TITLE.search(title) is not None and not endpoint.request:
            endpoint.request = text
    if depth > 0:
        for inner in part.inner:
            inner_title = inner.section.title
            status = _STATUS.match(inner_title)
            if status is not None and is_response and not inner.code:
                endpoint.responses.append(Response(status["status"], status["text"] or inner.first_paragraph()))
            else:
                _describe(endpoint, inner, f"{title} {inner_title}" if is_response else inner_title, depth - 1)


def _rows(table: Table) -> Iterator[Endpoint]:
    found = columns(table, _TABLE)
    if "path" not in found:
        return
    for place, row in enumerate(table.rows):
        path, method = plain(cell(row, found["path"])), cell(row, found.get("method")).upper()
        both = ENDPOINT.match(path)
        if both is not None:
            method, path = both["method"], both["path"]
        if re.fullmatch(rf"(?:{_METHODS})(?:[,/ ]+(?:{_METHODS}))*", method) and "/" in path:
            yield Endpoint(method, path, cell(row, found.get("description")), line=table.row_line(place))


def _parameter_rows(table: Table, place: str) -> Iterator[Parameter]:
    found = columns(table, _PARAMETERS)
    if "name" not in found or len(found) < 2:
        return
    is_negated = "required" in found and table.header[found["required"]].strip().lower().startswith("optional")
    for row in table.rows:
        written = cell(row, found.get("required")).lower()
        required = _is_yes(written) if written else None
        yield Parameter(
            cell(row, found["name"]),
            cell(row, found.get("place")).lower() or place,
            cell(row, found.get("type")),
            not required if is_negated and required is not None else required,
            cell(row, found.get("default")),
            cell(row, found.get("description")),
        )


def _listed_parameter(entry: Entry, place: str) -> Parameter:
    """Return the parameter of an item: "`limit` (integer, optional): most rows"."""
    lead, rest = split_lead(entry.item)
    name = lead or entry.item.text.split(" ")[0]
    details = _DETAILS.search(entry.item.text[len(name) : len(name) + 100])
    words = [word.strip() for word in details["details"].split(",")] if details is not None else []
    required = False if "optional" in words else True if "required" in words else None
    given = next((word for word in words if word.lower() in _PLACES), place)
    kinds = [word for word in words if word not in ("optional", "required") and word.lower() not in _PLACES]
    text = rest if details is None else rest.replace(details[0], "", 1).lstrip(" :\u2013\u2014-")
    return Parameter(_DETAILS.sub("", name).strip(), given, kinds[0] if kinds else "", required, description=text)


def _listed_responses(entries: Sequence[Entry]) -> Iterator[Response]:
    for entry in entries:
        found = _STATUS.match(entry.item.text)
        if found is not None:
            yield Response(found["status"], short(found["text"]))


def _status_of(title: str) -> str:
    found = re.search(r"\b[1-5]\d\d\b", title)
    return found[0] if found is not None else ""


def _place(title: str) -> str:
    lowered = title.lower()
    return next((place for place in _PLACES if place in lowered), "")


def _is_yes(text: str) -> bool:
    return text.strip("*_ ").startswith(("y", "true", "required", "\u2705", "\u2714", "\u2713", "x", "always"))
