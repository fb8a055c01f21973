"""Where a library is shared: the server that a person named, and the library's place on it."""

import json
from dataclasses import asdict, dataclass
from urllib.parse import urlsplit

from engine.errors import WrongUse

TEAM_STORE = "team_store"
"""Fact of a library: where it is shared, as :meth:`TeamTarget.to_text` says it."""

PORT = 19530
"""Milvus's own."""


@dataclass(frozen=True, slots=True)
class TeamTarget:
    """A collection on a server."""

    scheme: str
    host: str
    port: int
    collection: str

    @classmethod
    def parse(cls, uri: str, collection: str) -> "TeamTarget":
        """From ``http[s]://host[:port]``; raises WrongUse for anything else, and for a password in it."""
        try:
            parts = urlsplit(uri)
            port = parts.port or PORT
        except ValueError as exc:
            raise WrongUse(detail=uri) from exc
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise WrongUse(detail=uri.rpartition("@")[2])
        return cls(parts.scheme, parts.hostname, port, collection)

    @classmethod
    def from_text(cls, text: str) -> "TeamTarget | None":
        """What :meth:`to_text` gave; None for an empty text."""
        return cls(**json.loads(text)) if text else None

    def to_text(self) -> str:
        """For the library's facts."""
        return json.dumps(asdict(self))

    @property
    def address(self) -> str:
        """Host and port as people write them."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"
