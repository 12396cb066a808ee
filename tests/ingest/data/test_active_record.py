"""Models of Piccolo, MongoEngine and Beanie as tables, and the statements that these models run."""

from __future__ import annotations

from pathlib import Path

from astrolabe.ingest.data.schemas.tables import Table
from data_uses import uses_of
from written_workspace import analysed

from .mapped_models import columns, foreign_keys, keys, tables

PICCOLO = """
from piccolo.columns import UUID, Array, Float, ForeignKey, LazyTableReference, M2M, Numeric, Timestamptz, Varchar
from piccolo.table import Table

class Harbor(Table):
    name = Varchar(length=100, unique=True, index=True)

class BoatTrip(Table, tablename="trips"):
    id = UUID(primary_key=True)
    harbor = ForeignKey(Harbor)
    before = ForeignKey("self", null=False)
    stops = Array(base_column=Varchar())
    price = Numeric(digits=(5, 2))
    length = Float(null=True)
    began = Timestamptz(db_column_name="began_at")
    crew = M2M(LazyTableReference("CrewOfTrip", module_path=__name__))

class LongTrip(BoatTrip):
    pass
"""
PICCOLO_CODE = """
from sea.models import BoatTrip, Harbor

async def near(name):
    return await BoatTrip.select(BoatTrip.price).where(BoatTrip.harbor.name == name).order_by(BoatTrip.began)

async def rename(key, name):
    await Harbor.update({Harbor.name: name}).where(Harbor.id == key)

async def close(name):
    harbor = await Harbor.objects().get(Harbor.name == name)
    await harbor.remove()

async def open_harbor(name):
    harbor = Harbor(name=name)
    await harbor.save().run()
    return await Harbor.exists().where(Harbor.name == name)

async def known(name):
    return await Harbor.objects().get_or_create(Harbor.name == name)

async def forget():
    await BoatTrip.delete(force=True)
    await BoatTrip.insert(BoatTrip(price=3))
"""
MONGOENGINE = """
from mongoengine import CASCADE, Document, EmbeddedDocument, fields
from .wrappers import shown

class Engine(EmbeddedDocument):
    power = fields.IntField()

class Kept(Document):
    created = fields.DateTimeField(required=True)
    meta = {"abstract": True}

class BoatType(Kept):
    code = shown(fields.StringField(primary_key=True), label="Code")
    name = shown(fields.StringField(required=True, unique=True))
    meta = {"collection": "types"}

class SailBoat(Kept[int]):
    name = fields.StringField(db_field="n")
    type = fields.ReferenceField(BoatType, reverse_delete_rule=CASCADE)
    crew = fields.ListField(fields.ReferenceField("Sailor"))
    engine = fields.EmbeddedDocumentField(Engine)
    meta = {"allow_inheritance": True, "indexes": ["name", ("type", "-created"), {"fields": ["crew"], "unique": True}]}

class RaceBoat(SailBoat):
    speed = fields.FloatField()
"""
SAILORS = """
from .base import Kept
from mongoengine.fields import StringField

class Sailor(Kept):
    name = StringField()
"""
MONGOENGINE_CODE = """
from mongo.base import BoatType, SailBoat
from mongo.sailors import Sailor

def by_type(name):
    found = SailBoat.objects(name=name, type__ne=None).order_by("-created").exclude("engine").only("crew")
    return found.first()

def rename(key, name):
    boat = SailBoat.objects.get(id=key)
    boat.name = name
    boat.save()
    BoatType.objects(code=key).update_one(set__name=name, upsert=True)

def everything():
    return [sailor for sailor in Sailor.objects]

def sink(name):
    SailBoat.objects.filter(name=name).delete()

def mutiny(boat: SailBoat):
    boat.update(unset__crew=True)
    boat.delete()

def hire():
    sailors = Sailor.objects
    return sailors.create(name="x")
"""
BEANIE = """
from datetime import datetime
from typing import Annotated, ClassVar, Optional
from beanie import BackLink, Document, Indexed, Link
from pydantic import BaseModel, Field

class Address(BaseModel):
    street: str

class Sailor(Document):
    name: Indexed(str, unique=True)
    born: Optional[datetime] = None
    address: Address
    crews: list[BackLink["Crew"]] = Field(original_field="members")
    cache: ClassVar[dict] = {}

class Crew(Document):
    code: Annotated[str, Indexed()]
    members: list[Link[Sailor]]
    rank: int | None = None

    class Settings:
        name = "crews"
"""
BEANIE_CODE = """
from ship.documents import Crew, Sailor

async def named(name):
    return await Sailor.find(Sailor.name == name, {"address.street": "x"}).sort("-born").to_list()

async def rename(old, name):
    await Sailor.find_one(Sailor.name == old).update({"$set": {"name": name}})

async def promote(crew: Crew):
    await crew.set({Crew.rank: 2})

async def leave(name):
    sailor = await Sailor.find_one({"name": name})
    await sailor.delete()

async def found(code):
    await Crew(code=code, members=[]).insert()
    return await Crew.find_all().count()

async def clear():
    await Crew.find(Crew.rank == 1).delete()
"""
PROJECT = f"""
//- sea/__init__.py
//- sea/models.py
{PICCOLO}
//- sea/code.py
{PICCOLO_CODE}
//- mongo/__init__.py
//- mongo/base.py
{MONGOENGINE}
//- mongo/sailors.py
{SAILORS}
//- mongo/code.py
{MONGOENGINE_CODE}
//- ship/__init__.py
//- ship/documents.py
{BEANIE}
//- ship/code.py
{BEANIE_CODE}
"""
USES = {
    "mongo/base.py": [],
    "sea/code.py": [
        "close modifies Harbor delete",
        "close reads Harbor select",
        "close reads Harbor.name select",
        "forget modifies BoatTrip delete",
        "forget modifies BoatTrip insert",
        "known modifies Harbor merge",
        "known reads Harbor select",
        "known reads Harbor.name merge",
        "near reads BoatTrip select",
        "near reads BoatTrip.began select",
        "near reads BoatTrip.harbor select",
        "near reads BoatTrip.price select",
        "near reads Harbor select",
        "near reads Harbor.name select",
        "open_harbor modifies Harbor merge",
        "open_harbor reads Harbor select",
        "open_harbor reads Harbor.name select",
        "rename modifies Harbor update",
        "rename modifies Harbor.name update",
    ],
    "mongo/code.py": [
        "by_type reads BoatType select",
        "by_type reads Kept.created select",
        "by_type reads SailBoat select",
        "by_type reads SailBoat.crew select",
        "by_type reads SailBoat.name select",
        "by_type reads SailBoat.type select",
        "everything reads Sailor select",
        "hire modifies Sailor insert",
        "hire modifies Sailor.name insert",
        "hire reads Sailor select",
        "mutiny modifies SailBoat delete",
        "mutiny modifies SailBoat update",
        "mutiny modifies SailBoat.crew update",
        "rename modifies BoatType update",
        "rename modifies BoatType.name update",
        "rename modifies SailBoat merge",
        "rename reads BoatType.code update",
        "rename reads SailBoat select",
        "sink modifies SailBoat delete",
        "sink reads SailBoat.name delete",
    ],
    "ship/code.py": [
        "clear modifies Crew delete",
        "clear reads Crew.rank delete",
        "found modifies Crew insert",
        "found reads Crew select",
        "leave modifies Sailor delete",
        "leave reads Sailor select",
        "leave reads Sailor.name select",
        "named reads Sailor select",
        "named reads Sailor.address select",
        "named reads Sailor.born select",
        "named reads Sailor.name select",
        "promote modifies Crew update",
        "promote modifies Crew.rank update",
        "rename modifies Sailor update",
        "rename modifies Sailor.name update",
        "rename reads Sailor.name update",
    ],
}


def _indexes(table: Table) -> list[str]:
    return [name for name, kind in keys(table) if kind == "index"]


def test_tables_of_piccolo() -> None:
    """The expected values are those of `create_table` of Piccolo for PostgreSQL."""
    found = tables({"sea/models.py": PICCOLO}, "piccolo")
    assert list(found) == ["harbor", "trips", "long_trip"]
    assert columns(found["harbor"]) == {"id": ("serial", False), "name": ("varchar(100)", False)}
    assert keys(found["harbor"]) == [
        ("harbor_name", "index"),
        ("harbor_name_key", "unique"),
        ("harbor_pkey", "primary key"),
    ]
    assert columns(found["trips"]) == {
        "id": ("uuid", False),
        "harbor": ("integer", True),
        "before": ("uuid", False),
        "stops": ("varchar[]", False),
        "price": ("numeric(5, 2)", False),
        "length": ("double precision", True),
        "began_at": ("timestamp with time zone", False),
    }
    assert foreign_keys(found["trips"]) == {"harbor": ("harbor", "id", "CASCADE"), "before": ("trips", "id", "CASCADE")}
    assert columns(found["long_trip"]) == columns(found["trips"])


def test_collections_of_mongoengine() -> None:
    found = tables({"mongo/__init__.py": "", "mongo/base.py": MONGOENGINE, "mongo/sailors.py": SAILORS}, "mongoengine")
    assert list(found) == ["types", "sail_boat", "sailor"]
    assert columns(found["types"]) == {"created": ("date", False), "_id": ("string", False), "name": ("string", False)}
    assert columns(found["sail_boat"]) == {
        "_id": ("objectId", False),
        "created": ("date", False),
        "n": ("string", True),
        "type": ("objectId", True),
        "crew": ("objectId[]", True),
        "engine": ("object", True),
        "speed": ("double", True),
    }
    assert _indexes(found["sail_boat"]) == ["crew_1", "n_1", "type_1_created_-1"]
    assert foreign_keys(found["sail_boat"]) == {"type": ("types", "_id", "CASCADE"), "crew": ("sailor", "_id", "")}


def test_collections_of_beanie() -> None:
    found = tables({"ship/documents.py": BEANIE}, "beanie")
    assert list(found) == ["Sailor", "crews"]
    assert columns(found["Sailor"]) == {
        "_id": ("objectId", False),
        "name": ("string", False),
        "born": ("date", True),
        "address": ("object", False),
    }
    assert columns(found["crews"]) == {
        "_id": ("objectId", False),
        "code": ("string", False),
        "members": ("objectId[]", False),
        "rank": ("int", True),
    }
    assert [_indexes(each) for each in found.values()] == [["name_1"], ["code_1"]]
    assert foreign_keys(found["crews"]) == {"members": ("sailor", "_id", "")}


def test_uses(tmp_path: Path) -> None:
    content = analysed(tmp_path, PROJECT)
    for path, expected in USES.items():
        assert uses_of(content, path) == expected, path
