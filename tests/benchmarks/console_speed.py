"""Prints how fast the console's page is: `python tests/benchmarks/console_speed.py FOLDER [--command COMMAND] [--rounds N]`.

FOLDER must be indexed. The page runs in Chromium without a graphics card. Each row is the median of the rounds, in milliseconds:
views from the address until they are complete, then frames while a graph of 2,000 symbols is dragged and zoomed.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

from markdown_tables import print_head, print_row
from playwright.sync_api import Browser, Page, sync_playwright

sys.path.insert(0, str(Path(__file__).parents[1]))

from browser import OPTIONS, program

#: Milliseconds after which the measurement gives up.
PATIENCE = 300_000
#: The chain of a graph that is drawn node by node.
LARGE = "symbols().sort('importance', descending=true).limit(2000)"
#: Name of the time until the field of the first view takes text.
FIELD = "first view, until one can type"
#: Name of the processor time of the thread that computes and draws the first view, which depends less on other processes.
PROCESSOR = "first view, processor of the page"
VIEWS = {
    "first view, with its picture": "ask",
    "question": "ask?q=where+is+the+configuration+read",
    "the same question again": "ask?q=where+is+the+configuration+read",
    "graph of 40 symbols": "graph?chain=symbols().hubs(40)",
    "graph of 2,000 symbols": f"graph?chain={LARGE}",
    "graph of all symbols, by folder": "graph?chain=symbols()",
    "map": "map",
    "health": "health",
}
#: Moves of the pointer while frames are measured.
MOVES = 60


def complete(page: Page) -> None:
    """Wait until a view has its answer and its layout, and the browser has painted both."""
    page.wait_for_selector("main h2, main .tools, main .search, main .facts")
    page.wait_for_selector(".waiting, [aria-busy=true]", state="detached")
    page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def views(browser: Browser, url: str) -> dict[str, float]:
    """Return the time of each view, each in a page that has nothing in its cache."""
    times = {}
    for name, address in VIEWS.items():
        with browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce") as context:
            page = context.new_page()
            page.set_default_timeout(PATIENCE)
            page.add_init_script(f"localStorage.setItem('astrolabe-token', '{url.partition('=')[2]}')")
            tracing = context.new_cdp_session(page)
            tracing.send("Performance.enable", {"timeDomain": "threadTicks"})
            begin = time.perf_counter()
            page.goto(f"{url.partition('#')[0]}#/{address}")
            if address == "ask":
                page.wait_for_selector("input[name=q]:focus")
                times[FIELD] = (time.perf_counter() - begin) * 1000
            complete(page)
            times[name] = (time.perf_counter() - begin) * 1000
            if address == "ask":
                metrics = {metric["name"]: metric["value"] for metric in tracing.send("Performance.getMetrics")["metrics"]}
                times[PROCESSOR] = metrics["TaskDuration"] * 1000
    return times


def frames(browser: Browser, url: str) -> dict[str, float]:
    """Return the median and the slowest of twenty frames while a large graph is dragged and zoomed."""
    times = {}
    with browser.new_context(viewport={"width": 1440, "height": 900}, reduced_motion="reduce") as context:
        page = context.new_page()
        page.set_default_timeout(PATIENCE)
        page.add_init_script(f"localStorage.setItem('astrolabe-token', '{url.partition('=')[2]}')")
        page.goto(f"{url.partition('#')[0]}#/graph?chain={LARGE}")
        complete(page)
        box = page.locator("[role=img]").bounding_box()
        assert box is not None
        page.evaluate("""() => {
            window.lengths = []; let last = performance.now();
            const next = (now) => { lengths.push(now - last); last = now; requestAnimationFrame(next) };
            requestAnimationFrame(next) }""")

        def measure(name: str, move: Callable[[int], object]) -> None:
            page.evaluate("lengths.length = 0")
            for number in range(MOVES):
                move(number)
            lengths = sorted(page.evaluate("lengths"))
            times[f"{name}, median frame"] = median(lengths)
            times[f"{name}, slowest frame of 20"] = lengths[int(0.95 * (len(lengths) - 1))]

        page.mouse.move(box["x"] + 10, box["y"] + 100)
        page.mouse.down()
        measure("drag", lambda number: page.mouse.move(box["x"] + 10 + 4 * number, box["y"] + 100 + 2 * number))
        page.mouse.up()
        measure("zoom", lambda number: page.mouse.wheel(0, 40 if number % 20 < 10 else -40))
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--command", default=f"{sys.executable} -P -m astrolabe", help="the command line to measure")
    parser.add_argument("--rounds", type=int, default=3)
    arguments = parser.parse_args()
    command = [*shlex.split(arguments.command), "console", "--no-open", "--port", "0"]
    with subprocess.Popen(command, cwd=arguments.folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as console:
        assert console.stdout is not None
        found = next(filter(None, (re.search(r"http://\S+#token=\S+", line) for line in console.stdout)))
        with sync_playwright() as playwright, playwright.chromium.launch(executable_path=program(), args=OPTIONS) as browser:
            rounds = [views(browser, found[0]) | frames(browser, found[0]) for _ in range(arguments.rounds)]
        console.terminate()
    print_head(["", "milliseconds"])
    for name in rounds[0]:
        print_row([name, f"{median(each[name] for each in rounds):,.0f}"])


if __name__ == "__main__":
    main()
