"""What comments say besides licences."""

from __future__ import annotations

import pytest
from astrolabe.ingest.symbols.license_comments import comment_name, without_licence

APACHE = """Copyright (C) 2024 Shop, Inc.

Licensed under the Apache License, Version 2.0 (the "License");
you may not use this file except in compliance with the License.
You may obtain a copy of the License at

     http://www.apache.org/licenses/LICENSE-2.0

Unless required by applicable law or agreed to in writing, software
distributed under the License is distributed on an "AS IS" BASIS,
WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied."""
MIT = """Copyright Shop, Inc. and other contributors. All rights reserved.

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software.

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND."""
BSD = """Copyright (c) 2024, Ann
All rights reserved.

Redistribution and use in source and binary forms, with or without
modification, are permitted provided that the following conditions are met:
1. Redistributions of source code must retain the above copyright notice.

THIS SOFTWARE IS PROVIDED BY THE AUTHOR ``AS IS''."""
GPL = """This file is part of Shop.

Shop is free software: you can redistribute it and/or modify
it under the terms of the GNU General Public License.

Shop is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY.

You should have received a copy of the GNU General Public License along with Shop."""
ISC = """$OpenBSD$

Copyright (c) 2024 Ann <ann@example.org>

Permission to use, copy, modify, and distribute this software for any
purpose is hereby granted.

THE SOFTWARE IS PROVIDED "AS IS" AND THE AUTHOR DISCLAIMS ALL WARRANTIES"""
SHORT = [
    "SPDX-License-Identifier: MIT",
    "Licensed to the .NET Foundation under one or more agreements.",
    "© 2024 Ann",
    "(c) 2024 Ann",
]
PHP = "This file is part of Shop.\n\n(c) Ann <ann@example.org>\n    Bob <bob@example.org>\n\nSee the LICENSE file."
LICENCES = [APACHE, MIT, BSD, GPL, ISC, PHP, *SHORT]


@pytest.mark.parametrize("licence", LICENCES)
def test_a_licence_alone_says_nothing(licence: str) -> None:
    assert (without_licence(licence), comment_name(licence.split("\n"))) == ("", "license")


@pytest.mark.parametrize("licence", LICENCES)
def test_what_is_said_below_a_licence_stays(licence: str) -> None:
    said = "Carts hold goods.\n\nThey are paid once."
    assert without_licence(f"{licence}\n\n{said}") == said
    assert comment_name([*licence.split("\n"), "", "Carts hold goods."]) == "Carts hold goods."


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Finds the license file of each package.",
        "Extracts license information for each module.\n\nSee the LICENSE file of each.",
        "Whether a copyright notice is missing.",
        "Packages licensed under other terms are left out.",
        "Prices in $USD.\n\nThe currency is part of the cart.",
    ],
)
def test_comments_that_speak_of_licences_stay(text: str) -> None:
    assert without_licence(text) == text
