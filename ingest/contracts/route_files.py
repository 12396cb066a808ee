"""Routes that the paths of files define. In some frameworks, such a file exports functions with the names of HTTP methods."""

from __future__ import annotations

import re
from typing import Final, NamedTuple


class RouteFile(NamedTuple):
    """The route of a file."""

    framework: str
    #: Folder of the application.
    root: str
    #: Path of the URL, with parameters as the framework writes them.
    url: str
    #: The HTTP method that the path states; "" if it states none.
    method: str = ""


#: The paths of such files, by framework. The group `url` is the part of the path that appears in the URL.
_PLACES: Final = (
    ("Next.js", re.compile(r"(?P<root>(?:.*?/)?)(?:src/)?app/(?P<url>.*/)?route\.[jt]sx?")),
    ("SvelteKit", re.compile(r"(?P<root>(?:.*?/)?)src/routes/(?P<url>.*/)?\+server\.[jt]s")),
    ("Astro", re.compile(r"(?P<root>(?:.*?/)?)src/pages/(?P<url>.+?)(?:(?:^|(?<=/))index)?\.[jt]s")),
)
#: Handlers of Next.js that serve all methods: the default exports of files in `pages/api`.
_PAGES: Final = re.compile(r"(?P<root>(?:.*?/)?)(?:src/)?pages/(?P<url>api/.+)\.[jt]sx?")
#: Handlers of Nitro and Nuxt: `server/api/users/[id].get.ts`. The folder `routes` is no part of the URL.
_EVENTS: Final = re.compile(
    r"(?P<root>(?:.*?/)?)server/(?:(?=api/)|routes/)(?P<url>.+?)"
    r"(?:\.(?P<method>get|head|patch|post|put|delete|connect|options|trace))?(?:\.(?:dev|prod|prerender))?\.[cm]?[jt]s"
)
#: Segments that group files without a part in the URL: `(shop)` and the slot `@modal`.
_GROUP: Final = re.compile(r"\([^/()]*\)|@[^/]+")
#: A parameter that may be missing: `[[...path]]`.
_OPTIONAL: Final = re.compile(r"\[(\[[^\[\]]*\])\]")


def page_route(path: str) -> RouteFile | None:
    """Return the route of the default export of a file: `pages/api/users/[id].ts` -> `/api/users/[id]`."""
    found = _PAGES.fullmatch(path)
    if found is None:
        return None
    segments = found["url"].split("/")
    if segments[-1] == "index":
        segments.pop()
    return RouteFile("Next.js", found["root"], "/" + "/".join(_OPTIONAL.sub(r"\1", each) for each in segments))


def event_route(path: str) -> RouteFile | None:
    """Return the route of a handler of Nitro or Nuxt: `server/api/users/[id].get.ts` -> `GET /api/users/[id]`."""
    found = _EVENTS.fullmatch(path)
    if found is None:
        return None
    segments = [each for each in found["url"].split("/") if not _GROUP.fullmatch(each)]
    if segments[-1:] == ["index"]:
        segments.pop()
    return RouteFile("Nuxt", found["root"], "/" + "/".join(segments), (found["method"] or "").upper())


def route_file(path: str) -> RouteFile | None:
    """Return the route of a file: `app/(shop)/users/[id]/route.ts` -> `/users/[id]`; None for other files."""
    for framework, pattern in _PLACES:
        found = pattern.fullmatch(path)
        if found is not None:
            segments = [each for each in (found["url"] or "").split("/") if each and not _GROUP.fullmatch(each)]
            if any(each.startswith("_") for each in segments):
                return None  # a folder that the framework ignores
            return RouteFile(framework, found["root"], "/" + "/".join(_OPTIONAL.sub(r"\1", each) for each in segments))
    return None
