"""Printed as JSON by the environment's Python: where models lie, and which chat model suits this machine.

A file of its own because the setup itself runs without the program's packages.
"""

import json

import psutil

from engine.paths import home
from models.catalogue import catalogue
from models.store import ModelStore

free_memory = psutil.virtual_memory().available
folder = home().models
known = catalogue()
facts = {
    "folder": str(folder),
    "recommended": known.recommended_chat(free_memory).id,
    "smallest": known.recommended_chat(0).id,
    "installed": ModelStore(folder).default_chat(free_memory),
}
print(json.dumps(facts))
