"""A search for one name: what declares it comes first, also where that is a member without a result of its own; and a search
for tests."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from astrolabe.server.api.workspace import Workspace

PROJECT = {
    "src/crawler.ts": """export interface CrawlerOptions {
  /** How often a page is asked for again. */
  maxPageRetries: number
  timeout: number
}

export class Crawler {
  constructor(private options: CrawlerOptions) {}

  retryPage(url: string): boolean {
    return this.options.maxPageRetries > url.length
  }
}
""",
    "src/limits.ts": """export function maxRetries(pages: number): number {
  return pages * 2
}

export enum Level {
  VeryQuiet,
  Loud,
}
""",
    "src/canvas.ts": """export class Batch {
  constructor(readonly tasks: string[]) {}
}

export class Request {
  Batch(): string[] {
    return []
  }
}
""",
    "test/crawler.test.ts": """import { Crawler } from '../src/crawler'

describe('Crawler', () => {
  it('asks for a page again', () => {
    const maxPageRetries = () => 3
    const crawler = new Crawler({ maxPageRetries: maxPageRetries(), timeout: 1 })
    expect(crawler.retryPage('a')).toBe(true)
  })
})
""",
}


@pytest.fixture(scope="module")
def project(indexed_project: Callable[[dict[str, str]], Workspace]) -> Workspace:
    return indexed_project(PROJECT)


NAMES = [
    ("maxPageRetries", "src/crawler.ts", "CrawlerOptions"),
    ("CrawlerOptions.maxPageRetries", "src/crawler.ts", "CrawlerOptions"),
    ("VeryQuiet", "src/limits.ts", "Level"),
    ("Batch", "src/canvas.ts", "Batch"),
    ("maxRetries", "src/limits.ts", "maxRetries"),
]


@pytest.mark.parametrize(("name", "file", "declaration"), NAMES)
def test_what_declares_a_name_comes_first(project: Workspace, name: str, file: str, declaration: str) -> None:
    first = project.search(name, limit=3).results[0]
    assert (first.file, first.name) == (file, declaration)


def test_of_a_name_the_class_comes_before_the_method(project: Workspace) -> None:
    results = project.search("Batch").results
    assert [(result.kind, result.name) for result in results[:2]] == [("class", "Batch"), ("method", "Batch")]


def test_tests_come_first_where_they_are_asked_for(project: Workspace) -> None:
    assert project.search("tests for the crawler", limit=3).results[0].file == "test/crawler.test.ts"
    assert project.search("how does the crawler ask for a page again", limit=3).results[0].file == "src/crawler.ts"
    assert project.search("tests for the tax on imported wine").results == ()
