"""Find files that need no import: programs that people start, modules that a script loader such as AMD finds by name, and workers
that pages and libraries start by their URL.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sized

from ...text_search.indexed_text import IndexedTexts

_STARTED = re.compile(
    rb"\A#!|\brequire\.main\s{0,9}===\s{0,9}module\b|\bimport\.meta\.main\b|\bprocess\.(?:argv|exit|stdin|stdout)\b|\bDeno\.args\b"
    rb"""|(?:\bfrom|\brequire\()\s{0,9}['"](?:node:)?(?:fs|fs/promises|child_process|fs-extra|execa|zx|shelljs)['"]"""
)
_STARTED_REASON = "it exports nothing and runs by itself, so that people may start it"
#: Code that marks a module as a program.
_PROGRAM = re.compile(rb"\A#!|\brequire\.main\s{0,9}===\s{0,9}module\b|\bimport\.meta\.main\b|\bprocess\.argv\[1\]")
_PROGRAM_REASON = "it runs by itself where it is the main module, so that people may start it"
#: A script of a tool that calls its exports.
_OF_RUNNER = re.compile(rb"\bfrom\s{0,9}['\"]k6(?:/[\w/-]{1,60})?['\"]")
RUNNER_REASON = "it is a script of k6, which calls its exports"
#: Folders of programs that people start.
_FOR_PEOPLE = re.compile(
    r"(?:^|/)(?:scripts?|tools?|bin|tasks?|bench(?:es|mark|marks)?|perf|examples?|demos?|playgrounds?|seeds?|migrations?)/"
    r"|/(?:examples?|demo|usage|playground)\.[cm]?[jt]s$"
)
_EXAMPLES = re.compile(r"(?:^|/)(?:examples?|demos?|samples?|snippets?|tutorials?)/")
EXAMPLE_REASON = "it is in a folder of examples, which people run or read"
#: A call or a loop at the beginning of a line: the module runs code when it is loaded.
_ACTS = re.compile(rb"^(?:(?:await|void)\s+)?[\w$][\w$.]{0,80}\(|^\(async\b|^(?:for|if|while|switch|try)\b", re.MULTILINE)
_FOR_PEOPLE_REASON = "it exports nothing and runs by itself, and has the folder or the name of a program that people start"
_AT_ROOT_REASON = "it exports nothing and runs by itself, and is in the root, from which people may start it"
_SCRIPT_LOADER = re.compile(
    rb"\bdefine\.amd\b|^define\(\s{0,9}(?:['\"\[]|function)|\bgoog\.provide\(|\bsap\.ui\.(?:define|require)\(|\b(?:Ext|odoo)\.define\("
    rb"|\bYUI\.add\(|\bangular\s{0,9}\.module\(",
    re.MULTILINE,
)
_SCRIPT_REASON = "it is a module for a loader of scripts, which finds it by name"

#: Code that only a worker runs: scripts that it loads, and events of service workers and shared workers.
_WORKER = re.compile(
    rb"""^importScripts\(|\bself\.(?:skipWaiting\(|registration\.|clients\.|onconnect\b)"""
    rb"""|\bself\.addEventListener\(\s{0,9}['"](?:install|activate|fetch|push|sync|notificationclick|connect)['"]""",
    re.MULTILINE,
)
_WORKER_REASON = "it is a worker, which pages and libraries start by its URL"


def started_programs(texts: IndexedTexts, paths: Iterable[str], exports: Mapping[str, Sized]) -> Iterator[tuple[str, str]]:
    """Yield the files, among some files, that run without an import, each with the reason; `exports` maps paths to exported
    names.
    """
    for path in paths:
        text = texts[path].text if path in texts else b""
        if _SCRIPT_LOADER.search(text):
            yield path, _SCRIPT_REASON
        elif _OF_RUNNER.search(text):
            yield path, RUNNER_REASON
        elif _PROGRAM.search(text):
            yield path, _PROGRAM_REASON
        elif not exports.get(path) and _STARTED.search(text):
            yield path, _STARTED_REASON
        elif not exports.get(path) and _WORKER.search(text):
            yield path, _WORKER_REASON
        elif not exports.get(path) and (_FOR_PEOPLE.search(path) or "/" not in path) and _ACTS.search(text):
            yield path, _FOR_PEOPLE_REASON if "/" in path else _AT_ROOT_REASON
        elif _EXAMPLES.search(path):
            yield path, EXAMPLE_REASON
