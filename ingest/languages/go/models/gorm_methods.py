"""Methods of GORM that run statements, which the rules of queries and the digests of functions need: https://gorm.io/docs/."""

from __future__ import annotations

from typing import Final

#: Method that reads the rows of a relation into its argument, in the first version of GORM: `db.Model(&user).Related(&posts)`.
RELATED: Final = "Related"
#: Methods that run a statement, with its kind.
RUN: Final = {
    **dict.fromkeys(
        ("Find", "First", "Last", "Take", "FindInBatches", "Scan", "Pluck", "Count", "Row", "Rows", "FirstOrInit", "ScanRows"),
        "select",
    ),
    RELATED: "select",
    "SubQuery": "select",  # a statement inside of another one, in the first version of GORM
    **dict.fromkeys(("Create", "CreateInBatches"), "insert"),
    **dict.fromkeys(("Save", "FirstOrCreate"), "merge"),
    **dict.fromkeys(("Update", "Updates", "UpdateColumn", "UpdateColumns"), "update"),
    "Delete": "delete",
}
#: The method with which a type that GORM Gen generates names its model.
USE_MODEL: Final = "UseModel"
