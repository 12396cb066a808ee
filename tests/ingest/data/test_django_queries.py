"""Query sets of Django: which tables and columns the functions around them use, and what they do with them."""

from __future__ import annotations

import re
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

class LoanQuerySet(models.QuerySet):
    def late(self):
        return self.filter(due__lt=1)

class LoanManager(models.Manager.from_queryset(LoanQuerySet)):
    def lend(self, book):
        return self.create(book=book)

    def first_late(self):
        return self.get_queryset().late().first()

class Loan(models.Model):
    due = models.IntegerField()
    objects = LoanManager()
    open = models.Manager.from_queryset(LoanQuerySet)()
    book = models.ForeignKey(Book, models.CASCADE)
    reader = models.OneToOneField("library.Reader", models.CASCADE)

    def save(self, *args, **kwargs):
        super().save(*args, **kwargs)

class ReviewQuerySet(models.QuerySet):
    def of_editor(self, name):
        return self.filter(book__editor__name=name).exclude(stars=0)

    def newest(self):
        return self.order_by("-stars")[:3]

class Review(models.Model):
    stars = models.IntegerField()
    book = models.ForeignKey(Book, models.DO_NOTHING)
    objects = ReviewQuerySet.as_manager()
"""
HEAD = """
from django.contrib.auth import get_user_model
from django.db.models import Count, Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.contrib.auth.models import User
from library.models import Author, Book, BookManager, Loan, Review, Tag

"""


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (
            "return Book.objects.filter(author__name__startswith='A', price=3).exclude(title='').order_by('-made')",
            ["reads Author", "reads Author.name", "reads Book", "reads Book.author", "reads Book.price", "reads Book.title",
             "reads Dated.made"],
        ),
        ("return list(Loan.objects.late().filter(book__price=1))",
         ["reads Book", "reads Book.price", "reads Loan", "reads Loan.book", "reads Loan.due"]),
        ("Loan.open.late().delete()", ["modifies Loan delete", "reads Loan", "reads Loan.due delete", "reads Loan.due"]),
        ("return Review.objects.of_editor('a').count()",
         ["reads Author", "reads Author.name", "reads Book", "reads Book.editor", "reads Review", "reads Review.book",
          "reads Review.stars"]),
        ("return Review.objects.newest().count()", ["reads Review", "reads Review.stars"]),
        ("return Loan.objects.lend(None)", []),
        ("Book.objects.filter(pk=1, author_id=2, author__pk=3).exists()", ["reads Book", "reads Book.author"]),
        ("return Author.objects.values('email').annotate(n=Count('books')).filter(n__gt=1)",
         ["reads Author", "reads Author.email", "reads Book"]),
        (
            "Book.objects.filter(Q(title='a') | ~Q(author__email='b')).update(price=F('price') + 1)",
            ["modifies Book update", "modifies Book.price update", "reads Author update", "reads Author.email update",
             "reads Book.author update", "reads Book.price update", "reads Book.title update"],
        ),
        ("Book.objects.filter(price=1).delete()",
         ["modifies Book delete", "modifies Book.tags delete", "modifies Loan delete", "reads Book delete",
          "reads Book.price delete"]),
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
        ("Book.tags.through.objects.filter(tag_id=1).delete()", ["modifies Book.tags delete"]),
        ("condition = Q(title='a')\ncondition = condition & Q(price=1)\nreturn Book.objects.filter(condition)",
         ["reads Book", "reads Book.price", "reads Book.title"]),
        ("return Book.sale.cheap().count()", ["reads Book", "reads Book.price"]),
        ("return Book.objects.dear()", ["reads Book", "reads Book.price"]),
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
        "LoanManager.first_late reads Loan select",
        "LoanManager.first_late reads Loan.due select",
        "LoanManager.lend modifies Loan insert",
        "LoanManager.lend modifies Loan.book insert",
        "LoanQuerySet.late reads Loan select",
        "LoanQuerySet.late reads Loan.due select",
        "ReviewQuerySet.newest reads Review select",
        "ReviewQuerySet.newest reads Review.stars select",
        "ReviewQuerySet.of_editor reads Author select",
        "ReviewQuerySet.of_editor reads Author.name select",
        "ReviewQuerySet.of_editor reads Book select",
        "ReviewQuerySet.of_editor reads Book.editor select",
        "ReviewQuerySet.of_editor reads Review select",
        "ReviewQuerySet.of_editor reads Review.book select",
        "ReviewQuerySet.of_editor reads Review.stars select",
    ]


VIEWS = """
//- library/views.py
from django.contrib import admin
from django.contrib.auth import get_user_model
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.forms import ModelForm
from django.views.generic import CreateView, DeleteView, DetailView, ListView, UpdateView
from rest_framework import serializers, viewsets
from tastypie.resources import ModelResource
from library.models import Author, Book, Loan, Tag

class Listed(ListView):
    def get_context_data(self, **kwargs):
        context = super().get_context_data(**kwargs)
        return {each.author for each in context["object_list"]}

class BookList(Listed):
    queryset = Book.objects.filter(price=1).order_by("title")

@admin.action(description="Take the tags off")
def untag(modeladmin, request, chosen):
    for each in chosen.all():
        each.delete()

class ShelfList(ListView):
    model = Book
    context_object_name = "shelf"

    def get_context_data(self, **kwargs):
        context = super().get_context_data(**kwargs)
        return [each.editor for each in context["shelf"]]

class TagDetail(DetailView):
    model = Tag

    def get_queryset(self):
        return super().get_queryset().filter(book__title="a")

    def post(self, request):
        tag = self.get_object()
        tag.save()
        return request.user.loan.book

class AuthorAdd(CreateView):
    model = Author

    def form_valid(self, form):
        self.object = form.save()

class AuthorChange(UpdateView):
    model = Author

class TagRemove(DeleteView):
    model = Tag

class LoanEnd(DeleteView):
    model = Book

    def get_queryset(self):
        loans = Loan.objects.filter(book=self.kwargs["pk"])
        if self.request.GET:
            return loans.filter(reader__isnull=True).distinct()
        return loans

class LoanBegin(CreateView):
    model = Loan

    def get_queryset(self):
        return Book.objects.all()

class KeptForm(ModelForm):
    def save(self, commit=True):
        kept = super().save(commit=False)
        kept.save()
        return kept

class BookForm(KeptForm):
    class Meta:
        model = Book
        fields = ["title", "author"]

class TagForm(KeptForm):
    class Meta:
        model = Tag
        fields = "__all__"

class LoanSerializer(serializers.ModelSerializer):
    class Meta:
        model = Loan
        fields = ["book"]

class ShownSerializer(serializers.ModelSerializer):
    class Meta:
        model = Book
        fields = ["title"]

class LoanViews(viewsets.ModelViewSet):
    queryset = Loan.objects.all()
    serializer_class = LoanSerializer

    def perform_destroy(self, instance):
        instance.delete()

class ShownViews(viewsets.ReadOnlyModelViewSet):
    queryset = Book.objects.all()
    serializer_class = ShownSerializer

class Resource(ModelResource):
    class Meta:
        abstract = True

class AuthorResource(Resource):
    class Meta(Resource.Meta):
        queryset = Author.objects.all()

@admin.register(Loan)
class LoanAdmin(admin.ModelAdmin):
    def save_model(self, request, obj, form, change):
        obj.save(update_fields=["book"])

class LabelInline(admin.TabularInline):
    model = Book.tags.through

class TagAdmin(admin.ModelAdmin):
    actions = [untag]
    inlines = [LabelInline]

admin.site.register(Tag, TagAdmin)

class Plain:
    model = Book

    def go(self):
        return self.object.save()

@receiver(post_save, sender=get_user_model())
def follow(sender, instance, **kwargs):
    instance.loan.save()
"""


def test_classes_that_name_a_model(tmp_path: Path) -> None:
    """The inherited code of a class works with the model that the class names, and its own code with what it inherits."""
    found = uses_of(analysed(tmp_path, MODELS + VIEWS), "library/views.py")
    tables = [each for each in found if "." not in each.split()[2] or each.split()[2] == "Book.tags"]
    assert tables == [
        "AuthorAdd modifies Author insert",
        "AuthorAdd.form_valid modifies Author merge",
        "AuthorChange modifies Author update",
        "AuthorChange reads Author select",
        "AuthorResource modifies Author delete",
        "AuthorResource modifies Author insert",
        "AuthorResource modifies Author update",
        "AuthorResource modifies Book delete",
        "AuthorResource modifies Book.tags delete",
        "AuthorResource modifies Loan delete",
        "AuthorResource reads Author select",
        "AuthorResource reads Book delete",
        "AuthorResource.Meta reads Author select",
        "BookForm modifies Book merge",
        "BookForm reads Author select",
        "BookList reads Book select",
        "KeptForm.save modifies Book merge",
        "KeptForm.save modifies Tag merge",
        "Listed.get_context_data reads Author select",
        "Listed.get_context_data reads Book select",
        "LoanAdmin modifies Loan delete",
        "LoanAdmin modifies Loan insert",
        "LoanAdmin modifies Loan update",
        "LoanAdmin reads Loan select",
        "LoanAdmin.save_model modifies Loan merge",
        "LoanBegin modifies Loan insert",
        "LoanBegin.get_queryset reads Book select",
        "LoanEnd modifies Loan delete",
        "LoanEnd reads Loan select",
        "LoanEnd.get_queryset reads Loan select",
        "LoanSerializer modifies Loan merge",
        "LoanSerializer reads Book select",
        "LoanViews modifies Loan delete",
        "LoanViews modifies Loan insert",
        "LoanViews modifies Loan update",
        "LoanViews reads Loan select",
        "LoanViews.perform_destroy modifies Loan delete",
        "ShelfList reads Book select",
        "ShelfList.get_context_data reads Author select",
        "ShelfList.get_context_data reads Book select",
        "ShownViews reads Book select",
        "TagAdmin modifies Book.tags delete",
        "TagAdmin modifies Tag delete",
        "TagAdmin modifies Tag insert",
        "TagAdmin modifies Tag update",
        "TagAdmin reads Tag select",
        "TagDetail reads Tag select",
        "TagDetail.get_queryset reads Book select",
        "TagDetail.get_queryset reads Book.tags select",
        "TagDetail.get_queryset reads Tag select",
        "TagDetail.post modifies Tag merge",
        "TagDetail.post reads Book select",
        "TagDetail.post reads Loan select",
        "TagDetail.post reads Tag select",
        "TagForm modifies Tag merge",
        "TagRemove modifies Book.tags delete",
        "TagRemove modifies Tag delete",
        "TagRemove reads Tag select",
        "follow modifies Loan merge",
        "follow reads Loan select",
        "untag modifies Book.tags delete",
        "untag modifies Tag delete",
        "untag reads Tag select",
    ]
    assert {"BookList reads Book.price select", "LoanAdmin.save_model modifies Loan.book merge"} <= set(found)


CHOICES = """
//- library/forms.py
from django import forms
from django.conf import settings
from django.db import models
from django.shortcuts import get_object_or_404
from django_filters import rest_framework as filters
from rest_framework import permissions, serializers, viewsets
from library.models import Author, Book, Loan, Tag

class Vote(models.Model):
    book = models.ForeignKey(Book, models.CASCADE, related_name="votes")
    voters = models.ManyToManyField(settings.AUTH_USER_MODEL)

class MergeForm(forms.Form):
    tags = forms.ModelMultipleChoiceField(queryset=Tag.objects.order_by("name"))
    book = forms.ModelChoiceField(Book.objects.none(), queryset=Book.objects.all())
    note = forms.CharField()

    def clean_tags(self):
        tags = self.cleaned_data.get("tags")
        if len(tags) > 4:
            raise forms.ValidationError("too many")
        return tags

class BookForm(forms.ModelForm):
    class Meta:
        model = Book
        fields = ["author"]

class AuthorSerializer(serializers.ModelSerializer):
    class Meta:
        model = Author
        fields = ["name"]

class Marked(models.Model):
    author = models.ForeignKey(Author, models.CASCADE)

    class Meta:
        abstract = True

class MarkedSerializer(serializers.ModelSerializer):
    class Meta:
        model = Marked
        fields = ["author"]

class BookSerializer(serializers.ModelSerializer):
    tags = serializers.StringRelatedField(many=True)
    editor = serializers.PrimaryKeyRelatedField(read_only=True)
    writer = serializers.CharField(source="author.name")

    class Meta:
        model = Book
        fields = ["tags", "editor", "writer"]

class LoanSerializer(serializers.ModelSerializer):
    book = BookSerializer()
    reader = serializers.CharField(write_only=True)

    class Meta:
        model = Loan
        fields = ["book", "reader"]

class NewTagField(serializers.SlugRelatedField):
    def to_internal_value(self, name):
        return self.get_queryset().get_or_create(name=name)[0]

class TaggedSerializer(serializers.ModelSerializer):
    labels = NewTagField(slug_field="name", queryset=Tag.objects.all(), many=True)
    counts = serializers.SerializerMethodField()

    class Meta:
        model = Book
        fields = ["labels", "counts"]

    @staticmethod
    def get_counts(item):
        kinds = ["votes", "tags"]
        return {kind: getattr(item, kind).count() for kind in kinds}

class BookFilter(filters.FilterSet):
    def filter_cheap(self, queryset, name, value):
        return queryset.filter(price__lt=value)

class IsUnread(permissions.BasePermission):
    def has_object_permission(self, request, view, obj):
        return not obj.votes.exists()

class IsShort(permissions.BasePermission):
    def has_object_permission(self, request, view, obj):
        return len(obj.title) < 9

class BookViews(viewsets.ModelViewSet):
    filterset_class = BookFilter
    permission_classes = [permissions.IsAdminUser | (IsShort & ~IsUnread)]

    def get_queryset(self):
        if self.request.GET.get("cheap"):
            return Book.objects.filter(price__lt=5)
        return Book.objects.all()

    def perform_destroy(self, instance):
        instance.votes.all().delete()
//- library/pages.py
from library.forms import BookForm, MergeForm, Vote
from django.shortcuts import get_object_or_404
from library.models import Author

def merge(request):
    form = MergeForm(request.POST)
    if form.is_valid():
        form.cleaned_data["tags"].filter(name="a").delete()
        form.cleaned_data["note"].strip()

def shown(request):
    form = MergeForm(request.POST)
    return [each.pk for each in form.cleaned_data["tags"]]

def chosen(request):
    form = MergeForm(request.POST)
    book = form.cleaned_data["book"]
    return book.title, book.votes.count()

def changed(request):
    form = BookForm(request.POST)
    return form.cleaned_data["author"].books.count()

def vote(request, number):
    item = get_object_or_404(Vote, pk=number)
    if not item.voters.filter(pk=request.user.pk):
        item.voters.add(request.user.pk)

def removed(request, author, number):
    book = get_object_or_404(get_object_or_404(Author, pk=author).books.all(), pk=number)
    book.votes.all().delete()
"""


def test_rows_that_forms_choose_and_serializers_show(tmp_path: Path) -> None:
    workspace = analysed(tmp_path, MODELS.replace('AUTH_USER_MODEL = "library.Reader"', "") + CHOICES)
    found = uses_of(workspace, "library/forms.py") + uses_of(workspace, "library/pages.py")
    tables = [each for each in found if "." not in each.split()[2] or each.split()[2] in ("Vote.voters", "Book.tags")]
    assert tables == [
        "BookFilter.filter_cheap reads Book select",
        "BookForm modifies Book merge",
        "BookForm reads Author select",
        "BookSerializer reads Author select",
        "BookSerializer reads Book select",
        "BookSerializer reads Book.tags select",
        "BookSerializer reads Tag select",
        "BookViews.get_queryset reads Book select",
        "BookViews.perform_destroy modifies Vote delete",
        "BookViews.perform_destroy modifies Vote.voters delete",
        "BookViews.perform_destroy reads Vote delete",
        "IsUnread.has_object_permission reads Vote select",
        "LoanSerializer reads Book select",
        "MergeForm reads Book select",
        "MergeForm reads Tag select",
        "MergeForm.clean_tags reads Tag select",
        "NewTagField.to_internal_value modifies Tag insert",
        "NewTagField.to_internal_value reads Tag select",
        "TaggedSerializer reads Tag select",
        "TaggedSerializer.get_counts reads Book.tags select",
        "TaggedSerializer.get_counts reads Tag select",
        "TaggedSerializer.get_counts reads Vote select",
        "changed reads Book select",
        "chosen reads Vote select",
        "merge modifies Book.tags delete",
        "merge modifies Tag delete",
        "merge reads Tag delete",
        "removed modifies Vote delete",
        "removed modifies Vote.voters delete",
        "removed reads Author select",
        "removed reads Book select",
        "removed reads Vote delete",
        "shown reads Tag select",
        "vote modifies Vote.voters insert",
        "vote reads Vote select",
        "vote reads Vote.voters select",
    ]


def test_tags_that_a_model_joins(tmp_path: Path) -> None:
    """A manager of tags is a relation through the model that joins both sides."""
    models = """
//- shop/models.py
from django.db import models
from taggit.managers import TaggableManager
from taggit.models import GenericTaggedItemBase

class Label(models.Model):
    name = models.CharField(max_length=20)

class Labelled(GenericTaggedItemBase):
    tag = models.ForeignKey(Label, models.CASCADE, related_name="items")

class Item(models.Model):
    labels = TaggableManager(through=Labelled)
//- shop/code.py
from shop.models import Item, Label

def used():
    return Label.objects.filter(item__id=1).exists()

def drop(name):
    Item.objects.filter(labels__name=name).delete()
"""
    assert uses_of(analysed(tmp_path, models), "shop/code.py") == [
        "drop modifies Item delete",
        "drop modifies Labelled delete",
        "drop reads Item delete",
        "drop reads Label delete",
        "drop reads Label.name delete",
        "drop reads Labelled delete",
        "used reads Label select",
        "used reads Labelled select",
    ]


def test_types_that_call_sites_tell(tmp_path: Path) -> None:
    code = f"{HEAD}def free(books):\n    books.update(price=0)\n\ndef run():\n    free(Book.objects.filter(title='a'))\n"
    content = analysed(tmp_path, f"{MODELS}//- library/code.py\n{code}")
    assert "free modifies Book.price update" in uses_of(content, "library/code.py")
    assert {each.evidence for each in content.data_uses} == {"call", "inferred"}


USES = "MATCH (a:Symbol)-[r:READS]->(t:Symbol) RETURN a.name, t.qualifiedName, r.lines ORDER BY a.name, t.qualifiedName"


def test_query_sets_that_annotations_do_not_tell(tmp_path: Path) -> None:
    """`-> QuerySet` does not name the model, but the code does."""
    code = """
from django.db.models import QuerySet
from library.models import Book

def cheap() -> QuerySet:
    return Book.objects.filter(price=1)

def any_cheap():
    return cheap().exists()

def free(books: QuerySet):
    books.update(price=0)

def run():
    free(cheap())
"""
    found = uses_of(analysed(tmp_path, f"{MODELS}//- library/code.py\n{code}"), "library/code.py")
    assert {"any_cheap reads Book select", "free modifies Book.price update"} <= set(found)


def test_managers_with_generic_bases_and_bases_of_packages(tmp_path: Path) -> None:
    source = """
//- library/shelves.py
from django.db import models
from treepackage.managers import TreeManager
from treepackage.models import TreeModel
from typing import Generic, TypeVar

T = TypeVar("T")

class ShelfManager(TreeManager):
    def empty(self):
        return self.get_queryset().filter(full=False)

class Shelf(TreeModel, models.Model):
    name = models.CharField(max_length=10)
    full = models.BooleanField()
    objects = ShelfManager()

def named(name):
    return Shelf.objects.filter(name=name).exists()

def close(name):
    Shelf.objects.filter(name=name).update(full=True)

def roots():
    return Shelf.objects.root_nodes().filter(full=True).count()

def below(name):
    shelf = Shelf.objects.get(name=name)
    return [each.name for each in shelf.get_descendants().order_by("full")]

class KeyManager(models.Manager, Generic[T]):
    def by_name(self, name):
        return self.get(name=name)

class RackManager(KeyManager["Rack"]):
    pass

class Rack(models.Model):
    name = models.CharField(max_length=10)
    objects = RackManager()
"""
    found = uses_of(analysed(tmp_path, f"{MODELS}{source.lstrip()}"), "library/shelves.py")
    assert {"named reads Shelf select", "named reads Shelf.name select", "close modifies Shelf.full update"} <= set(found)
    assert "KeyManager.by_name reads Rack.name select" in found
    assert {"roots reads Shelf.full select", "below reads Shelf.name select", "below reads Shelf.full select"} <= set(found)


def test_receivers_that_a_call_connects_with_a_signal(tmp_path: Path) -> None:
    code = """
from django.db.models.signals import post_save, pre_delete
from library.models import Author, Book

def shelve(**kwargs):
    book = kwargs["instance"]
    print(book.author)
    book.author.save()

def forget(sender, instance, **kwargs):
    instance.delete()

def other(**kwargs):
    kwargs["instance"].delete()

post_save.connect(shelve, Book)
pre_delete.connect(forget, sender=Author)
"""
    found = uses_of(analysed(tmp_path, f"{MODELS}//- library/code.py\n{code}"), "library/code.py")
    assert {"shelve reads Author select", "shelve modifies Author merge", "forget modifies Author delete"} <= set(found)
    assert not [each for each in found if each.startswith("other")]


#: The uses of reviews, which no step of the next test changes.
REVIEWS = [
    ("newest", "Review", [70]), ("newest", "Review.stars", [70]), ("of_editor", "Author", [67]),
    ("of_editor", "Author.name", [67]), ("of_editor", "Book", [67]), ("of_editor", "Book.editor", [67]),
    ("of_editor", "Review", [67]), ("of_editor", "Review.book", [67]), ("of_editor", "Review.stars", [67]),
]  # fmt: skip


def test_updates_equal_a_new_index(tmp_path: Path) -> None:
    code = f"//- library/code.py\n{HEAD}\ndef find():\n    return Book.objects.filter(writer__name='a', price=1)\n"
    code += "\n\ndef low():\n    return Book.sale.cheap()\n"
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
            ("first_late", "Loan", [53]), ("first_late", "Loan.due", [53]),
            ("late", "Loan", [46]), ("late", "Loan.due", [46]), ("low", "Book", [14]), ("low", "Book.price", [14]),
            *REVIEWS,
        ]},
        {USES: [
            ("cheap", "Book", [29]), ("cheap", "Book.cost", [29]), ("dear", "Book", [33]), ("dear", "Book.cost", [33]),
            ("find", "Author", [10]), ("find", "Author.name", [10]), ("find", "Book", [10]), ("find", "Book.writer", [10]),
            ("first_late", "Loan", [53]), ("first_late", "Loan.due", [53]),
            ("late", "Loan", [46]), ("late", "Loan.due", [46]), ("low", "Book", [14]), ("low", "Book.cost", [14]),
            ("names", "Author", [18]), ("names", "Author.name", [18]), *REVIEWS,
        ]},
    )  # fmt: skip


PLACES = """
//- town/__init__.py
//- town/models.py
from django.db import models
from polymorphic.models import PolymorphicModel

class Place(models.Model):
    name = models.CharField(max_length=80)

class Cafe(Place):
    tables = models.IntegerField()

class Shop(Place):
    area = models.IntegerField()

class Order(models.Model):
    cafe = models.ForeignKey(Cafe, models.CASCADE)

class Note(models.Model):
    place = models.ForeignKey(Place, models.CASCADE)

class Vehicle(PolymorphicModel):
    plate = models.CharField(max_length=8)

class Truck(Vehicle):
    load = models.IntegerField()
//- town/code.py
from .models import Cafe, Order, Place, Truck, Vehicle

def every():
    return list(Cafe.objects.all())

def number():
    return Cafe.objects.filter(tables=2).count()

def named():
    return Cafe.objects.filter(name="a").count()

def add():
    Cafe.objects.create(tables=2)

def close(cafe: Cafe):
    cafe.delete()

def demolish(place: Place):
    place.delete()

def served(order: Order):
    return order.cafe

def vehicles():
    return [each.plate for each in Vehicle.objects.all()]

def plates():
    return Vehicle.objects.filter(plate="a").count(), Truck.objects.filter(load=2).count()
"""


def test_models_that_extend_the_table_of_another(tmp_path: Path) -> None:
    """A row of a model with its own table has a row in the table of each model that it extends."""
    content = analysed(tmp_path, PLACES)
    names = {symbol.id: symbol for symbol in content.symbols}
    found: dict[str, set[str]] = {}
    for each in content.data_uses:
        if names[each.to_id].qualified_name == names[each.to_id].name:
            verb = "modifies" if each.modifies else "reads"
            found.setdefault(names[each.from_id].name, set()).add(f"{verb} {names[each.to_id].name} {each.evidence}")
    assert found == {
        "every": {"reads Cafe call", "reads Place relation"},
        "number": {"reads Cafe call"},
        "named": {"reads Cafe call", "reads Place call"},
        "add": {"modifies Cafe call", "modifies Place relation"},
        "close": {"modifies Cafe call", "modifies Place relation", "modifies Order cascade", "modifies Note cascade"},
        "demolish": {
            "modifies Place call",
            "modifies Cafe cascade",
            "reads Cafe cascade",
            "modifies Shop cascade",
            "reads Shop cascade",
            "modifies Order cascade",
            "modifies Note cascade",
        },
        "served": {"reads Cafe row", "reads Place relation"},
        "vehicles": {"reads Vehicle call", "reads Truck relation"},  # rows of a polymorphic model are rows of any derived model
        "plates": {"reads Truck call", "reads Vehicle call"},
    }


NESTED = """
//- shelf/__init__.py
//- shelf/models.py
from django.db import models
from treebeard.mp_tree import MP_Node

class Node(MP_Node):
    class Meta:
        abstract = True

class Topic(Node):
    name = models.CharField(max_length=80)

class Page(models.Model):
    title = models.CharField(max_length=80)

class DraftManager(models.Manager):
    def started(self, title):
        return self.create(title=title)

class Draft(Page):
    objects = DraftManager()

    class Meta:
        proxy = True

class Guide(models.Model):
    topics = models.ManyToManyField(Topic)
    cover = models.ForeignKey(Page, on_delete=models.CASCADE)
//- shelf/api.py
from drf_writable_nested import WritableNestedModelSerializer
from rest_framework import viewsets
from shelf.models import Guide, Page, Topic

class Nested(WritableNestedModelSerializer):
    pass

class PageSerializer(Nested):
    class Meta:
        model = Page
        fields = ["title"]

class GuideSerializer(Nested):
    cover = PageSerializer()

    class Meta:
        model = Guide
        fields = ["cover", "topics"]

class GuideViews(viewsets.ModelViewSet):
    queryset = Guide.objects.all()
    serializer_class = GuideSerializer

class TopicViews(viewsets.ModelViewSet):
    queryset = Topic.objects.order_by("path")
    http_method_names = ["get", "put", "head"]
//- shelf/forms.py
from django import forms
from shelf.models import Guide

class GuideForm(forms.ModelForm):
    class Meta:
        model = Guide
        fields = ["topics"]
"""


def test_serializers_that_write_nested_rows(tmp_path: Path) -> None:
    """A serializer writes the links of its relations, and some also write by the serializers among their fields.
    It reads the columns that it lists.
    """
    content = analysed(tmp_path, NESTED)
    found = uses_of(content, "shelf/api.py")
    assert [each for each in found if each.split()[0] not in ("GuideViews", "TopicViews.Meta")] == [
        "GuideSerializer modifies Guide merge",
        "GuideSerializer modifies Guide.topics merge",
        "GuideSerializer reads Guide select",
        "GuideSerializer reads Guide.cover select",
        "GuideSerializer reads Guide.topics select",
        "GuideSerializer reads Page select",
        "GuideSerializer reads Topic select",
        "PageSerializer modifies Page merge",
        "PageSerializer reads Page select",
        "PageSerializer reads Page.title select",
        "TopicViews modifies Topic update",
        "TopicViews reads Topic select",
    ]
    managed = uses_of(content, "shelf/models.py")
    assert managed == ["DraftManager.started modifies Page insert", "DraftManager.started modifies Page.title insert"]
    assert uses_of(content, "shelf/forms.py") == [
        "GuideForm modifies Guide merge",
        "GuideForm modifies Guide.topics merge",
        "GuideForm reads Guide.topics select",
        "GuideForm reads Topic select",
    ]


SWAPPED = """
//- passes/__init__.py
//- passes/models.py
from django.apps import apps
from django.conf import settings
from django.contrib.auth import get_user_model
from django.db import models

from passes.settings import passes_settings

User = settings.AUTH_USER_MODEL

class AbstractPass(models.Model):
    digest = models.TextField()
    holder = models.ForeignKey(User, related_name="passes", on_delete=models.CASCADE)

    class Meta:
        abstract = True

class Pass(AbstractPass):
    class Meta:
        swappable = "PASSES_PASS_MODEL"

class Member(models.Model):
    class Meta:
        swappable = "AUTH_USER_MODEL"

def get_pass_model():
    try:
        return apps.get_model(passes_settings.PASS_MODEL, require_ready=False)
    except LookupError:
        raise ValueError(passes_settings.PASS_MODEL)
//- config/settings.py
AUTH_USER_MODEL = "passes.Member"
//- passes/settings.py
from rest_framework.settings import APISettings

passes_settings = APISettings({}, {"PASS_MODEL": "passes.Pass"})
//- passes/checks.py
from django.apps import apps
from passes.models import get_pass_model

class Check:
    def find(self, digest):
        for each in get_pass_model().objects.filter(digest=digest):
            self.clean(each)

    def clean(self, found):
        found.delete()

def leave(request):
    request.user.passes.all().delete()

def every():
    return apps.get_model("passes", "Pass").objects.count()

def unknown(name):
    return apps.get_model(name).objects.count()
"""


def test_models_that_settings_name(tmp_path: Path) -> None:
    """A function like `get_user_model` returns the model that a setting may replace."""
    assert uses_of(analysed(tmp_path, SWAPPED), "passes/checks.py") == [
        "Check.clean modifies Pass delete",
        "Check.find reads AbstractPass.digest select",
        "Check.find reads Pass select",
        "every reads Pass select",
        "leave modifies Pass delete",
    ]


SERVICES = """
//- manage.py
//- loans/__init__.py
//- loans/models.py
from django.db import models

class Book(models.Model):
    title = models.CharField(max_length=80)

class Loan(models.Model):
    book = models.ForeignKey(Book, on_delete=models.CASCADE)

class Fine(models.Model):
    pass
//- loans/base.py
class Service:
    model = None

    def find(self, key):
        return self.model.objects.get(pk=key)

    def make(self, **values):
        row = self.model(**values)
        row.save()

class Other:
    def find(self, key):
        return self.model.objects.get(pk=key)
//- loans/services.py
from loans.base import Service
from loans.models import Book, Fine, Loan

class BookService(Service):
    model = Book

    def titled(self, title):
        return self.model.objects.filter(title=title).exists()

class LoanService(Service[Loan]):
    pass
"""


def test_models_that_classes_without_bases_of_django_name(tmp_path: Path) -> None:
    """A base class works with the models that the derived classes name."""
    content = analysed(tmp_path, SERVICES)
    assert uses_of(content, "loans/base.py") == [
        "Service.find reads Book select",
        "Service.find reads Loan select",
        "Service.make modifies Book merge",
        "Service.make modifies Loan merge",
    ]
    assert uses_of(content, "loans/services.py") == [
        "BookService.titled reads Book select",
        "BookService.titled reads Book.title select",
    ]


MADE = """
//- manage.py
//- fleet/__init__.py
//- fleet/models.py
from django.db import models

class Harbor(models.Model):
    name = models.CharField(max_length=80, unique=True)

class Boat(models.Model):
    harbor = models.ForeignKey(Harbor, on_delete=models.CASCADE)
    crew = models.ManyToManyField("Sailor")

class Sailor(models.Model):
    pass
//- fleet/services.py
from fleet.models import Boat, Harbor, Sailor

def harbor_create(name):
    harbor = Harbor(name=name)
    harbor.full_clean()

def boat_create(harbor):
    boat = Boat(harbor=harbor)
    boat.full_clean()

def sailor_create():
    Sailor().full_clean()
//- fleet/factories.py
import factory
from factory.django import DjangoModelFactory
from fleet.models import Boat

class BoatFactory(DjangoModelFactory):
    class Meta:
        model = Boat

    @factory.post_generation
    def crew(self, create, extracted, **kwargs):
        self.crew.add(*extracted)
//- fleet/test_fleet.py
from fleet.factories import BoatFactory

def test_sunk():
    boat = BoatFactory.create()
    boat.delete()

def test_crew(sailor):
    boat = BoatFactory()
    boat.crew.add(sailor)

def test_valid():
    BoatFactory.build().full_clean()
"""


def test_rows_that_are_compared_and_rows_of_factories(tmp_path: Path) -> None:
    """`full_clean` looks for the rows to which keys refer, and for rows with the same value of a unique key."""
    content = analysed(tmp_path, MADE)
    assert uses_of(content, "fleet/services.py") == ["boat_create reads Harbor select", "harbor_create reads Harbor select"]
    assert "BoatFactory.crew modifies Boat.crew insert" in uses_of(content, "fleet/factories.py")
    assert uses_of(content, "fleet/test_fleet.py") == [
        "test_crew modifies Boat.crew insert",
        "test_sunk modifies Boat delete",
        "test_sunk modifies Boat.crew delete",
        "test_valid reads Harbor select",
    ]


ROWS_OF_FUNCTIONS = """
//- harbor/__init__.py
//- harbor/models.py
from django.db import models
from model_utils.models import TimeStampedModel

class Checked:
    @classmethod
    def make(cls, **values):
        row = cls(**values)
        row.full_clean()
        row.save()
        return row

    @classmethod
    def known(cls, **values):
        return cls.objects.filter(**values).exists()

class Port(Checked, models.Model):
    code = models.CharField(max_length=5, unique=True)
    country = models.CharField(max_length=5)

class Berth(models.Model):
    port = models.ForeignKey(Port, models.CASCADE, related_name="berths")

class Stay(TimeStampedModel):
    berth = models.ForeignKey(Berth, models.CASCADE, related_name="stays")
    is_over = models.BooleanField()

    class OpenManager(models.Manager):
        def get_queryset(self):
            return super().get_queryset().exclude(is_over=True)

    objects = OpenManager()

    @classmethod
    def over(cls):
        return cls.objects.filter(is_over=True)

    @classmethod
    def find(cls, number):
        try:
            return cls.objects.get(pk=number)
        except cls.DoesNotExist:
            return None
//- harbor/api.py
from django.db.models import Prefetch
from django.db.models.signals import pre_save
from django.dispatch import receiver
from harbor.models import Berth, Port, Stay
from harbor.shown import PortSerializer

def ports_with_berths():
    berths = Berth.objects.prefetch_related("stays")
    return Port.objects.prefetch_related(Prefetch("berths", queryset=berths))

def port(code):
    return ports_with_berths().get(code=code)

def count():
    return ports_with_berths().count()

def codes():
    ports = ports_with_berths().order_by("code")
    for each in ports:
        yield each.code

def in_country(country):
    wanted = {"port__country": country}
    return Berth.objects.filter(**wanted).exists()

def stays_over():
    return [stay.pk for stay in Stay.over()]

def is_over(stay):
    return stay in Stay.over()

@receiver(pre_save, sender=Berth)
def moved(sender, instance, **kwargs):
    return sender.objects.get(pk=instance.pk).port_id != instance.port_id

def leave(number):
    stay = Stay.find(number)
    if stay:
        stay.delete()

def open_port(values):
    serializer = PortSerializer(data=values)
    serializer.is_valid(raise_exception=True)
    serializer.save()
def arrive(berth):
    stay = Stay(berth=berth)
    stay.full_clean(exclude=["berth"])
//- harbor/middleware.py
from django.shortcuts import get_object_or_404
from harbor.models import Port, Stay

class PortMiddleware:
    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        request.port = get_object_or_404(Port, code=request.GET["port"])
        request.stay = Stay.objects.get(pk=request.session["stay"])
        return self.get_response(request)
//- harbor/loading.py
from django.apps import apps

def get_model(label, name):
    return apps.get_model(label, name)

def get_classes(module, names):
    return [getattr(import_module(f"{PREFIX}.{module}"), name) for name in names]

def model_of(abstract):
    return type(abstract.__name__.removeprefix("Abstract"), (abstract,), {})
//- harbor/abstract.py
from django.db import models

class AbstractCrane(models.Model):
    lifts = models.IntegerField()

    class Meta:
        abstract = True
        app_label = "harbor"

    def lift(self):
        self.save()
//- harbor/tugs.py
from harbor import abstract

class Tug(abstract.AbstractCrane):
    pass
//- harbor/cranes.py
from harbor.abstract import AbstractCrane
from harbor.loading import model_of

Crane = model_of(AbstractCrane)
//- harbor/dynamic.py
from django.db.models import Q
from django.views.generic import DetailView, View
from guardian.shortcuts import get_objects_for_user
from harbor.loading import get_classes, get_model
from harbor.models import Berth, Stay
from harbor.tugs import Tug

Port = get_model("harbor", "Port")
Gone = get_model("harbor", "Gone")
Crane = get_model("harbor", "Crane")

class PortView(DetailView):
    queryset = Port.objects.all()

class StayView(DetailView):
    model = get_model("harbor", "Stay")

    def get_port(self):
        if not hasattr(self, "port"):
            self.port = Port.objects.get(code=self.kwargs["code"])
        return self.port

    def get_berths(self):
        return self.get_port().berths.select_related("port")

PortForm, Missing = get_classes("harbor.forms", ["PortForm", "Missing"])

class LargePortForm(PortForm):
    class Meta(PortForm.Meta):
        model = Port

def cranes():
    return Crane.objects.filter(lifts=1).exists()

def with_stays():
    return Q(berths__stays__is_over=False) | Q(country="a")

def full_ports():
    return Port.objects.filter(with_stays()).count()

def ordered(found, name):
    return found.order_by(name)

def ordered_ports():
    return ordered(Port.objects.all(), "code").first()

def ordered_berths():
    return ordered(Berth.objects.all(), "port").first()

def permitted(user):
    return get_objects_for_user(user, "harbor.view_berth", klass=Stay).filter(is_over=True).count()

def changeable(user):
    return get_objects_for_user(user, ["harbor.change_berth"]).count()

class StaysView(View):
    def dispatch(self, request):
        self.stays = Stay.objects.select_related("berth")

    def get(self, request):
        return self.stays.get(pk=1)

def tugs():
    return Tug.objects.count()

def names():
    return [each.code for each in Port.objects.filter(country="a")], Gone.objects.count()
//- harbor/views.py
def close(request):
    request.port.delete()

def country(request):
    return [request.stay.berth.port.country, request.other.berth, request.path.port]
//- harbor/forms.py
import django_tables2 as tables
from django import forms
from harbor.models import Berth, Port

class NewBerthForm(forms.ModelForm):
    class Meta:
        model = Berth
        fields = ["port"]

class EmptyForm(forms.ModelForm):
    class Meta:
        model = Berth
        fields = []

class PortForm(forms.ModelForm):
    class Meta:
        model = Port
        fields = ["code"]

class CountryForm(forms.ModelForm):
    class Meta:
        model = Port
        fields = ["country"]

class PortTable(tables.Table):
    class Meta:
        model = Port
//- harbor/shown.py
from harbor.models import Berth, Port, Stay
from rest_framework import serializers

class PortSerializer(serializers.ModelSerializer):
    class Meta:
        model = Port
        fields = ["code"]

class CountrySerializer(serializers.ModelSerializer):
    class Meta:
        model = Port
        fields = ["country"]

class StaySerializer(serializers.ModelSerializer):
    place = serializers.SerializerMethodField()

    class Meta:
        model = Stay
        fields = ["place"]

    def get_place(self, stay):
        return stay.berth.port.code

    def get_limit(self, other, stay):
        return stay.berth
"""


def test_rows_of_functions_and_classes_without_bases(tmp_path: Path) -> None:
    """Query sets keep their relations in other functions, and serializers write the rows that functions save."""
    content = analysed(tmp_path, ROWS_OF_FUNCTIONS)
    tables = {path: [each for each in uses_of(content, f"harbor/{path}.py") if "." not in each.split()[2]]
              for path in ("models", "api", "shown", "views", "dynamic", "abstract", "forms")}  # fmt: skip
    assert tables["models"] == [
        "Checked.known reads Port select",
        "Checked.make modifies Port merge",
        "Checked.make reads Port select",
        "Stay.OpenManager.get_queryset reads Stay select",
        "Stay.find reads Stay select",
        "Stay.over reads Stay select",
    ]
    assert [each for each in tables["api"] if not each.startswith("ports_with_berths")] == [
        "codes reads Berth select",
        "codes reads Port select",
        "codes reads Stay select",
        "count reads Port select",
        "in_country reads Berth select",
        "in_country reads Port select",
        "is_over reads Stay select",
        "leave modifies Stay delete",
        "moved reads Berth select",
        "open_port modifies Port merge",
        "port reads Berth select",
        "port reads Port select",
        "port reads Stay select",
        "stays_over reads Stay select",
    ]
    assert tables["shown"] == [
        "PortSerializer modifies Port merge",
        "PortSerializer reads Port select",
        "StaySerializer.get_place reads Berth select",
        "StaySerializer.get_place reads Port select",
    ]
    assert tables["views"] == [
        "close modifies Berth delete",
        "close modifies Port delete",
        "close modifies Stay delete",
        "close reads Berth delete",
        "country reads Berth select",
        "country reads Port select",
        "country reads Stay select",
    ]
    assert tables["dynamic"] == [
        "LargePortForm modifies Port merge",
        "LargePortForm reads Port select",
        "PortView reads Port select",
        "StayView reads Stay select",
        "StayView.get_berths reads Berth select",
        "StayView.get_berths reads Port select",
        "StayView.get_port reads Port select",
        "StaysView.dispatch reads Berth select",
        "StaysView.dispatch reads Stay select",
        "StaysView.get reads Berth select",
        "StaysView.get reads Stay select",
        "changeable reads Berth select",
        "cranes reads Crane select",
        "full_ports reads Berth select",
        "full_ports reads Port select",
        "full_ports reads Stay select",
        "names reads Port select",
        "ordered reads Berth select",
        "ordered reads Port select",
        "ordered_berths reads Berth select",
        "ordered_ports reads Port select",
        "permitted reads Stay select",
        "tugs reads Tug select",
    ]
    assert tables["abstract"] == ["AbstractCrane.lift modifies Crane merge", "AbstractCrane.lift modifies Tug merge"]
    assert tables["forms"] == [
        "CountryForm modifies Port merge",
        "EmptyForm modifies Berth merge",
        "NewBerthForm modifies Berth merge",
        "NewBerthForm reads Port select",
        "PortForm modifies Port merge",
        "PortForm reads Port select",
        "PortTable reads Port select",
    ]


MODELS_OF_PACKAGES = """
//- press/__init__.py
//- press/models.py
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.contenttypes.fields import GenericRelation
from django.db import models
from printhouse.managers import PrintedQuerySet
from printhouse.models import Sheet
from translated.models import TranslatedModel

class Titled:
    def label(self):
        return self.title

class Paper(Sheet):
    title = models.CharField(max_length=80)

    def siblings(self):
        return Paper.objects.printed().below(self).order_by("title")

class IssueQuerySet(PrintedQuerySet):
    def sold(self):
        return self.filter(copies=0)

class Issue(Titled, TranslatedModel):
    paper = models.ForeignKey(Paper, models.CASCADE)
    copies = models.IntegerField()
    objects = IssueQuerySet.as_manager()

class WriterManager(BaseUserManager):
    def create_user(self, email):
        writer = self.model(email=email)
        writer.save()
        return writer

class Writer(AbstractBaseUser):
    email = models.EmailField(unique=True)
    objects = WriterManager()

class Remark(models.Model):
    number = models.IntegerField()
    text = models.TextField()

class Poster(models.Model):
    writer = models.ForeignKey(Writer, models.CASCADE)
    remarks = GenericRelation("Remark", object_id_field="number")
//- press/stock/__init__.py
//- press/stock/abstract_models.py
from django.db import models

class AbstractShelf(models.Model):
    room = models.CharField(max_length=80)

    class Meta:
        abstract = True
        app_label = "stock"

    def crates(self):
        return self.boxes.count()

class AbstractBox(models.Model):
    shelf = models.ForeignKey("stock.Shelf", models.CASCADE, related_name="boxes")

    class Meta:
        abstract = True
        app_label = "stock"
//- press/stock/models.py
from press.loading import is_replaced
from press.stock.abstract_models import *

if not is_replaced("stock", "Shelf"):

    class Shelf(AbstractShelf):
        pass

if not is_replaced("stock", "Box"):

    class Box(AbstractBox):
        pass
//- press/loading.py
from django.db.models import Model
from django.shortcuts import get_object_or_404
from swapper import load_model

def load_own_model(name):
    return load_model("press", name)

def get_or_fail(found: type[Model], **names) -> Model:
    return get_object_or_404(found, **names)

def find_first(found, **names):
    return found.objects.filter(**names).first()
//- press/views.py
from press.loading import find_first, get_or_fail, load_own_model
from django.core.paginator import Paginator
from press.models import Issue, Poster
from swapper import load_model

Writer = load_model("press", "Writer")
Paper = load_own_model("Paper")

def writers():
    return Writer.objects.count()

def papers():
    return Paper.objects.exists()

def stop(title):
    get_or_fail(Paper, title=title).delete()

def sell(title):
    issue = find_first(Issue, paper__title=title)
    issue.save()

def archive(queryset):
    return list(Issue.objects.translated("fr").sold())

def shape(title):
    return title.printed().sold()

def remarks(poster: Poster):
    return poster.remarks.count()

def boxes():
    return [each.shelf.room for each in load_model("stock", "Box").objects.all()]

def pages():
    return [each.writer.email for each in Paginator(Poster.objects.all(), 10).get_page(1)]
"""


#: A condition around a class, which is part of the qualified name of the class.
CONDITIONS = re.compile(r"if [^:]*:\.")


def test_models_and_query_sets_of_packages(tmp_path: Path) -> None:
    """A query set of a package that is not installed keeps its model, and functions load models and rows by argument."""
    content = analysed(tmp_path, MODELS_OF_PACKAGES)
    tables = {
        path: sorted({each for each in found if "." not in each.split()[2]})
        for path in ("models", "views", "stock/abstract_models")
        for found in [[CONDITIONS.sub("", each) for each in uses_of(content, f"press/{path}.py")]]
    }
    assert tables["stock/abstract_models"] == ["AbstractShelf.crates reads Box select"]
    assert tables["models"] == [
        "IssueQuerySet.sold reads Issue select",
        "Paper.siblings reads Paper select",
        "WriterManager.create_user modifies Writer merge",
    ]
    assert tables["views"] == [
        "archive reads Issue select",
        "boxes reads Box select",
        "boxes reads Shelf select",
        "pages reads Poster select",
        "pages reads Writer select",
        "papers reads Paper select",
        "remarks reads Remark select",
        "sell modifies Issue merge",
        "stop modifies Issue delete",
        "stop modifies Paper delete",
        "writers reads Writer select",
    ]
