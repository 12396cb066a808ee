"""What a change of call sites changes in the inferred types of other files: the index equals one that is built at once."""

from __future__ import annotations

from pathlib import Path

import pytest
from incremental_steps import check_files

ZOO = """
//- pets.py
class Cat:
    def speak(self): return Sound()

class Dog:
    def speak(self): return Bark()

class Sound:
    def play(self): ...

class Bark:
    def play(self): ...
//- lib.py
def hear(pet):
    return pet.speak()

class Box:
    def __init__(self, pet):
        self.pet = pet
//- mid.py
import lib

def pass_on(pet):
    lib.hear(pet).play()
    box = lib.Box(pet)
    return box
//- app.py
from mid import pass_on
from pets import Cat

pass_on(Cat())
//- use.py
import lib

def look(number):
    lib.Box(number).pet.speak()
//- shelf.py
import pets

class Shelf:
    def __init__(self):
        self.pets = []

    def fill(self) -> None:
        self.pets.append(pets.Cat())
//- visit.py
import shelf

def visit():
    shelf.Shelf().pets[0].speak()
"""


@pytest.mark.sampled(4)
@pytest.mark.parametrize(
    "changes",
    [
        {"app.py": "from mid import pass_on\nfrom pets import Dog\n\npass_on(Dog())\n"},
        {"app.py": "from mid import pass_on\nfrom pets import Dog, Cat\n\npass_on(Dog())\npass_on(Cat())\n"},
        {"app.py": "x = 1\n"},
        {"app.py": None},
        {"new.py": "import mid, pets\nmid.pass_on(pets.Dog())\n"},
        {"pets.py": "class Sound:\n    def play(self): ...\n\nclass Cat:\n    def speak(self): return Sound()\n"},
        {"pets.py": "class Cat:\n    def speak(self): return Other()\n\nclass Other:\n    def play(self): ...\n"},
        {"lib.py": "def first(): ...\n\ndef hear(animal):\n    return animal.speak()\n\nclass Box:\n    pet = None\n"},
        {"mid.py": "def pass_on(pet): ...\n"},
        {
            "shelf.py": "import pets\n\nclass Shelf:\n    def __init__(self):\n        self.pets = []\n\n"
            "    def fill(self) -> None:\n        self.pets.append(pets.Dog())\n"
        },
    ],
)
def test_index_follows_what_call_sites_give(tmp_path: Path, changes: dict[str, str | None]) -> None:
    check_files(tmp_path, ZOO, "inferred", changes)
