"""What a change of declarations beside a source changes: the index equals one that is built at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.server.api.workspace import Workspace
from incremental_report.__main__ import check
from incremental_steps import check_files, write_indexed

SHOP = """
//- items.py
class Book:
    def read(self): ...

class Film:
    def watch(self): ...
    def read(self): ...
//- cart.py
def first(number): return unknown(number)

class Cart:
    item = unknown()
    def last(self): return unknown()

current = unknown()
//- cart.pyi
from items import Book
def first(number: int) -> Book: ...
class Cart:
    item: Book
    def last(self) -> Book: ...
current: Cart
//- through.py
from cart import Cart

def made(): return Cart()
//- app.py
from cart import current, first
from through import made

first(1).read()
current.item.read()
made().last().read()
"""
FILMS = """from items import Film
def first(number: int) -> Film: ...
class Cart:
    item: Film
    def last(self) -> Film: ...
current: Cart
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "changes",
    [
        {"cart.pyi": FILMS},
        {"cart.pyi": None},
        {"cart.pyi": None, "cart-stubs/__init__.pyi": FILMS},
        {"cart.py": "def first(number): ...\n"},
        {"cart.py": None},
    ],
)
def test_index_follows_declarations(tmp_path: Path, changes: dict[str, str | None]) -> None:
    check_files(tmp_path, SHOP, "Book", changes)


DOORS = """
//- names.ts
export const OPEN = 'open'
export enum Kind { One = 'first', Two = 'second' }
//- door.ts
import { OPEN, Kind } from './names'
export class Door { [OPEN]() {} }
export const byKind = { [Kind.One]() {} }
//- through.ts
import { Door } from './door'
export const door = new Door()
//- app.ts
import { byKind } from './door'
import { door } from './through'
door.open()
byKind.first()
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "changes",
    [
        {"names.ts": "export const OPEN = 'close'\nexport enum Kind { One = 'first' }\n"},
        {"names.ts": "export const OPEN = 'open'\nexport enum Kind { One = 'last', Two = 'first' }\n"},
        {"names.ts": "export enum Kind { One = 'first' }\n", "door.ts": "export class Door { open() {} }\n"},
        {"names.ts": None},
    ],
)
def test_index_follows_the_constants_that_computed_keys_name(tmp_path: Path, changes: dict[str, str | None]) -> None:
    check_files(tmp_path, DOORS, "[OPEN]", changes)


ROWS = """
//- base.ts
export class Base { save() {} }
export class Other { save() {} }
//- types.d.ts
import { Base } from './base'
interface Row extends Base { id: number }
//- app.ts
import { Row } from './types'
declare const row: Row
row.save()
//- unknown.ts
export const shown = (value: any, list: any) => list.put({ first: value.label, call: value.draw() })
"""


@pytest.mark.parametrize(
    "changes",
    [
        {"types.d.ts": "import { Other } from './base'\ninterface Row extends Other { id: number }\n"},
        {"types.d.ts": "import { Base } from './base'\ninterface Line extends Base { id: number }\n"},
        {"base.ts": "export class Base { save() {} }\nexport class Other { label = 1; save() {} }\n"},
        {"types.d.ts": "interface Row { first: number; save(): void }\n"},
    ],
)
def test_index_follows_declarations_and_members_that_no_import_names(tmp_path: Path, changes: dict[str, str | None]) -> None:
    check_files(tmp_path, ROWS, "Row", changes)


RENTALS = """
//- nuxt.config.ts
export default {}
//- composables/rental.ts
import { Boat } from '../models/boat'
export const useRental = () => new Boat()
//- models/boat.ts
export class Boat { sail() {} }
//- components/Oar.vue
<script setup lang="ts">
defineProps<{ length: number }>()
</script>
<template><i /></template>
//- composables/trip.ts
export const useTrip = () => useRental()
//- layouts/harbor.vue
<template><slot /></template>
//- pages/index.vue
<script setup lang="ts">
definePageMeta({ layout: 'harbor' })
useRental().sail()
useTrip().sail()
useSail()
</script>
<template><Oar :length="2" /><BoatSail /></template>
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "changes",
    [
        {"layouts/harbor.vue": None},
        {"layouts/harbor.vue": None, "layouts/harbor/index.vue": "<template><main><slot /></main></template>\n"},
        {"composables/rental.ts": "export const useRental = () => ({ sail() {} })\nexport const useSail = () => 1\n"},
        {"composables/sail.ts": "export default () => 1\n", "components/boat/Sail.vue": "<template><b /></template>\n"},
        {"components/Oar.vue": None, "components/other/Oar.vue": "<template><b /></template>\n"},
        {"models/boat.ts": "export class Boat { row() {} }\n"},
        {"nuxt.config.ts": "export default { components: false, imports: { autoImport: false } }\n"},
    ],
)
def test_index_follows_the_names_that_nuxt_imports(tmp_path: Path, changes: dict[str, str | None]) -> None:
    check_files(tmp_path, RENTALS, "useRental", changes)


def test_index_follows_nuxt_itself(tmp_path: Path) -> None:
    configuration = "export default {}\n"
    check_files(tmp_path, RENTALS.partition(configuration)[2], "useRental", {"nuxt.config.ts": configuration})


ROUTES = """
//- svelte.config.js
export default {}
//- src/guest.ts
export class Guest { greet() {} }
//- src/routes/+layout.ts
import { Guest } from '../guest'
export const load = () => ({ guest: new Guest() })
//- src/routes/stays/+page.svelte
<script lang="ts">
  import type { PageData } from './$types'
  let { data }: { data: PageData } = $props()
  data.guest.greet()
</script>
//- src/routes/rooms/+page.svelte
<script>
  let { data } = $props()
</script>
<p>{data.guest.greet()}</p>
"""
STRANGER = "export class S { greet() {} }\n"


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "changes",
    [
        {"src/guest.ts": "export class Guest { leave() {} }\n"},
        {"src/routes/rooms/+page.js": "import { S } from '../../s'\nexport const load = () => ({ guest: new S() })\n"},
        {
            "src/stranger.ts": STRANGER,
            "src/routes/+layout.ts": "import { S } from '../stranger'\nexport const load = () => ({ guest: new S() })\n",
        },
    ],
)
def test_index_follows_the_data_of_routes(tmp_path: Path, changes: dict[str, str | None]) -> None:
    check_files(tmp_path, ROUTES, "greet", changes)


LOADED = """
//- package.json
{"dependencies": {"vite": "5"}}
//- src/views/home.ts
import { title } from '../title'
export default { title }
//- src/title.ts
export const title = 'Home'
//- src/main.ts
export const views = import.meta.glob(['./views/*.ts', '!./views/*.test.ts'])
"""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    "changes",
    [
        {"src/views/about.ts": "export default {}\n"},
        {"src/views/home.test.ts": "export default {}\n"},
        {"src/views/home.ts": None},
        {"src/views/home.ts": "export const other = 1\n"},
    ],
)
def test_index_follows_the_files_of_globs(tmp_path: Path, changes: dict[str, str | None]) -> None:
    check_files(tmp_path, LOADED, "glob:./views/*.ts|!./views/*.test.ts", changes)


STORE = """
//- package.json
{"dependencies": {"vuex": "4"}}
//- src/modules/orders.js
const actions = { refund(context, order) {} }
export default { namespaced: true, actions }
//- src/store.js
import { createStore } from 'vuex'
const files = require.context('./modules', false, /\\.js$/)
const modules = {}
files.keys().forEach((path) => { modules[path.slice(2, -3)] = files(path).default })
export default createStore({ modules })
//- src/Root.vue
<script>
export default { methods: { run() { this.$store.dispatch('tags/pin') } } }
</script>
"""


def test_a_new_module_of_a_store_is_found_although_no_file_names_it(tmp_path: Path) -> None:
    """The options of a store have a global name that is no identifier, so the index is built again."""
    root, index = tmp_path / "project", tmp_path / "project/.astrolabe"
    write_indexed(root, STORE)
    (root / "src/modules/tags.js").write_text("export default { namespaced: true, actions: { pin(context, tag) {} } }\n")
    with Workspace.locate(root) as workspace:
        rows = workspace.cypher(
            "MATCH (f:Symbol)-[:CALLS]->(t:Symbol) WHERE t.name = 'pin' RETURN f.relativePath, t.relativePath"
        ).rows
    assert [tuple(row) for row in rows] == [("src/Root.vue", "src/modules/tags.js")]
    assert check(root, index, tmp_path / "fresh") == []
