"""Query sets of Django: which tables and columns the functions around them use, and what they do with them."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
from data_uses import uses_of
from incremental_steps import check_changes
from written_workspace import analysed

MODELS = """
//- library/__init__.py
//- library/settings.py
AUTH_USER_MODEL = "library.Reader"
//- library/models.py
from django.contrib.auth.models import AbstractUser
from django.db import models

class Reader(AbstractUser):
    town = models.CharField(max_length=80)

class Profile(models.Model):
    user = models.OneToOneField("auth.User", models.CASCADE)
    town = models.CharField(max_length=80)

class Author(models.Model):
    name = models.CharField(max_length=80)
    email = models.EmailField(db_column="mail")

class Tag(models.Model):
    name = models.SlugField()

class Dated(models.Model):
    made = models.DateTimeField()

    class Meta:
        abstract = True

    def touch(self):
        self.save(update_fields=["made"])

class BookQuerySet(models.QuerySet):
    def cheap(self):
        return self.filter(price__lt=10)

class BookManager(models.Manager):
    def dear(self):
        return self.get_queryset().filter(price__gt=99)

class Book(Dated):
    title = models.CharField(max_length=80)
    price = models.IntegerField()
    author = models.ForeignKey("Author", models.CASCADE, related_name="books")
    editor = models.ForeignKey(Author, models.CASCADE, related_name="+", null=True)
    tags = models.ManyToManyField(Tag)
    objects = BookManager()
    sale = BookQuerySet.as_manager()

class Loan(models.Model):
    book = models.ForeignKey(Book, models.CASCADE)
    reader = models.OneToOneField("library.Reader", models.CASCADE)

    def save(self, *args, **kwargs):
        super().save(*args, **kwargs)
"""
HEAD = """
from django.contrib.auth import get_user_model
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q
from django.shortcuts import get_object_or_404
from django.contrib.auth.models import User
from library.models import Author, Book, BookManager, Loan, Tag

"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "return Book.objects.filter(author__name__startswith='A', price=3).exclude(title='').order_by('-made')",
            ["reads Author", "reads Author.name", "reads Book", "reads Book.author", "reads Book.price", "reads Book.title",
             "reads Dated.made"],
        ),
        ("Book.objects.filter(pk=1, author_id=2, author__pk=3).exists()", ["reads Book", "reads Book.author"]),
        ("return Author.objects.values('email').annotate(n=Count('books')).filter(n__gt=1)",
         ["reads Author", "reads Author.email", "reads Book"]),
        (
            "Book.objects.filter(Q(title='a') | ~Q(author__email='b')).update(price=F('price') + 1)",
            ["modifies Book update", "modifies Book.price update", "reads Author update", "reads Author.email update",
             "reads Book.author update", "reads Book.price update", "reads Book.title update"],
        ),
        ("Book.objects.filter(price=1).delete()",
         ["modifies Book delete", "modifies Book.tags delete", "modifies Loan delete", "reads Book.price delete"]),
        ("Book.objects.create(title='a', price=2)",
         ["modifies Book insert", "modifies Book.price insert", "modifies Book.title insert"]),
        (
            "Author.objects.get_or_create(email='a', defaults={'name': 'b'})",
            ["modifies Author insert", "modifies Author.email insert", "modifies Author.name insert", "reads Author",
             "reads Author.email"],
        ),
        ("Tag.objects.bulk_create([Tag(name=each) for each in 'ab'])", ["modifies Tag insert"]),
        ("Author(name='a').save()", ["modifies Author merge"]),
        ("Author.objects.get(name='a').delete()",
         ["modifies Author delete", "modifies Book delete", "modifies Book.tags delete", "modifies Loan delete", "reads Author",
          "reads Author.name", "reads Book delete"]),
        ("for book in Book.objects.all():\n    book.editor.email", ["reads Author", "reads Book"]),
        ("book = get_object_or_404(Book, title='a')\nbook.author.delete()",
         ["modifies Author delete", "modifies Book delete", "modifies Book.tags delete", "modifies Loan delete", "reads Author",
          "reads Book delete", "reads Book", "reads Book.title"]),
        ("return Book.objects.select_related('author').prefetch_related(Prefetch('tags'))",
         ["reads Author", "reads Book", "reads Book.tags", "reads Tag"]),
        ("writer = Author.objects.first()\nwriter.books.filter(price=1).count()",
         ["reads Author", "reads Book", "reads Book.price"]),
        ("Book.objects.get(title='a').tags.add(3)", ["modifies Book.tags insert", "reads Book", "reads Book.title"]),
        ("Book.objects.get(title='a').tags.set([])",
         ["modifies Book.tags merge", "reads Book", "reads Book.tags", "reads Book.title"]),
        ("User.objects.filter(profile__town='a').delete()",
         ["modifies Profile delete", "reads Profile delete", "reads Profile.town delete"]),
        ("User.objects.get(pk=1).profile.town", ["reads Profile"]),
        ("return Book.sale.cheap().count()", ["reads Book"]),
        ("return Book.objects.dear()", ["reads Book"]),
        ("return Book.objects.none()", []),
        ("get_user_model().objects.filter(town='a')", ["reads Reader", "reads Reader.town"]),
        ("return Book.objects.filter(Exists(Loan.objects.filter(book=OuterRef('pk'), reader__town='a')))",
         ["reads Book", "reads Loan", "reads Loan.book", "reads Loan.reader", "reads Reader", "reads Reader.town"]),
        ("Loan(book=None).save()", []),  # the method of the repository runs the statement
        ("return {}.get('title')", []),
        ("class Other:\n    def save(self): ...\n    def filter(self, **named): ...\nOther().save()\nOther().filter(a=1)", []),
        ("books = Book.objects.all()\nbooks = books.filter(price=1)\nreturn list(books)", ["reads Book", "reads Book.price"]),
    ],
)  # fmt: skip
def test_uses(tmp_path: Path, body: str, expected: list[str]) -> None:
    source = f"{HEAD}def find():\n{textwrap.indent(body, '    ')}\n"
    found = uses_of(analysed(tmp_path, f"{MODELS}//- library/code.py\n{source}"), "library/code.py")
    wanted = [each if each.split()[-1] in ("insert", "update", "delete", "merge") else f"{each} select" for each in expected]
    assert found == [f"find {each}" for each in wanted]


def test_methods_of_classes_that_models_use(tmp_path: Path) -> None:
    """Managers, classes of query sets and abstract models stand for the models that have them."""
    assert uses_of(analysed(tmp_path, MODELS), "library/models.py") == [
        "BookManager.dear reads Book select",
        "BookManager.dear reads Book.price select",
        "BookQuerySet.cheap reads Book select",
        "BookQuerySet.cheap reads Book.price select",
        "Dated.touch modifies Book merge",
        "Dated.touch modifies Dated.made merge",
        "Loan.save modifies Loan merge",
    ]


def test_types_that_call_sites_tell(tmp_path: Path) -> None:
    code = f"{HEAD}def free(books):\n    books.update(price=0)\n\ndef run():\n    free(Book.objects.filter(title='a'))\n"
    content = analysed(tmp_path, f"{MODELS}//- library/code.py\n{code}")
    assert "free modifies Book.price update" in uses_of(content, "library/code.py")
    assert {each.evidence for each in content.data_uses} == {"call", "inferred"}


USES = "MATCH (a:Symbol)-[r:READS]->(t:Symbol) RETURN a.name, t.qualifiedName, r.lines ORDER BY a.name, t.qualifiedName"


def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    code = f"//- library/code.py\n{HEAD}\ndef find():\n    return Book.objects.filter(writer__name='a', price=1)\n"
    other = MODELS.partition("//- library/models.py\n")
    kept = "//- library/more.py\n" + "\n".join(f"def f{number}(): ..." for number in range(30))
    renamed = other[2].replace("author = ", "writer = ").replace("class Tag", "NUMBER = 1\n\n\nclass Tag")
    changes = [
        # A field gets the name that a query of another file uses, and a class moves down.
        f"//- library/models.py\n{renamed}",
        f"{code}\n\ndef names():\n    return Author.objects.values_list('name')\n",
        f"//- library/models.py\n{other[2].replace('author = ', 'writer = ').replace('price', 'cost')}",
    ]
    check_changes(
        tmp_path,
        f"{MODELS}{code}{kept}",
        changes,
        {USES: [
            ("cheap", "Book", [29]), ("cheap", "Book.price", [29]), ("dear", "Book", [33]), ("dear", "Book.price", [33]),
            ("find", "Book", [10]), ("find", "Book.price", [10]),
        ]},
        {USES: [
            ("cheap", "Book", [29]), ("cheap", "Book.cost", [29]), ("dear", "Book", [33]), ("dear", "Book.cost", [33]),
            ("find", "Author", [10]), ("find", "Author.name", [10]), ("find", "Book", [10]), ("find", "Book.writer", [10]),
            ("names", "Author", [14]), ("names", "Author.name", [14]),
        ]},
    )  # fmt: skip
