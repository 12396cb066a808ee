"""Models of Django: the tables, columns and keys that Django makes for them."""

from __future__ import annotations

from astrolabe.ingest.data.schemas.databases import read_mapped
from astrolabe.ingest.data.schemas.tables import Table
from astrolabe.ingest.languages.mapped_schemas import mapped_schemas

from .mapped_models import columns, data_of, edges_by_name, foreign_keys, keys
from .mapped_models import tables as tables_of

PEOPLE = """
from django.conf import settings
from django.db import models

CARD = 12

class Dated(models.Model):
    made = models.DateTimeField(auto_now_add=True)
    class Meta:
        abstract = True
        indexes = [models.Index(fields=["made"], name="%(app_label)s_%(class)s_made")]

class Reader(Dated):
    card = models.CharField("Number", max_length=CARD, unique=True)
    town = models.CharField(max_length=80, null=True, db_column="city")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE)
    friends = models.ManyToManyField("self")

class Child(Reader):
    age = models.PositiveSmallIntegerField()

class ReaderProxy(Reader):
    class Meta:
        proxy = True
"""
BOOKS = """
from django.db import models
from library.people.models import Dated, ReaderProxy
from .fields import Address, Money

class Book(models.Model):
    page = Address()
    home = models.URLField()
    number = models.UUIDField(primary_key=True)
    price = Money(null=True)
    readers = models.ManyToManyField("people.Reader", through="Loan")
    tags = models.ManyToManyField("Tag")

class Tag(models.Model):
    name = models.SlugField()
    class Meta:
        db_table = "labels"

class Loan(models.Model):
    book = models.ForeignKey(Book, on_delete=models.CASCADE)
    reader = models.ForeignKey(to=ReaderProxy, on_delete=models.SET_NULL, null=True, db_index=False)
    class Meta:
        unique_together = ("book", "reader")
"""
FILES = {
    "library/settings.py": 'DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"\n',
    "library/people/models.py": PEOPLE,
    "library/people/forms.py": "from django.db import models\nfrom django import forms\n\n"
    "class ReaderForm(forms.ModelForm):\n    card = forms.CharField(max_length=3)\n",
    "library/books/apps.py": "from django.apps import AppConfig\n\n"
    'class Books(AppConfig):\n    name = "library.books"\n    label = "stock"\n',
    "library/books/fields.py": "from django.db import models\n\nclass Money(models.DecimalField):\n    pass\n"
    "class Address(models.URLField):\n    def __init__(self, **options):\n"
    "        super().__init__(max_length=90, **options)\n",
    "library/books/models/__init__.py": "from .stock import *\n",
    "library/books/models/stock.py": BOOKS.replace("from .fields", "from ..fields"),
}


def tables(files: dict[str, str]) -> dict[str, Table]:
    return tables_of(files, "django")


def test_tables_are_named_after_application_and_class() -> None:
    assert sorted(tables(FILES)) == [
        "labels",
        "people_child",
        "people_reader",
        "people_reader_friends",
        "stock_book",
        "stock_book_tags",
        "stock_loan",
    ]


def test_fields_are_columns_with_those_of_abstract_bases() -> None:
    found = tables(FILES)
    assert columns(found["people_reader"]) == {
        "id": ("bigint", False),
        "card": ("varchar(12)", False),
        "city": ("varchar(80)", True),
        "owner_id": ("integer", False),
        "made": ("timestamp with time zone", False),
    }
    assert columns(found["stock_book"]) == {
        "page": ("varchar", False),  # the constructor of the field chooses the length
        "home": ("varchar(200)", False),
        "number": ("uuid", False),
        "price": ("numeric", True),
    }


def test_fields_of_abstract_models_of_packages_are_columns() -> None:
    source = (
        "from django.db import models\nfrom model_utils.models import TimeStampedModel\nfrom treebeard.mp_tree import MP_Node\n\n"
        "class Topic(MP_Node, TimeStampedModel):\n    name = models.CharField(max_length=40)\n"
    )
    topic = tables_of({"shelf/models.py": source}, "django")["shelf_topic"]
    assert columns(topic) == {
        "id": ("bigint", False),
        "name": ("varchar(40)", False),
        "path": ("varchar(255)", False),
        "depth": ("integer", False),
        "numchild": ("integer", False),
        "created": ("timestamp with time zone", False),
        "modified": ("timestamp with time zone", False),
    }


SETTINGS_OF_A_CLUB = """
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from annoying.fields import AutoOneToOneField
from i18nfield.fields import I18nCharField
from localflavor.generic.models import IBANField
from solo.models import SingletonModel

class Base(SingletonModel):
    class Meta:
        abstract = True

class Club(Base):
    motto = I18nCharField(max_length=200)
    account = IBANField(null=True)
    opened = models.DateField()
    notes = models.JSONField()
    class Meta:
        indexes = [models.Index(fields=["account", "-opened"]), GinIndex(fields=["notes"])]

class Board(models.Model):
    club = AutoOneToOneField(to="Club", on_delete=models.PROTECT)
"""


def test_bases_and_fields_of_unknown_packages() -> None:
    """The package of a base or a field is not read; the fields of the class and the name of the field decide."""
    found = tables_of({"clubs/models.py": SETTINGS_OF_A_CLUB}, "django")
    assert columns(found["clubs_club"]) == {
        "id": ("bigint", False),
        "motto": ("text", False),
        "account": ("", True),
        "opened": ("date", False),
        "notes": ("jsonb", False),
    }
    assert foreign_keys(found["clubs_board"]) == {"club_id": ("clubs_club", "id", "")}
    # The names are those of Django 5.2 for the same fields.
    assert sorted(each.name for each in found["clubs_club"].indexes.values()) == [
        "clubs_club_account_452e4b_idx",
        "clubs_club_notes_dc2b23_gin",
    ]


def test_a_polymorphic_model_refers_to_its_content_type() -> None:
    source = "from django.db import models\nfrom polymorphic.models import PolymorphicModel\n\n"
    source += "class Vessel(PolymorphicModel):\n    crew = models.TextField()\n"
    vessel = tables_of({"fleet/models.py": source}, "django")["fleet_vessel"]
    assert columns(vessel) == {"id": ("bigint", False), "crew": ("text", False), "polymorphic_ctype_id": ("integer", True)}
    assert [each.target for each in vessel.constraints.values() if each.kind == "foreign key"] == [("", "django_content_type")]
    assert [each.columns for each in vessel.indexes.values()] == [["polymorphic_ctype_id"]]


def test_bases_come_from_modules_whose_names_are_all_imported() -> None:
    base = "from django.db import models\n\nclass Dated(models.Model):\n    made = models.DateField()\n"
    base += "    class Meta:\n        abstract = True\n"
    models = "from django.db import models\nfrom .features import *\n\nclass Shelf(Dated):\n    row = models.TextField()\n"
    far = "from django.db import models\n\nclass Dated(models.Model):\n    day = models.DateField()\n"
    files = {"shelf/models/features.py": base, "shelf/models/__init__.py": models, "shop/models.py": far}
    assert columns(tables(files)["shelf_shelf"]) == {"id": ("bigint", False), "row": ("text", False), "made": ("date", False)}


def test_users_inherit_the_columns_of_django_but_for_those_that_they_remove() -> None:
    source = (
        "from django.contrib.auth.models import AbstractUser\nfrom django.db import models\n\n"
        "class Reader(AbstractUser):\n    username = None\n    email = models.EmailField(unique=True)\n"
        "class Clerk(models.Model):\n    class Meta:\n        swappable = 'AUTH_USER_MODEL'\n"
    )
    found = tables_of({"shelf/models.py": source, "settings.py": 'AUTH_USER_MODEL = "shelf.Reader"\n'}, "django")
    assert sorted(found) == ["shelf_reader", "shelf_reader_groups", "shelf_reader_user_permissions"]
    assert columns(found["shelf_reader"]) == {
        "id": ("bigint", False),
        "email": ("varchar(254)", False),
        "password": ("varchar(128)", False),
        "last_login": ("timestamp with time zone", True),
        "is_superuser": ("boolean", False),
        "first_name": ("varchar(150)", False),
        "last_name": ("varchar(150)", False),
        "is_staff": ("boolean", False),
        "is_active": ("boolean", False),
        "date_joined": ("timestamp with time zone", False),
    }
    assert columns(found["shelf_reader_groups"]) == {
        "id": ("bigint", False),
        "reader_id": ("bigint", False),
        "group_id": ("integer", False),
    }


def test_relations_are_columns_of_the_type_of_the_key_that_they_lead_to() -> None:
    found = tables(FILES)
    assert columns(found["stock_loan"]) == {"id": ("bigint", False), "book_id": ("uuid", False), "reader_id": ("bigint", True)}
    assert columns(found["people_child"]) == {"reader_ptr_id": ("bigint", False), "age": ("smallint", False)}
    targets = {each.columns[0]: each.target for each in found["stock_loan"].constraints.values() if each.kind == "foreign key"}
    assert targets == {"book_id": ("", "stock_book"), "reader_id": ("", "people_reader")}


def test_relations_of_many_to_many_have_a_table_unless_a_model_is_theirs() -> None:
    found = tables(FILES)
    assert list(columns(found["stock_book_tags"])) == ["id", "book_id", "tag_id"]
    assert list(columns(found["people_reader_friends"])) == ["id", "from_reader_id", "to_reader_id"]


def test_keys_and_indexes_have_the_names_that_django_makes() -> None:
    # The names are those of Django 5.2 for the same models.
    assert keys(tables(FILES)["stock_loan"]) == [
        ("stock_loan_book_id_b6dd351c", "index"),
        ("stock_loan_book_id_b6dd351c_fk_stock_book_number", "foreign key"),
        ("stock_loan_book_id_reader_id_f069aed2_uniq", "unique"),
        ("stock_loan_pkey", "primary key"),
        ("stock_loan_reader_id_e7e84b14_fk_people_reader_id", "foreign key"),
    ]
    assert ("people_reader_made", "index") in keys(tables(FILES)["people_reader"])


def test_indexes_may_be_lists_that_consist_of_lists() -> None:
    source = """
from django.db import models

BY_SIZE = [models.Index(fields=["size"], name="by_size")]

class Sized(models.Model):
    size = models.IntegerField()
    depth = models.IntegerField()
    class Meta:
        abstract = True
        indexes = [models.Index(fields=["depth"], name="%(class)s_depth")]

class Crate(Sized):
    class Meta(Sized.Meta):
        indexes = Sized.Meta.indexes + [*BY_SIZE, models.Index(fields=["size", "depth"], name="by_both")]
"""
    assert [name for name, _ in keys(tables({"store/models.py": source})["store_crate"])] == [
        "by_both",
        "by_size",
        "crate_depth",
        "store_crate_pkey",
    ]


def test_classes_for_type_checkers_have_no_tables() -> None:
    people = """
from typing import TYPE_CHECKING
from django.contrib.auth.models import User as DjangoUser
from django.db import models

class Desk(models.Model):
    size = models.IntegerField()

if TYPE_CHECKING:
    class User(DjangoUser):
        desks: models.QuerySet[Desk]
    class Chair(models.Model):
        pass
else:
    User = DjangoUser
    class Chair(models.Model):
        legs = models.IntegerField()
"""
    loans = """
from django.db import models
from staff.people import User

class Loan(models.Model):
    user = models.ForeignKey(User, on_delete=models.CASCADE)
"""
    found = tables({"staff/people.py": people, "staff/loans.py": loans})
    assert sorted(found) == ["staff_chair", "staff_desk", "staff_loan"]
    assert list(columns(found["staff_chair"])) == ["id", "legs"]
    assert columns(found["staff_loan"])["user_id"] == ("integer", False)
    assert [each[0] for each in keys(found["staff_loan"]) if each[1] == "foreign key"] == [
        "staff_loan_user_id_02658c87_fk_auth_user_id"
    ]


def test_statements_in_strings_lead_to_the_classes_and_attributes() -> None:
    query = 'def late(cursor):\n    cursor.execute("SELECT city FROM people_reader WHERE card = %s")\n'
    files = {**FILES, "library/report.py": query}
    edges = edges_by_name(files)
    assert sorted((each.from_id, each.to_id) for each in edges.data_uses) == [
        ("late", "Reader"),
        ("late", "card"),
        ("late", "town"),
    ]


def test_models_without_migrations_stand_beside_models_with_migrations() -> None:
    tables_of_two = ("A", "B")
    operation = "migrations.CreateModel(name='{0}', fields=[('id', models.BigAutoField(primary_key=True))])"
    shop = "from django.db import models\n" + "".join(f"class {name}(models.Model):\n    pass\n" for name in tables_of_two)
    migration = (
        "from django.db import migrations, models\n\nclass Migration(migrations.Migration):\n    operations = [\n        "
        + ", ".join(operation.format(name) for name in tables_of_two)
        + "]\n"
    )
    news = "from django.db import models\n\nclass Post(models.Model):\n    body = models.TextField()\n"
    query = 'def bodies(cursor):\n    cursor.execute("SELECT body FROM news_post")\n'
    files = {"shop/models.py": shop, "shop/migrations/0001_initial.py": migration, "news/models.py": news, "news/all.py": query}
    assert sorted((each.from_id, each.to_id) for each in edges_by_name(files).data_uses) == [
        ("bodies", "Post"),
        ("bodies", "body"),
    ]


def test_models_in_a_circle_end() -> None:
    source = (
        "from django.db import models\n\nclass A(B):\n    x = models.TextField()\n\nclass B(A):\n    y = models.TextField()\n"
    )
    facts = data_of({"app/models.py": source})
    assert read_mapped(facts, mapped_schemas(facts)) == []


def test_abstract_bases_in_a_circle_give_their_fields_once() -> None:
    head = "from django.db import models\n"
    found = tables(
        {
            "shop/one.py": f"{head}from shop.two import Two\n\n\nclass One(Two, models.Model):\n    a = models.TextField()\n\n"
            "    class Meta:\n        abstract = True\n\n\nclass Real(One):\n    name = models.TextField()\n",
            "shop/two.py": f"{head}from shop.one import One\n\n\nclass Two(One, models.Model):\n    b = models.TextField()\n\n"
            "    class Meta:\n        abstract = True\n",
        }
    )
    assert list(columns(found["shop_real"])) == ["id", "name", "a", "b"]


def test_many_ways_to_one_base_cost_no_more_than_one() -> None:
    abstract = "    class Meta:\n        abstract = True\n"
    lines = ["from django.db import models", f"class A0(models.Model):\n    first = models.TextField()\n{abstract}"]
    for number in range(1, 60):
        lines += [f"class {side}{number}(A{number - 1}):\n{abstract}" for side in "BC"]
        lines.append(f"class A{number}(B{number}, C{number}):\n{abstract}")
    lines.append("class Real(A59):\n    odd = Strange()\n")
    lines += ["class S0: ...", *(f"class S{number}(S{number - 1}, S{max(number - 2, 0)}): ..." for number in range(1, 60))]
    lines.append("class Strange(S59): ...\n")
    found = tables({"shop/models.py": "\n\n".join(lines)})
    assert list(columns(found["shop_real"])) == ["id", "first"]


def test_columns_of_own_field_classes() -> None:
    files = {
        "net/models.py": """
from django.conf import settings
from django.db import models
from .fields import Marker, Network, PathForeignKey, Slot, Token

class Host(models.Model):
    address = Network()
    slot = Slot(null=True)
    token = Token()
    path = PathForeignKey("token")
    mark = Marker()
    picture = models.ImageField(max_length=settings.PATH_LENGTH)
    title = models.CharField(max_length=None)
""",
        "net/fields.py": """
from django.db import models

class Base(models.Field):
    def get_internal_type(self):
        return "CharField"

class Network(Base):
    def db_type(self, connection):
        return "CIDR"

class Slot(models.Field):
    pass

class Token(Base):
    pass

class PathForeignKey(models.Field):
    many_to_one = True

class Marker:
    pass
""",
    }
    assert columns(tables(files)["net_host"]) == {
        "id": ("bigint", False),
        "address": ("cidr", False),
        "slot": ("", True),
        "token": ("varchar", False),
        "picture": ("varchar", False),
        "title": ("varchar", False),
    }
