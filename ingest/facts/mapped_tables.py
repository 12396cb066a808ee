"""Facts about the models of object mappers: the tables and columns of their declarations.

The facts describe one file. The names of other models, of types and of base classes are as written. The language of the file
resolves these names (`Language.mapped_schemas`).
"""

from __future__ import annotations

from typing import Final

import msgspec


class ModelKind:
    """The kinds of declarations of models."""

    TABLE: Final = "table"
    VIEW: Final = "view"
    ENUM: Final = "enum"
    #: A model without its own table; its fields are columns of the tables of the models that extend it.
    ABSTRACT: Final = "abstract"
    #: A model that uses the table of its base class.
    PROXY: Final = "proxy"
    #: A column type that the code declares. Its fields define the column.
    TYPE: Final = "type"
    #: A database schema with models.
    NAMESPACE: Final = "namespace"
    #: A table that is the value of a variable, without a class.
    VALUE: Final = "value"
    #: Keys and indexes that are declared beside the model with this name.
    KEYS: Final = "keys"
    #: A group of models, such as a Django application; its name is the label.
    APPLICATION: Final = "application"
    #: A setting for all models: its name, and the value as `table`.
    SETTING: Final = "setting"
    #: A class without its own table; its fields are columns of every model that embeds a value of the class.
    EMBEDDED: Final = "embedded"
    #: A class through which a framework uses a model, such as a form or a view. The option `model` has the name of the model, if
    #: the class states it.
    BOUND: Final = "bound"
    #: A model whose rows are in the table of its base model.
    CHILD: Final = "child"


class FieldKind:
    """The roles of fields whose types do not show the role."""

    COLUMN: Final = "column"
    EMBEDDED: Final = "embedded"
    ONE_TO_ONE: Final = "one to one"
    ONE_TO_MANY: Final = "one to many"
    MANY_TO_ONE: Final = "many to one"
    MANY_TO_MANY: Final = "many to many"
    #: A collection of values in a separate table.
    COLLECTION: Final = "collection"
    #: The column that identifies the model of each row.
    DISCRIMINATOR: Final = "discriminator"
    #: A value that the database computes in queries. `fields` has the names in its expression.
    COMPUTED: Final = "computed"
    #: A name in conditions that stands for an expression. `fields` has the names in the expression.
    CONDITION: Final = "condition"
    #: A name for the attributes at the end of a path through a relation. `fields` has the path.
    ALIAS: Final = "alias"


class MappedField(msgspec.Struct, array_like=True, gc=False):
    """A field of a model: a column, or a relation to another model."""

    name: str
    symbol: int
    line: int
    #: Type as written: a type of the mapper, or the name of a model or enum.
    type: str
    #: Name of the column if the model states it, else "".
    column: str = ""
    #: Type of the column if the model states it as a type of the database, else "".
    column_type: str = ""
    nullable: bool = False
    is_list: bool = False
    #: Default of the column as it is written; "" if there is none.
    default: str = ""
    is_primary: bool = False
    is_unique: bool = False
    is_indexed: bool = False
    #: Names of the primary key and of the unique key of the column if the model states them, else "".
    primary_name: str = ""
    unique_name: str = ""
    #: Name of the target model or table of a relation; `?` if the name is computed, and "" for a plain column.
    target: str = ""
    has_foreign_key: bool = True
    #: The fields of a relation in this model.
    fields: list[str] = []
    #: The fields of the target that the relation references.
    target_fields: list[str] = []
    on_delete: str = ""
    on_update: str = ""
    #: Name of the relation, or of the table that joins both sides.
    relation: str = ""
    #: Name of the foreign key if the model states it, else "".
    foreign_key_name: str = ""
    #: Model whose table joins both sides of a many-to-many relation, if the field names such a model.
    through: str = ""
    #: A `FieldKind`; "" if the type of the field determines the kind.
    kind: str = ""
    #: Length or precision of the column in brackets, if it is not part of the type.
    size: str = ""
    #: Prefix of the column names of an embedded field.
    prefix: str = ""
    #: Whether this side of a relation between two models declares the columns or the table of the relation.
    is_owner: bool = False
    #: Field of the target that declares the same relation from the other side.
    inverse: str = ""
    #: Columns that the model assigns to the fields of an embedded value, by path of the field.
    overrides: dict[str, str] = {}
    #: Field of the primary key whose column a relation shares; `*` for the whole key, and "" for none.
    key_of: str = ""
    #: Validation rules from which a mapper may derive the column: whether a value is required, and its maximum size.
    is_required: bool = False
    validated_size: str = ""
    #: Type of the collection that contains several values, such as Set.
    collection: str = ""
    #: Name of the column with the index or the key of each value in a collection.
    place_column: str = ""
    #: Columns of the join table that reference the target. `fields` has the columns that reference the model.
    inverse_fields: list[str] = []
    #: Name of the inverse field in conditions, if the model declares one, else "".
    inverse_lookup: str = ""
    #: Whether the target is the name of a table, and not of a model.
    targets_table: bool = False
    #: Whether only an annotation declares the field, which is enough in some mappers.
    is_implicit: bool = False
    #: Texts of the arguments of the call that creates the column; "" for other arguments. Empty if calls do not create columns.
    texts: list[str] = []
    #: In a function that creates a column: the position of the parameter with the name of the column; -1 for none.
    name_parameter: int = -1
    #: Whether each query of the model also reads the rows of the relation.
    is_eager: bool = False
    #: Whether the mapper saves the rows of the relation together with a row.
    is_saved: bool = False
    #: Whether the mapper removes the rows of the relation together with a row.
    is_removed: bool = False
    #: Whether the model states that the column may be null, and does not only leave the statement out.
    states_nullable: bool = False
    #: Dotted name of the function that makes the column, if another declaration may define the function; else "".
    maker: str = ""


class MappedKey(msgspec.Struct, array_like=True, gc=False):
    """A key or an index over fields of a model."""

    #: primary key, unique or index.
    kind: str
    fields: list[str]
    symbol: int
    line: int
    #: Name if the model states it, else "".
    name: str = ""
    #: Whether the key is an index in the database, and not a constraint.
    is_partial: bool = False
    #: Condition of the indexed rows; "" for all rows.
    where: str = ""
    #: Position of the fields in a key that consists of several declarations with the same name.
    place: int = 0
    #: Fields in descending order.
    descending: list[str] = []
    #: Kind of an index in the name that the mapper generates, such as gin; "" for the usual kind.
    method: str = ""


class MappedModel(msgspec.Struct, array_like=True, gc=False):
    """A model, or another declaration that becomes a table, a view or an enum."""

    #: Name of the object mapper: prisma, django, …
    framework: str
    name: str
    kind: str
    symbol: int
    line: int
    #: Name and schema of the table if the model states them, else "".
    table: str = ""
    schema: str = ""
    #: Names of the base classes, with dots, as the file imports them.
    bases: list[str] = []
    fields: list[MappedField] = []
    keys: list[MappedKey] = []
    #: Relations that only code follows; the columns of their keys are fields.
    relations: list[MappedField] = []
    #: Label of the application if the model states it, else "".
    application: str = ""
    #: Whether the keys of abstract bases apply to the model, too.
    inherits_keys: bool = True
    #: The storage of models that extend this model: single table, joined, table per class; "" if the model does not state it.
    inheritance: str = ""
    #: Name of the model in the names of other tables, if it differs from the name of the class.
    entity: str = ""
    #: Columns of the primary key that reference the table of the base.
    key_columns: list[str] = []
    #: Columns that the model assigns to the fields of its bases, by path of the field.
    overrides: dict[str, str] = {}
    #: Storage of a tree of rows, in the terms of the mapper; "" for a model that is not a tree.
    tree: str = ""
    #: Whether the mapper creates the table; False if the table exists independently.
    is_managed: bool = True
    #: Further options of the mapper, such as the naming of keys.
    options: dict[str, str] = {}
