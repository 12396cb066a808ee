"""What is not called dead, because something that is not read, not resolved or named in a text may use it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from time import process_time

import pytest
from astrolabe.retrieval.lint.dead_code.file_names import specific_pattern
from astrolabe.server.api.workspace import Workspace

Project = Callable[[dict[str, str]], Workspace]

#: What is dead and what is not known, each as "path" for a file and "path name" for a declaration.
Found = tuple[set[str], set[str]]


def found_in(workspace: Workspace, **options: bool) -> Found:
    answer = workspace.lint(checks=["dead-code"], include_generated=options.get("include_generated", False)).answer

    def named(kind: str, file: str, symbol: str) -> str:
        return file if kind == "file" else f"{file} {symbol}"

    dead = {named(each.kind, each.file, each.symbol) for each in answer.dead_code or () if each.confidence != "low"}
    return dead, {named(each.kind, each.file, each.symbol) for each in answer.not_known or ()}


APP = '{"name": "app", "main": "main.js"}'
#: Files, what is dead, what is not known.
CASES: Mapping[str, tuple[dict[str, str], set[str], set[str]]] = {
    "templates that are not read": (
        {
            "views/home.ejs": "<script src='/js/menu.js'></script><a onclick='openMenu()'><% priceOf(item) %>",
            "public/js/menu.js": "function openMenu() {}\nfunction unused() {}\nvar rows = function () {\n"
            "  list.innerHTML = '<a href=\"#\" onclick=\"rows.undo(' + id + ')\">unused</a>'\n}\n",
            "public/js/gone.js": "",
            "main.js": "export { x } from './prices.js'",
            "prices.js": "export const x = 1\nexport const priceOf = (it) => it\nexport const spare = 2\n",
        },
        {"public/js/gone.js", "prices.js spare", "public/js/menu.js unused"},
        {"public/js/menu.js", "public/js/menu.js openMenu", "public/js/menu.js rows", "prices.js priceOf"},
    ),
    "folders of scripts that a page loads by URL": (
        {
            "site/public/decoders/mesh/decode.js": "var Decoder = function () {}\nfunction unused() {}\n",
            "site/public/other/old.js": "",
            "site/main.js": "import { load } from 'meshes'\nload({ decoders: '/decoders/', unknown: '/lost/' })\n",
            "site/package.json": '{"name": "site", "main": "main.js", "dependencies": {"meshes": "1"}}',
        },
        {"site/public/other/old.js"},
        {f"site/public/decoders/mesh/decode.js{name}" for name in ("", " Decoder", " unused")},
    ),
    "paths with a part that a program fills in": (
        {
            "main.js": "locales.pattern('texts/words_{{language}}.js')\nload('modes/' + mode + '/run.js', '%s.js', `${it}.js`)\n",
            "web/texts/words_de.js": "",
            "web/texts/names_de.js": "",
            "web/modes/fast/run.js": "",
            "web/modes/fast/stop.js": "",
            ".env.example": "# folders\nHANDLERS=src/handlers/**/*Handler.js,src/hooks/on-*.js\n",
            "src/handlers/pay/cardHandler.js": "",
            "src/handlers/pay/card.js": "",
            "src/hooks/on-start.js": "",
            "package.json": '{"name": "app", "main": "main.js", "devDependencies": {"nps": "5"}}',
            "package-scripts.js": "module.exports = { scripts: {} }\n",
        },
        {"web/texts/names_de.js", "web/modes/fast/stop.js", "src/handlers/pay/card.js"},
        {"web/texts/words_de.js", "web/modes/fast/run.js", "src/handlers/pay/cardHandler.js", "src/hooks/on-start.js"},
    ),
    "imports that are not resolved": (
        {
            "main.js": "import { total } from 'billing/sums'\nimport '$ui/frame'\nimport 'known/lost'\ntotal()\n"
            "import './kit/start'\nimport './kit/built'\n",
            "package.json": '{"name": "app", "main": "main.js", "files": ["main.js", "/kit/", "words/**/*.js"], '
            '"dependencies": {"known": "1"}}',
            "kit/start.js": "const _shape: Shape = make()\nconst _other = make()\n",
            "kit/left.js": "",
            "kit/built.js": "var a={walk(e){},fork(e){return e}};a.b(import(c),'kit');" + "a.d(1);" * 1_000,
            "words/de.js": "export const word = 'Wort'\n",
            "words/words.test.js": "import './de'\n",
            "words/fr.js": "export const word = 'mot'\n",
            "code/billing/sums.js": "import './inner.js'\nexport const total = () => 1\nexport const other = 2\n",
            "code/billing/inner.js": "",
            "code/ui/frame.js": "",
            "code/lost.js": "",
            "code/quiet.js": "",
            "code/billing/list.js": "export const rows = 1\n"
            "  // import { rows, // the old ones\n  //   other } from 'quiet'\n// require('../quiet')\n",
        },
        {
            "code/lost.js",
            "code/quiet.js",
            "code/billing/list.js",
            "code/billing/sums.js other",
            "kit/left.js",
            "kit/start.js _other",
        },
        {
            "words/fr.js",
            "words/fr.js word",
            "words/de.js word",
            "kit/start.js _shape",
            "code/billing/sums.js",
            "code/billing/inner.js",
            "code/ui/frame.js",
            "code/billing/sums.js total",
        },
    ),
    "programs that people start": (
        {
            "main.js": "export const x = 1\n",
            "package.json": '{"name": "app", "main": "main.js", "scripts": {"docs": "storybook dev --config-dir stories/setup"}}',
            "tools/report.js": "import './shared.js'\nconsole.log('report')\n",
            "tools/shared.js": "",
            "server/usage.js": "require('./deep').send()\n",
            "server/fixture.js": "exports.start = () => {}\nif (require.main === module) exports.start()\n",
            "server/helper.js": "exports.help = () => {}\n",
            "stories/setup/preview.js": "export const parameters = {}\n",
            "stories/notes.js": "",
            "web/package.json": '{"name": "web"}',
            "web/vercel.json": "{}",
            "web/api/hello.js": "export default () => 'hello'\n",
            "site/package.json": '{"name": "site"}',
            "site/netlify.toml": '[build]\nfunctions = "cloud/functions/"\n[[redirects]]\nto = "/.netlify/functions/ping"\n',
            "site/cloud/functions/ping.js": "exports.handler = () => {}\n",
            "site/cloud/functions/mail/index.js": "exports.handler = () => {}\n",
            "site/cloud/functions/mail/left.js": "",
            "site/cloud/ping.js": "",
            "phone/package.json": '{"name": "phone", "devDependencies": {"@storybook/react-native": "9"}}',
            "phone/.rnstorybook/main.ts": "export default { stories: [] }\n",
        },
        {
            "server/helper.js",
            "server/fixture.js start",
            "stories/notes.js",
            "site/cloud/ping.js",
            "site/cloud/functions/mail/left.js",
        },
        {"tools/report.js", "tools/shared.js", "server/usage.js", "server/fixture.js"},
    ),
    "folders that a package loads": (
        {
            "main.js": "import load from '@fastify/autoload'\nimport { join } from 'desm'\n"
            "export default (app) => app.register(load, { dir: join(import.meta.url, 'parts') })\n",
            "parts/mail.js": "",
            "parts/users/list.js": "",
            "other/lost.js": "",
        },
        {"other/lost.js"},
        {"parts/mail.js", "parts/users/list.js"},
    ),
    "folders that bound what a program loads": (
        {
            "main.js": "import './langs.cjs'\nimport './steps.cjs'\nimport './all.cjs'\nimport './walk.cjs'\n",
            "langs.cjs": "global.on = './code'\n"
            "for (const it of on) log(require(`./langs/${it}`), require(`./texts/${it}.json`))\n",
            "steps.cjs": "make('./code', { recursive: true }, (it) => require(path.join(__dirname, 'steps', it)))\n",
            "all.cjs": "const main = 'app'\n"
            "glob('parts/*.js', { cwd: resolve(process.argv[2], '..') }).map((it) => import(it))\n",
            "walk.cjs": "walk('./deep/').map((it) => require(__dirname + '/deep/' + it))\n",
            "langs/de.js": "",
            "texts/de.js": "",
            "steps/first.js": "",
            "deep/down/last.js": "",
            "code/tools/lost.js": "",
            "app/parts/menu.js": "",
            "app/deep/lost.js": "",
            "page-fixtures/home.js": "",
        },
        {"texts/de.js", "code/tools/lost.js", "app/deep/lost.js", "all.cjs main"},
        {"langs/de.js", "steps/first.js", "deep/down/last.js", "app/parts/menu.js", "page-fixtures/home.js"},
    ),
    "classes that a decorator may register": (
        {
            "main.ts": "import './events/mail'\nimport { x } from './events/fax'\nx()\n",
            "events/mail.ts": "@Subscriber({\n  to: 'mail',\n})\nexport class MailSender {}\nexport class Letter {}\n",
            "events/fax.ts": "export const x = () => {}\n@Subscriber()\nexport class FaxSender {}\n",
            "package.json": '{"name": "app", "main": "main.ts"}',
            "tsconfig.json": "{}",
        },
        {"events/mail.ts Letter", "events/fax.ts FaxSender"},
        {"events/mail.ts MailSender"},
    ),
    "files that settings and commands name": (
        {
            "package.json": '{"name": "app", "main": "main.js", "scripts": {"night": "for job in jobs/*.js; do node $job; done",'
            ' "lint": "eslint tools/checked/*.js", "report": "cd reports && node monthly",'
            ' "rules": "eslint --rulesdir own/rules"}, "jest": {"testMatch": ["<rootDir>/verify/**/*.check.js"]}}',
            "main.js": "",
            "jobs/clean.js": "",
            "tools/checked/old.js": "",
            "reports/monthly.js": "",
            "reports/yearly.js": "",
            "own/rules/no-var.js": "",
            "verify/deep/sum.check.js": "",
            "Dockerfile.worker": 'CMD ["node", "dist/worker.js"]',
            "src/worker.js": "",
            "deploy/mail.service": "[Service]\nExecStart=/usr/bin/node /opt/app/send/mail.js\n",
            "send/mail.js": "",
            "send/fax.js": "",
            "cloudbuild.yaml": "steps:\n  - args: [node, send/push.js]\n",
            "send/push.js": "",
            "deploy/run.sh": 'node "$HOME_OF_APP/send/post"\n',
            "send/post.js": "",
            ".sequelizerc": "module.exports = { 'models-path': path.resolve('db', 'tables') }\n",
            "db/tables/user.js": "",
            "db/lost.js": "",
            "jest.config.json": '{"rootDir": "src", "setupFiles": ["../hooks/before.js"]}',
            "hooks/before.js": "",
            "hooks/after.js": "",
            ".eslintrc.json": '{"extends": ["./own/base.js"], "ignorePatterns": ["./own/ignored.js"]}',
            "own/base.js": "",
            "own/ignored.js": "",
            "cloud/main.tf": 'resource "f" {\n  handler = "pay.handler"\n  source_dir = "${path.module}/code"\n}\n',
            "cloud/code/pay.js": "",
        },
        {"tools/checked/old.js", "reports/yearly.js", "send/fax.js", "db/lost.js", "own/ignored.js", "hooks/after.js"},
        {
            *("jobs/clean.js", "reports/monthly.js", "own/rules/no-var.js", "verify/deep/sum.check.js", "src/worker.js"),
            *("send/mail.js", "send/push.js", "send/post.js", "db/tables/user.js", "own/base.js", "cloud/code/pay.js"),
            "hooks/before.js",
        },
    ),
    "files that configurations in code name": (
        {
            "package.json": '{"name": "app", "main": "main.js", "devDependencies": {"knex": "3", "@cucumber/cucumber": "11",'
            ' "turbo": "2"}}',
            "turbo/generators/config.ts": "export default function plan() {}\n",
            "turbo/generators/left.ts": "",
            "main.js": "deploy({ handler: 'cloud/mail.send' })\n",
            "cloud/mail.js": "",
            "cloud/other.js": "",
            "knexfile.js": "module.exports = { migrations: { directory: __dirname + '/db/steps' }, pool: 'db/other' }\n",
            "db/steps/1.js": "",
            "db/other/1.js": "",
            "cucumber.js": "module.exports = { default: '--require checks/steps/**/*.js --publish' }\n",
            "checks/steps/cart.js": "",
            "gulpfile.js": "require('require-dir')('./work')\n",
            "work/styles.js": "",
            "rollup.config.mjs": "export default ['page', 'frame'].map((name) => ({ input: `src/${name}.js` }))\n",
            "src/page.js": "",
            "src/panel.js": "",
            "lint-staged.config.js": "module.exports = { '*.md': 'node docs/check', 'docs/spell.js': 'eslint' }\n",
            "docs/check.js": "",
            "docs/spell.js": "",
            "styleguide.config.js": "module.exports = { styleguideComponents: { Logo: path.join(docs, 'parts', '_Logo') } }\n",
            "docs/parts/_Logo.js": "",
            "docs/parts/_Menu.js": "",
        },
        {"cloud/other.js", "db/other/1.js", "src/panel.js", "docs/spell.js", "turbo/generators/left.ts", "docs/parts/_Menu.js"},
        {
            *("db/steps/1.js", "checks/steps/cart.js", "work/styles.js", "src/page.js", "docs/check.js", "docs/parts/_Logo.js"),
        },
    ),
    "files of programs in other languages and of platforms": (
        {
            "package.json": '{"name": "app", "main": "main.js"}',
            "main.js": "",
            "workbox-config.js": "module.exports = {}\n",
            "webpack.prod.js": "module.exports = {}\n",
            "src/shop-config.js": "",
            "pages/hide.user.js": "// ==UserScript==\n",
            "sheet/appsscript.json": "{}",
            "sheet/Code.js": "function onOpen() {}\n",
            "game/package.json": '{"name": "game", "creator": {"version": "3.8.0"}}',
            "game/assets/Hero.ts": "export class Hero {}\n",
            "game/tools.ts": "",
            "lamp/app.json": '{"id": "com.lamp", "sdk": 3}',
            "lamp/app.js": "",
            "lamp/drivers/bulb/driver.js": "",
            "lamp/drivers/bulb/lost.js": "",
            "web/Gemfile": "",
            "web/app/javascript/packs/site.js": "import '../cart'\n",
            "web/app/javascript/cart/index.js": "",
            "web/app/javascript/cart/lost.js": "",
            "web/app/assets/javascripts/menu.js": "",
            "force/sfdx-project.json": "{}",
            "force/main/lwc/cart/cart.js": "import './price'\n",
            "force/main/lwc/cart/price.js": "",
            "force/main/lwc/cart/lost.js": "",
            "force/main/staticresources/chart/chart.js": "",
            ".size-limit.js": "module.exports = []\n",
            "old/shop.js": "angular.module('shop', []).value('a', 1)\n",
            "old/load.js": "import http from 'k6/http'\nexport default () => http.get('/')\n",
            "old/lost.js": "export default () => 1\n",
            "chat/config/config.exs": "config :esbuild, args: ~w(js/chat.js --bundle)\n",
            "chat/assets/js/chat.js": "",
            "chat/assets/js/lost.js": "",
        },
        {
            "src/shop-config.js",
            "game/tools.ts",
            "lamp/drivers/bulb/lost.js",
            "web/app/javascript/cart/lost.js",
            "chat/assets/js/lost.js",
            "force/main/lwc/cart/lost.js",
            "old/lost.js",
        },
        {"chat/assets/js/chat.js", "old/shop.js", "old/load.js", "old/load.js default"},
    ),
    "mini programs": (
        {
            "shop/app.js": "const { money } = require('./tools/money.js')\nApp({ money })\n",
            "shop/app.json": '{"pages": ["pages/home/home"], "subPackages": [{"root": "club/", "pages": ["card/card"]}],'
            ' "usingComponents": {"x-bar": "/parts/bar/index"}, // the rest is for phones\n "tabBar": {"custom": true}}',
            "shop/tools/money.js": "module.exports = { money: (it) => it }\n",
            "shop/tools/lost.js": "",
            "shop/pages/home/home.js": "Page({ onLoad() {} })\n",
            "shop/pages/home/home.json": '{"usingComponents": {"x-star": "../../parts/star"}}',
            "shop/pages/gone/gone.js": "Page({})\n",
            "shop/club/card/card.ts": "Page({})\n",
            "shop/custom-tab-bar/index.js": "Component({})\n",
            "shop/parts/bar/index.js": "Component({})\n",
            "shop/parts/bar/index.json": '{"usingComponents": {"x-dot": "../dot/index"}}',
            "shop/parts/dot/index.js": "Component({})\n",
            "shop/parts/dot/index.json": '{"usingComponents": {"x-bar": "../bar/index"}}',
            "shop/parts/star/index.js": "Component({})\n",
            "phone/app.js": "",
            "phone/app.json": '{"expo": {"name": "phone"}}',
            "package.json": '{"name": "shops"}',
        },
        {"shop/tools/lost.js", "shop/pages/gone/gone.js", "phone/app.js"},
        set(),
    ),
    "blocks that declare names for all files": (
        {
            "main.ts": "console.log(window.shop)\n",
            "tsconfig.json": "{}",
            "types/window.ts": "import { Shop } from './shop'\ndeclare global { interface Window { shop: Shop } }\n",
            "types/shop.ts": "export interface Shop { name: string }\nexport interface Spare { name: string }\n",
            "types/routes.ts": "import 'router'\ndeclare module 'router' { interface Route { title: string } }\n",
            "types/gone.ts": "import 'router'\nnamespace global { export const x = 1 }\n",
            "package.json": '{"name": "app", "main": "main.ts", "dependencies": {"router": "1"}}',
        },
        {"types/gone.ts", "types/shop.ts Spare"},
        set(),
    ),
    "names that a pattern requires for an exported object": (
        {
            "main.js": "",
            "package.json": '{"name": "app", "main": "main.js"}',
            "languages.js": "module.exports = { languages: { first: 'en' } }\n",
            "web.config.js": "const { version } = require('./package.json')\nconst { languages } = require('./languages')\n"
            "const unused = 3\nconst settings = { languages, version }\nmodule.exports = settings\n",
        },
        {"web.config.js unused"},
        set(),
    ),
    "values of variables that are assigned later": (
        {
            "main.js": "export * from './api.js'\n",
            "package.json": '{"name": "app", "main": "main.js"}',
            "api.js": "let open\nopen = () => 1\nconst lost = () => 2\nexport const api = { open }\n"
            "document.getElementById('form').onsubmit = function (event) { event.preventDefault() }\n",
        },
        {"api.js lost"},
        set(),
    ),
    "paths in texts of code": (
        {
            "main.js": "run({ entry: 'src/start.js' })\nexport const view = 'pages/list'\n",
            "src/start.js": "import './part.js'\n",
            "src/part.js": "",
            "src/pages/list.js": "",
            "src/pages/grid.js": "",
            "test/run.test.js": "start(['./plugins/clock.js'])\nread('./main.js')\n",
            "plugins/clock.js": "export default (app) => app.tick()\nexport const options = {}\n",
            "main.offline.js": "import './src/cache.js'\n",
            "src/cache.js": "",
            "src/pages/list.old.js": "",
        },
        {"src/pages/grid.js", "src/pages/list.old.js"},
        {"src/pages/list.js", "plugins/clock.js default", "plugins/clock.js options", "main.offline.js", "src/cache.js"},
    ),
    "folders that are loaded": (
        {
            "main.js": "for (const f of fs.readdirSync(path.join(__dirname, 'jobs'))) require(path.join(__dirname, 'jobs', f))\n"
            "exports.nights = path.join(__dirname, 'src', 'night')\n"
            "exports.one = (name) => require('./rules/' + name)\n",
            "jobs/mail.js": "exports.run = () => 1\n",
            "src/night/clean.js": "",
            "jobs/deep/index.js": "",
            "rules/first.js": "",
            "lonely.js": "",
        },
        {"lonely.js"},
        {"jobs/mail.js", "jobs/deep/index.js", "rules/first.js", "jobs/mail.js run", "src/night/clean.js"},
    ),
    "folders that are listed for a build": (
        {
            "tools/all.js": "const list = promisify(fs.readdir)\n"
            "for (const name of await list(path.join(__dirname, '../src/words'))) bundle({ input: `./src/words/${name}` })\n",
            "main.js": "import { first } from './src/words/first.js'\nfirst()\n",
            "src/words/first.js": "export const first = () => other\nexport const other = 1\n",
            "src/words/second.js": "const words = [1]\nfill(words)\nexport default words\n",
            "src/other.js": "",
            "package.json": '{"name": "app", "main": "main.js", "scripts": {"build": "node tools/all.js"}}',
        },
        {"src/other.js"},
        {"src/words/first.js other", "src/words/second.js", "src/words/second.js words"},
    ),
    "code that is put into other files": (
        {
            "build.js": "bundle({ inject: './shims/address.js', define: { 'import.meta.url': 'own_address' } })\n",
            "package.json": '{"name": "app", "main": "main.js", "scripts": {"build": "node build.js"}}',
            "main.js": "export const x = 1\n",
            "shims/address.js": "const own_address = require('url').pathToFileURL(__filename)\nconst spare = 1\n",
        },
        {"shims/address.js spare"},
        {"shims/address.js own_address"},
    ),
    "modules of others that are extended": (
        {
            "main.ts": "import { add } from 'gadgets'\ndeclare module 'gadgets' { interface Options { more: string } }\n"
            'declare module "tools" { interface Options { more: string } }\nnamespace Spare { export const a = 1 }\nadd()\n',
            "package.json": '{"name": "app", "main": "main.ts", "dependencies": {"gadgets": "1", "tools": "1"}}',
        },
        {"main.ts Spare"},
        set(),
    ),
    "examples, and methods in code without spaces": (
        {
            "main.js": "export { area } from './lib.js'\nload(`${base}/build/plugins/clock/clock.js`)\n",
            "lib.js": "function Shape(){}Shape.prototype.area=function(){return 1}\nShape.prototype.size=function(a){return a}\n"
            "export const area = new Shape()\n",
            "examples/first.js": "export const shown = 1\n",
            "public/plugins/clock/clock.js": "",
            "public/plugins/clock/gone.js": "",
        },
        {"public/plugins/clock/gone.js"},
        {"examples/first.js", "examples/first.js shown", "public/plugins/clock/clock.js"},
    ),
    "served workers": (
        {
            "main.js": "navigator.serviceWorker.register('/worker.js')\nCSS.paintWorklet.addModule('src/paint.js')\n",
            "public/worker.js": "importScripts('./worker-lib.js')\n",
            "public/worker-lib.js": "",
            "src/paint.js": "",
        },
        set(),
        set(),
    ),
    "workers and built files that programs start by path": (
        {
            "app/src/main.ts": "export {}\nnew Worker(Uri.joinPath(root, './out/sums.js').fsPath)\n",
            "app/src/sums.ts": "",
            "app/src/gone.ts": "",
            "app/package.json": '{"name": "app", "main": "src/main.ts"}',
            "app/webpack.config.js": "const path = require('path')\n"
            "module.exports = { context: path.join(__dirname, 'client'), entry: { page: './pages/page.ts' } }\n",
            "app/client/pages/page.ts": "",
            "app/public/push-sw.js": "importScripts('/init.js');\nfirebase.messaging();\n",
            "other/pages/page.ts": "",
        },
        {"app/src/gone.ts", "other/pages/page.ts"},
        {"app/src/sums.ts", "app/client/pages/page.ts", "app/public/push-sw.js"},
    ),
    "values that are not resolved to it": (
        {
            "main.js": "// @flow\ntype Base = { a: number }\ntype Unused = { a: number }\n"
            "export type Call = { ...Base, b: number }\n",
        },
        {"main.js Unused"},
        {"main.js Base"},
    ),
    "globs of the files that a library loads": (
        {
            "main.ts": "connect({ entities: [__dirname + '/**/*.entity{.ts,.js}'], jobs: ['dist/jobs/*.js'] })\n"
            "const subscribers = [join(__dirname, 'subs', '*.js')]\nformat(['src/**/*.ts', 'packages/*/src/**/*.ts'])\n"
            "const all = import.meta.glob<{ default: () => void }>('/screens/**/*.ts')\n"
            "const auto = require.context('./auto', true, /x/)\n"
            "export default [subscribers, all, auto]\n",
            "package.json": '{"name": "app", "main": "main.ts"}',
            "cats/cat.entity.ts": "export class Cat {}\n",
            "cats/cat.ts": "export class Plain {}\n",
            "jobs/nightly.ts": "",
            "subs/mail.ts": "",
            "screens/deep/home.ts": "",
            "auto/inner/x.js": "",
            "src/lost.ts": "",
        },
        {"cats/cat.ts", "src/lost.ts"},
        {"cats/cat.entity.ts", "cats/cat.entity.ts Cat", "jobs/nightly.ts"},
    ),
    "globs in configurations": (
        {
            "main.ts": "",
            "package.json": '{"main": "main.ts", "tsup": {"entry": ["src/plugins/*.ts"]}, "lint-staged": {"*.{ts,js}": "x"}}',
            "rollup.config.mjs": "export default { input: glob.sync('src/entries/*.ts') }\n",
            "vitest.config.ts": "export default { test: { include: ['checks/**/*.chk.ts'], coverage: { all: ['src/**'] } } }\n",
            "playwright.config.ts": "export default { testDir: './browser' }\n",
            "browser/deep/login.pw.ts": "",
            "nuxt.config.ts": "export default { components: [{ path: '~/widgets', pathPrefix: false }] }\n",
            "app/widgets/deep/Menu.ts": "",
            "app/other/lost.ts": "",
            "tailwind.config.js": "export default { content: ['./index.html', './src/components/**/*.{ts,tsx}'] }\n",
            "src/plugins/first.ts": "",
            "src/entries/page.ts": "",
            "checks/sums.chk.ts": "",
            "src/components/card.ts": "",
        },
        {"src/components/card.ts", "app/other/lost.ts"},
        {
            "src/plugins/first.ts",
            "src/entries/page.ts",
            "checks/sums.chk.ts",
            "browser/deep/login.pw.ts",
            "app/widgets/deep/Menu.ts",
        },
    ),
    "declarations beside the variants of a module": (
        {
            "main.ts": "import { press } from './button'\npress()\n",
            "package.json": '{"name": "app", "main": "main.ts"}',
            "button.d.ts": "export declare const press: () => void\n",
            "button.ios.ts": "export const press = () => {}\n",
            "button.android.ts": "export const press = () => {}\n",
            "label.ios.ts": "export const text = ''\n",
        },
        {"label.ios.ts"},
        set(),
    ),
    "scripts that refer to other scripts": (
        {
            "main.ts": "export const used = Shared.again()\n",
            "package.json": '{"name": "app", "main": "main.ts"}',
            "more.ts": "/// <reference path='./globals.ts' />\nnamespace Shared { export const again = () => util() }\n",
            "globals.ts": "namespace Shared { export const util = () => import('./later') }\n",
            "later.ts": "",
            "lost.ts": "/// <reference path='./globals.ts' />\nnamespace Other { export const never = 1 }\n",
            "tsconfig.json": "{}",
        },
        {"lost.ts"},
        set(),
    ),
    "patterns below an alias": (
        {
            "main.js": "import.meta.glob('@modules/*.js', { eager: true })\n",
            "src/modules/first.js": "export const one = 1\n",
            "src/modules/deep/second.js": "",
        },
        {"src/modules/deep/second.js"},
        {"src/modules/first.js", "src/modules/first.js one"},
    ),
    "commands in prose": (
        {
            "main.js": "",
            "README.md": "Run `node tools/load.js`. The file tools/old.js was removed.",
            "tools/load.js": "",
            "tools/old.js": "",
        },
        {"tools/old.js"},
        {"tools/load.js"},
    ),
    "declarations beside JavaScript": (
        {
            "main.js": "import { count } from './counter'\ncount()\n",
            "counter.d.ts": "export function count(): void\n",
            "counter.js": "import { help } from './help.js'\nexport function count() { help() }\nexport function spare() {}\n",
            "help.js": "export const help = () => 1\n",
        },
        {"counter.js spare"},
        set(),
    ),
    "variants for platforms": (
        {
            "main.js": "import { Field } from './field'\nimport { Box } from './box'\nField(Box)\n",
            "field.ios.js": "export const Field = () => 1\n",
            "field.android.js": "export const Field = () => 2\n",
            "box.js": "export const Box = 1\n",
            "box.web.js": "export const Box = 2\nexport const Spare = 3\n",
            "other.ios.js": "",
        },
        {"box.web.js Spare", "other.ios.js"},
        # The import leads to one of the two, and the other stands beside it.
        set(),
    ),
    "substitutes with a suffix that a build lists": (
        {
            "main.js": "import './build.js'\nimport { spawn } from './tools/spawn.js'\nspawn()\n",
            "build.js": "const adapters = { suffixes: ['.core.js', '.slim.js'] }\nconsole.log(adapters)\n",
            "tools/spawn.js": "export const spawn = () => 1\n",
            "tools/spawn.core.js": "export const spawn = () => 2\n",
            "tools/spawn.full.js": "export const spawn = () => 3\n",
            "tools/alone.slim.js": "",
        },
        {"tools/spawn.full.js", "tools/alone.slim.js"},
        {"tools/spawn.core.js", "tools/spawn.core.js spawn"},
    ),
    "references by path": (
        {
            "main.js": "/// <reference path='./globals.ts' />\nexport const x = 1\n",
            "globals.ts": '/// <reference path="./more.ts"/>\n',
            "more.ts": "",
        },
        set(),
        set(),
    ),
    "templates that a program copies": (
        {
            "main.js": "import './parts/folders.js'\n"
            "import fs from 'fs-extra'\nimport path from 'path'\nexport const make = (to, kind) => {\n"
            "  const extras = path.join(import.meta.dirname, 'files/extras')\n"
            "  fs.copySync(path.join(extras, 'db', `schema-${kind}.js`), to)\n}\n",
            "files/extras/db/schema-mysql.js": "import './parts.js'\n",
            "files/extras/db/parts.js": "",
            "files/other.js": "",
            "parts/folders.js": "import { copyAll } from './copies.js'\ncopyAll('OriginalPages', 'src')\n",
            "parts/copies.js": "import fs from 'fs'\n"
            "export const copyAll = (from, to) => fs.readdirSync(from).map((it) => fs.copyFileSync(it, to))\n",
            "pages/OriginalPages/start.js": "",
            "pages/OtherPages/start.js": "",
            "templates/react/app.js": "",
            "src/gone.js": "",
        },
        {"files/other.js", "src/gone.js", "pages/OtherPages/start.js"},
        {
            *("files/extras/db/schema-mysql.js", "files/extras/db/parts.js", "templates/react/app.js"),
            "pages/OriginalPages/start.js",
        },
    ),
    "templates without a program that copies": (
        {"main.js": "export const copy = (text) => copy(text)\n", "templates/mail.js": ""},
        {"templates/mail.js"},
        set(),
    ),
    "a module for a condition of exports": (
        {
            "package.json": '{"name": "app", "exports": {"react-server": "./dist/react-server.js", "default": "./src/index.js"}}',
            "src/index.js": "export const one = 1\n",
            "src/index.react-server.js": "export { one } from './server.js'\n",
            "src/server.js": "export const one = 1\nexport const two = 2\n",
        },
        {"src/server.js two"},
        set(),
    ),
    "configurations that load": (
        {
            "main.js": "",
            "eslint.config.js": "export default { plugins: ['./rules/own.js'], ignores: ['./rules/ignored.js'] }\n",
            "rules/own.js": "",
            "rules/ignored.js": "",
        },
        {"rules/ignored.js"},
        set(),
    ),
    "a template that is served at another place": (
        {
            "main.js": "",
            "web/templates/page.tmpl": '<script src="./js/menu.js"></script>\n',
            "web/static/js/menu.js": "",
            "web/static/js/none.js": "",
        },
        {"web/static/js/none.js"},
        {"web/static/js/menu.js"},
    ),
}


@pytest.mark.sampled(4)
@pytest.mark.parametrize("case", CASES)
def test_what_is_dead_and_what_is_not_known(indexed_project: Project, case: str) -> None:
    files, dead, not_known = CASES[case]
    assert found_in(indexed_project({"package.json": APP, **files})) == (dead, not_known)


def test_the_reason_names_what_may_use_it(indexed_project: Project) -> None:
    pages = {"page.liquid": "<script src='./x.js'>", "x.js": "", "show.py": "show('/y.js')\n", "y.js": ""}
    found = indexed_project({"package.json": APP, "main.js": "", **pages}).lint(checks=["dead-code"])
    assert {each.symbol: each.reason for each in found.answer.not_known or ()} == {
        "x.js": "page.liquid names it, which is not read as code",
        "y.js": "show.py has its path in a text",
    }
    assert "  x.js:1: file x.js: page.liquid names it, which is not read as code" in found.text
    assert found.answer.summary.total_not_known == 2


GENERATED = {
    "package.json": APP,
    "main.js": "",
    "api/client.js": "// Code generated by a tool. DO NOT EDIT.\nexport const one = 1\n",
    "src/__generated__/types.ts": "export type One = 1\n",
    ".gitattributes": "lib/made/** linguist-generated\nlib/made/kept.js -linguist-generated\n",
    "lib/made/code.js": "",
    "lib/made/kept.js": "",
    "own.js": "const text = 'DO NOT EDIT'\n",
}
SPREAD = (
    "(rows) {\n  const all = []\n  for (const row of rows) {\n    if (row.open && row.total > 0) {\n"
    "      all.push(row.id * 2 + row.total, row.name.trim())\n    }\n  }\n  all.sort()\n  return all.join(', ')\n}\n"
)
COPIES = {
    "package.json": APP,
    "main.js": "",
    "vendor/orders.js": f"function ordersOf{SPREAD}",
    "static/js/vendor/chart.js": f"function first{SPREAD}",
    "static/js/vendor/map/map.js": f"function second{SPREAD}",
    "third_party/menu.js": "",
    "tools/copied.js": "",
    ".gitattributes": "tools/* linguist-vendored\n",
    "static/js/graph.js": "/*!\n * Graph v3.9.1\n * (c) others\n */\nfunction unused() {}\n",
    "src/graph.js": "/*!\n * Graph v3.9.1\n */\n",
    "shown/reader.mjs": "/** license */\n/******/ var __webpack_require__ = {};\nfunction unused() {}\n",
    "shown/pages.js": "function unused() {}\n//# sourceMappingURL=pages.js.map\n",
}


def test_generated_files_are_counted_and_listed_on_demand(indexed_project: Project) -> None:
    workspace = indexed_project(GENERATED)
    assert found_in(workspace)[0] == {"own.js", "lib/made/kept.js"}
    assert workspace.lint(checks=["dead-code"]).answer.summary.total_generated == 3
    made = {"api/client.js", "src/__generated__/types.ts", "lib/made/code.js"}
    assert found_in(workspace, include_generated=True)[0] == {"own.js", "lib/made/kept.js"} | made


def test_copies_of_packages_are_told_apart(indexed_project: Project) -> None:
    workspace = indexed_project(COPIES)
    assert found_in(workspace)[0] == {"vendor/orders.js", "src/graph.js"}
    assert workspace.lint(checks=["dead-code"]).answer.summary.total_generated == 7
    assert workspace.lint(checks=["duplicates"]).answer.duplicates == ()
    (group,) = workspace.lint(checks=["duplicates"], include_generated=True).answer.duplicates or ()
    assert len(group.members) == 3


CONVENTIONS = {
    "package.json": '{"name": "site", "dependencies": {"next": "15", "@sveltejs/kit": "2"}}',
    "app/page.tsx": "export default function Home() { return null }\nexport const metadata = {}\nexport const stray = 1\n",
    "app/api/route.ts": "export async function GET() {}\nexport const runtime = 'edge'\nexport function help() {}\n",
    "app/helper.ts": "",
    "instrumentation.ts": "export function register() {}\n",
    "src/routes/+page.ts": "export const load = () => 1\nexport const other = 2\n",
}


def test_frameworks_read_some_exports(indexed_project: Project) -> None:
    dead, _ = found_in(indexed_project(CONVENTIONS))
    assert dead == {"app/page.tsx stray", "app/api/route.ts help", "app/helper.ts", "src/routes/+page.ts other"}


def test_a_long_glob_is_read_in_linear_time() -> None:
    start = process_time()
    assert specific_pattern("./" * 100_000 + "jobs/*.js") == "jobs/*.*"
    assert process_time() - start < 5
