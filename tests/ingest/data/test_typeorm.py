"""Entities of TypeORM: the tables, columns and keys that TypeORM makes for them."""

from __future__ import annotations

from astrolabe.ingest.data.schemas.databases import read_mapped, read_schemas
from astrolabe.ingest.data.schemas.tables import Table
from astrolabe.ingest.languages.mapped_schemas import mapped_schemas

from .mapped_models import columns, data_of, edges_by_name, foreign_keys, keys
from .mapped_models import tables as tables_of

BASE = """
import { Column, CreateDateColumn, Index, PrimaryGeneratedColumn } from "typeorm";

export abstract class Base {
    @PrimaryGeneratedColumn("uuid")
    id: string;

    @CreateDateColumn({ type: "timestamptz", precision: 3 })
    madeAt: Date;

    @Index()
    @Column({ nullable: true })
    tenant: string;
}

export class Name {
    @Column()
    first: string;

    @Column({ length: 40 })
    lastName: string;
}
"""
PEOPLE = """
import {
    ChildEntity, Column, Entity, Index, JoinColumn, JoinTable, ManyToMany, ManyToOne, OneToMany, OneToOne,
    PrimaryColumn, PrimaryGeneratedColumn, TableInheritance, Tree, TreeParent, Unique,
} from "typeorm";
import { Base, Name } from "./base";

export enum Mood { Good = "good", Bad = "bad" }

@Entity()
@TableInheritance({ column: { type: "varchar", name: "kind" } })
@Index(["name.first", "mood"], { unique: true, where: "mood = 'good'" })
@Unique(["card", "tenant"])
export class Person extends Base {
    @Column(() => Name)
    name: Name;

    @Column({ type: "enum", enum: Mood, default: Mood.Good })
    mood: Mood;

    @Column("numeric", { precision: 10, scale: 2, nullable: true })
    card: number;

    @Column("text", { array: true })
    tags: string[];

    @ManyToMany(() => Person)
    @JoinTable()
    friends: Person[];
}

@ChildEntity()
export class Teacher extends Person {
    @Column()
    subject: string;

    @ManyToOne(() => School, (school) => school.teachers, { onDelete: "CASCADE" })
    school: School;
}

@Entity({ name: "schools", schema: "core" })
export class School {
    @PrimaryColumn()
    country: string;

    @PrimaryColumn({ type: "smallint" })
    number: number;

    @OneToMany(() => Teacher, (teacher) => teacher.school)
    teachers: Teacher[];

    @OneToOne(() => Person)
    @JoinColumn({ name: "owner_id" })
    owner: Person;
}

@Entity("rooms")
@Tree("closure-table")
export class Room {
    @PrimaryGeneratedColumn({ type: "bigint" })
    id: string;

    @TreeParent()
    parent: Room;

    @ManyToOne("School")
    @JoinColumn([
        { name: "country", referencedColumnName: "country" },
        { name: "number", referencedColumnName: "number" },
    ])
    school: School;

    @ManyToMany(() => Person)
    @JoinTable({ name: "keys", joinColumn: { name: "room" }, inverseJoinColumn: { name: "holder" } })
    holders: Person[];
}
"""
FILES = {"src/base.ts": BASE, "src/people.ts": PEOPLE}
SNAKE = """
import { DataSource } from "typeorm";
import { SnakeNamingStrategy } from "typeorm-naming-strategies";

export default new DataSource({ type: "postgres", namingStrategy: new SnakeNamingStrategy(), synchronize: true });
"""


def tables(files: dict[str, str]) -> dict[str, Table]:
    return tables_of(files, "typeorm")


def test_fields_of_bases_children_and_embedded_values_are_columns() -> None:
    assert columns(tables(FILES)["person"]) == {
        "id": ("uuid", False),
        "madeAt": ("timestamp(3) with time zone", False),
        "tenant": ("character varying", True),
        "kind": ("character varying", False),
        "nameFirst": ("character varying", True),
        "nameLastname": ("character varying(40)", True),
        "mood": ("person_mood_enum", False),
        "card": ("numeric(10,2)", True),
        "tags": ("text[]", False),
        "subject": ("character varying", True),
        "schoolCountry": ("character varying", True),
        "schoolNumber": ("smallint", True),
    }


def test_keys_have_the_names_that_typeorm_makes() -> None:
    # The names are those of TypeORM 0.3.20 for the same entities.
    assert keys(tables(FILES)["person"]) == [
        ("FK_7bbe8c5e64d3d8f98d5116e663e", "foreign key"),
        ("IDX_48bce9d99f9c655ce92226ee63", "index"),
        ("IDX_5f2c2102bf58941e7d6743260b", "index"),
        ("PK_5fdaf670315c4b7e70cce85daa3", "primary key"),
        ("UQ_b70fdd0dc97e3f36b3d2ebb1ed3", "unique"),
    ]


def test_relations_are_foreign_keys_where_they_are_declared() -> None:
    found = tables(FILES)
    assert foreign_keys(found["person"]) == {"schoolCountry,schoolNumber": ("schools", "country,number", "CASCADE")}
    assert foreign_keys(found["schools"]) == {"owner_id": ("person", "id", "")}
    assert ("owner_id",) in {tuple(each.columns) for each in found["schools"].constraints.values() if each.kind == "unique"}
    assert foreign_keys(found["rooms"]) == {
        "parentId": ("rooms", "id", ""),
        "country,number": ("schools", "country,number", ""),
    }


def test_relations_of_many_to_many_and_closures_have_tables() -> None:
    found = tables(FILES)
    assert columns(found["person_friends_person"]) == {"personId_1": ("uuid", False), "personId_2": ("uuid", False)}
    assert columns(found["keys"]) == {"room": ("bigint", False), "holder": ("uuid", False)}
    assert list(columns(found["rooms_closure"])) == ["id_ancestor", "id_descendant"]


def test_a_naming_strategy_in_snake_case_is_followed() -> None:
    found = tables({**FILES, "src/source.ts": SNAKE})
    assert {"made_at", "name_first", "name_last_name", "school_country"} <= set(columns(found["person"]))
    assert list(columns(found["person_friends_person"])) == ["person_id_1", "person_id_2"]


def test_entity_schemas_are_tables() -> None:
    source = """
import { EntitySchema } from "typeorm";

export const FlowEntity = new EntitySchema({
    name: "flow",
    columns: {
        id: { type: String, primary: true, length: 21 },
        created: { type: "timestamp with time zone", createDate: true },
        folderId: { type: String, length: 21, nullable: true },
    },
    indices: [{ name: "idx_flow_folder", columns: ["folderId"], unique: false }],
    relations: {
        folder: {
            type: "many-to-one", target: "folder", onDelete: "SET NULL",
            joinColumn: { name: "folderId", foreignKeyConstraintName: "fk_flow_folder" },
        },
    },
});
export const FolderEntity = new EntitySchema({ name: "folder", columns: { id: { type: String, primary: true, length: 21 } } });
"""
    found = tables({"src/flow.ts": source})
    assert columns(found["flow"]) == {
        "id": ("character varying(21)", False),
        "created": ("timestamp with time zone", False),
        "folderId": ("character varying(21)", True),
    }
    assert ("fk_flow_folder", "foreign key") in keys(found["flow"])
    assert ("idx_flow_folder", "index") in keys(found["flow"])


def test_entities_map_to_the_tables_of_migrations() -> None:
    migration = (
        'CREATE TABLE rooms (id bigint, "parentId" bigint, country varchar, number smallint);\nCREATE TABLE keys (room bigint);'
    )
    schools = "CREATE TABLE core.schools (country varchar, number smallint);\nCREATE TABLE person (id uuid);"
    found = edges_by_name({**FILES, "db/migrations/001_all.sql": migration + schools})
    mapped = {(each.from_id, each.to_id, each.framework) for each in found.data_mappings}
    assert {("Room", "rooms", "typeorm"), ("School", "schools", "typeorm"), ("number", "number", "typeorm")} <= mapped


def test_two_applications_with_a_table_of_one_name_are_two_databases() -> None:
    head = 'import { Entity, PrimaryColumn } from "typeorm";\n\n'
    entity = f"{head}@Entity()\nexport class User {{\n    @PrimaryColumn()\n    id: number;\n}}\n"
    facts = data_of({"apps/one/src/user.ts": entity, "apps/two/src/user.ts": entity})
    assert [schema.files.folder for schema in read_mapped(facts, mapped_schemas(facts))] == ["apps/one/src", "apps/two/src"]


def test_classes_that_extend_each_other_in_a_circle_end() -> None:
    head = 'import { Column, Entity } from "typeorm";\n'
    one = (
        f'{head}import {{ Two }} from "./two";\n\n@Entity()\nexport class One extends Two {{\n    @Column()\n    a: string;\n}}\n'
    )
    two = f'{head}import {{ One }} from "./one";\n\nexport class Two extends One {{\n    @Column()\n    b: string;\n}}\n'
    assert set(columns(tables({"one.ts": one, "two.ts": two})["one"])) == {"a", "b"}


def test_migrations_with_statements_are_applied_in_order_and_known_as_down() -> None:
    def migration(name: str, up: str, down: str) -> str:
        lines = [
            'import { MigrationInterface, QueryRunner } from "typeorm";',
            f"export class {name} implements MigrationInterface {{",
            "    public async up(queryRunner: QueryRunner): Promise<void> {",
            f"        await queryRunner.query(`{up}`);",
            "    }",
            "    public async down(queryRunner: QueryRunner): Promise<void> {",
            f"        await queryRunner.query('{down}');",
            "    }",
            "}",
        ]
        return "\n".join(lines)

    first = migration("First1", 'CREATE TABLE "users" ("id" int NOT NULL, "old" text)', 'DROP TABLE "users"')
    second = migration("Second2", 'ALTER TABLE "users" RENAME COLUMN "old" TO "name"', 'ALTER TABLE "users" DROP COLUMN "name"')
    files = {"src/migrations/1700000000001-first.ts": first, "src/migrations/1700000000002-second.ts": second}
    (schema,) = read_schemas(data_of(files))
    assert schema.files.is_migrations
    assert [(each.name, each.nullable) for each in schema.database.tables["", "users"].columns.values()] == [
        ("id", False),
        ("name", True),
    ]
    entity = 'import { Entity, PrimaryColumn } from "typeorm";\n\n@Entity("users")\nexport class User {\n'
    found = edges_by_name({**files, "src/user.ts": f"{entity}    @PrimaryColumn()\n    id: number;\n}}\n"})
    assert ("User", "users", "typeorm") in {(each.from_id, each.to_id, each.framework) for each in found.data_mappings}
    created = [each.to_path for each in found.schema_events if each.kind == "created" and each.name == "users"]
    assert "src/migrations/1700000000001-first.ts" in created


def test_calls_of_other_classes_are_no_migrations() -> None:
    source = (
        'import { DataSource } from "typeorm";\n\nexport class Tool {\n    async up(queryRunner: any) {\n'
        '        await queryRunner.query("CREATE TABLE a (b int)");\n    }\n}\n'
    )
    found = data_of({"src/tool.ts": source})["src/tool.ts"]
    assert found.migration is None
    assert not found.changes


def test_decorators_of_the_repository_declare_columns() -> None:
    files = {
        "src/columns.ts": """
import { applyDecorators } from "@nestjs/common";
import { Column, type ColumnOptions, CreateDateColumn } from "typeorm";

export const Money = () => Column("numeric", { precision: 12, scale: 2 });
export function DatedColumn(options: ColumnOptions) {
    return Column(options);
}
export function Made() {
    return applyDecorators(Label(), CreateDateColumn({ name: "made_at" }));
}
export const Label = () => SetMetadata("label", true);
""",
        "src/invoice.ts": """
import { Entity, PrimaryGeneratedColumn } from "typeorm";
import { IsString } from "class-validator";
import { DatedColumn, Label, Made, Money } from "@/columns";

@Entity("invoices")
export class Invoice {
    @PrimaryGeneratedColumn()
    id: number;

    @Money()
    total: string;

    @DatedColumn({ type: "date", nullable: true })
    paidOn: Date;

    @Label() @Made()
    made: Date;

    @IsString() @Label()
    shown: string;
}
""",
    }
    assert columns(tables_of(files, "typeorm")["invoices"]) == {
        "id": ("integer", False),
        "total": ("numeric(12,2)", False),
        "paidOn": ("date", True),
        "made_at": ("timestamp without time zone", False),
    }
