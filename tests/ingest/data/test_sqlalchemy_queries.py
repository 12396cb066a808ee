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
        ("user = session.get(User, 1)\nsession.delete(user)", ["modifies User delete", "reads User"]),
        ("post = session.execute(select(Post)).scalar_one()\nsession.delete(post)", ["modifies Post delete", "reads Post"]),
        ("for each in session.query(User).all():\n    session.delete(each)", ["modifies User delete", "reads User"]),
        ("db = Local()\ndb.add(Post())", ["modifies Post insert"]),
        ("other.add(User())\nother.query(User).all()\n{}.get(User)", []),
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


USES = "MATCH (a:Symbol)-[r:READS]->(t:Symbol) RETURN a.name, t.qualifiedName, r.lines ORDER BY a.name, t.qualifiedName"


def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    code = f"//- app/code.py\n{HEAD}\ndef find(session: Session):\n    return session.query(User).filter_by(town='a').all()\n"
    kept = "//- app/more.py\n" + "\n".join(f"def f{number}(): ..." for number in range(30))
    models = PROJECT.partition("//- app/models.py\n")[2].partition("//- ")[0]
    changed = f"//- app/models.py\n{models.replace('name: Mapped[str]', 'town: Mapped[str]')}"
    before, after = [("find", "User", [10])], [("find", "User", [10]), ("find", "User.town", [10])]
    check_changes(tmp_path, f"{PROJECT}{code}{kept}", [changed], {USES: before}, {USES: after})
