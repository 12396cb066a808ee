"""Models of Peewee as tables, and the queries over them."""

from __future__ import annotations

from pathlib import Path

import pytest
from data_uses import uses_of
from incremental_steps import check_changes
from written_workspace import analysed

from .mapped_models import columns, foreign_keys, keys, tables

MODELS = """
import datetime
from peewee import *
db = SqliteDatabase("a.db")

class BaseModel(Model):
    class Meta:
        database = db

class UserAccount(BaseModel):
    name = CharField(unique=True)
    joined = DateTimeField(default=datetime.datetime.now, null=True)

class Tag(BaseModel):
    word = FixedCharField(max_length=9, primary_key=True)

class Tweet(BaseModel):
    author = ForeignKeyField(UserAccount, backref="tweets", on_delete="CASCADE")
    parent = ForeignKeyField("self", null=True)
    tag = ForeignKeyField(Tag, column_name="tag_word")
    text = TextField()
    price = DecimalField(max_digits=8, decimal_places=2)
    labels = ManyToManyField(Tag, backref="labelled")
    class Meta:
        table_name = "tweets"
        indexes = ((("author", "tag"), True), (("text",), False))

class Link(BaseModel):
    a = ForeignKeyField(UserAccount)
    b = ForeignKeyField(Tag)
    class Meta:
        primary_key = CompositeKey("a", "b")
        legacy_table_names = False
"""
CODE = """
from app.models import UserAccount, Tweet, Tag, Link
from peewee import fn

def recent(name):
    query = Tweet.select(Tweet.text, UserAccount.name).join(UserAccount).where(UserAccount.name == name)
    query = query.order_by(Tweet.price)
    return [each.tag.word for each in query]

def add():
    user = UserAccount.create(name="x")
    user.joined = None
    user.save()
    for each in user.tweets:
        print(each.text)

def change():
    UserAccount.update(name="y").where(UserAccount.joined.is_null()).execute()
    UserAccount.update({UserAccount.joined: 3}).execute()
    Tweet.delete().where(Tweet.author.in_(UserAccount.select().where(UserAccount.name == "z"))).execute()
    Tag.get_or_create(word="a")
    return Tag.get_or_none(Tag.word == "a")

def alias():
    Parent = Tweet.alias()
    return Tweet.select().join(Parent, on=(Tweet.parent == Parent.id)).count()
"""
PROJECT = f"//- app/__init__.py\n//- app/models.py\n{MODELS}//- app/code.py\n{CODE}"


def test_tables() -> None:
    """The expected values are those of Peewee's own schema for PostgreSQL."""
    found = tables({"app/models.py": MODELS}, "peewee")
    assert list(found) == ["useraccount", "tag", "tweets", "tweets_tag_through", "link"]
    assert columns(found["useraccount"]) == {
        "id": ("serial", False),
        "name": ("varchar(255)", False),
        "joined": ("timestamp", True),
    }
    assert columns(found["tweets"]) == {
        "id": ("serial", False),
        "author_id": ("integer", False),
        "parent_id": ("integer", True),
        "tag_word": ("char(9)", False),
        "text": ("text", False),
        "price": ("numeric(8, 2)", False),
    }
    assert [name for name, kind in keys(found["tweets"]) if kind == "index"] == [
        "tweet_author_id",
        "tweet_author_id_tag_word",
        "tweet_parent_id",
        "tweet_tag_word",
        "tweet_text",
    ]
    assert foreign_keys(found["tweets"]) == {
        "author_id": ("useraccount", "id", "CASCADE"),
        "parent_id": ("tweets", "id", ""),
        "tag_word": ("tag", "word", ""),
    }
    assert columns(found["tweets_tag_through"])["tag_id"] == ("char(9)", False)
    assert found["link"].constraints["link_pkey"].columns == ["a_id", "b_id"]


def test_names_of_tables() -> None:
    source = """
from peewee import CharField, Model

class Base(Model):
    class Meta:
        legacy_table_names = False
        schema = "shop"

class OrderItem(Base):
    name = CharField(max_length=20)

class Computed(Base):
    name = CharField()

    class Meta:
        table_function = lambda model: "x"
"""
    found = tables({"models.py": source}, "peewee")
    assert [(each.schema, each.name) for each in found.values()] == [("shop", "order_item")]


def test_uses(tmp_path: Path) -> None:
    assert uses_of(analysed(tmp_path, PROJECT), "app/code.py") == [
        "add modifies UserAccount insert",
        "add modifies UserAccount merge",
        "add modifies UserAccount.name insert",
        "add reads Tweet select",
        "alias reads Tweet select",
        "alias reads Tweet.parent select",
        "change modifies Tag merge",
        "change modifies Tag.word merge",
        "change modifies Tweet delete",
        "change modifies UserAccount update",
        "change modifies UserAccount.joined update",
        "change modifies UserAccount.name update",
        "change reads Tag select",
        "change reads Tag.word select",
        "change reads Tweet.author delete",
        "change reads UserAccount select",
        "change reads UserAccount.joined update",
        "change reads UserAccount.name select",
        "recent reads Tag select",
        "recent reads Tweet select",
        "recent reads Tweet.price select",
        "recent reads Tweet.text select",
        "recent reads UserAccount select",
        "recent reads UserAccount.name select",
    ]


ROWS = """
from app.models import Link, Tag, Tweet, UserAccount

def entity(model, key):
    return model[key]

def remove(key):
    entity(Tweet, key).delete_instance()

def show(key):
    tweet = entity(Tweet, key)
    return tweet.author.name

def label(key):
    tag = entity(Tag, key)
    return tag.word

def newest(name):
    user = UserAccount.get(UserAccount.name == name)
    return user.tweets.order_by(Tweet.id).first()

def words(user):
    return [each.tag.word for each in user.tweets]

def of_name(name):
    return words(UserAccount.get_or_none(name=name))

def other(values):
    return values["a"].tweets.count()
"""


def test_rows_that_functions_and_relations_return(tmp_path: Path) -> None:
    project = f"//- app/__init__.py\n//- app/models.py\n{MODELS}//- app/rows.py\n{ROWS}"
    found = sorted({each for each in uses_of(analysed(tmp_path, project), "app/rows.py") if "." not in each.split()[2]})
    assert found == [
        "entity reads Tag select",
        "entity reads Tweet select",
        "newest reads Tweet select",
        "newest reads UserAccount select",
        "of_name reads UserAccount select",
        "remove modifies Tweet delete",
        "show reads UserAccount select",
        "words reads Tag select",
        "words reads Tweet select",
    ]


USES = "MATCH (a:Symbol {name: 'recent'})-[r:READS]->(t:Symbol) RETURN t.qualifiedName ORDER BY t.qualifiedName"


@pytest.mark.long
def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    kept = "//- app/more.py\n" + "\n".join(f"def f{number}(): ..." for number in range(30))
    changes = [
        f"//- app/models.py\n{MODELS.replace('word = Fixed', 'name = Fixed')}",
        f"//- app/code.py\n{CODE.replace('each.tag.word', 'each.text')}",
    ]
    names = ["Tweet", "Tweet.price", "Tweet.text", "UserAccount", "UserAccount.name"]
    before = [(each,) for each in ["Tag", *names]]
    check_changes(tmp_path, PROJECT + kept, changes, {USES: before}, {USES: [(each,) for each in names]})
