"""Exposed and Ktorm: objects that are tables, entities, and the statements that functions build with them."""

from __future__ import annotations

from pathlib import Path

from astrolabe.ingest.languages.extraction import extract_facts
from data_uses import uses_of
from incremental_steps import check_files
from linear_time import is_linear, processor_seconds
from written_workspace import analysed

from .mapped_models import columns, foreign_keys, keys, tables

TABLES = """\
package harbor.data

import org.jetbrains.exposed.dao.*
import org.jetbrains.exposed.dao.id.*
import org.jetbrains.exposed.sql.*

abstract class Dated(name: String) : IntIdTable(name) {
    val created = datetime("created_at").defaultExpression(CurrentDateTime)
}

object Piers : IntIdTable() {
    // val ghost = text("ghost")
    val name: Column<String> = varchar("pier_name", length = 50).uniqueIndex()
}

object Boats : Dated("harbor_boats") {
    val type = varchar("type", 20).nullable()
    val length = decimal("length", 6, 2).default(BigDecimal.ZERO)
    val pier = reference("pier_id", Piers, onDelete = ReferenceOption.SET_NULL)
        .nullable()
    val owner = (long("owner_id") references Owners.number).index()

    init {
        uniqueIndex("boats_by_pier", pier, type)
    }
}

object Owners : Table("owners") {
    val number = long("number").autoIncrement()
    override val primaryKey = PrimaryKey(number, name = "owners_key")
}

class Pier(id: EntityID<Int>) : IntEntity(id) {
    companion object : IntEntityClass<Pier>(Piers)

    var name by Piers.name
    val boats by Boat optionalReferrersOn Boats.pier
}

class Boat(id: EntityID<Int>) : IntEntity(id) {
    companion object : IntEntityClass<Boat>(Boats)

    var type by Boats.type
    var pier by Pier optionalReferencedOn Boats.pier
}
"""
USES = """\
package harbor

import harbor.data.Boat
import harbor.data.Boats
import harbor.data.Owners
import harbor.data.Piers
import org.jetbrains.exposed.sql.*

class Harbor {
    fun moored(wanted: String) =
        (Boats innerJoin Piers)
            .select(Boats.type)
            .where { Piers.name eq wanted }
            .map { it[Boats.length] }

    fun enter(kind: String) = transaction {
        Boats.insertAndGetId {
            it[type] = kind
            it[Boats.length] = 3
        }
    }

    fun rename(kind: String) {
        Boats.update({ Boats.owner eq 3 }) { row ->
            row[type] = kind // "Piers.name"
        }
    }

    fun sink(limit: Int) = Boats.deleteWhere { Boats.length less limit }

    fun owner(row: ResultRow) = row[Owners.number]

    fun build(): Boat = Boat.new {
        type = "sloop"
    }

    fun one(id: Int) = Boat.findById(id)

    fun other() = Furniture.all()
}
"""
OTHER = """\
package garden

import org.jetbrains.exposed.sql.*

fun plants() = Boats.selectAll()
"""
KTORM_TABLES = """\
package orchard.tables

import org.ktorm.database.Database
import org.ktorm.entity.Entity
import org.ktorm.entity.sequenceOf
import org.ktorm.schema.*

abstract class Tracked<E : Entity<E>>(name: String) : Table<E>(name) {
    val changed = datetime("changed_at")
}

object Trees : Tracked<Tree>("trees") {
    val id = int("id").primaryKey().bindTo { it.id }
    val kind = varchar("kind").bindTo { it.kind }
    val rowId = long("row_id").references(Rows) { it.row }
}

open class Rows(alias: String?) : Table<Row>("rows", alias) {
    companion object : Rows(null)

    val id = long("id").primaryKey()
    val place = text("place")
}

val Database.trees get() = this.sequenceOf(Trees)
"""
KTORM_USES = """\
package orchard.app

import orchard.tables.*
import orchard.tables.trees
import org.ktorm.database.Database
import org.ktorm.dsl.*
import org.ktorm.entity.*

class Orchard(private val database: Database) {
    fun places(kind: String) = database.from(Trees)
        .innerJoin(Rows, on = Trees.rowId eq Rows.id)
        .select(Rows.place)
        .where { (Trees.kind eq kind) }
        .map { row -> row[Rows.id] }
        .filter { it.changed }

    fun rename(id: Int, kind: String) = database.update(Trees) {
        set(it.kind, kind)
        where { it.id eq id }
    }

    fun first(kind: String) = database.trees.filter { it.kind eq kind }.sortedBy { it.changed }.firstOrNull()
    fun plant(tree: Tree) = database.sequenceOf(Trees).add(tree)
    fun fell(id: Int) = database.delete(Trees) { it.id eq id }
    fun other(notes: Notes) = notes.trees.filter { it.kind }
    // database.deleteAll(Rows)
}
"""
PROJECT = (
    f"//- orchard/Tables.kt\n{KTORM_TABLES}//- orchard/Orchard.kt\n{KTORM_USES}"
    f"//- data/Tables.kt\n{TABLES}//- app/Harbor.kt\n{USES}//- garden/Plants.kt\n{OTHER}"
)


def test_tables_have_columns_types_and_keys_of_exposed() -> None:
    found = tables({"data/Tables.kt": TABLES}, "exposed")
    assert sorted(found) == ["Piers", "harbor_boats", "owners"]
    assert columns(found["Piers"]) == {"id": ("integer", False), "pier_name": ("varchar(50)", False)}
    assert columns(found["harbor_boats"]) == {
        "id": ("integer", False),
        "created_at": ("timestamp", False),
        "type": ("varchar(20)", True),
        "length": ("numeric(6,2)", False),
        "pier_id": ("integer", True),
        "owner_id": ("bigint", False),
    }
    assert keys(found["harbor_boats"]) == [
        ("boats_by_pier", "unique"),
        ("fk_harbor_boats_owner_id__number", "foreign key"),
        ("fk_harbor_boats_pier_id__id", "foreign key"),
        ("harbor_boats_owner_id", "index"),
        ("harbor_boats_pkey", "primary key"),
    ]
    assert foreign_keys(found["harbor_boats"]) == {
        "pier_id": ("piers", "id", "SET NULL"),
        "owner_id": ("owners", "number", ""),
    }
    assert found["owners"].constraints["owners_pkey"].columns == ["number"]


def test_tables_have_columns_and_keys_of_ktorm() -> None:
    found = tables({"Tables.kt": KTORM_TABLES}, "ktorm")
    assert {name: columns(table) for name, table in found.items()} == {
        "trees": {
            "changed_at": ("timestamp", False),
            "id": ("integer", False),
            "kind": ("varchar", False),
            "row_id": ("bigint", False),
        },
        "rows": {"id": ("bigint", False), "place": ("text", False)},
    }
    assert [kind for _, kind in keys(found["rows"])] == ["primary key"]


def test_functions_use_the_tables_and_columns_of_their_statements(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "orchard/Orchard.kt") == [
        "Orchard.fell modifies Trees delete",
        "Orchard.fell reads Trees.id delete",
        "Orchard.first reads Tracked.changed select",
        "Orchard.first reads Trees select",
        "Orchard.first reads Trees.kind select",
        "Orchard.places reads Rows select",
        "Orchard.places reads Rows.id select",
        "Orchard.places reads Rows.place select",
        "Orchard.places reads Trees select",
        "Orchard.places reads Trees.kind select",
        "Orchard.places reads Trees.rowId select",
        "Orchard.plant modifies Trees insert",
        "Orchard.rename modifies Trees update",
        "Orchard.rename modifies Trees.kind update",
        "Orchard.rename reads Trees.id update",
    ]
    assert uses_of(content, "app/Harbor.kt") == [
        "Harbor.build modifies Boats insert",
        "Harbor.build modifies Boats.type insert",
        "Harbor.enter modifies Boats insert",
        "Harbor.enter modifies Boats.length insert",
        "Harbor.enter modifies Boats.type insert",
        "Harbor.moored reads Boats select",
        "Harbor.moored reads Boats.length select",
        "Harbor.moored reads Boats.type select",
        "Harbor.moored reads Piers select",
        "Harbor.moored reads Piers.name select",
        "Harbor.one reads Boats select",
        "Harbor.owner reads Owners.number select",
        "Harbor.rename modifies Boats update",
        "Harbor.rename modifies Boats.type update",
        "Harbor.rename reads Boats.owner update",
        "Harbor.sink modifies Boats delete",
        "Harbor.sink reads Boats.length delete",
    ]
    assert uses_of(content, "garden/Plants.kt") == []
    assert {each.evidence for each in content.data_uses} == {"declared"}


def test_entities_map_to_the_tables_and_columns_that_they_name(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    names = {symbol.id: symbol.qualified_name for symbol in content.symbols}
    found = sorted((names[each.from_id], names[each.to_id], each.evidence) for each in content.data_mappings)
    assert found == [
        ("Boat", "Boats", "declared"),
        ("Boat.pier", "Boats.pier", "declared"),
        ("Boat.type", "Boats.type", "declared"),
        ("Pier", "Piers", "declared"),
        ("Pier.name", "Piers.name", "declared"),
    ]


def test_a_changed_table_changes_the_uses_of_its_columns(tmp_path: Path) -> None:
    check_files(
        tmp_path,
        PROJECT,
        "declared",
        {
            "data/Tables.kt": TABLES.replace("val length", "val size"),
            "app/Harbor.kt": USES.replace("Boat.findById", "Furniture.findById"),
            "garden/Plants.kt": OTHER.replace("package garden", "package harbor.data"),
        },
    )


def test_reading_takes_linear_time() -> None:
    def seconds(count: int) -> float:
        text = "import org.jetbrains.exposed.sql.*\n" + "fun f() { Boats.insert { it[name] = Boats.select(" * count
        return processor_seconds(lambda: extract_facts(text.encode(), "kotlin"))

    def shallow(count: int) -> float:
        text = "import org.jetbrains.exposed.sql.*\n" + "fun f() = Boats.insert { it[name] = Boats.length }\n" * count
        return processor_seconds(lambda: extract_facts(text.encode(), "kotlin"))

    def unclosed(count: int) -> float:
        text = "import org.jetbrains.exposed.sql.*\n" + "object Boats : Table(\n" * count
        return processor_seconds(lambda: extract_facts(text.encode(), "kotlin"))

    def of_ktorm(count: int) -> float:
        text = "import org.ktorm.dsl.*\n" + "fun f() = database.from(Boats).where { db.boats.any { it.length " * count
        return processor_seconds(lambda: extract_facts(text.encode(), "kotlin"))

    assert is_linear(of_ktorm, 50)
    assert is_linear(shallow, 200)
    assert is_linear(unclosed, 200)
    assert is_linear(seconds, 50)
