"""Models of Tortoise ORM as tables, and the queries over them."""

from __future__ import annotations

from pathlib import Path

from data_uses import uses_of
from written_workspace import analysed

from .mapped_models import columns, foreign_keys, keys, tables

MODELS = """
//- app/__init__.py
//- app/base.py
from tortoise import fields, models

class Kept(models.Model):
    id = fields.BigIntField(pk=True)

    class Meta:
        abstract = True
//- app/models.py
from tortoise import fields
from .base import Kept

class Town(Kept):
    name = fields.CharField(max_length=20, unique=True)

class Guest(Kept):
    name = fields.CharField(max_length=40, index=True)
    born = fields.DateField(null=True)
    town = fields.ForeignKeyField("models.Town", related_name="guests")
    rooms = fields.ManyToManyField("models.Room", related_name="tenants")

    class Meta:
        table = "guests"
        unique_together = ("name", "born")

class Room(Kept):
    number = fields.IntField()
"""
CODE = """
from app.models import Guest, Room, Town

async def in_town(name):
    return await Guest.filter(town__name=name).order_by("born")

async def find(key):
    return await Guest.get_or_none(id=key)

async def arrive(name, number):
    guest = await Guest.create(name=name)
    room = await Room.get(number=number)
    await guest.rooms.add(room)

async def rename(key, name):
    guest = await Guest.get(id=key)
    guest.name = name
    await guest.save()
    await guest.fetch_related("town")

async def leave(key):
    await Guest.filter(id=key).delete()

async def move(key, town):
    await Guest.filter(id=key).update(town=town)

def count(values):
    return values.filter(name="a").count()
"""


def test_tables() -> None:
    """The expected values are those of the own schema of Tortoise ORM for PostgreSQL."""
    files = dict(each.split("\n", 1) for each in MODELS.split("//- ")[1:])
    found = tables(files, "tortoise")
    assert list(found) == ["town", "guests", "guests_room", "room"]
    assert columns(found["guests"]) == {
        "id": ("bigserial", False),
        "name": ("varchar(40)", False),
        "born": ("date", True),
        "town_id": ("bigint", False),
    }
    assert columns(found["guests_room"]) == {"guests_id": ("bigint", False), "room_id": ("bigint", False)}
    assert columns(found["room"]) == {"id": ("bigserial", False), "number": ("integer", False)}
    assert [name for name, kind in keys(found["guests"]) if kind == "index"] == [
        "idx_guests_name_bf526d",
        "uid_guests_name_375646",
    ]
    assert foreign_keys(found["guests"]) == {"town_id": ("town", "id", "CASCADE")}
    assert foreign_keys(found["guests_room"]) == {"guests_id": ("guests", "id", "CASCADE"), "room_id": ("room", "id", "CASCADE")}


def test_queries(tmp_path: Path) -> None:
    found = uses_of(analysed(tmp_path, f"{MODELS}//- app/code.py\n{CODE}"), "app/code.py")
    assert found == [
        "arrive modifies Guest insert",
        "arrive modifies Guest.name insert",
        "arrive modifies Guest.rooms insert",
        "arrive reads Room select",
        "arrive reads Room.number select",
        "find reads Guest select",
        "find reads Kept.id select",
        "in_town reads Guest select",
        "in_town reads Guest.born select",
        "in_town reads Guest.town select",
        "in_town reads Town select",
        "in_town reads Town.name select",
        "leave modifies Guest delete",
        "leave reads Kept.id delete",
        "move modifies Guest update",
        "move modifies Guest.town update",
        "move reads Kept.id update",
        "rename modifies Guest merge",
        "rename reads Guest select",
        "rename reads Kept.id select",
        "rename reads Town select",
    ]
