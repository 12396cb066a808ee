"""Settings, flags, commands and scripts: what code reads and declares, and the edges of documents to it."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.documents.code_terms import LITERAL
from astrolabe.ingest.documents.command_lines import command_lines, flags_of, setting_of
from astrolabe.ingest.documents.literals import literal_of
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.schema.graph_content import GraphContent
from written_workspace import analysed

from tests.linear_time import is_linear, processor_seconds

PYTHON = """
import argparse, os, click, typer
PORT = int(os.environ.get("SHOP_PORT", "80"))
def connect():
    return os.getenv("SHOP_DATABASE") or config("SHOP_FALLBACK", default="")
parser = argparse.ArgumentParser()
parser.add_argument("-q", "--quiet", action="store_true")
commands = parser.add_subparsers()
commands.add_parser("audit")
@click.group()
def cli(): ...
@cli.command("serve")
@click.option(
    "-p", "--port", envvar="SHOP_LISTEN", type=int)
@click.option("--reload/--no-reload")
def run(port): ...
@cli.command()
def import_orders(): ...
app = typer.Typer()
def pay(amount: int = typer.Option(0, "--amount")): ...
OPTIONS = [make_flag_pair("recount", ("-r", "--recount"), ("--no-recount",), help="Count again.")]
"""
TYPESCRIPT = """
const port = process.env.SHOP_PORT ?? '80'
export function host() { return process.env['SHOP_HOST'] }
program.command('serve <port>').option('-v, --verbose', 'more').requiredOption("--name <name>")
yargs.option('depth', { type: 'number' })
class Sync { static flags = { dryRun: Flags.boolean({}) } }
"""
GO = """
package cmd
var serve = &cobra.Command{Use: "serve [flags]"}
func init() {
	serve.Flags().StringVarP(&address, "listen-address", "l", "", "")
	serve.PersistentFlags().Bool("debug", false, "")
	flag.IntVar(&port, "port", 80, "")
	viper.SetDefault("server.port", 80)
}
func token() string { return os.Getenv("SHOP_TOKEN") }
var list = &cli.Command{Name: "list", Flags: []cli.Flag{&cli.StringFlag{Name: "format", EnvVars: []string{"SHOP_FORMAT"}}}}
"""
JAVA = """
class Shop {
    @Value("${shop.port:80}") int port;
    String home = System.getenv("SHOP_HOME");
    @CommandLine.Option(names = {"-o", "--output"}) String output;
}
@Command(name = "stock")
class Stock {}
"""
RUST = """
#[derive(Parser)]
struct Arguments {
    /// The port.
    #[arg(short, long, env = "SHOP_PORT")]
    listen_port: u16,
    #[clap(long = "log-file")]
    log: String,
    #[arg(
        long,
        help_heading = "Orders",
        env = "SHOP_LIMIT"
    )]
    max_items: u16,
    #[arg(help = "a long, long text")]
    rest: String,
}
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Label {
    page_size: u8,
    #[serde(skip_serializing_if = "Option::is_none", rename = "kind")]
    label_kind: Option<String>,
}
#[serde(rename_all = "kebab-case")]
struct Shelf { row_count: u8 }
fn home() -> String { std::env::var("SHOP_HOME").unwrap() }
"""


def _terms(source: str, language: str) -> set[tuple[str, str, str]]:
    facts = extract_facts(source.encode(), language)
    found = {(each.kind, each.name, facts.symbols[each.symbol].name if each.symbol >= 0 else "") for each in facts.terms}
    return {each for each in found if each[0] != LITERAL}


def test_python_declares_terms() -> None:
    assert _terms(PYTHON, "python") == {
        ("setting", "SHOP_PORT", "PORT"),
        ("setting", "SHOP_DATABASE", "connect"),
        ("setting", "SHOP_FALLBACK", "connect"),
        ("setting", "SHOP_LISTEN", "run"),
        ("flag", "--quiet", ""),
        ("flag", "--port", "run"),
        ("flag", "--reload", "run"),
        ("flag", "--no-reload", "run"),
        ("flag", "--amount", "pay"),
        ("flag", "--recount", "OPTIONS"),
        ("flag", "--no-recount", "OPTIONS"),
        ("command", "audit", ""),
        ("command", "serve", "run"),
        ("command", "import-orders", "import_orders"),
    }


def test_typescript_declares_terms() -> None:
    assert _terms(TYPESCRIPT, "typescript") == {
        ("setting", "SHOP_PORT", "port"),
        ("setting", "SHOP_HOST", "host"),
        ("flag", "--verbose", ""),
        ("flag", "--name", ""),
        ("flag", "--depth", ""),
        ("flag", "--dry-run", "flags"),
        ("command", "serve", ""),
    }


def test_go_java_and_rust_declare_terms() -> None:
    assert _terms(GO, "go") == {
        ("command", "serve", "serve"),
        ("flag", "--listen-address", "init"),
        ("flag", "--debug", "init"),
        ("flag", "--port", "init"),
        ("setting", "server.port", "init"),
        ("setting", "SHOP_TOKEN", "token"),
        ("command", "list", "list"),
        ("flag", "--format", "list"),
        ("setting", "SHOP_FORMAT", "list"),
    }
    assert _terms(JAVA, "java") == {
        ("setting", "shop.port", "port"),
        ("setting", "SHOP_HOME", "home"),
        ("flag", "--output", "output"),
        ("command", "stock", "Stock"),
    }
    assert _terms(RUST, "rust") == {
        ("setting", "SHOP_PORT", "listen_port"),
        ("flag", "--listen-port", "listen_port"),
        ("flag", "--log-file", "log"),
        ("flag", "--max-items", "max_items"),
        ("setting", "SHOP_LIMIT", "max_items"),
        ("key", "pageSize", "page_size"),
        ("key", "labelKind", "label_kind"),
        ("key", "kind", "label_kind"),
        ("setting", "SHOP_HOME", "home"),
    }


def test_names_in_constants_fields_of_kong_and_types_of_spring_are_terms() -> None:
    go = """
package main
const (
	portFlag = "port"
	homeSetting = "SHOP_HOME"
)
func home() string { return os.Getenv(homeSetting) }
func run() {
	app := cli.Command{Flags: []cli.Flag{
		&cli.StringFlag{Name: portFlag, Aliases: []string{"p", "listen"}},
		&cli.BoolFlag{Name: "dry-run", Aliases: []string{"test"}},
	}}
	cmd.Flags().Bool(unknownFlag, false, "")
}
type CLI struct {
	Serve ServeCmd `cmd:"" help:"Start."`
	Audit AuditCmd `cmd:"" name:"check" help:"Check."`
	MaxItems int `help:"A limit." env:"SHOP_MAX"`
	Root bool `flag:"" name:"return-root" help:"All."`
	Path string `arg:"" help:"A folder."`
}
"""
    assert _terms(go, "go") == {
        ("setting", "SHOP_HOME", "home"),
        ("flag", "--port", "run"),
        ("flag", "--listen", "run"),
        ("flag", "--dry-run", "run"),
        ("flag", "--test", "run"),
        ("command", "serve", "Serve"),
        ("command", "check", "Audit"),
        ("flag", "--max-items", "MaxItems"),
        ("setting", "SHOP_MAX", "MaxItems"),
        ("flag", "--return-root", "Root"),
    }
    java = """
package org.shop;
@ConfigurationProperties(prefix = "shop.cart")
public class CartProperties {
    private static final String HOME = "SHOP_HOME";
    private int maxItems = 3;
    private Stock stock;
    String home() { return System.getenv(HOME); }
    public static class Stock {
        private boolean isOpen;
    }
}
class Other { int size; }
"""
    assert {each for each in _terms(java, "java") if each[2] not in ("HOME",)} == {
        ("setting", "SHOP_HOME", "home"),
        ("setting", "shop.cart.max-items", "maxItems"),
        ("setting", "shop.cart.stock", "stock"),
        ("setting", "shop.cart.stock.is-open", "isOpen"),
    }


_PARTS = ("A b `", "Flag{Name: a, ", 'a = "b', '`help:"a" ', "getenv(a", '@ConfigurationProperties("a") ', '`yaml:"a-')


@pytest.mark.parametrize(
    ("language", "part"),
    [("bash", "'a-b"), ("bash", "\n "), ("lua", '"aA-')]
    + [(language, part) for language in ("go", "java") for part in _PARTS]
    + [("rust", "#[arg(a, "), ("rust", "serde(a "), ("rust", "#[derive(A, "), ("csharp", "[A, "), ("python", "Field(a ")],
)
def test_terms_are_read_in_linear_time(language: str, part: str) -> None:
    hints = (
        '// Flag{ lags Getenv( Aliases: help:" cmd:"" getenv( yaml:" @ConfigurationProperties JsonProperty alias long '
        "serde( ValueEnum\n"
    )
    assert is_linear(lambda count: processor_seconds(lambda: _terms(hints + part * count, language)), 2_000)


@pytest.mark.parametrize(
    ("language", "source", "expected"),
    [
        (
            "csharp",
            'class A { string Home() => Environment.GetEnvironmentVariable("SHOP_HOME"); }',
            ("setting", "SHOP_HOME", "Home"),
        ),
        ("php", "<?php function home() { return getenv('SHOP_HOME'); }", ("setting", "SHOP_HOME", "home")),
        ("ruby", "def home\n  ENV.fetch('SHOP_HOME')\nend\n", ("setting", "SHOP_HOME", "home")),
        ("bash", "start() {\n  listen ${SHOP_PORT:-80}\n}\n", ("setting", "SHOP_PORT", "start")),
        ("kotlin", 'fun home() = System.getenv("SHOP_HOME")', ("setting", "SHOP_HOME", "home")),
        ("kotlin", 'class Cart {\n    @SerialName("max-items")\n    val maxItems = 3\n}', ("key", "max_items", "maxItems")),
        ("java", 'class Cart { @JsonProperty(value = "max-items") int maxItems; }', ("key", "max_items", "maxItems")),
        ("csharp", 'class Cart { [Required, JsonPropertyName("max")] public int Max { get; set; } }', ("key", "max", "Max")),
        ("python", 'class Cart:\n    size: int = Field(3, alias="max-items")\n', ("key", "max_items", "size")),
        ("rust", 'fn run() { match name { "-g" | "--grammar" | "-x" => build(), _ => {} } }', ("flag", "--grammar", "run")),
        ("typescript", 'const given = arg({ "--showAll": Boolean })', ("flag", "--showAll", "given")),
        ("python", 'class Cart:\n    report = field(metadata=opt("--report", help="all"))\n', ("flag", "--report", "report")),
    ],
)
def test_other_languages_read_terms(language: str, source: str, expected: tuple[str, str, str]) -> None:
    assert _terms(source, language) == {expected}


def test_spans_of_code_are_names_of_strings() -> None:
    spans = ("sort-by", "'sort_by'", "sortBy: true", "shop.cart.added = 1", "sortBy(rows int) Rows", "userId")
    assert [literal_of(span) for span in spans] == ["sort-by", "sort_by", "sortBy", "shop.cart.added", "sortBy", "userId"]
    for other in ("sort", "sort by", "cart.py", "en-US", "a-", "foo.bar", "java.util.Locale", "content-type"):
        assert literal_of(other) == ""


def test_lines_for_a_shell_are_read_as_commands() -> None:
    [one] = command_lines("SHOP_PORT=80 sudo shop orders list --format json --all")
    assert (one.program, one.words, one.flags, one.settings) == (
        "shop", ("orders", "list"), ("--format", "--all"), ("SHOP_PORT",)
    )  # fmt: skip
    first, second = command_lines("npm run build && npx shop serve -- --port 3")
    assert (first.script, second.program, second.flags) == ("build", "shop", ())
    [served] = command_lines("docker run --rm -v $PWD:/data -e SHOP_PORT=80 -e SHOP_HOST example.org/shop:2 serve --all")
    assert (served.program, served.words, served.flags, served.settings) == (
        "shop", ("serve",), ("--all",), ("SHOP_PORT", "SHOP_HOST")
    )  # fmt: skip
    [composed] = command_lines("docker compose run --rm web shop report --output=a.csv")
    assert (composed.program, composed.words, composed.flags) == ("shop", ("report",), ("--output",))
    assert list(command_lines("docker run -it")) == []
    [other] = command_lines("shop run --quiet ./script.sh --verbose")
    assert (other.words, other.flags, other.leading_flags) == (("run",), ("--quiet", "--verbose"), 1)
    assert list(command_lines("$(( ")) == []
    assert (setting_of("$SHOP_PORT"), setting_of("SHOP_PORT=80"), setting_of("server.port: 80"), setting_of("80")) == (
        "SHOP_PORT", "SHOP_PORT", "server.port", ""
    )  # fmt: skip
    assert (flags_of("-p, --port <number>"), flags_of("port")) == (("--port",), ())


WORKSPACE = """
//- pyproject.toml
[project]
name = "shop"
scripts = { shop = "shop.cli:cli" }
//- package.json
{"name": "shop-web", "scripts": {"build": "node scripts/build.mjs --fast", "clean": "rm -rf dist"}}
//- Makefile
orders: pyproject.toml
	python scripts/orders.py
//- scripts/build.mjs
export const built = 1
//- scripts/orders.py
import sys
//- shop/__init__.py
//- shop/cli.py
import os, click
@click.group()
def cli(): ...

@cli.command("serve")
@click.option("--port", envvar="SHOP_PORT")
@click.option("--verbose", is_flag=True)
def serve(port, verbose): ...

@cli.command()
@click.option("--output")
def report(output):
    os.environ["SHOP_REPORTS"], os.environ["SHOP_LIMIT"]
//- shop/worker.py
import os, click
def limit():
    return os.getenv("SHOP_LIMIT")
@click.option("--verbose")
def work(verbose):
    return os.getenv("SHOP_QUEUE"), os.getenv("SHOP_NAME")
//- go.mod
module example.org/kiosk
//- kiosk/config.go
package kiosk

type Signing struct {
	KeyFile string `yaml:"key_file"`
	Method  string `yaml:"method"`
}

type Stall struct {
	Owner   string  `yaml:"owner"`
	Signing Signing `json:"signing" yaml:"signing,omitempty"`
	MaxRows int     `yaml:"max-rows"`
	Color   string  `yaml:"color"`
	Opening string  `yaml:"opening"`
}

type Site struct {
	Street   string `yaml:"street"`
	Postcode string `yaml:"postcode"`
	Floor    int    `yaml:"floor"`
}

type Seller struct {
	Owner  string `yaml:"owner"`
	Method string `yaml:"method"`
}

type Market struct {
	Stalls []*Stall `yaml:"stalls"`
	Days   int      `yaml:"days"`
	Music  bool     `yaml:"music"`
}

func Limit(c *Site) string { return c.GetOrDefault("KIOSK_LIMIT", "3") }
//- kiosk/register.go
package kiosk

import "net/http"

const trackHeader = "X-Kiosk-Track"

// register has "no_literal" in a comment.
func register(r *http.Request) {
	functions["find_stall"] = find
	functions["count-rows"], size["count-rows"] = count, 1
	r.Header.Set("X-Kiosk-Track", "utf-8")
}

func other(r *http.Request) string { return r.Header.Get("X-Kiosk-Track") + "shared_word" }
func third() string                { return "shared_word" }
//- kiosk/bundle.ts
import pack from "kiosk-pack"
export enum Order { Newest = "by-newest" }
export const names = ["openAll", 'kiosk.toml']
//- kiosk/awning.go
package kiosk

type awning struct {
	OpenWidth int    `yaml:"open-width"`
	Shade     string `yaml:"shade"`
	Crank     bool   `yaml:"crank"`
	SideWalls int    `yaml:"side-walls"`
}
//- docs/options.rst
Options
=======

.. option:: -p, --port PORT

   The port.
//- docs/awning.md
# Awnings
## `open-width`
Of metres.
## `shade`
A colour.
## `side-walls`
None by default.
## `crank`
By hand.
//- build.gradle.kts
val library = "kiosk-library"
//- docs/conf.py
options = {"sidebar_depth": 1, "find_stall": 2}
//- kiosk/order.rs
#[derive(Clone, ValueEnum)]
pub enum Sorting { OldestFirst, Price }
#[derive(EnumString)]
#[strum(serialize_all = "SCREAMING_SNAKE_CASE")]
pub enum State { SoldOut }
#[strum(serialize_all = "kebab-case")]
pub enum Kind { Tea }
#[serde(rename_all = "camelCase")]
pub enum Reason { TooLate }
//- kiosk/rows.py
ROWS_HELP = dict(
    ROWS_ABOVE="Rows above the name.",
)
ROWS_TYPE = dict(
    ROWS_ABOVE=int,
)


def rows_above(rows):
    return rows["ROWS_ABOVE"]
//- docs/rows.md
# Tables
`ROWS_ABOVE` is a number.
//- docs/sorting.md
# Members
`oldest-first`, `SOLD_OUT` and `tooLate`, but not `sold-out` or `kebab-case`.
//- docs/values.md
# Values
Call `find_stall(name string) Stall`, count with `count-rows: 3`, order `'by-newest'` and `openAll = true`,
and send `X-Kiosk-Track`.
# No values
`shared_word`, `no_literal`, `utf-8`, `kiosk-pack`, `sidebar_depth`, `kiosk.toml`, `kiosk-library` and `find_stall.rows` are none.
//- docs/data.md
# Data
KIOSK_LIMIT and KIOSK_NONE are read at the start.
```yaml
owner: Ada
max-rows: 3
signing:
  key_file: key.pem
```
# Parts
```yaml
owner: Ada
max-rows: 3
opening: noon
color: red
signing: {}
street: High Street
postcode: N1
floor: 2
```
# Other
```yaml
owner: Ada
method: cash
```
# Rows
```toml
stalls = [
  { owner = "Ada {x: 1}", "max-rows" = 3, other = { street = 1 } },
  { color = "red", opening = "noon" },
]
```
# Streets
The `color` is one of a stall, and its `height` is not.
```yaml
north-side:
  stalls:
    - color: red
      owner: Ada
  owner: Ada
```
## `music`
```yaml
south-side:
  music: true
  days: 3
```
# Columns
| Flag | Option | Text |
|---|---|---|
| `--owner` | `owner` | Who |
| | `max-rows` | How many |
| | `opening` | When |

`config.go` and `Stall.go` are files.
# Plain
```
# all of them
shop report --output=b.csv
```
```
report is the name
other is not
```
# Help
```help
  -p, --port <PORT>   The port [env: SHOP_PORT=]
```
//- docs/guide.md
# Serve
Run `shop serve` with `--port 80`, or set `SHOP_PORT`. It is noisy with `--verbose`.

```console
$ SHOP_LIMIT=3 shop serve --verbose --colour
listening
```
# Reports
```bash
shop report --output=a.csv   # writes
docker run --output b
npm run build && npm run clean
make orders
```
# Gone
`SHOP_GONE` and `OTHER_GONE`, `--gone`, `git serve --port`, `DEBUG`
"""


def _terms_of(content: GraphContent, section: str) -> set[tuple[str, str]]:
    names = {symbol.id: symbol for symbol in content.symbols}
    found = {(names[edge.to_id].name, edge.evidence) for edge in content.mentions if names[edge.from_id].name == section}
    found |= {(edge.to_id, edge.evidence) for edge in content.file_mentions if names[edge.from_id].name == section}
    unresolved = (edge for edge in content.unresolved_mentions if names[edge.from_id].name == section)
    return found | {(edge.to_id, f"{edge.evidence}: {edge.reason}") for edge in unresolved}


def test_documents_name_the_code_of_terms(tmp_path: Path) -> None:
    content = analysed(tmp_path, WORKSPACE)
    assert _terms_of(content, "Serve") == {
        ("serve", "command"),
        ("serve", "flag"),
        ("serve", "setting"),
        ("limit", "setting"),
        ("report", "setting"),
        ("--verbose", "flag: ambiguous"),
        ("--colour", "flag: flag"),
    }
    assert _terms_of(content, "Reports") == {
        ("report", "command"),
        ("report", "flag"),
        ("scripts/build.mjs", "script"),
        ("scripts/orders.py", "script"),
    }
    registered = {("register", "literal"), ("trackHeader", "literal")}
    assert _terms_of(content, "Values") == registered | {("Newest", "literal"), ("names", "literal")}
    assert _terms_of(content, "Members") == {(each, "literal") for each in ("OldestFirst", "SoldOut", "TooLate")}
    assert _terms_of(content, "Tables") == {("ROWS_HELP", "literal")}
    assert _terms_of(content, "No values") == {("shared_word", "literal: ambiguous")}
    assert _terms_of(content, "Options") == {("serve", "flag")}
    awning = {"open-width": "OpenWidth", "shade": "Shade", "side-walls": "SideWalls", "crank": "Crank"}
    assert {name: _terms_of(content, name) for name in awning} == {name: {(field, "name")} for name, field in awning.items()}
    fields = {("Owner", "name"), ("MaxRows", "name"), ("Signing", "name")}
    assert _terms_of(content, "Data") == fields | {("KeyFile", "name"), ("Limit", "setting")}
    site = {("Street", "name"), ("Postcode", "name"), ("Floor", "name")}
    assert _terms_of(content, "Parts") == fields | site | {("Opening", "name"), ("Color", "name")}
    assert _terms_of(content, "Other") == set()
    assert _terms_of(content, "Rows") == {("Owner", "name"), ("MaxRows", "name"), ("Color", "name"), ("Opening", "name")}
    assert _terms_of(content, "Streets") == {("Color", "name"), ("Owner", "name")}
    assert _terms_of(content, "music") == {("Music", "name"), ("Days", "name")}
    assert _terms_of(content, "Columns") == {("Owner", "name"), ("MaxRows", "name"), ("Opening", "name")}
    assert _terms_of(content, "Plain") == {("report", "command"), ("report", "flag")}
    assert _terms_of(content, "Help") == {("serve", "flag"), ("serve", "setting")}
    assert _terms_of(content, "Gone") == {("SHOP_GONE", "setting: setting")}
    names = {symbol.id: symbol.name for symbol in content.symbols}
    kept = {edge.to_id: [names[each] for each in edge.candidates] for edge in content.unresolved_mentions}
    assert sorted(kept["--verbose"]) == ["serve", "work"]
    assert kept["--colour"] == []
