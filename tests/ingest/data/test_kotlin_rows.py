"""Rows, data access objects and repositories in Kotlin: Room, JPA, Spring Data and Komapper; and those of Room in Java."""

from __future__ import annotations

from pathlib import Path

import pytest
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.kotlin.annotated.declarations import Declarations
from astrolabe.ingest.languages.kotlin.annotated.rows import add_rows
from astrolabe.ingest.languages.kotlin.annotated.statements import add_statements
from data_uses import uses_of
from linear_time import is_linear, processor_seconds
from written_workspace import analysed

from .mapped_models import columns, data_of, foreign_keys, keys, tables

ROOM = '''\
package garden

import androidx.room.*

/** @Entity is no annotation here. */
@Entity(
    tableName = "plants",
    indices = [Index(value = ["bed_id"])],
    foreignKeys = [
        ForeignKey(entity = Bed::class, parentColumns = ["id"], childColumns = ["bed_id"], onDelete = ForeignKey.CASCADE),
    ],
)
data class Plant(
    @PrimaryKey @ColumnInfo(name = "id") val plantId: String,
    val name: String?,
    @ColumnInfo(name = "bed_id") val bed: Long,
    @Embedded val soil: Soil,
) {
    @Ignore var note: String = ""
}

@Entity
data class Bed(@PrimaryKey(autoGenerate = true) val id: Long = 0, val size: Int)

@Entity(primaryKeys = ["left", "right"])
data class Pair(val left: Long, val right: Long)

@Dao
interface PlantDao {
    @Query(
        """
        SELECT * FROM plants WHERE bed_id = :bed
        """,
    )
    fun ofBed(bed: Long): List<Plant>

    @Insert(onConflict = OnConflictStrategy.REPLACE)
    suspend fun add(plants: List<Plant>)

    @Delete(entity = Bed::class)
    suspend fun drop(size: BedSize)

    @Upsert
    suspend fun keep(vararg beds: Bed)
}
'''


def test_room_tables() -> None:
    """Annotations of a class name its table, its columns and its keys; embedded and ignored properties have no column."""
    found = tables({"app/Plant.kt": ROOM}, "room")
    assert {name: columns(table) for name, table in found.items()} == {
        "plants": {"id": ("TEXT", False), "name": ("TEXT", True), "bed_id": ("INTEGER", False)},
        "Bed": {"id": ("INTEGER", False), "size": ("INTEGER", False)},
        "Pair": {"left": ("INTEGER", False), "right": ("INTEGER", False)},
    }
    assert foreign_keys(found["plants"]) == {"bed_id": ("bed", "id", "CASCADE")}
    assert ("index_plants_bed_id", "index") in keys(found["plants"])


def test_schema() -> None:
    """Only the argument of that name is the schema of a table."""
    files = {
        "shop/Version.kt": (
            "import org.springframework.data.annotation.Id\nimport org.springframework.data.relational.core.mapping.Table\n"
            '@Table("schema_versions")\nclass Version(@Id val id: Long)\n'
            '@Table(name = "tills", schema = "shop")\nclass Till(@Id val id: Long)\n'
        )
    }
    models = [(model.table, model.schema) for data in data_of(files).values() for model in data.models]
    assert models == [("schema_versions", ""), ("tills", "shop")]


PROJECT = f"""
//- app/Plant.kt
{ROOM}
//- shop/Customer.kt
package shop
import jakarta.persistence.*
import org.springframework.data.jpa.repository.JpaRepository
import org.springframework.data.jpa.repository.Query

@MappedSuperclass
abstract class Base {{ @Id @GeneratedValue var id: Long? = null }}
@Entity
@Table(name = "customers")
class Customer(
    @Column(name = "mail") val email: String,
    @ManyToOne(fetch = FetchType.LAZY) val shopTown: Town,
    @OneToMany(mappedBy = "customer") val towns: MutableList<Town> = mutableListOf(),
) : Base() {{
    fun rename(name: String) {{ val email: String = name; send(email) }}
}}
@Entity
class Town(var title: String) : Base()
interface Customers : JpaRepository<Customer, Long> {{
    fun findByEmailOrderByIdDesc(email: String): Customer?
    @Query("select c from Customer c join Town t on t = c.shopTown where c.email = :email")
    fun joined(email: String): List<Customer>
    fun deleteByEmail(email: String)
}}
//- shop/CustomerService.kt
package shop
class CustomerService(private val customers: Customers, private val cache: Cache) {{
    fun add(customer: Customer) = customers.save(customer)
    fun all(): List<Customer> = customers.findAll()
    fun cached(customer: Customer) = cache.save(customer)
}}
//- shop/Address.kt
package shop
import org.komapper.annotation.*
import org.komapper.core.dsl.*
class Address(val id: Int, val street: String)
@KomapperEntityDef(Address::class)
@KomapperTable("address_book")
class AddressDef(@KomapperId val id: Nothing, val street: Nothing)
class Addresses(val db: Database) {{
    private val a = Meta.address
    fun all() = db.runQuery {{ QueryDsl.from(a).where {{ a.street eq "x" }} }}
    fun add(address: Address) = db.runQuery {{ QueryDsl.insert(a).single(address) }}
}}
//- android/Note.java
package android;
import androidx.room.*;
@Entity(tableName = "notes")
class Note {{ @PrimaryKey public long id; @ColumnInfo(name = "words") public String text; @Ignore public String shown; }}
//- android/NoteDao.java
package android;
import androidx.room.*;
import java.util.List;
@Dao
interface NoteDao {{
  @Insert(onConflict = OnConflictStrategy.REPLACE) void add(List<Note> notes);
  @Update int change(Note... notes);
  @Query("SELECT words FROM notes WHERE id = :id") String words(long id);
}}
"""


def test_uses(tmp_path: Path) -> None:
    """Annotations and names describe the statements of functions; callers of inherited functions use the rows of repositories."""
    content = analysed(tmp_path, PROJECT)
    assert uses_of(content, "app/Plant.kt") == [
        "PlantDao.add modifies Plant insert",
        "PlantDao.drop modifies Bed delete",
        "PlantDao.keep modifies Bed merge",
        "PlantDao.ofBed reads Plant select",
        "PlantDao.ofBed reads Plant.bed select",
    ]
    assert uses_of(content, "shop/Customer.kt") == [
        "Customers.deleteByEmail modifies Customer delete",
        "Customers.deleteByEmail reads Customer.email delete",
        "Customers.findByEmailOrderByIdDesc reads Base.id select",
        "Customers.findByEmailOrderByIdDesc reads Customer select",
        "Customers.findByEmailOrderByIdDesc reads Customer.email select",
        "Customers.joined reads Customer select",
        "Customers.joined reads Town select",
    ]
    assert uses_of(content, "shop/CustomerService.kt") == [
        "CustomerService.add modifies Customer merge",
        "CustomerService.all reads Customer select",
    ]
    assert uses_of(content, "shop/Address.kt") == [
        "Addresses.add modifies AddressDef insert",
        "Addresses.all reads AddressDef select",
    ]
    assert uses_of(content, "android/NoteDao.java") == [
        "NoteDao.add modifies Note insert",
        "NoteDao.change modifies Note update",
        "NoteDao.words reads Note select",
        "NoteDao.words reads Note.id select",
        "NoteDao.words reads Note.text select",
    ]


@pytest.mark.parametrize(
    "part",
    [
        "@Entity(indices = [Index(value = [",
        "class A : B<",
        "class A<B",
        "class Abc(val a: List<",
        "interface R : JpaRepository<A, ",
        "fun <T ",
        "val a: B<C, ",
        "class A  :  \n  ",
        '@Query("""select a from B ',
        "QueryDsl.from(Meta.",
    ],
)
def test_hostile(part: str) -> None:
    """Unclosed parts of declarations take time that is linear in their number."""
    facts = extract_facts(b"", "kotlin")

    def seconds(count: int) -> float:
        text = "import androidx.room.*\nimport org.komapper.core.*\n" + part * count

        def read() -> None:
            declared = Declarations(text)
            add_rows(facts, declared)
            add_statements(facts, declared)

        return processor_seconds(read)

    assert is_linear(seconds, 2_000)
