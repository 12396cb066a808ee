"""Statements and sessions of SQLAlchemy: which tables and columns the functions around them use."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from data_uses import uses_of
from incremental_steps import check_changes
from written_workspace import analysed

PROJECT = """
//- app/__init__.py
//- app/models.py
from sqlalchemy import ForeignKey, String
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

class Base(DeclarativeBase):
    pass

class User(Base):
    __tablename__ = "users"
    id: Mapped[int] = mapped_column(primary_key=True)
    name: Mapped[str] = mapped_column(String(80))
    email: Mapped[str] = mapped_column("mail", String(80))

class Post(Base):
    __tablename__ = "posts"
    id: Mapped[int] = mapped_column(primary_key=True)
    title: Mapped[str]
    user_id: Mapped[int] = mapped_column(ForeignKey("users.id"))
//- app/db.py
from sqlalchemy import create_engine
from sqlalchemy.orm import sessionmaker

Local = sessionmaker(bind=create_engine("sqlite://"))
"""
HEAD = """
import sqlalchemy as sa
from sqlalchemy import delete, insert, select, update
from sqlalchemy.orm import Session
from app import models
from app.db import Local
from app.models import Post, User

"""
CHANGING = ("insert", "update", "delete", "merge")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("return session.scalars(select(User).where(User.name == 'a').order_by(User.email)).all()",
         ["reads User", "reads User.email", "reads User.name"]),
        ("return session.execute(sa.select(User.id, Post.title).join(Post)).all()",
         ["reads Post", "reads Post.title", "reads User", "reads User.id"]),
        ("return session.scalars(select(models.User).where(models.User.name == 'a')).all()", ["reads User", "reads User.name"]),
        ("return session.query(models.Post).join(models.User).all()", ["reads Post", "reads User"]),
        ("return session.query(User).join(Post, Post.user_id == User.id).filter(User.name.ilike('a')).first()",
         ["reads Post", "reads Post.user_id", "reads User", "reads User.id", "reads User.name"]),
        ("return session.query(User).filter_by(email='a').count()", ["reads User", "reads User.email"]),
        ("session.execute(update(User).where(User.id == 1).values(name='b'))",
         ["modifies User update", "modifies User.name update", "reads User.id update"]),
        ("session.query(Post).filter(Post.id == 2).update({'title': 'c'})",
         ["modifies Post update", "modifies Post.title update", "reads Post.id update"]),
        ("session.query(Post).filter(Post.id == 2).delete()", ["modifies Post delete", "reads Post.id delete"]),
        ("session.execute(delete(User).where(User.id.in_([1])))", ["modifies User delete", "reads User.id delete"]),
        ("session.execute(insert(Post).values(title='a'))", ["modifies Post insert", "modifies Post.title insert"]),
        ("user = User(name='a')\nsession.add(user)\nsession.refresh(user)", ["modifies User insert", "reads User"]),
        ("session.add_all([Post(), User()])", ["modifies Post insert", "modifies User insert"]),
        ("found = [Post(title=each) for each in other]\nsession.add_all(found)\nsession.bulk_insert_mappings(User, [{}])",
         ["modifies Post insert", "modifies User insert"]),
        ("session.bulk_save_objects(Post(title=each) for each in other)", ["modifies Post insert"]),
        ("user = session.get(User, 1)\nsession.delete(user)", ["modifies User delete", "reads User"]),
        ("post = session.execute(select(Post)).scalar_one()\nsession.delete(post)", ["modifies Post delete", "reads Post"]),
        ("for each in session.query(User).all():\n    session.delete(each)", ["modifies User delete", "reads User"]),
        ("db = Local()\ndb.add(Post())", ["modifies Post insert"]),
        ("other.add(User())\n{}.get(User)\nother.execute(User)", []),
        ("select = list\nreturn select([User])", []),
    ],
)  # fmt: skip
def test_uses(tmp_path: Path, body: str, expected: list[str]) -> None:
    source = f"{HEAD}def find(session: Session, other):\n{textwrap.indent(body, '    ')}\n"
    found = uses_of(analysed(tmp_path, f"{PROJECT}//- app/code.py\n{source}"), "app/code.py")
    assert found == [f"find {each}" if each.split()[-1] in CHANGING else f"find {each} select" for each in expected]


def test_queries_of_flask_models(tmp_path: Path) -> None:
    models = (
        "//- app.py\nfrom flask_sqlalchemy import SQLAlchemy\ndb = SQLAlchemy()\n\nclass User(db.Model):\n"
        "    id = db.Column(db.Integer, primary_key=True)\n    name = db.Column(db.String(80))\n\n"
        "def find():\n    return User.query.filter_by(name='a').filter(User.id > 1).all()\n\n"
        "def add():\n    db.session.add(User(name='a'))\n\n"
        "def old():\n    return db.session.execute(db.select(User).order_by(User.name)).scalars()\n"
    )
    assert uses_of(analysed(tmp_path, models), "app.py") == [
        "add modifies User insert",
        "find reads User select",
        "find reads User.id select",
        "find reads User.name select",
        "old reads User select",
        "old reads User.name select",
    ]


def test_models_whose_package_makes_the_extension(tmp_path: Path) -> None:
    """A mixin of a package that is not installed comes first, and models are still models of one database."""
    project = (
        "//- shop/__init__.py\nfrom flask_sqlalchemy import SQLAlchemy\ndb = SQLAlchemy()\n"
        "//- shop/models.py\nfrom flask_login import UserMixin\nfrom . import db\n\n"
        "class Reader(UserMixin, db.Model):\n    id = db.Column(db.Integer, primary_key=True)\n"
        "    loans = db.relationship('Loan', backref='reader', lazy='dynamic')\n\n"
        "    def count(self):\n        return self.loans.count()\n\n"
        "class Loan(db.Model):\n    id = db.Column(db.Integer, primary_key=True)\n"
        "    reader_id = db.Column(db.Integer, db.ForeignKey('reader.id'))\n\n"
        "    def is_own(self, other):\n        return self.reader is other\n"
    )
    found = uses_of(analysed(tmp_path, project), "shop/models.py")
    assert {"Reader.count reads Loan select", "Loan.is_own reads Reader select"} <= set(found)


USES = "MATCH (a:Symbol)-[r:READS]->(t:Symbol) RETURN a.name, t.qualifiedName, r.lines ORDER BY a.name, t.qualifiedName"


MODELS_OF_ANOTHER_PACKAGE = """
//- app/__init__.py
from alchemical.flask import Alchemical

db = Alchemical()
//- app/models.py
import sqlalchemy as sa
from sqlalchemy import orm as so
from alchemical import Model
from kernel.storage import Entity
from app import db

followers = sa.Table(
    "followers",
    Model.metadata,
    sa.Column("follower_id", sa.ForeignKey("users.id"), primary_key=True),
    sa.Column("followed_id", sa.ForeignKey("users.id"), primary_key=True),
)

class User(Model):
    __tablename__ = "users"
    id: so.Mapped[int] = so.mapped_column(primary_key=True)
    name: so.Mapped[str] = so.mapped_column(sa.String(64))
    following: so.WriteOnlyMapped["User"] = so.relationship(
        secondary=followers,
        primaryjoin=(followers.c.follower_id == id),
        secondaryjoin=(followers.c.followed_id == id),
    )
    tags = ["a"]

    def follow(self, user):
        self.following.add(user)
        self.tags.append("b")

    @staticmethod
    def named(name):
        return db.session.scalar(User.select().filter_by(name=name))

    @staticmethod
    def owner(name):
        found = User.named(name)
        return found.id if found else None

class Note(Entity):
    __tablename__ = "notes"
    id: so.Mapped[int] = so.mapped_column(primary_key=True)
    text: so.Mapped[str] = so.mapped_column(sa.String(64))

    def change(self, text):
        self.text = text

class Plain(Entity):
    text = "a"

    def change(self, text):
        self.text = text
//- app/pages.py
from app import db
from sqlalchemy import select
from app.models import Note, User, followers

def unfollow(user, other):
    db.session.execute(followers.delete().where(followers.c.follower_id == user.id, followers.c.followed_id == other.id))

def counted(user):
    return db.session.scalars(select(followers.c.followed_id).where(followers.c.follower_id == user.id))

def add(name):
    db.session.add(User(name=name))

def remove():
    db.session.execute(User.delete().where(User.name == "a"))

def shown(number):
    return db.session.get(User, number).name
"""


def test_models_with_bases_of_other_packages(tmp_path: Path) -> None:
    """A class with columns of SQLAlchemy and a table is a model, whatever its base is; Alchemical adds methods to its models."""
    workspace = analysed(tmp_path, MODELS_OF_ANOTHER_PACKAGE)
    assert uses_of(workspace, "app/models.py") + uses_of(workspace, "app/pages.py") == [
        "Note.change modifies Note merge",
        "Note.change modifies Note.text merge",
        "User.follow modifies followers insert",
        "User.follow reads User select",
        "User.follow reads followers select",
        "User.named reads User select",
        "User.named reads User.name select",
        "User.owner reads User select",
        "User.owner reads User.id select",
        "add modifies User insert",
        "counted reads followers select",
        "counted reads followers.followed_id select",
        "counted reads followers.follower_id select",
        "remove modifies User delete",
        "remove reads User.name delete",
        "shown reads User select",
        "shown reads User select",
        "shown reads User.name select",
        "unfollow modifies followers delete",
        "unfollow reads followers.followed_id delete",
        "unfollow reads followers.follower_id delete",
    ]


def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    code = f"//- app/code.py\n{HEAD}\ndef find(session: Session):\n    return session.query(User).filter_by(town='a').all()\n"
    kept = "//- app/more.py\n" + "\n".join(f"def f{number}(): ..." for number in range(30))
    models = PROJECT.partition("//- app/models.py\n")[2].partition("//- ")[0]
    changed = f"//- app/models.py\n{models.replace('name: Mapped[str]', 'town: Mapped[str]')}"
    before, after = [("find", "User", [11])], [("find", "User", [11]), ("find", "User.town", [11])]
    check_changes(tmp_path, f"{PROJECT}{code}{kept}", [changed], {USES: before}, {USES: after})


BUILT = """
//- shop/__init__.py
//- shop/models.py
from flask_sqlalchemy import SQLAlchemy
from flask_sqlalchemy.query import Query

db = SQLAlchemy()

class Reader(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    name = db.Column(db.String(80))

    def loans(self):
        return Loan.query.join(Reader).filter(Loan.reader_id == self.id)

    def has_loans(self):
        return self.loans().count() > 0

    @staticmethod
    def latest(query, limit):
        return query.order_by(Loan.day.desc()).limit(limit)

    def latest_loans(self):
        return self.latest(self.loans(), limit=3)

class Loan(db.Model):
    class LoanQuery(Query):
        def due(self, day):
            return self.filter(Loan.day < day).all()

    query_class = LoanQuery
    id = db.Column(db.Integer, primary_key=True)
    day = db.Column(db.Date)
    reader_id = db.Column(db.Integer, db.ForeignKey("reader.id"))
//- shop/pages.py
from shop.models import Reader, db

def listed(number):
    reader = db.session.get(Reader, number)
    return [loan.day for loan in reader.latest_loans()]

def run():
    return db.session.execute(Reader().loans()).all()

def passed():
    return Reader().loans()
"""


def test_queries_that_functions_build(tmp_path: Path) -> None:
    """A query that a function returns belongs to the code that runs the query, in any file."""
    content = analysed(tmp_path, BUILT)
    assert uses_of(content, "shop/models.py") == [
        "Loan.LoanQuery.due reads Loan select",
        "Loan.LoanQuery.due reads Loan.day select",
        "Reader.has_loans reads Loan select",
        "Reader.has_loans reads Loan.reader_id select",
        "Reader.has_loans reads Reader select",
        "Reader.loans reads Loan select",
        "Reader.loans reads Loan.reader_id select",
        "Reader.loans reads Reader select",
        "Reader.loans reads Reader select",
        "Reader.loans reads Reader.id select",
    ]
    pages = uses_of(content, "shop/pages.py")
    assert {each.split()[0] for each in pages} == {"listed", "run"}
    assert {"listed reads Loan select", "listed reads Loan.day select", "run reads Loan select", "run reads Reader select"} <= {
        *pages
    }


REPOSITORIES = """
//- store/__init__.py
//- store/models.py
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column

class Base(DeclarativeBase):
    pass

class Order(Base):
    __tablename__ = "orders"
    id: Mapped[int] = mapped_column(primary_key=True)
    state: Mapped[str]

class Buyer(Base):
    __tablename__ = "buyers"
    id: Mapped[int] = mapped_column(primary_key=True)

class Parcel(Base):
    __tablename__ = "parcels"
    id: Mapped[int] = mapped_column(primary_key=True)
//- store/base.py
from typing import Generic, TypeVar
from sqlalchemy import delete, select
from sqlalchemy.ext.asyncio import AsyncSession
from store.models import Base

M = TypeVar("M", bound=Base)

class Repository(Generic[M]):
    model: type[M]

    def __init__(self, session: AsyncSession) -> None:
        self.session = session

    async def by_id(self, id: int) -> M | None:
        statement = select(self.model).where(self.model.id == id)
        return (await self.session.execute(statement)).scalar_one_or_none()

    async def add(self, row: M) -> M:
        self.session.add(row)
        return row

class Cleared(Generic[M]):
    async def clear(self) -> None:
        await self.session.execute(delete(self.model))
//- store/orders.py
from store.base import Cleared, Repository
from store.models import Buyer, Order

class Orders(Repository[Order], Cleared[Order]):
    model = Order

class Buyers(Repository[Buyer]):
    pass
//- store/crud.py
from typing import Callable, Generic, TypeVar
from sqlalchemy.orm import Session
from store.models import Base, Buyer, Order, Parcel

M = TypeVar("M", bound=Base)

class CrudBase(Generic[M]):
    def __init__(self, session: Session, model: type[M]) -> None:
        self.session = session
        self.model_class = model

    def made(self, values: dict) -> M:
        row = self.model_class(**values)
        self.session.add(row)
        return row

    def removed(self, id: int) -> None:
        row = self.session.query(self.model_class).filter(self.model_class.id == id).first()
        self.session.delete(row)

    def changed(self, id: int, values: dict) -> None:
        row = self.session.get(self.model_class, id)
        for name, value in values.items():
            setattr(row, name, value)

class CrudOrders(CrudBase):
    def __init__(self, session: Session) -> None:
        super().__init__(session, Order)

    def opened(self) -> None:
        row = self.model_class(state="open")
        self.session.add(row)

class CrudBuyers(CrudBase[Buyer]):
    pass
//- store/wiring.py
from functools import partial
from store.crud import CrudBase
from store.models import Parcel

parcels = partial(CrudBase, model=Parcel)
//- store/statements.py
from sqlalchemy import Select, Update, select, update
from store.models import Buyer, Order

def opened() -> Select[tuple[Order]]:
    return select(Order).where(Order.state == "open")

def closing() -> Update[Order]:
    return update(Order).values(state="closed")

def counted() -> int: ...
//- store/pages.py
from sqlalchemy.orm import Session
from store.statements import closing, counted, opened

def listed(session: Session):
    return session.scalars(opened().limit(3)).all()

def close(session: Session):
    session.execute(closing())

def count(session: Session):
    return session.scalars(counted()).all()
"""


def test_classes_whose_model_derived_classes_name(tmp_path: Path) -> None:
    """`self.model` stands for the models in the attribute or in the generic base of the derived classes."""
    assert uses_of(analysed(tmp_path, REPOSITORIES), "store/base.py") == [
        "Cleared.clear modifies Order delete",
        "Repository.add modifies Buyer insert",
        "Repository.add modifies Order insert",
        "Repository.add modifies Parcel insert",
        "Repository.by_id reads Buyer select",
        "Repository.by_id reads Buyer.id select",
        "Repository.by_id reads Order select",
        "Repository.by_id reads Order.id select",
    ]


def test_classes_whose_constructor_takes_the_model(tmp_path: Path) -> None:
    """The model comes from `super().__init__(session, Order)`, from a generic base, or from a call that makes the object."""
    found = uses_of(analysed(tmp_path, REPOSITORIES), "store/crud.py")
    models = ("Buyer", "Order", "Parcel")
    assert found == [
        *(f"CrudBase.changed modifies {each} merge" for each in models),
        *(f"CrudBase.changed reads {each} select" for each in models),
        *(f"CrudBase.made modifies {each} insert" for each in models),
        *(f"CrudBase.removed modifies {each} delete" for each in models),
        *(f"CrudBase.removed reads {each}{column} select" for each in models for column in ("", ".id")),
        "CrudOrders.opened modifies Order insert",
    ]


def test_queries_that_the_result_of_a_function_names(tmp_path: Path) -> None:
    """The body of a function with a written result is not read in other files, and the result says which rows it selects."""
    found = uses_of(analysed(tmp_path, REPOSITORIES), "store/pages.py")
    assert found == ["close modifies Order update", "listed reads Order select"]


def test_a_new_class_that_names_a_model(tmp_path: Path) -> None:
    added = "//- store/parcels.py\nfrom store.base import Cleared\nfrom store.models import Parcel\n\n"
    added += "class Parcels(Cleared[Parcel]):\n    model = Parcel\n"
    kept = "".join(f"//- kept/file{each}.py\ndef run{each}(): ...\n" for each in range(30))
    changed = "MATCH (a:Symbol {name: 'clear'})-[r:MODIFIES]->(t:Symbol) RETURN t.qualifiedName ORDER BY t.qualifiedName"
    wired = "//- store/wiring.py\nfrom functools import partial\nfrom store.crud import CrudBase\n"
    wired += "from store.models import Buyer\nbuyers = partial(CrudBase, model=Buyer)\n"
    made = "MATCH (a:Symbol {name: 'made'})-[r:MODIFIES]->(t:Symbol) RETURN t.qualifiedName ORDER BY t.qualifiedName"
    before = {changed: [("Order",)], made: [("Buyer",), ("Order",), ("Parcel",)]}
    after = {changed: [("Order",), ("Parcel",)], made: [("Buyer",), ("Order",)]}
    check_changes(tmp_path, REPOSITORIES + kept, [added, wired], before, after)


def test_a_changed_query_of_another_file(tmp_path: Path) -> None:
    kept = "//- shop/more.py\n" + "\n".join(f"def f{number}(): ..." for number in range(30))
    models = BUILT.partition("//- shop/models.py\n")[2].partition("//- ")[0]
    changed = models.replace("return Loan.query.join(Reader).filter(Loan.reader_id == self.id)", "return Reader.query")
    run = "MATCH (a:Symbol {name: 'run'})-[r:READS]->(t:Symbol {kind: 'class'}) RETURN t.name ORDER BY t.name"
    before, after = {run: [("Loan",), ("Reader",)]}, {run: [("Reader",)]}
    check_changes(tmp_path, f"{BUILT}{kept}", [f"//- shop/models.py\n{changed}"], before, after)


RELATED = """
//- app/__init__.py
//- app/models.py
from flask_login import UserMixin
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy.ext.associationproxy import association_proxy
from sqlalchemy.ext.hybrid import hybrid_property
from sqlalchemy.orm import column_property

db = SQLAlchemy()
labels = db.Table("labels", db.Column("post_id", db.ForeignKey("posts.id")), db.Column("tag_id", db.ForeignKey("tags.id")))

class Saved:
    def save(self):
        db.session.add(self)
        db.session.commit()
        return self.id

class Team(db.Model, Saved):
    __tablename__ = "teams"
    id = db.Column(db.Integer, primary_key=True)
    captain_id = db.Column(db.Integer, db.ForeignKey("users.id"))
    members = db.relationship("User", backref="team", foreign_keys="User.team_id", lazy="joined")
    captain = db.relationship("User", foreign_keys=[captain_id])

class User(UserMixin, db.Model):
    __tablename__ = "users"
    id = db.Column(db.Integer, primary_key=True)
    name = db.Column(db.String(80))
    team_id = db.Column(db.Integer, db.ForeignKey("teams.id"))
    posts = db.relationship("Post", back_populates="author", cascade="all, delete-orphan")
    visits = db.relationship("Visit")

class Post(db.Model):
    __tablename__ = "posts"
    id = db.Column(db.Integer, primary_key=True)
    author_id = db.Column(db.Integer, db.ForeignKey("users.id"))
    author = db.relationship("User", back_populates="posts")
    tags = db.relationship("Tag", secondary=labels, backref=db.backref("posts", lazy="dynamic"))

class Tag(db.Model):
    __tablename__ = "tags"
    id = db.Column(db.Integer, primary_key=True)

class Visit(db.Model):
    __tablename__ = "visits"
    id = db.Column(db.Integer, primary_key=True)
    user_id = db.Column(db.Integer, db.ForeignKey("users.id"))

class Bot(User):
    __tablename__ = "bots"
    id = db.Column(db.Integer, db.ForeignKey("users.id"), primary_key=True)
    key = db.Column(db.String(80))

class Club(Team):
    __tablename__ = None

class Tally(db.Model):
    __tablename__ = "tallies"
    id = db.Column(db.Integer, primary_key=True)
    post_id = db.Column(db.Integer, db.ForeignKey("posts.id"))
    post = db.relationship("Post")
    author = association_proxy("post", "author")
    labels = column_property(db.select(db.func.count(Tag.id)).where(Tag.id == post_id).scalar_subquery())

    @hybrid_property
    def seen(self):
        return self.id in known

    @seen.expression
    def seen(cls):
        return db.exists().where(Visit.id == cls.id)

Tally.latest = column_property(db.select(Bot.id).where(Bot.id == Tally.id).scalar_subquery(), deferred=True)
//- app/factories.py
from app.models import Post, db
from factory.alchemy import SQLAlchemyModelFactory

class BaseFactory(SQLAlchemyModelFactory):
    class Meta:
        abstract = True
        sqlalchemy_session = db.session

class PostFactory(BaseFactory):
    class Meta:
        model = Post
"""


#: A class with a session whose type only the calls of the class tell.
TAGS = """
class Fake:
    def query(self, model):
        return []

class Tags:
    def __init__(self, session):
        self.session = session

    def named(self, key):
        return self.session.query(Tag).filter(Tag.id == key).all()

Tags(db.session)
Tags(Fake())

def stamp(row):
    return row.id

for each in (Team(), User(), Post(), Tag()):
    stamp(each)
"""


def test_relations(tmp_path: Path) -> None:
    """Code that follows a relation reads its rows, and queries read the relations that are loaded with each row."""
    bodies = {
        "eager": ("return Team.query.filter_by(id=1).all()", ["reads teams call", "reads teams.id call", "reads users relation"]),
        "counted": ("return Team.query.count()", ["reads teams call"]),
        "one": ("post = db.session.get(Post, 1)\nreturn post.author.name",
                ["reads posts call", "reads posts row", "reads posts.author_id row", "reads users row", "reads users.name row"]),
        "backref": (
            "user = User.query.first()\nreturn user.team.captain",
            ["reads teams row", "reads teams.captain_id row", "reads users call", "reads users relation", "reads users row",
             "reads users.team_id row"],
        ),
        "joined": (
            "for post in Post.query:\n    post.tags",
            ["reads labels row", "reads posts call", "reads posts row", "reads tags row"],
        ),
        "option": ("return Post.query.options(joinedload(Post.author)).all()",
                   ["reads posts call", "reads posts.author_id call", "reads users call"]),
        "changed": (
            "user = User.query.first()\nuser.name = 'a'\nuser.other = 1\nuser.posts[0].author = user",
            ["modifies posts call", "modifies posts.author_id call", "modifies users call", "modifies users.name call",
             "reads posts row", "reads users call", "reads users row"],
        ),
        "replaced": (
            "post = db.session.get(Post, 1)\npost.tags = []\npost.author = None\nmade = Post()\n"
            "if name:\n    made.id = 2\nmade.tags = []",
            ["modifies posts call", "modifies posts.author_id call", "modifies posts.id call", "reads labels row",
             "reads posts call", "reads tags row"],
        ),
        "newest": ("user = User.query.first()\nreturn max(user.posts, key=len).author_id",
                   ["reads posts row", "reads posts.author_id row", "reads users call", "reads users row"]),
        "named": ("user = User.query.first()\nsetattr(user, name, 1)", ["modifies users call", "reads users call"]),
        "continued": ("team = Team.id\nfound = db.session.query(team)\nfound = found.filter_by(captain_id=1)\nfound.count()",
                      ["reads teams call", "reads teams.captain_id call", "reads teams.id call"]),
        "copied": ("for user in sorted(User.query):\n    user.name", ["reads users row", "reads users.name row"]),
        "rendered": ("for user in render(User.query):\n    user.name", []),
        "keyed": ("user = User.query.first()\nreturn names.get(user.posts).author_id",
                  ["reads posts row", "reads users call", "reads users row"]),
        "columns": ("return db.session.query(Bot.key).all()", ["reads bots call", "reads bots.key call", "reads users relation"]),
        "shown": ("team = Team()\nreturn team.captain_id", ["reads teams row", "reads teams.captain_id row"]),
        "expired": ("team = Team()\ndb.session.commit()\nreturn team.captain_id",
                    ["reads teams row", "reads teams.captain_id row", "reads users relation"]),
        "page": ("found = Post.query.paginate(page=1)\nfor post in found.items:\n    post.author",
                 ["reads posts call", "reads posts row", "reads posts.author_id row", "reads users row"]),
        "filled": ("found = []\nfor user in User.query:\n    found.append(user)\nfor each in found:\n    each.team",
                   ["reads teams row", "reads users call", "reads users relation", "reads users row", "reads users.team_id row"]),
        "pairs": ("for visit, post in db.session.query(Visit, Post).all():\n    post.tags",
                  ["reads labels row", "reads posts call", "reads posts row", "reads tags row", "reads visits call"]),
        "selected": ("for (post,) in db.session.execute(db.select(Post)):\n    post.tags",
                     ["reads labels row", "reads posts call", "reads posts row", "reads tags row"]),
        "by_key": ("found = {each.id: each for each in Post.query}\nreturn found[1].tags",
                   ["reads labels row", "reads posts call", "reads posts row", "reads posts.id row", "reads tags row"]),
        "ordered": ("return sorted(Post.query.all(), key=lambda post: post.tags)",
                    ["reads labels row", "reads posts call", "reads posts row", "reads tags row"]),
        "unpacked": ("post, = Post.query.limit(1)\nreturn post.tags",
                     ["reads labels row", "reads posts call", "reads posts row", "reads tags row"]),
        "or_404": ("db.get_or_404(Post, 1).tags\nPost.query.get(2)",
                   ["reads labels row", "reads posts call", "reads posts row", "reads tags row"]),
        "other_name": ("other = aliased(Post)\nreturn db.session.query(other).first().tags",
                       ["reads labels row", "reads posts call", "reads posts row", "reads tags row"]),
        "shared": ("return Club.query.count()", ["reads teams call"]),
        "computed": ("return db.session.query(Tally).all()", ["reads tags relation", "reads tallies call"]),
        "deferred": ("return Tally.query.first().latest",
                     ["reads bots row", "reads tags relation", "reads tallies call", "reads tallies row"]),
        "hybrid": ("return Tally.query.filter(Tally.seen).count()", ["reads tallies call", "reads visits call"]),
        "hybrid_of_row": ("return Tally.query.first().seen",
                          ["reads tags relation", "reads tallies call"]),
        "proxy": ("return Tally.query.first().author",
                  ["reads posts row", "reads posts.author_id row", "reads tags relation", "reads tallies call",
                   "reads tallies row", "reads tallies.post_id row", "reads users row"]),
        "dynamic": ("return Tag.query.first().posts.join(Post.author).filter(Visit.id == 1).all()",
                    ["reads labels row", "reads posts call", "reads posts row", "reads posts.author_id call", "reads tags call",
                     "reads tags row", "reads users call", "reads visits call", "reads visits.id call"]),
        "chosen": ("for tag in [each for each in Tag.query]:\n    tag.posts",
                   ["reads labels row", "reads posts row", "reads tags call", "reads tags row"]),
        "logged_in": ("current_user.name = current_user.team.id",
                      ["modifies users call", "modifies users.name call", "reads teams row", "reads teams.id row",
                       "reads users row", "reads users.team_id row"]),
        "factory": ("PostFactory().author\nPostFactory.create(id=1).tags",
                    ["reads labels row", "reads posts row", "reads posts.author_id row", "reads tags row", "reads users row"]),
        "core": ("db.session.execute(Visit.__table__.insert(), [{'user_id': 1}])", ["modifies visits call"]),
        "extended": ("return Bot.query.all()", ["reads bots call", "reads users relation"]),
    }  # fmt: skip
    bodies["stamp"] = ("", [])
    bodies["Tags.named"] = ("", ["reads tags call", "reads tags.id call"])
    functions = "".join(f"def {name}():\n{textwrap.indent(body, '    ')}\n" for name, (body, _) in bodies.items() if body)
    functions += TAGS
    head = "from app.factories import PostFactory\nfrom app.models import Bot, Club, Post, Tag, Tally, Team, User, Visit, db\n"
    head += "from flask_login import current_user\nfrom sqlalchemy.orm import aliased, joinedload\n"
    content = analysed(tmp_path, f"{RELATED}//- app/code.py\n{head}{functions}")
    names = {symbol.id: symbol.qualified_name for symbol in content.symbols}
    tables = {"Team": "teams", "User": "users", "Post": "posts", "Tag": "tags", "Visit": "visits", "Bot": "bots"} | {
        "Tally": "tallies"
    }
    found: dict[str, list[str]] = {}
    for each in content.data_uses:
        table, _, column = names[each.to_id].partition(".")
        verb = "modifies" if each.modifies else "reads"
        target = ".".join(filter(None, [tables.get(table, table), column]))
        found.setdefault(names[each.from_id], []).append(f"{verb} {target} {each.evidence}")
    assert {name: sorted(found.get(name, [])) for name in bodies} == {name: expected for name, (_, expected) in bodies.items()}
    assert sorted(found["Saved.save"]) == ["modifies teams call", "reads teams row", "reads teams.id row", "reads users relation"]


def test_deletions(tmp_path: Path) -> None:
    """A session deletes rows with a cascade, and removes references to a deleted row. A statement for many rows does neither."""
    source = "from app.models import User, db\ndef drop():\n    db.session.delete(User.query.first())\n"
    source += "def clear():\n    User.query.delete()\n"
    content = analysed(tmp_path, f"{RELATED}//- app/code.py\n{source}")
    names = {symbol.id: symbol.qualified_name for symbol in content.symbols}
    found = {(names[each.to_id], each.evidence) for each in content.data_uses if each.modifies and names[each.from_id] == "drop"}
    assert found == {("User", "call"), *((name, "cascade") for name in ("Post", "labels", "Visit"))}
    cleared = [names[each.to_id] for each in content.data_uses if each.modifies and names[each.from_id] == "clear"]
    assert cleared == ["User"]


PASSED_ROWS = """
//- shop/__init__.py
//- shop/models.py
from flask_sqlalchemy import SQLAlchemy
from sqlalchemy.orm import Mapped, mapped_column, relationship

db = SQLAlchemy()

class Customer(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    name = db.Column(db.String(80))
    orders = db.relationship("Order")

class Order(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    total = db.Column(db.Integer)
    customer_id = db.Column(db.ForeignKey("customer.id"))
    crate_id = db.Column(db.ForeignKey("crate.id"))

class Crate(db.Model):
    id: Mapped[int] = mapped_column(primary_key=True)
    orders: Mapped[list["Order"]] = relationship()
//- shop/weights.py
def weight(order):
    return order.total
//- shop/crates.py
from shop.models import Crate
from shop.weights import weight

def unpack(crate: Crate, old):
    if old in crate.orders:
        crate.orders.remove(old)
    return weight(crate.orders[0])
//- shop/events.py
from sqlalchemy import event
from shop.models import Customer, Order

@event.listens_for(Customer, "before_insert")
def clean(mapper, connection, target):
    target.name = target.name.strip()
    mapper.name = connection.name

@event.listens_for(Order.total, "set", retval=True)
def round_up(target, value, old, initiator):
    target.customer_id = value.name

def loaded(target, context):
    return target.orders

event.listen(Customer, "load", loaded)
event.listen(Customer, "other", clean)
//- shop/code.py
from sqlalchemy import exists, func, select
from shop.models import Customer, Order, db

def shown(customer, limit):
    return [order.total for order in customer.orders[:limit]]

def renamed(customer, name):
    customer.name = name

def total(orders):
    return sum(each.total for each in orders)

def page(number):
    customer = Customer.query.get_or_404(number)
    renamed(customer=customer, name="a")
    return shown(customer, 3), total(customer.orders)

def columns(found):
    return found.total

def of_columns():
    return columns(db.session.execute(select(Order.total)).first())

def other(value):
    return value.orders

def unrelated():
    return other({})

def is_known(name):
    return db.session.execute(exists().where(Customer.name == name).select()).scalar()

def count(total):
    return db.session.scalar(select(func.count()).where(Order.total > total))

def count_of_model(total):
    return db.session.scalar(db.select(db.func.count()).select_from(Order).where(Order.total > total))

def nothing(total):
    return db.session.scalar(select(func.now()).where(total > 3))
"""


def test_rows_that_calls_pass_to_functions_of_the_file(tmp_path: Path) -> None:
    content = analysed(tmp_path, PASSED_ROWS)
    assert uses_of(content, "shop/crates.py") == [
        "unpack modifies Order delete",
        "unpack reads Crate select",
        "unpack reads Order select",
    ]
    assert uses_of(content, "shop/weights.py") == ["weight reads Order select", "weight reads Order.total select"]
    assert uses_of(content, "shop/events.py") == [
        "clean modifies Customer merge",
        "clean modifies Customer.name merge",
        "clean reads Customer select",
        "clean reads Customer.name select",
        "loaded reads Customer select",
        "loaded reads Order select",
        "round_up modifies Order merge",
        "round_up modifies Order.customer_id merge",
    ]
    assert uses_of(content, "shop/code.py") == [
        "count reads Order select",
        "count reads Order.total select",
        "count_of_model reads Order select",
        "count_of_model reads Order.total select",
        "is_known reads Customer select",
        "is_known reads Customer.name select",
        "of_columns reads Order select",
        "of_columns reads Order.total select",
        "page reads Customer select",
        "page reads Customer select",  # once by the query, and once by the relation of its row
        "page reads Order select",
        "renamed modifies Customer merge",
        "renamed modifies Customer.name merge",
        "shown reads Customer select",
        "shown reads Order select",
        "shown reads Order.total select",
        "total reads Order select",
        "total reads Order.total select",
    ]


CARRIED = """
//- blog/__init__.py
//- blog/models.py
from flask_sqlalchemy import SQLAlchemy

db = SQLAlchemy()

class Writer(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    name = db.Column(db.String(80))
    token = db.Column(db.String(80))
    posts = db.relationship("Post")

    @classmethod
    def of_token(cls, token):
        return cls.query.filter_by(token=token).first()

class Post(db.Model):
    id = db.Column(db.Integer, primary_key=True)
    writer_id = db.Column(db.ForeignKey("writer.id"))
//- blog/auth.py
from flask import g, request
from .models import Post, Writer, db

def check(token):
    writer = Writer.of_token(token)
    g.writer = writer
    g.either = writer
    return writer is not None

def check_post(number):
    g.post = db.session.get(Post, number)
    g.either = Post(id=number)
    g.started = True
    request.state.owner = db.session.query(Writer).get(number)
//- blog/pages.py
from flask import g
from .models import db

def rename(name):
    g.writer.name = name
    db.session.add(g.writer)

def posts():
    return [each.id for each in g.writer.posts]

def remove():
    db.session.delete(g.post)

def owner(request):
    return request.state.owner.token

def others(other):
    return g.either.name, g.started.name, g.missing.name, other.writer.name
"""
CARRIED_USES = [
    "owner reads Writer select",
    "owner reads Writer.token select",
    "posts reads Post select",
    "posts reads Post.id select",
    "posts reads Writer select",
    "remove modifies Post delete",
    "rename modifies Writer insert",
    "rename modifies Writer merge",
    "rename modifies Writer.name merge",
]


def test_rows_in_attributes_that_other_files_assign(tmp_path: Path) -> None:
    """The attributes of `g` and of requests have the model that all code assigns, and none if code assigns several."""
    assert uses_of(analysed(tmp_path, CARRIED), "blog/pages.py") == CARRIED_USES


def test_an_attribute_of_requests_that_gets_another_model(tmp_path: Path) -> None:
    kept = "//- blog/more.py\n" + "\n".join(f"def f{number}(): ..." for number in range(30))
    auth = CARRIED.partition("//- blog/auth.py\n")[2].partition("//- ")[0]
    changed = auth.replace("g.post = db.session.get(Post, number)", "g.post = Writer(id=number)")
    remove = "MATCH (a:Symbol {name: 'remove'})-[r:MODIFIES {evidence: 'call'}]->(t:Symbol {kind: 'class'}) RETURN t.name"
    before, after = {remove: [("Post",)]}, {remove: [("Writer",)]}
    check_changes(tmp_path, CARRIED + kept, [f"//- blog/auth.py\n{changed}"], before, after)


def test_sessions_whose_type_is_not_known(tmp_path: Path) -> None:
    """Models in the arguments, and the usual names, tell the sessions of requests, of parameters and of other packages."""
    source = """
from sqlalchemy import desc
from storehouse import db
from app.models import Post, User

class Matching:
    @classmethod
    def matching(cls, session, names):
        return session.query(cls).filter(cls.name.in_(names))

class Posts:
    def __init__(self, session):
        self._db = session

    def newest(self):
        return self._db.query(Post).order_by(desc(Post.id)).first()

    def open(self, title):
        post = Post(title=title)
        self._db.add(post)
        return post

def by_name(request, name):
    return request.dbsession.query(User).filter_by(name=name).one()

def close(key):
    post = db.session.get(Post, key)
    db.session.delete(post)

def log(connection):
    connection.query(User.name)

def collect(found, index):
    found.add(User())
    index.query("select", User)
    return index.get(User)
"""
    found = uses_of(analysed(tmp_path, f"{PROJECT}//- app/posts.py\n{source}"), "app/posts.py")
    assert [each for each in found if "." not in each.split()[2]] == [
        "Posts.newest reads Post select",
        "Posts.open modifies Post insert",
        "by_name reads User select",
        "close modifies Post delete",
        "close reads Post select",
        "log reads User select",
    ]


MAPPED_CLASSES = """
//- stock/__init__.py
//- stock/model.py
from dataclasses import dataclass

@dataclass
class Line:
    sku: str
    amount: int

class Batch:
    def __init__(self, reference):
        self.reference = reference
//- stock/orm.py
from sqlalchemy import Column, ForeignKey, Integer, MetaData, String, Table
from sqlalchemy.orm import registry, relationship
from stock import model

metadata = MetaData()
lines = Table("order_lines", metadata, Column("id", Integer, primary_key=True), Column("sku", String(20)),
              Column("batch_id", ForeignKey("batches.id")))
batches = Table("batches", metadata, Column("id", Integer, primary_key=True), Column("ref", String(20)))

def start():
    mappers = registry()
    of_lines = mappers.map_imperatively(model.Line, lines)
    mappers.map_imperatively(model.Batch, batches, properties={
        "reference": batches.c.ref, "lines": relationship(of_lines)})
//- stock/repository.py
from sqlalchemy import select
from stock import model, orm

class Batches:
    def __init__(self, session):
        self.session = session

    def add(self, batch: model.Batch):
        self.session.add(batch)

    def find(self, reference):
        return self.session.query(model.Batch).filter(model.Batch.reference == reference).first()

    def with_line(self, sku):
        found = select(model.Batch).join(model.Batch.lines).where(model.Line.sku == sku)
        return self.session.execute(found).scalars().all()
"""


def test_classes_that_calls_map_to_tables(tmp_path: Path) -> None:
    found = uses_of(analysed(tmp_path, MAPPED_CLASSES), "stock/repository.py")
    assert found == [
        "Batches.add modifies batches insert",
        "Batches.find reads batches select",
        "Batches.find reads batches.ref select",
        "Batches.with_line reads batches select",
        "Batches.with_line reads lines select",
        "Batches.with_line reads lines.sku select",
    ]
