"""Entities of JPA: the tables, columns and keys that Hibernate makes for them."""

from __future__ import annotations

from astrolabe.ingest.data.schemas.databases import read_mapped
from astrolabe.ingest.data.schemas.tables import Table
from astrolabe.ingest.languages.extraction import extract_facts
from astrolabe.ingest.languages.mapped_schemas import mapped_schemas

from .mapped_models import columns, data_of, edges_by_name, foreign_keys, keys
from .mapped_models import tables as tables_of

HEAD = "package shop.model;\n\nimport jakarta.persistence.*;\nimport java.util.*;\n\n"
BASE = (
    HEAD
    + """
@MappedSuperclass
public abstract class Base {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    private Long id;

    private java.time.Instant madeAt;
    private transient int cached;
    static final int LIMIT = 3;
    @Version
    private int version;
}
"""
)
ADDRESS = (
    HEAD
    + """
@Embeddable
public class Address {
    private String homeTown;
    @Column(length = 12, nullable = false)
    private String zip;
}
"""
)
PERSON = (
    HEAD
    + """
import shop.model.Address;

@Entity
@Table(name = "people", uniqueConstraints = @UniqueConstraint(columnNames = {"card", "zip"}),
    indexes = {@Index(columnList = "card, zip DESC"), @Index(name = "by_mood", columnList = "mood")})
@Inheritance(strategy = InheritanceType.SINGLE_TABLE)
public class Person extends Base {
    public enum Mood { GOOD, BAD }

    @Column(unique = true, precision = 10, scale = 2)
    private java.math.BigDecimal card;
    @Enumerated(EnumType.STRING)
    private Mood mood;
    private Mood other;
    private boolean active;
    @Lob
    private String story;
    private Address address;
    @Embedded
    @AttributeOverride(name = "homeTown", column = @Column(name = "workTown"))
    @AttributeOverride(name = "zip", column = @Column(name = "work_zip"))
    private Address work;
    @ManyToOne(optional = false)
    private Shop favoriteShop;
    @ElementCollection
    private Set<String> nickNames;
    @ManyToMany
    private List<Shop> shops;
    @Transient
    private String shown;
    @OneToMany(mappedBy = "owner")
    private List<Shop> owned;
}
"""
)
TEACHER = (
    HEAD
    + """
@Entity
public class Teacher extends Person {
    @Column(nullable = false)
    private String subject;
}
"""
)
SHOP = (
    HEAD
    + """
@Entity
public class Shop {
    private long number;
    private Person owner;

    @Id
    public long getNumber() { return number; }
    public void setNumber(long number) { this.number = number; }

    @OneToOne
    @JoinColumn(name = "ownerId", foreignKey = @ForeignKey(name = "fk_owner"))
    public Person getOwner() { return owner; }
    public void setOwner(Person owner) { this.owner = owner; }

    public String getTitle() { return "computed"; }
}
"""
)
FILES = {
    f"src/main/java/shop/model/{name}.java": text
    for name, text in (("Base", BASE), ("Address", ADDRESS), ("Person", PERSON), ("Teacher", TEACHER), ("Shop", SHOP))
}
SPRING = (
    "package shop;\n\nimport org.springframework.boot.autoconfigure.SpringBootApplication;\n\n"
    "@SpringBootApplication\npublic class App {\n}\n"
)


def tables(files: dict[str, str]) -> dict[str, Table]:
    return tables_of(files, "jpa")


def test_attributes_of_superclasses_embedded_values_and_children_are_columns() -> None:
    assert columns(tables(FILES)["people"]) == {
        "id": ("bigint", False),
        "madeAt": ("timestamp(6) with time zone", True),
        "version": ("integer", False),
        "card": ("numeric(10,2)", True),
        "mood": ("varchar(255)", True),
        "other": ("smallint", True),
        "active": ("boolean", False),
        "story": ("oid", True),
        "homeTown": ("varchar(255)", True),
        "zip": ("varchar(12)", False),
        "workTown": ("varchar(255)", True),
        "work_zip": ("varchar(12)", False),
        "favoriteShop_number": ("bigint", False),
        "subject": ("varchar(255)", True),
        "DTYPE": ("varchar(31)", False),
    }


def test_annotations_on_getters_hold_where_the_key_has_them() -> None:
    found = tables(FILES)["Shop"]
    assert columns(found) == {"number": ("bigint", False), "ownerId": ("bigint", True)}
    assert foreign_keys(found) == {"ownerId": ("people", "id", "")}
    assert ("fk_owner", "foreign key") in keys(found)
    assert ("Shop_ownerId_key", "unique") in keys(found)


def test_keys_and_indexes_of_a_table() -> None:
    found = [each for each in keys(tables(FILES)["people"]) if each[1] != "foreign key"]
    assert [kind for name, kind in found if name.startswith("IDX") or name == "by_mood"] == ["index", "index"]
    assert {("people_card_key", "unique"), ("people_card_zip_key", "unique"), ("people_pkey", "primary key")} <= set(found)


def test_collections_have_tables() -> None:
    found = tables(FILES)
    assert columns(found["Person_nickNames"]) == {"Person_id": ("bigint", False), "nickNames": ("varchar(255)", True)}
    assert columns(found["people_Shop"]) == {"Person_id": ("bigint", False), "shops_number": ("bigint", False)}
    assert foreign_keys(found["people_Shop"]) == {"Person_id": ("people", "id", ""), "shops_number": ("shop", "number", "")}


def test_spring_boot_writes_names_in_snake_case() -> None:
    found = tables({**FILES, "src/main/java/shop/App.java": SPRING})
    assert {"made_at", "home_town", "work_town", "favorite_shop_number", "dtype"} <= set(columns(found["people"]))
    assert list(columns(found["people_shops"])) == ["person_id", "shops_number"]
    # The name is that of Hibernate 6.4 for the same columns.
    other = {
        "A.java": HEAD + '@Entity\n@Table(name = "category", indexes = @Index(columnList = "LINEAGE"))\n'
        "public class A {\n    @Id\n    int id;\n    String lineage;\n}\n",
        "App.java": SPRING,
    }
    assert ("IDXiekj8rpfx83k5nww1flbu7tpb", "index") in keys(tables(other)["category"])


def test_a_joined_hierarchy_has_a_table_for_each_entity() -> None:
    files = {
        "A.java": HEAD + "@Entity\n@Inheritance(strategy = InheritanceType.JOINED)\npublic class A {\n    @Id\n    int id;\n}\n",
        "B.java": HEAD + '@Entity\n@PrimaryKeyJoinColumn(name = "a_id")\npublic class B extends A {\n    String name;\n}\n',
    }
    found = tables(files)
    assert columns(found["B"]) == {"a_id": ("integer", False), "name": ("varchar(255)", True)}
    assert foreign_keys(found["B"]) == {"a_id": ("a", "id", "")}


def test_ids_that_are_relations_and_embedded_ids() -> None:
    files = {
        "A.java": HEAD + "@Entity\npublic class A {\n    @EmbeddedId\n    Key key;\n}\n",
        "Key.java": HEAD + "@Embeddable\npublic class Key {\n    String code;\n    int place;\n}\n",
        "B.java": HEAD + "@Entity\npublic class B {\n    @Id\n    Long id;\n    @OneToOne\n    @MapsId\n    C owner;\n}\n",
        "C.java": HEAD + "@Entity\npublic class C {\n    @Id\n    java.util.UUID id;\n    @ManyToOne\n    A a;\n}\n",
    }
    found = tables(files)
    assert columns(found["A"]) == {"code": ("varchar(255)", False), "place": ("integer", False)}
    assert columns(found["B"]) == {"owner_id": ("uuid", False)}
    assert foreign_keys(found["C"]) == {"a_code,a_place": ("a", "code,place", "")}


def test_entities_map_to_the_tables_of_migrations() -> None:
    migration = 'CREATE TABLE people (id bigint, card numeric);\nCREATE TABLE "Shop" (number bigint);'
    tables_behind = 'CREATE TABLE "people_Shop" (x int);'
    found = edges_by_name({**FILES, "src/main/resources/db/migration/V1__all.sql": migration + tables_behind})
    mapped = {(each.from_id, each.to_id, each.framework) for each in found.data_mappings}
    assert {("Person", "people", "jpa"), ("card", "card", "jpa"), ("id", "id", "jpa")} <= mapped


def test_classes_without_entities_declare_nothing() -> None:
    source = HEAD + "public class Plain {\n    @Id\n    int id;\n}\n"
    assert extract_facts(source.encode(), "java").data is None


def test_classes_that_extend_each_other_in_a_circle_end() -> None:
    files = {
        "A.java": HEAD + "@Entity\npublic class A extends B {\n    @Id\n    int id;\n    @ManyToOne\n    @Id\n    B b;\n}\n",
        "B.java": HEAD + "@Entity\npublic class B extends A {\n    @Id\n    @ManyToOne\n    A a;\n}\n",
    }
    facts = data_of(files)
    assert len(facts) == 2
    assert read_mapped(facts, mapped_schemas(facts)) == []
