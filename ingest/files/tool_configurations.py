"""Tell which files configure bundlers, test runners, compilers and frameworks that map module specifiers."""

from __future__ import annotations

import re

_SCRIPT = r"\.[cm]?[jt]s"
#: File names of each tool. The nearest configuration of each tool applies.
_NAMES = {
    "vite": rf"(?:electron\.)?(?:vite|vitest)(?:[.-][\w-]+)*{_SCRIPT}",
    "webpack": rf"(?:webpack|rspack)(?:[.-][\w-]+)*{_SCRIPT}|webpackfile{_SCRIPT}|karma\.conf{_SCRIPT}|gatsby-node{_SCRIPT}",
    "framework": r"(?:nuxt|svelte|astro|next|vue|rsbuild|rslib|modern|craco|umi|quasar|snowpack|wxt|docusaurus|farm|app)"
    rf"\.config{_SCRIPT}"
    rf"|config-overrides{_SCRIPT}|\.umirc{_SCRIPT}|\.dumirc{_SCRIPT}",
    "rollup": rf"(?:rollup|rolldown|tsup|tsdown|esbuild|build)(?:[.-][\w-]+)*{_SCRIPT}",
    "babel": rf"babel\.config(?:{_SCRIPT}|\.json)|\.babelrc(?:{_SCRIPT}|\.json)?",
    "metro": rf"metro\.config{_SCRIPT}",
    "jest": rf"jest(?:[.-][\w-]+)*(?:{_SCRIPT}|\.json)",
    "deno": r"deno\.jsonc?|import_map\.json|import-map\.json|importmap\.json",
}
_TOOLS = re.compile("|".join(f"(?P<{tool}>{names})" for tool, names in _NAMES.items()))
#: Beginnings of all these names, for a fast check that excludes most files.
_BEGINNINGS = (
    "electron.", "vit", "webpack", "rspack", "karma.", "gatsby-", "nuxt.", "svelte.", "astro.", "next.", "vue.", "rs", "modern.",
    "craco.", "umi.", "quasar.", "snowpack.", "wxt.", "docusaurus.", "farm.", "app.", "config-", ".umirc", ".dumirc", "roll",
    "ts", "esbuild", "build", "babel.", ".babelrc", "metro.", "jest", "deno.", "import",
)  # fmt: skip


#: The configuration of Storybook: it modifies the configuration of a bundler.
_STORYBOOK = re.compile(rf"(?:.*/)?\.storybook/main{_SCRIPT}x?")


#: Names of Deno's configuration.
DENO_NAMES = ("deno.json", "deno.jsonc")
#: Maximum length of a chain of files that import one another, from a configuration on.
MAX_IMPORTS = 8
_SCRIPT_EXTENSIONS = ("", ".ts", ".js", ".mjs", ".mts", ".cjs", ".cts", "/index.ts", "/index.js")


def script_candidates(path: str) -> list[str]:
    """Return the paths to which the import of a path in a configuration may resolve: with the extensions that may be omitted."""
    stems = dict.fromkeys((path, re.sub(r"\.[cm]?js$", "", path)))
    return [stem + extension for stem in stems for extension in _SCRIPT_EXTENSIONS]


def tool_of(path: str) -> str | None:
    """Return the tool, or the family of tools, that a file configures: "vite" for vitest.config.ts."""
    name = path[path.rfind("/") + 1 :]
    if name.startswith("main."):
        return "storybook" if _STORYBOOK.fullmatch(path) else None
    if not name.startswith(_BEGINNINGS):
        return None
    matched = _TOOLS.fullmatch(name)
    return matched.lastgroup if matched is not None else None
