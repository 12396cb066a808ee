"""pydantic, attrs and marshmallow: validators, serializers and hooks of models."""

from __future__ import annotations

from .conventions import Bases, Calls, Framework, names

PYDANTIC = Framework(
    "pydantic",
    ("pydantic", "pydantic_settings", "sqlmodel", "attrs", "attr", "marshmallow"),
    {
        "validator": names(
            r"""validator | root_validator | field_validator | model_validator | field_serializer
            | model_serializer | validates\w*
            | computed_field | validate_call | (?:ib|field)\(\)\.(?:validator|default) | (?:pre|post)_(?:load|dump)"""
        ),
    },
    (
        Bases(
            names("BaseModel|BaseSettings|SQLModel|RootModel|GenericModel|Schema"),
            "",
            names(
                "model_post_init|settings_customise_sources|customise_sources|get_\\w+|handle_error|Config|Meta"
                "|json_schema_extra|alias_generator"
            ),
        ),
        Bases(names("Field"), "", names("_serialize|_deserialize")),
    ),
    (
        Calls(
            names(
                "AfterValidator|BeforeValidator|PlainValidator|WrapValidator|PlainSerializer|WrapSerializer|Field|field_validator"
            ),
            "validator",
        ),
    ),
)
