"""Differences between models and the migrations of the same tables."""

from __future__ import annotations

from pathlib import Path

from astrolabe.server.api.workspace import Workspace
from written_workspace import write

PROJECT = """
//- models.py
from sqlalchemy import String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    pass


class Boat(Base):
    __tablename__ = "boats"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(50))
    note: Mapped[str]
    draft: Mapped[int | None]
//- versions/first.py
import sqlalchemy as sa
from alembic import op

revision = "a1"
down_revision = None


def upgrade():
    op.create_table(
        "boats",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("draft", sa.Integer(), nullable=False),
        sa.Column("old", sa.Integer()),
    )
    op.create_table(
        "sails",
        sa.Column("id", sa.Integer(), primary_key=True),
        sa.Column("color", sa.String(40), nullable=False),
        sa.Column("maker", sa.String(40), nullable=False),
    )
//- sails/model.go
package sails

import "gorm.io/gorm"

type Sail struct {
	ID    int `gorm:"primaryKey"`
	Color string
	Maker *string
}

func Find(db *gorm.DB) (sail Sail) {
	db.First(&sail)
	return
}
//- fleet/src/entity/crew.ts
import { Column, Entity, PrimaryGeneratedColumn } from "typeorm";

@Entity("crew")
export class Crew {
  @PrimaryGeneratedColumn() id: number;
  @Column() size: number;
  @Column() captain: string;
}
//- fleet/src/migrations/1700000000001-crew.ts
import { MigrationInterface, QueryRunner } from "typeorm";

export class Crew1700000000001 implements MigrationInterface {
  public async up(runner: QueryRunner): Promise<void> {
    await runner.query(`CREATE TABLE "crew" ("id" serial PRIMARY KEY)`);
  }
}
//- fleet/src/migrations/1700000000002-crew.ts
import { MigrationInterface, QueryRunner } from "typeorm";

export class Crew1700000000002 implements MigrationInterface {
  public async up(runner: QueryRunner): Promise<void> {
    await runner.query(`ALTER TABLE "crew" ADD COLUMN "captain" varchar NOT NULL, ADD COLUMN "size" integer NOT NULL`);
  }
}
//- docks/schema.prisma
datasource db {
  provider = "postgresql"
}

model Dock {
  id    Int      @id
  gates String[]
  depth Int?
}
//- docks/migrations/20260101000000_docks/migration.sql
CREATE TABLE "Dock" ("id" INTEGER PRIMARY KEY, "gates" TEXT[] NOT NULL, "depth" INTEGER NOT NULL);
//- people/__init__.py
//- people/models.py
from django.contrib.auth.models import AbstractBaseUser, PermissionsMixin
from django.contrib.contenttypes.fields import GenericForeignKey
from django.db import models


class LooseGenericForeignKey(GenericForeignKey):
    pass


class Club(models.Model):
    pass


class InLand(models.Model):
    land = models.CharField(max_length=40)

    class Meta:
        abstract = True


class Person(AbstractBaseUser, PermissionsMixin):
    email = models.EmailField(unique=True)
    town = models.CharField(max_length=40)
    note = models.CharField(max_length=90)
    clubs = models.ManyToManyField(Club, through="Member")
    subject = LooseGenericForeignKey("subject_type", "subject_number")


class Member(models.Model):
    person = models.ForeignKey(Person, on_delete=models.CASCADE)
    club = models.ForeignKey(Club, on_delete=models.CASCADE)
    since = models.IntegerField()
    until = models.IntegerField()
    role = models.IntegerField()
//- people/migrations/__init__.py
//- people/migrations/0001_initial.py
from django.db import migrations, models


class Migration(migrations.Migration):
    operations = [
        migrations.CreateModel("Club", [("id", models.BigAutoField(primary_key=True))]),
        migrations.CreateModel(
            "Person",
            [
                ("id", models.BigAutoField(primary_key=True)),
                ("password", models.CharField(max_length=128)),
                ("last_login", models.DateTimeField(null=True)),
                ("is_superuser", models.BooleanField(default=False)),
                ("email", models.EmailField(max_length=254, unique=True)),
                ("town", models.CharField(max_length=40)),
                ("note", models.CharField(max_length=20)),
                ("groups", models.ManyToManyField(to="auth.group")),
                ("user_permissions", models.ManyToManyField(to="auth.permission")),
                ("clubs", models.ManyToManyField(to="people.club")),
            ],
        ),
    ]
//- tests/towns/__init__.py
//- tests/towns/models.py
from django.db import models

from people.models import InLand


class Town(InLand):
    name = models.CharField(max_length=40)
//- tests/towns/migrations/__init__.py
//- tests/towns/migrations/0001_initial.py
from django.db import migrations, models


class Migration(migrations.Migration):
    operations = [
        migrations.CreateModel(
            "Town", [("id", models.BigAutoField(primary_key=True)), ("name", models.CharField(max_length=40))]
        ),
        AddLands("towns.Town"),
    ]
//- people/migrations/0002_member.py
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("people", "0001_initial")]
    operations = [
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL("ALTER TABLE people_person_clubs RENAME TO people_member")],
            state_operations=[
                migrations.CreateModel(
                    "Member",
                    [
                        ("id", models.BigAutoField(primary_key=True)),
                        ("person", models.ForeignKey(on_delete=models.CASCADE, to="people.person")),
                        ("club", models.ForeignKey(on_delete=models.CASCADE, to="people.club")),
                    ],
                ),
            ],
        ),
        migrations.AddField("member", "since", models.IntegerField()),
        migrations.AddField("member", "until", models.IntegerField()),
        migrations.AddField("member", "role", models.IntegerField()),
    ]
"""
SECOND = """
import sqlalchemy as sa
from alembic import op

revision = "b2"
down_revision = "a1"


helper = sa.Table("boats", sa.MetaData(), sa.Column("id", sa.Integer(), primary_key=True), sa.Column("name", sa.String(128)))


def upgrade():
    op.execute(helper.update().values(name=""))
    op.add_column("boats", sa.Column("note", sa.String(), nullable=False))
    op.alter_column("boats", "name", type_=sa.String(50))
    op.alter_column("boats", "draft", nullable=True)
"""


THIRD = """
import sqlalchemy as sa
from alembic import op

revision = "c3"
down_revision = "b2"


def upgrade():
    op.drop_column("boats", "old")
"""
#: A field that cannot hold null says nothing about null, and a pointer does.
MAKER = ("sails/model.go", 8, "sails.maker may be null in the model, and may not after the migrations.")
#: The tables of inherited relations share the class with the table of the model, and are not compared with it.
NOTE = ("people/models.py", 24, "Person.note has length 90 in the model, and 20 after the migrations.")
#: A list of Prisma says nothing about null.
DEPTH = ("docks/schema.prisma", 8, "Dock.depth may be null in the model, and may not after the migrations.")
#: A table that a migration declares for its own statements, without a change of the schema.
HELPER = """
import sqlalchemy as sa
from alembic import op

revision = "d4"
down_revision = "c3"


def upgrade():
    op.execute(sa.Table("boats", sa.MetaData(), sa.Column("id", sa.Integer()), sa.Column("name", sa.String(128))).update())
"""


def warnings(workspace: Workspace) -> list[tuple[str, int, str]]:
    workspace.index()
    found = workspace.lint(checks=["warnings"]).answer.diagnostics or ()
    return [(each.file, each.line, each.message) for each in found]


def test_differences_are_told_at_the_columns_of_the_model_until_a_migration_ends_them(tmp_path: Path) -> None:
    write(tmp_path, PROJECT)
    with Workspace.locate(tmp_path) as workspace:
        assert warnings(workspace) == [
            DEPTH,
            ("models.py", 12, "boats.name has length 50 in the model, and 40 after the migrations."),
            ("models.py", 13, "The model has boats.note, which no migration adds."),
            ("models.py", 14, "boats.draft may be null in the model, and may not after the migrations."),
            NOTE,
            MAKER,
        ]
        (tmp_path / "versions" / "second.py").write_text(SECOND)
        (tmp_path / "versions" / "third.py").write_text(THIRD)
        (tmp_path / "versions" / "fourth.py").write_text(HELPER)
        assert warnings(workspace) == [DEPTH, NOTE, MAKER]
