"""The structs of GORM in one file: https://gorm.io/docs/models.html."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from ....facts.mapped_tables import FieldKind, MappedField, MappedKey, MappedModel, ModelKind
from ....facts.model import FileFacts, Member, MemberKind, Shape, ShapeKind
from ....facts.operations import Op
from .struct_reading import StructReading

FRAMEWORK: Final = "gorm"
#: Every file with models of GORM, or with the call that creates their tables, contains one of these texts.
_HINT: Final = re.compile(rb'gorm:"|gorm\.Model|AutoMigrate\(|NamingStrategy\{')
_TAG: Final = re.compile(rb'`[^`\n]*\bgorm:"((?:[^"\\\n]|\\.)*)"[^`\n]*`')
_PREFIX: Final = re.compile(rb'TablePrefix:\s*"([^"\n]*)"')
_SINGULAR: Final = re.compile(rb"SingularTable:\s*true")
_ALIASES: Final = {"primary_key": "PRIMARYKEY", "auto_increment": "AUTOINCREMENT", "unique_index": "UNIQUEINDEX"}
#: Beginning of settings that only relations of models have, in the first version of GORM: `association_autoupdate:false`.
_ASSOCIATION: Final = "ASSOCIATION_"


def gorm_models(facts: FileFacts, source: bytes) -> list[MappedModel]:
    """Return the structs, types and settings of a file that GORM may use."""
    if not facts.code or _HINT.search(source) is None:
        return []
    return list(_Reading(facts, source).models())


class _Reading(StructReading):
    def __init__(self, facts: FileFacts, source: bytes) -> None:
        super().__init__(facts, source)
        self._tables = dict(self.table_names())

    def models(self) -> Iterator[MappedModel]:
        for shape in self.facts.shapes:
            if shape.kind != ShapeKind.CLASS or shape.symbol < 0:
                continue
            line = self.line(shape.symbol)
            if shape.members:
                model = self._model(shape, MappedModel(FRAMEWORK, shape.name, ModelKind.ABSTRACT, shape.symbol, line))
                if model.fields or model.bases:
                    yield model
            elif shape.implements:  # `type Status int`
                type_model = MappedModel(FRAMEWORK, shape.name, ModelKind.TYPE, shape.symbol, line)
                type_model.fields.append(MappedField("", shape.symbol, line, self.type_of(shape.implements[0])[0]))
                yield type_model
        yield from self._settings()

    def _settings(self) -> Iterator[MappedModel]:
        """Yield the models whose tables the file creates, and the settings for the names of tables.

        A model without a name stands for models that the file does not name, such as those of `AutoMigrate(models()...)`.
        """
        names, code = self.names, self.names.code
        for node in self.facts.calls:
            callee = code[node + 1]
            if code[callee] != Op.MEMBER or names.string(code[callee + 2]) != "AutoMigrate":
                continue
            symbol = max(names.owner(node), 0)
            for argument in names.items(code[node + 2]):
                name = self.made_type(argument)
                yield MappedModel(FRAMEWORK, "migrated", ModelKind.SETTING, symbol, self.line(symbol), table=name)
        if b"NamingStrategy{" in self.source and self.facts.symbols:
            prefix = _PREFIX.search(self.source)
            if prefix is not None:
                text = prefix[1].decode("utf-8", "replace")
                yield MappedModel(FRAMEWORK, "prefix", ModelKind.SETTING, 0, self.line(0), table=text)
            if _SINGULAR.search(self.source) is not None:
                yield MappedModel(FRAMEWORK, "singular", ModelKind.SETTING, 0, self.line(0), table="true")

    # ------------------------------------------------------------------ structs

    def _model(self, shape: Shape, model: MappedModel) -> MappedModel:
        embedded = set(shape.extends)
        if shape.name in self._tables:
            model.kind, model.table = ModelKind.TABLE, self._tables[shape.name] or "?"
        has_tags = False
        for member in shape.members:
            if member.kind != MemberKind.PROPERTY:
                continue
            tag = self._tag(member, shape)
            has_tags = has_tags or bool(tag)
            if any(key.startswith(_ASSOCIATION) for key in tag):
                model.kind = ModelKind.TABLE
            if member.type in embedded and member.symbol < 0:
                if "EMBEDDED" not in tag and "-" not in tag:
                    name = self.type_name(member.type)
                    model.bases.append(name)
                    if name.endswith("gorm.Model"):
                        model.kind = ModelKind.TABLE
                continue
            self._field(member, tag, model)
        if not has_tags and not model.bases and model.kind == ModelKind.ABSTRACT:
            model.is_managed = False
        return model

    def _tag(self, member: Member, shape: Shape) -> dict[str, str]:
        """Return the settings in the tag of a field by name, in capitals."""
        start = member.position
        end = self.source.find(b"\n", start)
        found = _TAG.search(self.source, start, end if end >= 0 else len(self.source))
        settings: dict[str, str] = {}
        if found is None:
            return settings
        text = found[1].decode("utf-8", "replace").replace('\\"', '"').replace("\\\\", "\\")
        for part in re.split(r"(?<!\\);", text):
            key, _, value = part.partition(":")
            key = key.strip()
            key = _ALIASES.get(key.lower(), key.upper())
            if key in ("INDEX", "UNIQUEINDEX") and key in settings:
                settings[key] += f";{value}"
            elif key:
                settings[key] = value.strip()
        return settings

    def _field(self, member: Member, tag: dict[str, str], model: MappedModel) -> None:
        if not member.name[:1].isupper() or tag.get("-", "migration").lower() != "migration":
            return
        symbol = member.symbol if member.symbol >= 0 else model.symbol
        kind, is_list = self.type_of(member.type)
        field = MappedField(member.name, symbol, self.line(symbol), kind, tag.get("COLUMN", ""), is_list=is_list)
        field.kind = FieldKind.COLUMN
        field.column_type = tag.get("TYPE", "")
        precision, scale = tag.get("PRECISION", ""), tag.get("SCALE", "")
        field.size = f"({precision}{f', {scale}' if scale else ''})" if precision else f"({tag['SIZE']})" if "SIZE" in tag else ""
        field.nullable = not tag.keys() & {"NOT NULL", "NOTNULL"}
        field.is_primary = "PRIMARYKEY" in tag
        field.is_unique, field.unique_name = "UNIQUE" in tag, tag.get("UNIQUE", "")
        field.default = tag.get("DEFAULT", "")
        if "SERIALIZER" in tag:
            field.type, field.is_list = "string", False
        if "EMBEDDED" in tag or "EMBEDDEDPREFIX" in tag:
            field.kind, field.target, field.prefix = FieldKind.EMBEDDED, kind, tag.get("EMBEDDEDPREFIX", "")
        if "MANY2MANY" in tag:
            field.kind, field.relation = FieldKind.MANY_TO_MANY, tag["MANY2MANY"]
        names = {"FOREIGNKEY": field.fields, "REFERENCES": field.target_fields, "JOINREFERENCES": field.inverse_fields}
        for key, listed in names.items():
            listed += [part.strip() for part in tag.get(key, "").split(",") if part.strip()]
        if "JOINFOREIGNKEY" in tag:
            field.fields = [part.strip() for part in tag["JOINFOREIGNKEY"].split(",")]
        field.has_foreign_key = tag.get("CONSTRAINT", "") not in ("-", "false") and "POLYMORPHIC" not in tag
        for part in tag.get("CONSTRAINT", "").split(","):
            key, _, value = part.partition(":")
            if key.strip().upper() == "ONDELETE":
                field.on_delete = value.strip().upper()
            elif key.strip().upper() == "ONUPDATE":
                field.on_update = value.strip().upper()
        if "-" in tag:  # GORM reads the relation, but creates no column or key for it
            field.kind, field.has_foreign_key = FieldKind.ONE_TO_MANY if is_list else FieldKind.ONE_TO_ONE, False
        else:
            self._indexes(tag, field, model)
        model.fields.append(field)

    def _indexes(self, tag: dict[str, str], field: MappedField, model: MappedModel) -> None:
        for key in ("INDEX", "UNIQUEINDEX"):
            for written in tag[key].split(";") if key in tag else ():
                name, *options = (part.strip() for part in written.split(","))
                is_unique = key == "UNIQUEINDEX" or "unique" in (each.lower() for each in options)
                values = dict(each.partition(":")[::2] for each in options)
                made = MappedKey("unique" if is_unique else "index", [field.name], field.symbol, field.line, name, True)
                made.place = int(values["priority"]) if values.get("priority", "").isdigit() else 10
                model.keys.append(made)
