"""Models of SQLAlchemy, Flask-SQLAlchemy and SQLModel: the tables, columns and keys that SQLAlchemy makes for them."""

from __future__ import annotations

import pytest
from astrolabe.ingest.data.schemas.tables import Table

from .mapped_models import columns, foreign_keys, keys
from .mapped_models import tables as tables_of

BASE = """
import datetime
from typing import Annotated
from sqlalchemy import DateTime, MetaData, Numeric
from sqlalchemy.orm import DeclarativeBase, mapped_column
from sqlalchemy.types import TypeDecorator

key = Annotated[int, mapped_column(primary_key=True)]

class Money(TypeDecorator):
    impl = Numeric(10, 2)

class Base(DeclarativeBase):
    metadata = MetaData(naming_convention={"ix": "ix_%(column_0_label)s", "uq": "uq_%(table_name)s_%(column_0_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s_%(referred_table_name)s", "pk": "pk_%(table_name)s"})
    type_annotation_map = {datetime.datetime: DateTime(timezone=True)}
"""
PEOPLE = """
import datetime
import enum
import sqlalchemy as sa
from sqlalchemy import Column, ForeignKey, Index, String, Table, UniqueConstraint, func
from sqlalchemy.orm import Mapped, declared_attr, mapped_column, relationship
from .base import Base, Money, key

class Color(enum.Enum):
    RED = 1

class Dated:
    made: Mapped[datetime.datetime] = mapped_column(server_default=func.now())
    @declared_attr
    def __tablename__(cls):
        return f"{cls.__name__.lower()}s"
    @declared_attr
    def owner_id(cls) -> Mapped[int | None]:
        return mapped_column(ForeignKey("users.id", ondelete="SET NULL"))

class User(Base):
    __tablename__ = "users"
    id: Mapped[key]
    name: Mapped[str] = mapped_column(String(50), unique=True)
    mail: Mapped[str | None] = mapped_column("e_mail", index=True)
    color: Mapped[Color]
    kind: Mapped[str]
    books: Mapped[list["Book"]] = relationship(secondary=lambda: loans)

class Admin(User):
    level: Mapped[int | None]

class Guest(User):
    __tablename__ = "guests"
    id: Mapped[str] = mapped_column(ForeignKey("users.id"), primary_key=True)

class Book(Dated, Base):
    id = Column(sa.Integer, primary_key=True)
    price = Column(Money, nullable=False)
    tags = Column(sa.ARRAY(String))
    user_id = mapped_column(ForeignKey(User.id))
    __table_args__ = (UniqueConstraint("price", "tags", name="prices"), {"schema": "shop"})

loans = Table("loans", Base.metadata, Column("user_id", ForeignKey("users.id"), primary_key=True),
    Column("book_id", sa.ForeignKey("shop.books.id"), primary_key=True))
Index("two", User.name, User.kind.desc())
"""
FLASK = """
from shop.app import db

class Base(db.Model):
    __abstract__ = True
    id = db.Column(db.Integer, primary_key=True)

class HTTPLog(Base):
    text = db.Column(db.String(20))

class Known(HTTPLog):
    __mapper_args__ = {"polymorphic_identity": "known"}
    more = db.Column(db.Text, nullable=False)
"""
SQLMODEL = """
from sqlmodel import Field, SQLModel

class Common(SQLModel):
    title: str = Field(max_length=30)
    note: str | None = None

class Item(Common, table=True):
    id: int | None = Field(default=None, primary_key=True)
    owner: int = Field(foreign_key="owner.id", ondelete="CASCADE", index=True)

class ItemShown(Common):
    id: int

class Owner(SQLModel, table=True):
    id: int = Field(primary_key=True)
"""


def tables(files: dict[str, str]) -> dict[str, Table]:
    return tables_of(files, "sqlalchemy")


def declared() -> dict[str, Table]:
    return tables({"shop/base.py": BASE, "shop/people.py": PEOPLE})


# The tables, types and names below are those of SQLAlchemy 2.1 for the same models, in the dialect of PostgreSQL.


def test_classes_have_their_own_columns_and_those_of_their_mixins() -> None:
    found = declared()
    assert sorted(found) == ["books", "guests", "loans", "users"]
    assert columns(found["books"]) == {
        "id": ("integer", False),
        "price": ("numeric(10,2)", False),
        "tags": ("varchar[]", True),
        "user_id": ("integer", True),
        "made": ("timestamp with time zone", False),
        "owner_id": ("integer", True),
    }
    assert found["books"].schema == "shop"


def test_a_class_without_primary_key_shares_the_table_of_the_class_above_it() -> None:
    found = declared()
    assert columns(found["users"]) == {
        "id": ("integer", False),
        "name": ("varchar(50)", False),
        "e_mail": ("varchar", True),
        "color": ("color", False),
        "kind": ("varchar", False),
        "level": ("integer", True),
    }
    assert columns(found["guests"]) == {"id": ("integer", False)}


def test_keys_have_the_names_of_the_convention() -> None:
    found = declared()
    assert keys(found["users"]) == [
        ("ix_users_e_mail", "index"),
        ("pk_users", "primary key"),
        ("two", "index"),
        ("uq_users_name", "unique"),
    ]
    assert keys(found["books"]) == [
        ("fk_books_owner_id_users", "foreign key"),
        ("fk_books_user_id_users", "foreign key"),
        ("pk_books", "primary key"),
        ("prices", "unique"),
    ]
    targets = {each.columns[0]: each.target for each in found["loans"].constraints.values() if each.kind == "foreign key"}
    assert targets == {"user_id": ("", "users"), "book_id": ("shop", "books")}


def test_a_base_names_each_table_after_the_words_of_its_class() -> None:
    """The registry of the base has the types of annotations and the names of keys."""
    base = """
import re
import sqlalchemy as sa
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column, registry
from shop.moments import Moment, MomentType

_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")

class Base(DeclarativeBase):
    registry = registry(
        metadata=sa.MetaData(naming_convention={"pk": "pk_%(table_name)s"}), type_annotation_map={Moment: MomentType}
    )

    @declared_attr.directive
    def __tablename__(cls) -> str:
        return _WORDS.sub("_", cls.__name__).lower()

    id: Mapped[int] = mapped_column(primary_key=True)

class FlowRun(Base):
    begun: Mapped[Moment]
"""
    types = """
import sqlalchemy as sa
from sqlalchemy.types import TypeDecorator

class MomentType(TypeDecorator):
    impl = sa.TIMESTAMP(timezone=True)
"""
    found = tables({"shop/__init__.py": "", "shop/base.py": base, "shop/moments.py": types})
    assert list(found) == ["flow_run"]
    assert columns(found["flow_run"]) == {"id": ("integer", False), "begun": ("timestamp with time zone", False)}
    assert keys(found["flow_run"]) == [("pk_flow_run", "primary key")]


@pytest.mark.parametrize(
    ("written", "table"),
    [
        ('re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()', "tide_table"),
        ("camel_to_snake(cls.__name__)", "tide_table"),
        ('f"{inflection.underscore(cls.__name__)}s"', "tide_tables"),
        ('cls.__name__.replace("Table", "").lower()', None),
        ('re.sub("Table", "", cls.__name__).lower()', None),
    ],
)
def test_computed_names_of_tables(written: str, table: str | None) -> None:
    source = f"""
import re
from sqlalchemy.orm import DeclarativeBase, Mapped, declared_attr, mapped_column

class Base(DeclarativeBase):
    @declared_attr
    def __tablename__(cls):
        return {written}

class TideTable(Base):
    id: Mapped[int] = mapped_column(primary_key=True)

class Pier(Base):
    __tablename__ = "piers"
    id: Mapped[int] = mapped_column(primary_key=True)
"""
    assert sorted(tables({"shop/tides.py": source})) == sorted(["piers", *([table] if table else [])])


def test_flask_names_tables_after_classes() -> None:
    extension = "from flask_sqlalchemy import SQLAlchemy\ndb = SQLAlchemy()\n"
    found = tables({"shop/app/__init__.py": extension, "shop/log.py": FLASK})
    assert {name: columns(table) for name, table in found.items()} == {
        "http_log": {"text": ("varchar(20)", True), "id": ("integer", False), "more": ("text", False)}
    }


def test_annotations_are_the_columns_of_sqlmodel() -> None:
    found = tables({"shop/items.py": SQLMODEL})
    assert {name: columns(table) for name, table in found.items()} == {
        "item": {
            "id": ("integer", False),
            "owner": ("integer", False),
            "title": ("varchar(30)", False),
            "note": ("varchar", True),
        },
        "owner": {"id": ("integer", False)},
    }
    assert keys(found["item"]) == [
        ("item_owner_fkey", "foreign key"),
        ("item_pkey", "primary key"),
        ("ix_item_owner", "index"),
    ]


def test_a_name_that_only_running_code_knows_makes_no_table() -> None:
    source = (
        BASE
        + "\nclass Lost(Base):\n    __tablename__ = prefix() + 'lost'\n    id: Mapped[int] = mapped_column(primary_key=True)\n"
    )
    source += "\nclass Kept(Base):\n    __tablename__ = 'kept'\n    id: Mapped[int] = mapped_column(primary_key=True)\n"
    assert list(tables({"base.py": source.replace("DeclarativeBase,", "DeclarativeBase, Mapped,")})) == ["kept"]


LIBRARY = {
    "library/models/base.py": """
import functools
from flask_sqlalchemy import SQLAlchemy

class LibrarySQLAlchemy(SQLAlchemy):
    def apply_pool_defaults(self, app, options):
        return options

db = LibrarySQLAlchemy(engine_options={})
Column = functools.partial(db.Column, nullable=False)

def primary_key():
    return Column(db.Integer, primary_key=True)

def now():
    return datetime.utcnow()
""",
    "library/models/types.py": """
from sqlalchemy.dialects import postgresql as pg
from sqlalchemy.types import TypeDecorator

def payload_type(kind):
    class Payload(TypeDecorator):
        impl = pg.JSONB()

    return Payload
""",
    "library/models/people.py": """
from .base import Column, db, now, primary_key
from .types import payload_type

class Reader(db.Model):
    id = primary_key()
    name = Column(db.String(40))
    card = Column(payload_type(dict), nullable=True)
    made = now()
""",
    "library/models/loans.py": """
from library.models.base import Column, db, primary_key

class Loan(db.Model):
    id = primary_key()
    reader_id = Column(db.ForeignKey("reader.id", ondelete="CASCADE"))
""",
}


def test_columns_that_functions_make() -> None:
    """A partial `Column` and functions that return columns are followed, in one database for all ways to import its base."""
    found = tables_of(LIBRARY, "sqlalchemy")
    assert {name: columns(table) for name, table in found.items()} == {
        "reader": {"id": ("integer", False), "name": ("varchar(40)", False), "card": ("jsonb", True)},
        "loan": {"id": ("integer", False), "reader_id": ("integer", False)},
    }
    assert foreign_keys(found["loan"]) == {"reader_id": ("reader", "id", "CASCADE")}
    assert ("reader_pkey", "primary key") in keys(found["reader"])


def test_a_function_that_makes_columns_names_their_foreign_key() -> None:
    source = (
        "from sqlalchemy import Column, ForeignKey, Integer\nfrom sqlalchemy.orm import declarative_base\n\n"
        'Base = declarative_base()\n\n\ndef shelf():\n    return Column(ForeignKey("shelves.id", name="own_shelf"))\n\n\n'
        'class Shelf(Base):\n    __tablename__ = "shelves"\n    id = Column(Integer, primary_key=True)\n\n\n'
        'class Volume(Base):\n    __tablename__ = "volumes"\n    id = Column(Integer, primary_key=True)\n    shelf_id = shelf()\n'
    )
    volume = tables_of({"shelves.py": source}, "sqlalchemy")["volumes"]
    assert foreign_keys(volume) == {"shelf_id": ("shelves", "id", "")}
    assert ("own_shelf", "foreign key") in keys(volume)


def test_a_column_of_sqlmodel_has_the_type_of_its_target() -> None:
    source = (
        "from typing import Optional\nimport sqlalchemy as sa\nfrom sqlmodel import Field, SQLModel\n\n"
        "class Shelf(SQLModel, table=True):\n    id: Optional[int] = Field(default=None, primary_key=True)\n\n"
        "class Volume(SQLModel, table=True):\n    id: Optional[int] = Field(default=None, primary_key=True)\n"
        '    shelf_id: int = Field(sa_column=sa.Column(sa.ForeignKey("shelf.id"), nullable=False, index=True))\n'
    )
    volume = tables_of({"shelves.py": source}, "sqlalchemy")["volume"]
    assert columns(volume) == {"id": ("integer", False), "shelf_id": ("integer", False)}
    assert foreign_keys(volume) == {"shelf_id": ("shelf", "id", "")}
