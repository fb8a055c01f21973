"""How documents are cut, by the kind of library: short passages, anything, long prose."""

from dataclasses import dataclass
from typing import Literal

ProfileName = Literal["precise", "general", "long"]


@dataclass(frozen=True, slots=True)
class Profile:
    """``size`` and ``overlap`` in tokens of the embedder, prefix and special tokens counted in ``size``.

    Neighbouring sections of together up to ``merge`` characters are taken as one; 0 keeps every heading a
    boundary.
    """

    size: int
    overlap: int
    merge: int = 0


PROFILES: dict[ProfileName, Profile] = {
    "precise": Profile(size=256, overlap=32),
    "general": Profile(size=400, overlap=50),
    "long": Profile(size=480, overlap=80, merge=600),
}
